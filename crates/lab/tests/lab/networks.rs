//! Players with networks: known by the bytes of a file, and readable in records without it.

use crate::common::{Dice, folder};
use spielbaum_core::param::{Args, BUDGET, Param, Schema, resolve};
use spielbaum_core::spec::SpecError;
use spielbaum_core::{Forfeit, Game, Player, Report, Stop, Task};
use spielbaum_lab::tune::{METHODS, TuneDir, TuneRequest, Tuned, Tuning, Varied};
use spielbaum_lab::{
    Absent, Access, AnyGame, Archived, Donor, Experiment, LabError, Match, Network, Of, Outcome,
    Plan, Playable, Results, RunDir, RunOptions, Source, Store, replay, report, run,
};
use std::path::{Path, PathBuf};

/// Takes a 3 if its file begins with `t`.
struct Learner {
    takes: bool,
}

impl Player<Dice> for Learner {
    fn think(
        &mut self,
        pos: &Dice,
        task: &mut Task<'_, <Dice as Game>::Move>,
    ) -> Result<Report<<Dice as Game>::Move>, Forfeit> {
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        let best = if self.takes { moves.first() } else { moves.last() };
        let best = best.copied().ok_or(Forfeit::Resigned)?;
        Ok(Report::new(best, 0.5, &task.meter))
    }

    fn restart(&mut self, _seed: u64) {}
}

static LEARNER: Schema = Schema {
    name: "learner",
    aliases: &[],
    help: "plays by a file",
    params: &[
        &[Param::text("net", "none", "the file"), Param::real("x", "0.5", 0.0, 1.0, "nothing")],
        BUDGET,
    ],
    presets: &[],
};

struct Row;

impl Playable for Row {
    type Game = Dice;

    fn player(args: &Args) -> Result<Box<dyn Player<Dice>>, SpecError> {
        let text = std::fs::read_to_string(args.text("net")).map_err(|e| args.error("net", e))?;
        Ok(Box::new(Learner { takes: text.starts_with('t') }))
    }

    fn network(args: &Args, _start: &Dice) -> Result<Option<Network>, SpecError> {
        Ok(Some(Network::new(args.text("net"), None)))
    }

    fn archived(args: &Args) -> Result<Box<dyn Player<Dice>>, SpecError> {
        Self::player(args).or_else(|e| Ok(Box::new(Absent::new(e.to_string(), false))))
    }

    fn roster() -> &'static [&'static Schema] {
        static ROSTER: &[&Schema] = &[&LEARNER];
        ROSTER
    }
}

static GAME: &dyn AnyGame = &Of::<Row>::NEW;
static PLAYED: &[&dyn AnyGame] = &[GAME];
static READ: &[&dyn AnyGame] = &[&Of::<Archived<Row>>::NEW];

