//! Tunings of a player whose best setting is known: interrupted, damaged, on any number of threads.

use crate::common::{GAME, folder, game, player};
use spielbaum_core::Stop;
use spielbaum_core::param::resolve;
use spielbaum_lab::LabError;
use spielbaum_lab::tune::{
    METHODS, Objective, TuneDir, TuneHeader, TuneNews, TuneRequest, TuneSummary, Tuned, Tuning,
    Varied, report,
};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Who leaves only ones gets the most points; it begins with leaving everything.
fn request(seats: u8, method: &str) -> TuneRequest {
    let method = resolve(method, "method", METHODS).unwrap();
    let vary = vec![Varied::read("least=0..4").unwrap()];
    let dice = game(&format!("dice:seats={seats},length=12"));
    TuneRequest {
        steps: 12,
        games: 20,
        fresh: 200,
        seed: 5,
        ..TuneRequest::new(dice, player("greedy:least=4"), vary, method)
    }
}

fn run(dir: &Path, request: TuneRequest, jobs: usize) -> TuneSummary {
    let tuning = Tuning::new(GAME, request).unwrap();
    let place = TuneDir::create(dir, &tuning).unwrap();
    place.run(GAME, jobs, &Stop::new(), &mut |_| {}).unwrap().unwrap()
}

/// Every file that promises its bytes.
fn bytes(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut files, mut folders) = (BTreeMap::new(), vec![dir.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_file() {
                files.insert(
                    path.strip_prefix(dir).unwrap().display().to_string(),
                    fs::read(&path).unwrap(),
                );
            } else if entry.file_name() != "timing" {
                folders.push(path);
            }
        }
    }
    files
}

#[test]
fn every_method_finds_what_is_best() {
    for (method, steps) in [("cma-es:sigma=0.3", 20), ("anneal:radius=1", 80)] {
        let dir = folder("tune-methods");
        let summary = run(&dir, TuneRequest { steps, ..request(1, method) }, 2);
        assert_eq!(summary.objective, Objective::Points);
        assert_eq!(summary.after.player, "greedy", "{method}: least=1 is the default");
        assert!(summary.gain.ci.unwrap()[0] > 0.0, "{method}: {summary:?}");
        assert!(summary.superiority.unwrap() > 0.99);
        assert_eq!((summary.fresh, summary.before.player.as_str()), (200, "greedy:least=4"));
        let gain = summary.after.value.mean - summary.before.value.mean;
        assert!((summary.gain.mean - gain).abs() < 1e-5, "paired by rounds: {summary:?}");
    }
    // A gradient needs a slope: 3 and 4 are worth the same.
    let climb = request(1, "spsa:width=0.2,step=0.1");
    let summary =
        run(&folder("tune-spsa"), TuneRequest { player: player("greedy:least=3"), ..climb }, 2);
    assert!(summary.gain.ci.unwrap()[0] > 0.0, "{summary:?}");
}

#[test]
fn scores_and_places_are_tuned_for() {
    for (seats, objective) in [(2, Objective::Score), (3, Objective::Place)] {
        let dir = folder("tune-seats");
        let against = vec![player("coin")];
        let summary = run(&dir, TuneRequest { against, ..request(seats, "cma-es:sigma=0.3") }, 2);
        assert_eq!(summary.objective, objective);
        assert_eq!(summary.after.player, "greedy");
        assert!(summary.gain.mean > 0.0, "{summary:?}");
        let better = summary.after.value.mean > summary.before.value.mean;
        assert_eq!(better, objective == Objective::Score, "a place is better if it is smaller");
    }
}

