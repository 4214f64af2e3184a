//! Experiment files. Whatever the text says, it is read as it is, as a quick run and in the
//! paper's time; mistakes have a place in the text, and parts have headers that are read back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use spielbaum_fuzz::{games, spec_error};
use spielbaum_lab::{Exam, Experiment, MAX_PARTS, Plan, RunOptions, Source, Work};

/// Files that an experiment may name.
const FILES: [(&str, &str); 2] = [
    ("values.jsonl", r#"{"fen":"1l1/geG/Lc1/E2[c] w - - 0 1","moves":{"c3c2":"L2"}}"#),
    ("book.txt", "# one line\nb2b3\n"),
];

/// Parts whose headers are read back; a sweep may have thousands.
const PARTS: usize = 8;

fuzz_target!(|input: &str| {
    for (quick, paper_time) in [(false, false), (true, false), (false, true)] {
        let mut source = Source::new("fuzz.toml", input);
        source.files = FILES.map(|(name, text)| (name.to_string(), text.to_string())).into();
        match Experiment::parse(source, RunOptions::new(quick, paper_time), games()) {
            Ok(experiment) => sound(&experiment),
            Err(mistakes) => {
                assert!(!mistakes.list().is_empty() && !mistakes.to_string().is_empty());
                let lines = input.lines().count().max(1);
                for mistake in mistakes.list() {
                    assert!((1..=lines + 1).contains(&mistake.line), "{mistake:?}");
                    assert!(mistake.column > 0, "{mistake:?}");
                    spec_error(&mistake.error);
                }
            }
        }
    }
});

fn sound(experiment: &Experiment) {
    let parts = experiment.parts().count();
    assert!((1..=MAX_PARTS).contains(&parts), "{parts} parts");
    for (section, part) in experiment.parts() {
        assert_eq!(part.setting.len(), section.axes.len(), "{}", part.name);
        assert!(part.name.starts_with(&section.id));
    }
    for (_, part) in experiment.parts().take(PARTS) {
        match &part.work {
            Work::Match(plan) => {
                let (_, again) = Plan::of_header(plan.header(), games()).expect("it is a match");
                assert_eq!(again.header(), plan.header());
            }
            Work::Exam(exam) => {
                let (_, again) = Exam::of_header(exam.header(), games()).expect("it is an exam");
                assert_eq!(again.header(), exam.header());
            }
        }
    }
}
