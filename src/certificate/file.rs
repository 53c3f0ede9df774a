//! The file of a certificate, version 3.
//!
//! A line `gameproof certificate 3`, a line of JSON, then numbers: unsigned ones in LEB128 (seven bits a byte, the low
//! ones first, the high bit set on all but the last), signed ones first folded to unsigned as 0, -1, 1, -2, 2, …
//!
//! The JSON has `problem`, `variant`, `width` (numbers of a position, in a sum of one component), `sum` (whether the
//! positions are those of a sum of games), `positions` (how many), `columns` (which, in this order: `remoteness`, `own
//! moves`, `grundy`, `plays`, `shortest`, `longest`, `distance`), `regions` (how many), and `parts` (how many components
//! of a sum are valued each by itself, null where they are not), and `rings` (`positions` and `rings`, how many, and
//! `reach`, one of `goal`, `no goal`, `everything`; a list), and `lines`, null where there are none: `axes` (for each
//! coordinate, the one along the rows last, its offset in a position, whether it is gone through downwards, its least
//! and its greatest value), `rows` (how many) and `columns` (`remoteness`, `own moves`).
//!
//! Positions of a sum stand one after the other, each with its length and the differences of its numbers from those of
//! the position before, as far as it goes, and from 0 beyond. Other positions stand coordinate by coordinate: for each coordinate the differences from position to position, signed,
//! from 0. Columns follow, each complete. Ranks are 0 for a draw, 1 + 2 · rank for a loss, 2 + 2 · rank for a win. Other
//! numbers are one more than the value, 0 where there is none. Plays are three such numbers, which may have any length:
//! all, those won by the player to move, those won by the opponent. Behind the distances stand the numbers of shortest
//! solutions, of any length. A region has its plies, the number of its layers,
//! and for each layer the number of positions, the positions as above, and the ranks. Then come components: their
//! positions, Grundy values and depths; and rings: their positions, and where each ring ends; and lines: for each row, the
//! outer axes running as an odometer does, its first value as a difference from the row before, and its length; then
//! the ranks of all its positions, column by column. The options of a position are not
//! written: they follow from the rules.

use std::io::{self, BufRead, Read, Write};

use dashu_int::UBig;
use serde::{Deserialize, Serialize};

use super::{Certificate, OwnedLines, OwnedParts, OwnedRings};
use crate::claims::{Claims, Keys, Layer, LinesClaim, NONE, Reach, Region};
use crate::position::{Axis, Lines, Positions, Width};
use crate::value::{Plays, Ranked};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RingsHeader {
    positions: usize,
    rings: usize,
    reach: String,
}

/// The words for how far rings go.
const REACHES: [(&str, Reach); 3] =
    [("goal", Reach::Goal), ("no goal", Reach::NoGoal), ("everything", Reach::Everything)];

const FIRST_LINE: &str = "gameproof certificate 3";

/// Headers longer than this are refused, in bytes.
const HEADER_LIMIT: u64 = 1 << 16;

const COLUMNS: [&str; 7] = ["remoteness", "own moves", "grundy", "plays", "shortest", "longest", "distance"];

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    problem: String,
    // null where there is none, and never left out
    #[serde(deserialize_with = "Option::deserialize")]
    variant: Option<String>,
    width: usize,
    positions: usize,
    columns: Vec<String>,
    regions: usize,
    sum: bool,
    // null where there are none, and never left out
    #[serde(deserialize_with = "Option::deserialize")]
    parts: Option<usize>,
    rings: Vec<RingsHeader>,
    // null where there are none, and never left out
    #[serde(deserialize_with = "Option::deserialize")]
    lines: Option<LinesHeader>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LinesHeader {
    axes: Vec<(usize, bool, i64, i64)>,
    rows: usize,
    columns: Vec<String>,
}

