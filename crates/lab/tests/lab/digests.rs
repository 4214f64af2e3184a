//! Runs that go on from a digest: on another machine, with nothing but that file.

use crate::common::folder;
use crate::experiment::CATALOG;
use crate::studies::{ALL_KINDS, adopt, carry_out, digest_of, interrupt, numbers, study, work};
use serde_json::Value;
use spielbaum_core::Stop;
use spielbaum_lab::{Access, Adopted, Cell, Ending, LabError, Outcome, Results, replay, report};

#[test]
fn a_run_that_goes_on_from_a_digest_ends_in_the_same_numbers() {
    let experiment = study(ALL_KINDS);
    let (whole, broken) = (folder("digest-whole"), folder("digest-broken"));
    for dir in [&whole, &broken] {
        carry_out(dir, &experiment, None);
    }
    let expected = Results::read(&whole, CATALOG).unwrap();
    let Outcome::Match { summary, .. } = &expected.parts[0].outcome else { panic!() };
    assert!(summary.distinct < 60, "{} of 100 differ", summary.distinct);
    assert_eq!(expected.parts[5].ending, Some(Ending::Narrow));

    for (part, units) in
        [("pair-001", 7), ("pair-003", 11), ("table-001", 3), ("narrow-001", 1), ("deeper-001", 1)]
    {
        interrupt(&broken, part, units);
    }
    std::fs::remove_dir_all(broken.join("parts/pair-002")).unwrap();
    let before = Results::read(&broken, CATALOG).unwrap();
    let items = |part: usize| before.parts[part].outcome.items();
    let digest = digest_of(&broken, "digest-broken.json");
    assert_eq!(numbers(&Results::read_digest(&digest, CATALOG).unwrap()), numbers(&before));

    let on = folder("digest-on");
    let adopted = carry_out(&on, &experiment, Some(&digest));
    // One seat, and the shorter exam, are complete.
    assert_eq!((adopted.whole, adopted.left), (2, Vec::new()));
    assert_eq!(adopted.items, [0, 2, 3, 4, 5, 6, 7].map(items).iter().sum::<u64>());
    assert!(items(0) == 14 && items(2) == 22 && items(6) == 8 && items(7) == 9);
    let results = Results::read(&on, CATALOG).unwrap();
    assert!(results.is_complete());
    assert_eq!(numbers(&results), numbers(&expected));
    // Wall times of games that were played elsewhere are not lost.
    for (there, here) in before.parts.iter().zip(&results.parts) {
        if let (Outcome::Match { times: Some(a), .. }, Outcome::Match { times: Some(b), .. }) =
            (&there.outcome, &here.outcome)
        {
            assert!(b.games >= 0.99 * a.games, "{b:?} {a:?}");
        }
    }
    // Once more there is nothing new, and from a digest of that run all is whole.
    let again = carry_out(&on, &experiment, Some(&digest));
    assert_eq!((again.items, again.there), (0, adopted.items));
    let second = digest_of(&on, "digest-second.json");
    let last = folder("digest-last");
    let adopted = carry_out(&last, &experiment, Some(&second));
    assert_eq!(adopted.whole, 8);
    let results = Results::read(&last, CATALOG).unwrap();
    assert_eq!(numbers(&results), numbers(&expected));
    assert!(!last.join("parts/pair-001/units/000000.jsonl").exists());
    // And a digest of a run without any games has the numbers still, as has its own directory.
    let third = digest_of(&last, "digest-third.json");
    assert_eq!(std::fs::read(&third).unwrap(), std::fs::read(&second).unwrap());
    let copied = carry_out(&folder("digest-copied"), &experiment, Some(&last));
    assert_eq!(copied, adopted);
}

#[test]
fn what_has_no_games_or_moves_says_so() {
    let experiment = study(ALL_KINDS);
    let (first, on) = (folder("moveless-first"), folder("moveless-on"));
    carry_out(&first, &experiment, None);
    interrupt(&first, "pair-001", 7);
    let digest = digest_of(&first, "moveless.json");
    carry_out(&on, &experiment, Some(&digest));

    let results = Results::read(&on, CATALOG).unwrap();
    let taken: Vec<_> =
        results.parts.iter().map(|part| part.taken_over.as_ref().unwrap()).collect();
    assert!(!taken[0].whole && taken[1].whole && taken[6].whole);
    assert_eq!((taken[0].names().as_str(), taken[0].items()), ("moveless.json", 14));
    let text = spielbaum_document::text(&report(&results), 100);
    assert!(text.contains("Taken over from moveless.json, and not played"), "{text}");

    // Rows: the games that are here, some without moves.
    let columns = results.columns();
    let moves = columns.iter().position(|column| column.name == "moves").unwrap();
    let mut rows = Vec::new();
    let keep = |row: Vec<Cell>| {
        rows.push(row);
        Ok::<(), LabError>(())
    };
    results.rows(keep).unwrap();
    assert_eq!(rows.len(), 100);
    assert_eq!(rows.iter().filter(|row| row[moves] == Cell::Empty).count(), 14);
    let all: u64 = results.parts.iter().map(|part| part.outcome.items()).sum();
    assert_eq!(results.without_rows() + 100, all);

    let part = |name: &str| on.join("parts").join(name);
    let replayed = replay(&part("pair-001"), CATALOG, true, &mut |_, _| {}).unwrap();
    assert_eq!((replayed.games, replayed.moves, replayed.rerun), (100, 86, 100));
    assert_eq!(replayed.summary_agrees, Some(true));
    let nothing = replay(&part("pair-002"), CATALOG, false, &mut |_, _| {}).unwrap_err();
    assert!(nothing.to_string().contains("was taken over whole from moveless.json"), "{nothing}");

    // A result that was changed is found by playing it again.
    let unit = part("pair-001").join("units/000000.jsonl");
    let changed =
        std::fs::read_to_string(&unit).unwrap().replace("\"digest\":\"", "\"digest\":\"0");
    std::fs::write(&unit, changed).unwrap();
    assert!(replay(&part("pair-001"), CATALOG, true, &mut |_, _| {}).is_err());
}

