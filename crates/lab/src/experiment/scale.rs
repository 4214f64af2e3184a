//! Numbers of published rows and of rules on the scale of what they speak about, and what can be compared and counted
//! together.

use super::fields::Value;
use super::paper::{Metric, Term};
use super::rules::{Checked, References};
use crate::{Openings, Part, Work};
use spielbaum_core::spec::Span;
use std::collections::BTreeMap;

impl References<'_> {
    /// Whether a metric can be this: percent where a share is meant would be compared with shares.
    pub(super) fn on_scale(&self, metric: Metric, key: &str, number: f64, place: Span) -> Checked {
        let share = metric.is_share() || metric == Metric::Los;
        if !share || (0.0..=1.0).contains(&number) {
            return Some(());
        }
        let problem = format!("`{key}` = {number} is no share: `{metric}` is from 0 to 1");
        let percent = number / 100.0;
        let help = match (0.0..=1.0).contains(&percent) {
            true => format!("{number} % is {percent}"),
            false => "a share is a part of all games: 0.755 for 75.5 %".to_string(),
        };
        self.log.help(place, problem, help);
        None
    }

    /// Whether an interval is one of its metric, around the number that it belongs to.
    pub(super) fn around(
        &self,
        metric: Metric,
        number: f64,
        [low, high]: [f64; 2],
        place: Span,
    ) -> Checked {
        for end in [low, high] {
            self.on_scale(metric, "interval", end, place.clone())?;
        }
        if (low..=high).contains(&number) {
            return Some(());
        }
        let problem = format!("the interval does not contain `value` = {number}");
        let help =
            "it is what the value may have been, the lower end first: [0.73, 0.78] for 0.755";
        self.log.help(place, problem, help);
        None
    }

    /// Whether all terms speak about one metric: others have no order among them.
    pub(super) fn alike(&self, key: &str, terms: &[Term], places: &[&Value<'_>]) -> Checked {
        let mut both = terms.iter().zip(places);
        let Some((odd, place)) = both.find(|(term, _)| term.metric != terms[0].metric) else {
            return Some(());
        };
        let problem = format!("`{key}` compares `{}` with `{}`", terms[0].metric, odd.metric);
        self.log.help(place.span(), problem, "all terms of a rule are of one metric");
        None
    }

    /// Whether something can rest on a metric: a rule, or an anchor.
    pub(super) fn bears(&self, what: &str, metric: Metric, place: Span) -> Checked {
        let (why, help) = match metric {
            Metric::Time => (
                "seconds are those of the machine",
                "compare `nodes` or `iterations`; seconds can be published beside ours",
            ),
            Metric::Los => (
                "a likelihood has no interval",
                "compare the `score` with 0.5, which is decided at a level of its own",
            ),
            _ => return Some(()),
        };
        let help = if what == "rule" {
            help
        } else {
            "choose a row whose number games can repeat: a `score`"
        };
        self.log.help(place, format!("no {what} can rest on `{metric}`: {why}"), help);
        None
    }

    /// Whether the games of a part can be counted with those of the parts before it: with one seed, round by round, random
    /// openings are the same in all parts, so that their results go up and down together.
    pub(super) fn independent<'p>(
        &self,
        part: &'p Part,
        drawn: &mut BTreeMap<(u64, String), &'p str>,
        place: Span,
    ) -> Checked {
        let Work::Match(plan) = &part.work else { return Some(()) };
        if !matches!(plan.schedule.openings(), Openings::Random(plies) if *plies > 0) {
            return Some(());
        }
        let header = plan.header();
        let same = (header.seed, header.game.spec.clone());
        let Some(other) = drawn.insert(same, &part.name) else { return Some(()) };
        let problem = format!(
            "parts `{other}` and `{}` have the same random openings and cannot be pooled",
            part.name
        );
        let help = "they are drawn by `seed`: pool sections with a `seed` of their own each, or parts with openings \
                    that are not random";
        self.log.help(place, problem, help);
        None
    }
}
