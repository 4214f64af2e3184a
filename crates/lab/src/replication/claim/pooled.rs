//! The games of several parts, counted together.

use super::Bench;
use crate::LabError;
use crate::experiment::paper::Metric;
use crate::replication::Measured;
use crate::replication::measure::after_rounds;
use crate::replication::measured::Data;
use crate::stats::{Rounds, Wdl};

impl Bench<'_> {
    /// The games of several parts as one value, or why they cannot be counted together.
    ///
    /// What is estimated is the mean of the parts, each weighing as many rounds as are planned. Parts that are unevenly
    /// played would have another mean at every look, so each is taken as far as all have their share: the blocks of
    /// [`anytime`](crate::stats::anytime). Parts are taken to be independent of each other; those that share
    /// their openings are refused when the file is read.
    pub(super) fn pool(&self, parts: &[Measured], metric: Metric) -> Result<Measured, String> {
        let unplayed = parts.iter().filter(|part| part.count == 0).count();
        if parts.is_empty() || unplayed > 0 {
            return Err(format!("{unplayed} of {} parts not played yet", parts.len()));
        }
        let games: Vec<_> = parts.iter().map(games).collect::<Result<_, _>>()?;
        let played: Vec<u64> = games.iter().map(|(_, rounds)| rounds.total()).collect();
        let fixed = parts.iter().all(|part| part.complete && !part.unplanned);
        let planned: Vec<u64> = parts.iter().map(|part| part.planned).collect();
        let taken = if fixed { played.clone() } else { evenly(&played, &planned) };
        let uneven = || {
            let ends = (played.iter().min(), played.iter().max());
            let (least, most) = (ends.0.unwrap_or(&0), ends.1.unwrap_or(&0));
            format!("the parts are unevenly played, {least} to {most} rounds")
        };
        let mut sum: Option<(Wdl, Rounds)> = None;
        let mut count = 0;
        let mut single = None;
        for (i, part) in parts.iter().enumerate() {
            let (mut own, mut of) = (games[i].clone(), part.count);
            if taken[i] == 0 {
                return Err(uneven());
            }
            if taken[i] != played[i] {
                let cannot = |e: LabError| format!("{}, and {e}", uneven());
                let single = match &mut single {
                    Some(single) => single,
                    none => none.insert(self.results.single_games().map_err(cannot)?),
                };
                let first = after_rounds(single, part, metric, taken[i]).map_err(cannot)?;
                let first = first.ok_or_else(|| {
                    format!("{}, and the single games of {} are not here", uneven(), part.part)
                })?;
                (own, of) = (self::games(&first)?, first.count);
            }
            count += of;
            sum = Some(match sum {
                None => own,
                Some((wdl, rounds)) => {
                    let rounds = rounds.plus(&own.1).ok_or("rounds of the parts differ in size")?;
                    (wdl.plus(own.0), rounds)
                }
            });
        }
        let (wdl, rounds) = sum.ok_or("no parts")?;
        let together = match parts.len() {
            1 => "1 part".to_string(),
            n => format!("{n} parts together"),
        };
        let so_far = match taken == played {
            true => String::new(),
            false => format!(", as far as evenly played ({count} games)"),
        };
        Ok(Measured {
            part: together + &so_far,
            setting: Vec::new(),
            count,
            complete: parts.iter().all(|part| part.complete),
            unplanned: parts.iter().any(|part| part.unplanned),
            place: 0,
            planned: planned.iter().sum(),
            data: Data::Paired(wdl, rounds),
        })
    }
}

/// The games of a part by rounds, or why they cannot be counted with others.
fn games(part: &Measured) -> Result<(Wdl, Rounds), String> {
    let games = part.data.rounds().filter(|(_, rounds)| rounds.total() > 0);
    games.ok_or_else(|| {
        format!(
            "games of {} are repeated or have no rounds: they are not counted together",
            part.part
        )
    })
}

/// As many rounds of each part as are planned, times the largest factor that all have reached.
fn evenly(played: &[u64], planned: &[u64]) -> Vec<u64> {
    let unit = planned.iter().copied().fold(0, gcd).max(1);
    let block = |planned: &u64| (planned / unit).max(1);
    let blocks = played.iter().zip(planned).map(|(played, planned)| played / block(planned)).min();
    planned.iter().map(|planned| blocks.unwrap_or(0) * block(planned)).collect()
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_parts_are_taken_in_the_proportion_that_is_planned() {
        assert_eq!(evenly(&[12, 50, 20], &[50, 50, 50]), [12, 12, 12]);
        assert_eq!(evenly(&[25, 50], &[50, 100]), [25, 50]);
        assert_eq!(evenly(&[25, 49], &[50, 100]), [24, 48]);
        assert_eq!(evenly(&[50, 100], &[50, 100]), [50, 100]);
        assert_eq!(evenly(&[49, 51], &[50, 51]), [0, 0]);
    }
}
