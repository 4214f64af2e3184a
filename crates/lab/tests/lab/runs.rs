//! Runs of many parts, exams, and what is read back of them.

use crate::common::{GAME, folder, game, player, request};
use crate::experiment::CATALOG;
use crate::studies::{self, adopt, bytes, shared, work};
use spielbaum_core::{Limits, Stop};
use spielbaum_lab::{
    Access, Adopted, Cell, Concluded, Donor, Ending, Exam, ExamRequest, Experiment, LabError,
    Labour, Match, Outcome, Plan, Question, Recorded, Results, RunDir, Store, Work, estimate,
    replay, run,
};
use std::path::Path;
use std::time::Duration;

const STUDY: &str = concat!(
    shared!(head),
    r#"[[experiment]]
id = "pair"
game = "dice"
format = "gauntlet"
games = 40
players = ["greedy:least=[0,1,2]"]
opponents = ["coin"]
"#,
    shared!(table),
    "games = 30\n",
    shared!(alone),
    "games = 20\n",
    shared!(deep),
    "max-nodes = 1000\n"
);

fn study() -> Experiment {
    studies::study(STUDY)
}

fn carry_out(dir: &Path, access: Access, jobs: usize, stop: &Stop) -> Result<(), LabError> {
    work(dir, &study(), access, jobs, stop)
}

#[test]
fn many_parts_have_the_same_bytes_on_any_number_of_threads() {
    let dirs = [1, 5].map(|jobs| {
        let dir = folder(&format!("parts-{jobs}"));
        carry_out(&dir, Access::Alone, jobs, &Stop::new()).unwrap();
        dir
    });
    let files = bytes(&dirs[0]);
    assert_eq!(files, bytes(&dirs[1]));
    for part in ["pair-001", "pair-003", "table-001", "alone-001", "deep-001"] {
        assert!(files.contains_key(&format!("parts/{part}/summary.json")), "{:?}", files.keys());
    }
    let results = Results::read(&dirs[0], CATALOG).unwrap();
    assert!(results.is_complete() && results.worked_on_by().is_none());
    let Outcome::Match { summary, times } = &results.parts[0].outcome else { panic!() };
    assert_eq!((summary.games, results.parts[0].ending), (40, Some(Ending::Complete)));
    assert_eq!(times.as_ref().unwrap().moves[0], summary.players[0].moves);
    let Outcome::Exam { summary, times } = &results.parts[5].outcome else { panic!() };
    assert_eq!(
        summary.depths.iter().map(|row| row.depth).collect::<Vec<_>>(),
        [1, 2, 3, 4, 1, 2, 3, 4]
    );
    assert_eq!(times.as_ref().unwrap().answers.len(), 8);
}

/// More games, a section of another name, another rule: the games that are the same are not
/// played again, and in the end every byte is as if all had been.
#[test]
fn a_run_takes_over_what_is_the_same_in_another() {
    let old = folder("adopted-from");
    carry_out(&old, Access::Alone, 2, &Stop::new()).unwrap();
    let text = (STUDY.replace("games = 40", "games = 300"))
        .replace("id = \"table\"", "id = \"three\"")
        .replace("least=[0,1,2]", "least=[0,2,3]")
        .replace("games = 20", "games = 10");
    let experiment = studies::study(&text);
    let dirs = [folder("adopted-into"), folder("adopted-not")];
    let places = dirs.each_ref().map(|d| RunDir::create(d, &experiment, Access::Alone).unwrap());
    // Two matches of 40 games, one of 30, ten of 20 with each of two, and eight answers.
    let donor = Donor::open(&old, CATALOG).unwrap();
    let items = 80 + 30 + 10 + 8;
    let offer = donor.offer(&experiment, &dirs[0]).unwrap();
    let adopted = places[0].adopt(&offer).unwrap();
    assert_eq!(adopted, Adopted { items, ..Adopted::default() });
    let again = places[0].adopt(&offer).unwrap();
    assert_eq!(again, Adopted { there: items, ..Adopted::default() });
    let before = bytes(&dirs[0]);
    for place in &places {
        place.run(&experiment, &|_| true, CATALOG, 2, &Stop::new(), &mut |_| {}).unwrap();
    }
    let after = bytes(&dirs[0]);
    assert_eq!(after, bytes(&dirs[1]));
    assert!(before.iter().all(|(name, bytes)| after[name] == *bytes));
    let results = Results::read(&dirs[0], CATALOG).unwrap();
    let Outcome::Match { summary, times } = &results.parts[0].outcome else { panic!() };
    assert_eq!(summary.games, 300);
    assert_eq!(times.as_ref().unwrap().moves[0], summary.players[0].moves);
    assert!(Donor::open(&folder("adopted-none"), CATALOG).is_err());
}

