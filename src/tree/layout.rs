//! Where the boxes of a picture stand: ends of lines at equal distances, every other position midway between its first
//! and its last option, a level for each move.

use super::{Picture, PositionBox};

/// How large the letters are, in pixels.
pub(super) const LETTER: i64 = 13;
/// From one line of text to the next.
pub(super) const LINE: i64 = 16;
/// From a line that goes down to the name of the move beside it.
pub(super) const BESIDE: i64 = 6;
/// Between the border of a box and its text, at each side.
const MARGIN: i64 = 8;
/// Lines in a box are broken at a comma where they would be longer than this many characters.
const LONG: usize = 30;
/// From one level to the next there is at least room for its name.
const LEVEL: i64 = 106;
/// A tree that would be wider than this is laid on its side, so that it prints on sheets one below the other.
const SHEET: i64 = 1100;

/// A place in the picture, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Point {
    pub(super) x: i64,
    pub(super) y: i64,
}

/// The plan of a picture. Only boxes and moves: its first box may stand at any place.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Whether the levels go from left to right, instead of from top to bottom.
    pub(super) sideways: bool,
    /// The middle of each box.
    pub(super) middles: Vec<Point>,
    /// The lines of text in each box.
    pub(super) texts: Vec<Vec<String>>,
    /// Whether remarks at the ends of lines stand beside the boxes, and not in them as the last line.
    pub(super) beside: bool,
    /// The size of every box.
    pub(super) size: Point,
    /// The place of each level along the direction of play: where its boxes have their middles.
    pub(super) levels: Vec<i64>,
    /// How large the whole is.
    pub(super) extent: Point,
}

impl Layout {
    pub(super) fn new(picture: &Picture) -> Self {
        let upright = Self::plan(picture, false);
        if upright.extent.x > SHEET { Self::plan(picture, true) } else { upright }
    }

    fn plan(picture: &Picture, sideways: bool) -> Self {
        let remarks = picture.boxes.iter().filter_map(|place| Some((place, place.remark()?)));
        // goals with moves left have no room beside them
        let beside = sideways && remarks.clone().all(|(place, _)| place.options.is_empty());
        let texts: Vec<Vec<String>> = picture.boxes.iter().map(|place| texts(place, !beside)).collect();
        let widest = texts.iter().flatten().map(|line| width(line)).max().unwrap_or(0);
        let most = texts.iter().map(Vec::len).max().unwrap_or(1);
        let size = Point { x: widest + 2 * MARGIN, y: whole(most) * LINE + MARGIN };
        let names = picture.names().map_or(0, |names| names.iter().map(|name| width(name)).max().unwrap_or(0));
        let (slot, gap) = if sideways {
            (size.y + 8, (size.x + names + 64).max(LEVEL))
        } else {
            (size.x.max(names + BESIDE) + 14, size.y + 66)
        };
        let across = across(picture, slot);
        let last = picture.boxes.iter().map(|place| place.level).max().unwrap_or(0);
        let (near, side) = if sideways { (size.x / 2, size.y / 2) } else { (size.y / 2, size.x / 2) };
        let levels: Vec<i64> = (0..=last).map(|level| near + whole(level) * gap).collect();
        let middles: Vec<Point> = picture
            .boxes
            .iter()
            .zip(across)
            .map(|(place, across)| {
                let (along, across) = (levels.get(place.level).copied().unwrap_or(0), across + side);
                if sideways { Point { x: along, y: across } } else { Point { x: across, y: along } }
            })
            .collect();
        let far = |of: fn(&Point) -> i64| middles.iter().map(of).max().unwrap_or(0);
        let remark = remarks.map(|(_, remark)| width(remark) + 2 * MARGIN).max().filter(|_| beside).unwrap_or(0);
        let name = if sideways { 0 } else { (names + BESIDE - size.x / 2).max(0) };
        let extent = Point { x: far(|at| at.x) + size.x / 2 + remark + name, y: far(|at| at.y) + size.y / 2 };
        Self { sideways, middles, texts, beside, size, levels, extent }
    }
}

/// The lines of text in a box.
fn texts(place: &PositionBox, with_remark: bool) -> Vec<String> {
    let mut lines = broken(&place.text);
    lines.extend(place.remark().filter(|_| with_remark).map(str::to_owned));
    lines
}

/// The place of each box across the direction of play.
fn across(picture: &Picture, slot: i64) -> Vec<i64> {
    let mut across = vec![0; picture.boxes.len()];
    let mut free = 0;
    for (at, place) in picture.boxes.iter().enumerate() {
        if place.options.is_empty() {
            across[at] = free;
            free += slot;
        }
    }
    // options stand after the position before them
    for (at, place) in picture.boxes.iter().enumerate().rev() {
        if let (Some(first), Some(last)) = (place.options.first(), place.options.last()) {
            across[at] = i64::midpoint(across[*first], across[*last]);
        }
    }
    across
}

/// The text of a position in lines that are not too long.
fn broken(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for part in text.split_inclusive(", ") {
        if let Some(line) = lines.last_mut() {
            if line.chars().count() + part.trim_end().chars().count() > LONG && !line.is_empty() {
                line.truncate(line.trim_end().len());
                lines.push(part.to_owned());
            } else {
                line.push_str(part);
            }
        }
    }
    lines
}

/// How wide a text is at most, in pixels, in the usual sans-serif letters.
pub(super) fn width(text: &str) -> i64 {
    let hundredths = |c: char| match c {
        ' ' | ',' | '.' | ':' | ';' | 'i' | 'j' | 'l' | '|' | '\'' => 37,
        '(' | ')' | '[' | ']' | '-' | 'f' | 't' | 'r' => 47,
        'm' | 'w' | 'M' | 'W' => 100,
        c if c.is_ascii_lowercase() || c.is_ascii_digit() => 64,
        c if c.is_ascii() => 84,
        c if u32::from(c) < 0x2000 => 90,
        _ => 110,
    };
    let all: i64 = text.chars().map(hundredths).sum();
    (all * LETTER + 99) / 100
}

pub(super) fn whole(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
