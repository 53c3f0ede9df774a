//! Asks over the combinations of the parameters: `min s`, `all s`, `count` and the like, `where` a formula holds.

mod kept;

use crate::faults::{Wrong, planted};
use std::collections::BTreeSet;

use dashu_int::IBig;
use dashu_int::ops::BitTest;

use super::read::Reading;
use super::room::Room;
use super::{Answer, Ask, Fast, Naive, Question, Row, Shape, Topic, boxed};
use crate::budget::{Budget, Limit};
use crate::engine::Sought;
use crate::lang::tree::{Bool, BoolKind, Int, IntKind, Quantity};
use crate::lang::{BoolProgram, Columns, Fit, Halt, IntProgram, Parsed, Token, Truth, Unfit};
use kept::Kept;

/// The forms of this family.
pub(super) const FORMS: &[&str] = &[
    "min E where F",
    "max E where F",
    "all E where F",
    "sum E where F",
    "product E where F",
    "smallest N E where F",
    "largest N E where F",
    "count where F",
];

/// The most values that a list of an answer may have.
const LIST_LIMIT: usize = 10_000_000;

/// What a value of a list takes while it is gathered, as an answer and as text, in bytes.
const EACH: u64 = 96;

#[derive(Clone, Debug)]
struct Over {
    picks: Vec<Pick>,
    condition: Option<Bool>,
}

/// What is picked from the combinations that fit.
#[derive(Clone, Debug)]
pub enum Pick {
    /// The least value.
    Min(Int),
    /// The greatest value.
    Max(Int),
    /// All values.
    All(Int),
    /// Their sum.
    Sum(Int),
    /// Their product.
    Product(Int),
    /// So many of the least values.
    Smallest(usize, Int),
    /// So many of the greatest values.
    Largest(usize, Int),
    /// How many combinations fit.
    Count,
}

impl Pick {
    /// What is picked of each combination; nothing where they are only counted.
    #[must_use]
    pub const fn value(&self) -> Option<&Int> {
        match self {
            Self::Min(e) | Self::Max(e) | Self::All(e) | Self::Sum(e) | Self::Product(e) => Some(e),
            Self::Smallest(_, e) | Self::Largest(_, e) => Some(e),
            Self::Count => None,
        }
    }
}

pub(super) fn read(reading: &mut Reading<'_, '_>) -> Option<Parsed<Box<dyn Ask>>> {
    let Token::Word(word) = reading.parser.peek(0) else { return None };
    ["min", "max", "all", "sum", "product", "smallest", "largest", "count"]
        .contains(word)
        .then(|| read_over(reading).map(boxed))
}

fn read_over(reading: &mut Reading<'_, '_>) -> Parsed<Over> {
    let mut picks = vec![read_pick(reading)];
    while reading.parser.take(",") {
        picks.push(read_pick(reading));
    }
    let condition = reading.parser.is_word(0, "where").then(|| reading.condition());
    let picks = picks.into_iter().collect::<Parsed<_>>()?;
    Ok(Over { picks, condition: condition.transpose()? })
}

fn read_pick(reading: &mut Reading<'_, '_>) -> Parsed<Pick> {
    let word = match *reading.parser.peek(0) {
        Token::Word(word) => word,
        _ => "",
    };
    match word {
        "count" => {
            reading.parser.advance();
            Ok(Pick::Count)
        }
        "min" | "max" | "all" | "sum" | "product" => {
            reading.parser.advance();
            let value = value(reading)?;
            Ok(match word {
                "min" => Pick::Min(value),
                "max" => Pick::Max(value),
                "all" => Pick::All(value),
                "sum" => Pick::Sum(value),
                _ => Pick::Product(value),
            })
        }
        "smallest" | "largest" => {
            reading.parser.advance();
            let how_many = how_many(reading)?;
            let value = value(reading)?;
            Ok(if word == "smallest" { Pick::Smallest(how_many, value) } else { Pick::Largest(how_many, value) })
        }
        _ => Err(reading.parser.refuse(
            "one of `min`, `max`, `all`, `sum`, `product`, `smallest`, `largest`, `count`",
            &["several of them may stand before one `where`, with commas between"],
        )),
    }
}

fn value(reading: &mut Reading<'_, '_>) -> Parsed<Int> {
    if reading.parser.is_word(0, "where") || matches!(reading.parser.peek(0), Token::End) {
        return Err(reading.parser.refuse("a value", &["say of what: `min s where …`"]));
    }
    reading.number()
}

