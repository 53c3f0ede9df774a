//! Who wins and how: the winning first move, and an answer to everything that the loser may do.

use std::collections::{BTreeMap, HashSet, VecDeque};

use super::facts::{Ahead, Sees, small};
use super::words::{by_making, count, list, or, the, upper};
use super::{Fact, Place, Player, Told, Work};
use crate::lang::Halt;
use crate::value::{Class, Outcome};

/// How many replies are listed of a strategy that is too long to be written out.
const REPLIES: usize = 12;

/// In how many moves a strategy must win that is written out as lines of play, one inside the other.
const NESTED: usize = 4;

/// How many replies a position may have in a longer strategy that is written out.
const FLAT: usize = 8;

/// A strategy written out: for each reply of the loser the winner's answer.
#[derive(Default)]
struct Plan {
    lines: Vec<PlanLine>,
    /// The lost positions whose replies are listed already.
    told: HashSet<Vec<i64>>,
}

struct PlanLine {
    indent: usize,
    reply: String,
    answer: String,
}

impl Work<'_> {
    /// Who wins from a start, and how.
    pub(super) fn winner(&mut self, place: &Place, anew: bool, indent: usize) -> Result<(), Halt> {
        if self.by_columns(place, anew, indent)? {
            return Ok(());
        }
        self.strategy(place, anew, indent)
    }

    /// The winner's strategy from a start, unless it has been told and need not be told anew.
    pub(super) fn strategy(&mut self, place: &Place, anew: bool, indent: usize) -> Result<(), Halt> {
        match self.told_before(Told::Strategy(place.position.clone())) {
            Some(label) if !anew => {
                let verdict = self.verdict(place, Ahead::All)?;
                self.page.say(indent, &format!("{verdict} The moves stand under question {label}."));
                Ok(())
            }
            _ => self.describe(place, Ahead::All, self.room, indent),
        }
    }

    /// What a position is worth, and why.
    pub(super) fn describe(&mut self, place: &Place, ahead: Ahead, room: usize, indent: usize) -> Result<(), Halt> {
        let at = self.at(&place.position);
        let seen = self.sees(&place.position, ahead)?;
        self.claim_seen(&place.position, seen);
        let (mover, other) = (place.mover, place.mover.other());
        if self.terminal(&place.position)? {
            let over = match seen {
                seen if seen.won() => format!("{} has won", the(mover)),
                seen if seen.lost() => format!("{} has won", the(other)),
                _ => "it is a draw".to_owned(),
            };
            self.page.say(indent, &format!("At {at} the game is over, and {over}."));
            return Ok(());
        }
        match seen {
            Sees::Class(Class::Win(_)) | Sees::Won => self.describe_won(place, seen, ahead, room, indent),
            Sees::Class(Class::Loss(0)) => {
                self.page.say(indent, &format!("Every move of {} from {at} ends the game, and he loses.", the(mover)));
                Ok(())
            }
            Sees::Class(Class::Loss(_)) | Sees::Lost => {
                let (class, moves) = class_and_moves(seen);
                self.page.say(
                    indent,
                    &format!("From {at} {} loses{class}: whatever he does, {} wins{moves}:", the(mover), the(other)),
                );
                self.answers(&place.position, mover, ahead, room, indent)
            }
            Sees::Draw => self.describe_draw(place, ahead, indent),
            Sees::Beyond(moves) => {
                let moves = count(small(moves), "move");
                let text = format!("From {at} neither player can force a win by making at most {moves}.");
                self.page.say(indent, &text);
                Ok(())
            }
            Sees::Unknown => Ok(()),
        }
    }

    fn describe_won(
        &mut self,
        place: &Place,
        seen: Sees,
        ahead: Ahead,
        room: usize,
        indent: usize,
    ) -> Result<(), Halt> {
        let at = self.at(&place.position);
        let mover = place.mover;
        let Some(first) = self.winning_move(&place.position, ahead)? else { return Ok(()) };
        let to = self.to(&place.position, &first);
        if self.terminal(&first.to)? {
            let class = class_and_moves(seen).0;
            self.page.say(indent, &format!("From {at} {} wins at once{class}: he moves to {to}.", the(mover)));
            return Ok(());
        }
        let (class, moves) = class_and_moves(seen);
        let mut text = format!("From {at} {} wins{moves}{class}: he moves to {to}", the(mover));
        let after = self.sees(&first.to, ahead)?;
        self.claim_seen(&first.to, after);
        if let Sees::Class(left) = after {
            text.push_str(&format!(", which is {left}"));
        }
        if after == Sees::Class(Class::Loss(0)) {
            self.page.say(indent, &format!("{text}. Every move of {} then loses at once.", the(mover.other())));
            return Ok(());
        }
        self.page.say(indent, &format!("{text}. Whatever {} does then, he has an answer:", the(mover.other())));
        self.answers(&first.to, mover.other(), ahead, room, indent)?;
        if let Sees::Class(Class::Win(moves)) = seen
            && moves > 1
        {
            let sooner: Vec<String> = (0..moves - 1).map(|k| format!("L{k}")).collect();
            let sooner = match &sooner[..] {
                [only] => only.clone(),
                [first, .., last] if sooner.len() > 2 => format!("{first}, … or {last}"),
                several => several.join(" or "),
            };
            self.page.say(
                indent,
                &format!(
                    "He cannot be sure to win sooner: none of his moves from {at} leads to a position of {sooner}."
                ),
            );
        }
        Ok(())
    }

    /// The winner's answers from a position that is lost for `loser`, who is to move there.
    fn answers(&mut self, lost: &[i64], loser: Player, ahead: Ahead, room: usize, indent: usize) -> Result<(), Halt> {
        let Sees::Class(class) = self.sees(lost, ahead)? else { return self.first_answers(lost, loser, ahead, indent) };
        if small(class.moves()) <= NESTED {
            let mut plan = Plan::default();
            if self.plan(lost, 0, ahead, room, &mut plan)? {
                self.write(plan, indent + 1);
                return Ok(());
            }
        } else if let Some(lines) = self.flat(lost, ahead, room)? {
            for (from, answers) in lines {
                self.page.say(indent + 1, &format!("after {from}: {answers}"));
            }
            return Ok(());
        }
        self.first_answers(lost, loser, ahead, indent)?;
        self.lost_positions(lost, ahead, indent)
    }

    /// A long strategy: for each position that the winner leaves, in the order in which they come up, his answers; none
    /// where it is too long for that.
    fn flat(&mut self, lost: &[i64], ahead: Ahead, room: usize) -> Result<Option<Vec<(String, String)>>, Halt> {
        let mut known: HashSet<Vec<i64>> = HashSet::from([lost.to_vec()]);
        let mut open = VecDeque::from([lost.to_vec()]);
        let mut lines = Vec::new();
        while let Some(position) = open.pop_front() {
            let replies = self.moves(&position)?;
            if replies.is_empty() {
                continue;
            }
            if replies.len() > FLAT || lines.len() >= room {
                return Ok(None);
            }
            let mut answers = Vec::new();
            for reply in replies {
                let shown = self.at(&reply.to);
                if self.terminal(&reply.to)? {
                    answers.push(format!("{shown} loses at once"));
                    continue;
                }
                let Some(answer) = self.winning_move(&reply.to, ahead)? else { return Ok(None) };
                let end = if self.terminal(&answer.to)? { ", the end" } else { "" };
                answers.push(format!("{shown} – answer {}{end}", self.at(&answer.to)));
                if known.insert(answer.to.clone()) {
                    open.push_back(answer.to);
                }
            }
            let moves = self.sees(&position, ahead)?.moves();
            lines.push((moves, self.at(&position), answers.join("; ")));
        }
        // the longest way to go comes first
        lines.sort_by_key(|(moves, ..)| std::cmp::Reverse(*moves));
        Ok(Some(lines.into_iter().map(|(_, from, answers)| (from, answers)).collect()))
    }

    /// Writes a strategy out, as far as there is room; whether there was enough.
    fn plan(&mut self, lost: &[i64], indent: usize, ahead: Ahead, room: usize, plan: &mut Plan) -> Result<bool, Halt> {
        plan.told.insert(lost.to_vec());
        let replies = self.moves(lost)?;
        if plan.lines.len() + replies.len() > room {
            return Ok(false);
        }
        for reply in replies {
            let shown = self.to(lost, &reply);
            let line = |answer: String| PlanLine { indent, reply: shown.clone(), answer };
            if self.terminal(&reply.to)? {
                plan.lines.push(line("loses at once".to_owned()));
                continue;
            }
            let Some(answer) = self.winning_move(&reply.to, ahead)? else { return Ok(false) };
            let to = self.to(&reply.to, &answer);
            if self.terminal(&answer.to)? {
                plan.lines.push(line(format!("answer {to}, the end")));
            } else if plan.told.contains(&answer.to) {
                plan.lines.push(line(format!("answer {to}, as above")));
            } else {
                plan.lines.push(line(format!("answer {to}")));
                if !self.plan(&answer.to, indent + 1, ahead, room, plan)? {
                    return Ok(false);
                }
            }
            if plan.lines.len() > room {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn write(&mut self, plan: Plan, indent: usize) {
        // what stands at one level is aligned, unless it is long
        let mut widths: BTreeMap<usize, usize> = BTreeMap::new();
        for line in &plan.lines {
            let width = widths.entry(line.indent).or_default();
            *width = (*width).max(line.reply.chars().count());
        }
        for line in plan.lines {
            let width = widths.get(&line.indent).copied().unwrap_or(0);
            let width = if width > 40 { 0 } else { width };
            self.page.line(indent + 2 * line.indent, &format!("{:<width$}  {}", line.reply, line.answer));
        }
    }

    /// The first replies with their answers.
    fn first_answers(&mut self, lost: &[i64], loser: Player, ahead: Ahead, indent: usize) -> Result<(), Halt> {
        let replies = self.moves(lost)?;
        let mut plan = Plan::default();
        for reply in replies.iter().take(REPLIES) {
            let shown = self.to(lost, reply);
            let answer = if self.terminal(&reply.to)? {
                "loses at once".to_owned()
            } else {
                match self.winning_move(&reply.to, ahead)? {
                    None => continue,
                    Some(answer) => {
                        let to = self.to(&reply.to, &answer);
                        match self.sees(&answer.to, ahead)? {
                            _ if self.terminal(&answer.to)? => format!("answer {to}, the end"),
                            Sees::Class(_) => {
                                format!("answer {to}, {}", self.class_word(&answer.to, ahead)?)
                            }
                            _ => format!("answer {to}"),
                        }
                    }
                }
            };
            plan.lines.push(PlanLine { indent: 0, reply: shown, answer });
        }
        self.write(plan, indent + 1);
        if replies.len() > REPLIES {
            let more = count(replies.len() - REPLIES, "more move");
            self.page.say(indent + 1, &format!("… and {more} of {}, each with an answer", the(loser)));
        }
        Ok(())
    }

    /// All positions that the winner leaves when he keeps to his strategy, by their class.
    fn lost_positions(&mut self, lost: &[i64], ahead: Ahead, indent: usize) -> Result<(), Halt> {
        const MOST: usize = 400;
        const REPLIES_LOOKED_AT: usize = 20_000;
        let mut looked_at = 0;
        let mut known: HashSet<Vec<i64>> = HashSet::from([lost.to_vec()]);
        let mut open = VecDeque::from([lost.to_vec()]);
        let mut classes: BTreeMap<Class, Vec<String>> = BTreeMap::new();
        while let Some(position) = open.pop_front() {
            let Sees::Class(class) = self.sees(&position, ahead)? else { return Ok(()) };
            self.claim_seen(&position, Sees::Class(class));
            classes.entry(class).or_default().push(self.at(&position));
            if known.len() > MOST || looked_at > REPLIES_LOOKED_AT {
                return Ok(());
            }
            for reply in self.moves(&position)? {
                looked_at += 1;
                if let Some(answer) = self.winning_move(&reply.to, ahead)?
                    && known.insert(answer.to.clone())
                {
                    open.push_back(answer.to);
                }
            }
        }
        self.page.say(
            indent,
            "So it goes on. The winner always leaves one of these positions; from each of them every move leads to a \
             won position, from which there is a move to one of them again:",
        );
        for (class, positions) in classes.iter().rev() {
            self.page.say(indent + 1, &format!("{class}: {}", list(positions, 12)));
        }
        Ok(())
    }

    fn describe_draw(&mut self, place: &Place, ahead: Ahead, indent: usize) -> Result<(), Halt> {
        let at = self.at(&place.position);
        self.page.say(indent, &format!("From {at} neither player can force a win."));
        let mut open = VecDeque::from([place.position.clone()]);
        let mut known: HashSet<Vec<i64>> = HashSet::from([place.position.clone()]);
        let mut lines = Vec::new();
        let mut all = true;
        while let Some(position) = open.pop_front() {
            if lines.len() >= REPLIES {
                all = false;
                break;
            }
            let (mut drawn, mut lost) = (Vec::new(), Vec::new());
            for made in self.moves(&position)? {
                let seen = self.sees(&made.to, ahead)?;
                self.claim_seen(&made.to, seen);
                let shown = self.to(&position, &made);
                if seen.won() {
                    lost.push(shown);
                } else if seen == Sees::Draw {
                    drawn.push(shown);
                    if known.insert(made.to.clone()) {
                        open.push_back(made.to);
                    }
                }
            }
            if drawn.is_empty() {
                continue;
            }
            let long = drawn.iter().any(|shown| shown.chars().count() > 40);
            // where the two have different moves, it matters whose move it is
            let mover = self.problem.rules.turn.and_then(|turn| position.get(turn));
            let mover = mover.map_or(String::new(), |player| format!("player {player} "));
            let (from, to) = (self.at(&position), or(&drawn, if long { 1 } else { 4 }));
            let mut line = format!("{mover}from {from} to {to}");
            if !lost.is_empty() {
                let long = lost.iter().any(|shown| shown.chars().count() > 40);
                line.push_str(&format!(" (a move to {} would lose)", or(&lost, if long { 1 } else { 4 })));
            }
            lines.push(line);
        }
        self.page.say(
            indent,
            "No move leaves a position that is lost for the one who then moves, and each player always has a move that \
             keeps the draw:",
        );
        for line in lines {
            self.page.line(indent + 1, &line);
        }
        if !all {
            self.page.say(indent + 1, "… and so on");
        }
        Ok(())
    }

    /// What the first words of an answer say: who wins and how fast.
    pub(super) fn verdict(&mut self, place: &Place, ahead: Ahead) -> Result<String, Halt> {
        let seen = self.sees(&place.position, ahead)?;
        self.claim_seen(&place.position, seen);
        if self.terminal(&place.position)? {
            return Ok("The game is over at the start.".to_owned());
        }
        let winner = if seen.won() {
            place.mover
        } else if seen.lost() {
            place.mover.other()
        } else {
            self.claim(&place.position, Fact::Outcome(Outcome::Draw));
            return Ok("Neither player can force a win.".to_owned());
        };
        let (class, moves) = class_and_moves(seen);
        Ok(format!("{} wins{moves}{class}.", upper(winner)))
    }
}

/// ` (W2)` and ` by making at most 2 moves`, where they are known.
fn class_and_moves(seen: Sees) -> (String, String) {
    match seen {
        Sees::Class(class) => (format!(" ({class})"), by_making(class)),
        _ => (String::new(), String::new()),
    }
}
