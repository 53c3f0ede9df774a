//! The tree kept for a picture: a box for each position, and the lines on which the winner plays to win.

use super::{Broken, Ending, Player, Sink, Step, Walk};
use crate::game::shown;
use crate::lang::tree::Rules;
use crate::value::Outcome;

/// How many boxes a picture may have: more is too much for any sheet, and for most programs that show pictures.
pub const BOX_LIMIT: usize = 20_000;

/// A position of the tree.
#[derive(Clone, Debug)]
pub struct PositionBox {
    /// The position as a file writes it.
    pub text: String,
    /// The place of the box before it; none at the start.
    pub before: Option<usize>,
    /// The places of the boxes after it.
    pub options: Vec<usize>,
    /// The number of the move that leads to it; none at the start.
    pub made: Option<usize>,
    /// How many moves after the start.
    pub level: usize,
    /// Who is to move.
    pub mover: Player,
    /// Whether it is a goal, in a puzzle.
    pub goal: bool,
    /// How the line ends, if it ends here.
    pub ending: Option<Ending>,
    /// Whether it lies on a line on which the winner makes winning moves alone; in a puzzle, on a shortest solution.
    pub on_line: bool,
    /// Whether the move that leads to it is such a winning move, or one of a shortest solution.
    pub winning: bool,
}

impl PositionBox {
    /// Whether play is over there, or the goal is reached.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.goal || self.ending.is_some_and(|ending| ending != Ending::Cut)
    }

    /// What the box says below the position.
    #[must_use]
    pub const fn remark(&self) -> Option<&'static str> {
        match self.ending {
            Some(Ending::Won(Player::First)) => Some("first wins"),
            Some(Ending::Won(Player::Second)) => Some("second wins"),
            Some(Ending::Draw) => Some("draw"),
            Some(Ending::Stuck) => Some("stuck"),
            _ if self.goal => Some("goal"),
            Some(Ending::Cut) => Some("…"),
            _ => None,
        }
    }
}

/// The tree in memory, in the order in which it is walked: each box stands before those that come after its position.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// The title of the problem.
    pub title: String,
    /// Whether it is a puzzle.
    pub puzzle: bool,
    /// Whether it is the tree of one strategy.
    pub strategy: bool,
    /// The names of the moves.
    pub moves: Vec<String>,
    /// The boxes.
    pub boxes: Vec<PositionBox>,
    /// Who wins, as far as the tree tells; none in a puzzle, in a draw, and where lines are cut too early.
    pub winner: Option<Player>,
    /// Whether the tree tells that neither player can force a win.
    pub drawn: bool,
}

impl Picture {
    /// Walks the tree.
    ///
    /// # Errors
    ///
    /// A rule error, a limit, or more than [`BOX_LIMIT`] positions.
    pub fn new(title: &str, rules: &Rules, walk: &mut Walk<'_>, start: &[i64]) -> Result<Self, Broken> {
        let picture = Self {
            title: title.to_owned(),
            puzzle: rules.puzzle,
            strategy: walk.strategy.is_some(),
            moves: rules.moves.iter().map(|made| made.name.clone()).collect(),
            ..Self::default()
        };
        let mut growing = Growing { rules, picture, line: Vec::new() };
        walk.walk(start, &mut growing)?;
        let mut picture = growing.picture;
        if let Some(engine) = &mut walk.strategy {
            let outcome = if picture.puzzle { Outcome::Win } else { engine.outcome(start)? };
            picture.mark_all(outcome);
        } else if picture.puzzle {
            picture.mark_solutions();
        } else {
            picture.mark_wins();
        }
        Ok(picture)
    }

    /// The names of the moves, where they are short enough to stand at the moves and tell them apart.
    #[must_use]
    pub fn names(&self) -> Option<&[String]> {
        const SHORT: usize = 14;
        let short = self.moves.iter().all(|name| name.chars().count() <= SHORT);
        (short && self.moves.len() > 1).then_some(&self.moves)
    }

    /// The name of the move that leads to a box, where names are shown.
    #[must_use]
    pub fn name(&self, place: &PositionBox) -> Option<&str> {
        self.names()?.get(place.made?).map(String::as_str)
    }

    /// One sentence on what the picture shows.
    #[must_use]
    pub fn caption(&self) -> String {
        let solved = self.boxes.iter().any(|place| place.on_line);
        match (self.winner, self.puzzle, self.strategy) {
            _ if self.drawn => "Neither player can force a win.".to_owned(),
            (Some(player), _, true) => {
                let word = player.word();
                format!("How the {word} player wins: one move of his each time, every move of the opponent.")
            }
            (Some(player), ..) => format!("The {} player can win; thick lines are his winning moves.", player.word()),
            (None, true, true) => "A shortest solution.".to_owned(),
            (None, true, false) if solved => "Thick lines lead to the goal in the fewest moves.".to_owned(),
            _ => String::new(),
        }
    }

