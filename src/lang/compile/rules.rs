//! Compiled rules: by the machine as far as it goes, by closures where it does not or where it is in doubt.

use super::front::Front;
use super::instruction::Instruction;
use super::listing::{Listing, Stop, place};
use super::lower::Lowered;
use super::*;
use crate::faults::{Wrong, planted};
use crate::position::Packing;

/// Compiled rules: who has won at a position, or where its moves lead.
pub struct RulesProgram {
    listing: Listing,
    /// The end in one piece.
    front: Option<Front>,
    /// Whether all moves are one piece too, the first spread.
    only_spread: bool,
    /// Where in the list the parts begin that the machine knows.
    places: Places,
    /// The winner, where it is always the same.
    word: Option<WinnerWord>,
    exact: Exact,
}

/// Where parts of the rules begin in the list of instructions.
struct Places {
    end: Option<usize>,
    goal: Option<usize>,
    winner: Option<usize>,
    moves: usize,
}

/// The rules as closures, which know all of the language and tell every error.
struct Exact {
    end: Option<BoolCode>,
    legal: Option<BoolCode>,
    goal: Option<BoolCode>,
    winner: WinnerCode,
    moves: Vec<MoveProgram>,
    turn: Option<usize>,
    state_width: usize,
}

struct MoveProgram {
    loops: LoopCode,
    /// One for each part into which the move splits the position; mostly one.
    parts: Vec<WriteCode>,
    span: Span,
    /// Without loops and guards it is one move, always.
    single: bool,
}

