//! The notes of what was taken over from digests: damaged, deleted, or never written.

use crate::common::folder;
use crate::experiment::CATALOG;
use crate::studies::{
    ALL_KINDS, adopt, carry_out, digest_of, interrupt, numbers, refused, study, work,
};
use spielbaum_core::Stop;
use spielbaum_lab::{Access, Results, report};
use std::fs;
use std::path::{Path, PathBuf};

/// Parts of which some units are there: games with moves, results alone, answers.
const BROKEN: [(&str, usize); 4] =
    [("pair-001", 7), ("table-001", 3), ("narrow-001", 1), ("deeper-001", 1)];

fn note(dir: &Path, part: &str) -> PathBuf {
    dir.join("parts").join(part).join("taken-over.jsonl")
}

/// The notes of parts that have units.
fn notes(dir: &Path) -> Vec<String> {
    BROKEN.iter().map(|(part, _)| fs::read_to_string(note(dir, part)).unwrap()).collect()
}

/// A run that was broken off, and its digest.
fn broken(name: &str) -> (PathBuf, PathBuf) {
    let dir = folder(&format!("{name}-broken"));
    carry_out(&dir, &study(ALL_KINDS), None);
    BROKEN.iter().for_each(|(part, units)| interrupt(&dir, part, *units));
    let digest = digest_of(&dir, &format!("{name}.json"));
    (dir, digest)
}

/// The ways in which a note is lost.
const LOSSES: [fn(&Path); 2] = [damage, delete];

fn delete(path: &Path) {
    fs::remove_file(path).unwrap();
}

fn damage(path: &Path) {
    let text = fs::read_to_string(path).unwrap();
    fs::write(path, text.replace("\"digests\":{", "\"digests\":{\"other.json\":1,")).unwrap();
}

#[test]
fn a_note_of_units_is_written_anew() {
    let experiment = study(ALL_KINDS);
    let (_, digest) = broken("note");
    let on = folder("note-on");
    let taken = adopt(&on, &experiment, &digest).unwrap();
    let expected = notes(&on);
    assert!(expected[0].contains("{\"note.json\":14}"), "{}", expected[0]);

    // Damaged, the part is refused, and what is said to do about it is true.
    BROKEN.iter().for_each(|(part, _)| damage(&note(&on, part)));
    let results = Results::read(&on, CATALOG).unwrap();
    let problem = results.parts[0].problem.as_ref().unwrap();
    assert!(problem.contains("checksum") && problem.contains("counts without it"), "{problem}");
    assert!(work(&on, &experiment, Access::Alone, 1, &Stop::new()).is_err());
    let again = adopt(&on, &experiment, &digest).unwrap();
    assert_eq!((again.items, again.there), (0, taken.items));
    assert_eq!(notes(&on), expected);

    // Deleted, or the process was killed after the units and before the note: the next has it.
    BROKEN.iter().for_each(|(part, _)| delete(&note(&on, part)));
    adopt(&on, &experiment, &digest).unwrap();
    assert_eq!(notes(&on), expected);
    // Killed between two units.
    delete(&note(&on, "pair-001"));
    fs::remove_file(on.join("parts/pair-001/units/000006.jsonl")).unwrap();
    assert_eq!(adopt(&on, &experiment, &digest).unwrap().items, 2);
    assert_eq!(notes(&on), expected);
    // Games with moves tell by themselves that they have none, whatever the digest is called now.
    delete(&note(&on, "pair-001"));
    fs::remove_dir_all(on.join("parts/pair-001/timing")).unwrap();
    let renamed = digest.with_file_name("note-renamed.json");
    fs::copy(&digest, &renamed).unwrap();
    adopt(&on, &experiment, &renamed).unwrap();
    assert!(notes(&on)[0].contains("{\"note-renamed.json\":14}"), "{}", notes(&on)[0]);
    assert_eq!(notes(&on)[1..], expected[1..]);

    // The notes stay as they are while the rest is played, and when all of it is there.
    let before = notes(&on);
    carry_out(&on, &experiment, Some(&digest));
    assert_eq!(notes(&on), before);
    let whole = folder("note-whole");
    carry_out(&whole, &experiment, None);
    let read = |dir: &Path| numbers(&Results::read(dir, CATALOG).unwrap());
    assert_eq!(read(&on), read(&whole));
}

