//! Reports: what a run becomes for people, in every writing.

use crate::common::{GAME, folder, request};
use crate::experiment::CATALOG;
use spielbaum_core::Stop;
use spielbaum_document::{Block, Document, Section, html, latex, markdown, text};
use spielbaum_lab::{
    Access, Experiment, Match, Part, Plan, Results, RunDir, RunOptions, Source, Store, report, run,
};
use std::path::{Path, PathBuf};

const STUDY: &str = r#"
title = "Dice & chances"
seed = 5
games = 40

[paper]
id = "dice"
title = "On dice_100%"
anchor = "pair/1"

[[experiment]]
id = "pair"
title = "How much to leave"
basis = "a point is a point, `least` is what is left"
game = "dice"
format = "gauntlet"
players = ["greedy:least=[0,1,2,3]"]
opponents = ["coin"]
stop = { sprt = "elo0=0,elo1=50" }
published = [
    { at = { least = "1" }, metric = "score", value = 0.7, games = 100, source = "table_1" },
    { at = { least = "3" }, metric = "score", relation = "<", value = 0.9 },
]

[[experiment]]
id = "all"
title = "Everyone against everyone"
game = "dice"
format = "round-robin"
players = ["greedy", "greedy:least=2", "coin"]
games = 20

[[experiment]]
id = "five"
title = "Five at a table"
game = "dice:seats=5"
format = "match"
players = ["greedy", "coin"]
seatings = "rotate"
games = 20

[[experiment]]
id = "alone"
title = "Alone"
game = "dice:seats=1"
format = "scores"
players = ["greedy", "greedy:least=0", "coin"]
games = 120

[[experiment]]
id = "deep"
title = "Depths"
game = "dice"
format = "depths"
depths = 3
positions = ["position: 2 3 0,1", "position: 0 1 0,0"]
players = ["faulty:after=1000", "faulty:after=500"]

[[claim]]
id = "one"
text = "Leaving ones is better than leaving nothing"
rule = { greater = ["pair[least=1].score", "pair[least=0].score"] }
"#;

fn study(options: RunOptions) -> Experiment {
    let source = Source::new("dice.toml", STUDY);
    Experiment::parse(source, options, CATALOG).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

fn carry_out(name: &str, options: RunOptions, wanted: &dyn Fn(&Part) -> bool) -> PathBuf {
    let (dir, experiment) = (folder(name), study(options));
    let place = RunDir::create(&dir, &experiment, Access::Alone).unwrap();
    place.run(&experiment, wanted, CATALOG, 2, &Stop::new(), &mut |_| {}).unwrap();
    dir
}

fn document(dir: &Path) -> Document {
    report(&Results::read(dir, CATALOG).unwrap())
}

/// Everything that does not depend on the machine.
fn timeless(mut document: Document) -> Document {
    document.meta.retain(|(key, _)| key != "Machine");
    document.sections.iter_mut().for_each(without_times);
    document
}

fn without_times(section: &mut Section) {
    let timed = |block: &Block| matches!(block, Block::Details { summary, .. } if summary.starts_with("Wall times"));
    section.blocks.retain(|block| !timed(block));
    section.blocks.iter_mut().for_each(blank);
    section.sections.iter_mut().for_each(without_times);
}

/// Leaves out the columns of times.
fn blank(block: &mut Block) {
    match block {
        Block::Table(table) => {
            let timed: Vec<bool> =
                table.columns.iter().map(|c| c.title.ends_with("time")).collect();
            let mut keep = timed.iter().map(|timed| !timed).cycle();
            table.columns.retain(|_| keep.next().unwrap());
            for row in &mut table.rows {
                let mut keep = timed.iter().map(|timed| !timed);
                row.retain(|_| keep.next().unwrap());
            }
        }
        Block::Details { blocks, .. } => blocks.iter_mut().for_each(blank),
        _ => {}
    }
}

#[test]
fn the_report_of_a_run_is_what_it_was() {
    let dir = carry_out("report-whole", RunOptions::default(), &|_| true);
    let shown = text(&timeless(document(&dir)), 100);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/golden/report.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &shown).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap();
    for (at, (ours, theirs)) in shown.lines().zip(golden.lines()).enumerate() {
        assert_eq!(ours, theirs, "line {} of data/golden/report.txt", at + 1);
    }
    assert_eq!(shown.lines().count(), golden.lines().count());
}

/// The markup of a page: its scripts' tags without what is in them.
fn without_scripts(page: &str) -> String {
    let mut parts = page.split("<script");
    let mut markup = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (script, rest) = part.split_once("</script>").expect("scripts are closed");
        let (tag, _) = script.split_once('>').expect("tags are closed");
        markup += &format!("<script{tag}>{rest}");
    }
    markup
}

