//! Experiment files: every format and key, sweeps and their places.

use crate::common::GAME;
use spielbaum_core::Limits;
use spielbaum_lab::{
    AnyGame, Detail, Experiment, Format, Mistakes, Openings, Part, Plan, RunOptions, Seating,
    Section, Source, Work,
};

pub(crate) static CATALOG: &[&dyn AnyGame] = &[GAME];

pub(crate) fn parse(text: &str) -> Result<Experiment, Mistakes> {
    parse_with(text, RunOptions::default())
}

fn parse_with(text: &str, options: RunOptions) -> Result<Experiment, Mistakes> {
    Experiment::parse(Source::new("test.toml", text), options, CATALOG)
}

fn read(text: &str) -> Experiment {
    parse(text).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

fn section(text: &str) -> Section {
    read(text).sections.into_iter().next().unwrap()
}

fn plan(part: &Part) -> &Plan {
    match &part.work {
        Work::Match(plan) => plan,
        Work::Exam(_) => panic!("{} is an exam", part.name),
    }
}

fn axes(section: &Section) -> Vec<(&str, Vec<&str>)> {
    section.axes.iter().map(|axis| (axis.name.as_str(), values_of(&axis.values))).collect()
}

fn values_of(values: &[String]) -> Vec<&str> {
    values.iter().map(String::as_str).collect()
}

fn settings(section: &Section) -> Vec<Vec<&str>> {
    section.parts.iter().map(|part| values_of(&part.setting)).collect()
}

fn players(section: &Section) -> Vec<Vec<String>> {
    let names = |part| plan(part).players.iter().map(ToString::to_string).collect();
    section.parts.iter().map(names).collect()
}

#[test]
fn a_file_without_sections_is_one() {
    let text = r#"
        game = "dice"
        format = "match"
        players = ["greedy", "coin"]
    "#;
    let experiment = read(text);
    assert_eq!(experiment.title, "Experiment");
    let [section] = &experiment.sections[..] else { panic!("one section") };
    assert_eq!((section.id.as_str(), section.title.as_str()), ("main", "main"));
    assert_eq!(section.format, Format::Match);
    assert!(section.axes.is_empty() && section.published.is_empty());
    let [part] = &section.parts[..] else { panic!("one part") };
    assert_eq!(part.name, "main-001");
    let plan = plan(part);
    assert_eq!(plan.schedule.games(), 100);
    assert_eq!((plan.header().seed, plan.header().openings.as_str()), (1, "random:1"));
    assert_eq!(plan.limits[0], Limits::nodes(1_000_000), "the default of all players");
}

#[test]
fn every_key_of_a_match_is_obeyed() {
    let text = r#"
        title = "all of it"
        [[experiment]]
        id = "E1"
        title = "keys"
        basis = "plays for seconds"
        format = "match"
        game = {name = "dice", seats = 3}
        players = ["greedy:least=2", {name = "coin"}]
        seed = 9
        games = 7
        openings = "random:2"
        budget = "nodes=50"
        paper-budget = "time=2s"
        record = "results"
        max-plies = 40
        seatings = "rotate"
        [experiment.stop]
        width = 0.25
    "#;
    let experiment = read(text);
    let part = &experiment.sections[0].parts[0];
    assert_eq!(experiment.title, "all of it");
    assert_eq!(experiment.sections[0].title, "keys");
    assert_eq!(experiment.sections[0].basis.as_deref(), Some("plays for seconds"));
    assert_eq!(part.name, "E1-001");
    let plan = plan(part);
    assert_eq!(plan.header().game.spec, "dice:seats=3");
    assert_eq!(plan.header().players[0].spec, "greedy:least=2,nodes=50");
    assert_eq!((plan.header().seed, plan.header().games), (9, 9), "three rounds of three");
    assert_eq!(plan.header().openings, "random:2");
    assert_eq!((plan.record, plan.max_plies), (Detail::Results, 40));
    assert_eq!((plan.header().seating, plan.width), (Seating::Rotate, Some(0.25)));
    // The record knows them as well, and only then.
    let json = serde_json::to_string(plan.header()).unwrap();
    assert!(json.contains(r#""width":0.25,"record":"results""#), "{json}");
    let again: spielbaum_lab::Header = serde_json::from_str(&json).unwrap();
    let (_, again) = Plan::of_header(&again, CATALOG).unwrap();
    assert_eq!((again.width, again.record), (Some(0.25), Detail::Results));

    let paper = RunOptions { paper_time: true, ..RunOptions::default() };
    let timed = parse_with(text, paper).unwrap();
    let part = &timed.sections[0].parts[0];
    assert_eq!(self::plan(part).header().players[1].spec, "coin:time=2s");
}

#[test]
fn a_header_without_the_new_keys_has_the_old_bytes() {
    let section = section("game='dice'\nformat='match'\nplayers=['greedy','coin']");
    let json = serde_json::to_string(plan(&section.parts[0]).header()).unwrap();
    assert!(!json.contains("width") && !json.contains("record"), "{json}");
}

#[test]
fn own_budgets_stay() {
    let section = section(
        r#"
        game = "dice"
        format = "round-robin"
        budget = "iterations=5"
        players = ["greedy", "greedy(least=2)", "greedy:nodes=9"]
    "#,
    );
    assert_eq!(players(&section)[0], ["greedy:iterations=5", "greedy:least=2,iterations=5"]);
    assert_eq!(players(&section)[1], ["greedy:iterations=5", "greedy:nodes=9"]);
}

#[test]
fn slots_of_a_match_are_swept_one_by_one() {
    let section = section(
        r#"
        game = "dice"
        format = "match"
        players = ["greedy:least=[1,2],work=[5,6]", ["coin", "greedy:least=[0,3]"]]
    "#,
    );
    assert_eq!(
        axes(&section),
        [
            ("a.least", vec!["1", "2"]),
            ("work", vec!["5", "6"]),
            ("b", vec!["coin", "greedy:least=[0,3]"]),
            ("b.least", vec!["0", "3"]),
        ]
    );
    assert_eq!(section.parts.len(), 2 * 2 * 3);
    let settings = settings(&section);
    assert_eq!(settings[0], ["1", "5", "coin", ""]);
    assert_eq!(settings[1], ["1", "5", "greedy:least=[0,3]", "0"]);
    assert_eq!(settings[11], ["2", "6", "greedy:least=[0,3]", "3"]);
    assert_eq!(players(&section)[11], ["greedy:least=2,work=6", "greedy:least=3"]);
    assert_eq!(section.parts[11].name, "main-012");
}

#[test]
fn a_gauntlet_is_each_against_each() {
    let section = section(
        r#"
        id = "G"
        game = ["dice", "dice:length=3"]
        format = "gauntlet"
        budget = ["nodes=10", {nodes = 20}]
        players = ["greedy:least=[1..3]", "coin"]
        opponents = "greedy"
    "#,
    );
    assert_eq!(
        axes(&section),
        [
            ("game", vec!["dice", "dice:length=3"]),
            ("budget", vec!["nodes=10", "nodes=20"]),
            ("player", vec!["greedy:least=[1,2,3]", "coin"]),
            ("least", vec!["1", "2", "3"]),
        ]
    );
    assert_eq!(section.parts.len(), 2 * 2 * 4);
    assert_eq!(settings(&section)[6], ["dice", "nodes=20", "greedy:least=[1,2,3]", "3"]);
    assert_eq!(players(&section)[6], ["greedy:least=3,nodes=20", "greedy:nodes=20"]);
    assert_eq!(settings(&section)[7], ["dice", "nodes=20", "coin", ""]);
    let seeds: Vec<u64> = section.parts.iter().map(|part| plan(part).header().seed).collect();
    assert!(seeds.iter().all(|&seed| seed == 1), "all parts meet the same chance");
}

#[test]
fn variables_are_linked() {
    let section = section(
        r#"
        game = "dice:length=$n"
        format = "match"
        openings = "random:$n"
        budget = "nodes=$n"
        players = ["greedy:work=$n,least=$l", "greedy:work=$n"]
        [vary]
        n = [3, "5..6"]
        l = 2
    "#,
    );
    assert_eq!(axes(&section), [("n", vec!["3", "5", "6"]), ("l", vec!["2"])]);
    let plan = plan(&section.parts[1]);
    assert_eq!(plan.header().game.spec, "dice:length=5");
    assert_eq!(plan.header().players[0].spec, "greedy:least=2,work=5,nodes=5");
    assert_eq!(plan.schedule.openings(), &Openings::Random(5));
}

#[test]
fn a_round_robin_is_every_pair_or_table() {
    let eight = r#"["greedy:work=[1..7]", "coin"]"#;
    let section =
        section(&format!("game = 'dice'\nformat = 'round-robin'\nplayers = {eight}\ngames = 2"));
    assert_eq!(section.parts.len(), 28);
    assert_eq!(section.axes.len(), 2);
    assert_eq!(section.axes[0].name, "player");
    assert_eq!(section.axes[1].name, "opponent");
    assert_eq!(settings(&section)[27], ["greedy:work=7", "coin"]);
    let five = self::section(
        "game = 'dice:seats=5'\nformat = 'round-robin'\nseatings = 'rotate'\n\
         players = ['greedy:work=[1..6]']",
    );
    assert_eq!(five.parts.len(), 6);
    assert_eq!(axes(&five).iter().map(|a| a.0).collect::<Vec<_>>(), ["a", "b", "c", "d", "e"]);
    assert_eq!(plan(&five.parts[5]).players.len(), 5);
}

#[test]
fn scores_are_one_match() {
    let section = section(
        r#"
        game = "dice:seats=1,length=$n"
        format = "scores"
        players = ["greedy:least=[0,1,2]", "coin"]
        vary = {n = [2, 4]}
    "#,
    );
    assert_eq!(section.parts.len(), 2);
    assert_eq!(plan(&section.parts[1]).players.len(), 4);
    assert_eq!(axes(&section).iter().map(|a| a.0).collect::<Vec<_>>(), ["n", "player", "least"]);
    assert_eq!(section.parts[1].setting, ["4", "", ""]);
    assert_eq!(section.parts[1].players[1], ["", "greedy:least=[0,1,2]", "1"]);
    assert_eq!(section.parts[1].players[3], ["", "coin", ""]);
    let at = |pairs: &[(&str, &str)]| -> Vec<(usize, usize)> {
        let pairs: Vec<_> = pairs.iter().map(|(a, v)| (a.to_string(), v.to_string())).collect();
        section.select(&pairs).iter().map(|pick| (pick.part, pick.player)).collect()
    };
    assert_eq!(at(&[("n", "4"), ("least", "2.0")]), [(1, 2)]);
    assert_eq!(at(&[("player", "coin")]), [(0, 3), (1, 3)]);
    assert_eq!(at(&[("nothing", "1")]), []);
}

#[test]
fn quick_replaces_keys() {
    let text = r#"
        games = 1000
        seed = 3
        game = "dice"
        format = "gauntlet"
        [vary]
        k = [1, 2, 3]
        [quick]
        seed = 4
        vary = {k = [2]}
        [[experiment]]
        id = "one"
        players = "greedy:work=$k"
        opponents = "coin"
        [[experiment]]
        id = "two"
        players = "greedy:work=$k"
        opponents = "coin"
        quick = {games = 10}
    "#;
    let whole = read(text);
    assert_eq!(whole.parts().count(), 6);
    let quick = parse_with(text, RunOptions::new(true, false)).unwrap();
    let parts: Vec<_> = quick.parts().map(|(_, part)| plan(part).header()).collect();
    assert_eq!(parts.len(), 2);
    assert_eq!((parts[0].games, parts[0].seed), (50, 4), "a twentieth");
    assert_eq!((parts[1].games, parts[1].seed), (10, 4));
    assert_eq!(parts[1].players[0].spec, "greedy:work=2");
}

#[test]
fn sections_inherit_and_stop_rules_are_read() {
    let experiment = read(
        r#"
        game = "dice"
        players = ["greedy", "coin"]
        format = "match"
        [stop]
        sprt = "elo1=20,alpha=0.01"
        [[experiment]]
        id = "A"
        [[experiment]]
        id = "B"
        stop = {width = 0.1}
    "#,
    );
    let plans: Vec<_> = experiment.parts().map(|(_, part)| plan(part)).collect();
    let sprt = plans[0].sprt.unwrap();
    assert_eq!((sprt.elo1, sprt.alpha, plans[0].width), (20.0, 0.01, None));
    assert_eq!((plans[1].sprt, plans[1].width), (None, Some(0.1)));
}
