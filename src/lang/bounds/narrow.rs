//! What is known of numbers where conditions hold.

use super::super::syntax::{Comparison, Operator};
use super::super::tree::{Bool, BoolKind, Fold, Function, Int, IntKind, ListKind, Range};
use super::Interval;
use super::side::{Side, same_side};
use crate::faults::{Wrong, planted};

/// Bounds of everything that a text may read, and differences that are known not to be less than some number.
#[derive(Debug)]
pub(super) struct Known<'r> {
    pub(super) coordinates: Vec<Interval>,
    pub(super) parameters: Vec<Interval>,
    loops: Vec<Interval>,
    /// `a - b` is at least the number.
    differences: Vec<(Side<'r>, Side<'r>, i64)>,
    /// Whether there may be such a position at all.
    pub(super) possible: bool,
    /// Whether anything has been narrowed since this was set back.
    narrowed: bool,
}

impl Clone for Known<'_> {
    fn clone(&self) -> Self {
        Self {
            coordinates: self.coordinates.clone(),
            parameters: self.parameters.clone(),
            loops: self.loops.clone(),
            differences: self.differences.clone(),
            possible: self.possible,
            narrowed: self.narrowed,
        }
    }

    /// Keeps the room that is there.
    fn clone_from(&mut self, other: &Self) {
        self.coordinates.clone_from(&other.coordinates);
        self.parameters.clone_from(&other.parameters);
        self.loops.clone_from(&other.loops);
        self.differences.clone_from(&other.differences);
        (self.possible, self.narrowed) = (other.possible, other.narrowed);
    }
}

impl<'r> Known<'r> {
    pub(super) fn new(coordinates: Vec<Interval>, slots: usize) -> Self {
        Self {
            coordinates,
            parameters: Vec::new(),
            loops: vec![Interval::ALL; slots],
            differences: Vec::new(),
            possible: true,
            narrowed: false,
        }
    }

    /// Forgets all but its coordinates.
    pub(super) fn begin(&mut self) {
        self.parameters.clear();
        self.loops.fill(Interval::ALL);
        self.differences.clear();
        self.possible = true;
    }

    pub(super) fn set_loop(&mut self, slot: usize, bounds: Interval) {
        if self.loops.len() <= slot {
            self.loops.resize(slot + 1, Interval::ALL);
        }
        self.loops[slot] = bounds;
        self.possible &= !bounds.is_empty();
    }

    /// What is known of a loop variable.
    pub(super) fn loop_bounds(&self, slot: usize) -> Interval {
        self.loops.get(slot).copied().unwrap_or(Interval::ALL)
    }

    /// The same loops at positions within other bounds, of which nothing else is known.
    pub(super) fn elsewhere(&self, coordinates: Vec<Interval>) -> Self {
        let (parameters, loops) = (self.parameters.clone(), self.loops.clone());
        Self { coordinates, parameters, loops, differences: Vec::new(), possible: true, narrowed: false }
    }

    /// The offset of the coordinate that an expression is, if it is one.
    pub(super) fn coordinate(&self, int: &Int) -> Option<usize> {
        match &int.kind {
            IntKind::Variable(at) => Some(*at),
            IntKind::Cell(array, index) => {
                let Interval { low, high } = self.int(index);
                let index = usize::try_from(low).ok().filter(|index| low == high && *index < array.length)?;
                Some(array.offset + index)
            }
            _ => None,
        }
    }

    /// The bounds of a side.
    fn side(&self, side: Side<'_>) -> Interval {
        let kept = match side {
            Side::Text(int) => return self.int(int),
            Side::Coordinate(at) => self.coordinates.get(at),
            Side::Loop(slot) => self.loops.get(slot),
        };
        kept.copied().unwrap_or(Interval::ALL)
    }

    /// The bounds of a difference.
    pub(super) fn difference(&self, a: Side<'_>, b: Side<'_>) -> Interval {
        let mut bounds = self.side(a).minus(self.side(b));
        for (more, less, least) in &self.differences {
            if same_side(*more, a) && same_side(*less, b) {
                bounds.low = bounds.low.max(*least);
            }
            if same_side(*more, b) && same_side(*less, a) {
                bounds.high = bounds.high.min(-*least);
            }
        }
        bounds
    }

    /// Whether no differences are known.
    pub(super) const fn knows_no_difference(&self) -> bool {
        self.differences.is_empty()
    }

    /// The bounds of a number.
    #[inline]
    pub(super) fn int(&self, int: &Int) -> Interval {
        match &int.kind {
            IntKind::Number(value) => Interval::one(*value),
            IntKind::Variable(at) => self.coordinates.get(*at).copied().unwrap_or(Interval::ALL),
            _ => self.compound(int),
        }
    }

