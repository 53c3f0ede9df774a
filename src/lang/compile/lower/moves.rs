//! Moves: side by side in blocks where nothing but constants tells them apart, else instruction by instruction.

use super::*;

/// The widest positions whose moves are spread, cell by cell; wider ones are copied and patched.
const SPREAD_WIDTH: usize = 8;

/// One way to make a move, when all its loop variables are constants.
struct Instance {
    facts: Vec<Fact>,
    puts: Vec<(u32, Affine)>,
}

impl<'r> Lowering<'r> {
    /// Emits all moves, and the condition on what they lead to; says where they begin.
    pub(super) fn moves(&mut self) -> usize {
        let legal = self.rules.legal.is_some();
        let begin = self.listing.code.len();
        for (number, made) in (0..).zip(&self.rules.moves) {
            if let Some(instances) = self.instances(made).filter(|instances| !legal && !instances.is_empty()) {
                self.block(number, instances, begin);
            } else if self.part(|lowering| lowering.one_by_one(made, number)).is_none() {
                self.emit(Instruction::Exact(number));
            }
        }
        self.emit(Instruction::End);
        if legal && !self.legal() {
            self.listing.code.truncate(begin);
            for (number, _) in (0..).zip(&self.rules.moves) {
                self.emit(Instruction::Exact(number));
            }
            self.emit(Instruction::End);
        }
        begin
    }

    /// Lowers `legal` with slots of its own; whether that went well.
    fn legal(&mut self) -> bool {
        let Some(legal) = &self.rules.legal else { return true };
        self.base = self.most;
        self.free = self.base + short(self.rules.slots.values);
        self.most = self.most.max(self.free);
        self.listing.legal = self.part(|lowering| lowering.answer(legal));
        self.base = 0;
        self.free = short(self.rules.slots.values);
        self.listing.legal.is_some()
    }

    // ---- blocks

    /// All ways to make a move, if they rest on nothing but constants and what cells hold.
    fn instances(&mut self, made: &'r Move) -> Option<Vec<Instance>> {
        let [body] = &made.parts[..] else { return None };
        let mut instances = Vec::new();
        let collected = self.collect(&made.clauses, &mut Vec::new(), body, &mut instances);
        self.forget();
        collected.map(|()| instances)
    }

