//! Matches: the same bytes whatever the threads, interruptions and restarts.

use crate::common::{GAME, bytes, folder, player, request};
use spielbaum_core::{Limits, Stop};
use spielbaum_lab::stats::{Decision, Model, Sprt};
use spielbaum_lab::{
    End, Ending, Finished, LabError, Match, MeanText, Openings, Plan, Seating, Store, replay, run,
};
use std::path::Path;

/// One, two, three and five seats.
const TABLES: [(&str, &[&str], u64); 4] = [
    ("dice:seats=1", &["greedy", "coin"], 40),
    ("dice", &["greedy", "coin"], 300),
    ("dice:seats=3", &["greedy", "coin"], 30),
    ("dice:seats=5,length=3", &["greedy", "coin", "greedy:least=2", "coin", "faulty"], 240),
];

fn play(request: &Match, dir: &Path, jobs: usize) -> Finished {
    let plan = Plan::new(GAME, request.clone()).unwrap();
    let store = Store::create(dir, &plan).unwrap();
    run(GAME, &plan, Some(&store), jobs, &Stop::new(), &mut |_| {}).unwrap()
}

#[test]
fn threads_do_not_change_a_byte() {
    for (i, (game, players, games)) in TABLES.into_iter().enumerate() {
        let request = request(game, players, games);
        let dirs = [1, 4].map(|jobs| folder(&format!("threads-{i}-{jobs}")));
        let results = [play(&request, &dirs[0], 1), play(&request, &dirs[1], 4)];
        assert_eq!(results[0].ending, Ending::Complete);
        assert_eq!(results[0].summary, results[1].summary);
        assert!(results[0].summary.games >= games);
        assert_eq!(bytes(&dirs[0]), bytes(&dirs[1]), "{game}");
        // Without a directory the statistics are the same.
        let plan = Plan::new(GAME, request).unwrap();
        let memory = run(GAME, &plan, None, 2, &Stop::new(), &mut |_| {}).unwrap();
        assert_eq!(memory.summary, results[0].summary);
    }
}

#[test]
fn interrupted_and_resumed_is_the_same_as_unbroken() {
    // Slow enough, with few enough threads, that a stop comes in the middle.
    let tables: [(&str, &[&str], u64, usize); 4] = [
        ("dice:seats=1", &["greedy:pause=1", "coin"], 24, 2),
        ("dice", &["greedy:pause=1", "coin"], 40, 2),
        ("dice:seats=3,length=2", &["greedy:pause=1", "coin"], 30, 1),
        ("dice:seats=5,length=1", &["greedy:pause=1", "coin", "coin", "coin", "faulty"], 360, 1),
    ];
    for (i, (game, players, games, jobs)) in tables.into_iter().enumerate() {
        let request = request(game, players, games);
        let (whole, broken) = (folder(&format!("whole-{i}")), folder(&format!("broken-{i}")));
        let unbroken = play(&request, &whole, 2);
        let plan = Plan::new(GAME, request.clone()).unwrap();
        let mut pieces = 0;
        loop {
            let store = Store::create(&broken, &plan).unwrap();
            let stop = Stop::new();
            let finished = run(GAME, &plan, Some(&store), jobs, &stop, &mut |p| {
                if p.played >= p.recorded + games / 5 {
                    stop.set();
                }
            })
            .unwrap();
            drop(store);
            pieces += 1;
            if finished.ending == Ending::Complete {
                assert_eq!(finished.summary, unbroken.summary);
                break;
            }
            assert_eq!(finished.ending, Ending::Interrupted);
            assert!(!broken.join("summary.json").exists());
            // What a killed process was writing disappears.
            std::fs::write(broken.join("units/000999.jsonl.host-1.tmp"), "half a li").unwrap();
        }
        assert!(pieces > 1, "{game} was never interrupted");
        assert_eq!(bytes(&whole), bytes(&broken), "{game}");
    }
}

#[test]
fn a_lost_unit_is_played_again() {
    let request = request("dice", &["greedy", "coin"], 20);
    let dir = folder("lost");
    play(&request, &dir, 2);
    let before = bytes(&dir);
    std::fs::remove_file(dir.join("units/000003.jsonl")).unwrap();
    std::fs::remove_file(dir.join("units/000009.jsonl")).unwrap();
    let mut seen = Vec::new();
    let plan = Plan::new(GAME, request).unwrap();
    let store = Store::create(&dir, &plan).unwrap();
    let report = run(GAME, &plan, Some(&store), 3, &Stop::new(), &mut |p| {
        seen.extend(p.parts.iter().map(|part| part.counted));
    });
    assert_eq!(report.unwrap().ending, Ending::Complete);
    assert!(seen.is_sorted(), "the prefix only grows");
    assert_eq!(bytes(&dir), before);
}

