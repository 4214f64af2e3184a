//! What is loaded once and used by the players of all threads: networks and tables.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::SystemTime;

/// Things by name or path, each loaded once and dropped when nobody uses it any more.
///
/// ```
/// use spielbaum_core::Shared;
/// static TEXTS: Shared<String> = Shared::new();
/// let load = || Ok::<_, String>("loaded".to_string());
/// let first = TEXTS.get("name", load).unwrap();
/// let second = TEXTS.get("name", || Err("not again".to_string())).unwrap();
/// assert!(std::sync::Arc::ptr_eq(&first, &second));
/// ```
pub struct Shared<T> {
    all: Mutex<Vec<(Key, Weak<T>)>>,
}

/// What tells one from another: a file may be written anew while the program runs.
#[derive(Clone, PartialEq, Eq)]
struct Key {
    name: String,
    variant: u32,
    file: Option<(u64, Option<SystemTime>)>,
}

impl<T> Shared<T> {
    /// Nothing loaded.
    pub const fn new() -> Self {
        Shared { all: Mutex::new(Vec::new()) }
    }

    /// The thing of this name, loaded if nobody has it. Where the name is the path of a file, it is
    /// loaded anew once the file has changed.
    pub fn get<E>(&self, name: &str, load: impl FnOnce() -> Result<T, E>) -> Result<Arc<T>, E> {
        self.get_variant(name, 0, load)
    }

    /// The same for one of several things that are made of what has this name, told apart by a number.
    pub fn get_variant<E>(
        &self,
        name: &str,
        variant: u32,
        load: impl FnOnce() -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        let file = std::fs::metadata(Path::new(name)).ok();
        let file = file.filter(|f| f.is_file()).map(|f| (f.len(), f.modified().ok()));
        let key = Key { name: name.to_string(), variant, file };
        // Loading under the lock: others who want the same wait for it.
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|(_, thing)| thing.strong_count() > 0);
        let known = all.iter().find(|(k, _)| *k == key).and_then(|(_, thing)| thing.upgrade());
        if let Some(thing) = known {
            return Ok(thing);
        }
        let thing = Arc::new(load()?);
        all.push((key, Arc::downgrade(&thing)));
        Ok(thing)
    }
}

impl<T> Default for Shared<T> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_uses_is_dropped_and_a_changed_file_is_read_again() {
        static TEXTS: Shared<String> = Shared::new();
        let text = |s: &str| Ok::<_, String>(s.to_string());
        drop(TEXTS.get("a", || text("one")).unwrap());
        assert_eq!(*TEXTS.get("a", || text("two")).unwrap(), "two");
        let (two, three) =
            (TEXTS.get("a", || text("two")), TEXTS.get_variant("a", 3, || text("three")));
        assert_eq!((two.unwrap().as_str(), three.unwrap().as_str()), ("two", "three"));

        let path = std::env::temp_dir().join(format!("spielbaum-shared-{}", std::process::id()));
        let name = path.to_str().unwrap();
        let read = || std::fs::read_to_string(&path);
        std::fs::write(&path, "old").unwrap();
        let old = TEXTS.get(name, read).unwrap();
        std::fs::write(&path, "newer").unwrap();
        let new = TEXTS.get(name, read).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!((old.as_str(), new.as_str()), ("old", "newer"));
    }
}
