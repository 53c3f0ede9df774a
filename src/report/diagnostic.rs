//! A mistake with the line it stands in, quoted and marked.

use std::io::Write;

use codespan_reporting::diagnostic::{Diagnostic, Label};
use codespan_reporting::files::SimpleFile;
use codespan_reporting::term::{Chars, Config, Styles, StylesWriter, emit_to_write_style};
use termcolor::Buffer;

use crate::lang::Mistake;

/// Quoted lines longer than this are not quoted whole; bytes.
const QUOTE_LIMIT: usize = 400;

/// Writes a mistake.
pub fn diagnostic(mistake: &Mistake, out: &mut Buffer) {
    let line = mistake.span.map(|span| {
        let range = span.range();
        let text = &mistake.source.text;
        let start = text[..floor(text, range.start)].rfind('\n').map_or(0, |newline| newline + 1);
        text[start..].lines().next().map_or(0, str::len)
    });
    match (mistake.span, line) {
        (Some(span), Some(length)) if length <= QUOTE_LIMIT => {
            let text = &mistake.source.text;
            let start = floor(text, span.range().start);
            let mut end = floor(text, span.range().end.max(start));
            if end == start {
                end = text[start..].chars().next().filter(|c| *c != '\n').map_or(start, |c| start + c.len_utf8());
            }
            // what is marked stays in one line
            end = text[start..end].find('\n').map_or(end, |newline| start + newline);
            let file = SimpleFile::new(mistake.source.name.as_str(), text.as_str());
            let told = Diagnostic::error()
                .with_message(&mistake.message)
                .with_label(Label::primary((), start..end))
                .with_notes(mistake.help.clone());
            let config = Config { chars: Chars::ascii(), ..Config::default() };
            let styles = Styles::default();
            let mut writer = StylesWriter::new(&mut *out, &styles);
            if emit_to_write_style(&mut writer, &config, &file, &told).is_ok() {
                return;
            }
            plain(mistake, out);
        }
        _ => plain(mistake, out),
    }
}

/// Without a quoted line.
fn plain(mistake: &Mistake, out: &mut Buffer) {
    let place = match mistake.line_column() {
        Some((line, column)) => format!("{}:{line}:{column}", mistake.source.name),
        None => mistake.source.name.clone(),
    };
    // a buffer in memory takes all that is written
    let _ = writeln!(out, "error: {}\n  --> {place}", mistake.message);
    for help in &mistake.help {
        let _ = writeln!(out, "  = {help}");
    }
    let _ = writeln!(out);
}

fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