#[test]
fn a_part_that_was_taken_over_is_sealed() {
    let experiment = study(ALL_KINDS);
    let (first, on) = (folder("sealed-first"), folder("sealed-on"));
    carry_out(&first, &experiment, None);
    let digest = digest_of(&first, "sealed.json");
    carry_out(&on, &experiment, Some(&digest));
    let expected = numbers(&Results::read(&first, CATALOG).unwrap());
    let note = on.join("parts/pair-001/taken-over.jsonl");
    let text = std::fs::read_to_string(&note).unwrap();
    std::fs::write(&note, text.replace("\"wins\":", "\"wins\":1")).unwrap();
    let results = Results::read(&on, CATALOG).unwrap();
    let problem = results.parts[0].problem.as_ref().unwrap();
    assert!(problem.contains("taken-over.jsonl") && problem.contains("`--from`"), "{problem}");
    let refused = work(&on, &experiment, Access::Alone, 1, &Stop::new());
    assert!(refused.unwrap_err().to_string().contains("checksum"));
    // Taken over again it is whole; killed before its statistics were written, too.
    assert_eq!(carry_out(&on, &experiment, Some(&digest)).whole, 1);
    std::fs::remove_file(on.join("parts/pair-001/summary.json")).unwrap();
    assert_eq!(carry_out(&on, &experiment, None), Adopted::default());
    assert!(on.join("parts/pair-001/summary.json").exists());
    assert_eq!(numbers(&Results::read(&on, CATALOG).unwrap()), expected);
    // Without the note the games are played.
    std::fs::remove_file(&note).unwrap();
    carry_out(&on, &experiment, None);
    assert!(on.join("parts/pair-001/units/000000.jsonl").exists());
    assert_eq!(numbers(&Results::read(&on, CATALOG).unwrap()), expected);
}

#[test]
fn nothing_is_taken_over_that_is_not_the_same() {
    let first = folder("same-first");
    carry_out(&first, &study(ALL_KINDS), None);
    interrupt(&first, "pair-001", 7);
    let digest = digest_of(&first, "same.json");
    let taken = |name: &str, text: &str| {
        adopt(&folder(&format!("same-{name}")), &study(text), &digest).unwrap()
    };
    let other = taken("seed", &ALL_KINDS.replace("seed = 5", "seed = 6"));
    assert_eq!((other.items, other.there, other.left.len()), (0, 0, 8));
    // More games: those of the part that is not complete go on as far as they fill units, the others say why they cannot; the
    // match that its width has ended, too, for its units may be others.
    let more = taken("more", &ALL_KINDS.replace("games = ", "games = 1"));
    assert_eq!((more.items, more.whole, more.left.len()), (12 + 8 + 18, 2, 5));
    assert!(more.left[0].starts_with("pair-002: 100 games are complete there"), "{:?}", more.left);
    // Other names, and traps, which need moves.
    let renamed = taken("renamed", &ALL_KINDS.replace("id = \"", "id = \"other-"));
    assert_eq!((renamed.whole, renamed.left.len()), (7, 0));
}

