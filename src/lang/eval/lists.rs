//! Lists, tables, and positions written out. What stands ready in the tree or in the position is not copied.

use super::*;

impl<'r> Reader<'r, '_> {
    /// The entries of a list; conditions as 0 and 1.
    pub(super) fn list<'t>(&mut self, list: &'t List) -> Value<Cow<'t, [i64]>>
    where
        'r: 't,
    {
        match &list.kind {
            ListKind::Constant(values) => Ok(Cow::Borrowed(&values[..])),
            ListKind::Array(array) => Ok(Cow::Borrowed(&self.position[array.offset..array.offset + array.length])),
            ListKind::Items(items) => {
                let mut values = Some(Vec::with_capacity(items.len()));
                for item in items {
                    keep(&mut values, self.scalar(item))?;
                }
                values.map(Cow::Owned).ok_or(Halt::Missing)
            }
            ListKind::Over(over) => {
                let mut values = Some(Vec::new());
                self.over(&over.clauses, &mut |reader| {
                    keep(&mut values, reader.scalar(&over.body))?;
                    Ok(Flow::On)
                })?;
                values.map(Cow::Owned).ok_or(Halt::Missing)
            }
            ListKind::Repeated(inner, times) => {
                let values = present(self.list(inner))?;
                let times = self.int(times)?;
                let values = values.ok_or(Halt::Missing)?;
                let fault = |fault| Halt::fault(fault, list.span);
                let times = u64::try_from(times).map_err(|_| fault(Fault::NegativeLength(times)))?;
                let size = u64::try_from(values.len()).unwrap_or(u64::MAX).saturating_mul(times);
                match usize::try_from(times) {
                    Ok(times) if size <= STEP_LIMIT => Ok(Cow::Owned(values.repeat(times))),
                    _ => Err(fault(Fault::TooLong(STEP_LIMIT))),
                }
            }
            ListKind::Row(table, index) => {
                let table = present(self.table(table))?;
                let index = self.int(index)?;
                let table = table.ok_or(Halt::Missing)?;
                let outside = || Halt::fault(Fault::OutsideList(index, table.len()), list.span);
                let place = usize::try_from(index).map_err(|_| outside())?;
                match &table {
                    Cow::Borrowed(rows) => rows.get(place).map(|row| Cow::Borrowed(&row[..])),
                    Cow::Owned(rows) => rows.get(place).cloned().map(Cow::Owned),
                }
                .ok_or_else(outside)
            }
            ListKind::LoopRow(slot) => Ok(Cow::Owned(self.around.rows[*slot].clone())),
            ListKind::If(condition, yes, no) => {
                if self.bool(condition)? {
                    self.list(yes)
                } else {
                    self.list(no)
                }
            }
        }
    }

    fn scalar(&mut self, scalar: &Scalar) -> Value<i64> {
        match scalar {
            Scalar::Int(int) => self.int(int),
            Scalar::Bool(bool) => self.bool(bool).map(i64::from),
        }
    }

    /// The rows of a table.
    pub(super) fn table<'t>(&mut self, table: &'t Table) -> Value<Cow<'t, Rows>> {
        match table {
            Table::Constant(rows) => Ok(Cow::Borrowed(rows)),
            Table::Items(lists) => {
                let mut rows = Some(Vec::with_capacity(lists.len()));
                for list in lists {
                    keep(&mut rows, self.list(list).map(Cow::into_owned))?;
                }
                rows.map(|rows| Cow::Owned(rows.into())).ok_or(Halt::Missing)
            }
            Table::Over(over) => {
                let mut rows = Some(Vec::new());
                self.over(&over.clauses, &mut |reader| {
                    keep(&mut rows, reader.list(&over.body).map(Cow::into_owned))?;
                    Ok(Flow::On)
                })?;
                rows.map(|rows| Cow::Owned(rows.into())).ok_or(Halt::Missing)
            }
        }
    }

    /// Writes the entries of a position into the state part of `position`.
    #[inline]
    pub(super) fn coordinates(&mut self, coordinates: &Coordinates, position: &mut [i64]) -> Value<()> {
        let mut offset = 0;
        for entry in &coordinates.entries {
            match entry {
                Coordinate::Int(int) => {
                    position[offset] = self.int(int)?;
                    offset += 1;
                }
                Coordinate::List(list, cells) => {
                    self.cells(list, &mut position[offset..offset + cells])?;
                    offset += cells;
                }
            }
        }
        Ok(())
    }

    /// Writes a list over cells, of which there must be as many.
    pub(super) fn cells(&mut self, list: &List, cells: &mut [i64]) -> Value<()> {
        let values = self.list(list)?;
        if values.len() != cells.len() {
            return Err(Halt::fault(Fault::ArrayLength { cells: cells.len(), values: values.len() }, list.span));
        }
        cells.copy_from_slice(&values);
        Ok(())
    }
}
