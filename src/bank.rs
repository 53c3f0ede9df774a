//! Finds the problem files below the paths of the command line, and gives each its id.

use std::collections::HashSet;
use std::fs::{File, Metadata, OpenOptions};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use walkdir::WalkDir;

use crate::lang::{Mistake, Source};

/// The largest problem file, in bytes.
pub const FILE_LIMIT: u64 = 16 << 20;

/// A problem file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BankFile {
    /// Its path below the root of the bank, without `.ron`, always with `/`.
    pub id: String,
    /// Where it is read.
    pub path: PathBuf,
}

impl BankFile {
    /// How many bytes of memory it takes in a list.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        u64::try_from(2 * size_of::<Self>() + self.id.len() + self.path.as_os_str().len()).unwrap_or(u64::MAX)
    }
}

/// A path that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The path.
    pub path: String,
    /// Why.
    pub message: String,
}

/// All problem files below the paths, by id, each once; and the paths that cannot be read.
#[must_use]
pub fn find(paths: &[PathBuf], root: Option<&Path>) -> (Vec<BankFile>, Vec<Unreadable>) {
    let mut files = Vec::new();
    let mut unreadable = Vec::new();
    let several = paths.len() > 1;
    for path in paths {
        let named = |file: &Path| match root {
            Some(root) => id_below(file, root),
            // with several paths each id begins with its path as given
            None if several => id_as_given(path, file),
            None if path.is_dir() => id_below(file, path),
            None => id_below(file, path.parent().unwrap_or_else(|| Path::new(""))),
        };
        // what is neither a file nor a folder is told when it is read
        if path.exists() && !path.is_dir() {
            files.push((BankFile { id: named(path), path: path.clone() }, false));
            continue;
        }
        for entry in WalkDir::new(path).follow_links(true).sort_by_file_name() {
            let is_problem = |path: &Path| path.extension().is_some_and(|end| end == "ron");
            match entry {
                Ok(entry) if !entry.file_type().is_dir() && is_problem(entry.path()) => {
                    let sure = !entry.path_is_symlink();
                    files.push((BankFile { id: named(entry.path()), path: entry.into_path() }, sure));
                }
                Ok(_) => {}
                Err(error) => {
                    let place = error.path().unwrap_or(path);
                    if error.depth() > 0 && error.loop_ancestor().is_none() && is_problem(place) {
                        // it is told with the findings, when it cannot be read
                        files.push((BankFile { id: named(place), path: place.to_path_buf() }, false));
                        continue;
                    }
                    let message = match (error.loop_ancestor(), error.io_error()) {
                        (Some(_), _) => "a link that leads back to a folder above it".to_owned(),
                        (None, Some(io)) => io_message(io),
                        (None, None) => "it cannot be read".to_owned(),
                    };
                    unreadable.push(Unreadable { path: place.display().to_string(), message });
                }
            }
        }
    }
    let (mut seen, mut folder) = (HashSet::new(), None);
    files.retain(|(file, sure)| seen.insert(canonical(&file.path, *sure, &mut folder)));
    let mut files: Vec<BankFile> = files.into_iter().map(|(file, _)| file).collect();
    files.sort();
    (files, unreadable)
}

/// A folder as it was found, and where it really is.
type Folder = (PathBuf, PathBuf);

