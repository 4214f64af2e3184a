//! A submission as a file: which task plays which units.

use crate::store::{json, publish, read_format};
use crate::{FORMAT, LabError};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Units of a part, side by side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stretch {
    pub(crate) part: String,
    pub(crate) first: u64,
    /// The last one, included.
    pub(crate) last: u64,
}

/// What was submitted at once.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wave {
    format: u32,
    /// The job, once the batch system has named it.
    pub(crate) job: Option<String>,
    pub(crate) tasks: Vec<Vec<Stretch>>,
}

impl Wave {
    /// Tasks of these units, by part and number, in order.
    pub(crate) fn new<'a>(tasks: impl Iterator<Item = Vec<(&'a str, u64)>>) -> Wave {
        let stretches = |units: Vec<(&'a str, u64)>| {
            let mut stretches: Vec<Stretch> = Vec::new();
            for (part, unit) in units {
                match stretches.last_mut() {
                    Some(s) if s.part == part && s.last + 1 == unit => s.last = unit,
                    _ => {
                        stretches.push(Stretch { part: part.to_string(), first: unit, last: unit });
                    }
                }
            }
            stretches
        };
        Wave { format: FORMAT, job: None, tasks: tasks.map(stretches).collect() }
    }

    /// The units of a task.
    pub(crate) fn units(&self, task: usize) -> impl Iterator<Item = (&str, u64)> {
        let stretches = self.tasks.get(task).into_iter().flatten();
        stretches.flat_map(|s| (s.first..=s.last).map(move |unit| (s.part.as_str(), unit)))
    }

    pub(crate) fn read(path: &Path) -> Result<Wave, LabError> {
        let wrong = |e| {
            let help = "submit the run again";
            LabError::damaged(path, format!("it is no list of tasks: {e}"), help)
        };
        serde_json::from_value(read_format(path, "list of tasks")?).map_err(wrong)
    }

    pub(crate) fn write(&self, path: &Path) -> Result<(), LabError> {
        publish(path, json(self)?.as_bytes())
    }

    /// Where the wave of a number is.
    pub(crate) fn path(folder: &Path, number: u64) -> PathBuf {
        folder.join(format!("wave-{number:03}.json"))
    }

    /// The waves that are there, in order.
    pub(crate) fn numbers(folder: &Path) -> Vec<u64> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let number = |name: &str| name.strip_prefix("wave-")?.strip_suffix(".json")?.parse().ok();
        let mut numbers: Vec<u64> =
            entries.filter_map(|entry| number(entry.file_name().to_str()?)).collect();
        numbers.sort_unstable();
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_side_by_side_are_a_stretch() {
        let units = [vec![("a", 0), ("a", 1), ("b", 0)], vec![("b", 2), ("b", 4), ("b", 5)]];
        let wave = Wave::new(units.clone().into_iter());
        let lengths: Vec<usize> = wave.tasks.iter().map(Vec::len).collect();
        assert_eq!(lengths, [2, 2]);
        for (task, units) in units.iter().enumerate() {
            assert_eq!(&wave.units(task).collect::<Vec<_>>(), units);
        }
        assert_eq!(wave.units(2).count(), 0);
    }
}
