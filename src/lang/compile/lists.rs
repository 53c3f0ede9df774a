//! Lists and tables.

use super::*;

pub(super) fn compile_list(list: &List) -> ListCode {
    let span = list.span;
    match &list.kind {
        ListKind::Constant(values) => {
            let values = Arc::clone(values);
            Box::new(move |_, out| {
                out.extend_from_slice(&values);
                Ok(())
            })
        }
        ListKind::Array(array) => {
            let range = array.offset..array.offset + array.length;
            Box::new(move |frame, out| {
                out.extend_from_slice(&frame.position[range.clone()]);
                Ok(())
            })
        }
        ListKind::Items(items) => {
            let items: Vec<IntCode> = items.iter().map(compile_scalar).collect();
            Box::new(move |frame, out| {
                let mut lost = false;
                for item in &items {
                    gather(out, &mut lost, item(frame))?;
                }
                unless_missing(lost, ())
            })
        }
        ListKind::Over(over) => {
            let (loops, body) = (compile_clauses(&over.clauses), compile_scalar(&over.body));
            Box::new(move |frame, out| {
                let mut lost = false;
                loops(frame, &mut |frame| {
                    gather(out, &mut lost, body(frame))?;
                    Ok(true)
                })?;
                unless_missing(lost, ())
            })
        }
        ListKind::Repeated(inner, times) => {
            let (inner, times) = (compile_list(inner), compile_int(times));
            Box::new(move |frame, out| {
                let mut values = Vec::new();
                let lost = missing(inner(frame, &mut values))?;
                let times = times(frame)?;
                unless_missing(lost, ())?;
                if times < 0 {
                    return Err(Halt::fault(Fault::NegativeLength(times), span));
                }
                let size = i64::try_from(values.len()).unwrap_or(i64::MAX).saturating_mul(times);
                if u64::try_from(size).unwrap_or(u64::MAX) > STEP_LIMIT {
                    return Err(Halt::fault(Fault::TooLong(STEP_LIMIT), span));
                }
                if !values.is_empty() {
                    for _ in 0..times {
                        out.extend_from_slice(&values);
                    }
                }
                Ok(())
            })
        }
        ListKind::Row(table, index) => {
            let (table, index) = (compile_table(table), compile_int(index));
            Box::new(move |frame, out| {
                let mut rows = Vec::new();
                let listed = table(frame, &mut |_, row| {
                    rows.push(row.to_vec());
                    Ok(true)
                });
                if let Err(halt) = listed {
                    return Err(after(halt, || index(frame)));
                }
                let at = index(frame)?;
                match cell_of(at, rows.len()) {
                    Some(row) => {
                        out.extend_from_slice(&rows[row]);
                        Ok(())
                    }
                    None => Err(Halt::fault(Fault::OutsideList(at, rows.len()), span)),
                }
            })
        }
        ListKind::LoopRow(slot) => {
            let slot = *slot;
            Box::new(move |frame, out| {
                out.extend_from_slice(&frame.rows[slot]);
                Ok(())
            })
        }
        ListKind::If(condition, yes, no) => {
            let (condition, yes, no) = (compile_bool(condition), compile_list(yes), compile_list(no));
            Box::new(move |frame, out| if condition(frame)? { yes(frame, out) } else { no(frame, out) })
        }
    }
}

pub(super) fn compile_scalar(scalar: &Scalar) -> IntCode {
    match scalar {
        Scalar::Int(int) => compile_int(int),
        Scalar::Bool(bool) => {
            let bool = compile_bool(bool);
            Box::new(move |frame| bool(frame).map(i64::from))
        }
    }
}

pub(super) fn compile_table(table: &Table) -> TableCode {
    match table {
        Table::Constant(rows) => {
            let rows = Arc::clone(rows);
            Box::new(move |frame, each| {
                for row in rows.iter() {
                    if !each(frame, row)? {
                        break;
                    }
                }
                Ok(())
            })
        }
        // the rows are all evaluated before the first is used, as the reference does
        Table::Items(lists) => {
            let lists: Vec<ListCode> = lists.iter().map(compile_list).collect();
            Box::new(move |frame, each| {
                let (mut rows, mut lost) = (Vec::new(), false);
                for list in &lists {
                    let mut row = Vec::new();
                    let done = list(frame, &mut row);
                    gather(&mut rows, &mut lost, done.map(|()| row))?;
                }
                unless_missing(lost, ())?;
                for row in &rows {
                    if !each(frame, row)? {
                        break;
                    }
                }
                Ok(())
            })
        }
        Table::Over(over) => {
            let (loops, body) = (compile_clauses(&over.clauses), compile_list(&over.body));
            Box::new(move |frame, each| {
                let (mut rows, mut lost) = (Vec::new(), false);
                loops(frame, &mut |frame| {
                    let mut row = Vec::new();
                    let done = body(frame, &mut row);
                    gather(&mut rows, &mut lost, done.map(|()| row))?;
                    Ok(true)
                })?;
                unless_missing(lost, ())?;
                for row in &rows {
                    if !each(frame, row)? {
                        break;
                    }
                }
                Ok(())
            })
        }
    }
}