/// Where a file really is; where it is surely no link, that is told by its folder, which many have in common.
fn canonical(path: &Path, sure: bool, folder: &mut Option<Folder>) -> PathBuf {
    if let (true, Some(parent), Some(name)) = (sure, path.parent(), path.file_name()) {
        if folder.as_ref().is_none_or(|(found, _)| found != parent) {
            *folder = parent.canonicalize().ok().map(|real| (parent.to_path_buf(), real));
        }
        if let Some((_, real)) = folder {
            return real.join(name);
        }
    }
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

/// The path below a root.
fn id_below(path: &Path, root: &Path) -> String {
    let canonical = || {
        let (path, root) = (path.canonicalize().ok()?, root.canonicalize().ok()?);
        path.strip_prefix(root).ok().map(Path::to_path_buf)
    };
    let below = path.strip_prefix(root).ok().map(Path::to_path_buf).or_else(canonical);
    without_end(&joined(&below.unwrap_or_else(|| path.to_path_buf())))
}

/// The path as given on the command line, and what follows below it.
fn id_as_given(given: &Path, file: &Path) -> String {
    let given_text = given.display().to_string().replace('\\', "/");
    match file.strip_prefix(given) {
        Ok(below) if below.as_os_str().is_empty() => without_end(&given_text),
        Ok(below) => without_end(&format!("{}/{}", given_text.trim_end_matches('/'), joined(below))),
        Err(_) => without_end(&joined(file)),
    }
}

fn joined(path: &Path) -> String {
    let parts = path.components().filter(|part| !matches!(part, std::path::Component::CurDir));
    let parts: Vec<String> = parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    parts.join("/").replace("//", "/")
}

fn without_end(id: &str) -> String {
    id.strip_suffix(".ron").unwrap_or(id).to_owned()
}

/// Reads a problem file as text.
///
/// # Errors
///
/// Why it cannot be read, or the first byte that is not UTF-8.
pub fn read(path: &Path) -> Result<Arc<Source>, Mistake> {
    let name = path.display().to_string();
    let whole = |text: String| Arc::new(Source { name: name.clone(), text });
    let unreadable = |message: String| Mistake::of_source(&whole(String::new()), message);
    let bytes = read_whole(path).map_err(|unread| match unread {
        Unread::Large(bytes) => unreadable(format!("a file of {} MiB", bytes >> 20))
            .help(format!("at most {} MiB are allowed", FILE_LIMIT >> 20)),
        Unread::NoFile => unreadable("it is no regular file".to_owned()),
        Unread::Unsteady => unreadable("it changes while it is read".to_owned()),
        Unread::Io(error) => unreadable(io_message(&error)),
    })?;
    match String::from_utf8(bytes) {
        // editors on Windows begin a file with a mark that is no part of it
        Ok(text) => Ok(whole(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))),
        Err(error) => {
            let good = error.utf8_error().valid_up_to();
            let byte = error.as_bytes()[good];
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            let span = crate::lang::Span::new(good, good + '\u{fffd}'.len_utf8());
            let message = format!("byte {} of the file (0x{byte:02x}) is not UTF-8", good + 1);
            Err(Mistake::new(&whole(text), span, message).help("save the file in the encoding UTF-8"))
        }
    }
}

/// Why a file is not read.
enum Unread {
    /// It has so many bytes.
    Large(u64),
    /// It is a pipe, a device, a folder.
    NoFile,
    /// It was not the same before and after it was read.
    Unsteady,
    /// The system says so.
    Io(std::io::Error),
}

impl From<std::io::Error> for Unread {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

/// Reads a file of which no part changed in the meantime.
fn read_whole(path: &Path) -> Result<Vec<u8>, Unread> {
    /// How often a file that changes is read again.
    const TRIES: usize = 3;
    for _ in 0..TRIES {
        // what is no file need not even be opened
        if !std::fs::metadata(path)?.is_file() {
            return Err(Unread::NoFile);
        }
        let (file, before) = open(path)?;
        if before.len() > FILE_LIMIT {
            return Err(Unread::Large(before.len()));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(before.len()).unwrap_or(0));
        (&file).take(FILE_LIMIT + 1).read_to_end(&mut bytes)?;
        let after = file.metadata()?;
        let steady = before.len() == after.len() && before.modified().ok() == after.modified().ok();
        if steady && u64::try_from(bytes.len()).is_ok_and(|read| read == after.len()) {
            return Ok(bytes);
        }
    }
    Err(Unread::Unsteady)
}

/// Opens a file. A pipe may have taken its place since it was looked for: that is opened without waiting for somebody
/// who writes, and refused.
fn open(path: &Path) -> Result<(File, Metadata), Unread> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        // neither is a terminal to become that of the program
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
        options.custom_flags(i32::try_from(flags.bits()).unwrap_or(0));
    }
    let file = options.open(path)?;
    let facts = file.metadata()?;
    if facts.is_file() { Ok((file, facts)) } else { Err(Unread::NoFile) }
}

/// What the system says, in few words.
#[must_use]
pub fn io_message(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file or folder".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => {
            let text = error.to_string();
            text.split(" (os error").next().unwrap_or(&text).to_lowercase()
        }
    }
}

#[cfg(all(test, any(target_os = "linux", target_vendor = "apple")))]
mod tests {
    #![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

    use std::process::Command;

    use super::{Unread, open};

    /// As if it had taken the place of a file after that was looked for. Nobody writes to it, now or ever.
    #[test]
    fn a_pipe_is_not_waited_for() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("pipe.ron");
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        assert!(matches!(open(&path), Err(Unread::NoFile)));
        assert!(matches!(open(std::path::Path::new("/dev/null")), Err(Unread::NoFile)));
        assert!(matches!(open(place.path()), Err(Unread::NoFile)));
        std::fs::write(place.path().join("file"), "text").unwrap();
        assert_eq!(open(&place.path().join("file")).map(|(_, facts)| facts.len()).ok(), Some(4));
    }
}
