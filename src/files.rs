//! Files that are written whole or not at all.
//!
//! Everything is written under a temporary name in the same folder and then renamed, so that whatever ends the program,
//! what stands under the right name is the old or the new, whole. What a killed run left under a temporary name is
//! removed by the next that writes there.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufWriter, ErrorKind, Result, Write};
use std::path::{Path, PathBuf};
use std::process;

use sysinfo::{Pid, ProcessesToUpdate, System};

/// How a temporary name ends, after the number of the process that writes.
const END: &str = "tmp";

/// Writes a file, the folders above it too where there are none.
///
/// # Errors
///
/// It cannot be written; then the old file is as it was.
pub fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let temporary = temporary(path);
    let written = fs::File::create(&temporary).and_then(|file| {
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        out.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()
    });
    let renamed = written.and_then(|()| fs::rename(&temporary, path));
    match &renamed {
        Ok(()) => settle(path),
        // the first error is the one to tell
        Err(_) => drop(fs::remove_file(&temporary)),
    }
    renamed
}

/// Puts a folder in the place of another, which then is gone.
///
/// # Errors
///
/// It cannot be put there; then the old folder is as it was.
pub fn replace_folder(temporary: &Path, path: &Path) -> Result<()> {
    settle(&temporary.join("any"));
    match fs::rename(temporary, path) {
        // a folder takes the place of an empty one only
        Err(error) if matches!(error.kind(), ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists) => {
            exchange(temporary, path)?;
            // what is left of it is in nobody's way
            let _ = fs::remove_dir_all(temporary);
        }
        renamed => renamed?,
    }
    settle(path);
    Ok(())
}

/// Both folders change places, at once where the system can do that.
fn exchange(one: &Path, other: &Path) -> Result<()> {
    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        if renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).is_ok() {
            return Ok(());
        }
    }
    let aside = temporary(&one.with_extension("old"));
    fs::rename(other, &aside)?;
    match fs::rename(one, other) {
        Ok(()) => fs::rename(aside, one),
        Err(error) => {
            // the first error is the one to tell
            let _ = fs::rename(aside, other);
            Err(error)
        }
    }
}

/// Sees that the folder which holds a path is on the disk. Not every system can say so, and the name is right already.
fn settle(path: &Path) {
    if let Some(folder) = path.parent() {
        let _ = fs::File::open(folder).and_then(|folder| folder.sync_all());
    }
}

/// The temporary name beside a path for what this process writes.
#[must_use]
pub fn temporary(path: &Path) -> PathBuf {
    let mut name = path.file_name().map(OsStr::to_os_string).unwrap_or_default();
    name.push(format!(".{}.{END}", process::id()));
    path.with_file_name(name)
}

/// Whether a name is a temporary one.
#[must_use]
pub fn is_temporary(path: &Path) -> bool {
    writer(path).is_some()
}

/// The number of the process that writes under a temporary name.
fn writer(path: &Path) -> Option<u32> {
    let name = path.file_name()?.to_str()?.strip_suffix(END)?.strip_suffix('.')?;
    name.rsplit_once('.')?.1.parse().ok()
}

/// Removes from a folder what killed runs left there under names that are wanted.
pub fn clean(folder: &Path, wanted: impl Fn(&str) -> bool) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let named = path.file_name().and_then(OsStr::to_str).is_some_and(&wanted);
        let Some(writer) = writer(&path).filter(|_| named) else { continue };
        if !is_running(writer) {
            // what cannot be removed is in nobody's way
            let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
        }
    }
}

/// Whether another process has this number. One that cannot be asked about is left alone.
fn is_running(number: u32) -> bool {
    let Ok(mut system) = System::new() else { return true };
    let number = Pid::from_u32(number);
    system.refresh_processes(ProcessesToUpdate::Some(&[number]), true);
    number != Pid::from_u32(process::id()) && system.process(number).is_some()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

    use std::fs;

    use super::{clean, replace, replace_folder, temporary};

    #[test]
    fn a_folder_takes_the_place_of_another() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("day");
        for text in ["old", "new"] {
            let temporary = temporary(&path);
            fs::create_dir(&temporary).unwrap();
            fs::write(temporary.join("a"), text).unwrap();
            replace_folder(&temporary, &path).unwrap();
            assert_eq!(fs::read_to_string(path.join("a")).unwrap(), text);
            assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
        }
    }

    #[test]
    fn what_a_killed_run_left_is_removed() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        // no process has the first number; the second is that of the first process of all
        for name in ["a.4294967294.tmp", "a.1.tmp", "b.4294967294.tmp", "a.tmp", "a.4294967294"] {
            fs::write(path(name), "").unwrap();
        }
        fs::create_dir(path("a-folder.4294967294.tmp")).unwrap();
        clean(place.path(), |name| name.starts_with('a'));
        let mut left: Vec<_> = fs::read_dir(place.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["a.1.tmp", "a.4294967294", "a.tmp", "b.4294967294.tmp"]);
    }

    #[test]
    fn what_cannot_be_written_leaves_the_old() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("file");
        replace(&path, |out| out.write_all(b"old")).unwrap();
        assert!(replace(&path, |_| Err(std::io::ErrorKind::StorageFull.into())).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }
}