#[test]
fn units_appear_in_order() {
    let request = request("dice:length=20", &["greedy:work=20000", "coin"], 120);
    let dir = folder("order");
    let plan = Plan::new(GAME, request).unwrap();
    let store = Store::create(&dir, &plan).unwrap();
    run(GAME, &plan, Some(&store), 4, &Stop::new(), &mut |p| {
        let done = p.parts.first().map_or(120, |part| part.counted) / 2;
        let there = (0..plan.schedule.units()).filter(|&u| store.has(u)).count() as u64;
        assert!(there == done, "{there} units are there, {done} are counted");
        assert!((0..there).all(|u| store.has(u)));
    })
    .unwrap();
}

#[test]
fn a_sequential_test_stops_at_the_same_game_on_any_number_of_threads() {
    let sprt = Sprt::new(0.0, 50.0, 0.05, 0.05, Model::Normalised).unwrap();
    let request = Match { sprt: Some(sprt), ..request("dice", &["greedy", "coin"], 5000) };
    let dirs = [1, 4].map(|jobs| folder(&format!("sprt-{jobs}")));
    let results = [play(&request, &dirs[0], 1), play(&request, &dirs[1], 4)];
    assert_eq!(results[0].ending, Ending::Decided(Decision::H1));
    assert!(results[0].summary.games < 5000);
    assert_eq!(results[0].summary, results[1].summary);
    assert_eq!(bytes(&dirs[0]), bytes(&dirs[1]));
    // Running it again changes nothing and plays nothing.
    let before = bytes(&dirs[0]);
    let again = play(&request, &dirs[0], 3);
    assert_eq!(again.summary, results[0].summary);
    assert_eq!(again.times.games, 0.0);
    assert_eq!(bytes(&dirs[0]), before);
}

#[test]
fn forfeits_are_results() {
    for (faulty, reason) in [
        ("faulty:after=1", "failed: the pipe is broken"),
        ("faulty:after=1,illegal=true", "played an illegal move: "),
    ] {
        let dir = folder("forfeit");
        let request = request("dice", &["greedy", faulty], 10);
        let finished = play(&request, &dir, 2);
        assert_eq!((finished.summary.wins, finished.summary.losses), (10, 0));
        assert_eq!(finished.summary.players[1].forfeits, 10);
        let plan = Plan::new(GAME, request).unwrap();
        let records = Store::open(&dir, &plan).read(0).unwrap().unwrap();
        for record in &records {
            let seat = record.seats.iter().position(|&p| p == 1).unwrap();
            let forfeit = record.forfeit.as_ref().unwrap();
            assert_eq!((record.end, forfeit.seat), (End::Forfeit, seat));
            assert!(forfeit.reason.starts_with(reason), "{}", forfeit.reason);
            assert_eq!(record.payoffs[seat], 0.0);
        }
        assert_eq!(replay(&dir, &[GAME], true, &mut |_, _| {}).unwrap().rerun, 10);
    }
    // At a table of three the others share; alone, one keeps the points so far.
    let shares = play(&request("dice:seats=3", &["greedy", "faulty:after=0"], 6), &folder("f3"), 1);
    assert!(shares.summary.wins == 6);
    let dir = folder("f1");
    let alone = request("dice:seats=1", &["faulty:after=3"], 4);
    play(&alone, &dir, 1);
    let records = Store::open(&dir, &Plan::new(GAME, alone).unwrap()).read(0).unwrap().unwrap();
    let points = records[0].scores.as_ref().unwrap()[0];
    assert_eq!(records[0].payoffs[0], points as f32);
}

#[test]
fn a_player_that_panics_forfeits_and_the_match_goes_on() {
    for faulty in ["faulty:after=2,panics=true", "faulty:place=observe", "faulty:place=restart"] {
        let dir = folder(&format!("panics-{}", faulty.len()));
        let request = request("dice", &["coin", faulty], 10);
        play(&request, &dir, 2);
        let store = Store::open(&dir, &Plan::new(GAME, request).unwrap());
        for unit in 0..5 {
            for record in store.read(unit).unwrap().unwrap() {
                let forfeit = record.forfeit.unwrap();
                assert_eq!(record.seats[forfeit.seat], 1);
                assert!(forfeit.reason.starts_with("failed: panicked: "), "{}", forfeit.reason);
            }
        }
    }
}

