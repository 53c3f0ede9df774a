//! Numbers along a line.

use super::super::number;
use super::super::syntax::Operator;
use super::super::tree::{Coordinate, Coordinates, Fold, Function, Int, IntKind, List, ListKind, Quantity, Scalar};
use super::ints::Ints;
use super::{Columns, Fit, Truth, Unfit};
use crate::faults::{Wrong, planted};
use crate::value::{Ranked, Ranking};

impl Columns<'_> {
    /// A number at each place where `when` holds; elsewhere any number.
    ///
    /// # Errors
    ///
    /// It may have no value somewhere, or is not evaluated in columns.
    pub fn int(&mut self, int: &Int, when: &Truth) -> Fit<Ints> {
        let len = self.len;
        match &int.kind {
            IntKind::Number(value) => Ok(Ints::constant(*value)),
            IntKind::Variable(at) => self.position.get(*at).cloned().ok_or(Unfit),
            IntKind::Parameter(at) => self.parameters.get(*at).cloned().ok_or(Unfit),
            IntKind::Loop(slot) => Ok(Ints::constant(self.loops[*slot])),
            IntKind::Cell(array, index) => {
                let index = self.int(index, when)?.same().ok_or(Unfit)?;
                let index = usize::try_from(index).ok().filter(|index| *index < array.length).ok_or(Unfit)?;
                self.position.get(array.offset + index).cloned().ok_or(Unfit)
            }
            IntKind::Entry(list, index) => {
                let values = self.constant_list(list)?;
                let index = self.int(index, when)?;
                let (low, high) = index.bounds(len);
                let last = i64::try_from(values.len()).map_err(|_| Unfit)?;
                if low < 0 || high >= last {
                    return Err(Unfit);
                }
                let (least, most) = (*values.iter().min().ok_or(Unfit)?, *values.iter().max().ok_or(Unfit)?);
                Ok(index.map(len, least, most, |at| {
                    usize::try_from(at).ok().and_then(|at| values.get(at)).copied().unwrap_or(0)
                }))
            }
            IntKind::Negative(a) => Ints::constant(0).minus(&self.int(a, when)?, len),
            IntKind::Binary(operator, a, b) => {
                let (a, b) = (self.int(a, when)?, self.int(b, when)?);
                self.binary(*operator, &a, &b, when)
            }
            IntKind::CeilDiv(a, b) => {
                let (a, b) = (self.int(a, when)?, self.int(b, when)?);
                self.divide(&a, &b, true)
            }
            IntKind::If(condition, yes, no) => {
                let condition = self.bool(condition, when)?;
                let (here, there) = (when.and(&condition), when.and(&condition.not(len)));
                if there.is_empty() {
                    return self.int(yes, &here);
                }
                if here.is_empty() {
                    return self.int(no, &there);
                }
                let (yes, no) = (self.int(yes, &here)?, self.int(no, &there)?);
                let ((a, b), (c, d)) = (yes.bounds(len), no.bounds(len));
                let values = (0..len).map(|at| if condition.at(at) { yes.at(at) } else { no.at(at) });
                Ok(Ints::values(values.collect(), a.min(c), b.max(d)))
            }
            IntKind::Function(function, a) => {
                let a = self.int(a, when)?;
                self.function(*function, &a)
            }
            IntKind::Fold(fold, operands) => {
                let mut folded: Option<Ints> = None;
                for operand in operands {
                    let operand = self.int(operand, when)?;
                    folded = Some(match folded {
                        None => operand,
                        Some(before) => self.fold(*fold, &before, &operand)?,
                    });
                }
                folded.ok_or(Unfit)
            }
            IntKind::FoldList(fold, list) => {
                let values = self.list(list, when)?;
                self.fold_all(*fold, values)
            }
            IntKind::Length(list) => {
                let length = match &list.kind {
                    ListKind::Array(array) => array.length,
                    ListKind::Constant(values) => values.len(),
                    _ => return Err(Unfit),
                };
                i64::try_from(length).map(Ints::constant).map_err(|_| Unfit)
            }
            IntKind::Count(over) => {
                let mut counted = Ints::constant(0);
                self.each(&over.clauses, when.clone(), &mut |columns, when| {
                    let holds = columns.bool(&over.body, &when)?.and(&when);
                    counted = counted.plus(&columns.zero_or_one(&holds), len)?;
                    Ok(())
                })?;
                Ok(counted)
            }
            IntKind::Value(Quantity::Remoteness) => self.remoteness(when),
            IntKind::Value(Quantity::Grundy) => {
                let nimbers = self.sight.nimbers(&self.position, when, len)?;
                Ok(Ints::values(nimbers.into_iter().map(i64::from).collect(), 0, i64::from(u32::MAX)))
            }
            IntKind::FoldOver(..) | IntKind::TableLength(_) | IntKind::Value(_) => Err(Unfit),
        }
    }

    /// The least and the greatest of a number over the places where `when` holds.
    ///
    /// # Errors
    ///
    /// As for [`Columns::int`].
    pub fn extremes(&mut self, int: &Int, when: &Truth) -> Fit<(i64, i64)> {
        if matches!(int.kind, IntKind::Value(Quantity::Remoteness))
            && when.is_all(self.len)
            && let Some((least, greatest)) = self.sight.extremes(&self.position, self.len)
        {
            return Ok((i64::from(least), i64::from(greatest)));
        }
        let values = self.int(int, when)?;
        if when.is_all(self.len) {
            return Ok((values.least(self.len), values.greatest(self.len)));
        }
        let mut extremes = (i64::MAX, i64::MIN);
        when.each(|at| {
            let value = values.at(at);
            let before = if planted(Wrong::GreatestIsLast) { value } else { extremes.1 };
            extremes = (extremes.0.min(value), before.max(value));
            Ok::<(), Unfit>(())
        })?;
        Ok(extremes)
    }

    fn zero_or_one(&self, holds: &Truth) -> Ints {
        if holds.is_empty() {
            return Ints::constant(0);
        }
        if holds.is_all(self.len) {
            return Ints::constant(1);
        }
        Ints::values((0..self.len).map(|at| i64::from(holds.at(at))).collect(), 0, 1)
    }

    /// The remoteness; unfit where a draw is among them, which has none.
    fn remoteness(&mut self, when: &Truth) -> Fit<Ints> {
        let codes = self.ranked(Ranking::Remoteness, None, when)?;
        let drawn = Ranked::DRAW.0;
        if codes.contains(&drawn) {
            when.each(|at| if codes[at] == drawn { Err(Unfit) } else { Ok(()) })?;
        }
        let plies = codes.iter().map(|code| i64::from(code.wrapping_sub(1) >> 1)).collect();
        Ok(Ints::values(plies, 0, i64::from(u32::MAX)))
    }

    fn binary(&mut self, operator: Operator, a: &Ints, b: &Ints, when: &Truth) -> Fit<Ints> {
        let len = self.len;
        match operator {
            Operator::Add => a.plus(b, len),
            Operator::Sub => a.minus(b, len),
            Operator::Mul => a.times(b, len),
            Operator::FloorDiv => self.divide(a, b, false),
            Operator::ExactDiv => {
                let rest = self.remainder(a, b)?;
                let exact = rest.compare(super::super::syntax::Comparison::Equal, &Ints::constant(0), len);
                if !when.and(&exact.not(len)).is_empty() {
                    return Err(Unfit);
                }
                self.divide(a, b, false)
            }
            Operator::FloorMod => self.remainder(a, b),
            Operator::Pow => self.power(a, b),
        }
    }

    /// A quotient, rounded down or up.
    fn divide(&self, a: &Ints, b: &Ints, up: bool) -> Fit<Ints> {
        let by = if up { number::ceil_div } else { number::floor_div };
        let ((low, high), (from, to)) = (a.bounds(self.len), b.bounds(self.len));
        if from <= 0 && to >= 0 || low == i64::MIN {
            return Err(Unfit);
        }
        let Some(divisor) = b.same() else {
            let size = low.saturating_abs().max(high.saturating_abs());
            return Ok(a.zip(b, self.len, -size, size, |a, b| by(a, b).unwrap_or(0)));
        };
        let up_to = up || planted(Wrong::LineDivisionRoundsUp);
        if let Some(quotient) = a.divided_by(divisor, up_to, self.len) {
            return Ok(quotient);
        }
        let corner = |a: i64| by(a, divisor).map_err(|_| Unfit);
        let (c, d) = (corner(low)?, corner(high)?);
        let more = if up_to { divisor.saturating_sub(1) } else { 0 };
        if let Some(bits) = power_of_two(divisor).filter(|_| high.checked_add(more).is_some()) {
            return Ok(a.map(self.len, c, d, move |a| a.wrapping_add(more) >> bits));
        }
        if let (Ok(small), Ok(more)) = (u32::try_from(divisor), u32::try_from(more))
            && low >= 0
            && u32::try_from(high.saturating_add(i64::from(more))).is_ok()
        {
            // short division costs a fraction of long division
            let short = move |a: i64| i64::from((u32::try_from(a).unwrap_or(0) + more) / small);
            return Ok(a.map(self.len, c, d, short));
        }
        Ok(a.zip(b, self.len, c.min(d), c.max(d), |a, b| by(a, b).unwrap_or(0)))
    }

    fn remainder(&self, a: &Ints, b: &Ints) -> Fit<Ints> {
        let len = self.len;
        let ((low, high), (from, to)) = (a.bounds(len), b.bounds(len));
        if from <= 0 && to >= 0 {
            return Err(Unfit);
        }
        if let (Ints::Line(line), Some(divisor)) = (a, b.same())
            && line.step.wrapping_rem(divisor) == 0
        {
            return number::floor_mod(line.base, divisor).map(Ints::constant).map_err(|_| Unfit);
        }
        if let Some(divisor) = b.same().filter(|divisor| *divisor > 0) {
            if low >= 0 && high < divisor {
                return Ok(a.clone());
            }
            if power_of_two(divisor).is_some() {
                return Ok(a.map(len, 0, divisor - 1, move |a| a & (divisor - 1)));
            }
            if let Ok(small) = u32::try_from(divisor)
                && let (Ok(_), Ok(_)) = (u32::try_from(low), u32::try_from(high))
            {
                // short division costs a fraction of long division
                let short = move |a: i64| i64::from(u32::try_from(a).unwrap_or(0) % small);
                return Ok(a.map(len, 0, divisor - 1, short));
            }
            return Ok(a.map(len, 0, divisor - 1, move |a| a.rem_euclid(divisor)));
        }
        let (low, high) = if from > 0 { (0, to - 1) } else { (from + 1, 0) };
        Ok(a.zip(b, len, low, high, |a, b| number::floor_mod(a, b).unwrap_or(0)))
    }

    fn power(&self, a: &Ints, b: &Ints) -> Fit<Ints> {
        let exponent = b.same().filter(|b| *b >= 0).ok_or(Unfit)?;
        if let Some(base) = a.same() {
            return number::pow(base, exponent).map(Ints::constant).map_err(|_| Unfit);
        }
        let (low, high) = a.bounds(self.len);
        let (c, d) = (number::pow(low, exponent).map_err(|_| Unfit)?, number::pow(high, exponent).map_err(|_| Unfit)?);
        let least = if low <= 0 && high >= 0 { c.min(d).min(0) } else { c.min(d) };
        let exponent = u32::try_from(exponent).map_err(|_| Unfit)?;
        Ok(match exponent {
            2 => a.map(self.len, least, c.max(d), |a| a.wrapping_mul(a)),
            _ => a.map(self.len, least, c.max(d), |a| a.wrapping_pow(exponent)),
        })
    }

    fn function(&self, function: Function, a: &Ints) -> Fit<Ints> {
        let (low, high) = a.bounds(self.len);
        match function {
            Function::Abs if low >= 0 => Ok(a.clone()),
            Function::Abs => {
                let most = low.checked_abs().ok_or(Unfit)?.max(high.checked_abs().ok_or(Unfit)?);
                Ok(a.map(self.len, 0, most, i64::wrapping_abs))
            }
            Function::Sign => Ok(a.map(self.len, -1, 1, i64::signum)),
            Function::Isqrt if low < 0 => Err(Unfit),
            Function::Isqrt => Ok(a.map(self.len, 0, high, |a| a.checked_isqrt().unwrap_or(0))),
        }
    }

    fn fold(&self, fold: Fold, a: &Ints, b: &Ints) -> Fit<Ints> {
        let len = self.len;
        let ((low, high), (from, to)) = (a.bounds(len), b.bounds(len));
        match fold {
            Fold::Min if high <= from => Ok(a.clone()),
            Fold::Min if to <= low => Ok(b.clone()),
            Fold::Max if low >= to => Ok(a.clone()),
            Fold::Max if from >= high => Ok(b.clone()),
            Fold::Min => Ok(a.zip(b, len, low.min(from), high.min(to), i64::min)),
            Fold::Max => Ok(a.zip(b, len, low.max(from), high.max(to), i64::max)),
            Fold::Sum => a.plus(b, len),
            Fold::Product => a.times(b, len),
            Fold::Xor if low >= 0 && from >= 0 => {
                let bits = 64 - (high | to).leading_zeros();
                let most = 1_i64.checked_shl(bits).map_or(i64::MAX, |power| power.wrapping_sub(1));
                Ok(a.zip(b, len, 0, if most < 0 { i64::MAX } else { most }, |a, b| a ^ b))
            }
            Fold::Xor => Ok(a.zip(b, len, i64::MIN, i64::MAX, |a, b| a ^ b)),
            Fold::Gcd => {
                let ends: Option<Vec<i64>> = [low, high, from, to].iter().map(|a| a.checked_abs()).collect();
                let most = ends.and_then(|ends| ends.into_iter().max()).ok_or(Unfit)?;
                Ok(a.zip(b, len, 0, most, |a, b| number::gcd(&[a, b]).unwrap_or(0)))
            }
        }
    }

    fn fold_all(&self, fold: Fold, values: Vec<Ints>) -> Fit<Ints> {
        let mut values = values.into_iter();
        let first = match (values.next(), fold) {
            (Some(first), Fold::Gcd) => self.fold(fold, &first, &Ints::constant(0))?,
            (Some(first), _) => first,
            (None, Fold::Sum) => Ints::constant(0),
            (None, Fold::Product) => Ints::constant(1),
            (None, _) => return Err(Unfit),
        };
        values.try_fold(first, |before, value| self.fold(fold, &before, &value))
    }

    /// A list that is the same everywhere, whatever `when`.
    pub(super) fn constant_list(&mut self, list: &List) -> Fit<Vec<i64>> {
        if let ListKind::Constant(values) = &list.kind {
            return Ok(values.to_vec());
        }
        let all = self.all();
        self.list(list, &all)?.iter().map(|value| value.same().ok_or(Unfit)).collect()
    }

    /// The entries of a list whose length is the same everywhere.
    pub(super) fn list(&mut self, list: &List, when: &Truth) -> Fit<Vec<Ints>> {
        match &list.kind {
            ListKind::Constant(values) => Ok(values.iter().map(|value| Ints::constant(*value)).collect()),
            ListKind::Array(array) => {
                self.position.get(array.offset..array.offset + array.length).map(<[Ints]>::to_vec).ok_or(Unfit)
            }
            ListKind::Items(items) => items
                .iter()
                .map(|item| match item {
                    Scalar::Int(int) => self.int(int, when),
                    Scalar::Bool(bool) => {
                        let holds = self.bool(bool, when)?;
                        Ok(self.zero_or_one(&holds))
                    }
                })
                .collect(),
            _ => Err(Unfit),
        }
    }

    /// Appends the coordinates of a position to `to`.
    ///
    /// # Errors
    ///
    /// As for [`Columns::int`].
    pub fn coordinates(&mut self, coordinates: &Coordinates, when: &Truth, to: &mut Vec<Ints>) -> Fit<()> {
        for entry in &coordinates.entries {
            match entry {
                Coordinate::Int(int) => {
                    let value = self.int(int, when)?;
                    to.push(value);
                }
                Coordinate::List(list, cells) => {
                    let values = self.list(list, when)?;
                    if values.len() != *cells {
                        return Err(Unfit);
                    }
                    to.extend(values);
                }
            }
        }
        Ok(())
    }
}

/// Which power of two a number is: such a division takes one step, also of a negative number.
fn power_of_two(number: i64) -> Option<u32> {
    u64::try_from(number).ok().filter(|number| number.is_power_of_two()).map(u64::trailing_zeros)
}