/// A file of this name with these bytes.
fn net(name: &str, bytes: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn study(net: &Path) -> Experiment {
    let text = format!(
        "game = 'dice'\nbudget = 'nodes=1000000'\n[[experiment]]\nid = 'pair'\nformat = 'match'\ngames = 20\n\
         players = [\"learner:net={0}\", \"learner:net={0},x=1\"]\n\
         [[experiment]]\nid = 'ask'\nformat = 'accuracy'\nvalues = 'values.jsonl'\nplayers = \"learner:net={0}\"\n",
        net.display()
    );
    let mut source = Source::new("nets.toml", text);
    let values = r#"{"position": "2 3 0,1", "moves": {"take": "W", "leave": "L"}}"#;
    source.files.insert("values.jsonl".to_string(), format!("{values}\n"));
    Experiment::parse(source, RunOptions::default(), PLAYED).unwrap_or_else(|e| panic!("{e}"))
}

fn carry_out(dir: &Path, experiment: &Experiment) -> Result<(), LabError> {
    let place = RunDir::create(dir, experiment, Access::Alone)?;
    place.run(experiment, &|_| true, PLAYED, 2, &Stop::new(), &mut |_| {}).map(drop)
}

#[test]
fn games_of_two_networks_are_not_mixed() {
    let file = net("mixed.net", "take");
    let dir = folder("nets-mixed");
    carry_out(&dir, &study(&file)).unwrap();
    let part = dir.join("parts/pair-001");
    let header = std::fs::read_to_string(part.join("match.json")).unwrap();
    assert_eq!(header.matches("\"checksum\"").count(), 2, "{header}");
    let digest = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nets-mixed.json");
    Results::read(&dir, READ).unwrap().write_digest(&digest).unwrap();
    assert!(replay(&part, PLAYED, true, &mut |_, _| {}).is_ok());

    // Of the same length, under the same name.
    std::thread::sleep(std::time::Duration::from_millis(20));
    net("mixed.net", "late");
    let message = |error: LabError| {
        let text = error.to_string();
        assert!(text.contains("the network `") && text.contains("mixed.net`"), "{text}");
        assert!(text.contains("of `learner:net=") && text.contains("checksum"), "{text}");
    };
    message(carry_out(&dir, &study(&file)).unwrap_err());
    message(replay(&part, PLAYED, true, &mut |_, _| {}).unwrap_err());
    for from in [&dir, &digest] {
        let (new, experiment) = (folder("nets-new"), study(&file));
        let place = RunDir::create(&new, &experiment, Access::Alone).unwrap();
        let donor = Donor::open(from, READ).unwrap();
        let adopted = place.adopt(&donor.offer(&experiment, place.dir()).unwrap()).unwrap();
        assert_eq!((adopted.items, adopted.left.len()), (0, 2), "{:?}", adopted.left);
        for left in adopted.left {
            assert!(left.contains("mixed.net") && left.contains("is another one"), "{left}");
        }
    }
    // What is there can be read as ever, and a record that does not tell goes on.
    let results = Results::read(&dir, READ).unwrap();
    assert!(results.is_complete() && results.parts.iter().all(|part| part.problem.is_none()));
    assert!(replay(&part, READ, false, &mut |_, _| {}).is_ok());
    net("mixed.net", "take");
    for file in [part.join("match.json"), dir.join("parts/ask-001/exam.json")] {
        let text = std::fs::read_to_string(&file).unwrap();
        let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let players = value.get_mut("players").and_then(|p| p.as_array_mut());
        for player in players.into_iter().flatten() {
            player.as_object_mut().unwrap().remove("net").unwrap();
        }
        if let Some(player) = value.get_mut("player") {
            player.as_object_mut().unwrap().remove("net").unwrap();
        }
        std::fs::write(&file, value.to_string()).unwrap();
    }
    carry_out(&dir, &study(&file)).unwrap();
    assert!(replay(&part, PLAYED, true, &mut |_, _| {}).is_ok());
}

#[test]
fn records_are_read_when_the_network_is_gone() {
    let file = net("gone.net", "take");
    let dir = folder("nets-gone");
    carry_out(&dir, &study(&file)).unwrap();
    let numbers = |results: &Results| -> Vec<String> {
        let of = |outcome: &Outcome| match outcome {
            Outcome::Match { summary, .. } => format!("{summary:?}"),
            Outcome::Exam { summary, .. } => format!("{summary:?}"),
        };
        results.parts.iter().map(|part| of(&part.outcome)).collect()
    };
    let before = Results::read(&dir, PLAYED).unwrap();
    // A match, and a tuning, by themselves.
    let player =
        resolve(&format!("learner:net={}", file.display()), "player", &[&LEARNER]).unwrap();
    let args = resolve("dice", "game", &[GAME.schema()]).unwrap();
    let plan =
        Plan::new(GAME, Match { games: 4, ..Match::new(args.clone(), vec![player.clone(); 2]) });
    let (alone, plan) = (folder("nets-gone-match"), plan.unwrap());
    let store = Store::create(&alone, &plan).unwrap();
    run(GAME, &plan, Some(&store), 1, &Stop::new(), &mut |_| {}).unwrap();
    drop(store);
    let (vary, method) =
        (vec![Varied::read("x=0..1").unwrap()], resolve("spsa", "method", METHODS));
    let against = vec![player.clone()];
    let request = TuneRequest::new(args, player, vary, method.unwrap());
    let request = TuneRequest { against, steps: 2, games: 4, fresh: 4, ..request };
    let tuning = Tuning::new(GAME, request.clone()).unwrap();
    let tuned = folder("nets-gone-tuning");
    let place = TuneDir::create(&tuned, &tuning).unwrap();
    place.run(GAME, 1, &Stop::new(), &mut |_| {}).unwrap();
    drop(place);

    // Another network under the name, or none.
    net("gone.net", "other");
    let other = Tuning::new(GAME, request).unwrap();
    let refused = TuneDir::create(&tuned, &other).err().unwrap().to_string();
    assert!(refused.contains("gone.net") && refused.contains("checksum"), "{refused}");
    std::fs::remove_file(&file).unwrap();
    assert!(Results::read(&dir, PLAYED).is_err(), "who plays must have it");
    let results = Results::read(&dir, READ).unwrap();
    assert!(results.is_complete());
    assert_eq!(numbers(&results), numbers(&before));
    assert!(report(&results).title.len() > 3);
    let digest = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nets-gone.json");
    results.write_digest(&digest).unwrap();
    assert_eq!(numbers(&Results::read_digest(&digest, READ).unwrap()), numbers(&before));
    for part in [&dir.join("parts/pair-001"), &alone] {
        assert!(replay(part, READ, false, &mut |_, _| {}).is_ok());
        assert!(replay(part, PLAYED, true, &mut |_, _| {}).is_err());
    }
    assert!(Results::read(&alone, READ).unwrap().is_complete());
    assert!(Tuned::read(&tuned, READ).unwrap().summary.is_some());
    let mut rows = 0;
    let count = |_| {
        rows += 1;
        Ok::<(), LabError>(())
    };
    results.rows(count).unwrap();
    assert_eq!(rows, 21);
}
