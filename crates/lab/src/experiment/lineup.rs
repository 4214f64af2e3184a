//! Who meets whom: the formats.

use super::Format;
use super::axes::Axes;
use super::fields;
use super::keys::Settings;
use super::mistake::Log;
use super::slot::{Choice, Setting, Slot};
use spielbaum_core::MAX_PLAYERS;
use toml::de::DeValue;

/// What people call the slots of a match.
const ROLES: [&str; MAX_PLAYERS] = ["a", "b", "c", "d", "e"];

/// The players of a section.
pub(super) struct Cast {
    format: Format,
    pub(super) slots: Vec<Slot>,
    /// Whether some of it could not be read; the rest is there to be checked.
    pub(super) broken: bool,
}

/// Those who meet in one part.
pub(super) struct Lineup<'c> {
    pub(super) players: Vec<&'c Choice>,
    /// What was chosen for the part.
    pub(super) setting: Setting,
    /// What was chosen for each player, where all meet in one part.
    pub(super) own: Vec<Setting>,
}

impl Cast {
    /// Reads the players, and the opponents of a gauntlet.
    pub(super) fn read(format: Format, settings: &Settings<'_, '_>, log: &Log<'_>) -> Cast {
        let read = |key: &str, role: &str| match settings.get(key) {
            Some(value) => Slot::read(role, key, value, log),
            None => {
                let help = format!("name them: {key} = [\"PLAYER\", …]");
                fields::missing(key, settings.place.clone(), &help, log);
                None
            }
        };
        let slots = match format {
            Format::Match => slots_of_a_match(settings, log),
            Format::Gauntlet => vec![read("players", "player"), read("opponents", "opponent")],
            _ => vec![read("players", "player")],
        };
        let broken = slots.iter().any(|slot| slot.as_ref().is_none_or(|slot| slot.broken));
        Cast { format, slots: slots.into_iter().flatten().collect(), broken }
    }

    /// The number of lineups at a table of so many seats.
    pub(super) fn count(&self, seats: usize) -> usize {
        let all = self.slots.iter().map(Slot::count);
        match self.format {
            Format::Match | Format::Gauntlet => all.fold(1, usize::saturating_mul),
            Format::RoundRobin => {
                let (n, k) = (self.slots[0].count(), seats.max(2));
                (0..k).fold(1usize, |ways, i| ways.saturating_mul(n.saturating_sub(i)) / (i + 1))
            }
            Format::Scores => 1,
            Format::Depths | Format::Accuracy => all.fold(0, usize::saturating_add),
        }
    }

    /// The most expansions that any slot has.
    pub(super) fn largest(&self) -> usize {
        self.slots.iter().map(Slot::count).max().unwrap_or(0)
    }

    /// Adds what is swept over here to the axes; `tables` are the numbers of seats.
    pub(super) fn add_axes(&self, choices: &[Vec<Choice>], tables: &[usize], axes: &mut Axes) {
        if self.format != Format::RoundRobin {
            let all = self.slots.iter().flat_map(Slot::axes);
            return all.for_each(|(path, values)| axes.add(path, values));
        }
        let labels: Vec<String> = choices[0].iter().map(|c| c.label.clone()).collect();
        for &seats in tables {
            for role in roles(seats) {
                axes.add(vec![role.to_string()], labels.clone());
            }
        }
    }

    /// Whether the format fits a table of so many seats; or why not.
    pub(super) fn fits(&self, seats: usize) -> Result<(), (String, String)> {
        let (n, format) = (self.slots.len(), self.format.name());
        let entrants = self.slots[0].count();
        let wrong = |problem: String, help: &str| Err((problem, help.to_string()));
        match self.format {
            Format::Scores if seats > 1 => wrong(
                format!("format `scores` is for one seat, the game has {seats}"),
                "use match, gauntlet or round-robin",
            ),
            Format::Match | Format::Gauntlet | Format::RoundRobin if seats == 1 => wrong(
                format!("format `{format}` needs opponents, the game has one seat"),
                "use scores: everyone alone, with the same chance events",
            ),
            Format::Match if seats == 2 && n != 2 => wrong(
                format!("a game of two needs two players, not {n}"),
                "one entry for each slot; a list in a list is swept: [[\"A\", \"B\"], \"C\"]",
            ),
            Format::Match if !(2..=seats).contains(&n) => wrong(
                format!("a table of {seats} needs two to {seats} players, not {n}"),
                "one entry for each slot; a list in a list is swept: [[\"A\", \"B\"], \"C\"]",
            ),
            Format::RoundRobin if entrants < seats => wrong(
                format!(
                    "a round robin at a table of {seats} needs {seats} players, not {entrants}"
                ),
                "name more players, or use match",
            ),
            _ => Ok(()),
        }
    }

