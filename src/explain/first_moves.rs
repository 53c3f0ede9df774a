//! First moves: which win, and what refutes the others.

use super::facts::{Ahead, Made, Sees};
use super::words::{list, the};
use super::{Fact, Place, Work};
use crate::lang::tree::Heaps;
use crate::lang::{Halt, Options};
use crate::question::{Answer, Key};
use crate::value::Outcome;

/// How many moves are told one by one.
const TOLD: usize = 12;

impl Work<'_> {
    /// Which first moves win, and why.
    pub(super) fn first_moves(&mut self, place: &Place, indent: usize) -> Result<(), Halt> {
        let nim = self.problem.rules.heaps == Some(Heaps::Nim);
        if nim || self.whole.outcome(&place.position)? != Outcome::Win {
            self.winner(place, false, indent)?;
            let over = self.terminal(&place.position)?;
            if nim && !over && self.whole.outcome(&place.position)? == Outcome::Win {
                self.page.say(indent, "Every other move leaves a position that the other player wins in the same way.");
            }
            return Ok(());
        }
        let (mut winning, mut others) = (Vec::new(), Vec::new());
        for made in self.moves(&place.position)? {
            let lost = self.whole.outcome(&made.to)? == Outcome::Loss;
            (if lost { &mut winning } else { &mut others }).push(made);
        }
        self.winner(place, false, indent)?;
        let mut shown = Vec::new();
        for made in winning.iter().take(TOLD) {
            self.claim(&place.position, Fact::MoveTo(made.to.clone()));
            self.claim(&made.to, Fact::Outcome(Outcome::Loss));
            let to = self.to(&place.position, made);
            let class = match self.sees(&made.to, Ahead::All)? {
                Sees::Class(_) => format!(", {}", self.class_word(&made.to, Ahead::All)?),
                _ => String::new(),
            };
            shown.push(format!("to {to}{class}"));
        }
        if winning.len() > 1 {
            let more = if winning.len() > TOLD { ", …" } else { "" };
            let text = format!("All {} winning first moves: {}{more}.", winning.len(), shown.join("; "));
            self.page.say(indent, &text);
        }
        if others.is_empty() {
            self.page.say(indent, "There is no other first move.");
            return Ok(());
        }
        self.page.say(indent, "No other first move wins:");
        for made in others.iter().take(TOLD) {
            let (to, reason) = self.refutation(place, made)?;
            self.page.line(indent + 1, &format!("to {to}: {reason}"));
        }
        if others.len() > TOLD {
            self.page.say(indent + 1, &format!("… and {} more", others.len() - TOLD));
        }
        Ok(())
    }

    /// Where a move leads, and why it does not win: the reply to it.
    pub(super) fn refutation(&mut self, place: &Place, made: &Made) -> Result<(String, String), Halt> {
        let to = self.to(&place.position, made);
        let other = the(place.mover.other());
        self.claim(&place.position, Fact::MoveTo(made.to.clone()));
        let outcome = self.whole.outcome(&made.to)?;
        let reason = if self.terminal(&made.to)? {
            match outcome {
                Outcome::Win => format!("that ends the game, and {other} has won"),
                Outcome::Draw => "that ends the game with a draw".to_owned(),
                Outcome::Loss => "that ends the game and wins".to_owned(),
            }
        } else {
            match outcome {
                Outcome::Draw => format!("then {other} can keep the draw"),
                Outcome::Loss => "that wins".to_owned(),
                Outcome::Win => match self.winning_move(&made.to, Ahead::All)? {
                    Some(reply) => {
                        let end = if self.terminal(&reply.to)? { ", the end" } else { "" };
                        format!("the reply is {}{end}", self.to(&made.to, &reply))
                    }
                    None => format!("then {other} wins"),
                },
            }
        };
        Ok((to, reason))
    }

    /// What is wrong with a key that lists winning moves.
    pub(super) fn refute_moves(
        &mut self,
        place: &Place,
        answer: &Answer,
        wrong: Option<&Key>,
        indent: usize,
    ) -> Result<(), Halt> {
        let (Answer::FirstMoves(moves) | Answer::AFirstMove(moves)) = answer else { return Ok(()) };
        let all = matches!(answer, Answer::FirstMoves(_));
        let tail =
            place.position.get(self.problem.rules.state_of(&place.position).len()..).unwrap_or_default().to_vec();
        match wrong {
            None => return Ok(()),
            Some(Key::States(states)) => {
                for cells in states {
                    if moves.iter().any(|made| made.wins && made.state == *cells) {
                        continue;
                    }
                    self.refute_state(place, cells, indent)?;
                }
                let twice =
                    states.iter().enumerate().any(|(at, cells)| states.iter().take(at).any(|other| other == cells));
                if twice && all {
                    self.page.say(indent, "The key has a position twice.");
                }
                let mut left_out: Vec<&[i64]> = Vec::new();
                for made in moves.iter().filter(|made| all && made.wins && !states.contains(&made.state)) {
                    if !left_out.contains(&made.state.as_slice()) {
                        left_out.push(&made.state);
                    }
                }
                self.left_out(place, &left_out, &tail, indent)?;
            }
            Some(Key::Names(names)) => {
                for name in names {
                    let mut named = moves.iter().filter(|made| made.name.trim() == name);
                    if let Some(bad) = named.clone().find(|made| !made.wins && !made.state.is_empty()) {
                        let state = bad.state.clone();
                        self.page.say(indent, &format!("The move \"{name}\" does not always win:"));
                        self.refute_state(place, &state, indent + 1)?;
                    } else if named.next().is_none() {
                        self.page.say(indent, &format!("The move \"{name}\" is not possible from the start."));
                    }
                }
                let mut unnamed: Vec<&[i64]> = Vec::new();
                for made in
                    moves.iter().filter(|made| all && made.wins && !names.iter().any(|name| name == made.name.trim()))
                {
                    if !unnamed.contains(&made.state.as_slice()) {
                        unnamed.push(&made.state);
                    }
                }
                self.left_out(place, &unnamed, &tail, indent)?;
            }
            Some(_) => {
                if let Some(made) = moves.iter().find(|made| made.wins) {
                    let text = format!("The key says that no move wins, and the move to {} does.", made.shown);
                    self.page.say(indent, &text);
                }
            }
        }
        Ok(())
    }

    /// A move of the key that does not win, or is none.
    fn refute_state(&mut self, place: &Place, cells: &[i64], indent: usize) -> Result<(), Halt> {
        let shown = self.state(cells);
        if self.problem.rules.heaps == Some(Heaps::Nim) {
            let heaps = self.problem.rules.state_of(&place.position);
            let changed = heaps.iter().zip(cells).filter(|(before, after)| before != after);
            let less =
                heaps.iter().zip(cells).all(|(before, after)| after <= before && (*after >= 0 || before == after));
            if heaps.len() != cells.len() || changed.count() != 1 || !less {
                self.page.say(indent, &format!("No move leads from the start to {shown}, which the key has."));
                return Ok(());
            }
            let tail = place.position.get(heaps.len()..).unwrap_or_default();
            let reply = self.whole.winning_moves(&[cells, tail].concat())?;
            let reply = reply.and_then(|reply| reply.moves.into_iter().next()).map(|(_, heaps)| self.state(&heaps));
            let reason = reply
                .map_or_else(|| "the game is over then, and it is lost".to_owned(), |to| format!("the reply is {to}"));
            self.page.say(indent, &format!("The key's move to {shown} does not win: {reason}."));
            return Ok(());
        }
        let moves = self.moves(&place.position)?;
        match moves.iter().find(|made| self.problem.rules.state_of(&made.to) == cells) {
            None => self.page.say(indent, &format!("No move leads from the start to {shown}, which the key has.")),
            Some(made) => {
                let (to, reason) = self.refutation(place, made)?;
                self.page.say(indent, &format!("The key's move to {to} does not win: {reason}."));
            }
        }
        Ok(())
    }

    /// Winning moves that the key has not.
    fn left_out(&mut self, place: &Place, states: &[&[i64]], tail: &[i64], indent: usize) -> Result<(), Halt> {
        if states.is_empty() {
            return Ok(());
        }
        let shown: Vec<String> = states.iter().map(|cells| self.state(cells)).collect();
        let text = match &shown[..] {
            [only] => format!("The move to {only} wins, and the key has not got it."),
            several => format!("The moves to {} win, and the key has not got them.", list(several, TOLD)),
        };
        self.page.say(indent, &text);
        if self.problem.rules.heaps == Some(Heaps::Nim) {
            return Ok(());
        }
        for cells in states.iter().take(3) {
            let to = [*cells, tail].concat();
            self.claim(&place.position, Fact::MoveTo(to.clone()));
            let text = format!("after the move to {}:", self.state(cells));
            self.page.say(indent + 1, &text);
            self.describe(&place.after(&to), Ahead::All, TOLD, indent + 2)?;
        }
        Ok(())
    }

    /// What is wrong with a key that names the winner or the class.
    pub(super) fn refute_winner(&mut self, place: &Place, wrong: Option<&Key>, indent: usize) -> Result<(), Halt> {
        let Some(Key::Word(key)) = wrong else { return Ok(()) };
        let verdict = self.verdict(place, Ahead::All)?;
        let over = self.whole.options(&place.position, &mut Options::default())?;
        let text = match (key.as_str(), self.whole.outcome(&place.position)?) {
            (_, Outcome::Loss) if over => {
                "So the key is wrong: the game is over before a move, and the second player has won.".to_owned()
            }
            (_, Outcome::Win) if over => {
                "So the key is wrong: the game is over before a move, and the first player has won.".to_owned()
            }
            ("first", Outcome::Loss) => {
                "So the key is wrong: whatever the first player begins with, he is beaten as told above.".to_owned()
            }
            ("second", Outcome::Win) => {
                "So the key is wrong: the second player can do nothing against the moves above.".to_owned()
            }
            (_, Outcome::Draw) => {
                "So the key is wrong: whatever one of them tries, the other keeps the draw.".to_owned()
            }
            _ => format!("So the key is wrong. {verdict}"),
        };
        self.page.say(indent, &text);
        self.sample_play("A play that shows it", place, indent)
    }
}