impl LinesHeader {
    fn of(claim: &LinesClaim<'_>) -> Self {
        let mut axes = claim.lines.outer().to_vec();
        axes.push(claim.lines.inner());
        let present = [(claim.remoteness, COLUMNS[0]), (claim.own_moves, COLUMNS[1])];
        Self {
            axes: axes.iter().map(|axis| (axis.coordinate, axis.down, axis.low, axis.high)).collect(),
            rows: claim.lines.rows().len(),
            columns: present.iter().filter(|(keys, _)| keys.is_some()).map(|(_, name)| (*name).to_owned()).collect(),
        }
    }
}

fn write_lines(claim: &LinesClaim<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut before = 0_i64;
    for row in claim.lines.rows() {
        write_word(folded(row.low.wrapping_sub(before)), out)?;
        write_word(u64::from(row.len), out)?;
        before = row.low;
    }
    for keys in [claim.remoteness, claim.own_moves].into_iter().flatten() {
        (0..keys.len()).try_for_each(|at| write_word(u64::from(keys.ranked(at).0), out))?;
    }
    Ok(())
}

fn read_lines(header: &LinesHeader, input: &mut dyn BufRead) -> Result<OwnedLines, String> {
    let axis = |(coordinate, down, low, high): &(usize, bool, i64, i64)| Axis {
        coordinate: *coordinate,
        down: *down,
        low: *low,
        high: *high,
    };
    let (inner, outer) = header.axes.split_last().ok_or_else(damaged)?;
    let mut lines = Lines::new(outer.iter().map(axis).collect(), axis(inner));
    let (mut before, mut all) = (0_i64, 0_usize);
    for _ in 0..header.rows {
        before = before.wrapping_add(unfolded(read_word(input)?));
        let len = u32::try_from(read_word(input)?).map_err(|_| damaged())?;
        all = all.checked_add(index(len)).filter(|all| u32::try_from(*all).is_ok()).ok_or_else(damaged)?;
        lines.push(before, len);
    }
    if let Some(unknown) = header.columns.iter().find(|column| !COLUMNS[..2].contains(&column.as_str())) {
        return Err(format!("the certificate has lines with an unknown column \"{unknown}\""));
    }
    let mut column = |name: &str| {
        let there = header.columns.iter().any(|column| column == name);
        there.then(|| read_ranks(lines.len(), input).map(Keys::Plain)).transpose()
    };
    let (remoteness, own_moves) = (column(COLUMNS[0])?, column(COLUMNS[1])?);
    Ok(OwnedLines { lines, remoteness, own_moves })
}

/// Writes claims.
///
/// # Errors
///
/// Whatever the writer meets.
pub fn write(claims: &Claims<'_>, problem: &str, variant: Option<&str>, out: &mut dyn Write) -> io::Result<()> {
    let present = [
        !claims.remoteness.is_empty(),
        !claims.own_moves.is_empty(),
        !claims.nimbers.is_empty(),
        !claims.plays.is_empty(),
        !claims.shortest.is_empty(),
        !claims.longest.is_empty(),
        !claims.distances.is_empty(),
    ];
    let header = Header {
        problem: problem.to_owned(),
        variant: variant.map(str::to_owned),
        width: match (claims.positions.width(), claims.parts.map(|parts| parts.positions.width())) {
            (Width::Fixed(width), _) | (Width::Varied, Some(Width::Fixed(width))) => width,
            (Width::Varied, _) => 0,
        },
        positions: claims.positions.len(),
        columns: COLUMNS
            .iter()
            .zip(present)
            .filter(|(_, present)| *present)
            .map(|(name, _)| (*name).to_owned())
            .collect(),
        regions: claims.regions.len(),
        sum: claims.sum,
        parts: claims.parts.map(|parts| parts.positions.len()),
        rings: claims
            .rings
            .iter()
            .map(|rings| RingsHeader {
                positions: rings.positions.len(),
                rings: rings.ends.len(),
                reach: REACHES.iter().find(|(_, reach)| *reach == rings.reach).map_or("", |(word, _)| word).to_owned(),
            })
            .collect(),
        lines: claims.lines.as_ref().map(LinesHeader::of),
    };
    writeln!(out, "{FIRST_LINE}")?;
    writeln!(out, "{}", serde_json::to_string(&header)?)?;
    write_positions(claims.positions, out)?;
    for ranks in [claims.remoteness, claims.own_moves] {
        write_ranks(ranks, out)?;
    }
    write_numbers(claims.nimbers, out)?;
    for plays in claims.plays {
        match plays {
            None => write_number(&UBig::ZERO, out)?,
            Some(plays) => {
                write_number(&(&plays.total + UBig::ONE), out)?;
                write_number(&plays.won, out)?;
                write_number(&plays.lost, out)?;
            }
        }
    }
    write_numbers(claims.shortest, out)?;
    write_numbers(claims.longest, out)?;
    write_numbers(claims.distances, out)?;
    claims.solutions.iter().try_for_each(|ways| write_number(ways, out))?;
    for region in &claims.regions {
        write_word(u64::from(region.plies), out)?;
        write_word(wide(region.layers.len()), out)?;
        for layer in &region.layers {
            write_word(wide(layer.positions.len()), out)?;
            write_positions(&layer.positions, out)?;
            write_ranks(&layer.classes, out)?;
        }
    }
    if let Some(parts) = &claims.parts {
        write_positions(parts.positions, out)?;
        write_numbers(parts.nimbers, out)?;
        write_numbers(parts.depths, out)?;
    }
    for rings in &claims.rings {
        write_positions(rings.positions, out)?;
        rings.ends.iter().try_for_each(|end| write_word(wide(*end), out))?;
    }
    if let Some(lines) = &claims.lines {
        write_lines(lines, out)?;
    }
    Ok(())
}