    fn compound(&self, int: &Int) -> Interval {
        match &int.kind {
            IntKind::Number(_) | IntKind::Variable(_) => self.int(int),
            IntKind::Parameter(at) => self.parameters.get(*at).copied().unwrap_or(Interval::ALL),
            IntKind::Loop(slot) => self.loops.get(*slot).copied().unwrap_or(Interval::ALL),
            IntKind::Cell(array, index) => {
                let index = self.int(index);
                let cells = self.coordinates.iter().skip(array.offset).take(array.length).enumerate();
                cells
                    .filter(|(at, _)| i64::try_from(*at).is_ok_and(|at| index.contains(at)))
                    .map(|(_, bounds)| *bounds)
                    .reduce(Interval::hull)
                    .unwrap_or(Interval::ALL)
            }
            IntKind::Entry(list, _) => match &list.kind {
                ListKind::Constant(values) => Interval::over(values.iter().copied()),
                _ => Interval::ALL,
            },
            IntKind::Negative(a) => Interval::one(0).minus(self.int(a)),
            IntKind::Binary(Operator::Sub, a, b) => self.difference(Side::Text(a), Side::Text(b)),
            IntKind::Binary(operator, a, b) => self.binary(*operator, a, b),
            IntKind::CeilDiv(a, b) => match self.int(b).exact() {
                Some(by) if by > 0 => self.int(a).plus(Interval::one(by - 1)).divided(by),
                _ => Interval::ALL,
            },
            IntKind::If(_, yes, no) => self.int(yes).hull(self.int(no)),
            IntKind::Function(Function::Abs, a) => self.int(a).abs(),
            IntKind::Function(Function::Sign, _) => Interval { low: -1, high: 1 },
            IntKind::Function(Function::Isqrt, a) => {
                let root = |value: i64| value.max(0).isqrt();
                let a = self.int(a);
                if a.is_bounded() { Interval { low: root(a.low), high: root(a.high) } } else { Interval::ALL }
            }
            IntKind::Fold(fold, operands) => {
                let folded = operands.iter().map(|operand| self.int(operand)).reduce(|a, b| match fold {
                    Fold::Min => Interval { low: a.low.min(b.low), high: a.high.min(b.high) },
                    Fold::Max => Interval { low: a.low.max(b.low), high: a.high.max(b.high) },
                    Fold::Sum => a.plus(b),
                    Fold::Product => a.times(b),
                    Fold::Gcd | Fold::Xor => Interval::ALL,
                });
                folded.unwrap_or(Interval::ALL)
            }
            IntKind::Count(_) => Interval { low: 0, high: Interval::ALL.high },
            IntKind::FoldList(..)
            | IntKind::FoldOver(..)
            | IntKind::Length(_)
            | IntKind::TableLength(_)
            | IntKind::Value(_) => Interval::ALL,
        }
    }

    fn binary(&self, operator: Operator, a: &Int, b: &Int) -> Interval {
        let (left, right) = (self.int(a), self.int(b));
        match operator {
            Operator::Add => left.plus(right),
            Operator::Mul => left.times(right),
            // what leaves no remainder is not rounded
            Operator::ExactDiv if right.exact().is_some_and(|by| by > 0) => Interval {
                low: left.plus(Interval::one(right.low - 1)).divided(right.low).low,
                high: left.divided(right.low).high,
            },
            Operator::FloorDiv | Operator::ExactDiv if right.low > 0 => {
                left.divided(right.low).hull(left.divided(right.high))
            }
            Operator::FloorMod if right.low > 0 => Interval { low: 0, high: right.before().high },
            Operator::Pow => match right.exact().map(u32::try_from) {
                Some(Ok(exponent)) => left.power(exponent),
                _ => Interval::ALL,
            },
            _ => Interval::ALL,
        }
    }

    /// Narrows the bounds to where a condition holds, or does not.
    pub(super) fn hold(&mut self, bool: &'r Bool, truth: bool) {
        match &bool.kind {
            BoolKind::Truth(value) => self.possible &= *value == truth,
            BoolKind::Not(a) => self.hold(a, !truth),
            BoolKind::And(a, b) if truth => {
                self.hold(a, true);
                self.hold(b, true);
            }
            BoolKind::Or(a, b) if !truth => {
                self.hold(a, false);
                self.hold(b, false);
            }
            BoolKind::And(a, b) | BoolKind::Or(a, b) => self.hold_either(a, b, truth),
            BoolKind::Compare(comparison, a, b) => self.hold_comparison(*comparison, a, b, truth),
            BoolKind::In(negated, needle, range) if *negated != truth => match &**range {
                Range::Span { low, high, inclusive } => {
                    self.hold_at_most(low.into(), (&**needle).into(), 0);
                    self.hold_at_most((&**needle).into(), high.into(), i64::from(!inclusive));
                }
                Range::List(list) => {
                    if let ListKind::Constant(values) = &list.kind {
                        self.push(needle, Interval::over(values.iter().copied()));
                    }
                }
                Range::Table(_) => {}
            },
            _ => {}
        }
    }

