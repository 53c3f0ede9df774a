//! The moves, gone through with what is known where they are made and of what they lead to.

use super::super::tree::{Clause, Move, Rules};
use super::Interval;
use super::Steps;
use super::loops::INSTANCES;
use super::narrow::Known;

/// Goes through the moves, with room that is used again and again.
pub(super) struct Tour<'r> {
    rules: &'r Rules,
    /// What is known of positions where moves are made.
    begun: Known<'r>,
    /// What is known where a move is made, before its loops and inside.
    before: Known<'r>,
    here: Known<'r>,
    /// What is known of where it leads.
    there: Known<'r>,
}

impl Steps for Tour<'_> {
    fn keep_going(&mut self, bounds: &mut Vec<Interval>) -> bool {
        let Some(end) = &self.rules.end else { return true };
        std::mem::swap(&mut self.there.coordinates, bounds);
        self.there.begin();
        self.there.hold_twice(end, false);
        std::mem::swap(&mut self.there.coordinates, bounds);
        self.there.possible
    }

    fn step(&mut self, within: &[Interval], reached: &mut Vec<Interval>) {
        self.begin(within);
        reached.clear();
        for made in &self.rules.moves {
            self.each_going_on(made, &mut |_, there| {
                if reached.is_empty() {
                    reached.extend_from_slice(there);
                } else {
                    for (bounds, more) in reached.iter_mut().zip(there) {
                        *bounds = bounds.hull(*more);
                    }
                }
            });
        }
    }
}

impl<'r> Tour<'r> {
    pub(super) fn new(rules: &'r Rules) -> Self {
        let [begun, before, here, there] = [(); 4].map(|()| Known::new(Vec::new(), rules.slots.values));
        Self { rules, begun, before, here, there }
    }

    /// Turns to positions within bounds that are not over.
    pub(super) fn begin(&mut self, within: &[Interval]) {
        self.begun.coordinates.clear();
        self.begun.coordinates.extend_from_slice(within);
        self.begun.begin();
        if let Some(end) = &self.rules.end {
            self.begun.hold(end, false);
        }
    }

    /// What is known of positions within those bounds that are not over.
    pub(super) const fn begun(&self) -> &Known<'r> {
        &self.begun
    }

    /// What is known where a move is made, and the bounds of what it leads to, apart from positions that are over.
    pub(super) fn each_going_on(&mut self, made: &'r Move, found: &mut dyn FnMut(&Known<'r>, &[Interval])) {
        let rules = self.rules;
        self.each(made, &mut |here, there, told| {
            if told {
                there.begin();
                if let Some(legal) = &rules.legal {
                    there.hold(legal, true);
                }
                if let Some(end) = &rules.end {
                    there.hold_twice(end, false);
                }
            }
            if !told || there.possible {
                found(here, &there.coordinates);
            }
        });
    }

    /// For each choice of its loop variables, or for all together: what is known where a move is made, where it leads,
    /// and whether that can be told at all.
    pub(super) fn each(&mut self, made: &'r Move, found: &mut dyn FnMut(&Known<'r>, &mut Known<'r>, bool)) {
        let Self { rules, begun, before, here, there } = self;
        let mut end = |here: &mut Known<'r>| {
            here.hold_guards(made);
            if here.possible {
                let told = here.after(rules, made, &mut there.coordinates);
                if !told {
                    there.coordinates.clear();
                    there.coordinates.resize(begun.coordinates.len(), Interval::ALL);
                }
                found(here, there, told);
            }
        };
        let is_loop = |clause: &Clause| matches!(clause, Clause::For { .. });
        let Some(first) = made.clauses.iter().position(is_loop) else {
            here.clone_from(begun);
            made.clauses.iter().for_each(|clause| here.clause(clause));
            return end(here);
        };
        let (guards, rest) = made.clauses.split_at(first);
        if rest.iter().filter(|clause| is_loop(clause)).count() > 1 {
            instances_of(made, begun).iter_mut().for_each(end);
            return;
        }
        before.clone_from(begun);
        guards.iter().for_each(|clause| before.clause(clause));
        let Some((binding, choices)) = before.choices(&rest[0]) else {
            rest.iter().for_each(|clause| before.clause(clause));
            return end(before);
        };
        for number in 0..choices.len() {
            here.clone_from(before);
            here.choose(binding, choices, number);
            rest[1..].iter().for_each(|clause| here.clause(clause));
            end(here);
        }
    }
}

/// What is known where a move is made, for each choice of its loop variables or for all together.
pub(super) fn instances<'r>(rules: &'r Rules, made: &'r Move, within: &[Interval]) -> Vec<Known<'r>> {
    let mut tour = Tour::new(rules);
    tour.begin(within);
    let mut instances = instances_of(made, &tour.begun);
    for here in &mut instances {
        here.hold_guards(made);
    }
    instances.retain(|here| here.possible);
    instances
}

/// The same, where it is known already of what holds before the move; guards are to be held once more.
fn instances_of<'r>(made: &'r Move, begun: &Known<'r>) -> Vec<Known<'r>> {
    let mut instances = vec![begun.clone()];
    for clause in &made.clauses {
        instances = instances.into_iter().flat_map(|known| known.chosen(clause)).collect();
        if instances.len() > INSTANCES {
            // too many to be told apart
            let mut joined = begun.clone();
            made.clauses.iter().for_each(|clause| joined.clause(clause));
            return vec![joined];
        }
    }
    instances
}
