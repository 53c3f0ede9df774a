//! Puzzles: the solution move by move, and why there is no shorter one.

use std::collections::HashSet;

use super::facts::named;
use super::words::count;
use super::{Fact, Place, Told, Work};
use crate::lang::tree::Quantity;
use crate::lang::{Halt, Options};
use crate::question::{Answer, Key, Puzzle};

/// How many moves of a solution are listed.
const MOVES: usize = 80;

/// How many moves are told one by one.
const TOLD: usize = 20;

impl Work<'_> {
    /// What is asked of a puzzle, and why it is so.
    pub(super) fn puzzle(&mut self, puzzle: Puzzle, place: &Place, indent: usize) -> Result<(), Halt> {
        if puzzle == Puzzle::Farthest {
            return self.farthest(place, indent);
        }
        let start = &place.position;
        let Some(moves) = self.whole.quantity(start, Quantity::Distance)? else {
            let positions = self.whole.positions(start)?;
            let text = format!(
                "There is no solution: the moves lead from {} to {} in all, the start included, and none of them is a \
                 goal.",
                self.at(start),
                super::words::counted(&positions.to_string(), "position"),
            );
            self.page.say(indent, &text);
            return Ok(());
        };
        if moves == 0 {
            self.page.say(indent, &format!("The start {} is a goal already, so no move is needed.", self.at(start)));
            return Ok(());
        }
        if puzzle == Puzzle::ShortestSolutions {
            return self.ways(place, moves, indent);
        }
        self.solution(place, moves, indent)?;
        if puzzle != Puzzle::Solvable {
            self.no_shorter(place, moves, indent)?;
        }
        Ok(())
    }

    fn solution(&mut self, place: &Place, moves: i64, indent: usize) -> Result<(), Halt> {
        if let Some(label) = self.told_before(Told::Solution(place.position.clone())) {
            self.page.say(indent, &format!("A solution stands under question {label}."));
            return Ok(());
        }
        let word = count(usize::try_from(moves).unwrap_or(usize::MAX), "move");
        self.page.say(indent, &format!("A solution in {word}, from {}:", self.at(&place.position)));
        self.picture(&place.position, indent + 2);
        let mut at = place.position.clone();
        let mut lines: Vec<(String, String)> = Vec::new();
        for left in (0..moves).rev() {
            let mut options = Options::default();
            self.whole.options(&at, &mut options)?;
            let mut next = None;
            for (made, to) in options.iter() {
                if self.whole.quantity(to, Quantity::Distance)? == Some(left) {
                    next = Some((made, to.to_vec()));
                    break;
                }
            }
            let Some((made, to)) = next else { return Ok(()) };
            if lines.len() < MOVES {
                let name = self.problem.rules.moves.get(made).map(|rule| rule.name.trim()).filter(|name| named(name));
                let step = self.problem.picture.step(&at, &to).or_else(|| name.map(str::to_owned));
                let position = if self.step(&at, &to).is_some() { String::new() } else { self.at(&to) };
                lines.push((step.unwrap_or_default(), position));
            }
            self.claim(&at, Fact::MoveTo(to.clone()));
            at = to;
        }
        let wide = lines.iter().map(|(step, _)| step.chars().count()).max().unwrap_or(0);
        let digits = moves.to_string().len();
        for (number, (step, to)) in lines.iter().enumerate() {
            let gap = if wide == 0 { "" } else { "  " };
            let line = format!("{:>digits$}.  {step:<wide$}{gap}{to}", number + 1);
            self.page.line(indent + 1, line.trim_end());
        }
        self.picture(&at, indent + 2);
        let listed = i64::try_from(lines.len()).unwrap_or(i64::MAX);
        if moves > listed {
            self.page.say(indent + 1, &format!("… and {} more; the ask `solution` has them all", moves - listed));
        }
        Ok(())
    }

    fn no_shorter(&mut self, place: &Place, moves: i64, indent: usize) -> Result<(), Halt> {
        let within = usize::try_from(moves - 1).unwrap_or(usize::MAX);
        let text = match self.rings_within(&place.position, within)? {
            Some(rings) => {
                let seen: usize = rings.iter().sum();
                format!(
                    "No solution is shorter: with fewer moves just {} can be reached, the start included, and none of \
                     them is a goal.",
                    count(seen, "position")
                )
            }
            None => format!(
                "No solution is shorter: all positions that can be reached with at most {} were looked at, more than a \
                 hundred thousand, and none of them is a goal.",
                count(within, "move")
            ),
        };
        self.page.say(indent, &text);
        Ok(())
    }

    /// How many shortest solutions begin with each move.
    fn ways(&mut self, place: &Place, moves: i64, indent: usize) -> Result<(), Halt> {
        let word = count(usize::try_from(moves).unwrap_or(usize::MAX), "move");
        let mut options = Options::default();
        self.whole.options(&place.position, &mut options)?;
        let mut parts = Vec::new();
        for (_, to) in options.iter() {
            if self.whole.quantity(to, Quantity::Distance)? == Some(moves - 1) {
                let ways = self.whole.shortest_solutions(to)?;
                parts.push(match self.step(&place.position, to) {
                    Some(step) => format!("{ways} with the first move {step}"),
                    None => format!("{ways} with the first move to {}", self.at(to)),
                });
            }
        }
        let all = self.whole.shortest_solutions(&place.position)?;
        self.page.say(indent, &format!("The goal needs {word} at least."));
        let shown = super::words::list(&parts, TOLD);
        self.page.say(indent, &format!("So many sequences of {word} reach it: {shown}; together {all}."));
        self.solution(place, moves, indent)
    }

    fn farthest(&mut self, place: &Place, indent: usize) -> Result<(), Halt> {
        let farthest = self.whole.farthest(&place.position)?;
        let positions = self.whole.positions(&place.position)?;
        let text = format!(
            "From {} the moves lead to {}, the start included. Each can be reached in at most {}, and some of them in no \
             fewer.",
            self.at(&place.position),
            super::words::counted(&positions.to_string(), "position"),
            super::words::counted(&farthest.to_string(), "move"),
        );
        self.page.say(indent, &text);
        if let Some(rings) = self.rings_within(&place.position, usize::MAX)?
            && rings.len() <= TOLD
        {
            let sizes: Vec<String> = rings.iter().map(ToString::to_string).collect();
            self.page.say(indent, &format!("New after 0, 1, 2, … moves: {}.", sizes.join(", ")));
        }
        Ok(())
    }

    /// Where the solution of a wrong key breaks off.
    pub(super) fn refute_solution(
        &mut self,
        place: &Place,
        answer: &Answer,
        wrong: Option<&Key>,
        indent: usize,
    ) -> Result<(), Halt> {
        let Answer::Solution(solution) = answer else { return Ok(()) };
        match (solution, wrong) {
            (None, Some(_)) => self.page.say(indent, "So the key's moves do not reach the goal."),
            (Some(_), Some(Key::Word(_))) => self.page.say(indent, "The key says that there is no solution."),
            (Some(_), Some(Key::States(states))) => {
                let mut at = place.position.clone();
                for (number, cells) in states.iter().enumerate() {
                    let moves = self.moves(&at)?;
                    match moves.into_iter().find(|made| self.problem.rules.state_of(&made.to) == cells) {
                        Some(made) => at = made.to,
                        None => {
                            let (from, to) = (self.at(&at), self.state(cells));
                            let text = format!("Move {} of the key, from {from} to {to}, is not allowed.", number + 1);
                            self.page.say(indent, &text);
                            return Ok(());
                        }
                    }
                }
                let text = if self.whole.is_goal(&at)? {
                    format!("The key reaches the goal in {}, which is not the least.", count(states.len(), "move"))
                } else {
                    format!("The moves of the key end at {}, which is no goal.", self.at(&at))
                };
                self.page.say(indent, &text);
            }
            (Some(_), Some(Key::Names(names))) => self.refute_names(place, names, indent)?,
            _ => {}
        }
        Ok(())
    }

    /// Follows the names of a key: each may stand for several moves.
    fn refute_names(&mut self, place: &Place, names: &[String], indent: usize) -> Result<(), Halt> {
        let mut ring: HashSet<Vec<i64>> = HashSet::from([place.position.clone()]);
        let mut options = Options::default();
        for (number, name) in names.iter().enumerate() {
            let mut next = HashSet::new();
            for position in &ring {
                // two moves may lead to one position under different names
                self.whole.options(position, &mut options)?;
                for (made, to) in options.iter() {
                    if self.problem.rules.moves.get(made).is_some_and(|rule| rule.name.trim() == name) {
                        next.insert(to.to_vec());
                    }
                }
            }
            if next.is_empty() {
                let text = format!("Move {} of the key, \"{name}\", cannot be made after those before it.", number + 1);
                self.page.say(indent, &text);
                return Ok(());
            }
            ring = next;
        }
        let mut reaches = false;
        for position in &ring {
            reaches = reaches || self.whole.is_goal(position)?;
        }
        let moves = count(names.len(), "move");
        let text = match (reaches, &ring.iter().collect::<Vec<_>>()[..]) {
            (true, _) => format!("The key reaches the goal in {moves}, which is not the least."),
            (false, [only]) => format!("The moves of the key end at {}, which is no goal.", self.at(only)),
            (false, _) => "The moves of the key do not reach the goal.".to_owned(),
        };
        self.page.say(indent, &text);
        Ok(())
    }

    /// The position as a picture, where it has a small one.
    fn picture(&mut self, position: &[i64], indent: usize) {
        const HIGH: usize = 9;
        if let Some(drawn) = self.problem.picture.draw(position)
            && drawn.lines().count() <= HIGH
        {
            drawn.lines().for_each(|line| self.page.line(indent, line));
        }
    }
}
