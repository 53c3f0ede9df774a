//! A dense set of positions: a box cut into lines, of each of which a stretch belongs to the set. No position takes
//! room; its index follows from its numbers.

use crate::faults::{Wrong, planted};

/// A coordinate of a box, and whether it is gone through from the greatest value down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    /// The offset of the coordinate in a position.
    pub coordinate: usize,
    /// From the greatest value down; else from the least up.
    pub down: bool,
    /// The least value.
    pub low: i64,
    /// The greatest value.
    pub high: i64,
}

impl Axis {
    /// How many values there are, if there are fewer than 2^32.
    #[must_use]
    pub fn size(&self) -> Option<usize> {
        let size = u32::try_from(i128::from(self.high) - i128::from(self.low) + 1).ok()?;
        usize::try_from(size).ok()
    }

    /// The place of a value among them, in the order in which they are gone through.
    #[must_use]
    pub fn place(&self, value: i64) -> Option<usize> {
        if value < self.low || value > self.high {
            return None;
        }
        let steps = if self.down { self.high - value } else { value - self.low };
        usize::try_from(steps).ok()
    }

    /// The value at a place.
    #[must_use]
    pub fn value(&self, place: usize) -> i64 {
        let place = i64::try_from(place).unwrap_or(i64::MAX);
        if self.down { self.high - place } else { self.low + place }
    }
}

/// A stretch of a line: its first value, its length, and where its positions begin among all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The least value on it.
    pub low: i64,
    /// How many positions it has.
    pub len: u32,
    /// How many positions the rows before it have.
    pub start: usize,
}

impl Row {
    /// How many positions it has.
    #[must_use]
    pub fn len(&self) -> usize {
        usize::try_from(self.len).unwrap_or(usize::MAX)
    }

    /// Whether it has none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The place of a value on it.
    #[must_use]
    pub fn place(&self, value: i64) -> Option<usize> {
        let place = u32::try_from(value.checked_sub(self.low)?).ok()?;
        (place < self.len).then(|| usize::try_from(place).unwrap_or(usize::MAX))
    }
}

/// A dense set of positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    /// All axes but the last, the slowest first: they tell the row.
    outer: Vec<Axis>,
    /// Along the rows.
    inner: Axis,
    rows: Vec<Row>,
    len: usize,
}

impl Lines {
    /// No rows yet. Every coordinate of a position must have its axis.
    #[must_use]
    pub const fn new(outer: Vec<Axis>, inner: Axis) -> Self {
        Self { outer, inner, rows: Vec::new(), len: 0 }
    }

    /// How many rows the box has, if there are fewer than 2^32.
    #[must_use]
    pub fn rows_in_all(&self) -> Option<usize> {
        let rows = self.outer.iter().try_fold(1_usize, |rows, axis| rows.checked_mul(axis.size()?))?;
        u32::try_from(rows).is_ok().then_some(rows)
    }

    /// Makes room for so many rows.
    pub fn reserve(&mut self, rows: usize) {
        self.rows.reserve_exact(rows);
    }

    /// Adds the next row: a stretch of values, which may be empty.
    pub fn push(&mut self, low: i64, len: u32) {
        let row = Row { low, len, start: self.len };
        self.len += row.len();
        self.rows.push(row);
    }

    /// Adds rows without positions, until there are so many rows.
    pub fn skip_to(&mut self, row: usize) {
        if row > self.rows.len() {
            self.rows.resize(row, Row { low: self.inner.low, len: 0, start: self.len });
        }
    }

    /// How many positions there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many numbers a position has.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.outer.len() + 1
    }

    /// The rows, in order.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The axes that tell the row.
    #[must_use]
    pub fn outer(&self) -> &[Axis] {
        &self.outer
    }

    /// The axis along the rows.
    #[must_use]
    pub const fn inner(&self) -> Axis {
        self.inner
    }

    /// The number of the row through a position.
    #[must_use]
    pub fn row_of(&self, value: impl Fn(usize) -> i64) -> Option<usize> {
        let mut number = 0;
        for axis in &self.outer {
            number = number * axis.size()? + axis.place(value(axis.coordinate))?;
        }
        Some(number.saturating_sub(usize::from(planted(Wrong::OneRowFurther))))
    }

    /// The row of a position, by its number, and the place on it, if it is there.
    #[must_use]
    pub fn locate(&self, position: &[i64]) -> Option<(usize, usize)> {
        if position.len() != self.width() {
            return None;
        }
        let number = self.row_of(|at| position[at])?;
        self.rows.get(number)?.place(position[self.inner.coordinate]).map(|place| (number, place))
    }

    /// The index of a position, from 0, if it is there.
    #[must_use]
    pub fn find(&self, position: &[i64]) -> Option<usize> {
        self.locate(position).map(|(row, place)| self.rows[row].start + place)
    }

    /// The same. The row that is found is read back and compared, so that a checker need not trust how it is found.
    #[must_use]
    pub fn find_surely(&self, position: &[i64]) -> Option<usize> {
        if position.len() != self.width() {
            return None;
        }
        let number = self.row_of(|at| position[at])?;
        let mut rest = number;
        for axis in self.outer.iter().rev() {
            let size = axis.size().unwrap_or(1).max(1);
            if position[axis.coordinate] != axis.value(rest % size) {
                return None;
            }
            rest /= size;
        }
        let row = self.rows.get(number)?;
        row.place(position[self.inner.coordinate]).map(|place| row.start + place)
    }

    /// Writes the outer coordinates of a row into a position.
    pub fn read_row(&self, row: usize, position: &mut [i64]) {
        let mut rest = row;
        for axis in self.outer.iter().rev() {
            let size = axis.size().unwrap_or(1).max(1);
            position[axis.coordinate] = axis.value(rest % size);
            rest /= size;
        }
    }

    /// The number of the row in which an index lies.
    #[must_use]
    pub fn row_at(&self, index: usize) -> usize {
        self.rows.partition_point(|row| row.start + row.len() <= index)
    }

    /// Writes the position of an index over `position`.
    pub fn read(&self, index: usize, position: &mut Vec<i64>) {
        position.clear();
        position.resize(self.width(), 0);
        let number = self.row_at(index);
        self.read_row(number, position);
        let Some(row) = self.rows.get(number) else { return };
        position[self.inner.coordinate] = row.low + i64::try_from(index - row.start).unwrap_or(i64::MAX);
    }
}