    /// The same, once more where that says more: what the second part says narrows what the first reads.
    pub(super) fn hold_twice(&mut self, bool: &'r Bool, truth: bool) {
        self.narrowed = false;
        self.hold(bool, truth);
        if self.possible && self.narrowed && !is_said_at_once(bool) {
            self.hold(bool, truth);
        }
    }

    fn hold_either(&mut self, a: &'r Bool, b: &'r Bool, truth: bool) {
        self.narrowed = true;
        let mut other = self.clone();
        self.hold(a, truth);
        other.hold(b, truth);
        if !other.possible {
            return;
        }
        if !self.possible {
            *self = other;
            return;
        }
        let join = |ours: &mut Vec<Interval>, theirs: &[Interval]| {
            for (a, b) in ours.iter_mut().zip(theirs) {
                *a = a.hull(*b);
            }
        };
        join(&mut self.coordinates, &other.coordinates);
        join(&mut self.parameters, &other.parameters);
        join(&mut self.loops, &other.loops);
        self.differences.retain(|(a, b, least)| {
            other.differences.iter().any(|(c, d, other)| same_side(*a, *c) && same_side(*b, *d) && other >= least)
        });
    }

    fn hold_comparison(&mut self, comparison: Comparison, a: &'r Int, b: &'r Int, truth: bool) {
        use Comparison::{AtLeast, AtMost, Equal, Greater, Less, Unequal};
        let (left, right) = (Side::Text(a), Side::Text(b));
        match (comparison, truth) {
            (Less, true) | (AtLeast, false) => self.hold_at_most(left, right, 1),
            (AtMost, true) | (Greater, false) => self.hold_at_most(left, right, 0),
            (Greater, true) | (AtMost, false) => self.hold_at_most(right, left, 1),
            (AtLeast, true) | (Less, false) => self.hold_at_most(right, left, 0),
            (Equal, true) | (Unequal, false) => {
                self.hold_at_most(left, right, 0);
                self.hold_at_most(right, left, 0);
            }
            (Equal, false) | (Unequal, true) => {
                for (a, b) in [(a, b), (b, a)] {
                    let (bounds, Some(other)) = (self.int(a), self.int(b).exact()) else { continue };
                    if bounds.low == other {
                        self.push(a, Interval { low: other + 1, high: bounds.high });
                    } else if bounds.high == other {
                        self.push(a, Interval { low: bounds.low, high: other - 1 });
                    }
                }
            }
        }
    }

    /// `a + least <= b`
    pub(super) fn hold_at_most(&mut self, a: Side<'r>, b: Side<'r>, least: i64) {
        let (left, right) = (self.side(a), self.side(b));
        let least = least + i64::from(planted(Wrong::BoundsTooNarrow));
        self.push_side(a, Interval { low: Interval::ALL.low, high: right.minus(Interval::one(least)).high });
        self.push_side(b, Interval { low: left.plus(Interval::one(least)).low, high: Interval::ALL.high });
        let kind = |side| match side {
            Side::Text(int) => Some(&int.kind),
            Side::Coordinate(_) | Side::Loop(_) => None,
        };
        let difference = match (kind(a), kind(b)) {
            (Some(IntKind::Number(number)), Some(IntKind::Binary(Operator::Sub, more, less))) => {
                (Side::Text(more), Side::Text(less), Interval::one(*number).plus(Interval::one(least)).low)
            }
            (Some(IntKind::Number(_)), _) | (_, Some(IntKind::Number(_))) => return,
            _ => (b, a, least),
        };
        self.narrowed = true;
        self.differences.push(difference);
    }

    /// The loop variable of a slot lies in its range.
    pub(super) fn hold_loop(&mut self, slot: usize, low: &'r Int, high: &'r Int, inclusive: bool) {
        self.hold_at_most(low.into(), Side::Loop(slot), 0);
        self.hold_at_most(Side::Loop(slot), high.into(), i64::from(!inclusive));
    }

    fn push_side(&mut self, side: Side<'_>, bounds: Interval) {
        match side {
            Side::Text(int) => self.push(int, bounds),
            Side::Coordinate(at) => self.possible &= narrow(self.coordinates.get_mut(at), bounds, &mut self.narrowed),
            Side::Loop(slot) => self.possible &= narrow(self.loops.get_mut(slot), bounds, &mut self.narrowed),
        }
    }