#[test]
fn threads_and_interruptions_change_no_byte() {
    let [one, three, broken] = ["one", "three", "broken"].map(|n| folder(&format!("tune-{n}")));
    let summary = run(&one, request(1, "cma-es:sigma=0.3"), 1);
    let expected = bytes(&one);
    assert!(expected.contains_key("units/000011.jsonl") && expected.contains_key("summary.json"));
    assert!(expected.contains_key("fresh/after/match.json"));
    run(&three, request(1, "cma-es:sigma=0.3"), 3);
    assert_eq!(bytes(&three), expected);

    // Stopped after the first step, after three more, then gone on with by what is recorded.
    for more in [1, 3] {
        let tuning = Tuning::new(GAME, request(1, "cma-es:sigma=0.3")).unwrap();
        let (stop, mut steps) = (Stop::new(), 0);
        let place = TuneDir::create(&broken, &tuning).unwrap();
        let ended = place.run(GAME, 2, &stop, &mut |news| {
            if let TuneNews::Step(_, false) = news {
                steps += 1;
                if steps == more {
                    stop.set();
                }
            }
        });
        assert!(ended.unwrap().is_none());
        assert!(!broken.join("summary.json").exists());
    }
    let so_far = Tuned::read(&broken, &[GAME]).unwrap();
    assert_eq!((so_far.steps.len(), so_far.summary), (4, None));
    let (found, tuning) = Tuning::of_header(&TuneHeader::read(&broken).unwrap(), &[GAME]).unwrap();
    let place = TuneDir::create(&broken, &tuning).unwrap();
    let mut old = 0;
    let ended = place.run(found, 2, &Stop::new(), &mut |news| {
        old += usize::from(matches!(news, TuneNews::Step(_, true)));
    });
    assert_eq!((ended.unwrap(), old), (Some(summary), 4));
    assert_eq!(bytes(&broken), expected);
}

#[test]
fn a_tuning_is_told() {
    let dir = folder("tune-report");
    run(&dir, request(1, "anneal"), 2);
    let tuned = Tuned::read(&dir, &[GAME]).unwrap();
    let told = spielbaum_document::text(&report(&tuned), 100);
    for part in ["greedy:least=4", "Before and after", "least", "fresh games", "best of the step"] {
        assert!(told.contains(part), "{part}: {told}");
    }
}

#[test]
fn damage_is_noticed() {
    let dir = folder("tune-damage");
    run(&dir, request(1, "cma-es"), 2);
    let again = || {
        let tuning = Tuning::new(GAME, request(1, "cma-es")).unwrap();
        let place = TuneDir::create(&dir, &tuning)?;
        place.run(GAME, 1, &Stop::new(), &mut |_| {})
    };
    assert!(again().unwrap().is_some());
    let unit = dir.join("units/000002.jsonl");
    let whole = fs::read_to_string(&unit).unwrap();
    fs::write(&unit, whole.replacen("\"value\":", "\"value\":1", 1)).unwrap();
    let error = again().unwrap_err();
    assert!(error.to_string().contains("checksum"), "{error}");
    // A whole step of another place in the course.
    fs::write(&unit, fs::read(dir.join("units/000003.jsonl")).unwrap()).unwrap();
    assert!(matches!(again(), Err(LabError::Damaged { .. })));
    fs::write(&unit, whole).unwrap();
    assert!(again().unwrap().is_some());

    let other = TuneRequest { seed: 6, ..request(1, "cma-es") };
    let error = TuneDir::create(&dir, &Tuning::new(GAME, other).unwrap()).err().unwrap();
    assert!(error.to_string().contains("holds another tuning: `seed`"), "{error}");
}

#[test]
fn mistakes_are_told_before_anything_runs() {
    type Change<'a> = &'a dyn Fn(&mut TuneRequest);
    let problem = |change: Change<'_>| {
        let mut request = request(2, "cma-es");
        request.against = vec![player("coin")];
        change(&mut request);
        Tuning::new(GAME, request).err().map(|e| e.to_string()).unwrap_or_default()
    };
    let vary = |text: &str| vec![Varied::read(text).unwrap()];
    let told: [(&str, Change<'_>); 11] = [
        ("nothing is varied", &|r| r.vary.clear()),
        ("varied twice", &|r| r.vary.push(r.vary[0].clone())),
        ("no parameter `most`; parameters: least", &|r| r.vary = vary("most=0..4")),
        ("integer from 0 to 4", &|r| r.vary = vary("least=0..5")),
        ("ends of its range", &|r| r.vary = vary("least=0.5..4")),
        ("has 4 now", &|r| r.vary = vary("least=0..3")),
        ("not set", &|r| r.vary = vary("depth=1..3")),
        ("only numbers are varied", &|r| r.vary = vary("time=1..3")),
        ("`least` of `greedy` has no parameters", &|r| r.vary = vary("least.x=0..3")),
        ("--against", &|r| r.against.clear()),
        ("a place needs a table of three", &|r| r.objective = Some(Objective::Place)),
    ];
    for (part, change) in told {
        let problem = problem(change);
        assert!(problem.contains(part), "{part}: {problem}");
    }
    assert!(problem(&|r| r.steps = 0).contains("0 steps"));
    assert_eq!(problem(&|_| {}), "");
}
