//! Running the real program.

use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// The program with arguments, split at blanks; `'…'` keeps blanks together.
pub(crate) fn command(line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_spielbaum"));
    command.args(words(line)).stdin(Stdio::null());
    command
}

fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in line.split('\'').enumerate() {
        if i % 2 == 1 {
            words.push(part.to_string());
        } else {
            words.extend(part.split_whitespace().map(str::to_string));
        }
    }
    words
}

/// Runs to the end.
pub(crate) fn run(line: &str) -> Output {
    command(line).output().expect("the program starts")
}

/// Runs with this standard input.
pub(crate) fn run_with(line: &str, input: &[u8]) -> Output {
    let mut child = command(line)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(input).expect("it reads");
    child.wait_with_output().expect("it ends")
}

/// Standard output of a run that must succeed.
pub(crate) fn stdout(line: &str) -> String {
    let output = run(line);
    assert_eq!(output.status.code(), Some(0), "{line}: {}", stderr(&output));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The JSON of a run that must succeed.
pub(crate) fn json(line: &str) -> Value {
    let text = stdout(line);
    assert_eq!(text.lines().count(), 1, "{line}: one value in one line, not {text}");
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{line}: {e}: {text}"))
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The error message of a run that must fail with this exit code, without a panic.
pub(crate) fn error(line: &str, code: i32) -> String {
    let output = run(line);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{line}: {message}");
    assert!(message.starts_with("error: "), "{line}: {message}");
    assert!(!message.contains("panicked") && !message.contains("RUST_BACKTRACE"), "{message}");
    message
}

/// An empty directory of this test, removed when it goes out of scope.
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("spielbaum-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(&dir).expect("a directory for the test");
        Scratch(dir)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("UTF-8").to_string()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
