//! Games and puzzles given by rules, twice: compiled for the fast engines, and read by the reference evaluator for the walker.

use super::Game;
use crate::faults::{Wrong, planted};
use crate::lang::number::{Fault, MOVE_LIMIT};
use crate::lang::tree::{Rules, WinnerWord};
use crate::lang::{
    Halt, OnWords, Options, Reading, RulesProgram, Scratch, Span, at_goal, look, look_at_end, look_at_more,
    look_at_some,
};
use crate::position::{Packing, Width};
use crate::value::Outcome;

/// Rules that run as compiled closures.
pub struct Compiled {
    program: RulesProgram,
    scratch: Scratch,
    width: usize,
    turn: Option<usize>,
    /// The moves on words, once one is looked at; none, where they cannot be made on them.
    made: Option<Option<OnWords>>,
    sum: Option<Parts>,
}

/// Rules that are compiled when a position is first looked at.
pub struct Lazily<'a> {
    rules: &'a Rules,
    compiled: Option<Compiled>,
}

impl<'a> Lazily<'a> {
    /// Compiles nothing yet.
    #[must_use]
    pub const fn new(rules: &'a Rules) -> Self {
        Self { rules, compiled: None }
    }

    #[inline(always)]
    fn compiled(&mut self) -> &mut Compiled {
        self.compiled.get_or_insert_with(|| Compiled::new(self.rules))
    }
}

impl Game for Lazily<'_> {
    fn width(&self) -> Width {
        Width::Fixed(self.rules.width())
    }

    fn look(&mut self, position: &[i64], options: &mut Options) -> Result<Option<Outcome>, Halt> {
        self.compiled().look(position, options)
    }

    fn look_packed(
        &mut self,
        word: u64,
        packing: &Packing,
        words: &mut Vec<u64>,
        position: &mut Vec<i64>,
    ) -> Option<Option<Outcome>> {
        self.compiled().look_packed(word, packing, words, position)
    }

    fn never_fails(&mut self, packing: &Packing) -> bool {
        self.compiled().never_fails(packing)
    }

    fn is_goal(&mut self, position: &[i64]) -> Result<bool, Halt> {
        self.compiled().is_goal(position)
    }
}

/// What the sum of games given by compiled rules needs besides them.
struct Parts {
    state_width: usize,
    tail: usize,
    spans: Vec<Span>,
    /// One component, with the tail, and its options.
    component: Vec<i64>,
    found: Options,
    option: Vec<i64>,
}

impl Compiled {
    /// Compiles the rules.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        Self {
            program: RulesProgram::new(rules),
            scratch: Scratch::new(rules.slots),
            width: rules.width(),
            turn: rules.turn,
            made: None,
            sum: None,
        }
    }

    /// Compiles the rules of the components of a sum: a position is a list of them, and a player moves in one.
    #[must_use]
    pub fn sum(rules: &Rules) -> Self {
        let parts = Parts {
            state_width: rules.state_width.max(1),
            tail: rules.tail(),
            spans: rules.moves.iter().map(|made| made.span).collect(),
            component: Vec::new(),
            found: Options::default(),
            option: Vec::new(),
        };
        Self { sum: Some(parts), ..Self::new(rules) }
    }
}