#[test]
fn a_run_that_is_stopped_again_and_again_goes_on() {
    let (whole, broken) = (folder("run-whole"), folder("run-broken"));
    carry_out(&whole, Access::Alone, 2, &Stop::new()).unwrap();
    let experiment = study();
    let mut pieces = 0;
    loop {
        let place = RunDir::create(&broken, &experiment, Access::Alone).unwrap();
        let stop = Stop::new();
        let mut news = 0;
        let mut watch = |p: &spielbaum_lab::Progress<'_>| {
            news += u64::from(p.played > p.recorded);
            assert!(p.played <= p.games && p.share[0] <= 1.0 && p.share[1] <= p.share[0]);
            if news > 4 {
                stop.set();
            }
        };
        place.run(&experiment, &|_| true, CATALOG, 1, &stop, &mut watch).unwrap();
        pieces += 1;
        drop(place);
        let so_far = Results::glance(&broken, CATALOG).unwrap();
        if so_far.is_complete() {
            break;
        }
        let counted: u64 = so_far.parts.iter().map(|part| part.outcome.items()).sum();
        assert!(counted > 0 && so_far.parts.iter().any(|part| !part.complete));
        assert!(pieces < 100, "it never ends");
    }
    assert!(pieces > 2);
    assert_eq!(bytes(&whole), bytes(&broken));
}

#[test]
fn first_games_of_all_parts_are_those_of_the_whole_run() {
    let (whole, piecemeal) = (folder("first-whole"), folder("first-piecemeal"));
    carry_out(&whole, Access::Alone, 2, &Stop::new()).unwrap();
    let experiment = study();
    let play = |first: Option<u64>| {
        let place = RunDir::create(&piecemeal, &experiment, Access::Alone).unwrap().first(first);
        let mut last = [0; 2];
        let mut watch = |p: &spielbaum_lab::Progress<'_>| {
            assert!(p.played <= p.games && p.share[0] <= 1.0 && p.share[1] <= p.share[0]);
            last = [p.played, p.games];
        };
        place.run(&experiment, &|_| true, CATALOG, 2, &Stop::new(), &mut watch).unwrap();
        drop(place);
        let results = Results::glance(&piecemeal, CATALOG).unwrap();
        let counted: Vec<u64> = results.parts.iter().map(|part| part.outcome.items()).collect();
        assert_eq!(last, [counted.iter().sum::<u64>(); 2]);
        (counted, results.is_complete())
    };
    let (few, complete) = play(Some(7));
    assert!(!complete);
    // Whole units, none that the asked number does not reach into.
    for (part, &games) in few.iter().enumerate() {
        assert!((7..7 + 6).contains(&games), "part {part}: {games}");
    }
    // As many are estimated.
    let estimated = experiment.parts().map(|(_, part)| {
        let args = match &part.work {
            Work::Match(plan) => &plan.game,
            Work::Exam(exam) => &exam.game,
        };
        let game = CATALOG.iter().find(|g| g.schema().name == args.schema().name).unwrap();
        let work = Labour::from(&part.work);
        estimate(*game, work, Some(7), Duration::from_millis(1)).unwrap().games
    });
    assert_eq!(estimated.collect::<Vec<_>>(), few);
    // Fewer than are recorded takes nothing back; more goes on.
    assert_eq!(play(Some(2)), (few.clone(), false));
    let (more, _) = play(Some(15));
    // The exam has eight questions, and all of them were answered the first time.
    assert!(few.iter().zip(&more).take(5).all(|(few, more)| few < more), "{few:?} {more:?}");
    assert!(play(None).1);
    assert_eq!(bytes(&whole), bytes(&piecemeal));
}