impl RulesProgram {
    /// Compiles the rules.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        let Lowered { listing, front, end, goal, winner, moves } = Lowered::new(rules);
        let moved = listing.code.get(moves..);
        let only_spread = matches!(moved, Some([Instruction::Spread(0), Instruction::End, ..]));
        Self {
            listing,
            front,
            only_spread,
            places: Places { end, goal, winner, moves },
            word: if let Winner::Word(word) = rules.winner { Some(word) } else { None },
            exact: Exact {
                end: rules.end.as_ref().map(compile_bool),
                legal: rules.legal.as_ref().map(compile_bool),
                goal: rules.goal.as_ref().map(compile_bool),
                winner: compile_winner(&rules.winner),
                moves: rules.moves.iter().map(MoveProgram::new).collect(),
                turn: rules.turn,
                state_width: rules.state_width,
            },
        }
    }

    /// Puts the options of a position into `options`, or says who has won there.
    ///
    /// # Errors
    ///
    /// A rule error, tied to the position and the move.
    #[inline(always)]
    pub fn look(&self, position: &[i64], options: &mut Options, scratch: &mut Scratch) -> Done<Option<WinnerWord>> {
        options.clear();
        if planted(Wrong::ErrorOutOfNothing)
            && let (Some(2), Some(made)) = (position.first(), self.exact.moves.first())
        {
            return Err(Halt::fault(Fault::TooManyMoves(2), made.span).at(position, Some(0)));
        }
        let over = self.front.as_ref().and_then(|front| front.holds(position));
        match (over, self.word) {
            (Some(true), Some(word)) => Ok(Some(word)),
            (Some(false), _) if self.only_spread && self.listing.spreads[0].write(position, options) => Ok(None),
            _ => self.look_on(over, position, options, scratch),
        }
    }

    /// The moves of packed positions as changes of their words, if they can be made so.
    #[must_use]
    pub fn on_words(&self, packing: &Packing) -> Option<OnWords> {
        let Some([Instruction::Patches(patches), Instruction::End, ..]) = self.listing.code.get(self.places.moves..)
        else {
            return None;
        };
        let known = self.front.is_some() || self.exact.end.is_none();
        let patches = self.listing.patches.get(place(*patches)).filter(|_| known)?;
        OnWords::new(patches, self.front.as_ref(), packing).filter(|_| !planted(Wrong::ErrorOutOfNothing))
    }

    /// Who has won at any position without options, where none of them is in doubt.
    #[must_use]
    pub const fn won_if_over(&self, made: &OnWords) -> Option<WinnerWord> {
        if made.is_sure() { self.word } else { None }
    }

    /// Looks at a packed position, and adds its options to `words`; nothing is told, and anything added, where that cannot
    /// be done at once: then [`Self::look`] tells.
    pub fn look_packed(
        &self,
        position: &[i64],
        word: u64,
        packing: &Packing,
        words: &mut Vec<u64>,
        scratch: &mut Scratch,
    ) -> Option<Option<WinnerWord>> {
        let over = match self.front.as_ref().and_then(|front| front.holds(position)) {
            _ if planted(Wrong::ErrorOutOfNothing) => return None,
            Some(over) => over,
            None if self.exact.end.is_none() => false,
            None => return None,
        };
        if !over {
            let before = words.len();
            if !self.listing.pack(self.places.moves, position, word, packing, words) {
                return None;
            }
            if words.len() > before {
                return Some(None);
            }
        }
        self.listing.prepare(&mut scratch.pad);
        match (self.word, self.places.winner) {
            (Some(word), _) => Some(Some(word)),
            (None, Some(winner)) => {
                match self.listing.run(winner, position, &mut scratch.pad, &mut Options::default()) {
                    Stop::Word(word) => Some(Some(word)),
                    _ => None,
                }
            }
            (None, None) => None,
        }
    }

    /// Looks at a position of which it may be known already whether it is over.
    #[inline(never)]
    fn look_on(
        &self,
        over: Option<bool>,
        position: &[i64],
        options: &mut Options,
        scratch: &mut Scratch,
    ) -> Done<Option<WinnerWord>> {
        match self.look_at_once(over, position, options, scratch) {
            Some(word) => Ok(word),
            None => self.exact.look(position, options, scratch),
        }
    }

    /// Looks by the machine; none in doubt.
    fn look_at_once(
        &self,
        over: Option<bool>,
        position: &[i64],
        options: &mut Options,
        scratch: &mut Scratch,
    ) -> Option<Option<WinnerWord>> {
        self.listing.prepare(&mut scratch.pad);
        let over = match over {
            Some(over) => over,
            None if self.exact.end.is_none() => false,
            None => match self.listing.run(self.places.end?, position, &mut scratch.pad, options) {
                Stop::Holds => true,
                Stop::Fails => false,
                _ => return None,
            },
        };
        if !over {
            let mut at = self.places.moves;
            loop {
                match self.listing.run(at, position, &mut scratch.pad, options) {
                    Stop::End => break,
                    Stop::Exact(made, next) => {
                        self.exact.make_one(made, position, options, scratch).ok()?;
                        at = next;
                    }
                    _ => return None,
                }
            }
            if !options.is_empty() {
                return Some(None);
            }
        }
        match self.word {
            Some(word) => Some(Some(word)),
            None => match self.listing.run(self.places.winner?, position, &mut scratch.pad, options) {
                Stop::Word(word) => Some(Some(word)),
                _ => None,
            },
        }
    }

    /// Whether a position is a goal; without a goal none is.
    ///
    /// # Errors
    ///
    /// A rule error, tied to the position.
    pub fn at_goal(&self, position: &[i64], scratch: &mut Scratch) -> Done<bool> {
        if let Some(goal) = self.places.goal {
            self.listing.prepare(&mut scratch.pad);
            match self.listing.run(goal, position, &mut scratch.pad, &mut Options::default()) {
                Stop::Holds => return Ok(true),
                Stop::Fails => return Ok(false),
                _ => {}
            }
        }
        self.exact.at_goal(position, scratch)
    }
}

impl Exact {
    fn look(&self, position: &[i64], options: &mut Options, scratch: &mut Scratch) -> Done<Option<WinnerWord>> {
        options.clear();
        let Scratch { values, rows, next, split, legal_values, legal_rows, .. } = scratch;
        let mut frame = Frame { position, parameters: &[], values, rows, steps: 0, sight: &mut Blind };
        let mut over = false;
        if let Some(end) = &self.end {
            over = end(&mut frame).map_err(|halt| halt.at(position, None))?;
        }
        if !over {
            for (number, made) in self.moves.iter().enumerate() {
                let room = &mut Room { next, split, options, legal_values, legal_rows };
                self.make(made, number, &mut frame, room).map_err(|halt| halt.at(position, Some(number)))?;
            }
            over = options.is_empty();
        }
        if !over {
            return Ok(None);
        }
        (self.winner)(&mut frame).map(Some).map_err(|halt| halt.at(position, None))
    }