    /// Narrows what an expression reads, given the bounds of its value.
    fn push(&mut self, int: &Int, bounds: Interval) {
        self.possible &= match &int.kind {
            IntKind::Variable(at) => narrow(self.coordinates.get_mut(*at), bounds, &mut self.narrowed),
            IntKind::Parameter(at) => narrow(self.parameters.get_mut(*at), bounds, &mut self.narrowed),
            IntKind::Loop(slot) => narrow(self.loops.get_mut(*slot), bounds, &mut self.narrowed),
            IntKind::Cell(..) => match self.coordinate(int) {
                Some(at) => narrow(self.coordinates.get_mut(at), bounds, &mut self.narrowed),
                None => !self.int(int).meet(bounds).is_empty(),
            },
            _ => !self.int(int).meet(bounds).is_empty(),
        };
        if !self.possible {
            return;
        }
        match &int.kind {
            IntKind::Negative(a) => self.push(a, Interval::one(0).minus(bounds)),
            IntKind::Binary(Operator::Add, a, b) => {
                let (left, right) = (self.int(a), self.int(b));
                self.push(a, bounds.minus(right));
                self.push(b, bounds.minus(left));
            }
            IntKind::Binary(Operator::Sub, a, b) => {
                let (left, right) = (self.int(a), self.int(b));
                self.push(a, bounds.plus(right));
                self.push(b, left.minus(bounds));
            }
            IntKind::Binary(Operator::Mul, a, b) => {
                let (left, right) = (self.int(a), self.int(b));
                self.push_factor(a, right, bounds);
                self.push_factor(b, left, bounds);
            }
            IntKind::Binary(Operator::Pow, a, b)
                if self.int(b) == Interval::one(2) && bounds.high >= 0 && bounds.is_bounded_above() =>
            {
                let root = bounds.high.isqrt();
                self.push(a, Interval { low: -root, high: root });
            }
            IntKind::Fold(Fold::Max, operands) => {
                for operand in operands {
                    self.push(operand, Interval { low: Interval::ALL.low, high: bounds.high });
                }
            }
            IntKind::Fold(Fold::Min, operands) => {
                for operand in operands {
                    self.push(operand, Interval { low: bounds.low, high: Interval::ALL.high });
                }
            }
            IntKind::Function(Function::Abs, a) => {
                self.push(a, Interval { low: bounds.high.saturating_neg(), high: bounds.high });
            }
            _ => {}
        }
    }

    /// Narrows a factor, given the other and the bounds of the product.
    fn push_factor(&mut self, factor: &Int, other: Interval, product: Interval) {
        if other.low < 1 {
            return;
        }
        // whatever the other is: the product of a number with something of at least `other.low`
        let high =
            if product.high >= 0 { product.high / other.low } else { product.high.div_euclid(other.high.max(1)) };
        let low =
            if product.low <= 0 { product.low / other.low } else { -(-product.low).div_euclid(other.high.max(1)) };
        let high = if product.is_bounded_above() { high } else { Interval::ALL.high };
        let low = if product.low > Interval::ALL.low { low } else { Interval::ALL.low };
        self.push(factor, Interval { low, high });
    }
}

/// Narrows bounds to what lies within others too; whether anything is left.
fn narrow(place: Option<&mut Interval>, bounds: Interval, narrowed: &mut bool) -> bool {
    place.is_none_or(|place| {
        let before = std::mem::replace(place, place.meet(bounds));
        *narrowed |= before != *place;
        !place.is_empty()
    })
}

impl Interval {
    const fn is_bounded_above(self) -> bool {
        self.high < Self::ALL.high
    }
}

/// Whether a condition says all when it is held once: it bounds a plain total from one side, so that one end of each
/// coordinate is read and the other is narrowed.
fn is_said_at_once(bool: &Bool) -> bool {
    match &bool.kind {
        BoolKind::Not(a) => is_said_at_once(a),
        BoolKind::Compare(comparison, a, b) => {
            !matches!(comparison, Comparison::Equal | Comparison::Unequal)
                && match (&a.kind, &b.kind) {
                    (IntKind::Number(_), _) => is_total(b),
                    (_, IntKind::Number(_)) => is_total(a),
                    _ => false,
                }
        }
        _ => false,
    }
}

fn is_total(int: &Int) -> bool {
    match &int.kind {
        IntKind::Number(_) | IntKind::Variable(_) => true,
        IntKind::Binary(Operator::Add, a, b) => is_total(a) && is_total(b),
        _ => false,
    }
}