/// Versions that cut matches of one player into fewer units.
#[test]
fn a_run_goes_on_in_the_units_in_which_it_was_begun() {
    let (whole, old) = (folder("units-whole"), folder("units-old"));
    carry_out(&whole, Access::Alone, 2, &Stop::new()).unwrap();
    drop(RunDir::create(&old, &study(), Access::Alone).unwrap());
    let (new_part, part) = (whole.join("parts/alone-001"), old.join("parts/alone-001"));
    let header = std::fs::read_to_string(new_part.join("match.json")).unwrap();
    let cut =
        [("\"rounds_per_unit\": 1,", "\"rounds_per_unit\": 4,"), ("\"units\": 10", "\"units\": 3")];
    let older = cut.iter().fold(header.clone(), |text, (new, old)| text.replace(new, old));
    assert_eq!(cut.iter().filter(|(new, _)| header.contains(new)).count(), 2, "{header}");
    std::fs::create_dir_all(&part).unwrap();
    std::fs::write(part.join("match.json"), &older).unwrap();
    carry_out(&old, Access::Alone, 2, &Stop::new()).unwrap();
    let unit = |n: u32| part.join(format!("units/{n:06}.jsonl"));
    assert!(unit(2).exists() && !unit(3).exists());
    // It loses one and goes on; everything that reads it reads the old units.
    std::fs::remove_file(unit(1)).unwrap();
    std::fs::remove_file(part.join("summary.json")).unwrap();
    carry_out(&old, Access::Shared, 1, &Stop::new()).unwrap();
    assert_eq!(std::fs::read_to_string(part.join("match.json")).unwrap(), older);
    let results = [&whole, &old].map(|dir| Results::read(dir, CATALOG).unwrap());
    assert_eq!(
        results.each_ref().map(|r| (r.parts[4].units, r.parts[4].problem.clone())),
        [(10, None), (3, None)]
    );
    let summary = |part: &Path| std::fs::read(part.join("summary.json")).unwrap();
    assert_eq!(summary(&part), summary(&new_part));
    assert_eq!(replay(&part, CATALOG, true, &mut |_, _| {}).unwrap().rerun, 20);
    // And a run that begins with it has its games in new units.
    let on = folder("units-on");
    adopt(&on, &study(), &old).unwrap();
    carry_out(&on, Access::Alone, 1, &Stop::new()).unwrap();
    assert_eq!(bytes(&on), bytes(&whole));
}

#[test]
fn processes_that_share_a_run_do_not_disturb_each_other() {
    let (whole, shared) = (folder("run-alone"), folder("run-shared"));
    carry_out(&whole, Access::Alone, 2, &Stop::new()).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| carry_out(&shared, Access::Shared, 2, &Stop::new()).unwrap());
        }
    });
    assert_eq!(bytes(&whole), bytes(&shared));
    // While one shares it nobody has it alone, and the other way round.
    let experiment = study();
    let held = RunDir::create(&shared, &experiment, Access::Shared).unwrap();
    let alone = RunDir::create(&shared, &experiment, Access::Alone).unwrap_err();
    assert!(matches!(alone, LabError::Busy { .. }), "{alone}");
    drop(held);
    let held = RunDir::create(&shared, &experiment, Access::Alone).unwrap();
    assert!(RunDir::create(&shared, &experiment, Access::Shared).is_err());
    assert!(Results::glance(&shared, CATALOG).unwrap().worked_on_by().is_some());
    drop(held);
    // Who shares removes nothing, who is alone what was left half-written.
    let left = shared.join("parts/pair-001/units/000003.jsonl.other-host-77.tmp");
    std::fs::write(&left, "half a li").unwrap();
    carry_out(&shared, Access::Shared, 1, &Stop::new()).unwrap();
    assert!(left.exists());
    carry_out(&shared, Access::Alone, 1, &Stop::new()).unwrap();
    assert!(!left.exists());
}

