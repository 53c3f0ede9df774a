//! The checker: it holds claims against the rules, position by position, with the reference evaluator alone.
//!
//! It knows no engine. Each kind of value has a local rule, which is its definition; one pass over the positions holds
//! every claim against those of the options. That suffices, since each rule leads down a well-founded measure:
//!
//! - a rank falls from a won or lost position to the options that decide it, so that false wins and losses cannot hold
//!   each other up; a draw has no losing option and at least one drawn one (Smith 1966; Thompson 1986),
//! - the longest play falls from a position to every option, so that a number there shows that no loop can be reached;
//!   Grundy values and numbers of plays are checked beside it,
//! - the shortest play falls to the option that attains it.
//!
//! What has been checked then answers the question in the place of the walker: see [`Witness`].

mod file;
mod lines;
mod owned;
mod rings;
mod witness;

pub use file::{read, write};
pub use owned::{Certificate, OwnedLines, OwnedParts, OwnedRings};
pub use witness::Witness;

use std::fmt;

use dashu_int::UBig;

use crate::budget::{Budget, Limit};
use crate::claims::{Claims, Layer, NONE, Parts, Region};
use crate::game::{Game, Reference, shown};
use crate::lang::tree::Rules;
use crate::lang::{Halt, Options, Stop};
use crate::parallel;
use crate::position::{Positions, Width};
use crate::value::{Outcome, Plays, Ranked, Ranking, mex};

/// Why claims are refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The claim at a position does not hold.
    At {
        /// The position as a file writes it.
        position: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The claims as a whole do not fit the game.
    Whole(String),
    /// A limit was reached before all was checked.
    Limit(Limit),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::At { position, reason } => write!(f, "at the position {position}: {reason}"),
            Self::Whole(reason) => write!(f, "{reason}"),
            Self::Limit(limit) => write!(f, "{limit}"),
        }
    }
}

impl std::error::Error for Refusal {}

/// Holds all claims against the rules.
///
/// # Errors
///
/// The first claim that does not hold, in the order of the positions; or a limit.
pub fn check(claims: &Claims<'_>, rules: &Rules, budget: &Budget) -> Result<(), Refusal> {
    let checker = Checker { claims, rules, budget };
    checker.check_shape()?;
    let count = claims.positions.len();
    parallel::stretches(count, |range| {
        let mut desk = Desk::new(rules, claims.sum);
        range.into_iter().try_for_each(|number| checker.check_position(number, &mut desk))
    })?;
    if let Some(parts) = claims.parts {
        parallel::stretches(parts.positions.len(), |range| {
            let mut desk = Desk::new(rules, false);
            range.into_iter().try_for_each(|number| checker.check_part(parts, number, &mut desk))
        })?;
    }
    if let Some(lines) = claims.lines.as_ref().filter(|_| !claims.sum) {
        lines::check(lines, rules, budget)?;
    }
    for rings in &claims.rings {
        rings::check(rings, rules, claims.sum, budget)?;
    }
    for region in &claims.regions {
        checker.check_region(region)?;
    }
    Ok(())
}

struct Checker<'a> {
    claims: &'a Claims<'a>,
    rules: &'a Rules,
    budget: &'a Budget,
}

/// What one thread works with.
struct Desk<'a> {
    game: Reference<'a>,
    position: Vec<i64>,
    found: Options,
    numbers: Vec<usize>,
}

impl<'a> Desk<'a> {
    fn new(rules: &'a Rules, sum: bool) -> Self {
        let game = if sum { Reference::sum(rules) } else { Reference::new(rules) };
        Self { game, position: Vec::new(), found: Options::default(), numbers: Vec::new() }
    }
}