#[test]
fn pages_load_nothing_and_latex_is_balanced() {
    let dir = carry_out("report-writers", RunOptions::default(), &|_| true);
    let document = document(&dir);
    let page = html(&document);
    let page = without_scripts(&page);
    for attribute in ["src=\"", "href=\"", "src='", "href='"] {
        for (at, _) in page.match_indices(attribute) {
            let value = &page[at + attribute.len()..];
            let safe = value.starts_with('#') || value.starts_with("data:");
            assert!(safe, "{}", value.chars().take(60).collect::<String>());
        }
    }
    assert!(!page.contains("@import") && !page.contains("url(http"));
    assert!(page.contains("Dice &amp; chances"), "escaped");
    let source = latex(&document);
    assert!(source.contains(r"Dice \& chances") && source.contains(r"table\_1"), "escaped");
    let depth = source.chars().zip(std::iter::once(' ').chain(source.chars())).try_fold(
        0i32,
        |depth, (c, before)| match (c, before) {
            ('{', b) if b != '\\' => Some(depth + 1),
            ('}', b) if b != '\\' => Some(depth - 1).filter(|d| *d >= 0),
            _ => Some(depth),
        },
    );
    assert_eq!(depth, Some(0), "braces");
    for environment in ["tabular", "tikzpicture", "itemize", "document"] {
        let ends = |word: &str| source.matches(&format!("\\{word}{{{environment}}}")).count();
        assert_eq!(ends("begin"), ends("end"), "{environment}");
    }
    assert!(markdown(&document).contains("| match |"));
}

#[test]
fn what_is_missing_is_told() {
    let only = |part: &Part| part.name == "pair-001" || part.name.starts_with("deep");
    let dir = carry_out("report-part", RunOptions::default(), &only);
    let shown = text(&document(&dir), 100);
    assert!(shown.contains("unfinished run: 3 of 11 parts complete"), "{shown}");
    assert!(shown.contains("The anchor is not measured yet"), "{shown}");
    assert!(shown.contains("3 of 4 parts not finished: pair-002 (not begun)"), "{shown}");
    assert!(shown.contains("1 value not measured yet"), "{shown}");
}

#[test]
fn a_damaged_unit_is_told_and_a_quick_run_says_so() {
    let dir =
        carry_out("report-damaged", RunOptions::new(true, false), &|part| part.name == "alone-001");
    let part = dir.join("parts/alone-001");
    std::fs::remove_file(part.join("summary.json")).unwrap();
    std::fs::write(part.join("units/000000.jsonl"), "{}\n").unwrap();
    let shown = text(&document(&dir), 100);
    assert!(shown.contains("QUICK RUN"), "{shown}");
    assert!(shown.contains("The files of 1 part are damaged"), "{shown}");
    assert!(shown.contains("alone-001: "), "{shown}");
}

#[test]
fn a_single_match_has_a_report() {
    let plan =
        Plan::new(GAME, Match { seed: 3, ..request("dice", &["greedy", "coin"], 20) }).unwrap();
    let dir = folder("report-match");
    let store = Store::create(&dir, &plan).unwrap();
    run(GAME, &plan, Some(&store), 1, &Stop::new(), &mut |_| {}).unwrap();
    let shown = text(&document(&dir), 100);
    assert!(shown.contains("greedy against coin on dice"), "{shown}");
    assert!(shown.contains("Whoever moved first scored"), "{shown}");
}

#[test]
fn seats_and_places_are_counted() {
    let summary = |request: Match| {
        let plan = Plan::new(GAME, request).unwrap();
        run(GAME, &plan, None, 1, &Stop::new(), &mut |_| {}).unwrap().summary
    };
    let two = summary(request("dice", &["greedy", "coin"], 40));
    let [first, second] = two.by_seat[..] else { panic!("two seats") };
    assert_eq!((first.total(), second.total()), (20, 20));
    assert_eq!((first.wins + second.wins, first.losses + second.losses), (two.wins, two.losses));
    // Half points of the first seat: A's there, and what A left in the other.
    let half_points: u64 = two.first_pairs.iter().zip(0..).map(|(n, points)| n * points).sum();
    assert_eq!(half_points, first.half_points() + 2 * second.losses + second.draws);
    assert!(two.players.iter().all(|p| p.places.is_empty() && p.place.is_none()));
    let three = summary(request("dice:seats=3", &["greedy", "coin"], 60));
    assert!(three.by_seat.is_empty() && three.first_pairs.is_empty());
    for player in &three.players {
        assert!((player.places.iter().sum::<f64>() - 1.0).abs() < 1e-5, "{:?}", player.places);
        let mean: f64 =
            player.places.iter().zip(1..).map(|(share, place)| share * f64::from(place)).sum();
        assert!((player.place.unwrap().mean - mean).abs() < 1e-5);
    }
    assert!(three.players[0].place.unwrap().mean < three.players[1].place.unwrap().mean);
}
