//! Exams and papers in experiment files, and the files they name.

use crate::common::folder;
use crate::experiment::{CATALOG, parse};
use spielbaum_core::Limits;
use spielbaum_lab::paper::{Bound, Metric, Relation, Rule, Side, Term};
use spielbaum_lab::{
    Access, Exam, ExamHeader, Experiment, Part, Plan, RunDir, RunHeader, RunOptions, Source, Work,
};

fn exam(part: &Part) -> &Exam {
    match &part.work {
        Work::Exam(exam) => exam,
        Work::Match(_) => panic!("{} is a match", part.name),
    }
}

const DEPTHS: &str = r#"
    game = "dice"
    format = "depths"
    players = ["faulty:after=[1,2]"]
    budget = "nodes=5"
    depths = 3
    max-nodes = 1_000
    positions = ["position: 0 3 0,0", "2"]
    [[published]]
    at = {after = 1, depth = 2}
    metric = "nodes"
    value = 12
"#;

#[test]
fn depths_are_asked_one_after_another() {
    let experiment = parse(DEPTHS).unwrap();
    let section = &experiment.sections[0];
    assert_eq!(section.parts.len(), 2);
    let exam = exam(&section.parts[1]);
    assert_eq!(exam.header().player.spec, "faulty", "a depth is its budget");
    assert_eq!(exam.questions.len(), 6);
    assert_eq!(exam.questions[0].position.as_deref(), Some("0 3 0,0"));
    assert_eq!(exam.questions[5].position.as_deref(), Some("0 2 0,0"), "moves are played");
    assert_eq!(exam.limits_of(1), Limits::depth(2));
    assert_eq!((exam.max_nodes, exam.questions_per_unit, exam.units()), (Some(1000), 6, 1));
    assert_eq!((exam.unit(0), exam.unit(1)), (0..6, 6..6), "quick ones are one unit");
    assert_ne!(exam.seed_of(0), exam.seed_of(1));
    assert!(exam.is_deterministic());
    assert_eq!(section.select(&section.published[0].at).len(), 1);

    // The record is enough to ask again.
    let json = serde_json::to_string(exam.header()).unwrap();
    let header: ExamHeader = serde_json::from_str(&json).unwrap();
    let (_, again) = Exam::of_header(&header, CATALOG).unwrap();
    assert_eq!(again.header(), exam.header());
    assert_eq!((again.questions, again.limits), (exam.questions.clone(), exam.limits));
    let edited = ExamHeader { units: 7, ..header };
    assert!(Exam::of_header(&edited, CATALOG).is_err());
}

#[test]
fn positions_must_be_some_players_turn() {
    let told = |positions: &str| {
        let text =
            format!("game = 'dice:length=1'\nformat = 'depths'\nplayers = 'faulty'\n{positions}");
        parse(&text).unwrap_err().to_string()
    };
    assert!(told("").contains("no player is to move there"), "{}", told(""));
    assert!(told("positions = ['1 leave']").contains("chance is to act"));
    assert!(told("positions = ['1 leave 1 leave']").contains("over"));
    assert!(told("positions = ['5']").contains("test.toml:4:15: position `5`: move 1"));
    assert!(told("positions = []").contains("empty list"));
}

const VALUES: &str = r#"{"position": "0 1 0,0", "moves": {"take": "L3", "leave": "D"}}
{"fen": "0 2 0,0", "moves": {"take": "W11", "leave": 0}, "note": "for people"}

{"position": "0 3 0,0", "moves": {"take": 1.5, "leave": -2}}
{"position": "0 4 0,0", "moves": {"take": "W1"}}
"#;

fn accuracy(values: &str, more: &str) -> Result<Experiment, String> {
    let text = format!(
        "game = 'dice'\nformat = 'accuracy'\nplayers = ['greedy', 'coin']\n\
         budget = ['nodes=5', 'nodes=10']\nvalues = 'known/values.jsonl'\n{more}"
    );
    let mut source = Source::new("test.toml", text);
    source.files.insert("values.jsonl".to_string(), values.to_string());
    Experiment::parse(source, RunOptions::default(), CATALOG).map_err(|m| m.to_string())
}

