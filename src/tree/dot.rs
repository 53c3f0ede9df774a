//! The tree for Graphviz: rounded boxes where the first player moves, square ones where the second does, a double
//! border where play is over; thick lines are winning moves, dashed lines are moves of the second player.

use std::fmt::Write;

use super::{Picture, Player};

/// Writes the tree as DOT text.
#[must_use]
pub fn dot(picture: &Picture) -> String {
    let mut text = String::new();
    // writing to a string does not fail
    let _ = write_all(picture, &mut text);
    text
}

fn write_all(picture: &Picture, out: &mut String) -> std::fmt::Result {
    let title = match picture.caption() {
        caption if caption.is_empty() => quoted(&[&picture.title]),
        caption => quoted(&[&picture.title, &caption]),
    };
    writeln!(out, "digraph tree {{")?;
    writeln!(out, "    graph [label={title}, labelloc=t, ordering=out, fontname=\"sans-serif\"];")?;
    writeln!(out, "    node [shape=box, fontname=\"sans-serif\"];")?;
    writeln!(out, "    edge [fontname=\"sans-serif\", arrowsize=0.6];")?;
    for (at, place) in picture.boxes.iter().enumerate() {
        let label = match place.remark() {
            Some(remark) => quoted(&[&place.text, remark]),
            None => quoted(&[&place.text]),
        };
        write!(out, "    p{at} [label={label}")?;
        if place.is_over() {
            write!(out, ", peripheries=2")?;
        } else if place.mover == Player::First || picture.puzzle {
            write!(out, ", style=rounded")?;
        }
        writeln!(out, "];")?;
    }
    for (at, place) in picture.boxes.iter().enumerate() {
        let Some(before) = place.before else { continue };
        let mut traits = Vec::new();
        if let Some(name) = picture.name(place) {
            traits.push(format!("label={}", quoted(&[name])));
        }
        if place.winning {
            traits.push("penwidth=3".to_owned());
        }
        if place.mover == Player::First && !picture.puzzle {
            traits.push("style=dashed".to_owned());
        }
        let traits = if traits.is_empty() { String::new() } else { format!(" [{}]", traits.join(", ")) };
        writeln!(out, "    p{before} -> p{at}{traits};")?;
    }
    writeln!(out, "}}")
}

/// Lines of text as one quoted string.
fn quoted(lines: &[&str]) -> String {
    let escape = |line: &&str| {
        let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        line.replace('\\', "\\\\").replace('"', "\\\"")
    };
    format!("\"{}\"", lines.iter().map(escape).collect::<Vec<_>>().join("\\n"))
}
