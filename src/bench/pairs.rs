//! Contestants that run in turns, and what is made of their times: paired ratios with their spread.

use std::fmt;
use std::time::{Duration, Instant};

/// A run of something shorter is repeated until it takes as long, and the mean is taken.
const LEAST: Duration = Duration::from_millis(2);

/// Something that is timed.
pub struct Contestant<'a> {
    name: String,
    /// Runs so many times and says how long that took in all.
    run: Box<dyn FnMut(u32) -> Duration + 'a>,
}

impl<'a> Contestant<'a> {
    /// Times what `work` does.
    pub fn new(name: impl Into<String>, mut work: impl FnMut() + 'a) -> Self {
        let run = move |times| {
            let begin = Instant::now();
            (0..times).for_each(|_| work());
            begin.elapsed()
        };
        Self { name: name.into(), run: Box::new(run) }
    }

    /// Something that times a part of itself.
    pub fn timed(name: impl Into<String>, mut once: impl FnMut() -> Duration + 'a) -> Self {
        Self { name: name.into(), run: Box::new(move |times| (0..times).map(|_| once()).sum()) }
    }
}

impl fmt::Debug for Contestant<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Contestant").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The times of a contestant, in order of rounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Timed {
    /// Its name.
    pub name: String,
    /// Seconds for one run, one entry a round.
    pub seconds: Vec<f64>,
}

impl Timed {
    /// The median time in seconds.
    #[must_use]
    pub fn median(&self) -> f64 {
        Spread::of(self.seconds.clone()).median
    }

    /// Its time divided by that of another in the same round.
    #[must_use]
    pub fn ratio_to(&self, other: &Self) -> Spread {
        Spread::of(self.seconds.iter().zip(&other.seconds).map(|(own, other)| own / other).collect())
    }
}

/// Lets every contestant run once in each round, after one run each that warms up and is not counted. Each round
/// begins with another of them. `heard` is told of every round that is done.
pub fn interleave(contestants: &mut [Contestant<'_>], rounds: usize, mut heard: impl FnMut(usize)) -> Vec<Timed> {
    let mut timed: Vec<Timed> =
        contestants.iter().map(|one| Timed { name: one.name.clone(), seconds: Vec::new() }).collect();
    let repeats: Vec<u32> = contestants.iter_mut().map(|one| repeats((one.run)(1))).collect();
    for round in 0..rounds {
        for turn in 0..contestants.len() {
            let place = (round + turn) % contestants.len();
            let (times, one) = (repeats[place], &mut contestants[place]);
            timed[place].seconds.push((one.run)(times).as_secs_f64() / f64::from(times));
        }
        heard(round + 1);
    }
    timed
}

fn repeats(once: Duration) -> u32 {
    let times = LEAST.as_nanos() / once.as_nanos().max(1);
    u32::try_from(times).unwrap_or(u32::MAX).clamp(1, 1_000_000)
}

/// The median of some figures, and the quartiles round it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// A quarter of the figures are below.
    pub low: f64,
    /// Half of them are below.
    pub median: f64,
    /// A quarter of them are above.
    pub high: f64,
}

impl Spread {
    /// The spread of some figures; not a number where there are none.
    #[must_use]
    pub fn of(mut figures: Vec<f64>) -> Self {
        figures.sort_by(f64::total_cmp);
        let at = |quarter: usize| quantile(&figures, quarter);
        Self { low: at(1), median: at(2), high: at(3) }
    }

    /// Whether the two cannot be told apart: the middle halves of their figures overlap.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.low <= other.high && other.low <= self.high
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} to {})", figure(self.median), figure(self.low), figure(self.high))
    }
}

/// The quartile of sorted figures, between two of them where it falls there.
fn quantile(sorted: &[f64], quarter: usize) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let (place, rest) = (last * quarter / 4, last * quarter % 4);
    let low = sorted[place];
    let high = sorted[(place + 1).min(last)];
    let share = [0.0, 0.25, 0.5, 0.75][rest];
    low + (high - low) * share
}

/// The geometric mean; none of nothing.
#[must_use]
pub fn geometric_mean(figures: &[f64]) -> Option<f64> {
    let count = u32::try_from(figures.len()).ok().filter(|count| *count > 0)?;
    Some((figures.iter().map(|figure| figure.ln()).sum::<f64>() / f64::from(count)).exp())
}

/// A figure, not below zero, with three digits that count, or all of those before the point.
#[must_use]
pub fn figure(value: f64) -> String {
    match value {
        value if !value.is_finite() => "-".to_owned(),
        0.0 => "0".to_owned(),
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value if value >= 1.0 => format!("{value:.2}"),
        value => format!("{value:.3}"),
    }
}

/// A time in the unit that suits it.
#[must_use]
pub fn shown_seconds(seconds: f64) -> String {
    match seconds {
        seconds if seconds >= 1.0 => format!("{} s", figure(seconds)),
        seconds if seconds >= 1e-3 => format!("{} ms", figure(seconds * 1e3)),
        seconds if seconds >= 1e-6 => format!("{} µs", figure(seconds * 1e6)),
        seconds => format!("{} ns", figure(seconds * 1e9)),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::time::Duration;

    use super::{Contestant, Spread, figure, geometric_mean, interleave};

    #[test]
    fn contestants_take_turns() {
        let order = RefCell::new(String::new());
        let one = |name: char| {
            let order = &order;
            Contestant::timed(name, move || {
                order.borrow_mut().push(name);
                Duration::from_secs(if name == 'b' { 6 } else { 3 })
            })
        };
        let timed = interleave(&mut [one('a'), one('b'), one('c')], 3, |_| order.borrow_mut().push(' '));
        assert_eq!(order.into_inner(), "abcabc bca cab ");
        assert_eq!(timed[1].ratio_to(&timed[0]), Spread { low: 2.0, median: 2.0, high: 2.0 });
        assert_eq!(timed[1].median(), 6.0);
    }

    #[test]
    fn quartiles_fall_between_figures() {
        let spread = Spread::of(vec![4.0, 1.0, 3.0, 2.0]);
        assert_eq!(spread, Spread { low: 1.75, median: 2.5, high: 3.25 });
        assert_eq!(spread.to_string(), "2.50 (1.75 to 3.25)");
        assert!(Spread::of(Vec::new()).median.is_nan());
        assert!(spread.overlaps(&Spread { low: 3.2, median: 4.0, high: 5.0 }));
        assert!(!spread.overlaps(&Spread { low: 3.3, median: 4.0, high: 5.0 }));
    }

    #[test]
    fn means_and_figures() {
        assert_eq!(geometric_mean(&[2.0, 8.0]).map(figure), Some("4.00".to_owned()));
        assert_eq!(geometric_mean(&[]), None);
        assert_eq!([0.0123, 9.876, 12.34, 5678.9].map(figure), ["0.012", "9.88", "12.3", "5679"]);
    }
}
