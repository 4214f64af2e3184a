//! Records that are damaged, foreign or in use.

use crate::common::{GAME, bytes, folder, request};
use spielbaum_core::Stop;
use spielbaum_lab::{Ending, LabError, Match, Openings, Plan, Results, Store, replay, run};
use std::fs;
use std::path::{Path, PathBuf};

fn recorded(name: &str) -> (PathBuf, Match) {
    let request = request("dice", &["greedy", "coin"], 8);
    let dir = folder(name);
    let plan = Plan::new(GAME, request.clone()).unwrap();
    let store = Store::create(&dir, &plan).unwrap();
    run(GAME, &plan, Some(&store), 1, &Stop::new(), &mut |_| {}).unwrap();
    (dir, request)
}

fn resume(dir: &Path, request: Match) -> Result<(), LabError> {
    let plan = Plan::new(GAME, request)?;
    let store = Store::create(dir, &plan)?;
    run(GAME, &plan, Some(&store), 1, &Stop::new(), &mut |_| {}).map(drop)
}

#[test]
fn a_truncated_or_edited_unit_is_named_and_can_be_deleted() {
    let (dir, request) = recorded("damaged");
    let path = dir.join("units/000002.jsonl");
    let good = fs::read_to_string(&path).unwrap();
    let second = good.find('\n').unwrap() + 1;
    let cases = [
        (String::new(), "truncated"),
        (good[..good.len() / 2].to_string(), "truncated"),
        (good[..second].to_string(), "truncated"),
        (good.trim_end().to_string(), "truncated"),
        (good.replacen("\"over\"", "\"limit\"", 1), "checksum"),
        (good[second..].to_string(), "checksum"),
        ("not a record\n".to_string(), "truncated"),
        (fs::read_to_string(dir.join("units/000001.jsonl")).unwrap(), "it is unit 1"),
    ];
    for (text, problem) in cases {
        fs::write(&path, text).unwrap();
        for error in [
            resume(&dir, request.clone()).unwrap_err(),
            replay(&dir, &[GAME], false, &mut |_, _| {}).unwrap_err(),
        ] {
            let message = error.to_string();
            assert!(message.contains("000002.jsonl"), "{message}");
            assert!(message.contains(problem), "{message}");
            assert!(message.contains("delete it"), "{message}");
        }
    }
    fs::remove_file(&path).unwrap();
    resume(&dir, request).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), good);
}

#[test]
fn another_match_is_not_overwritten() {
    let (dir, request) = recorded("other");
    let before = bytes(&dir);
    let others = [
        (Match { seed: 8, ..request.clone() }, "`seed` (7 there, 8 asked)"),
        (Match { games: 10, ..request.clone() }, "`games` (8 there, 10 asked)"),
        (
            Match { players: request.players.iter().rev().cloned().collect(), ..request },
            "`players` (greedy coin there, coin greedy asked)",
        ),
    ];
    for (other, text) in others {
        let error = resume(&dir, other).unwrap_err();
        assert!(matches!(error, LabError::Differs { .. }));
        assert!(error.to_string().contains(text), "{error}");
    }
    assert_eq!(bytes(&dir), before);
}

#[test]
fn headers_of_other_kinds_are_refused() {
    let (dir, request) = recorded("header");
    let path = dir.join("match.json");
    let good = fs::read_to_string(&path).unwrap();
    let newer = good.replacen("\"format\": 1", "\"format\": 2", 1);
    let cases = [
        (newer, "newer than this program's 1"),
        ("{}".to_string(), "no `format`"),
        (good[..40].to_string(), "no match header"),
        (good.replacen("\"seed\"", "\"sead\"", 1), "unknown field `sead`"),
        ("\u{0}\u{1}".to_string(), "no match header"),
    ];
    for (text, problem) in cases {
        fs::write(&path, text).unwrap();
        let message = resume(&dir, request.clone()).unwrap_err().to_string();
        assert!(message.contains(problem), "{message}");
    }
    // Consistent as JSON, but not as a match.
    for (from, to) in [
        ("\"units\": 4", "\"units\": 5"),
        ("\"games\": 8", "\"games\": 7"),
        ("\"openings\": \"random:1\"", "\"openings\": \"match.json\""),
        ("\"nodes\": 1000000\n    },", "\"nodes\": 1000000\n    }, {},"),
        ("\"max_plies\": 100000", "\"max_plies\": 0"),
        ("dice:seats=2", "dice:seats=9"),
    ] {
        let edited = good.replacen(from, to, 1);
        assert_ne!(edited, good, "{from}");
        fs::write(&path, edited).unwrap();
        assert!(replay(&dir, &[GAME], false, &mut |_, _| {}).is_err(), "{to}");
    }
    let nowhere = replay(&dir.join("none"), &[GAME], false, &mut |_, _| {}).unwrap_err();
    assert!(nowhere.to_string().ends_with("none: no such directory"), "{nowhere}");
}

