//! Files that appear whole or not at all, and the lock of a directory.

use crate::LabError;
use std::fs::{self, File, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Who else may work in a directory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Nobody: what others left half-written may be removed.
    Alone,
    /// Others of this kind, on this machine or another: whole files are published, and nothing
    /// is ever removed.
    Shared,
}

/// The name under which a file is written before it appears: no other process has it, nor
/// another thread of this one.
pub(super) fn temporary(path: &Path) -> PathBuf {
    static FILES: AtomicU64 = AtomicU64::new(0);
    let number = FILES.fetch_add(1, Ordering::Relaxed);
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}-{}-{number}.tmp", host(), std::process::id()));
    path.with_file_name(name)
}

/// Makes a file appear at once, and stay.
pub(crate) fn publish(path: &Path, bytes: &[u8]) -> Result<(), LabError> {
    appear(path, bytes, |from| fs::rename(from, path))?;
    settle(path);
    Ok(())
}

/// Makes the name of a file safe, which it is once its directory is; not every system can sync one.
pub(super) fn settle(path: &Path) {
    if let Some(Ok(dir)) = path.parent().map(File::open) {
        let _ = dir.sync_all();
    }
}

/// Makes a file and removes it; it does not matter if it cannot.
pub(super) fn touch(path: &Path) {
    let temporary = temporary(path);
    let _ = File::create(&temporary);
    let _ = fs::remove_file(&temporary);
}

/// As [`publish`] for one file of many: its name is safe with the next file that is synced.
/// Whoever cuts the power in between has one unit less, and not half of one.
pub(crate) fn publish_one(path: &Path, bytes: &[u8]) -> Result<(), LabError> {
    appear(path, bytes, |from| fs::rename(from, path))
}

/// As [`publish_one`], but a file that is there already stays: another process was first.
pub(crate) fn offer(path: &Path, bytes: &[u8]) -> Result<(), LabError> {
    appear(path, bytes, |from| match fs::hard_link(from, path) {
        Ok(()) => fs::remove_file(from),
        Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => fs::remove_file(from),
        // A file system without links.
        Err(_) => fs::rename(from, path),
    })
}

fn appear(
    path: &Path,
    bytes: &[u8],
    name: impl FnOnce(&Path) -> std::io::Result<()>,
) -> Result<(), LabError> {
    let temporary = temporary(path);
    let write = || -> std::io::Result<()> {
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        name(&temporary)
    };
    write().map_err(|e| {
        // It may be gone already, or the directory may be.
        let _ = fs::remove_file(&temporary);
        LabError::io(path)(e)
    })
}

/// Whether a directory holds anything that a process killed at its very beginning does not
/// leave there.
pub(super) fn holds_other_files(dir: &Path, ours: &[&str]) -> bool {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    entries.into_iter().any(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let begun = |ours: &&str| name == **ours || is_temporary_of(&name, ours);
        !ours.iter().any(begun)
    })
}

fn is_temporary_of(name: &str, file: &str) -> bool {
    name.strip_prefix(file).is_some_and(|rest| rest.starts_with('.') && rest.ends_with(".tmp"))
}

/// Removes what a killed process was writing, by the names that we write.
pub(crate) fn remove_leftovers(dir: &Path, files: &[&str]) -> Result<(), LabError> {
    let is_unit = |name: &str| {
        let digits = name.bytes().take_while(u8::is_ascii_digit).count();
        let rest = &name[digits..];
        digits >= 6 && rest.ends_with(".tmp") && rest.starts_with('.')
    };
    let is_ours = |name: &str| files.iter().any(|file| is_temporary_of(name, file));
    let remove = |folder: &Path, ours: &dyn Fn(&str) -> bool| {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(e) => return Err(LabError::io(folder)(e)),
        };
        for entry in entries.flatten() {
            if entry.file_name().to_str().is_some_and(ours) {
                fs::remove_file(entry.path()).map_err(LabError::io(&entry.path()))?;
            }
        }
        Ok(())
    };
    let is_stamp = |name: &str| is_temporary_of(name, "environment.json");
    remove(dir, &is_ours)?;
    remove(&dir.join("units"), &is_unit)?;
    remove(&dir.join("timing"), &|name| is_unit(name) || is_stamp(name))
}

/// A directory taken for work, until this is dropped or the process ends: the lock is the
/// operating system's, so that a killed process leaves none behind.
#[derive(Debug)]
pub(crate) struct Lock {
    /// Held, not read.
    _file: File,
    /// Whether nobody else can be at work: locked alone, by a file system that has locks.
    pub(crate) is_alone: bool,
    /// Who else may be at work by what was asked for, whatever the file system can do.
    pub(crate) access: Access,
}

/// Takes a directory, or says who has it.
pub(crate) fn lock(dir: &Path, access: Access) -> Result<Lock, LabError> {
    let folder = dir.join("timing");
    fs::create_dir_all(&folder).map_err(LabError::io(&folder))?;
    lock_file(dir, &folder.join("lock"), access)
}

/// Takes the lock that is a file of its own, for a directory.
pub(crate) fn lock_file(dir: &Path, path: &Path, access: Access) -> Result<Lock, LabError> {
    let mut file = (File::options().create(true).truncate(false).read(true).write(true))
        .open(path)
        .map_err(LabError::io(path))?;
    let take = || match access {
        Access::Alone => file.try_lock(),
        Access::Shared => file.try_lock_shared(),
    };
    // Whoever asks who is there takes it for a moment: see `holder`.
    let mut taken = take();
    for _ in 0..5 {
        if !matches!(taken, Err(TryLockError::WouldBlock)) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
        taken = take();
    }
    let locked = match taken {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => {
            let pid = fs::read_to_string(path).unwrap_or_default();
            return Err(LabError::Busy { dir: dir.to_path_buf(), pid: pid.trim().to_string() });
        }
        // A file system without locks: names are still published whole.
        Err(TryLockError::Error(_)) => false,
    };
    // For people: a lock that cannot be signed is one nevertheless.
    let _ = file.set_len(0);
    let _ = writeln!(file, "{} on {}", std::process::id(), host());
    Ok(Lock { _file: file, is_alone: locked && access == Access::Alone, access })
}

/// Who has taken a directory, if anybody has. Asking takes it for a moment.
pub(crate) fn holder(dir: &Path) -> Option<String> {
    let path = dir.join("timing").join("lock");
    let file = File::options().read(true).write(true).open(&path).ok()?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            Some(fs::read_to_string(&path).unwrap_or_default().trim().to_string())
        }
        _ => None,
    }
}

/// The name of this machine, fit for the name of a file.
pub(crate) fn host() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = name.or_else(|| std::env::var("COMPUTERNAME").ok());
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = name.unwrap_or_default().trim().chars().take(40).map(plain).collect();
    if name.is_empty() { "unknown".to_string() } else { name }
}

/// Whether this may be what [`host`] calls a machine: the name of a file, `2048.json`, is not.
pub(super) fn is_host(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}