impl Checker<'_> {
    /// Each column is empty or complete, and Grundy values and plays come with the longest play.
    fn check_shape(&self) -> Result<(), Refusal> {
        let claims = self.claims;
        let count = claims.positions.len();
        let width = Width::Fixed(self.rules.width());
        let needed = if claims.sum { Width::Varied } else { width };
        let parts = claims.parts.filter(|parts| parts.positions.width() != width || !claims.sum);
        if claims.positions.width() != needed || parts.is_some() {
            return Err(Refusal::Whole("its positions have not as many numbers as those of the problem".to_owned()));
        }
        let lengths = [
            claims.remoteness.len(),
            claims.own_moves.len(),
            claims.nimbers.len(),
            claims.plays.len(),
            claims.shortest.len(),
            claims.longest.len(),
            claims.distances.len(),
            claims.ends.len(),
        ];
        if lengths.iter().any(|length| *length != 0 && *length != count) {
            return Err(Refusal::Whole("its columns differ in length".to_owned()));
        }
        if claims.solutions.len() != claims.distances.len() {
            return Err(Refusal::Whole(
                "it claims distances without numbers of solutions, or the other way".to_owned(),
            ));
        }
        if let Some(parts) = claims.parts {
            let count = parts.positions.len();
            if parts.nimbers.len() != count || parts.depths.len() != count {
                return Err(Refusal::Whole("the columns of its components differ in length".to_owned()));
            }
            if !self.rules.last_mover_wins() {
                return Err(Refusal::Whole("it claims Grundy values where the last mover does not win".to_owned()));
            }
        }
        if !(claims.nimbers.is_empty() && claims.plays.is_empty()) && claims.longest.len() != count {
            return Err(Refusal::Whole("it claims values that need an end of play, and does not show one".to_owned()));
        }
        Ok(())
    }

    fn check_position(&self, number: usize, desk: &mut Desk<'_>) -> Result<(), Refusal> {
        if number.is_multiple_of(1024) {
            self.budget.check().map_err(Refusal::Limit)?;
            self.budget.looked_at(u64::try_from(number).unwrap_or(u64::MAX));
        }
        let claims = self.claims;
        claims.positions.read(small(number), &mut desk.position);
        self.fits(&desk.position)?;
        if self.rules.turn.is_some_and(|turn| !matches!(desk.position[turn], 1 | 2)) {
            return Err(self.refuse(&desk.position, "neither player is to move".to_owned()));
        }
        let over = self.look(desk)?;
        let hints = stretch(claims.ends, claims.options, number);
        self.number_options(claims.positions, hints, desk)?;
        let mut failed = Self::check_values(claims, number, over, &desk.numbers);
        if failed.is_none() && !claims.distances.is_empty() {
            let goal = desk.game.is_goal(&desk.position).map_err(|halt| self.halted(halt, &desk.position))?;
            failed = Self::check_distance(claims, number, goal, &desk.numbers);
        }
        failed.map_or(Ok(()), |reason| Err(self.refuse(&desk.position, reason)))
    }

    /// Whether a position of a sum is a list of components.
    fn fits(&self, position: &[i64]) -> Result<(), Refusal> {
        let cells = position.len().checked_sub(self.rules.tail());
        let whole = cells.is_some_and(|cells| cells > 0 && cells.is_multiple_of(self.rules.state_width.max(1)));
        if !self.claims.sum || whole {
            return Ok(());
        }
        Err(Refusal::Whole(format!("a position of {} numbers is no sum of components", position.len())))
    }

    /// The Grundy value of a component is the mex of the nim-sums of the parts that its moves leave, each of which is
    /// less deep, so that play ends.
    fn check_part(&self, parts: Parts<'_>, number: usize, desk: &mut Desk<'_>) -> Result<(), Refusal> {
        if number.is_multiple_of(1024) {
            self.budget.check().map_err(Refusal::Limit)?;
        }
        parts.positions.read(small(number), &mut desk.position);
        self.look(desk)?;
        let tail = desk.position.len() - self.rules.tail();
        let (mut depth, mut sums, mut part) = (0, Vec::new(), Vec::new());
        for (_, option) in desk.found.iter() {
            let mut sum = 0;
            for component in self.rules.components(option) {
                part.clear();
                part.extend_from_slice(component);
                part.extend_from_slice(&desk.position[tail..]);
                let Some(number) = parts.positions.find_surely(&part) else {
                    let reason = format!("a move leaves {}, which is not listed", shown(self.rules, &part));
                    return Err(self.refuse(&desk.position, reason));
                };
                sum ^= parts.nimbers[index(number)];
                depth = depth.max(parts.depths[index(number)].saturating_add(1));
            }
            sums.push(sum);
        }
        let (claimed, right) = (parts.nimbers[number], mex(sums));
        if claimed != right {
            let reason = format!("the Grundy value is claimed as {claimed}, not {right}");
            return Err(self.refuse(&desk.position, reason));
        }
        if parts.depths[number] != depth || depth == NONE {
            return Err(self.refuse(&desk.position, "its play is not shown to end".to_owned()));
        }
        Ok(())
    }

    fn look(&self, desk: &mut Desk<'_>) -> Result<Option<Outcome>, Refusal> {
        let Desk { game, position, found, .. } = desk;
        game.look(position, found).map_err(|halt| self.halted(halt, position))
    }

    fn halted(&self, halt: Halt, position: &[i64]) -> Refusal {
        match halt {
            Halt::Stop(stop) => match *stop {
                Stop::Rule(error) => self.refuse(position, format!("a rule error: {}", error.fault)),
                Stop::Limit(limit) => Refusal::Limit(limit),
            },
            Halt::Missing => self.refuse(position, "a value is missing".to_owned()),
        }
    }

    /// 0 at a goal, else one more than the least over the options; and the sum over those that are one nearer.
    fn check_distance(claims: &Claims<'_>, number: usize, goal: bool, options: &[usize]) -> Option<String> {
        let least = options.iter().map(|option| claims.distances[*option]).min();
        let right = if goal { 0 } else { least.map_or(NONE, |least| least.saturating_add(1)) };
        let claimed = claims.distances[number];
        if claimed != right {
            return Some(format!("the distance is claimed as {}, not {}", number_told(claimed), number_told(right)));
        }
        let ways: UBig = match right {
            0 => UBig::ONE,
            NONE => UBig::ZERO,
            moves => {
                let nearer = options.iter().filter(|option| claims.distances[**option] == moves - 1);
                nearer.map(|option| &claims.solutions[*option]).sum()
            }
        };
        (claims.solutions[number] != ways)
            .then(|| "the number of solutions is not the sum over the nearer options".to_owned())
    }

    /// Finds the numbers of the options among `listed`; hints save looking them up, and are held against the options.
    fn number_options(&self, listed: &Positions, hints: Option<&[u32]>, desk: &mut Desk<'_>) -> Result<(), Refusal> {
        desk.numbers.clear();
        if let Some(hints) = hints
            && hints.len() != desk.found.len()
        {
            let reason = format!("it has {} moves, not {}", desk.found.len(), hints.len());
            return Err(self.refuse(&desk.position, reason));
        }
        for (at, (_, option)) in desk.found.iter().enumerate() {
            let number = match hints {
                Some(hints) => Some(hints[at]).filter(|number| listed.holds(*number, option)),
                None => listed.find_surely(option),
            };
            let Some(number) = number else {
                let reason = format!("a move leads to {}, which is not listed in its place", shown(self.rules, option));
                return Err(self.refuse(&desk.position, reason));
            };
            desk.numbers.push(index(number));
        }
        Ok(())
    }

    /// The local rules; says which claim fails.
    fn check_values(claims: &Claims<'_>, number: usize, over: Option<Outcome>, options: &[usize]) -> Option<String> {
        for (ranking, column, name) in [
            (Ranking::Remoteness, claims.remoteness, "remoteness"),
            (Ranking::OwnMoves, claims.own_moves, "the winner's own moves"),
        ] {
            if column.is_empty() {
                continue;
            }
            let right = ranked(ranking, over, options.iter().map(|option| column[*option]));
            if column[number] != right {
                return Some(format!("{name} is claimed as {}, not {}", told(column[number]), told(right)));
            }
        }
        let lengths = |column: &[u32], name: &str, right: u32| {
            (column[number] != right)
                .then(|| format!("{name} is claimed as {}, not {}", number_told(column[number]), number_told(right)))
        };
        if !claims.shortest.is_empty() {
            let least = options.iter().map(|option| claims.shortest[*option]).min();
            let right = if over.is_some() { 0 } else { least.map_or(NONE, |least| least.saturating_add(1)) };
            if let Some(failed) = lengths(claims.shortest, "the shortest play", right) {
                return Some(failed);
            }
        }
        if claims.longest.is_empty() {
            return None;
        }
        let most = options.iter().map(|option| claims.longest[*option]).max();
        let longest = if over.is_some() { 0 } else { most.map_or(NONE, |most| most.saturating_add(1)) };
        if let Some(failed) = lengths(claims.longest, "the longest play", longest) {
            return Some(failed);
        }
        if !claims.nimbers.is_empty() {
            let right = if longest == NONE { NONE } else { mex(options.iter().map(|option| claims.nimbers[*option])) };
            if let Some(failed) = lengths(claims.nimbers, "the Grundy value", right) {
                return Some(failed);
            }
        }
        if !claims.plays.is_empty() {
            let right = if longest == NONE {
                None
            } else {
                plays(over, options.iter().map(|option| claims.plays[*option].as_ref()))
            };
            if claims.plays[number] != right {
                return Some("the numbers of plays are not the sums over the moves".to_owned());
            }
        }
        None
    }

    fn check_region(&self, region: &Region) -> Result<(), Refusal> {
        let mut desk = Desk::new(self.rules, self.claims.sum);
        let last = index(region.plies);
        if region.layers.len() > last + 1 {
            return Err(Refusal::Whole("a region has more layers than plies".to_owned()));
        }
        for (ply, layer) in region.layers.iter().enumerate() {
            self.budget.check().map_err(Refusal::Limit)?;
            if layer.classes.len() != layer.positions.len() || layer.positions.width() != self.claims.positions.width()
            {
                return Err(Refusal::Whole("a layer of a region does not fit the game".to_owned()));
            }
            let next = region.layers.get(ply + 1);
            for number in 0..layer.positions.len() {
                layer.positions.read(small(number), &mut desk.position);
                self.fits(&desk.position)?;
                let over = self.look(&mut desk)?;
                let right = if ply == last {
                    over.map_or(Ranked::DRAW, |outcome| Ranked::new(outcome, 0))
                } else {
                    self.class_in_layer(layer, next, number, over, &mut desk)?
                };
                if layer.classes[number] != right {
                    let (claimed, right) = (told(layer.classes[number]), told(right));
                    return Err(self.refuse(&desk.position, format!("the class is claimed as {claimed}, not {right}")));
                }
            }
        }
        Ok(())
    }

    fn class_in_layer(
        &self,
        layer: &Layer,
        next: Option<&Layer>,
        number: usize,
        over: Option<Outcome>,
        desk: &mut Desk<'_>,
    ) -> Result<Ranked, Refusal> {
        let (Some(next), false) = (next, desk.found.is_empty()) else {
            return match over {
                Some(outcome) => Ok(Ranked::new(outcome, 0)),
                None => Err(Refusal::Whole("a region ends too early".to_owned())),
            };
        };
        self.number_options(&next.positions, stretch(&layer.ends, &layer.options, number), desk)?;
        Ok(ranked(Ranking::OwnMoves, over, desk.numbers.iter().map(|option| next.classes[*option])))
    }

    fn refuse(&self, position: &[i64], reason: String) -> Refusal {
        Refusal::At { position: shown(self.rules, position), reason }
    }
}