fn how_many(reading: &mut Reading<'_, '_>) -> Parsed<usize> {
    let number = match *reading.parser.peek(0) {
        Token::Int(value) => usize::try_from(value).ok(),
        Token::Word(name) => reading.constant(name).and_then(|value| usize::try_from(value).ok()),
        _ => None,
    };
    match number {
        Some(number) => {
            reading.parser.advance();
            Ok(number)
        }
        None => {
            Err(reading.parser.refuse("how many, a number or a constant", &["for example `smallest 2 s where W2`"]))
        }
    }
}

impl Over {
    /// Takes the values of the combinations that fit, which are not asked where that changes nothing; from the last one
    /// `back` to the first, or from the first on. Tells whether any fits, if any was to be asked.
    fn gather(
        &self,
        rows: &mut Naive<'_>,
        mut kept: Vec<&mut Kept<'_>>,
        back: bool,
        room: &mut Room,
    ) -> Result<Option<bool>, Halt> {
        if kept.is_empty() {
            return Ok(None);
        }
        let mut met = false;
        let mut each = |rows: &mut Naive<'_>, row: Row<'_>| {
            if !rows.thorough && !kept.iter().any(|kept| kept.is_open(rows.question, row)) {
                return Ok(true);
            }
            if let Some(condition) = &self.condition
                && !rows.holds(condition, row)?
            {
                return Ok(true);
            }
            met = true;
            for kept in &mut kept {
                kept.take(rows, row, room)?;
            }
            Ok(true)
        };
        if back {
            rows.each_back(&mut each)?
        } else {
            rows.each(&mut each)?
        }
        Ok(Some(met))
    }

    /// The answer, line by line; none where that is not for columns.
    fn solve_in_columns(&self, rows: &mut Fast<'_>, room: &mut Room) -> Fit<Answer> {
        let mut picks: Vec<(Option<&Int>, Collector)> =
            self.picks.iter().map(|pick| (pick.value(), Collector::for_pick(pick).1)).collect();
        rows.each_line(&mut |columns, when| {
            if let ([(None, collector)], Some(condition)) = (&mut picks[..], &self.condition) {
                return collector.add_count(columns.count(condition, &when)?);
            }
            let fits = match &self.condition {
                Some(condition) => columns.bool(condition, &when)?.and(&when),
                None => when,
            };
            if fits.is_empty() {
                return Ok(());
            }
            for (value, collector) in &mut picks {
                match value {
                    Some(value) => collector.add_line(columns, value, &fits, room)?,
                    None => collector.add_count(fits.count())?,
                }
            }
            Ok(())
        })?;
        Ok(finished(picks.into_iter().map(|(_, collector)| collector)))
    }
}

/// One answer, or a list of several.
fn finished(collectors: impl Iterator<Item = Collector>) -> Answer {
    let mut answers: Vec<Answer> = collectors.map(Collector::finish).collect();
    if answers.len() == 1 { answers.remove(0) } else { Answer::List(answers) }
}

impl Ask for Over {
    fn solve(&self, rows: &mut Fast<'_>) -> Result<Answer, Halt> {
        let mut room = Room::of(rows.engine());
        if let Ok(answer) = self.solve_in_columns(rows, &mut room) {
            return Ok(answer);
        }
        room.clear()?;
        let condition = self.condition.as_ref().map(BoolProgram::new);
        let mut picks: Vec<(Option<IntProgram>, Collector)> = self.picks.iter().map(Collector::for_pick).collect();
        rows.each(&mut |rows, row| {
            let mut fits = true;
            if let Some(condition) = &condition {
                fits = rows.holds(condition, row)?;
            }
            if fits {
                for (value, collector) in &mut picks {
                    let value = match value {
                        Some(value) => match rows.value(value, row)? {
                            Some(value) => value,
                            None => continue,
                        },
                        None => 0,
                    };
                    collector.add(value, &mut room)?;
                }
            }
            Ok(())
        })?;
        Ok(finished(picks.into_iter().map(|(_, collector)| collector)))
    }

    fn walk(&self, rows: &mut Naive<'_>) -> Result<Answer, Halt> {
        let mut kept: Vec<Kept<'_>> = self.picks.iter().map(Kept::new).collect();
        let mut room = Room::of(rows.walker);
        if rows.thorough || !kept.iter().all(Kept::may_pass_over) {
            self.gather(rows, kept.iter_mut().collect(), false, &mut room)?;
        } else {
            // the least values come early from the first combination on, the greatest from the last
            let (greatest, least) = kept.iter_mut().partition(|kept| kept.is_greatest());
            let met = self.gather(rows, least, false, &mut room)?;
            if met != Some(false) {
                self.gather(rows, greatest, true, &mut room)?;
            }
        }
        let finished = kept.into_iter().map(|kept| kept.finish(&mut room, rows.walker.budget()));
        let mut parts = finished.collect::<Result<Vec<_>, Halt>>()?;
        if parts.len() > 1 { Ok(Answer::List(parts)) } else { parts.pop().ok_or(Halt::Missing) }
    }

