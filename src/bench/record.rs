//! Pages of results below a dated folder: the machine and the command first, then what was measured.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::files::replace;
use crate::parallel;
use crate::report::MachineFacts;

/// The machine, the program and the time.
#[must_use]
pub fn machine(command: Vec<String>) -> MachineFacts {
    // a system that cannot be asked leaves its facts out
    let mut system = sysinfo::System::new().ok();
    if let Some(system) = &mut system {
        system.refresh_memory();
        system.refresh_cpu_all();
    }
    let processor = system.as_ref().and_then(|system| Some(system.cpus().first()?.brand().trim().to_owned()));
    MachineFacts {
        gameproof: env!("CARGO_PKG_VERSION"),
        date: jiff::ZonedDateTime::now().strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
        command,
        system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        processor: processor.unwrap_or_default(),
        cores: parallel::cores(),
        memory: system.map_or(0, |system| system.total_memory()),
        whole: true,
    }
}

/// A page in Markdown.
#[must_use]
pub fn page(title: &str, command: &str, body: &str) -> String {
    let facts = machine(Vec::new());
    let mut text = format!("# {title}\n\n");
    let mut fact = |name: &str, value: &str| {
        // writing to a string does not fail
        let _ = writeln!(text, "- {name}: {value}");
    };
    fact("command", &format!("`{command}`"));
    fact("date", &facts.date);
    fact("gameproof", facts.gameproof);
    fact(
        "machine",
        &format!("{}, {} cores, {} MiB, {}", facts.processor, facts.cores, facts.memory >> 20, facts.system),
    );
    format!("{text}\n{}\n", body.trim())
}

/// Writes a page as `folder/<date>/<name>.md`, with copies of plots beside it, and says where.
///
/// # Errors
///
/// It cannot be written.
pub fn record(folder: &Path, name: &str, page: &str, plots: &[(String, PathBuf)]) -> io::Result<PathBuf> {
    let today = jiff::ZonedDateTime::now().strftime("%Y-%m-%d").to_string();
    let place = folder.join(today);
    fs::create_dir_all(&place)?;
    for (plot, path) in plots {
        fs::copy(path, place.join(format!("{plot}.svg")))?;
    }
    let path = place.join(format!("{name}.md"));
    replace(&path, |out| out.write_all(page.as_bytes()))?;
    Ok(path)
}