    fn collect(
        &mut self,
        clauses: &'r [Clause],
        facts: &mut Vec<Fact>,
        body: &'r MoveBody,
        instances: &mut Vec<Instance>,
    ) -> Option<()> {
        let Some((clause, rest)) = clauses.split_first() else {
            instances.push(Instance { facts: facts.clone(), puts: self.puts(body)? });
            return Some(());
        };
        match clause {
            Clause::If(condition) => {
                let before = facts.len();
                if self.facts_of(condition, facts)? {
                    self.collect(rest, facts, body, instances)?;
                }
                facts.truncate(before);
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
                    self.collect(rest, facts, body, instances)?;
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
                    self.collect(rest, facts, body, instances)?;
                }
                self.turns = turns;
            }
            Clause::For { .. } => return None,
        }
        Some(())
    }

    /// Adds what a guard asks of cells; false if it never holds.
    fn facts_of(&self, bool: &Bool, facts: &mut Vec<Fact>) -> Option<bool> {
        if let Some(truth) = self.truth(bool) {
            return Some(truth);
        }
        match &bool.kind {
            BoolKind::And(a, b) => Some(self.facts_of(a, facts)? && self.facts_of(b, facts)?),
            BoolKind::Compare(comparison, a, b) => {
                let (cell, comparison, number) = match (self.operand(a)?, self.operand(b)?) {
                    (Operand::Cell(cell), Operand::Number(number)) => (cell, *comparison, number),
                    (Operand::Number(number), Operand::Cell(cell)) => (cell, flipped(*comparison), number),
                    _ => return None,
                };
                facts.push(Fact::new(cell, comparison, number)?);
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
                            facts.push(Fact::new(cell, Comparison::Equal, number)?);
                        }
                        _ => return None,
                    }
                }
                Some(true)
            }
            _ => None,
        }
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
        if let Some(turn) = self.rules.turn {
            puts.push((short(turn), Affine { from: short(turn), times: -1, plus: 3 }));
        }
        puts.retain(|(cell, affine)| *affine != Affine { from: *cell, times: 1, plus: 0 });
        Some(puts)
    }

    /// A number as a cell times a number plus a number, computed as it is written.
    pub(super) fn affine(&self, int: &Int) -> Option<Affine> {
        if let Some(operand) = self.operand(int) {
            return affine_of(operand);
        }
        let IntKind::Binary(operator, a, b) = &int.kind else { return None };
        match (operator, self.number(a), self.number(b)) {
            (Operator::Mul, Some(times), None) => Some(Affine { from: self.cell(b)?, times, plus: 0 }),
            (Operator::Mul, None, Some(times)) => Some(Affine { from: self.cell(a)?, times, plus: 0 }),
            (Operator::Add, Some(plus), None) => self.affine(b)?.plus(plus),
            (Operator::Add, None, Some(plus)) => self.affine(a)?.plus(plus),
            (Operator::Sub, None, Some(minus)) => self.affine(a)?.plus(minus.checked_neg()?),
            (Operator::Sub, Some(plus), None) => {
                let cell = self.cell(b)?;
                Some(Affine { from: cell, times: -1, plus })
            }
            _ => None,
        }
    }

    /// Emits the ways to make a move as a block, together with the moves before it where they go together.
    fn block(&mut self, number: u32, instances: Vec<Instance>, begin: usize) {
        let width = self.rules.width();
        let last = if self.listing.code.len() > begin { self.listing.code.last().copied() } else { None };
        if width <= SPREAD_WIDTH && instances.iter().all(|instance| instance.facts.is_empty()) {
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

    // ---- one by one

    fn one_by_one(&mut self, made: &'r Move, number: u32) -> Option<()> {
        self.loops(&made.clauses, &mut |lowering| {
            for (at, part) in made.parts.iter().enumerate() {
                lowering.emit(if at == 0 { Instruction::Copy(number) } else { Instruction::Split });
                lowering.write(part)?;
            }
            if lowering.rules.legal.is_some() {
                lowering.emit(Instruction::Legal(short(made.parts.len())));
            }
            Some(())
        })
    }

    /// Emits what writes a part over the copy of the position.
    fn write(&mut self, part: &'r MoveBody) -> Option<()> {
        match part {
            MoveBody::Position(coordinates) => {
                let mut offset = 0;
                for entry in &coordinates.entries {
                    match entry {
                        Coordinate::Int(int) => {
                            self.put(offset, int)?;
                            offset += 1;
                        }
                        Coordinate::List(list, length) => {
                            self.put_list(Array { offset, length: *length }, list)?;
                            offset += length;
                        }
                    }
                }
            }
            MoveBody::Assign(assignments) => self.assign(assignments)?,
        }
        if let Some(turn) = self.rules.turn {
            let turn = short(turn);
            self.emit(Instruction::Cell(turn));
            self.emit(Instruction::Negate);
            self.emit(Instruction::AddNumber(3));
            self.emit(Instruction::Put(turn));
        }
        Some(())
    }

    fn put(&mut self, offset: usize, int: &'r Int) -> Option<()> {
        let cell = short(offset);
        match self.operand(int) {
            Some(Operand::Cell(from)) if from == cell => return Some(()),
            Some(Operand::Cell(from)) => {
                self.emit(Instruction::PutCell { cell, from });
                return Some(());
            }
            Some(Operand::Number(number)) => {
                self.emit(Instruction::PutNumber { cell, number });
                return Some(());
            }
            _ => {}
        }
        if let (Some(affine), Ok(cell)) = (self.affine(int), u16::try_from(offset)) {
            self.emit(Instruction::PutAffine { cell, affine });
            return Some(());
        }
        if let IntKind::Binary(operator @ (Operator::Add | Operator::Sub), a, b) = &int.kind
            && let (Some(Operand::Cell(from)), Some(Operand::Slot(slot))) = (self.operand(a), self.operand(b))
        {
            self.emit(match operator {
                Operator::Add => Instruction::PutPlus { cell, from, slot },
                _ => Instruction::PutMinus { cell, from, slot },
            });
            return Some(());
        }
        self.load(int)?;
        self.emit(Instruction::Put(cell));
        Some(())
    }

    fn put_scalar(&mut self, offset: usize, scalar: &'r Scalar) -> Option<()> {
        match scalar {
            Scalar::Int(int) => self.put(offset, int),
            Scalar::Bool(bool) => {
                self.load_truth(bool)?;
                self.emit(Instruction::Put(short(offset)));
                Some(())
            }
        }
    }

    fn assign(&mut self, assignments: &'r [Assignment]) -> Option<()> {
        // the cells assigned so far: their array, and the index as a number or in a slot
        let mut assigned: Vec<(Array, Operand)> = Vec::new();
        for assignment in assignments {
            match assignment {
                Assignment::Variable(offset, int) => self.put(*offset, int)?,
                Assignment::Array(array, list) => self.put_list(*array, list)?,
                Assignment::Cell(array, index, int) => {
                    let known = self.number(index);
                    let index = match known {
                        Some(index) => Operand::Number(index),
                        None => {
                            self.load(index)?;
                            Operand::Slot(self.keep())
                        }
                    };
                    for (_, other) in assigned.iter().filter(|(other, _)| other == array) {
                        match (index, *other) {
                            (Operand::Number(a), Operand::Number(b)) if a == b => self.emit(Instruction::Doubt),
                            (Operand::Slot(slot), Operand::Number(number))
                            | (Operand::Number(number), Operand::Slot(slot)) => {
                                self.emit(Instruction::DiffersFrom { slot, number });
                            }
                            (Operand::Slot(a), Operand::Slot(b)) => {
                                self.emit(Instruction::Slot(a));
                                self.emit(Instruction::Differs(b));
                            }
                            _ => {}
                        }
                    }
                    assigned.push((*array, index));
                    let Array { offset, length } = *array;
                    match index {
                        Operand::Slot(slot) => {
                            self.load(int)?;
                            let slot = u16::try_from(slot).ok()?;
                            self.emit(Instruction::PutAt { offset: short(offset), length: short(length), slot });
                        }
                        _ => {
                            let index = known.and_then(|index| usize::try_from(index).ok());
                            let Some(index) = index.filter(|index| *index < length) else {
                                self.emit(Instruction::Doubt);
                                continue;
                            };
                            self.load(int)?;
                            self.emit(Instruction::Put(short(offset + index)));
                        }
                    }
                }
            }
        }
        Some(())
    }

    /// Writes a list whose length is known here over an array.
    fn put_list(&mut self, array: Array, list: &'r List) -> Option<()> {
        let Array { offset, length } = array;
        let count = self.put_entries(offset, length, list)?;
        (count == length).then_some(())
    }

    /// Writes the entries of a list from an offset on; how many they are.
    fn put_entries(&mut self, offset: usize, most: usize, list: &'r List) -> Option<usize> {
        match &list.kind {
            ListKind::Items(items) => {
                for (at, item) in items.iter().enumerate().take(most) {
                    self.put_scalar(offset + at, item)?;
                }
                Some(items.len())
            }
            ListKind::Over(over) => {
                let fixed = std::mem::replace(&mut self.fixed, true);
                let mut count = 0;
                self.loops(&over.clauses, &mut |lowering| {
                    if count == most {
                        return None;
                    }
                    // inside of an entry loops may run again
                    lowering.fixed = fixed;
                    lowering.put_scalar(offset + count, &over.body)?;
                    lowering.fixed = true;
                    count += 1;
                    Some(())
                })?;
                self.fixed = fixed;
                Some(count)
            }
            ListKind::Repeated(inner, times) => {
                let times = usize::try_from(self.number(times)?).ok()?;
                let mut count = 0;
                for _ in 0..times {
                    if count > most {
                        return None;
                    }
                    count += self.put_entries(offset + count, most - count, inner)?;
                }
                Some(count)
            }
            ListKind::If(condition, yes, no) => {
                let (mut fails, mut done) = (Vec::new(), Vec::new());
                self.unless(condition, true, &mut fails)?;
                let yes = self.put_entries(offset, most, yes)?;
                self.emit_jump(&mut done, Instruction::Jump(0));
                self.land(&fails);
                let no = self.put_entries(offset, most, no)?;
                self.land(&done);
                (yes == no).then_some(yes)
            }
            _ => {
                let entries = self.entries(list)?;
                for (at, entry) in entries.iter().enumerate().take(most) {
                    let cell = short(offset + at);
                    match *entry {
                        Operand::Number(number) => self.emit(Instruction::PutNumber { cell, number }),
                        Operand::Cell(from) if from == cell => {}
                        Operand::Cell(from) => self.emit(Instruction::PutCell { cell, from }),
                        Operand::Slot(slot) => {
                            self.emit(Instruction::Slot(slot));
                            self.emit(Instruction::Put(cell));
                        }
                    }
                }
                Some(entries.len())
            }
        }
    }
}

/// An operand as a cell times a number plus a number.
fn affine_of(operand: Operand) -> Option<Affine> {
    match operand {
        Operand::Number(plus) => Some(Affine { from: 0, times: 0, plus }),
        Operand::Cell(from) => Some(Affine { from, times: 1, plus: 0 }),
        Operand::Slot(_) => None,
    }
}

impl Affine {
    /// One number more. A second sum would not be computed as it is written.
    fn plus(self, plus: i64) -> Option<Self> {
        (self.plus == 0 && self.times != 0).then_some(Self { plus, ..self })
    }
}

impl Patches {
    /// Adds the ways to make a move; false, and nothing added, where they ask for too many facts.
    fn add(&mut self, made: u32, instances: &[Instance]) -> bool {
        let mut facts = self.facts.clone();
        for fact in instances.iter().flat_map(|instance| &instance.facts) {
            if !facts.contains(fact) {
                facts.push(*fact);
            }
        }
        if facts.len() > FACT_LIMIT {
            return false;
        }
        self.facts = facts;
        for instance in instances {
            let mut needs = [0_u64; 2];
            for fact in &instance.facts {
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
