//! `--certificate DIR`: writes what the answers rest on, one file for each problem and variant.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::files::replace;
use crate::bank::io_message;
use crate::certificate;
use crate::claims::Claims;

/// Writes certificates below a folder and remembers the first failure.
pub(super) struct Folder {
    path: PathBuf,
    failure: Mutex<Option<String>>,
    written: Mutex<Vec<PathBuf>>,
}

impl Folder {
    pub(super) fn new(path: &Path) -> Self {
        Self { path: path.to_path_buf(), failure: Mutex::new(None), written: Mutex::new(Vec::new()) }
    }

    pub(super) fn write(&self, id: &str, variant: Option<&str>, claims: &Claims<'_>) {
        let path = self.path.join(place(id, variant, claims.sum));
        let written = replace(&path, |out| certificate::write(claims, id, variant, out));
        match written {
            Ok(()) => held(&self.written).push(path),
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
    pub(super) fn written(self) -> Result<String, String> {
        /// How many names are told.
        const MOST: usize = 10;
        if let Some(failure) = held(&self.failure).take() {
            return Err(failure);
        }
        let mut written = std::mem::take(&mut *held(&self.written));
        written.sort();
        let certificates = if written.len() == 1 { "certificate" } else { "certificates" };
        let mut told = format!("{} {certificates} written below {}", written.len(), self.path.display());
        if written.len() <= MOST {
            written.iter().for_each(|path| told.push_str(&format!("\n  {}", path.display())));
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
    name.push(".certificate");
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