#[test]
fn a_clock_that_runs_out_forfeits_and_a_slow_move_does_not() {
    let run_one = |slow: &str| {
        let dir = folder(&format!("clock-{}", slow.replace([':', ',', '='], "-")));
        let request = request("dice", &[slow, "coin"], 2);
        play(&request, &dir, 1);
        Store::open(&dir, &Plan::new(GAME, request).unwrap()).read(0).unwrap().unwrap()
    };
    let late = run_one("greedy:pause=30,clock=10ms+0s");
    assert!(late.iter().all(|r| r.end == End::Forfeit));
    assert!(late[0].forfeit.as_ref().unwrap().reason.starts_with("overstepped the time"));
    assert!(run_one("greedy:pause=5,time=1ms").iter().all(|r| r.end == End::Over));
    // The increment keeps the clock alive.
    assert!(run_one("greedy:pause=3,clock=400ms+20ms").iter().all(|r| r.end == End::Over));
}

#[test]
fn the_move_limit_settles_a_game_as_it_stands() {
    let dir = folder("limit");
    let request = Match { max_plies: 5, ..request("dice", &["greedy", "coin"], 4) };
    let finished = play(&request, &dir, 1);
    assert_eq!((finished.summary.limits, finished.summary.plies_range), (4, Some([5, 5])));
    replay(&dir, &[GAME], true, &mut |_, _| {}).unwrap();
}

#[test]
fn all_games_of_a_round_begin_alike_and_meet_the_same_chance() {
    let dir = folder("alike");
    let request =
        Match { openings: Some(Openings::Random(3)), ..request("dice", &["greedy", "coin"], 20) };
    play(&request, &dir, 1);
    let store = Store::open(&dir, &Plan::new(GAME, request).unwrap());
    let mut openings = Vec::new();
    for unit in 0..10 {
        let pair = store.read(unit).unwrap().unwrap();
        let words: Vec<Vec<&str>> = pair.iter().map(|r| r.moves.split(' ').collect()).collect();
        assert_eq!(pair[0].seats, [0, 1]);
        assert_eq!(pair[1].seats, [1, 0]);
        assert_eq!(words[0][..pair[0].opening], words[1][..pair[1].opening]);
        let shown = |words: &Vec<&str>| -> Vec<String> {
            let digit = |w: &&&str| w.parse::<u8>().is_ok();
            words.iter().filter(digit).map(|w| w.to_string()).collect()
        };
        assert_eq!(shown(&words[0]), shown(&words[1]));
        openings.push(words[0][..pair[0].opening].join(" "));
    }
    openings.sort();
    openings.dedup();
    assert!(openings.len() > 5, "openings differ between rounds");
}

#[test]
fn prepared_openings_are_gone_through_in_order() {
    let text = "# two openings\n3 take 2 leave\n\nposition: 4 0 9,-3   # a position\n";
    let openings = Openings::list("book", text).unwrap();
    let request = Match { openings: Some(openings), ..request("dice", &["greedy", "coin"], 6) };
    let dir = folder("book");
    play(&request, &dir, 1);
    let store = Store::open(&dir, &Plan::new(GAME, request).unwrap());
    let first = store.read(0).unwrap().unwrap();
    assert!(first.iter().all(|r| r.moves.starts_with("3 take 2 leave ") && r.opening == 4));
    let second = store.read(1).unwrap().unwrap();
    assert!(second.iter().all(|r| r.position.as_deref() == Some("4 0 9,-3") && r.opening == 0));
    assert_eq!(store.read(2).unwrap().unwrap()[0].moves[..14], first[0].moves[..14]);
    assert_eq!(replay(&dir, &[GAME], true, &mut |_, _| {}).unwrap().games, 6);
}

