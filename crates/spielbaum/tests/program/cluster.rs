//! Runs on a cluster, with small scripts in the place of Slurm's commands: tasks die, run twice
//! and are cancelled, and the records are those of a run on this machine.

use crate::runs::{ALL_KINDS, bytes, wait_for_units, write};
use crate::support::{Scratch, command, json, stderr, stdout};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A cluster of this test.
struct Fake {
    scratch: Scratch,
    faults: &'static str,
}

impl Fake {
    fn new(name: &str, faults: &'static str) -> Fake {
        let scratch = Scratch::new(name);
        for folder in ["bin", "jobs"] {
            std::fs::create_dir(scratch.0.join(folder)).unwrap();
        }
        let scripts = [
            ("sbatch", include_str!("cluster/sbatch")),
            ("squeue", include_str!("cluster/squeue")),
            ("scancel", include_str!("cluster/scancel")),
            ("scontrol", include_str!("cluster/scontrol")),
        ];
        for (program, text) in scripts {
            let path = scratch.0.join("bin").join(program);
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
        }
        Fake { scratch, faults }
    }

    fn command(&self, line: &str) -> Command {
        let mut command = command(line);
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{path}", self.scratch.path("bin")));
        command.env("FAKE", self.scratch.path("jobs")).env("FAULTS", self.faults);
        command
    }

    fn run(&self, line: &str) -> Output {
        self.command(line).output().expect("the program starts")
    }