    /// Makes one move in the course of what the machine does; its steps are counted there.
    fn make_one(&self, number: usize, position: &[i64], options: &mut Options, scratch: &mut Scratch) -> Done<()> {
        let Scratch { values, rows, next, split, legal_values, legal_rows, pad } = scratch;
        let mut frame = Frame { position, parameters: &[], values, rows, steps: pad.steps, sight: &mut Blind };
        let room = &mut Room { next, split, options, legal_values, legal_rows };
        let done = self.make(&self.moves[number], number, &mut frame, room);
        pad.steps = frame.steps;
        done
    }

    fn at_goal(&self, position: &[i64], scratch: &mut Scratch) -> Done<bool> {
        let Some(goal) = &self.goal else { return Ok(false) };
        let Scratch { values, rows, .. } = scratch;
        goal(&mut Frame { position, parameters: &[], values, rows, steps: 0, sight: &mut Blind })
            .map_err(|halt| halt.at(position, None))
    }

    /// Whether a position may be moved to.
    fn is_legal(&self, position: &[i64], values: &mut [i64], rows: &mut [Vec<i64>]) -> Done<bool> {
        match &self.legal {
            Some(legal) => legal(&mut Frame { position, parameters: &[], values, rows, steps: 0, sight: &mut Blind }),
            None => Ok(true),
        }
    }

    fn make(&self, made: &MoveProgram, number: usize, frame: &mut Frame<'_>, room: &mut Room<'_>) -> Done<()> {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        let Room { next, split, options, legal_values, legal_rows } = room;
        let mut once = |frame: &mut Frame<'_>| {
            split.clear();
            for (at, write) in made.parts.iter().enumerate() {
                next.clear();
                next.extend_from_slice(frame.position);
                write(frame, next)?;
                if let Some(turn) = self.turn {
                    next[turn] = if next[turn] == 1 { 2 } else { 1 };
                }
                if at + 1 < made.parts.len() {
                    split.extend_from_slice(&next[..self.state_width]);
                }
            }
            if self.legal.is_some() {
                for part in split.chunks(self.state_width.max(1)) {
                    let part = [part, &next[self.state_width..]].concat();
                    if !self.is_legal(&part, legal_values, legal_rows)? {
                        return Ok(true);
                    }
                }
                if !self.is_legal(next, legal_values, legal_rows)? {
                    return Ok(true);
                }
            }
            if options.len() >= number::MOVE_LIMIT {
                return Err(Halt::fault(Fault::TooManyMoves(number::MOVE_LIMIT), made.span));
            }
            if split.is_empty() {
                options.push(number, next);
            } else {
                split.extend_from_slice(next);
                options.push(number, split);
            }
            Ok(true)
        };
        if made.single { once(frame).map(|_| ()) } else { (made.loops)(frame, &mut once).map(|_| ()) }
    }
}

/// Where a move puts what it makes.
struct Room<'r> {
    next: &'r mut Vec<i64>,
    split: &'r mut Vec<i64>,
    options: &'r mut Options,
    legal_values: &'r mut Vec<i64>,
    legal_rows: &'r mut Vec<Vec<i64>>,
}

impl MoveProgram {
    fn new(made: &Move) -> Self {
        let write = |part: &MoveBody| match part {
            MoveBody::Position(coordinates) => compile_coordinates(coordinates),
            MoveBody::Assign(assignments) => compile_assignments(assignments),
        };
        Self {
            loops: compile_clauses(&made.clauses),
            parts: made.parts.iter().map(write).collect(),
            span: made.span,
            single: made.clauses.is_empty(),
        }
    }
}