/// Reads a certificate. What it claims is not checked here.
///
/// # Errors
///
/// Why it is no certificate, or where it is damaged.
pub fn read(input: &mut dyn BufRead) -> Result<Certificate, String> {
    let first = line(input)?;
    if first != FIRST_LINE {
        let known = first.strip_prefix("gameproof certificate ");
        return Err(known.map_or_else(
            || "this is no certificate of gameproof".to_owned(),
            |version| format!("the certificate is of version {version}; this program reads version 3"),
        ));
    }
    let header: Header =
        serde_json::from_str(&line(input)?).map_err(|error| format!("the header is damaged: {error}"))?;
    let has = |name: &str| header.columns.iter().any(|column| column == name);
    if let Some(unknown) = header.columns.iter().find(|column| !COLUMNS.contains(&column.as_str())) {
        return Err(format!("the certificate has an unknown column \"{unknown}\""));
    }
    let count = header.positions;
    let width = if header.sum { Width::Varied } else { Width::Fixed(header.width) };
    let positions = read_positions(width, count, input)?;
    let rows = |name: &str| if has(name) { count } else { 0 };
    let certificate = Certificate {
        problem: header.problem.clone(),
        variant: header.variant.clone(),
        positions,
        remoteness: read_ranks(rows("remoteness"), input)?,
        own_moves: read_ranks(rows("own moves"), input)?,
        nimbers: read_numbers(rows("grundy"), input)?,
        plays: collect(rows("plays"), || read_plays(input))?,
        shortest: read_numbers(rows("shortest"), input)?,
        longest: read_numbers(rows("longest"), input)?,
        distances: read_numbers(rows("distance"), input)?,
        solutions: collect(rows("distance"), || read_number(input))?,
        regions: collect(header.regions, || read_region(width, input))?,
        sum: header.sum,
        parts: header.parts.map(|count| read_parts(header.width, count, input)).transpose()?,
        rings: header.rings.iter().map(|rings| read_rings(width, rings, input)).collect::<Result<_, _>>()?,
        lines: header.lines.as_ref().map(|lines| read_lines(lines, input)).transpose()?,
    };
    let mut rest = [0];
    match input.read(&mut rest) {
        Ok(0) => Ok(certificate),
        Ok(_) => Err("something stands after the end of the certificate".to_owned()),
        Err(error) => Err(told(&error)),
    }
}