    fn json(&self, line: &str) -> Value {
        let output = self.run(line);
        assert_eq!(output.status.code(), Some(0), "{line}: {}", stderr(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// What sbatch was called with, job by job.
    fn jobs(&self) -> Vec<String> {
        let line = |job: usize| {
            std::fs::read_to_string(self.scratch.0.join(format!("jobs/{job}/line"))).ok()
        };
        (1..).map_while(line).collect()
    }
}

fn files(dir: &Path, name: &str) -> usize {
    std::fs::read_dir(dir.join(name)).unwrap().count()
}

#[test]
fn tasks_that_die_or_run_twice_leave_the_bytes_of_a_local_run() {
    let fake = Fake::new("cluster-deaths", "deaths");
    let file = write(&fake.scratch, ALL_KINDS);
    let (local, cluster) = (fake.scratch.path("local"), fake.scratch.path("cluster"));
    let answer = json(&format!("run '{file}' --out '{local}' --quiet --json"));
    let options = "--backend slurm --task-time 700ms --at-once 3 --slurm-option=--mem=1G --jobs 2";
    let same = fake.json(&format!("run '{file}' --out '{cluster}' {options} --json"));
    assert_eq!(same, answer);
    assert_eq!(bytes(&fake.scratch.0.join("cluster")), bytes(&fake.scratch.0.join("local")));
    let jobs = fake.jobs();
    assert!(jobs.len() > 1, "what was lost is submitted again: {jobs:?}");
    assert!(jobs[0].contains("--mem=1G") && jobs[0].contains("--cpus-per-task=2"), "{}", jobs[0]);
    assert!(jobs[0].contains("%3 ") && jobs[0].contains("--requeue"), "{}", jobs[0]);
    // A run is one run wherever it was: here it finds nothing to do, and so does a cluster.
    assert_eq!(json(&format!("run '{cluster}' --quiet --json")), answer);
    assert_eq!(fake.json(&format!("run '{cluster}' --backend slurm --json")), answer);
    assert_eq!(fake.jobs().len(), jobs.len());
    assert_eq!(bytes(&fake.scratch.0.join("cluster")), bytes(&fake.scratch.0.join("local")));
    // A unit that is gone is played again, its statistics notwithstanding.
    let unit = fake.scratch.0.join("cluster/parts/pair-001/units/000001.jsonl");
    std::fs::remove_file(&unit).unwrap();
    assert_eq!(fake.json(&format!("run '{cluster}' --backend slurm --json")), answer);
    assert!(unit.exists() && fake.jobs().len() == jobs.len() + 1);
    assert_eq!(bytes(&fake.scratch.0.join("cluster")), bytes(&fake.scratch.0.join("local")));
}

#[test]
fn sequential_tests_go_by_waves_and_leave_nothing_beyond_their_decision() {
    let fake = Fake::new("cluster-waves", "none");
    let text = r#"
seed = 2
game = "gomoku:m=4,n=4,k=3"
format = "gauntlet"
games = 4000
players = ["uct:iterations=200"]
opponents = ["random", "uct:iterations=150"]
[stop]
sprt = "elo0=0,elo1=15"
"#;
    let file = write(&fake.scratch, text);
    let (local, cluster) = (fake.scratch.path("local"), fake.scratch.path("cluster"));
    let answer = json(&format!("run '{file}' --out '{local}' --quiet --json"));
    let states: Vec<&Value> =
        answer["parts"].as_array().unwrap().iter().map(|part| &part["state"]).collect();
    assert_eq!(states, ["decided", "decided"]);
    let line = format!("run '{file}' --out '{cluster}' --backend slurm --task-time 500ms --json");
    assert_eq!(fake.json(&line), answer);
    assert_eq!(bytes(&fake.scratch.0.join("cluster")), bytes(&fake.scratch.0.join("local")));
    // A decided part has no further wave, the other has.
    let units = |part: &str| files(&fake.scratch.0.join("local/parts").join(part), "units");
    let of_part = |i: usize, part: &str| {
        let (all, done) = (answer["parts"][i]["units_of_part"].as_u64().unwrap(), units(part));
        let next = |&end: &u64| Some(end + all.div_ceil(10).max(end / 2));
        1 + std::iter::successors(next(&0), next).take_while(|&end| end < done as u64).count()
    };
    let waves = [of_part(0, "main-001"), of_part(1, "main-002")];
    let jobs = fake.jobs().len();
    assert!(waves[0] == 1 && waves[1] > 1, "{waves:?}");
    assert!((waves[1]..waves[0] + waves[1]).contains(&jobs), "{jobs} submissions, {waves:?}");
    // What is decided is not submitted again.
    assert_eq!(fake.json(&line), answer);
    assert_eq!(fake.jobs().len(), jobs);
    let units = units("main-001");
    let timing = files(&fake.scratch.0.join("cluster/parts/main-001"), "timing");
    assert_eq!(timing, units, "the times of units that do not count are gone as well");
}

#[test]
fn ctrl_c_leaves_the_tasks_at_work_and_the_same_command_comes_back_to_them() {
    let fake = Fake::new("cluster-detach", "patience");
    let file = write(&fake.scratch, ALL_KINDS);
    let (local, cluster) = (fake.scratch.path("local"), fake.scratch.path("cluster"));
    let answer = json(&format!("run '{file}' --out '{local}' --quiet --json"));
    let child = fake
        .command(&format!(
            "run '{file}' --out '{cluster}' --backend slurm --tasks 2 --task-time 100ms"
        ))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    wait_for_units(&fake.scratch.0.join("cluster"), 1);
    // Neither another submission nor a run on this machine disturbs it.
    for line in ["--backend slurm", ""] {
        let busy = stderr(&fake.run(&format!("run '{cluster}' {line}")));
        assert!(busy.contains("in use by process"), "{line}: {busy}");
    }
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains(&format!("spielbaum run {cluster} --backend slurm")), "{said}");
    assert!(said.contains("scancel 1"), "{said}");
    std::fs::write(fake.scratch.0.join("jobs/go"), "").unwrap();
    let line = format!("run '{cluster}' --backend slurm --quiet --json");
    assert_eq!(fake.json(&line), answer);
    assert_eq!(fake.jobs().len(), 1, "nothing was submitted twice");
    assert_eq!(bytes(&fake.scratch.0.join("cluster")), bytes(&fake.scratch.0.join("local")));
}

#[test]
fn what_is_wrong_with_a_cluster_is_told() {
    let text = "game = \"gomoku:m=3,n=3,k=3\"\nformat = \"match\"\ngames = 4\n\
                players = [\"random\", \"random\"]\n";
    let told = |fake: &Fake, options: &str, code: i32| {
        let (file, dir) = (write(&fake.scratch, text), fake.scratch.path("run"));
        let output = fake.run(&format!("run '{file}' --out '{dir}' {options}"));
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        stderr(&output)
    };
    let fake = Fake::new("cluster-wrong", "none");
    let refused = told(&fake, "--backend slurm --slurm-option=--partition=none", 1);
    assert!(refused.contains("error: sbatch: error: invalid partition specified: none"));
    let alone = told(&fake, "--tasks 7", 2);
    assert!(alone.contains("--tasks") && alone.contains("--backend slurm"), "{alone}");
    std::fs::remove_file(fake.scratch.0.join("bin/sbatch")).unwrap();
    let mut command = fake.command(&format!("run '{}' --backend slurm", fake.scratch.path("run")));
    let output = command.env("PATH", fake.scratch.path("bin")).output().unwrap();
    assert!(stderr(&output).contains("`sbatch` is not on the PATH"), "{}", stderr(&output));
    let fake = Fake::new("cluster-failures", "failures");
    let failing = told(&fake, "--backend slurm", 1);
    assert!(failing.contains("wave-003-0.out"), "{failing}");
    assert!(failing.contains("the machine is broken"), "{failing}");
    let fake = Fake::new("cluster-blind", "blind");
    let blind = told(&fake, "--backend slurm", 1);
    assert!(blind.contains("see this directory under the same name"), "{blind}");
    // Whatever happened, a run on this machine goes on.
    stdout(&format!("run '{}' --quiet", fake.scratch.path("run")));
}

#[test]
fn a_task_plays_what_is_missing_and_says_what_it_did() {
    let fake = Fake::new("cluster-task", "blind");
    let text = "game = \"gomoku:m=4,n=4,k=3\"\nformat = \"match\"\ngames = 8\n\
                players = [\"uct:iterations=2000\", \"random\"]\n";
    let (file, dir) = (write(&fake.scratch, text), fake.scratch.path("run"));
    fake.run(&format!("run '{file}' --out '{dir}' --backend slurm"));
    let wave = format!("{dir}/slurm/wave-001.json");
    let units = files(&fake.scratch.0.join("run/parts/main-001"), "units");
    assert_eq!(units, 0);
    let said = stdout(&format!("work '{dir}' '{wave}' --task 0 --jobs 2"));
    let units = files(&fake.scratch.0.join("run/parts/main-001"), "units");
    assert!(said.starts_with(&format!("task 0: {units} units played")), "{said}");
    assert!(stdout(&format!("work '{dir}' '{wave}' --task 0")).contains(" 0 units played"));
    let none = stderr(&fake.run(&format!("work '{dir}' '{wave}' --task 7")));
    assert!(none.contains("has no task 7"), "{none}");
    let which = stderr(&fake.run(&format!("work '{dir}' '{wave}'")));
    assert!(which.contains("SLURM_ARRAY_TASK_ID"), "{which}");
}

#[test]
fn a_replication_is_submitted_like_any_run() {
    let fake = Fake::new("cluster-replicate", "none");
    let (local, cluster) = (fake.scratch.path("local"), fake.scratch.path("cluster"));
    let line = |out: &str| format!("replicate lion --quick --only L1 --out '{out}'");
    // Looking at what would be done submits nothing.
    let dry = fake.run(&format!("{} --backend slurm --dry-run", line(&cluster)));
    assert_eq!(dry.status.code(), Some(0), "{}", stderr(&dry));
    assert!(fake.jobs().is_empty() && !fake.scratch.0.join("cluster/lion-quick/parts").exists());
    stdout(&format!("{} --quiet", line(&local)));
    let options = "--backend slurm --tasks 3 --at-once 2 --slurm-option=--partition=long --jobs 1";
    let told = fake.run(&format!("{} {options}", line(&cluster)));
    assert_eq!(told.status.code(), Some(0), "{}", stderr(&told));
    let report = String::from_utf8_lossy(&told.stdout);
    assert!(report.contains("Is it repeated?") && report.contains("The anchor"), "{report}");
    let jobs = fake.jobs();
    assert_eq!(jobs.len(), 1, "{jobs:?}");
    for word in ["--array=0-", "%2 ", "--requeue", "--partition=long", "--cpus-per-task=1"] {
        assert!(jobs[0].contains(word), "no {word}: {}", jobs[0]);
    }
    let script = fake.scratch.0.join("cluster/lion-quick/slurm");
    assert!(jobs[0].contains(&*script.to_string_lossy()), "{}", jobs[0]);
    let without_page = |name: &str| {
        let mut files = bytes(&fake.scratch.0.join(name));
        files.remove("lion-quick/report.html").expect("a page");
        files
    };
    assert_eq!(without_page("cluster"), without_page("local"));
}
