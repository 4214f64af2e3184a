//! The axes of a section: what is swept over, each under the shortest name that tells it apart.

use super::Axis;
use super::slot::Setting;

/// Axes while they are gathered, known by their keys.
#[derive(Default)]
pub(super) struct Axes {
    list: Vec<(Vec<String>, Vec<String>)>,
}

impl Axes {
    /// Adds an axis, or values to the one with these keys.
    pub(super) fn add(&mut self, path: Vec<String>, values: Vec<String>) {
        let found = self.list.iter().position(|axis| axis.0 == path);
        let axis = found.unwrap_or_else(|| {
            self.list.push((path, Vec::new()));
            self.list.len() - 1
        });
        let known = &mut self.list[axis].1;
        for value in values {
            if !known.contains(&value) {
                known.push(value);
            }
        }
    }

    /// A setting as the value on each axis, empty where it says nothing.
    pub(super) fn values(&self, setting: &Setting) -> Vec<String> {
        let value = |path: &Vec<String>| setting.iter().find(|s| s.0 == *path).map(|s| s.1.clone());
        self.list.iter().map(|axis| value(&axis.0).unwrap_or_default()).collect()
    }

    /// The axes by name: the last key, and of several alike the longer way to it.
    pub(super) fn named(self) -> Vec<Axis> {
        let paths: Vec<Vec<String>> = self.list.iter().map(|axis| axis.0.clone()).collect();
        let names = names(&paths);
        (self.list.into_iter().zip(names))
            .map(|((_, values), name)| Axis { name, values })
            .collect()
    }
}

fn names(paths: &[Vec<String>]) -> Vec<String> {
    let mut lengths = vec![1; paths.len()];
    let name = |i: usize, length: usize| {
        let path = &paths[i];
        path[path.len() - length.min(path.len())..].join(".")
    };
    loop {
        let current: Vec<String> = (0..paths.len()).map(|i| name(i, lengths[i])).collect();
        let twice = |i: usize| current.iter().filter(|n| **n == current[i]).count() > 1;
        let longer: Vec<usize> =
            (0..paths.len()).filter(|&i| twice(i) && lengths[i] < paths[i].len()).collect();
        if longer.is_empty() {
            return numbered(current);
        }
        longer.into_iter().for_each(|i| lengths[i] += 1);
    }
}

/// Keys may hold the separator: what is still alike is numbered.
fn numbered(names: Vec<String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in names {
        let again = |n: usize| if n == 1 { name.clone() } else { format!("{name}#{n}") };
        let free = (1..).map(again).find(|name| !all.contains(name));
        all.push(free.unwrap_or(name));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_short_as_they_can_be() {
        let paths = |texts: &[&str]| {
            names(
                &texts.iter().map(|t| t.split('/').map(String::from).collect()).collect::<Vec<_>>(),
            )
        };
        assert_eq!(paths(&["player/c", "player/playout/depth"]), ["c", "depth"]);
        assert_eq!(paths(&["a/depth", "b/depth"]), ["a.depth", "b.depth"]);
        assert_eq!(
            paths(&["player/depth", "player/playout/depth", "depth"]),
            ["player.depth", "playout.depth", "depth"]
        );
        assert_eq!(
            paths(&["a/x/depth", "b/x/depth", "b/y/depth"]),
            ["a.x.depth", "b.x.depth", "y.depth"]
        );
    }
}