#[test]
fn results_are_read_whatever_is_missing() {
    let dir = folder("run-missing");
    carry_out(&dir, Access::Alone, 2, &Stop::new()).unwrap();
    let complete = Results::glance(&dir, CATALOG).unwrap();
    let part = |name: &str| dir.join("parts").join(name);
    // Counted, where there is no summary; and then it is the same.
    std::fs::remove_file(part("pair-001").join("summary.json")).unwrap();
    std::fs::remove_file(part("pair-002").join("summary.json")).unwrap();
    std::fs::remove_file(part("pair-002").join("units/000001.jsonl")).unwrap();
    std::fs::write(part("pair-003").join("units/000000.jsonl"), "{}").unwrap();
    std::fs::remove_file(part("pair-003").join("summary.json")).unwrap();
    std::fs::remove_dir_all(part("table-001")).unwrap();
    std::fs::remove_dir_all(part("deep-001").join("timing")).unwrap();
    let results = Results::read(&dir, CATALOG).unwrap();
    let summary = |results: &Results, i: usize| match &results.parts[i].outcome {
        Outcome::Match { summary, .. } => summary.clone(),
        Outcome::Exam { .. } => panic!("part {i} is an exam"),
    };
    assert_eq!(summary(&results, 0), summary(&complete, 0));
    assert_eq!((results.parts[0].complete, results.parts[1].complete), (true, false));
    assert_eq!((summary(&results, 1).games, results.parts[1].done), (2, 19));
    assert!(results.parts[2].problem.as_ref().unwrap().contains("000000.jsonl"));
    assert_eq!((results.parts[3].done, summary(&results, 3).games), (0, 0));
    assert!(matches!(&results.parts[5].outcome, Outcome::Exam { times: None, .. }));
    assert!(!results.is_complete());
}

#[test]
fn every_game_and_answer_is_a_row() {
    let dir = folder("run-rows");
    carry_out(&dir, Access::Alone, 2, &Stop::new()).unwrap();
    let results = Results::glance(&dir, CATALOG).unwrap();
    let columns = results.columns();
    let at = |name: &str| columns.iter().position(|column| column.name == name).unwrap();
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    let keep = |row| {
        rows.push(row);
        Ok::<(), LabError>(())
    };
    results.rows(keep).unwrap();
    assert_eq!(rows.len(), 3 * 40 + 30 + 20 + 8);
    assert!(rows.iter().all(|row| row.len() == columns.len()));
    assert_eq!(rows[0][at("setting")], Cell::Text("least=0".to_string()));
    assert_eq!(rows[0][at("player_3")], Cell::Empty);
    assert!(matches!(rows[0][at("moves")], Cell::Text(_)) && rows[125][at("moves")] == Cell::Empty);
    assert_eq!(rows[120][at("section")], Cell::Text("table".to_string()));
    let Some(last) = rows.last() else { panic!() };
    assert_eq!(last[at("kind")], Cell::Text("exam".to_string()));
    assert_eq!(last[at("asked_depth")], Cell::Int(4));
}

#[test]
fn answers_do_not_depend_on_one_another() {
    let known = vec![("take".to_string(), 1.0), ("leave".to_string(), 0.0)];
    let question = |turn: u64| Question {
        position: Some(format!("{turn} 3 0,0")),
        known: known.clone(),
        ..Question::default()
    };
    let exam = |who: &str, questions: Vec<Question>| {
        let request = ExamRequest::new(game("dice"), player(who), questions);
        let request = ExamRequest { limits: Limits::nodes(50), seed: 9, ..request };
        Exam::new(GAME, request).unwrap()
    };
    let all = exam("coin", (0..10).map(question).collect());
    let mut forwards = GAME.candidate(&all).unwrap();
    let mut backwards = GAME.candidate(&all).unwrap();
    let ask =
        |candidate: &mut dyn spielbaum_lab::Candidate, q| candidate.answer(&all, q).unwrap().0;
    let one: Vec<_> = (0..10).map(|q| ask(forwards.as_mut(), q)).collect();
    let mut two: Vec<_> = (0..10).rev().map(|q| ask(backwards.as_mut(), q)).collect();
    two.reverse();
    assert_eq!(one, two);
    let kept = one.iter().filter(|answer| answer.kept == Some(true)).count();
    assert!((1..10).contains(&kept), "a coin keeps the value now and then: {kept}");
    // Who fails is recorded, is wrong, and is as good as new afterwards.
    let failing = exam("faulty:after=0,panics=true", (0..2).map(question).collect());
    let mut candidate = GAME.candidate(&failing).unwrap();
    for q in 0..2 {
        let answer = candidate.answer(&failing, q).unwrap().0;
        assert_eq!((answer.best, answer.kept), (None, Some(false)));
        assert!(answer.failure.unwrap().contains("a mistake in a player"));
    }
}