    /// Marks every line of the tree of a strategy; the outcome is that of the start.
    fn mark_all(&mut self, outcome: Outcome) {
        let winner = if outcome == Outcome::Win { Player::First } else { Player::Second };
        self.winner = (!self.puzzle).then_some(winner);
        for place in &mut self.boxes {
            place.on_line = true;
            place.winning = place.before.is_some() && (self.puzzle || place.mover != winner);
        }
    }

    /// Marks the lines on which the winner makes winning moves alone, as far as the tree itself tells who wins.
    fn mark_wins(&mut self) {
        let mut outcomes: Vec<Option<Outcome>> = vec![None; self.boxes.len()];
        for (at, place) in self.boxes.iter().enumerate().rev() {
            let after = place.options.iter().map(|option| outcomes.get(*option).copied().flatten());
            let outcome = match place.ending {
                Some(Ending::Won(player)) => Some(if player == place.mover { Outcome::Win } else { Outcome::Loss }),
                Some(Ending::Draw) => Some(Outcome::Draw),
                Some(_) => None,
                None => before(after),
            };
            outcomes[at] = outcome;
        }
        let decided = |at: usize| outcomes.get(at).copied().flatten();
        self.drawn = decided(0) == Some(Outcome::Draw);
        let mover = self.boxes.first().map(|start| start.mover);
        self.winner = match decided(0) {
            Some(Outcome::Win) => mover,
            Some(Outcome::Loss) => mover.map(Player::other),
            _ => None,
        };
        for at in 0..self.boxes.len() {
            let (on_line, winning) = match self.boxes[at].before {
                None => (self.winner.is_some(), false),
                Some(before) if self.boxes[before].on_line => match decided(before) {
                    Some(Outcome::Win) => (decided(at) == Some(Outcome::Loss), decided(at) == Some(Outcome::Loss)),
                    _ => (true, false),
                },
                Some(_) => (false, false),
            };
            self.boxes[at].on_line = on_line;
            self.boxes[at].winning = winning;
        }
    }

    /// Marks the lines that reach the goal in the fewest moves.
    fn mark_solutions(&mut self) {
        let goals = self.boxes.iter().filter(|place| place.goal);
        let Some(fewest) = goals.map(|place| place.level).min() else { return };
        for at in (0..self.boxes.len()).rev() {
            let place = &self.boxes[at];
            let ends = place.goal && place.level == fewest;
            let on_line = ends || place.options.iter().any(|option| self.boxes[*option].on_line);
            let winning = on_line && place.before.is_some();
            self.boxes[at].on_line = on_line;
            self.boxes[at].winning = winning;
        }
    }
}

/// The outcome of a position from those of its options; none where what is cut off may decide.
fn before(after: impl Iterator<Item = Option<Outcome>>) -> Option<Outcome> {
    let mut worst = Some(Outcome::Loss);
    for outcome in after {
        worst = match (outcome, worst) {
            (Some(Outcome::Loss), _) => return Some(Outcome::Win),
            (None, _) | (_, None) => None,
            (Some(Outcome::Draw), _) | (_, Some(Outcome::Draw)) => Some(Outcome::Draw),
            (Some(Outcome::Win), worst) => worst,
        };
    }
    worst
}

/// A picture while the tree is walked.
struct Growing<'a> {
    rules: &'a Rules,
    picture: Picture,
    /// The places of the boxes on the line of play.
    line: Vec<usize>,
}

impl Sink for Growing<'_> {
    fn enter(&mut self, step: &Step<'_>) -> Result<(), Broken> {
        let boxes = &mut self.picture.boxes;
        let place = boxes.len();
        if place >= BOX_LIMIT {
            return Err(Broken::Boxes);
        }
        let before = self.line.last().copied();
        if let Some(before) = before {
            boxes[before].options.push(place);
        }
        boxes.push(PositionBox {
            text: shown(self.rules, step.position),
            before,
            options: Vec::new(),
            made: step.made,
            level: self.line.len(),
            mover: step.mover,
            goal: step.goal,
            ending: step.ending,
            on_line: false,
            winning: false,
        });
        self.line.push(place);
        Ok(())
    }

    fn leave(&mut self) {
        self.line.pop();
    }
}
