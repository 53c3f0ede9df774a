//! Files that are written whole or not at all.

use std::fs;
use std::io::{BufWriter, Result, Write};
use std::path::Path;

/// Writes to a temporary name beside the file and renames it, so that the file is the old one or the new one, whole.
pub(super) fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut name = path.file_name().map(std::ffi::OsStr::to_os_string).unwrap_or_default();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let written = fs::File::create(&temporary).and_then(|file| {
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        out.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()
    });
    let renamed = written.and_then(|()| fs::rename(&temporary, path));
    if renamed.is_err() {
        // the first error is the one to tell
        let _ = fs::remove_file(&temporary);
    }
    renamed
}
