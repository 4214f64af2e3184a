//! Where a run was run: outside the promise of identical bytes.

use crate::store::{host, json, publish};
use crate::{FORMAT, LabError};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// All environments a run has seen, in order.
#[derive(Default, Serialize, Deserialize)]
struct Environments {
    format: u32,
    stamps: Vec<Stamp>,
}

/// A machine and program that worked on a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stamp {
    /// Version of the program.
    pub version: String,
    /// Name of the machine.
    pub host: String,
    /// Operating system and kind of processor.
    pub os: String,
    /// The processor.
    pub cpu: String,
    /// Cores the program may use.
    pub cores: usize,
    /// What budgets of time are measured with.
    pub clock: String,
}

/// Where a run was run, in order; nothing if nobody can tell.
pub(super) fn stamps(dir: &Path) -> Vec<Stamp> {
    let text = std::fs::read(dir.join("timing").join("environment.json")).unwrap_or_default();
    serde_json::from_slice::<Environments>(&text).unwrap_or_default().stamps
}

/// Adds this machine and program, unless they are there.
pub(super) fn stamp(dir: &Path) -> Result<(), LabError> {
    let path = dir.join("timing").join("environment.json");
    let text = std::fs::read(&path).unwrap_or_default();
    let mut seen: Environments = serde_json::from_slice(&text).unwrap_or_default();
    let stamp = Stamp {
        version: env!("CARGO_PKG_VERSION").to_string(),
        host: host(),
        os: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        cpu: cpu(),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        clock: "monotonic wall time".to_string(),
    };
    if seen.stamps.contains(&stamp) {
        return Ok(());
    }
    seen.format = FORMAT;
    seen.stamps.push(stamp);
    publish(&path, json(&seen)?.as_bytes())
}

fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    model.map_or("unknown".to_string(), |(_, name)| name.trim().to_string())
}
