//! Moves that go into blocks: nothing but constants tells the ways to make them apart.

use super::*;
use crate::faults::{Wrong, planted};

/// The widest positions whose moves are spread, cell by cell; wider ones are copied and patched.
const SPREAD_WIDTH: usize = 8;

/// One way to make a move, when all its loop variables are constants.
pub(super) struct Instance {
    guards: Guards,
    puts: Vec<(u32, Affine)>,
}

/// What guards ask of cells.
#[derive(Clone, Default)]
struct Guards {
    facts: Vec<Fact>,
    /// Cells to which they add a number.
    near: Vec<u32>,
}

/// The values of a cell for which a condition holds: ranges apart from each other, the least first.
struct Held {
    cell: u32,
    ranges: Vec<(i64, i64)>,
    /// Whether a number is added to it.
    near: bool,
}

impl<'r> Lowering<'r> {
    /// All ways to make a move, if they rest on nothing but constants and what cells hold.
    pub(super) fn instances(&mut self, made: &'r Move) -> Option<Vec<Instance>> {
        let [body] = &made.parts[..] else { return None };
        let mut instances = Vec::new();
        let collected = self.collect(&made.clauses, &mut Guards::default(), body, &mut instances);
        self.forget();
        collected.map(|()| instances)
    }

    fn collect(
        &mut self,
        clauses: &'r [Clause],
        guards: &mut Guards,
        body: &'r MoveBody,
        instances: &mut Vec<Instance>,
    ) -> Option<()> {
        let Some((clause, rest)) = clauses.split_first() else {
            instances.push(Instance { guards: guards.clone(), puts: self.puts(body)? });
            return Some(());
        };
        match clause {
            Clause::If(condition) => {
                let before = (guards.facts.len(), guards.near.len());
                if self.facts_of(condition, guards)? {
                    self.collect(rest, guards, body, instances)?;
                }
                guards.facts.truncate(before.0);
                guards.near.truncate(before.1);
            }
            Clause::For { binding: Binding::Value(slot), range, .. } => {
                let values: Vec<Known> = match range {
                    Range::Span { low, high, inclusive } => {
                        self.span(low, high, *inclusive)?.map(Known::Number).collect()
                    }
                    Range::List(List { kind: ListKind::Constant(values), .. }) if self.fits(values.len()) => {
                        values.iter().map(|value| Known::Number(*value)).collect()
                    }
                    Range::List(_) => return None,
                    Range::Table(_) => Vec::new(),
                };
                let turns = self.more_turns(values.len());
                for value in values {
                    self.values[*slot] = value;
                    self.collect(rest, guards, body, instances)?;
                }
                self.turns = turns;
            }
            Clause::For { binding, range: Range::Table(Table::Constant(rows)), .. } => {
                if !self.fits(rows.len()) || !binds(binding, rows) {
                    return None;
                }
                let turns = self.more_turns(rows.len());
                for row in rows.iter() {
                    self.bind(binding, Some(row));
                    self.collect(rest, guards, body, instances)?;
                }
                self.turns = turns;
            }
            Clause::For { .. } => return None,
        }
        Some(())
    }

    /// Adds what a guard asks of cells; false if it never holds.
    fn facts_of(&self, bool: &Bool, guards: &mut Guards) -> Option<bool> {
        if let Some(truth) = self.truth(bool) {
            return Some(truth);
        }
        match &bool.kind {
            BoolKind::And(a, b) => Some(self.facts_of(a, guards)? && self.facts_of(b, guards)?),
            BoolKind::Compare(..) | BoolKind::Or(..) => {
                let Held { cell, ranges, near } = self.held(bool)?;
                guards.facts.push(Fact::new(cell, &ranges)?);
                guards.near.extend(near.then_some(cell));
                Some(true)
            }
            BoolKind::SameList(false, a, b) => {
                let (a, b) = (self.ready(a)?, self.ready(b)?);
                if a.len() != b.len() {
                    return None;
                }
                for pair in a.into_iter().zip(b) {
                    match pair {
                        (Operand::Number(a), Operand::Number(b)) if a == b => {}
                        (Operand::Number(_), Operand::Number(_)) => return Some(false),
                        (Operand::Cell(cell), Operand::Number(number))
                        | (Operand::Number(number), Operand::Cell(cell)) => {
                            guards.facts.push(Fact::new(cell, &[(number, number)])?);
                        }
                        _ => return None,
                    }
                }
                Some(true)
            }
            _ => None,
        }
    }

