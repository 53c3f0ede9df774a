//! The combinations of a question's parameters, each with its start: once compiled, once by the reference evaluator.

use crate::budget::Budget;
use crate::engine::Engine;
use crate::faults::{Wrong, planted};
use crate::lang::number::GIVEN_LIMIT;
use crate::lang::tree::{Bool, Coordinates, Int, Range, Rules};
use crate::lang::{
    Blind, BoolProgram, Columns, Evaluator, Fit, Halt, IntProgram, Ints, PositionProgram, RangeProgram, Scratch, Truth,
    Unfit,
};

use super::room::Room;
use super::{Answer, Question};

/// One combination of the parameters.
#[derive(Clone, Copy, Debug)]
pub struct Row<'r> {
    /// The values of the parameters, in order.
    pub parameters: &'r [i64],
    /// The position at the start.
    pub start: &'r [i64],
}

/// The fast side: an engine and compiled code.
pub struct Fast<'a> {
    /// What is asked.
    pub question: &'a Question,
    /// The rules of the game.
    pub rules: &'a Rules,
    engine: &'a mut dyn Engine,
    scratch: Scratch,
}

impl<'a> Fast<'a> {
    /// Answers a question with an engine.
    pub fn new(question: &'a Question, rules: &'a Rules, engine: &'a mut dyn Engine) -> Self {
        Self { question, rules, engine, scratch: Scratch::new(question.slots) }
    }

    /// The engine.
    pub fn engine(&mut self) -> &mut dyn Engine {
        &mut *self.engine
    }

    /// Whether a formula holds at the start of a row.
    ///
    /// # Errors
    ///
    /// A rule error at a position that the formula rests on, or a limit.
    pub fn holds(&mut self, formula: &BoolProgram, row: Row<'_>) -> Result<bool, Halt> {
        formula.run(row.start, row.parameters, &mut self.scratch, self.engine).map_err(|halt| halt.at(row.start, None))
    }

    /// The value of an expression at the start of a row; none where it is missing.
    ///
    /// # Errors
    ///
    /// A rule error at a position that the expression rests on, or a limit.
    pub fn value(&mut self, int: &IntProgram, row: Row<'_>) -> Result<Option<i64>, Halt> {
        int.run(row.start, row.parameters, &mut self.scratch, self.engine).map_err(|halt| halt.at(row.start, None))
    }