#[test]
fn what_differs_is_told_of_each_part_that_is_left() {
    let first = folder("differs-first");
    carry_out(&first, &study(ALL_KINDS), None);
    let digest = digest_of(&first, "differs.json");
    let cases: &[(&str, &str, &[&str])] = &[
        ("width = 0.3", "width = 0.2", &["narrow-001", "`width` (0.3 there, 0.2 asked)"]),
        ("depths = 9", "depths = 10", &["deeper-001", "`questions` (18 there, 20 asked)"]),
        ("position: 2 3 0,1", "position: 2 3 1,1", &["deep-001", "`questions` (8 others there)"]),
        (
            "least=[0,1]",
            "least=[0,3]",
            &["pair-002", "`players` (greedy coin there, greedy:least=3 coin asked)"],
        ),
        // The second is new; that of its name is now the third, and was taken over.
        ("least=[0,1]", "least=[0,3,1]", &[]),
    ];
    for (at, (from, to, told)) in cases.iter().enumerate() {
        let experiment = study(&ALL_KINDS.replacen(from, to, 1));
        for (kind, donor) in [("digest", &digest), ("dir", &first)] {
            let dir = folder(&format!("differs-{kind}-{at}"));
            let left = adopt(&dir, &experiment, donor).unwrap().left;
            let line = |part: &&str| format!("{part}: it has other settings there: {}", told[1]);
            assert_eq!(left, Vec::from_iter(told.first().map(line)), "{to}");
        }
    }
    let seed = study(&ALL_KINDS.replace("seed = 5", "seed = 6"));
    let left = adopt(&folder("differs-seed"), &seed, &digest).unwrap().left;
    assert_eq!(left.len(), 8);
    assert!(left.iter().all(|line| line.ends_with("there: `seed` (5 there, 6 asked)")), "{left:?}");
    let other =
        "id = \"deep\"\ngame = \"dice\"\nformat = \"match\"\nplayers = [\"coin\", \"coin\"]\n";
    let kind = study(&format!("[[experiment]]\n{other}"));
    let left = adopt(&folder("differs-kind"), &kind, &digest).unwrap().left;
    assert_eq!(left, ["deep-001: it is an exam there"]);
}

/// As `data/replication` has them since the first versions: no headers, no games.
#[test]
fn digests_of_the_first_versions_are_taken_over() {
    let experiment = study(ALL_KINDS);
    let (first, on) = (folder("older-first"), folder("older-on"));
    carry_out(&first, &experiment, None);
    interrupt(&first, "pair-001", 7);
    interrupt(&first, "deeper-001", 1);
    let digest = digest_of(&first, "older.json");
    let mut value: Value = serde_json::from_slice(&std::fs::read(&digest).unwrap()).unwrap();
    for part in value["parts"].as_array_mut().unwrap() {
        let part = part.as_object_mut().unwrap();
        for key in ["header", "exam_header", "questions", "rows", "answered"] {
            part.remove(key);
        }
    }
    std::fs::write(&digest, serde_json::to_string_pretty(&value).unwrap()).unwrap();
    let adopted = carry_out(&on, &experiment, Some(&digest));
    assert_eq!(adopted.whole, 6);
    let lost = ["pair-001: ", "its 14 games", "deeper-001: ", "its 9 games"];
    let told = adopted.left.join("\n");
    assert!(lost.iter().all(|text| told.contains(text)), "{told}");
    let results = Results::read(&on, CATALOG).unwrap();
    let whole = folder("older-whole");
    carry_out(&whole, &experiment, None);
    assert_eq!(numbers(&results), numbers(&Results::read(&whole, CATALOG).unwrap()));
}

#[test]
fn no_digest_is_written_over_what_cannot_be_read() {
    let experiment = study(ALL_KINDS);
    let (first, on) = (folder("over-first"), folder("over-on"));
    carry_out(&first, &experiment, None);
    let digest = digest_of(&first, "over.json");
    carry_out(&on, &experiment, Some(&digest));
    let note = on.join("parts/pair-001/taken-over.jsonl");
    let text = std::fs::read_to_string(&note).unwrap();
    std::fs::write(&note, text.replace("\"wins\":", "\"wins\":1")).unwrap();
    let before = std::fs::read(&digest).unwrap();
    let told = Results::read(&on, CATALOG).unwrap().write_digest(&digest).unwrap_err().to_string();
    assert!(told.contains("taken-over.jsonl"), "{told}");
    assert_eq!(std::fs::read(&digest).unwrap(), before);
}

/// That more games were planned after a look is a matter of the claims, not of the games.
#[test]
fn games_are_taken_over_whether_or_not_they_were_extended() {
    let text = |more: &str, games: u32| {
        format!(
            "game = \"dice\"\nformat = \"match\"\nplayers = [\"greedy\", \"coin\"]\n{more}games = {games}\n"
        )
    };
    let plain = study(&text("", 40));
    let extended = study(&text("extended = true\n", 40));
    let more = study(&text("extended = true\n", 100));
    let dir = folder("extended-plain");
    carry_out(&dir, &plain, None);
    let digest = digest_of(&dir, "extended-plain.json");
    let adopted = carry_out(&folder("extended-whole"), &extended, Some(&digest));
    assert_eq!((adopted.whole, adopted.items), (1, 40));
    // A directory has the single games, to which more are added.
    let longer = folder("extended-more");
    let adopted = carry_out(&longer, &more, Some(&dir));
    assert_eq!((adopted.items, adopted.left), (40, Vec::new()));
    // It is read back as it was written.
    let digest = digest_of(&longer, "extended-more.json");
    for results in [Results::read(&longer, CATALOG), Results::read_digest(&digest, CATALOG)] {
        assert!(results.unwrap().experiment.sections[0].extended);
    }
    assert!(!plain.sections[0].extended);
}
