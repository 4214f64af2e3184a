//! What a section ran: game, players, budgets, openings, games.

use super::found::Found;
use super::words::{count, plural};
use crate::budget::Budget;
use crate::{Format, Openings, Seating, Work};
use spielbaum_document::{Block, List, Text};

/// The basis and what was run.
pub(super) fn blocks(found: &Found<'_>) -> Vec<Block> {
    let basis =
        found.section.basis.as_ref().map(|basis| Block::Paragraph(Text::markup(&sentence(basis))));
    let items: Vec<Text> = [
        Some(line("Game", &all(found, game))),
        Some(players(found)),
        swept(found),
        Some(all(found, budget))
            .filter(|all| !all.is_empty())
            .map(|all| line("Budget of a move", &all)),
        openings(found),
        Some(amount(found)),
        found.section.extended.then(|| Text::from(EXTENDED)),
        Some(line("Seed", &all(found, seed))),
    ]
    .into_iter()
    .flatten()
    .collect();
    basis.into_iter().chain([List::bullets(items).into()]).collect()
}

const EXTENDED: &str = "More games were planned after a look at those before: claims use intervals that hold at every \
                        look, and means decide nothing";

/// As a sentence: with a capital, ended by a full stop.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.trim().chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    let text: String = first.chain(letters).collect();
    if text.is_empty() || text.ends_with(['.', '!', '?', ':']) { text } else { format!("{text}.") }
}

/// A key with values as code.
fn line(key: &str, values: &[String]) -> Text {
    const SHOWN: usize = 6;
    let mut text = Text::default().plain(format!("{key}: "));
    for (at, value) in values.iter().take(SHOWN).enumerate() {
        text = if at > 0 { text.plain(", ") } else { text };
        text = text.code(value);
    }
    match values.len() > SHOWN {
        true => text.plain(format!(" and {} more", values.len() - SHOWN)),
        false => text,
    }
}

/// Everything that the parts have of a kind, each once.
fn all(found: &Found<'_>, of: impl Fn(&Work) -> Vec<String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for value in found.parts.iter().flat_map(|(part, _)| of(&part.work)) {
        if !all.contains(&value) {
            all.push(value);
        }
    }
    all
}

fn game(work: &Work) -> Vec<String> {
    match work {
        Work::Match(plan) => vec![plan.header().game.spec.clone()],
        Work::Exam(exam) => vec![exam.header().game.spec.clone()],
    }
}

fn seed(work: &Work) -> Vec<String> {
    match work {
        Work::Match(plan) => vec![plan.header().seed.to_string()],
        Work::Exam(exam) => vec![exam.header().seed.to_string()],
    }
}

fn budget(work: &Work) -> Vec<String> {
    match work {
        Work::Match(plan) => plan.header().limits.iter().map(budget_text).collect(),
        Work::Exam(exam) => vec![budget_text(&exam.header().limits)],
    }
    .into_iter()
    .filter(|text| !text.is_empty())
    .collect()
}

