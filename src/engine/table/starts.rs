//! What a table is made for: where the starts lie, how many there are, and how far is looked ahead of them.

use crate::lang::Interval;

/// Where the starts lie, and how many there are.
#[derive(Clone, Debug)]
pub struct Starts {
    /// The bounds of their coordinates, over all questions.
    pub bounds: Vec<Interval>,
    /// How many there are, or more.
    pub count: u64,
    /// Those of the questions that do not look as far as play goes, and how far these look.
    pub near: Vec<Near>,
    /// Whether some question looks as far as play goes.
    pub whole: bool,
}

/// Positions of which a question looks so many plies ahead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near {
    /// Where they lie.
    pub lie: Lie,
    /// How many plies.
    pub plies: u32,
}

/// How positions lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lie {
    /// Anywhere between bounds.
    Within(Vec<Interval>),
    /// One for each of these numbers: each coordinate is its own number and so many times that one.
    Along(Interval, Vec<(i64, i64)>),
}

impl Starts {
    /// A single start of which so many plies ahead are looked at.
    #[must_use]
    pub fn one(position: &[i64], plies: u32) -> Self {
        let bounds: Vec<Interval> = position.iter().map(|value| Interval::one(*value)).collect();
        let near = vec![Near { lie: Lie::Within(bounds.clone()), plies }];
        Self { bounds, count: 1, near, whole: false }
    }

    /// Both together.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        for near in other.near {
            match self.near.iter_mut().find(|known| known.lie == near.lie) {
                Some(known) => known.plies = known.plies.max(near.plies),
                None => self.near.push(near),
            }
        }
        Self {
            bounds: self.bounds.into_iter().zip(other.bounds).map(|(a, b)| a.hull(b)).collect(),
            count: self.count.saturating_add(other.count),
            near: self.near,
            whole: self.whole || other.whole,
        }
    }

    /// How many plies ahead those of the questions look that do not look as far as play goes; none, if all do.
    #[must_use]
    pub fn plies(&self) -> Option<u32> {
        self.near.iter().map(|near| near.plies).max()
    }
}
