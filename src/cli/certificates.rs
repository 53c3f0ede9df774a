//! `--certificate DIR`: writes what the answers rest on, one file for each problem and variant.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::bank::io_message;
use crate::certificate;
use crate::claims::Claims;
use crate::files::{self, replace};

/// How their names end.
const END: &str = ".certificate";

/// Writes certificates below a folder and remembers the first failure.
pub(super) struct Folder {
    path: PathBuf,
    failure: Mutex<Option<String>>,
    written: Mutex<Written>,
}

/// How many were written, and the first of their names.
#[derive(Default)]
struct Written {
    count: usize,
    names: BTreeSet<PathBuf>,
    /// Folders that were cleaned of what killed runs left there.
    clean: HashSet<PathBuf>,
}

/// How many names are told.
const MOST: usize = 10;

impl Folder {
    pub(super) fn new(path: &Path) -> Self {
        Self { path: path.to_path_buf(), failure: Mutex::new(None), written: Mutex::default() }
    }

    pub(super) fn write(&self, id: &str, variant: Option<&str>, claims: &Claims<'_>) {
        let path = self.path.join(place(id, variant, claims.sum));
        if let Some(folder) = path.parent()
            && held(&self.written).clean.insert(folder.to_path_buf())
        {
            files::clean(folder, |name| name.contains(END));
        }
        let written = replace(&path, |out| certificate::write(claims, id, variant, out));
        match written {
            Ok(()) => {
                let mut written = held(&self.written);
                written.count += 1;
                if written.names.len() <= MOST {
                    written.names.insert(path);
                }
            }
            Err(error) => {
                let told = || format!("cannot write {}: {}", path.display(), io_message(&error));
                held(&self.failure).get_or_insert_with(told);
            }
        }
    }

    /// What was written, in words.
    ///
    /// # Errors
    ///
    /// The first failure, if there was one.
    pub(super) fn written(&self) -> Result<String, String> {
        if let Some(failure) = held(&self.failure).take() {
            return Err(failure);
        }
        let written = held(&self.written);
        let certificates = if written.count == 1 { "certificate" } else { "certificates" };
        let mut told = format!("{} {certificates} written below {}", written.count, self.path.display());
        if written.count <= MOST {
            written.names.iter().for_each(|path| told.push_str(&format!("\n  {}", path.display())));
        }
        Ok(told)
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // each change leaves it whole
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// `<id>.certificate`, or `<id>@<variant>.certificate`, and with `@@sums` before the end for its sums of games; what a file name cannot bear is written as `%` and its code.
fn place(id: &str, variant: Option<&str>, sum: bool) -> PathBuf {
    let mut path: PathBuf = id.split('/').map(safe).collect();
    let mut name = path.file_name().map(std::ffi::OsStr::to_os_string).unwrap_or_default();
    if let Some(variant) = variant {
        name.push("@");
        name.push(safe(variant));
    }
    if sum {
        name.push("@@sums");
    }
    name.push(END);
    path.set_file_name(name);
    path
}

fn safe(part: &str) -> String {
    let mut name = String::new();
    for byte in part.bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"-_ ,+".contains(&byte) || (byte == b'.' && !name.is_empty());
        if plain {
            name.push(char::from(byte));
        } else {
            name.push_str(&format!("%{byte:02X}"));
        }
    }
    name
}