#[test]
fn a_directory_in_use_is_left_alone() {
    let (dir, request) = recorded("busy");
    let plan = Plan::new(GAME, request.clone()).unwrap();
    let held = Store::create(&dir, &plan).unwrap();
    let error = resume(&dir, request.clone()).unwrap_err();
    let pid = std::process::id().to_string();
    assert!(matches!(&error, LabError::Busy { pid: p, .. } if p.starts_with(&pid)), "{error}");
    drop(held);
    resume(&dir, request).unwrap();
}

/// Rewrites a unit with a checksum that is right, as a forger would.
fn forge(dir: &Path, from: &str, to: &str) {
    let path = dir.join("units/000000.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let cut = text.trim_end().rfind('\n').unwrap() + 1;
    let games = text[..cut].replacen(from, to, 1);
    assert_ne!(games, text[..cut], "{from} is in no game");
    let hash = games
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    let seal = format!("{{\"unit\":0,\"games\":2,\"checksum\":\"{hash:016x}\"}}\n");
    fs::write(&path, games + &seal).unwrap();
}

#[test]
fn a_replay_finds_what_the_rules_do_not_say() {
    let (dir, _) = recorded("forged");
    let path = dir.join("units/000000.jsonl");
    let good = fs::read_to_string(&path).unwrap();
    let fine = replay(&dir, &[GAME], true, &mut |_, _| {}).unwrap();
    assert_eq!((fine.games, fine.rerun, fine.summary_agrees), (8, 8, Some(true)));
    let first: serde_json::Value = serde_json::from_str(good.lines().next().unwrap()).unwrap();
    let payoffs = format!("\"payoffs\":{}", first["payoffs"]);
    let moves = first["moves"].as_str().unwrap();
    let cases = [
        ("\"plies\":12", "\"plies\":13".to_string(), "the length is 12, recorded is 13"),
        (payoffs.as_str(), "\"payoffs\":[0.25,0.75]".to_string(), "the result is"),
        ("\"end\":\"over\"", "\"end\":\"limit\"".to_string(), "the end is Over"),
        (moves, format!("{moves} take"), "after the end of the game"),
        (moves, moves.replacen("4 take", "4 leave", 1), "not a legal move"),
        (moves, moves.rsplit_once(' ').unwrap().0.to_string(), "the end is Limit"),
        (moves, moves.replacen("2 take", "3 take", 9), "chance does not give 3"),
        ("\"opening\":2", "\"opening\":0".to_string(), "another opening"),
        ("\"seats\":[0,1]", "\"seats\":[1,0]".to_string(), "is not game 0 of this match"),
        ("\"opening\"", "\"opining\"".to_string(), "unknown field `opining`"),
    ];
    for (from, to, problem) in cases {
        forge(&dir, from, &to);
        let error = replay(&dir, &[GAME], false, &mut |_, _| {}).unwrap_err();
        assert!(error.to_string().contains(problem), "{to}: {error}");
        fs::write(&path, &good).unwrap();
    }
    // Only the players know that this is not what they spent.
    forge(&dir, "\"nodes\":60", "\"nodes\":61");
    assert!(replay(&dir, &[GAME], false, &mut |_, _| {}).is_ok());
    let error = replay(&dir, &[GAME], true, &mut |_, _| {}).unwrap_err();
    assert!(error.to_string().contains("played again it is"), "{error}");
}

/// Summaries did not always tell the plays of a game.
#[test]
fn a_summary_of_an_earlier_version_agrees() {
    let (dir, _) = recorded("earlier");
    let path = dir.join("summary.json");
    let mut summary: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let agrees = |summary: &serde_json::Value| {
        fs::write(&path, serde_json::to_string_pretty(summary).unwrap()).unwrap();
        replay(&dir, &[GAME], false, &mut |_, _| {}).unwrap().summary_agrees
    };
    let players = summary["players"].as_array_mut().unwrap();
    let told = players.iter_mut().map(|p| p.as_object_mut().unwrap().remove("game_nodes"));
    assert!(told.flatten().count() > 0, "some player searches");
    assert_eq!(agrees(&summary), Some(true));
    summary["players"][0]["moves"] = 0.into();
    assert_eq!(agrees(&summary), Some(false));
}

#[test]
fn games_with_wall_time_cannot_be_played_again() {
    let dir = folder("walltime");
    let request = request("dice", &["greedy:time=1s", "coin"], 2);
    resume(&dir, request).unwrap();
    assert!(replay(&dir, &[GAME], false, &mut |_, _| {}).is_ok());
    let error = replay(&dir, &[GAME], true, &mut |_, _| {}).unwrap_err();
    assert!(error.to_string().contains("wall time"), "{error}");
}

#[test]
fn a_directory_of_somebody_else_is_left_alone() {
    let dir = folder("foreign");
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join("thesis.tmp"), "precious").unwrap();
    let plan = Plan::new(GAME, request("dice", &["coin", "greedy"], 2)).unwrap();
    let error = Store::create(&dir, &plan).err().unwrap().to_string();
    assert!(error.contains("holds other files"), "{error}");
    assert_eq!(fs::read_to_string(dir.join("thesis.tmp")).unwrap(), "precious");
    assert_eq!(fs::read_dir(&dir).unwrap().count(), 1);
}