    fn topic(&self) -> Topic<'_> {
        Topic::Over(&self.picks, self.condition.as_ref())
    }

    fn shape(&self) -> Shape {
        let shape = |pick: &Pick| match pick {
            Pick::Min(_) | Pick::Max(_) => Shape::Number(&["none"]),
            Pick::All(_) | Pick::Smallest(..) | Pick::Largest(..) => Shape::Numbers,
            Pick::Sum(_) | Pick::Product(_) | Pick::Count => Shape::Number(&[]),
        };
        match &self.picks[..] {
            [pick] => shape(pick),
            picks => Shape::Parts(picks.iter().map(shape).collect()),
        }
    }

    fn surely_asked<'q>(&'q self, question: &'q Question, answer: &Answer) -> Box<dyn Fn(Row<'_>) -> bool + 'q> {
        let answers = match (answer, self.picks.len()) {
            (Answer::List(answers), 2..) => &answers[..],
            (one, _) => std::slice::from_ref(one),
        };
        let kept: Vec<Kept<'_>> =
            self.picks.iter().zip(answers).map(|(pick, answer)| Kept::at_the_end(pick, answer)).collect();
        Box::new(move |row| kept.iter().any(|kept| kept.is_open(question, row)))
    }

    fn sought(&self) -> Option<Sought> {
        match &self.condition {
            Some(condition) => always_seeks(condition),
            None => self
                .picks
                .iter()
                .any(|pick| match pick {
                    Pick::Count => false,
                    Pick::Min(e) | Pick::Max(e) | Pick::All(e) | Pick::Sum(e) | Pick::Product(e) => reads(e),
                    Pick::Smallest(_, e) | Pick::Largest(_, e) => reads(e),
                })
                .then_some(Sought::Everything),
        }
    }
}

/// How many bits a factor adds to a product.
fn bits(factor: &IBig) -> u64 {
    match factor.bit_len() {
        0 | 1 => 0,
        more => u64::try_from(more).unwrap_or(u64::MAX),
    }
}

/// How many times as much as a product has to be there, to multiply and to write it.
const ROOM_OF_PRODUCT: u64 = 6;

/// The naive side: neighbours are multiplied again and again, so that few numbers are long.
fn product(mut factors: Vec<IBig>, budget: Option<&Budget>) -> Result<IBig, Halt> {
    while factors.len() > 1 {
        for pair in factors.chunks_mut(2) {
            budget.map_or(Ok(()), Budget::check)?;
            if let [a, b] = pair {
                *a *= &*b;
            }
        }
        factors = factors.into_iter().step_by(2).collect();
    }
    Ok(factors.pop().unwrap_or(IBig::ONE))
}

/// What a formula seeks at each start, whatever the start is.
pub(super) fn always_seeks(condition: &Bool) -> Option<Sought> {
    match &condition.kind {
        BoolKind::And(first, _) | BoolKind::Or(first, _) | BoolKind::Not(first) => always_seeks(first),
        BoolKind::Compare(_, a, b) => (reads(a) || reads(b)).then_some(Sought::Everything),
        BoolKind::Outcome(_) => Some(Sought::Outcome),
        _ => None,
    }
}

fn reads(int: &Int) -> bool {
    match &int.kind {
        IntKind::Value(quantity) => matches!(quantity, Quantity::Remoteness | Quantity::Grundy),
        IntKind::Negative(a) | IntKind::Function(_, a) => reads(a),
        IntKind::Binary(_, a, b) | IntKind::CeilDiv(a, b) => reads(a) || reads(b),
        IntKind::Fold(_, operands) => operands.iter().any(reads),
        _ => false,
    }
}

/// The fast side: each part in one pass.
enum Collector {
    Least(Option<i64>),
    Greatest(Option<i64>),
    All(BTreeSet<i64>),
    /// The least so many.
    FirstOf(usize, BTreeSet<i64>),
    /// The greatest so many.
    LastOf(usize, BTreeSet<i64>),
    /// A sum: what fits a machine word, and what has been carried over.
    Sum(i128, IBig),
    /// A product in parts of 1, 2, 4, … factors, as the digits of a binary number, so that few of them are long; and how
    /// many bits it may have.
    Product(Vec<(u32, IBig)>, u64),
    Count(u64),
}

