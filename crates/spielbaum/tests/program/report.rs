//! `report` as a real process: one small run in every format.

use crate::runs::write;
use crate::support::{Scratch, error, json, stdout};
use std::fs;

const SMALL: &str = r#"
title = "Small & odd: 100 % <tested>"
seed = 3
[[experiment]]
id = "pair"
title = "Two budgets"
game = "gomoku:m=3,n=3,k=3"
format = "gauntlet"
games = 12
players = ["uct:iterations=[20,200]"]
opponents = ["random"]
[[experiment]]
id = "table"
game = "pig:players=3,target=20"
format = "match"
games = 12
players = ["uct:iterations=50", "random"]
[[experiment]]
id = "deep"
game = "lion"
format = "depths"
depths = 3
players = ["alphabeta", "minimax"]
"#;

fn run_small(scratch: &Scratch) -> String {
    let (file, dir) = (write(scratch, SMALL), scratch.path("run"));
    stdout(&format!("run '{file}' --out '{dir}' --quiet"));
    dir
}

/// Every `\begin` has its `\end`, in order.
fn assert_balanced(latex: &str) {
    let mut open = Vec::new();
    for (at, _) in latex.match_indices('\\') {
        let rest = &latex[at + 1..];
        let name = |rest: &str| rest.split_once('}').map(|(name, _)| name.to_string());
        if let Some(rest) = rest.strip_prefix("begin{") {
            open.push(name(rest).unwrap());
        } else if let Some(rest) = rest.strip_prefix("end{") {
            assert_eq!(open.pop(), name(rest), "in {latex}");
        }
    }
    assert_eq!(open, Vec::<String>::new());
}

#[test]
fn one_run_in_every_format() {
    let scratch = Scratch::new("report-formats");
    let dir = run_small(&scratch);
    let status = json(&format!("status '{dir}' --json"));
    let score = |part: usize| {
        let score = status["parts"][part]["match"]["score"].as_f64().unwrap();
        format!("{:.1}", 100.0 * score)
    };
    let scores = [score(0), score(1)];
    let [page, paper, note] = ["r.html", "r.tex", "r.md"].map(|name| scratch.path(name));
    let told =
        stdout(&format!("report '{dir}' --html '{page}' --latex '{paper}' --markdown '{note}'"));
    assert_eq!(told, "", "all of it went to files");
    let [html, latex, markdown] = [page, paper, note].map(|path| fs::read_to_string(path).unwrap());
    // Its hyphens are written so that nothing becomes a dash.
    let latex = latex.replace("{-}", "-");
    let text = stdout(&format!("report '{dir}'"));
    let document = json(&format!("report '{dir}' --json"));
    for (name, shown) in
        [("HTML", &html), ("LaTeX", &latex), ("Markdown", &markdown), ("text", &text)]
    {
        for wanted in scores.iter().map(String::as_str).chain(["Two budgets", "pair-002"]) {
            assert!(shown.contains(wanted), "{name} has no {wanted}: {shown}");
        }
        // Only the terminal is told where the page is.
        let folder = scratch.0.to_string_lossy();
        assert!(name == "text" || !shown.contains(&*folder), "{name} names a folder");
    }
    assert!(html.starts_with("<!doctype html>") || html.starts_with("<!DOCTYPE html>"));
    assert!(html.trim_end().ends_with("</html>"));
    assert!(html.contains("Small &amp; odd: 100 % &lt;tested&gt;") && !html.contains("<tested>"));
    assert!(html.contains("<svg") || html.contains("\"$schema\""), "charts");
    for outside in ["src=\"http", "href=\"http", "@import", "url(http"] {
        assert!(!html.contains(outside), "the page asks the network: {outside}");
    }
    assert!(latex.contains(r"Small \& odd: 100 \%"), "{latex}");
    assert_balanced(&latex);
    let rows = markdown.lines().filter(|line| line.starts_with('|') && line.contains("pair-00"));
    assert!(rows.count() >= 2, "{markdown}");
    assert_eq!(document["title"], "Small & odd: 100 % <tested>");
    let sections = document["sections"].as_array().unwrap();
    assert!(sections.iter().any(|section| section["id"] == "deep"), "{document}");
    // Without options the page lies in the run's directory; on standard output it is the same.
    assert_eq!(fs::read_to_string(scratch.0.join("run/report.html")).unwrap(), html);
    assert_eq!(stdout(&format!("report '{dir}' --markdown -")), markdown);
}

#[test]
fn what_cannot_be_reported_is_told() {
    let scratch = Scratch::new("report-wrong");
    let dir = run_small(&scratch);
    let told = error(&format!("report '{dir}' --html - --latex -"), 2);
    assert!(told.contains("only one of"), "{told}");
    let missing = scratch.path("nothing");
    let told = error(&format!("report '{missing}'"), 2);
    assert!(told.contains("nothing"), "{told}");
    // A damaged unit is told by its name, though the statistics of its part are there.
    let unit = scratch.0.join("run/parts/pair-002/units/000000.jsonl");
    let text = fs::read_to_string(&unit).unwrap();
    fs::write(&unit, text.replacen("\"over\"", "\"limit\"", 1)).unwrap();
    let told = stdout(&format!("report '{dir}' --markdown -"));
    let plain = told.replace('\\', "");
    assert!(plain.contains("pair-002/units/000000.jsonl"), "{told}");
    let status = json(&format!("status '{dir}' --json"));
    assert_eq!(status["parts"][1]["state"], "damaged");
    assert_eq!(status["complete"], false);
}

/// A pipe that nobody reads would hold it up for ever.
#[cfg(unix)]
#[test]
fn only_regular_files_are_written() {
    use std::os::unix::fs::symlink;
    let scratch = Scratch::new("report-pipe");
    let (file, dir) = (write(&scratch, SMALL), scratch.path("run"));
    stdout(&format!("run '{file}' --out '{dir}' --quiet --only deep"));
    let pipe = scratch.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for option in ["--html", "--markdown", "--latex"] {
        for (path, problem) in [
            (pipe.as_str(), "pipe is a pipe or a device; give the name of a regular file"),
            ("/dev/null", "/dev/null is a pipe or a device"),
            (dir.as_str(), "run is a directory"),
        ] {
            let told = error(&format!("report '{dir}' {option} '{path}'"), 2);
            assert!(told.contains(problem), "{told}");
        }
    }
    symlink("page.html", scratch.0.join("link")).unwrap();
    stdout(&format!("report '{dir}' --html '{}'", scratch.path("link")));
    assert!(fs::read_to_string(scratch.path("page.html")).unwrap().ends_with("</html>\n"));
    assert!(scratch.0.join("link").symlink_metadata().unwrap().is_symlink());
    let told = error(&format!("picture carcassonne --out '{pipe}'"), 2);
    assert!(told.contains("pipe is a pipe or a device"), "{told}");
}