fn read_rings(width: Width, header: &RingsHeader, input: &mut dyn BufRead) -> Result<OwnedRings, String> {
    let reach = REACHES.iter().find(|(word, _)| *word == header.reach);
    let reach = reach.ok_or_else(|| format!("the certificate has rings with an unknown reach \"{}\"", header.reach))?.1;
    Ok(OwnedRings {
        positions: read_positions(width, header.positions, input)?,
        ends: collect(header.rings, || usize::try_from(read_word(input)?).map_err(|_| damaged()))?,
        reach,
    })
}

fn read_parts(width: usize, count: usize, input: &mut dyn BufRead) -> Result<OwnedParts, String> {
    Ok(OwnedParts {
        positions: read_positions(Width::Fixed(width), count, input)?,
        nimbers: read_numbers(count, input)?,
        depths: read_numbers(count, input)?,
    })
}

fn read_region(width: Width, input: &mut dyn BufRead) -> Result<Region, String> {
    let plies = u32::try_from(read_word(input)?).map_err(|_| damaged())?;
    let layers = usize::try_from(read_word(input)?).map_err(|_| damaged())?;
    let layers = collect(layers, || {
        let count = usize::try_from(read_word(input)?).map_err(|_| damaged())?;
        if count == 0 {
            return Err(damaged());
        }
        let positions = read_positions(width, count, input)?;
        let classes = read_ranks(count, input)?;
        Ok(Layer { positions, ends: Vec::new(), options: Vec::new(), classes })
    })?;
    Ok(Region { plies, layers })
}

fn write_positions(positions: &Positions, out: &mut dyn Write) -> io::Result<()> {
    let mut position = Vec::new();
    let Width::Fixed(width) = positions.width() else {
        let mut before: Vec<i64> = Vec::new();
        for number in 0..positions.len() {
            positions.read(u32::try_from(number).unwrap_or(u32::MAX), &mut position);
            write_word(wide(position.len()), out)?;
            for (at, now) in position.iter().enumerate() {
                write_word(folded(now.wrapping_sub(before.get(at).copied().unwrap_or(0))), out)?;
            }
            before.clone_from(&position);
        }
        return Ok(());
    };
    for coordinate in 0..width {
        let mut before = 0_i64;
        for number in 0..positions.len() {
            positions.read(u32::try_from(number).unwrap_or(u32::MAX), &mut position);
            let now = position[coordinate];
            write_word(folded(now.wrapping_sub(before)), out)?;
            before = now;
        }
    }
    Ok(())
}

fn read_positions(width: Width, count: usize, input: &mut dyn BufRead) -> Result<Positions, String> {
    const MOST: usize = 1 << 16;
    let mut positions = Positions::new(width);
    let Width::Fixed(width) = width else {
        let mut before: Vec<i64> = Vec::new();
        for number in 0..count {
            let length = usize::try_from(read_word(input)?).ok().filter(|length| *length <= MOST);
            let mut at = 0;
            let position = collect(length.ok_or_else(damaged)?, || {
                let now = before.get(at).copied().unwrap_or(0).wrapping_add(unfolded(read_word(input)?));
                at += 1;
                Ok(now)
            })?;
            insert_new(&mut positions, number, &position)?;
            before = position;
        }
        return Ok(positions);
    };
    if width > MOST {
        return Err(damaged());
    }
    let mut columns: Vec<Vec<i64>> = Vec::new();
    for _ in 0..width {
        let mut before = 0_i64;
        columns.push(collect(count, || {
            before = before.wrapping_add(unfolded(read_word(input)?));
            Ok(before)
        })?);
    }
    for number in 0..count {
        let position: Vec<i64> = columns.iter().map(|column| column[number]).collect();
        insert_new(&mut positions, number, &position)?;
    }
    Ok(positions)
}

fn insert_new(positions: &mut Positions, number: usize, position: &[i64]) -> Result<(), String> {
    let (given, new) = positions.insert(position);
    if new && index(given) == number {
        Ok(())
    } else {
        Err(format!("the position {} is listed twice", shown(position)))
    }
}

fn shown(position: &[i64]) -> String {
    format!("({})", position.iter().map(i64::to_string).collect::<Vec<_>>().join(", "))
}

fn write_ranks(ranks: &[Ranked], out: &mut dyn Write) -> io::Result<()> {
    ranks.iter().try_for_each(|ranked| write_word(u64::from(ranked.0), out))
}

