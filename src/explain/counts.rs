//! Numbers about a start: what was counted, and what they add up from.

use std::collections::HashSet;

use super::facts::Ahead;
use super::words::{count, counted};
use super::{Fact, Place, Work};
use crate::lang::tree::Quantity;
use crate::lang::{Halt, Options, Takes};
use crate::question::{About, Answer};
use crate::value::Outcome;

/// How many moves are told one by one.
const TOLD: usize = 20;

/// How many positions of a play are shown.
const PLAY: usize = 24;

impl Work<'_> {
    /// A number about the start.
    pub(super) fn number(&mut self, about: About, place: &Place, answer: &Answer, indent: usize) -> Result<(), Halt> {
        match about {
            About::Winner | About::Class => self.strategy(place, false, indent),
            About::Remoteness => self.remoteness(place, indent),
            About::Grundy => self.grundy(place, indent),
            About::Moves => self.first_options(place, answer, indent),
            About::Plays | About::PlaysWonByFirst | About::PlaysWonBySecond => self.plays(about, place, answer, indent),
            About::ShortestPlay | About::LongestPlay => self.length(about, place, answer, indent),
            About::Positions => {
                let text = format!(
                    "{} can be reached from {}, the start and the positions where play ends included.",
                    counted(&super::words::plain(answer), "position"),
                    self.at(&place.position)
                );
                self.page.say(indent, &text);
                self.rings(place, indent)
            }
        }
    }

    fn remoteness(&mut self, place: &Place, indent: usize) -> Result<(), Halt> {
        let verdict = self.verdict(place, Ahead::All)?;
        match self.whole.quantity(&place.position, Quantity::Remoteness)? {
            None => {
                self.page.say(indent, "A draw has no remoteness.");
                self.describe(place, Ahead::All, TOLD, indent)
            }
            Some(0) => {
                self.page.say(indent, &verdict);
                Ok(())
            }
            Some(plies) => {
                let plies = count(usize::try_from(plies).unwrap_or(usize::MAX), "move");
                let text = format!(
                    "{verdict} If the winner hurries and the loser holds out as long as he can, the play lasts \
                     {plies}, both players' moves counted."
                );
                self.page.say(indent, &text);
                self.sample_play("Such a play", place, indent)
            }
        }
    }

    /// A play in which the winner hurries and the loser holds out.
    pub(super) fn sample_play(&mut self, title: &str, place: &Place, indent: usize) -> Result<(), Halt> {
        if self.question.sum && self.near_fails {
            return Ok(());
        }
        let mut at = place.position.clone();
        let mut shown = vec![self.at(&at)];
        while let Some(plies) = self.whole.quantity(&at, Quantity::Remoteness)? {
            let mut next = None;
            if plies > 0 {
                let won = self.whole.outcome(&at)? == Outcome::Win;
                for made in self.moves(&at)? {
                    let fits = self.whole.quantity(&made.to, Quantity::Remoteness)? == Some(plies - 1)
                        && (self.whole.outcome(&made.to)? == Outcome::Loss) == won;
                    if fits {
                        next = Some(made.to);
                        break;
                    }
                }
            }
            let Some(next) = next else { break };
            self.claim(&at, Fact::MoveTo(next.clone()));
            at = next;
            shown.push(self.at(&at));
            if shown.len() > PLAY {
                shown.push("…".to_owned());
                break;
            }
        }
        if shown.len() > 1 {
            self.page.say(indent, &format!("{title}: {}.", shown.join(" → ")));
        }
        Ok(())
    }

    fn grundy(&mut self, place: &Place, indent: usize) -> Result<(), Halt> {
        match self.whole.quantity(&place.position, Quantity::Grundy)? {
            None => {
                let text = "Play need not end, so the position has no Grundy value.";
                self.page.say(indent, text);
                Ok(())
            }
            Some(_) if self.question.sum && self.nim_sum(place, indent)? => Ok(()),
            Some(value) => self.mex(&place.position, value, indent),
        }
    }

    fn first_options(&mut self, place: &Place, answer: &Answer, indent: usize) -> Result<(), Halt> {
        let at = self.at(&place.position);
        let moves = counted(&super::words::plain(answer), "legal move");
        let mut options = Options::default();
        let listed = self.whole.options(&place.position, &mut options).is_ok();
        let entries: Vec<String> = options.iter().take(TOLD).map(|(_, to)| self.at(to)).collect();
        let steps = options.iter().take(TOLD).map(|(_, to)| self.step(&place.position, to));
        let steps: Option<Vec<String>> = steps.collect();
        if let Some(steps) = steps.filter(|steps| !steps.is_empty()) {
            let are = if steps.len() == 1 { "is" } else { "are" };
            let more = if options.len() > TOLD { ", …" } else { "" };
            self.page.say(indent, &format!("From {at} there {are} {moves}: {}{more}.", steps.join(", ")));
            return Ok(());
        }
        let text = match entries.len() {
            0 if !listed => format!("From {at} there are {moves}, the counters of all heaps together."),
            0 => format!("At {at} the game is over, so there is no move."),
            1 => format!("From {at} there is {moves}, to {}.", entries.concat()),
            _ if options.len() > TOLD => format!("From {at} there are {moves}, to {}, ….", entries.join(", ")),
            _ => format!("From {at} there are {moves}, to {}.", entries.join(", ")),
        };
        self.page.say(indent, &text.replace("is 1 legal moves", "is 1 legal move"));
        Ok(())
    }

    /// The plays after each first move add up to all.
    fn plays(&mut self, about: About, place: &Place, answer: &Answer, indent: usize) -> Result<(), Halt> {
        if self.whole.plays(&place.position)?.is_none() {
            let text = format!(
                "From {} play need not end: some moves can be repeated for ever, so there is no end to the plays.",
                self.at(&place.position)
            );
            self.page.say(indent, &text);
            return Ok(());
        }
        let moves = self.moves_with_repeats(&place.position)?;
        if moves.is_empty() {
            self.page.say(indent, "There is no move, which is one complete play, already over.");
            return Ok(());
        }
        let mut parts = Vec::new();
        for to in moves.iter().take(TOLD) {
            let Some(plays) = self.whole.plays(to)? else { return Ok(()) };
            let number = match about {
                About::PlaysWonByFirst => plays.lost,
                About::PlaysWonBySecond => plays.won,
                _ => plays.total,
            };
            let after = self.step(&place.position, to).unwrap_or_else(|| self.at(to));
            parts.push(format!("{number} after {after}"));
        }
        let more = if moves.len() > TOLD {
            format!(" and the plays after {} more moves", moves.len() - TOLD)
        } else {
            String::new()
        };
        let which = match about {
            About::PlaysWonByFirst => " that the first player wins",
            About::PlaysWonBySecond => " that the second player wins",
            _ => "",
        };
        let total = super::words::plain(answer);
        let text =
            format!("The complete plays{which}, by the first move: {}{more}; together {total}.", parts.join(", "));
        self.page.say(indent, &text);
        Ok(())
    }

    fn moves_with_repeats(&mut self, position: &[i64]) -> Result<Vec<Vec<i64>>, Halt> {
        let mut options = Options::default();
        self.whole.options(position, &mut options)?;
        Ok(options.iter().map(|(_, to)| to.to_vec()).collect())
    }

    fn length(&mut self, about: About, place: &Place, answer: &Answer, indent: usize) -> Result<(), Halt> {
        let shortest = about == About::ShortestPlay;
        let word = if shortest { "shortest" } else { "longest" };
        let mut at = place.position.clone();
        let mut shown = vec![self.at(&at)];
        let Some(mut left) = self.play_length(shortest, &at)? else {
            let text = if shortest {
                "No play comes to an end."
            } else {
                "Play need not end: some moves can be repeated for ever."
            };
            self.page.say(indent, text);
            return Ok(());
        };
        while left > 0 && shown.len() <= PLAY {
            let mut next = None;
            for made in self.moves(&at)? {
                if self.play_length(shortest, &made.to)? == Some(left - 1) {
                    next = Some(made.to);
                    break;
                }
            }
            let Some(next) = next else { return Ok(()) };
            self.claim(&at, Fact::MoveTo(next.clone()));
            shown.push(self.step(&at, &next).unwrap_or_else(|| self.at(&next)));
            at = next;
            left -= 1;
        }
        if left > 0 {
            shown.push("…".to_owned());
        }
        let moves = counted(&super::words::plain(answer), "move");
        self.page.say(indent, &format!("A {word} play has {moves}: {}.", shown.join(" → ")));
        Ok(())
    }

    fn play_length(&mut self, shortest: bool, position: &[i64]) -> Result<Option<u32>, Halt> {
        if shortest { self.whole.shortest_play(position) } else { self.whole.longest_play(position) }
    }

    /// How many new positions each further move reaches, where they are few.
    fn rings(&mut self, place: &Place, indent: usize) -> Result<(), Halt> {
        const MOST_RINGS: usize = 24;
        let Some(rings) = self.rings_within(&place.position, usize::MAX)? else { return Ok(()) };
        let mut sizes: Vec<String> = rings.iter().map(ToString::to_string).collect();
        if sizes.len() > MOST_RINGS {
            sizes.truncate(MOST_RINGS);
            sizes.push("…".to_owned());
        }
        self.page.say(indent, &format!("New after 0, 1, 2, … moves: {}.", sizes.join(", ")));
        Ok(())
    }

    /// How many positions are reached first after 0, 1, 2, … moves, up to so many moves; none where they are too many.
    pub(super) fn rings_within(&mut self, start: &[i64], most: usize) -> Result<Option<Vec<usize>>, Halt> {
        const POSITIONS: usize = 100_000;
        let mut known: HashSet<Vec<i64>> = HashSet::from([start.to_vec()]);
        let mut ring = vec![start.to_vec()];
        let mut sizes = Vec::new();
        let mut options = Options::default();
        while !ring.is_empty() && sizes.len() <= most {
            sizes.push(ring.len());
            let mut next = Vec::new();
            for position in &ring {
                self.whole.options(position, &mut options)?;
                for (_, to) in options.iter() {
                    if !known.contains(to) {
                        known.insert(to.to_vec());
                        next.push(to.to_vec());
                    }
                }
                if known.len() > POSITIONS {
                    return Ok(None);
                }
            }
            ring = next;
        }
        Ok(Some(sizes))
    }

    /// The period of a sequence of Grundy values.
    pub(super) fn period(&mut self, takes: Takes, place: &Place, answer: &Answer, indent: usize) -> Result<(), Halt> {
        const SHOWN: i64 = 40;
        let last = place.position.first().copied().unwrap_or(0);
        let mut values = Vec::new();
        for heap in 0..=last.min(SHOWN) {
            match self.whole.quantity(&[heap], Quantity::Grundy)? {
                Some(value) => values.push(value.to_string()),
                None => return Ok(()),
            }
        }
        let values = values.join(", ");
        let more = if last > SHOWN { ", …" } else { "" };
        self.page.say(indent, &format!("The Grundy values of the heaps 0, 1, 2, …: {values}{more}"));
        let Answer::List(pair) = answer else {
            let text = format!("Up to the heap of {last} no period shows that could be proved.");
            self.page.say(indent, &text);
            return Ok(());
        };
        let [before, period] = &pair[..] else { return Ok(()) };
        let most = takes.most;
        let window = if takes.splits {
            format!(
                "up to 2·n0 + p + {most}, where n0 is the pre-period (and not below {}), p the period",
                takes.settled
            )
        } else {
            format!("for {most} heaps running from the pre-period on (and from {} on)", takes.settled)
        };
        let text = format!(
            "From the heap of {before} on, each value is the same as that {period} heaps further. A move takes at most \
             {most}, so it is enough to see this {window}: then it goes on for ever. All these heaps were looked at, up to \
             {last}."
        );
        self.page.say(indent, &text);
        Ok(())
    }
}