#[test]
fn a_list_of_openings_may_be_called_none() {
    let mut request = request("dice", &["coin", "greedy"], 4);
    request.openings = Some(Openings::list("none", "1 take").unwrap());
    let dir = folder("none");
    resume(&dir, request).unwrap();
    replay(&dir, &[GAME], false, &mut |_, _| {}).unwrap();
}

#[test]
fn statistics_are_not_believed_without_their_units() {
    let (dir, request) = recorded("unsealed");
    let look = || {
        let results = Results::glance(&dir, &[GAME]).unwrap();
        let part = &results.parts[0];
        (part.complete, part.outcome.items(), part.problem.clone().unwrap_or_default())
    };
    assert_eq!(look(), (true, 8, String::new()));
    let units: Vec<PathBuf> = (0..4).map(|i| dir.join(format!("units/{i:06}.jsonl"))).collect();
    let good: Vec<String> = units.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    for damaged in [1, 3] {
        fs::write(&units[damaged], good[damaged].replacen("\"over\"", "\"limit\"", 1)).unwrap();
        let (complete, games, problem) = look();
        assert_eq!((complete, games), (false, 2 * damaged as u64));
        assert!(problem.contains(&format!("units/{damaged:06}.jsonl")), "{problem}");
        assert!(problem.contains("its checksum is wrong"), "{problem}");
        fs::remove_file(&units[damaged]).unwrap();
        let (complete, games, problem) = look();
        assert_eq!((complete, games), (false, 2 * damaged as u64));
        assert!(problem.contains(&format!("units/{damaged:06}.jsonl")), "{problem}");
        assert!(problem.contains("it is missing"), "{problem}");
        resume(&dir, request.clone()).unwrap();
        assert_eq!(look(), (true, 8, String::new()));
        assert_eq!(fs::read_to_string(&units[damaged]).unwrap(), good[damaged]);
    }
}

/// A match that its interval ended has fewer units than its plan: the last one is missed too.
#[test]
fn the_last_unit_of_a_decided_match_is_missed() {
    let dir = folder("unsealed-narrow");
    let request = Match { width: Some(0.3), ..request("dice", &["greedy", "coin"], 400) };
    let plan = Plan::new(GAME, request.clone()).unwrap();
    let store = Store::create(&dir, &plan).unwrap();
    run(GAME, &plan, Some(&store), 1, &Stop::new(), &mut |_| {}).unwrap();
    drop(store);
    let look = || Results::glance(&dir, &[GAME]).unwrap().parts.remove(0);
    let (ending, units) = (look().ending, look().done);
    assert_eq!(ending, Some(Ending::Narrow));
    fs::remove_file(dir.join(format!("units/{:06}.jsonl", units - 1))).unwrap();
    assert!(!look().complete);
    assert!(look().problem.unwrap().contains("it is missing"));
    resume(&dir, request).unwrap();
    assert_eq!((look().ending, look().done, look().problem), (ending, units, None));
}