fn budget_text(budget: &Budget) -> String {
    let parts = [
        budget.depth.map(|x| format!("depth={x}")),
        budget.iterations.map(|x| format!("iterations={x}")),
        budget.nodes.map(|x| format!("nodes={x}")),
        budget.time.map(|x| format!("time={x}s")),
        budget.clock.map(|x| format!("clock={x}s")),
        budget.increment.filter(|&x| x > 0.0).map(|x| format!("increment={x}s")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(",")
}

/// Who meets whom.
fn players(found: &Found<'_>) -> Text {
    let seated = |seat: usize| {
        all(found, |work| match work {
            Work::Match(plan) => {
                plan.header().players.get(seat).map(|p| p.spec.clone()).into_iter().collect()
            }
            Work::Exam(exam) => vec![exam.header().player.spec.clone()],
        })
    };
    let everyone = || {
        all(found, |work| match work {
            Work::Match(plan) => plan.header().players.iter().map(|p| p.spec.clone()).collect(),
            Work::Exam(exam) => vec![exam.header().player.spec.clone()],
        })
    };
    match found.section.format {
        Format::Match | Format::Gauntlet => {
            let mut text = line("Players", &seated(0));
            for seat in 1..5 {
                let more = seated(seat);
                if !more.is_empty() {
                    text = text.plain(if seat == 1 { " against " } else { " and " });
                    text.0.extend(line("", &more).0.into_iter().skip(1));
                }
            }
            text
        }
        Format::RoundRobin => line("Everyone meets everyone", &everyone()),
        Format::Scores => line("Everyone alone, with the same chance events", &everyone()),
        Format::Depths | Format::Accuracy => line("Players", &everyone()),
    }
}

/// What is swept over.
fn swept(found: &Found<'_>) -> Option<Text> {
    let entrants = ["player", "opponent", "game", "budget", "a", "b", "c", "d", "e"];
    let mut text = Text::from("Swept: ");
    let axes: Vec<_> = (found.varied().into_iter().map(|at| &found.section.axes[at]))
        .filter(|axis| !entrants.contains(&axis.name.as_str()) || Scalars::are(&axis.values))
        .collect();
    for (at, axis) in axes.iter().enumerate() {
        text = text.plain(if at > 0 { "; " } else { "" }).code(&axis.name);
        text = text.plain(format!(" = {}", axis.values.join(", ")));
    }
    (!axes.is_empty()).then_some(text)
}

/// Values that are numbers.
struct Scalars;

impl Scalars {
    fn are(values: &[String]) -> bool {
        values.iter().all(|value| value.parse::<f64>().is_ok())
    }
}

fn openings(found: &Found<'_>) -> Option<Text> {
    let (mut names, mut seats) = (Vec::new(), 0);
    for (part, _) in &found.parts {
        let Work::Match(plan) = &part.work else { continue };
        seats = seats.max(plan.seats);
        let name = match plan.schedule.openings() {
            Openings::None => "every game from the start".to_string(),
            Openings::Random(plies) => {
                format!("{} at the start", plural(u64::from(*plies), "random move"))
            }
            Openings::List { name, lines, .. } => {
                format!("{} prepared ones from {name}", lines.len())
            }
        };
        let again = match (plan.seats, plan.header().seating) {
            (1, _) => "",
            (2, _) => ", each played from both sides",
            (_, Seating::All) => ", each played in all seatings",
            (_, Seating::Rotate) => ", each played with the seats moved on in turn",
        };
        let name = name + again;
        if !names.contains(&name) {
            names.push(name);
        }
    }
    (seats > 0).then(|| Text::from(format!("Openings: {}", names.join("; "))))
}

/// Games or questions.
fn amount(found: &Found<'_>) -> Text {
    let parts = found.parts.len() as u64;
    let done: u64 = found.parts.iter().map(|(_, result)| result.outcome.items()).sum();
    if !found.section.format.is_match() {
        return Text::from(format!(
            "Questions: {} answered in {}",
            count(done),
            plural(parts, "exam")
        ));
    }
    let mut most: Vec<u64> = Vec::new();
    let mut stops = Vec::new();
    for (part, _) in &found.parts {
        if let Work::Match(plan) = &part.work {
            most.push(plan.schedule.games());
            let stop = match (&plan.sprt, plan.width) {
                (Some(test), _) => Some(format!(
                    "fewer where the sequential test of {:+} against {:+} Elo decides (errors {} and {})",
                    test.elo0, test.elo1, test.alpha, test.beta
                )),
                (_, Some(width)) => {
                    Some(format!("fewer where the interval of the score gets as narrow as {width}"))
                }
                _ => None,
            };
            stops.extend(stop.filter(|stop| !stops.contains(stop)));
        }
    }
    let (least, most) =
        (most.iter().min().copied().unwrap_or(0), most.iter().max().copied().unwrap_or(0));
    let each = match (parts, least == most) {
        (1, _) if done == most => String::new(),
        (1, _) => format!(" of {}", count(most)),
        (_, true) => format!(" of {} each", count(most)),
        _ => format!(" of {} to {} each", count(least), count(most)),
    };
    let stops: String = stops.iter().map(|stop| format!(", {stop}")).collect();
    Text::from(format!("Games: {} in {}{each}{stops}", count(done), plural(parts, "match")))
}