/// The digest of the run that is complete meanwhile holds its parts whole.
#[test]
fn units_that_are_complete_are_not_given_up_for_statistics() {
    let experiment = study(ALL_KINDS);
    let (_, digest) = broken("kept");
    let on = folder("kept-on");
    carry_out(&on, &experiment, Some(&digest));
    let (expected, numbers_then) = (notes(&on), numbers(&Results::read(&on, CATALOG).unwrap()));
    let complete = digest_of(&on, "kept-complete.json");
    for lose in LOSSES {
        BROKEN.iter().for_each(|(part, _)| lose(&note(&on, part)));
        let adopted = adopt(&on, &experiment, &complete).unwrap();
        assert_eq!((adopted.items, adopted.whole), (0, 0));
        assert_eq!(notes(&on), expected);
        let results = Results::read(&on, CATALOG).unwrap();
        assert!(!results.parts[0].is_without_games());
        assert_eq!(numbers(&results), numbers_then);
    }
    // As the message says: without the note the units count, and nothing is played.
    BROKEN.iter().for_each(|(part, _)| delete(&note(&on, part)));
    assert!(Results::read(&on, CATALOG).unwrap().is_complete());
}

#[test]
fn a_note_of_statistics_is_taken_over_anew() {
    let experiment = study(ALL_KINDS);
    let (first, on) = (folder("anew-first"), folder("anew-on"));
    carry_out(&first, &experiment, None);
    let digest = digest_of(&first, "anew.json");
    carry_out(&on, &experiment, Some(&digest));
    let path = note(&on, "pair-001");
    let expected = fs::read_to_string(&path).unwrap();
    damage(&path);
    let problem = Results::read(&on, CATALOG).unwrap().parts[0].problem.clone().unwrap();
    assert!(problem.contains("and the part is played"), "{problem}");
    for lose in LOSSES {
        lose(&path);
        assert_eq!(adopt(&on, &experiment, &digest).unwrap().whole, 1);
        assert_eq!(fs::read_to_string(&path).unwrap(), expected);
    }
    // Units of an older digest take the place of statistics that are no more, not of those that count more.
    interrupt(&first, "pair-001", 7);
    let older = digest_of(&first, "anew-older.json");
    damage(&path);
    let statistics = on.join("parts/pair-001/summary.json");
    let kept = adopt(&on, &experiment, &older).unwrap();
    assert!(kept.items == 0 && statistics.exists());
    assert!(kept.left.iter().any(|l| l.contains("pair-001: its note")), "{:?}", kept.left);
    delete(&statistics);
    assert_eq!(adopt(&on, &experiment, &older).unwrap().items, 14);
    assert!(!statistics.exists());
    assert!(fs::read_to_string(&path).unwrap().contains("{\"anew-older.json\":14}"));
    // A directory cannot renew it, and leaves all as it is.
    damage(&path);
    let before = fs::read(&path).unwrap();
    let told = refused(&on, &experiment, &first);
    assert!(told.contains("taken-over.jsonl") && told.contains("`--from`"), "{told}");
    assert_eq!(fs::read(&path).unwrap(), before);
}

/// What is damaged is told once: it is neither missing nor said to go on by itself.
#[test]
fn a_report_does_not_call_a_damaged_part_missing() {
    let experiment = study(ALL_KINDS);
    let (first, on) = (folder("told-first"), folder("told-on"));
    carry_out(&first, &experiment, None);
    let digest = digest_of(&first, "told.json");
    carry_out(&on, &experiment, Some(&digest));
    damage(&note(&on, "pair-001"));
    let shown = || {
        let results = Results::read(&on, CATALOG).unwrap();
        spielbaum_document::text(&report(&results), 10_000)
    };
    let text = shown();
    assert!(text.contains("The files of 1 part are damaged"), "{text}");
    assert!(text.contains("pair-001: ") && text.contains("taken-over.jsonl"), "{text}");
    assert!(!text.contains("not finished") && !text.contains("not begun"), "{text}");
    // Beside one that is missing.
    fs::remove_dir_all(on.join("parts/deep-001")).unwrap();
    let text = shown();
    let counts = "of 8 parts 6 are complete, 0 are begun, 1 are missing, 1 are damaged";
    assert!(text.contains(counts) && !text.contains("running it again goes on"), "{text}");
    assert!(!text.contains("pair-001 (not begun)") && text.contains("deep-001 (not begun)"));
}