impl Parts {
    /// The options of a sum: those of each component in turn, the other components staying.
    fn look(
        &mut self,
        program: &RulesProgram,
        scratch: &mut Scratch,
        position: &[i64],
        options: &mut Options,
    ) -> Result<Option<Outcome>, Halt> {
        let Self { state_width, tail, spans, component, found, option } = self;
        options.clear();
        let end = position.len() - *tail;
        let mut word = None;
        let moved = end.saturating_sub(if planted(Wrong::LastComponentStays) { *state_width } else { 0 });
        for start in (0..moved.max(*state_width)).step_by(*state_width) {
            component.clear();
            component.extend_from_slice(&position[start..start + *state_width]);
            component.extend_from_slice(&position[end..]);
            word = program.look(component, found, scratch)?.or(word);
            for (made, reached) in found.iter() {
                option.clear();
                option.extend_from_slice(&position[..start]);
                option.extend_from_slice(&reached[..reached.len() - *tail]);
                option.extend_from_slice(&position[start + *state_width..]);
                if options.len() >= MOVE_LIMIT {
                    let span = spans.get(made).copied().unwrap_or_default();
                    return Err(Halt::fault(Fault::TooManyMoves(MOVE_LIMIT), span).at(position, Some(made)));
                }
                options.push(u32::try_from(made).unwrap_or(u32::MAX), option);
            }
        }
        Ok(word.filter(|_| options.is_empty()).map(|word| word.outcome(1)))
    }
}

impl Game for Compiled {
    fn width(&self) -> Width {
        if self.sum.is_some() { Width::Varied } else { Width::Fixed(self.width) }
    }

    #[inline(always)]
    fn look(&mut self, position: &[i64], options: &mut Options) -> Result<Option<Outcome>, Halt> {
        if let Some(sum) = &mut self.sum {
            return sum.look(&self.program, &mut self.scratch, position, options);
        }
        let word = self.program.look(position, options, &mut self.scratch)?;
        Ok(word.map(|word| for_mover(word, self.turn, position)))
    }

    fn look_packed(
        &mut self,
        word: u64,
        packing: &Packing,
        words: &mut Vec<u64>,
        position: &mut Vec<i64>,
    ) -> Option<Option<Outcome>> {
        let made = self.made.get_or_insert_with(|| self.program.on_words(packing));
        if let Some(made) = made {
            if made.look(word, words) {
                return Some(None);
            }
            if let (Some(won), None) = (self.program.won_if_over(made), self.turn) {
                return Some(Some(won.outcome(1)));
            }
        }
        packing.unpack(word, position);
        if self.sum.is_some() {
            return None;
        }
        let over = self.program.look_packed(position, word, packing, words, &mut self.scratch)?;
        Some(over.map(|word| for_mover(word, self.turn, position)))
    }

    fn never_fails(&mut self, packing: &Packing) -> bool {
        let made = self.made.get_or_insert_with(|| self.program.on_words(packing));
        made.as_ref().is_some_and(|made| self.program.won_if_over(made).is_some())
    }

    fn is_goal(&mut self, position: &[i64]) -> Result<bool, Halt> {
        self.program.at_goal(position, &mut self.scratch)
    }
}

/// Rules that are read as they stand.
#[derive(Debug)]
pub struct Reference<'a> {
    rules: &'a Rules,
    reading: Reading,
    sum: bool,
}

impl<'a> Reference<'a> {
    /// Reads these rules.
    #[must_use]
    pub fn new(rules: &'a Rules) -> Self {
        Self { rules, reading: Reading::new(rules.slots), sum: false }
    }

    /// Reads the rules of the components of a sum.
    #[must_use]
    pub fn sum(rules: &'a Rules) -> Self {
        Self { sum: true, ..Self::new(rules) }
    }

    /// A move in a sum is a move in one component; the sum is over when every component is.
    fn look_at_sum(&mut self, position: &[i64], options: &mut Options) -> Result<Option<Outcome>, Halt> {
        let components: Vec<&[i64]> = self.rules.components(position).collect();
        let tail = &position[self.rules.state_of(position).len()..];
        options.clear();
        let (mut all_over, mut last) = (true, None);
        for (place, component) in components.iter().enumerate() {
            let mut own = Options::default();
            match look(self.rules, &[*component, tail].concat(), &mut own, &mut self.reading)? {
                Some(word) => last = Some(word),
                None => all_over = false,
            }
            for (made, reached) in own.iter() {
                let mut after = components.clone();
                after[place] = self.rules.state_of(reached);
                after.push(tail);
                if options.len() == MOVE_LIMIT {
                    let fault = Fault::TooManyMoves(MOVE_LIMIT);
                    return Err(Halt::fault(fault, self.rules.moves[made].span).at(position, Some(made)));
                }
                options.push(u32::try_from(made).unwrap_or(u32::MAX), &after.concat());
            }
        }
        Ok(if all_over { last.map(|word| word.outcome(1)) } else { None })
    }
}

