//! Several searches of one position as one answer: what root parallelism and hindsight
//! optimisation end with.

use crate::mcts::Choice;
use crate::tree::{payoff, rank};
use spielbaum_core::{Line, Meter, Proof, Report};

/// Adds the visits of equal root moves, averages their values by visits, and chooses. Reports
/// come in the order of the workers, so the answer does not depend on which was ready first. A
/// margin of [`Choice::Secure`] is in rewards here.
///
/// What one search has proven is proven. `None` if there is no report.
pub fn merge<M: Copy + Eq>(
    reports: &[Report<M>],
    choice: Choice,
    meter: &Meter,
) -> Option<Report<M>> {
    let mut lines: Vec<(Line<M>, f64)> = Vec::new();
    for line in reports.iter().flat_map(|r| &r.lines) {
        let sum = f64::from(line.value) * line.visits as f64;
        match lines.iter_mut().find(|(l, _)| l.mv == line.mv) {
            Some((merged, total)) => {
                merged.visits += line.visits;
                merged.proven = merged.proven.or(line.proven);
                *total += sum;
            }
            None => lines.push((line.clone(), sum)),
        }
    }
    let mut lines: Vec<Line<M>> = lines
        .into_iter()
        .map(|(mut line, sum)| {
            if line.visits > 0 {
                line.value = (sum / line.visits as f64) as f32;
            }
            line.value = line.proven.map_or(line.value, payoff);
            line
        })
        .collect();
    // A stable sort: of equals the first.
    lines.sort_by(|a, b| {
        let ((x, x2), (y, y2)) = (merit(choice, a), merit(choice, b));
        let by_merit = y.total_cmp(&x).then(y2.total_cmp(&x2));
        rank(b.proven).cmp(&rank(a.proven)).then(by_merit)
    });
    let best = lines.first()?;
    let mut report = Report::new(best.mv, best.value, meter);
    report.proven = reports.iter().find_map(|r| r.proven);
    // The line of the search that has looked at the move most.
    let visits = |r: &Report<M>| r.lines.iter().find(|l| l.mv == best.mv).map_or(0, |l| l.visits);
    let most = reports.iter().map(visits).max().unwrap_or(0);
    let keeper = reports.iter().filter(|r| r.best == best.mv).find(|r| visits(r) == most);
    if let Some(keeper) = keeper {
        report.pv.clone_from(&keeper.pv);
    }
    report.depth = reports.iter().map(|r| r.depth).max().unwrap_or(0);
    report.iterations = reports.iter().map(|r| r.iterations).sum();
    report.nodes = reports.iter().map(|r| r.nodes).sum();
    report.note = reports.iter().find_map(|r| r.note.clone());
    report.lines = lines;
    Some(report)
}

fn merit<M>(choice: Choice, line: &Line<M>) -> (f64, f64) {
    let mean = f64::from(line.value);
    match choice {
        Choice::Robust => (line.visits as f64, mean),
        Choice::Max => (mean, 0.0),
        Choice::Secure(_) if line.proven == Some(Proof::Draw) => (mean, 0.0),
        Choice::Secure(a) => (mean + a / (line.visits.max(1) as f64).sqrt(), 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::{Bound, Limits, Stop};

    fn report(lines: &[(u8, u64, f32, Option<Proof>)]) -> Report<u8> {
        let meter = Meter::new(Limits::default(), Stop::new());
        let mut report = Report::new(lines[0].0, lines[0].2, &meter);
        report.iterations = lines.iter().map(|l| l.1).sum();
        report.pv = vec![lines[0].0, 9];
        report.lines = (lines.iter())
            .map(|&(mv, visits, value, proven)| {
                let (bound, prior) = (Bound::Exact, None);
                Line { mv, visits, value, bound, prior, proven }
            })
            .collect();
        report
    }

    #[test]
    fn visits_are_added_and_values_averaged() {
        let meter = Meter::new(Limits::default(), Stop::new());
        let a = report(&[(1, 60, 0.5, None), (2, 40, 0.25, None)]);
        let b = report(&[(2, 70, 0.75, None), (3, 30, 0.9, None)]);
        let both = [a, b];
        let robust = merge(&both, Choice::Robust, &meter).unwrap();
        assert_eq!((robust.best, robust.iterations), (2, 200));
        let value = (40.0 * 0.25 + 70.0 * 0.75) / 110.0;
        assert!((robust.value - value).abs() < 1e-6);
        assert_eq!(robust.lines.iter().map(|l| l.visits).collect::<Vec<_>>(), [110, 60, 30]);
        assert_eq!(robust.pv, [2, 9]);
        assert_eq!(merge(&both, Choice::Max, &meter).unwrap().best, 3);
        assert_eq!(merge(&both, Choice::Secure(-5.0), &meter).unwrap().best, 2);
    }

    #[test]
    fn a_proof_of_one_counts_for_all() {
        let meter = Meter::new(Limits::default(), Stop::new());
        let a = report(&[(1, 60, 0.5, None), (2, 40, 0.25, None)]);
        let mut b = report(&[(2, 1, 1.0, Some(Proof::Win))]);
        b.proven = Some(Proof::Win);
        let merged = merge(&[a, b], Choice::Robust, &meter).unwrap();
        assert_eq!((merged.best, merged.value, merged.proven), (2, 1.0, Some(Proof::Win)));
        assert_eq!(merge::<u8>(&[], Choice::Robust, &meter), None);
    }
}