/// The definition of outcome and rank.
fn ranked(ranking: Ranking, over: Option<Outcome>, options: impl Iterator<Item = Ranked>) -> Ranked {
    if let Some(outcome) = over {
        return Ranked::new(outcome, 0);
    }
    let (mut win, mut loss, mut draw) = (None, 0, false);
    for option in options {
        match option.get() {
            Some((Outcome::Loss, rank)) => win = Some(win.unwrap_or(u32::MAX).min(ranking.before_loss(rank))),
            Some((_, rank)) => loss = loss.max(ranking.before_win(rank)),
            None => draw = true,
        }
    }
    match (win, draw) {
        (Some(rank), _) => Ranked::new(Outcome::Win, rank),
        (None, true) => Ranked::DRAW,
        (None, false) => Ranked::new(Outcome::Loss, loss),
    }
}

/// The definition of the numbers of plays.
fn plays<'p>(over: Option<Outcome>, options: impl Iterator<Item = Option<&'p Plays>>) -> Option<Plays> {
    let nothing = || Plays { total: 0_u8.into(), won: 0_u8.into(), lost: 0_u8.into() };
    let Some(outcome) = over else {
        return options.into_iter().try_fold(nothing(), |sum, option| {
            let option = option?;
            Some(Plays { total: sum.total + &option.total, won: sum.won + &option.lost, lost: sum.lost + &option.won })
        });
    };
    let mut one = nothing();
    one.total = 1_u8.into();
    match outcome {
        Outcome::Win => one.won = 1_u8.into(),
        Outcome::Loss => one.lost = 1_u8.into(),
        Outcome::Draw => {}
    }
    Some(one)
}

fn stretch<'s>(ends: &[usize], options: &'s [u32], number: usize) -> Option<&'s [u32]> {
    let end = *ends.get(number)?;
    let start = if number == 0 { 0 } else { ends[number - 1] };
    options.get(start..end)
}

fn told(ranked: Ranked) -> String {
    match ranked.get() {
        Some((Outcome::Win, rank)) => format!("a win of rank {rank}"),
        Some((_, rank)) => format!("a loss of rank {rank}"),
        None => "a draw".to_owned(),
    }
}

fn number_told(value: u32) -> String {
    if value == NONE { "none".to_owned() } else { value.to_string() }
}

fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