impl Game for Reference<'_> {
    fn width(&self) -> Width {
        if self.sum { Width::Varied } else { Width::Fixed(self.rules.width()) }
    }

    #[inline(always)]
    fn look(&mut self, position: &[i64], options: &mut Options) -> Result<Option<Outcome>, Halt> {
        if self.sum {
            return self.look_at_sum(position, options);
        }
        let word = look(self.rules, position, options, &mut self.reading)?;
        Ok(word.map(|word| for_mover(word, self.rules.turn, position)))
    }

    #[inline(always)]
    fn look_at_some(&mut self, position: &[i64], options: &mut Options) -> Result<(Option<Outcome>, usize), Halt> {
        if self.sum {
            return Ok((self.look_at_sum(position, options)?, usize::MAX));
        }
        let (word, read) = look_at_some(self.rules, position, options, &mut self.reading)?;
        Ok((word.map(|word| for_mover(word, self.rules.turn, position)), read))
    }

    #[inline(always)]
    fn more(&mut self, position: &[i64], options: &mut Options, from: usize) -> Result<usize, Halt> {
        look_at_more(self.rules, position, options, &mut self.reading, from)
    }

    #[inline(always)]
    fn over(&mut self, position: &[i64], options: &mut Options) -> Result<Option<Outcome>, Halt> {
        if self.sum {
            return self.look_at_sum(position, options);
        }
        let word = look_at_end(self.rules, position, options, &mut self.reading)?;
        Ok(word.map(|word| for_mover(word, self.rules.turn, position)))
    }

    fn mover_may_have_won(&self) -> bool {
        !self.rules.last_mover_wins()
    }

    fn is_goal(&mut self, position: &[i64]) -> Result<bool, Halt> {
        at_goal(self.rules, position, &mut self.reading)
    }
}

#[inline]
fn for_mover(word: WinnerWord, turn: Option<usize>, position: &[i64]) -> Outcome {
    word.outcome(turn.map_or(1, |offset| position[offset]))
}

/// A position as a file writes it: `5`, `(1, -1)`, `(8, [0, 1])`, and of a sum `(3, 6, 5)`, `((1, 2), (3, 4))`. The turn
/// and parameters are left out.
#[must_use]
pub fn shown(rules: &Rules, position: &[i64]) -> String {
    let components: Vec<&[i64]> = rules.components(position).collect();
    match (&components[..], &rules.state[..]) {
        ([only], _) => one(rules, only),
        (several, [variable]) if variable.length.is_some() => {
            let arrays: Vec<String> = several.iter().map(|component| array(component)).collect();
            format!("({})", arrays.join(", "))
        }
        (several, _) => {
            let several: Vec<String> = several.iter().map(|component| one(rules, component)).collect();
            format!("({})", several.join(", "))
        }
    }
}

fn one(rules: &Rules, component: &[i64]) -> String {
    let entries: Vec<String> = rules
        .state
        .iter()
        .map(|variable| match variable.length {
            None => component[variable.offset].to_string(),
            Some(length) => array(&component[variable.offset..variable.offset + length]),
        })
        .collect();
    match (entries.as_slice(), &rules.state[..]) {
        ([only], [variable]) if variable.length.is_none() => only.clone(),
        _ => format!("({})", entries.join(", ")),
    }
}

fn array(cells: &[i64]) -> String {
    format!("[{}]", cells.iter().map(i64::to_string).collect::<Vec<_>>().join(", "))
}