#[test]
fn known_values_are_read() {
    let experiment = accuracy(VALUES, "").unwrap();
    let section = &experiment.sections[0];
    assert_eq!(section.parts.len(), 4);
    assert_eq!(section.parts[3].setting, ["nodes=10", "coin"]);
    let questions = &exam(&section.parts[0]).questions;
    assert_eq!(questions.len(), 3);
    assert_eq!(questions[0].keeps("leave"), Some(true));
    assert_eq!(questions[0].keeps("take"), Some(false));
    assert_eq!(questions[1].keeps("take"), Some(true));
    assert_eq!(questions[2].keeps("leave"), Some(false));
    assert_eq!(exam(&section.parts[0]).limits, Limits::nodes(5));
    let few = accuracy(VALUES, "questions = 2").unwrap();
    let few = &exam(&few.sections[0].parts[0]).questions;
    let positions: Vec<_> = few.iter().flat_map(|q| &q.position).collect();
    assert_eq!(positions, ["0 1 0,0", "0 2 0,0"], "spread over the file");
}

#[test]
fn positions_where_every_move_is_as_good_are_left_out() {
    let told = |experiment: &Experiment| {
        let header = exam(&experiment.sections[0].parts[0]).header();
        (header.questions.len(), header.left_out)
    };
    assert_eq!(told(&accuracy(VALUES, "").unwrap()), (3, 1));
    assert_eq!(told(&accuracy(VALUES, "every-position = true").unwrap()), (4, 0));
    assert!(accuracy(VALUES, "every-position = 1").unwrap_err().contains("true or false"));
    let last = VALUES.lines().last().unwrap();
    assert!(accuracy(last, "").unwrap_err().contains("nothing can be answered wrongly"));
    // The header of such an exam is read back.
    let experiment = accuracy(VALUES, "").unwrap();
    let header = exam(&experiment.sections[0].parts[0]).header();
    let text = serde_json::to_string(header).unwrap();
    assert!(text.contains("\"left_out\":1"), "{text}");
    let (_, again) = Exam::of_header(&serde_json::from_str(&text).unwrap(), CATALOG).unwrap();
    assert_eq!(again.header(), header);
}