    /// The answer for the one start, or a list of the answers for all rows where the question has parameters.
    ///
    /// # Errors
    ///
    /// The first rule error or limit that a range, a start or `of` meets.
    pub fn per_start(
        &mut self,
        mut of: impl FnMut(&mut Self, Row<'_>) -> Result<Answer, Halt>,
    ) -> Result<Answer, Halt> {
        let single = self.question.given.is_empty();
        let (mut answers, mut room) = (Vec::new(), Room::of(self.engine));
        self.each(&mut |rows, row| {
            let answer = of(rows, row)?;
            room.take(answer.bytes())?;
            answers.push(answer);
            Ok(())
        })?;
        if single { Ok(answers.pop().unwrap_or_else(Answer::none)) } else { Ok(Answer::List(answers)) }
    }

    /// Calls `each` with every row in order.
    ///
    /// # Errors
    ///
    /// The first rule error or limit that a range, a start or `each` meets.
    pub fn each(&mut self, each: &mut dyn FnMut(&mut Self, Row<'_>) -> Result<(), Halt>) -> Result<(), Halt> {
        self.each_with(&mut |_, _| {}, each)
    }

    /// The same; `seen` is told of every value that a parameter takes, whether or not a row comes of it.
    ///
    /// # Errors
    ///
    /// The first rule error or limit that a range, a start or `each` meets.
    pub fn each_with(
        &mut self,
        seen: &mut dyn FnMut(usize, i64),
        each: &mut dyn FnMut(&mut Self, Row<'_>) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let question = self.question;
        let plan = Plan {
            levels: question
                .given
                .iter()
                .map(|parameter| {
                    (RangeProgram::new(&parameter.range), parameter.conditions.iter().map(BoolProgram::new).collect())
                })
                .collect(),
            start: question.start.iter().map(PositionProgram::new).collect(),
        };
        let mut start = vec![0; self.rules.state_width * plan.start.len() + self.rules.tail()];
        let mut rooms: Vec<(Vec<i64>, Scratch)> =
            plan.levels.iter().map(|_| (Vec::new(), Scratch::new(question.slots))).collect();
        self.level(&plan, &mut rooms, &mut Vec::new(), &mut start, seen, each)
    }

    /// The parameters before this one are fixed; each level has room of its own for them and for the loop over its range.
    fn level(
        &mut self,
        plan: &Plan,
        rooms: &mut [(Vec<i64>, Scratch)],
        parameters: &mut Vec<i64>,
        start: &mut Vec<i64>,
        seen: &mut dyn FnMut(usize, i64),
        each: &mut dyn FnMut(&mut Self, Row<'_>) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let depth = parameters.len();
        let (Some((range, conditions)), Some(((outer, scratch), inner))) =
            (plan.levels.get(depth), rooms.split_first_mut())
        else {
            for (at, component) in plan.start.iter().enumerate() {
                component.run(parameters, &mut start[at * self.rules.state_width..], &mut self.scratch)?;
            }
            if let Some(turn) = self.rules.turn {
                start[turn] = 1 + i64::from(planted(Wrong::SecondMovesFirst));
            }
            let offset = start.len() - self.rules.parameters.len();
            for (at, place) in self.question.in_position.iter().enumerate() {
                start[offset + at] = parameters[*place];
            }
            self.engine.budget().map_or(Ok(()), Budget::check)?;
            return each(self, Row { parameters, start });
        };
        outer.clone_from(parameters);
        range.run(outer, scratch, &mut |value| {
            parameters.push(value);
            let mut passes = true;
            for condition in conditions {
                passes = passes
                    && (planted(Wrong::ConditionForgotten)
                        || condition.run(&[], parameters, &mut self.scratch, &mut Blind)?);
            }
            if passes {
                seen(depth, value);
                self.level(plan, inner, parameters, start, seen, each)?;
            }
            parameters.pop();
            Ok(true)
        })?;
        Ok(())
    }
}

impl Fast<'_> {
    /// Calls `each` with lines of starts, along which the last parameter runs, and with the places on each that are to
    /// be answered.
    ///
    /// # Errors
    ///
    /// The engine does not answer in columns, or something may have no value: then all is to be done row by row.
    pub fn each_line(&mut self, each: &mut dyn FnMut(&mut Columns<'_>, Truth) -> Fit<()>) -> Fit<()> {
        let question = self.question;
        let sight = self.engine.in_columns().ok_or(Unfit)?;
        let [start] = &question.start[..] else { return Err(Unfit) };
        let mut columns = Columns::new(self.rules, question.slots, sight);
        let mut lines = StartLines { question, rules: self.rules, start, each };
        lines.level(&mut columns)
    }
}

/// Goes through the starts of a question line by line.
struct StartLines<'l, 'e> {
    question: &'l Question,
    rules: &'l Rules,
    start: &'l Coordinates,
    each: &'e mut dyn FnMut(&mut Columns<'_>, Truth) -> Fit<()>,
}

/// How many starts a line has at most.
const STRETCH: i64 = 1 << 12;

impl StartLines<'_, '_> {
    /// The parameters before this one are fixed.
    fn level(&mut self, columns: &mut Columns<'_>) -> Fit<()> {
        let depth = columns.parameters.len();
        let Some(parameter) = self.question.given.get(depth) else { return Err(Unfit) };
        let Range::Span { low, high, inclusive } = &parameter.range else { return Err(Unfit) };
        columns.begin(1);
        let one = columns.all();
        let low = columns.int(low, &one)?.same().ok_or(Unfit)?;
        let high = columns.int(high, &one)?.same().ok_or(Unfit)?;
        let high = if *inclusive { high } else { high.checked_sub(1).ok_or(Unfit)? };
        let high = high - i64::from(planted(Wrong::LastStartLeftOut));
        if u64::try_from(high.saturating_sub(low)).is_ok_and(|steps| steps >= GIVEN_LIMIT) {
            return Err(Unfit);
        }
        let last = depth + 1 == self.question.given.len();
        let stretch = if last { STRETCH } else { 1 };
        let mut from = low;
        while from <= high {
            let len = stretch.min(high.saturating_sub(from).saturating_add(1));
            columns.begin(usize::try_from(len).map_err(|_| Unfit)?);
            columns.parameters.push(Ints::line(i128::from(from), i128::from(len > 1), columns.len)?);
            let mut when = columns.all();
            for condition in &parameter.conditions {
                when = columns.bool(condition, &when)?.and(&when);
            }
            if !when.is_empty() {
                if last { self.line(columns, when)? } else { self.level(columns)? }
            }
            columns.parameters.truncate(depth);
            let Some(next) = from.checked_add(len) else { break };
            from = next;
        }
        Ok(())
    }

    fn line(&mut self, columns: &mut Columns<'_>, when: Truth) -> Fit<()> {
        let mut position = std::mem::take(&mut columns.position);
        position.clear();
        columns.coordinates(self.start, &when, &mut position)?;
        position.extend(self.rules.turn.map(|_| Ints::constant(1)));
        for place in &self.question.in_position {
            position.push(columns.parameters.get(*place).cloned().ok_or(Unfit)?);
        }
        columns.position = position;
        (self.each)(columns, when)
    }
}

struct Plan {
    levels: Vec<(RangeProgram, Vec<BoolProgram>)>,
    start: Vec<PositionProgram>,
}

/// The naive side: the walker and the reference evaluator.
pub struct Naive<'a> {
    /// What is asked.
    pub question: &'a Question,
    /// The rules of the game.
    pub rules: &'a Rules,
    /// The walker.
    pub walker: &'a mut dyn Engine,
    /// Whether to go on where the answer is settled, for a rule error that may come.
    pub thorough: bool,
}

impl Naive<'_> {
    /// Whether a formula holds at the start of a row.
    ///
    /// # Errors
    ///
    /// A rule error or a limit.
    pub fn holds(&mut self, formula: &Bool, row: Row<'_>) -> Result<bool, Halt> {
        let mut evaluator = Evaluator::new(row.start, row.parameters, self.question.slots, self.walker);
        evaluator.bool(formula).map_err(|halt| halt.at(row.start, None))
    }

    /// The value of an expression at the start of a row; none where it is missing.
    ///
    /// # Errors
    ///
    /// A rule error or a limit.
    pub fn value(&mut self, int: &Int, row: Row<'_>) -> Result<Option<i64>, Halt> {
        let mut evaluator = Evaluator::new(row.start, row.parameters, self.question.slots, self.walker);
        match evaluator.int(int) {
            Ok(value) => Ok(Some(value)),
            Err(Halt::Missing) => Ok(None),
            Err(halt) => Err(halt.at(row.start, None)),
        }
    }

    /// The answer for the one start, or a list of the answers for all rows where the question has parameters.
    ///
    /// # Errors
    ///
    /// The first rule error or limit.
    pub fn per_start(
        &mut self,
        mut of: impl FnMut(&mut Self, Row<'_>) -> Result<Answer, Halt>,
    ) -> Result<Answer, Halt> {
        let (mut answers, mut room) = (Vec::new(), Room::of(self.walker));
        self.each(&mut |rows, row| {
            answers.push(of(rows, row)?);
            room.take(answers.last().map_or(0, Answer::bytes))?;
            Ok(true)
        })?;
        match (self.question.given.len(), answers.len()) {
            (0, 1) => Ok(answers.remove(0)),
            _ => Ok(Answer::List(answers)),
        }
    }

    /// Calls `each` with every row in order, until it says `false`.
    ///
    /// # Errors
    ///
    /// The first rule error or limit.
    pub fn each(&mut self, each: &mut dyn FnMut(&mut Self, Row<'_>) -> Result<bool, Halt>) -> Result<(), Halt> {
        self.from(&mut Vec::new(), &mut Vec::new(), false, each).map(|_| ())
    }

    /// The same from the last row to the first.
    ///
    /// # Errors
    ///
    /// A rule error or limit.
    pub fn each_back(&mut self, each: &mut dyn FnMut(&mut Self, Row<'_>) -> Result<bool, Halt>) -> Result<(), Halt> {
        self.from(&mut Vec::new(), &mut Vec::new(), true, each).map(|_| ())
    }

    /// The values that the first parameter takes, whether or not a row comes of them.
    ///
    /// # Errors
    ///
    /// A rule error in its range.
    pub fn first_parameter_values(&self) -> Result<Vec<i64>, Halt> {
        let Some(parameter) = self.question.given.first() else { return Ok(Vec::new()) };
        let slots = self.question.slots;
        let mut taken = Vec::new();
        for value in Evaluator::new(&[], &[], slots, &mut Blind).range(&parameter.range, parameter.span, GIVEN_LIMIT)? {
            let mut passes = true;
            for condition in &parameter.conditions {
                passes = passes && Evaluator::new(&[], &[value], slots, &mut Blind).bool(condition)?;
            }
            if passes {
                taken.push(value);
            }
        }
        Ok(taken)
    }

    /// The same for the parameters after these; what they and the start need is written over each time.
    fn from(
        &mut self,
        parameters: &mut Vec<i64>,
        start: &mut Vec<i64>,
        back: bool,
        each: &mut dyn FnMut(&mut Self, Row<'_>) -> Result<bool, Halt>,
    ) -> Result<bool, Halt> {
        self.walker.budget().map_or(Ok(()), Budget::check)?;
        let question = self.question;
        if let Some(parameter) = question.given.get(parameters.len()) {
            let mut range = Evaluator::new(&[], parameters, question.slots, &mut Blind).range(
                &parameter.range,
                parameter.span,
                GIVEN_LIMIT,
            )?;
            while let Some(value) = if back { range.next_back() } else { range.next() } {
                parameters.push(value);
                let mut given = true;
                for condition in &parameter.conditions {
                    given = given && Evaluator::new(&[], parameters, question.slots, &mut Blind).bool(condition)?;
                }
                let more = !given || self.from(parameters, start, back, each)?;
                parameters.pop();
                if !more {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        let width = self.rules.state_width;
        start.clear();
        start.resize(width * question.start.len(), 0);
        for (number, component) in question.start.iter().enumerate() {
            let cells = &mut start[number * width..(number + 1) * width];
            Evaluator::new(&[], parameters, question.slots, &mut Blind).coordinates(component, cells)?;
        }
        if self.rules.turn.is_some() {
            start.push(1);
        }
        start.extend(question.in_position.iter().map(|place| parameters[*place]));
        each(self, Row { parameters, start })
    }
}
