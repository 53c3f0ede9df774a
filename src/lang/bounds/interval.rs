//! Intervals of integers, and arithmetic on them that never says too little.

/// The integers from `low` to `high`, both among them. Numbers beyond 2^62 in size count as unbounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The least.
    pub low: i64,
    /// The greatest.
    pub high: i64,
}

/// From here on a number is unbounded.
const FAR: i64 = 1 << 62;

impl Interval {
    /// Any number.
    pub const ALL: Self = Self { low: -FAR, high: FAR };

    /// One number; from the least unbounded one on, if it counts as unbounded.
    #[must_use]
    pub const fn one(value: i64) -> Self {
        let value = if value > FAR {
            FAR
        } else if value < -FAR {
            -FAR
        } else {
            value
        };
        Self { low: value, high: value }
    }

    /// The number, if there is just one.
    #[must_use]
    pub const fn exact(self) -> Option<i64> {
        if self.low == self.high && self.is_bounded() { Some(self.low) } else { None }
    }

    /// The same, where it may count as unbounded.
    #[must_use]
    pub(super) const fn exact_or_far(self) -> Option<i64> {
        if self.low == self.high { Some(self.low) } else { None }
    }

    /// The last of these left out, all numbers before them put in.
    #[must_use]
    pub fn before(self) -> Self {
        Self { low: Self::ALL.low, high: self.minus(Self::one(1)).high }
    }

    /// The least interval over all of these; any number, if there are none.
    #[must_use]
    pub fn over(values: impl IntoIterator<Item = i64>) -> Self {
        values.into_iter().map(Self::one).reduce(Self::hull).unwrap_or(Self::ALL)
    }

    /// Whether it contains no number.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.low > self.high
    }

    /// Whether both ends are known.
    #[must_use]
    pub const fn is_bounded(self) -> bool {
        self.low > -FAR && self.high < FAR
    }

    /// Whether it contains a number.
    #[must_use]
    pub const fn contains(self, value: i64) -> bool {
        (self.low <= value || self.low <= -FAR) && (value <= self.high || self.high >= FAR)
    }

    /// The least interval that contains both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// What is in both.
    #[must_use]
    pub fn meet(self, other: Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    /// The same, but an end that has moved since `before` goes to the next of the stops, which ascend, or to infinity.
    #[must_use]
    pub fn widened(self, before: Self, stops: &[i64]) -> Self {
        let below = stops.iter().rev().find(|stop| **stop <= self.low).copied().unwrap_or(-FAR);
        let above = stops.iter().find(|stop| **stop >= self.high).copied().unwrap_or(FAR);
        Self {
            low: if self.low < before.low { below } else { self.low },
            high: if self.high > before.high { above } else { self.high },
        }
    }

    fn clamped(low: i128, high: i128) -> Self {
        let far = i128::from(FAR);
        let clamp = |value: i128| i64::try_from(value.clamp(-far, far)).unwrap_or(0);
        Self { low: clamp(low), high: clamp(high) }
    }

    fn wide(self) -> (i128, i128) {
        (i128::from(self.low), i128::from(self.high))
    }

    /// All sums.
    #[must_use]
    #[inline]
    pub fn plus(self, other: Self) -> Self {
        Self::near(self.low.saturating_add(other.low), self.high.saturating_add(other.high)).opened(self).opened(other)
    }

    /// All differences.
    #[must_use]
    #[inline]
    pub fn minus(self, other: Self) -> Self {
        let opposite = Self { low: other.high.saturating_neg(), high: other.low.saturating_neg() };
        Self::near(self.low.saturating_sub(other.high), self.high.saturating_sub(other.low))
            .opened(self)
            .opened(opposite)
    }

    /// Ends beyond what counts as bounded are drawn in.
    fn near(low: i64, high: i64) -> Self {
        Self { low: low.clamp(-FAR, FAR), high: high.clamp(-FAR, FAR) }
    }

    /// An end that is infinite in a summand is infinite in the sum.
    const fn opened(self, summand: Self) -> Self {
        Self {
            low: if summand.low <= -FAR { -FAR } else { self.low },
            high: if summand.high >= FAR { FAR } else { self.high },
        }
    }

    /// All products.
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        if self.is_short() && other.is_short() {
            let (a, b) = (self.low * other.low, self.low * other.high);
            let (c, d) = (self.high * other.low, self.high * other.high);
            return Self { low: a.min(b).min(c.min(d)), high: a.max(b).max(c.max(d)) };
        }
        let ((a, b), (c, d)) = (self.wide(), other.wide());
        let corners = [a * c, a * d, b * c, b * d];
        Self::clamped(corners.into_iter().min().unwrap_or(0), corners.into_iter().max().unwrap_or(0))
    }

    /// Whether products of its ends with others that are as near to 0 are bounded.
    const fn is_short(self) -> bool {
        const SHORT: u64 = 1 << 30;
        self.low.unsigned_abs() <= SHORT && self.high.unsigned_abs() <= SHORT
    }

    /// All quotients, rounded down, by a number greater than 0.
    #[must_use]
    pub fn divided(self, by: i64) -> Self {
        // where conditions contradict each other, the end of what is left may be anything
        let by = by.max(1);
        Self { low: self.low.div_euclid(by), high: self.high.div_euclid(by) }.opened(self)
    }

    /// The absolute values.
    #[must_use]
    pub fn abs(self) -> Self {
        if self.low >= 0 {
            self
        } else if self.high <= 0 {
            Self { low: -self.high, high: -self.low }
        } else {
            Self { low: 0, high: self.high.max(-self.low) }
        }
    }

    /// All powers with an exponent that is not negative.
    #[must_use]
    pub fn power(self, exponent: u32) -> Self {
        let (low, high) = self.wide();
        let far = i128::from(FAR);
        let end = |value: i128| {
            value.checked_pow(exponent).unwrap_or(if value < 0 && exponent % 2 == 1 { -far } else { far })
        };
        let (a, b) = (end(low), end(high));
        let least = if exponent.is_multiple_of(2) && low <= 0 && high >= 0 { 0 } else { a.min(b) };
        Self::clamped(least, a.max(b))
    }
}