    /// All lineups at a table of so many seats, in order.
    pub(super) fn lineups<'c>(&self, choices: &'c [Vec<Choice>], seats: usize) -> Vec<Lineup<'c>> {
        match self.format {
            Format::Match | Format::Gauntlet => {
                let mut all: Vec<Vec<&Choice>> = vec![Vec::new()];
                for slot in choices {
                    all = (all.iter())
                        .flat_map(|some| slot.iter().map(|one| [&some[..], &[one]].concat()))
                        .collect();
                }
                all.into_iter().map(Lineup::of_choices).collect()
            }
            Format::RoundRobin => {
                let all = subsets(choices[0].len(), seats.max(2));
                let lineup = |members: Vec<usize>| {
                    let players: Vec<_> = members.into_iter().map(|i| &choices[0][i]).collect();
                    let seated = roles(seats).into_iter().zip(&players);
                    let setting =
                        seated.map(|(role, p)| (vec![role.to_string()], p.label.clone())).collect();
                    Lineup { players, setting, own: Vec::new() }
                };
                all.into_iter().map(lineup).collect()
            }
            Format::Scores => {
                let players: Vec<&Choice> = choices[0].iter().collect();
                let own = players.iter().map(|p| p.setting.clone()).collect();
                vec![Lineup { players, setting: Vec::new(), own }]
            }
            Format::Depths | Format::Accuracy => {
                choices[0].iter().map(|one| Lineup::of_choices(vec![one])).collect()
            }
        }
    }
}

impl<'c> Lineup<'c> {
    fn of_choices(players: Vec<&'c Choice>) -> Self {
        let setting = players.iter().flat_map(|p| p.setting.clone()).collect();
        Lineup { players, setting, own: Vec::new() }
    }
}

/// The axes of a round robin.
fn roles(seats: usize) -> Vec<&'static str> {
    if seats <= 2 { vec!["player", "opponent"] } else { ROLES[..seats.min(ROLES.len())].to_vec() }
}

fn slots_of_a_match(settings: &Settings<'_, '_>, log: &Log<'_>) -> Vec<Option<Slot>> {
    let right = "a list with an entry for each slot: [\"A\", \"B\"]";
    let Some(value) = settings.get("players") else {
        let help = format!("`players` should be {right}");
        fields::missing("players", settings.place.clone(), &help, log);
        return vec![None];
    };
    let DeValue::Array(list) = value.get_ref() else {
        fields::misfit("players", value, right, log);
        return vec![None];
    };
    if list.is_empty() || list.len() > ROLES.len() {
        let problem = format!("a match of {} players", list.len());
        log.help(value.span(), problem, format!("`players` should be {right}"));
        return vec![None];
    }
    let slots = list.iter().zip(ROLES);
    slots.map(|(slot, role)| Slot::read(role, "players", slot, log)).collect()
}

/// All ways to choose `k` of `n` numbers, in order.
fn subsets(n: usize, k: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..k {
        all = (all.into_iter())
            .flat_map(|some| {
                let from = some.last().map_or(0, |last| last + 1);
                (from..n).map(move |next| [&some[..], &[next]].concat()).collect::<Vec<_>>()
            })
            .collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_are_in_order() {
        assert_eq!(subsets(3, 2), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(subsets(8, 2).len(), 28);
        assert_eq!(subsets(7, 5).len(), 21);
        assert_eq!(subsets(1, 2), Vec::<Vec<usize>>::new());
    }
}
