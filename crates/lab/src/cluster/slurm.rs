//! Slurm, by its commands: `sbatch`, `squeue`, `scancel`.

use super::{Batch, Queued};
use crate::LabError;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Slurm's own default of `MaxArraySize`, where it does not say.
const ARRAY: usize = 1000;

/// A Slurm cluster whose commands are on the `PATH`.
#[derive(Clone, Debug)]
pub struct Slurm {
    script: PathBuf,
    options: Vec<String>,
    at_once: Option<u32>,
}

impl Slurm {
    /// Finds the commands of Slurm. `options` go to `sbatch` as they are; `at_once` is the most
    /// tasks of an array that run at the same time.
    pub fn find(options: Vec<String>, at_once: Option<u32>) -> Result<Slurm, LabError> {
        for program in ["sbatch", "squeue", "scancel"] {
            run(Command::new(program).arg("--version"))?;
        }
        Ok(Slurm { script: PathBuf::new(), options, at_once })
    }

    /// Writes the script of every task into a folder: it runs `program`, words of a command
    /// line, with the file of the tasks behind it.
    pub fn write_script(&mut self, folder: &Path, program: &[String]) -> Result<(), LabError> {
        let words: Vec<String> = program.iter().map(|word| quoted(word)).collect();
        let text = format!("#!/bin/sh\nexec {} \"$1\"\n", words.join(" "));
        self.script = folder.join("task.sh");
        std::fs::create_dir_all(folder).map_err(LabError::io(folder))?;
        crate::store::publish(&self.script, text.as_bytes())
    }

    /// Most tasks of an array, as far as Slurm says it.
    pub fn most_tasks(&self) -> usize {
        let config = run(Command::new("scontrol").args(["show", "config"])).ok();
        let text = config.map(|out| String::from_utf8_lossy(&out.stdout).into_owned());
        let most = text.as_deref().and_then(max_array_size);
        most.unwrap_or(ARRAY)
    }
}

/// The value of `MaxArraySize` in the configuration.
fn max_array_size(config: &str) -> Option<usize> {
    let line = config.lines().find_map(|line| line.trim().strip_prefix("MaxArraySize"))?;
    line.split_once('=')?.1.trim().parse().ok().filter(|&most| most > 0)
}

/// A word for the shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Runs a command to its end; an error tells what it said. What a job of our own has set for
/// itself is not meant for the tasks, and what a user has set for tables neither.
fn run(command: &mut Command) -> Result<Output, LabError> {
    let inherited = std::env::vars_os().map(|(name, _)| name);
    for name in inherited {
        let text = name.to_string_lossy();
        let ours = text.starts_with("SLURM_") && text != "SLURM_CONF";
        if ours || text.starts_with("SQUEUE_") {
            command.env_remove(&name);
        }
    }
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().map_err(|e| match e.kind() {
        ErrorKind::NotFound => LabError::Cluster(format!(
            "`{program}` is not on the PATH: Slurm's commands are there on the machines from which \
             jobs are submitted"
        )),
        _ => LabError::Cluster(format!("{program}: {e}")),
    })?;
    match output.status.success() {
        true => Ok(output),
        false => {
            let said = String::from_utf8_lossy(&output.stderr).trim().to_string();
            let said = if said.is_empty() { output.status.to_string() } else { said };
            Err(LabError::Cluster(match said.starts_with(&program) {
                true => said,
                false => format!("{program}: {said}"),
            }))
        }
    }
}

impl Batch for Slurm {
    fn name(&self) -> &'static str {
        "slurm"
    }

    fn submit(&mut self, file: &Path, tasks: usize) -> Result<String, LabError> {
        let limit = self.at_once.map(|n| format!("%{n}")).unwrap_or_default();
        let output = file.with_extension("");
        // Slurm reads `%` in the name of the output as its own.
        let output = output.to_string_lossy().replace('%', "%%");
        let mut command = Command::new("sbatch");
        command
            .args(["--job-name=spielbaum", "--requeue", "--open-mode=append"])
            .args(&self.options)
            .arg("--parsable")
            .arg(format!("--array=0-{}{limit}", tasks.saturating_sub(1)))
            .arg(format!("--output={output}-%a.out"))
            .arg(&self.script)
            .arg(file);
        let out = run(&mut command)?;
        // `ID`, or `ID;CLUSTER`.
        let said = String::from_utf8_lossy(&out.stdout);
        let job = said.lines().last().unwrap_or_default().split(';').next().unwrap_or_default();
        match !job.is_empty() && job.bytes().all(|b| b.is_ascii_digit()) {
            true => Ok(job.to_string()),
            false => Err(LabError::Cluster(format!("sbatch answers `{said}`, not with a job"))),
        }
    }

    fn queue(&mut self, jobs: &[String]) -> Result<Vec<Queued>, LabError> {
        if jobs.is_empty() {
            return Ok(Vec::new());
        }
        let mut command = Command::new("squeue");
        command.args(["--noheader", "--all", "--array", "--format=%F|%K|%T|%r"]);
        command.arg(format!("--jobs={}", jobs.join(",")));
        match run(&mut command) {
            Ok(out) => Ok(parse_queue(&String::from_utf8_lossy(&out.stdout))),
            // It is said of a single job that has been forgotten.
            Err(LabError::Cluster(said)) if said.contains("Invalid job id") => Ok(Vec::new()),
            Err(e) => Err(e),
        }
    }

    fn cancel(&mut self, jobs: &[String]) -> Result<(), LabError> {
        match jobs.is_empty() {
            true => Ok(()),
            false => run(Command::new("scancel").args(jobs)).map(drop),
        }
    }

    fn how_to_cancel(&self, jobs: &[String]) -> String {
        format!("scancel {}", jobs.join(" "))
    }

    fn output(&self, file: &Path, task: usize) -> PathBuf {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        file.with_file_name(format!("{name}-{task}.out"))
    }
}

/// Lines of `JOB|TASK|STATE|REASON`.
fn parse_queue(text: &str) -> Vec<Queued> {
    let line = |line: &str| {
        let mut fields = line.trim().splitn(4, '|');
        let (job, task) = (fields.next()?.to_string(), fields.next()?.parse().ok()?);
        let state = fields.next()?;
        let running = matches!(state, "RUNNING" | "COMPLETING" | "CONFIGURING");
        let reason = fields.next().filter(|&r| r != "None").unwrap_or_default().to_string();
        Some(Queued { job, task, running, reason })
    };
    text.lines().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_queue_is_read() {
        let queue =
            parse_queue("7|2|PENDING|JobArrayTaskLimit\n7|0|RUNNING|None\nslurm is odd\n\n");
        let task = |task, running, reason: &str| Queued {
            job: "7".to_string(),
            task,
            running,
            reason: reason.to_string(),
        };
        assert_eq!(queue, [task(2, false, "JobArrayTaskLimit"), task(0, true, "")]);
    }

    #[test]
    fn the_size_of_arrays_is_read() {
        let config = "MailProg  = /bin/mail\nMaxArraySize            = 10001\nMaxDBDMsgs = 3";
        assert_eq!(max_array_size(config), Some(10_001));
        assert_eq!(max_array_size("MaxJobCount = 3"), None);
    }

    #[test]
    fn words_are_quoted_for_the_shell() {
        assert_eq!(quoted("/home/o'neil/a b"), r"'/home/o'\''neil/a b'");
    }
}