    /// The values of a cell for which a condition holds, if it asks of nothing else.
    fn held(&self, bool: &Bool) -> Option<Held> {
        match &bool.kind {
            BoolKind::Compare(comparison, a, b) => match (self.number(a), self.number(b)) {
                (None, Some(number)) => self.held_by(a, *comparison, number),
                (Some(number), None) => self.held_by(b, flipped(*comparison), number),
                _ => None,
            },
            BoolKind::Or(a, b) => match (self.truth(a), self.truth(b)) {
                (Some(false), None) => self.held(b),
                (None, Some(false)) => self.held(a),
                (None, None) => {
                    let (a, b) = (self.held(a)?, self.held(b)?);
                    (a.cell == b.cell).then(|| Held {
                        cell: a.cell,
                        ranges: joined([a.ranges, b.ranges].concat()),
                        near: a.near || b.near,
                    })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The values for which a cell, or the sum of it and a number, compares so with another number.
    fn held_by(&self, int: &Int, comparison: Comparison, number: i64) -> Option<Held> {
        let (low, high, outside) = between(comparison, number)?;
        let Affine { from: cell, times: 1, plus, by: 1 } = self.affine(int)? else { return None };
        if plus.unsigned_abs() >= FAR.unsigned_abs() {
            return None;
        }
        let less = |bound: i64| match bound {
            i64::MIN | i64::MAX => Some(bound),
            _ => bound.checked_sub(plus),
        };
        let (low, high) = (less(low)?, less(high)?);
        let ranges = match (low.checked_sub(1), high.checked_add(1)) {
            _ if !outside => vec![(low, high)],
            (Some(below), Some(above)) => vec![(i64::MIN, below), (above, i64::MAX)],
            _ => return None,
        };
        Some(Held { cell, ranges, near: plus != 0 })
    }

    /// The entries of a list that needs no computing.
    fn ready(&self, list: &List) -> Option<Vec<Operand>> {
        match &list.kind {
            ListKind::Constant(values) => Some(values.iter().map(|value| Operand::Number(*value)).collect()),
            ListKind::Items(items) => items
                .iter()
                .map(|item| match item {
                    Scalar::Int(int) => self.operand(int),
                    Scalar::Bool(_) => None,
                })
                .collect(),
            _ => None,
        }
    }

    /// The cells that a move changes.
    fn puts(&self, body: &'r MoveBody) -> Option<Vec<(u32, Affine)>> {
        let mut puts: Vec<(u32, Affine)> = Vec::new();
        match body {
            MoveBody::Position(coordinates) => {
                let mut cell = 0;
                for entry in &coordinates.entries {
                    match entry {
                        Coordinate::Int(int) => {
                            puts.push((cell, self.affine(int)?));
                            cell += 1;
                        }
                        Coordinate::List(list, cells) => {
                            let operands = match &list.kind {
                                ListKind::Array(array) => (array.offset..array.offset + array.length)
                                    .map(|from| Operand::Cell(short(from)))
                                    .collect(),
                                _ => self.ready(list)?,
                            };
                            if operands.len() != *cells {
                                return None;
                            }
                            for operand in operands {
                                puts.push((cell, affine_of(operand)?));
                                cell += 1;
                            }
                        }
                    }
                }
            }
            MoveBody::Assign(assignments) => {
                for assignment in assignments {
                    match assignment {
                        Assignment::Variable(offset, int) => puts.push((short(*offset), self.affine(int)?)),
                        Assignment::Cell(array, index, int) => {
                            let index =
                                usize::try_from(self.number(index)?).ok().filter(|index| *index < array.length)?;
                            let cell = short(array.offset + index);
                            // a cell assigned twice is a rule error
                            if puts.iter().any(|(other, _)| *other == cell) {
                                return None;
                            }
                            puts.push((cell, self.affine(int)?));
                        }
                        Assignment::Array(..) => return None,
                    }
                }
            }
        }
        if let Some(turn) = self.rules.turn.filter(|_| !planted(Wrong::TurnStays)) {
            puts.push((short(turn), Affine { from: short(turn), times: -1, plus: 3, by: 1 }));
        }
        puts.retain(|(cell, affine)| *affine != Affine { from: *cell, times: 1, plus: 0, by: 1 });
        Some(puts)
    }

    /// A number as a cell times a number plus a number, or a part of that, computed as it is written.
    pub(super) fn affine(&self, int: &Int) -> Option<Affine> {
        if let Some(operand) = self.operand(int) {
            return affine_of(operand);
        }
        let IntKind::Binary(operator, a, b) = &int.kind else { return None };
        match (operator, self.number(a), self.number(b)) {
            (Operator::Mul, Some(times), None) => Some(Affine { from: self.cell(b)?, times, plus: 0, by: 1 }),
            (Operator::Mul, None, Some(times)) => Some(Affine { from: self.cell(a)?, times, plus: 0, by: 1 }),
            (Operator::Add, Some(plus), None) => self.affine(b)?.plus(plus),
            (Operator::Add, None, Some(plus)) => self.affine(a)?.plus(plus),
            (Operator::Sub, None, Some(minus)) => self.affine(a)?.plus(minus.checked_neg()?),
            (Operator::Sub, Some(plus), None) => {
                let cell = self.cell(b)?;
                Some(Affine { from: cell, times: -1, plus, by: 1 })
            }
            (Operator::FloorDiv, None, Some(by)) if by > 0 => {
                let affine = self.affine(a)?;
                // a part of a part would be rounded twice
                (affine.by == 1 && affine.times != 0).then_some(Affine { by, ..affine })
            }
            _ => None,
        }
    }

    /// Emits the ways to make a move as a block, together with the moves before it where they go together.
    pub(super) fn block(&mut self, number: u32, instances: Vec<Instance>, begin: usize) {
        let width = self.rules.width();
        let last = if self.listing.code.len() > begin { self.listing.code.last().copied() } else { None };
        if width <= SPREAD_WIDTH && instances.iter().all(|instance| instance.guards.facts.is_empty()) {
            let spread = match last {
                Some(Instruction::Spread(spread)) => &mut self.listing.spreads[place_of(spread)],
                _ => {
                    let place = short(self.listing.spreads.len());
                    self.listing.code.push(Instruction::Spread(place));
                    self.listing.spreads.push(Spread::new(width));
                    &mut self.listing.spreads[place_of(place)]
                }
            };
            for instance in instances {
                spread.add(number, &instance.puts);
            }
            return;
        }
        let place = match last {
            Some(Instruction::Patches(patches)) => patches,
            _ => self.new_patches(),
        };
        if !self.listing.patches[place_of(place)].add(number, &instances) {
            let place = self.new_patches();
            if !self.listing.patches[place_of(place)].add(number, &instances) {
                self.listing.code.pop();
                self.listing.patches.pop();
                if self.part(|lowering| lowering.one_by_one(&lowering.rules.moves[place_of(number)], number)).is_none()
                {
                    self.emit(Instruction::Exact(number));
                }
            }
        }
    }

    fn new_patches(&mut self) -> u32 {
        let place = short(self.listing.patches.len());
        self.listing.code.push(Instruction::Patches(place));
        self.listing.patches.push(Patches::default());
        place
    }
}

/// The same numbers in ranges that stand apart from each other, the least first.
fn joined(mut ranges: Vec<(i64, i64)>) -> Vec<(i64, i64)> {
    ranges.sort_unstable();
    let mut apart: Vec<(i64, i64)> = Vec::with_capacity(ranges.len());
    for (low, high) in ranges {
        match apart.last_mut() {
            Some((_, last)) if low <= last.saturating_add(1) => *last = high.max(*last),
            _ => apart.push((low, high)),
        }
    }
    apart
}

/// An operand as a cell times a number plus a number.
fn affine_of(operand: Operand) -> Option<Affine> {
    match operand {
        Operand::Number(plus) => Some(Affine { from: 0, times: 0, plus, by: 1 }),
        Operand::Cell(from) => Some(Affine { from, times: 1, plus: 0, by: 1 }),
        Operand::Slot(_) => None,
    }
}

impl Affine {
    /// One number more. A second sum would not be computed as it is written.
    fn plus(self, plus: i64) -> Option<Self> {
        (self.plus == 0 && self.times != 0 && self.by == 1).then_some(Self { plus, ..self })
    }
}

impl Patches {
    /// Adds the ways to make a move; false, and nothing added, where they ask for too many facts.
    fn add(&mut self, made: u32, instances: &[Instance]) -> bool {
        let mut facts = self.facts.clone();
        for fact in instances.iter().flat_map(|instance| &instance.guards.facts) {
            if !facts.contains(fact) {
                facts.push(*fact);
            }
        }
        if facts.len() > FACT_LIMIT {
            return false;
        }
        self.facts = facts;
        for instance in instances {
            for cell in &instance.guards.near {
                if !self.near.contains(cell) {
                    self.near.push(*cell);
                }
            }
            let mut needs = [0_u64; 2];
            for fact in &instance.guards.facts {
                let bit = self.facts.iter().position(|other| other == fact).unwrap_or_default();
                needs[bit / 64] |= 1 << (bit % 64);
            }
            let first = short(self.puts.len());
            self.puts.extend(&instance.puts);
            self.moves.push(Patch { made, needs, first, end: short(self.puts.len()) });
        }
        true
    }
}