/// A run of the first versions, whose header has no word about it.
#[test]
fn old_records_keep_their_questions() {
    let old: RunOptions = serde_json::from_str(r#"{"quick":false,"paper_time":false}"#).unwrap();
    let mut source = accuracy(VALUES, "").unwrap().source;
    let experiment = Experiment::parse(source.clone(), old, CATALOG).unwrap();
    let part = exam(&experiment.sections[0].parts[0]);
    assert_eq!((part.questions.len(), part.header().left_out), (4, 0));
    let text = serde_json::to_string(part.header()).unwrap();
    assert!(!text.contains("left_out"), "the old bytes: {text}");
    // New runs say it.
    source.text += "seed = 2\n";
    let new = Experiment::parse(source, RunOptions::new(false, false), CATALOG).unwrap();
    let dir = folder("exam-options");
    drop(RunDir::create(&dir, &new, Access::Alone).unwrap());
    let header = RunHeader::read(&dir).unwrap();
    assert!(!header.options.every_position);
}

#[test]
fn mistakes_in_values_are_told_with_their_line() {
    let told = |values: &str| accuracy(values, "").unwrap_err();
    let first = r#"{"position": "0 1 0,0", "moves": {"take": "L3", "leave": "D"}}"#;
    for (line, part) in [
        ("{", "line 2: EOF"),
        (r#"{"moves": {}}"#, "line 2: no `position`"),
        (r#"{"fen": "0 1 0,0"}"#, "line 2: no `moves`"),
        (r#"{"fen": "0 1 0,0", "moves": {}}"#, "line 2: no move is there"),
        (r#"{"fen": "0 1 0,0", "moves": {"take": "X"}}"#, "move `take`: a value is"),
        (r#"{"fen": "0 1 0,0", "moves": {"take": "W"}}"#, "legal move `leave` has no value"),
        (r#"{"fen": "0 4 0,0", "moves": {"take": 1, "go": 2}}"#, "`go` is not a legal move"),
        (r#"{"fen": "zero", "moves": {"take": 1}}"#, "not a position"),
    ] {
        let told = told(&format!("{first}\n{line}"));
        assert!(told.contains("test.toml:5:10: values `values.jsonl`, line 2: "), "{told}");
        assert!(told.contains(part), "{told}");
    }
    assert!(told("\n\n").contains("no positions"));
}

#[test]
fn a_run_keeps_the_experiment_and_its_files() {
    let dir = folder("experiment-files");
    std::fs::create_dir_all(dir.join("books")).unwrap();
    std::fs::write(dir.join("books/book.txt"), "1 take # one\n2 leave\n").unwrap();
    let text = "game = 'dice'\nformat = 'match'\nplayers = ['greedy', 'coin']\nopenings = '$o'\n\
                vary = {o = ['none', 'books/book.txt', 'random:3']}\n";
    std::fs::write(dir.join("e.toml"), text).unwrap();
    let options = RunOptions::default();
    let first = Experiment::load(&dir.join("e.toml"), options, CATALOG).unwrap().unwrap();
    assert_eq!(first.source.files.len(), 1);
    drop(RunDir::create(&dir.join("run"), &first, Access::Alone).unwrap());
    let stored = std::fs::read_to_string(dir.join("run/experiment.toml")).unwrap();
    assert_eq!(stored, text, "verbatim");
    let again = Experiment::open(&dir.join("run"), options, CATALOG).unwrap().unwrap();
    assert_eq!(again.source.files, first.source.files);
    let headers = |experiment: &Experiment| -> Vec<_> {
        let header = |part: &Part| match &part.work {
            Work::Match(plan) => Plan::header(plan).clone(),
            Work::Exam(_) => panic!("a match"),
        };
        experiment.parts().map(|(_, part)| header(part)).collect()
    };
    assert_eq!(headers(&again), headers(&first));
    assert_eq!(headers(&first)[1].lines, ["1 take", "2 leave"]);
    assert_eq!(headers(&first)[1].openings, "book.txt");

    let missing = parse(&text.replace("books/book.txt", "b/book2.txt")).unwrap_err();
    assert!(missing.to_string().contains("test.toml:5:23: file `b/book2.txt`"), "{missing}");
    assert!(Experiment::load(&dir.join("no.toml"), options, CATALOG).is_err());
}

#[test]
fn papers_are_data() {
    let experiment = parse(
        r#"
        game = "dice"
        openings = "none"
        format = "gauntlet"
        opponents = "coin"
        [paper]
        id = "P"
        title = "T"
        author = "A"
        year = 2024
        anchor = "L4/2"
        [[experiment]]
        id = "L4"
        players = "greedy:work=[1,2,3]"
        [[experiment.published]]
        at = {work = "1"}
        metric = "score"
        value = 0.755
        interval = [0.72, 0.78]
        games = 1000
        source = "figure 3.2"
        note = "n"
        [[experiment.published]]
        at = {work = 2}
        metric = "wins"
        of = "b"
        relation = "<"
        value = 1
        [[claim]]
        id = "C"
        text = "Less is more."
        source = "page 3"
        rule = {all = [
            {above = 0.5, of = "L4[work=1].score"},
            {not = {below = 0.5, of = 'L4[work="2"].score'}},
            {any = [{greater = ["L4[work=1].score", "L4[work=2].score"]}]},
            {best = "L4.score", at = {work = 3}},
            {below = 0.1, pooled = ["L4[work=1].losses", "L4[work=2].losses"]},
        ]}
    "#,
    )
    .unwrap();
    let rows = &experiment.sections[0].published;
    assert_eq!(rows[0].at, [("work".to_string(), "1".to_string())]);
    assert_eq!((rows[0].metric, rows[0].of, rows[0].value), (Metric::Score, Side::A, 0.755));
    assert_eq!((rows[0].interval, rows[0].games), (Some([0.72, 0.78]), Some(1000)));
    assert_eq!((rows[1].of, rows[1].relation), (Side::B, Relation::Less));
    let paper = experiment.paper.unwrap();
    assert_eq!((paper.id.as_str(), paper.year), ("P", Some(2024)));
    let anchor = paper.anchor.unwrap();
    assert_eq!((anchor.section.as_str(), anchor.row), ("L4", 1));
    let term = |at: &[(&str, &str)]| Term {
        section: "L4".to_string(),
        at: at.iter().map(|(a, v)| (a.to_string(), v.to_string())).collect(),
        metric: Metric::Score,
    };
    let (one, two) = (term(&[("work", "1")]), term(&[("work", "2")]));
    let lost = [&one, &two].map(|term| Term { metric: Metric::Losses, ..term.clone() });
    let third = vec![("work".to_string(), "3".to_string())];
    assert_eq!(
        paper.claims[0].rule,
        Rule::All(vec![
            Rule::Beyond(one.clone(), Bound::Above, 0.5),
            Rule::Not(Box::new(Rule::Beyond(two.clone(), Bound::Below, 0.5))),
            Rule::Any(vec![Rule::Greater(one, two, 1.0)]),
            Rule::Best(term(&[]), third),
            Rule::Pooled(lost.to_vec(), Bound::Below, 0.1),
        ])
    );
}