fn read_ranks(count: usize, input: &mut dyn BufRead) -> Result<Vec<Ranked>, String> {
    // no rank comes near the end of its range, so that one more can always be counted
    collect(count, || {
        let code = u32::try_from(read_word(input)?).ok().filter(|code| *code < u32::MAX / 2);
        code.map(Ranked).ok_or_else(damaged)
    })
}

fn write_numbers(numbers: &[u32], out: &mut dyn Write) -> io::Result<()> {
    numbers.iter().try_for_each(|number| write_word(if *number == NONE { 0 } else { u64::from(*number) + 1 }, out))
}

fn read_numbers(count: usize, input: &mut dyn BufRead) -> Result<Vec<u32>, String> {
    collect(count, || match read_word(input)? {
        0 => Ok(NONE),
        word => u32::try_from(word - 1).map_err(|_| damaged()),
    })
}

fn read_plays(input: &mut dyn BufRead) -> Result<Option<Plays>, String> {
    let total = read_number(input)?;
    if total == UBig::ZERO {
        return Ok(None);
    }
    Ok(Some(Plays { total: total - UBig::ONE, won: read_number(input)?, lost: read_number(input)? }))
}

fn write_word(mut word: u64, out: &mut dyn Write) -> io::Result<()> {
    loop {
        let low = u8::try_from(word & 0x7f).unwrap_or(0);
        word >>= 7;
        if word == 0 {
            return out.write_all(&[low]);
        }
        out.write_all(&[low | 0x80])?;
    }
}

fn write_number(number: &UBig, out: &mut dyn Write) -> io::Result<()> {
    let bytes = number.to_le_bytes();
    write_word(wide(bytes.len()), out)?;
    out.write_all(&bytes)
}

fn read_number(input: &mut dyn BufRead) -> Result<UBig, String> {
    let length = read_word(input)?;
    let mut bytes = Vec::new();
    input.take(length).read_to_end(&mut bytes).map_err(|error| told(&error))?;
    if wide(bytes.len()) < length { Err(cut_off()) } else { Ok(UBig::from_le_bytes(&bytes)) }
}

fn read_word(input: &mut dyn BufRead) -> Result<u64, String> {
    let mut word = 0_u64;
    for shift in (0..64).step_by(7) {
        let mut byte = [0];
        input.read_exact(&mut byte).map_err(|error| told(&error))?;
        let low = u64::from(byte[0] & 0x7f);
        if shift == 63 && low > 1 {
            return Err(damaged());
        }
        word |= low << shift;
        if byte[0] & 0x80 == 0 {
            return Ok(word);
        }
    }
    Err(damaged())
}

/// Reads so many values. Memory grows with what is there, not with what a damaged number promises.
fn collect<T>(count: usize, mut next: impl FnMut() -> Result<T, String>) -> Result<Vec<T>, String> {
    let mut values = Vec::with_capacity(count.min(1 << 16));
    for _ in 0..count {
        values.push(next()?);
    }
    Ok(values)
}

fn line(input: &mut dyn BufRead) -> Result<String, String> {
    let mut bytes = Vec::new();
    input.take(HEADER_LIMIT).read_until(b'\n', &mut bytes).map_err(|error| told(&error))?;
    if bytes.pop() != Some(b'\n') {
        return Err("this is no certificate of gameproof, or it is cut off".to_owned());
    }
    String::from_utf8(bytes).map_err(|_| "this is no certificate of gameproof".to_owned())
}

/// 0, -1, 1, -2, 2, … as 0, 1, 2, 3, 4, …
const fn folded(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)).cast_unsigned()
}

const fn unfolded(word: u64) -> i64 {
    (word >> 1).cast_signed() ^ -((word & 1).cast_signed())
}

fn told(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::UnexpectedEof { cut_off() } else { format!("it cannot be read: {error}") }
}

fn cut_off() -> String {
    "the certificate is cut off".to_owned()
}

fn damaged() -> String {
    "the certificate is damaged: a number is out of range".to_owned()
}

fn wide(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