#[test]
fn deeper_questions_end_where_one_took_too_long() {
    let questions = ["2 3 0,1", "0 1 0,0"].into_iter().flat_map(|position| {
        (1..=9).map(move |depth| Question {
            position: Some(position.to_string()),
            // More than fifty plays from the third question on.
            limits: Limits { nodes: Some(20 * depth), ..Limits::depth(depth as u32) },
            known: Vec::new(),
        })
    });
    let request = ExamRequest::new(game("dice"), player("greedy:work=1000"), questions.collect());
    let exam = Exam::new(GAME, ExamRequest { max_nodes: Some(50), ..request }).unwrap();
    let mut experiment = study();
    experiment.sections.truncate(1);
    experiment.sections[0].parts.truncate(1);
    experiment.sections[0].parts[0].work = Work::Exam(exam.clone());
    let dir = folder("run-deep");
    let place = RunDir::create(&dir, &experiment, Access::Alone).unwrap();
    let done = place.run(&experiment, &|_| true, CATALOG, 2, &Stop::new(), &mut |_| {}).unwrap();
    let [Concluded::Exam(finished)] = done.as_slice() else { panic!("{done:?}") };
    assert_eq!((finished.summary.questions, finished.summary.answers), (18, 6));
    let asked: Vec<u64> = finished.summary.depths.iter().map(|row| row.question).collect();
    assert_eq!(asked, [0, 1, 2, 9, 10, 11]);
    let store = Store::open(&dir.join("parts/pair-001"), &exam);
    assert_eq!(store.read(0).unwrap().unwrap().len(), 6);
    // An answer that was taken out is missed, whatever the checksum says.
    let kept: Vec<_> = store.read(0).unwrap().unwrap().into_iter().skip(1).collect();
    assert!(exam.check(0, &kept).unwrap_err().contains("question 1 stands for 0"));
}

#[test]
fn a_match_stops_when_its_interval_is_narrow_enough() {
    let request = Match { width: Some(0.2), ..request("dice", &["greedy", "coin"], 2000) };
    let plan = Plan::new(GAME, request).unwrap();
    let results =
        [1, 4].map(|jobs| run(GAME, &plan, None, jobs, &Stop::new(), &mut |_| {}).unwrap());
    assert_eq!(results[0].ending, Ending::Narrow);
    assert_eq!(results[0].summary, results[1].summary);
    assert!(results[0].summary.stopped);
    let told = results[0].summary.table(None);
    assert!(told.contains("stopped by its results: the intervals are"), "{told}");
    let [low, high] = results[0].summary.score_ci.unwrap();
    assert!(high - low <= 0.2 && high - low > 0.15 && results[0].summary.games < 200);
}

#[test]
fn results_alone_say_whether_games_repeat_and_can_be_played_again() {
    let full = request("dice", &["greedy", "coin"], 40);
    let brief = Match { record: spielbaum_lab::Detail::Results, ..full.clone() };
    let dirs = [folder("detail-full"), folder("detail-results")];
    let summaries = [full, brief].into_iter().zip(&dirs).map(|(request, dir)| {
        let plan = Plan::new(GAME, request).unwrap();
        let store = Store::create(dir, &plan).unwrap();
        run(GAME, &plan, Some(&store), 2, &Stop::new(), &mut |_| {}).unwrap().summary
    });
    let summaries: Vec<_> = summaries.collect();
    assert_eq!(summaries[0], summaries[1]);
    let unit = std::fs::read_to_string(dirs[1].join("units/000000.jsonl")).unwrap();
    assert!(!unit.contains("\"moves\":\"") && unit.contains("\"digest\":\""), "{unit}");
    let replayed = replay(&dirs[1], &[GAME], true, &mut |_, _| {}).unwrap();
    assert_eq!((replayed.moves, replayed.rerun, replayed.summary_agrees), (0, 40, Some(true)));
}