impl Collector {
    fn for_pick(pick: &Pick) -> (Option<IntProgram>, Self) {
        match pick {
            Pick::Min(e) => (Some(IntProgram::new(e)), Self::Least(None)),
            Pick::Max(e) => (Some(IntProgram::new(e)), Self::Greatest(None)),
            Pick::All(e) => (Some(IntProgram::new(e)), Self::All(BTreeSet::new())),
            Pick::Smallest(n, e) => (Some(IntProgram::new(e)), Self::FirstOf(*n, BTreeSet::new())),
            Pick::Largest(n, e) => (Some(IntProgram::new(e)), Self::LastOf(*n, BTreeSet::new())),
            Pick::Sum(e) => (Some(IntProgram::new(e)), Self::Sum(0, IBig::ZERO)),
            Pick::Product(e) => (Some(IntProgram::new(e)), Self::Product(Vec::new(), 0)),
            Pick::Count => (None, Self::Count(0)),
        }
    }

    fn add(&mut self, value: i64, room: &mut Room) -> Result<(), Halt> {
        match self {
            Self::Least(least) if planted(Wrong::MinIsMax) => {
                *least = Some(least.map_or(value, |least| least.max(value)))
            }
            Self::Least(least) => *least = Some(least.map_or(value, |least| least.min(value))),
            Self::Greatest(greatest) => *greatest = Some(greatest.map_or(value, |greatest| greatest.max(value))),
            Self::All(values) => {
                if values.insert(value) {
                    room.take(EACH)?;
                }
                if values.len() > LIST_LIMIT {
                    return Err(Limit::Size(u64::try_from(LIST_LIMIT).unwrap_or(u64::MAX)).into());
                }
            }
            Self::FirstOf(n, values) => {
                if values.insert(value) && values.len() <= *n {
                    room.take(EACH)?;
                }
                if values.len() + usize::from(planted(Wrong::OneTooFew)) > *n {
                    values.pop_last();
                }
            }
            Self::LastOf(n, values) => {
                if values.insert(value) && values.len() <= *n {
                    room.take(EACH)?;
                }
                if values.len() > *n {
                    if planted(Wrong::LargestIsSmallest) {
                        values.pop_last()
                    } else {
                        values.pop_first()
                    };
                }
            }
            Self::Sum(word, carried) => match word.checked_add(i128::from(value)) {
                Some(sum) => *word = sum,
                None => {
                    *carried += IBig::from(*word);
                    *word = i128::from(value);
                }
            },
            Self::Product(parts, long) => {
                let twice = planted(Wrong::ProductOfOneMore) && parts.is_empty();
                let mut factor = IBig::from(value) * IBig::from(if twice { value } else { 1 });
                let longer = *long + bits(&factor);
                room.take((longer / 8 - *long / 8) * ROOM_OF_PRODUCT)?;
                *long = longer;
                let mut level = 0;
                while let Some((_, part)) = parts.pop_if(|(other, _)| *other == level) {
                    factor *= part;
                    level += 1;
                }
                parts.push((level, factor));
            }
            Self::Count(count) => *count += 1,
        }
        Ok(())
    }

    /// Adds the values at all places of a line where `when` holds.
    fn add_line(&mut self, columns: &mut Columns<'_>, value: &Int, when: &Truth, room: &mut Room) -> Fit<()> {
        match self {
            Self::Least(_) => self.add(columns.extremes(value, when)?.0, room).map_err(|_| Unfit),
            Self::Greatest(_) => self.add(columns.extremes(value, when)?.1, room).map_err(|_| Unfit),
            _ => {
                let values = columns.int(value, when)?;
                when.each(|place| self.add(values.at(place), room).map_err(|_| Unfit))
            }
        }
    }

    fn add_count(&mut self, more: usize) -> Fit<()> {
        let Self::Count(count) = self else { return Err(Unfit) };
        *count += u64::try_from(more).map_err(|_| Unfit)?;
        Ok(())
    }

    fn finish(self) -> Answer {
        match self {
            Self::Least(value) | Self::Greatest(value) => match value {
                Some(value) => Answer::int(value),
                None => Answer::none(),
            },
            Self::All(values) | Self::FirstOf(_, values) | Self::LastOf(_, values) => {
                Answer::Set(values.into_iter().map(Answer::int).collect())
            }
            Self::Sum(word, carried) => Answer::Int(carried + IBig::from(word)),
            Self::Product(parts, _) => Answer::Int(parts.into_iter().rev().map(|(_, part)| part).product()),
            Self::Count(count) => Answer::int(count + u64::from(planted(Wrong::CountTooGreat))),
        }
    }
}