#[test]
fn requests_that_make_no_sense_are_refused() {
    let refused = |request: Match| match Plan::new(GAME, request) {
        Err(LabError::Request(text)) => text,
        other => panic!("{other:?}"),
    };
    assert!(refused(request("dice", &["coin"], 2)).contains("needs two players, not 1"));
    assert!(refused(request("dice:seats=3", &["coin"; 4], 2)).contains("two to 3 players, not 4"));
    assert!(refused(request("dice", &["coin"; 2], 0)).contains("0 games"));
    let book = |text| Match {
        openings: Some(Openings::list("book", text).unwrap()),
        ..request("dice", &["coin"; 2], 2)
    };
    let error = refused(book("1 take\n# fine\n4 leave\n"));
    assert!(
        error.starts_with("openings `book`, line 3: move 2: `leave` is not a legal"),
        "{error}"
    );
    let error = refused(book("position: 12 0 1,1"));
    assert!(error.contains("the game is over after the opening"), "{error}");
    for text in ["random:0", "random:x", "no/such/file"] {
        assert!(matches!(Openings::read(text), Err(LabError::Request(_))), "{text}");
    }
    assert!(matches!(Openings::list("empty", "# nothing\n"), Err(LabError::Request(_))));
}

/// A score of ½ means equal strength only if the players change places.
#[test]
fn elo_is_given_where_it_means_something() {
    let summary = |game: &str, players: &[&str], seating| {
        let plan = Plan::new(GAME, Match { seating, ..request(game, players, 3000) }).unwrap();
        run(GAME, &plan, None, 2, &Stop::new(), &mut |_| {}).unwrap().summary
    };
    let two = summary("dice", &["greedy", "coin"], Seating::All);
    assert!(two.elo.is_some() && two.elo_ci.is_some() && two.difference.is_none());
    let mixed = summary("dice:seats=3", &["greedy", "coin"], Seating::All);
    assert!(mixed.elo.is_some() && mixed.difference.unwrap().mean > 0.0);
    let rotated = summary("dice:seats=3", &["greedy", "coin"], Seating::Rotate);
    assert!(rotated.elo.is_none() && rotated.elo_ci.is_none());
    let five = summary("dice:seats=5", &["coin"; 5], Seating::Rotate);
    assert!(five.elo.is_none() && five.score.unwrap() < 0.4);
    // Among equals the difference is 0 and each gets a fifth: four standard errors, because
    // six intervals of 95 % miss one time in four.
    let near = |mean: MeanText, value: f64| {
        let [low, high] = mean.ci.unwrap();
        assert!((mean.mean - value).abs() < high - low, "{mean:?} is not {value}");
    };
    near(five.difference.unwrap(), 0.0);
    for player in &five.players {
        near(player.payoff.unwrap(), 0.2);
    }
    let sum: f64 = five.players.iter().map(|p| p.payoff.unwrap().mean).sum();
    assert!((sum - 1.0).abs() < 1e-4);
    // One player alone has points and nobody to be compared with.
    let alone = summary("dice:seats=1", &["greedy"], Seating::All);
    assert!(alone.score.is_none() && alone.los.is_none() && alone.difference.is_none());
    assert!(alone.players[0].points.unwrap().ci.unwrap()[0] > 0.0);
    let sprt = Some(Sprt::new(0.0, 10.0, 0.05, 0.05, Model::Logistic).unwrap());
    for players in [&["coin"; 3][..], &["coin"; 1][..]] {
        let game = format!("dice:seats={}", players.len());
        let request = Match { sprt, ..request(&game, players, 6) };
        assert!(matches!(Plan::new(GAME, request), Err(LabError::Request(_))));
    }
}

#[test]
fn budgets_are_completed() {
    let budget = |text: &str, given| GAME.budget(&player(text), given).unwrap();
    let default = Limits::nodes(1_000_000);
    assert_eq!(budget("greedy", Limits::default()), default);
    assert_eq!(budget("greedy:iterations=5", Limits::default()), Limits::iterations(5));
    assert_eq!(budget("greedy:nodes=5", Limits::nodes(7)), Limits::nodes(7));
    assert_eq!(budget("greedy:depth=2", Limits::default()), Limits::depth(2).or(default));
    let both = Limits::nodes(7).or(Limits::iterations(5));
    assert_eq!(budget("greedy:iterations=5", Limits::nodes(7)), both);
}

#[test]
fn rotation_is_a_part_of_all_seatings() {
    let players: &[&str] = &["greedy", "coin", "coin:nodes=1", "faulty"];
    let mut request = request("dice:seats=4", players, 1);
    request.seating = Seating::Rotate;
    assert_eq!(play(&request, &folder("rotate"), 1).summary.games, 4);
    request.seating = Seating::All;
    assert_eq!(play(&request, &folder("all"), 2).summary.games, 24);
}
