//! Standard output, standard error, colours and progress.

use std::io::{IsTerminal, Write};

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use termcolor::{Buffer, BufferWriter, ColorChoice, WriteColor};

use super::{Common, When};

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ProgressKind {
    /// A bar on a terminal, counter lines elsewhere
    Auto,
    /// A bar
    Bar,
    /// Lines that count
    Counter,
    /// Nothing
    None,
}

/// Says something on standard error.
pub(super) fn say(text: &str) {
    // nobody may be listening, and there is nowhere else to tell it
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Writes plain text to standard output.
pub(super) fn print(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// So much goes to a pipe that has room without waiting for whoever reads.
const PIECE: usize = 1 << 12;

/// Writes to standard output piece by piece, as long as there is no reason to give up, which is also asked while nobody
/// takes what is written.
pub(super) fn print_unless(bytes: &[u8], gives_up: &dyn Fn() -> bool) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for piece in bytes.chunks(PIECE) {
        while !has_room() {
            if gives_up() {
                return Ok(());
            }
        }
        if gives_up() {
            return Ok(());
        }
        out.write_all(piece)?;
        out.flush()?;
    }
    Ok(())
}

/// Whether standard output takes more, or fails at once; waits a moment for that.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn has_room() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    const MOMENT: Timespec = Timespec { tv_sec: 0, tv_nsec: 40_000_000 };
    let out = std::io::stdout();
    match poll(&mut [PollFd::new(&out, PollFlags::OUT)], Some(&MOMENT)) {
        Ok(ready) => ready > 0,
        Err(error) => error != rustix::io::Errno::INTR,
    }
}

/// Whether standard output takes more: that is not known.
#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
const fn has_room() -> bool {
    true
}

/// A buffer for coloured text, and the writer that prints it to standard output.
pub(super) fn buffer(common: &Common) -> (BufferWriter, Buffer) {
    let writer = BufferWriter::stdout(colors(common, std::io::stdout().is_terminal()));
    let buffer = writer.buffer();
    (writer, buffer)
}

/// Makes buffers for what is gathered for standard output, coloured where it will be.
pub(super) fn blank(common: &Common) -> impl Fn() -> Buffer + Sync + use<> {
    let colored = buffer(common).1.supports_color();
    move || if colored { Buffer::ansi() } else { Buffer::no_color() }
}

/// The same for standard error.
pub(super) fn blank_warnings(common: &Common) -> impl Fn() -> Buffer + Sync + use<> {
    let colored = warnings(common).1.supports_color();
    move || if colored { Buffer::ansi() } else { Buffer::no_color() }
}

/// Says what was gathered on standard error.
pub(super) fn say_all(gathered: &Buffer) {
    // nobody may be listening, and there is nowhere else to tell it
    let _ = std::io::stderr().write_all(gathered.as_slice());
}

/// The same as [`buffer`] for standard error.
pub(super) fn warnings(common: &Common) -> (BufferWriter, Buffer) {
    let writer = BufferWriter::stderr(colors(common, std::io::stderr().is_terminal()));
    let buffer = writer.buffer();
    (writer, buffer)
}

fn colors(common: &Common, terminal: bool) -> ColorChoice {
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    match common.color {
        When::Always => ColorChoice::Always,
        When::Never => ColorChoice::Never,
        When::Auto if terminal && !plain => ColorChoice::Auto,
        When::Auto => ColorChoice::Never,
    }
}

/// Progress on standard error.
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    counter: bool,
    total: usize,
    done: usize,
    told: usize,
}

impl Progress {
    pub(super) fn new(kind: ProgressKind, quiet: bool, total: usize) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let (bar, counter) = match kind {
            _ if quiet => (false, false),
            ProgressKind::Auto => (terminal, !terminal),
            ProgressKind::Bar => (true, false),
            ProgressKind::Counter => (false, true),
            ProgressKind::None => (false, false),
        };
        let bar = bar.then(|| {
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len} problems, {rate}, {eta} left: {msg}")
                .unwrap_or_else(|_| ProgressStyle::default_bar())
                .with_key("rate", |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                    // writing to the bar's own text does not fail
                    let _ = write!(out, "{:.0}/s", state.per_sec());
                });
            let target = ProgressDrawTarget::stderr();
            ProgressBar::with_draw_target(Some(u64::try_from(total).unwrap_or(u64::MAX)), target).with_style(style)
        });
        Self { bar, counter, total, done: 0, told: 0 }
    }

    /// One more problem is done.
    pub(super) fn step(&mut self, id: &str) {
        self.done += 1;
        if let Some(bar) = &self.bar {
            bar.set_message(id.to_owned());
            bar.inc(1);
        }
        // a line for every tenth of the work, so that logs stay short
        if self.counter && (self.done * 10 / self.total.max(1) > self.told || self.done == self.total) {
            self.told = self.done * 10 / self.total.max(1);
            say(&format!("{} of {} problems", self.done, self.total));
        }
    }

    /// All is done; the bar goes away.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
