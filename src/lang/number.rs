//! Checked arithmetic on 64-bit integers: each operation of the rule language, or why it has no value.
//!
//! `//` and `%` are those of Python: the quotient rounds down and the remainder takes the sign of the divisor.

use std::fmt;

/// Why a rule has no value at some position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The result needs more than 64 bits.
    Overflow(&'static str, i64, i64),
    /// A division or remainder by zero.
    DivisionByZero(&'static str, i64),
    /// `/` leaves a remainder.
    Inexact(i64, i64),
    /// A power with a negative exponent.
    NegativeExponent(i64, i64),
    /// An index outside a list of this length.
    OutsideList(i64, usize),
    /// `min` or `max` of nothing.
    OfNothing(&'static str),
    /// The square root of a negative number.
    RootOfNegative(i64),
    /// A list of negative length.
    NegativeLength(i64),
    /// Lists of different lengths compared.
    LengthsDiffer(usize, usize),
    /// An array takes another number of values than it has cells.
    ArrayLength {
        /// How many cells the array has.
        cells: usize,
        /// How many values there were.
        values: usize,
    },
    /// A row has another number of entries than the loop has variables.
    RowLength {
        /// How many loop variables there are.
        names: usize,
        /// How many entries the row has.
        entries: usize,
    },
    /// One cell assigned twice in a move: its index, and the offset of its array.
    CellTwice(i64, usize),
    /// A loop, list or range longer than the stated limit.
    TooLong(u64),
    /// More moves at one position than the stated limit.
    TooManyMoves(usize),
}

/// The longest range and list, and the most loop steps that one evaluation may take.
pub const STEP_LIMIT: u64 = 20_000_000;

/// The most values that the range of a parameter may have.
pub const GIVEN_LIMIT: u64 = 10_000_000_000;

/// The most moves that one position may have.
pub const MOVE_LIMIT: usize = 1_000_000;

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Overflow("abs", a, _) => write!(f, "overflow: the absolute value of {a} needs more than 64 bits"),
            Self::Overflow("-", a, 0) => write!(f, "overflow: the negative of {a} needs more than 64 bits"),
            Self::Overflow("sum" | "product" | "gcd", _, _) => {
                write!(f, "overflow: the result needs more than 64 bits")
            }
            Self::Overflow(operator, a, b) => write!(f, "overflow: {a} {operator} {b} needs more than 64 bits"),
            Self::DivisionByZero(operator, a) => write!(f, "division by zero: {a} {operator} 0"),
            Self::Inexact(a, b) => write!(f, "{a} / {b} leaves a remainder, and `/` must divide exactly"),
            Self::NegativeExponent(a, b) => write!(f, "negative exponent: {a} ** {b}"),
            Self::OutsideList(index, 0) => write!(f, "index {index} is outside the list, which is empty"),
            Self::OutsideList(index, len) => {
                write!(f, "index {index} is outside the list, which has the indices 0 to {}", len - 1)
            }
            Self::OfNothing(name) => write!(f, "{name} of nothing"),
            Self::RootOfNegative(a) => write!(f, "isqrt of a negative number: {a}"),
            Self::NegativeLength(a) => write!(f, "a list of negative length: {a}"),
            Self::LengthsDiffer(a, b) => write!(f, "lists of different lengths compared: {a} and {b}"),
            Self::ArrayLength { cells, values } => {
                write!(f, "an array of the wrong length: it has {cells} cells and is given {values} values")
            }
            Self::RowLength { names, entries } => {
                write!(f, "a row of {entries} entries for {names} loop variables")
            }
            Self::CellTwice(index, _) => write!(f, "cell {index} is assigned twice in one move"),
            Self::TooLong(limit) => write!(f, "a range, list or loop of more than {limit} steps"),
            Self::TooManyMoves(limit) => write!(f, "more than {limit} moves at one position"),
        }
    }
}

impl Fault {
    /// What would avoid it, if there is something to say.
    #[must_use]
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Inexact(_, b) => {
                Some(format!("use `//` to round down, `ceildiv` to round up, or a guard such as `if … % {b} == 0`"))
            }
            Self::OutsideList(..) => Some("indices begin with 0; a guard can leave the move out".to_owned()),
            _ => None,
        }
    }
}

type Checked = Result<i64, Fault>;

/// `a + b`.
#[inline]
pub fn add(a: i64, b: i64) -> Checked {
    a.checked_add(b).ok_or(Fault::Overflow("+", a, b))
}

/// `a - b`.
#[inline]
pub fn sub(a: i64, b: i64) -> Checked {
    a.checked_sub(b).ok_or(Fault::Overflow("-", a, b))
}

/// `a * b`.
#[inline]
pub fn mul(a: i64, b: i64) -> Checked {
    a.checked_mul(b).ok_or(Fault::Overflow("*", a, b))
}

/// `-a`.
#[inline]
pub fn neg(a: i64) -> Checked {
    a.checked_neg().ok_or(Fault::Overflow("-", a, 0))
}

/// `a // b`, rounded down.
#[inline]
pub fn floor_div(a: i64, b: i64) -> Checked {
    if b == 0 {
        return Err(Fault::DivisionByZero("//", a));
    }
    let quotient = a.checked_div(b).ok_or(Fault::Overflow("//", a, b))?;
    Ok(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

/// `a % b`, with the sign of `b`.
#[inline]
pub fn floor_mod(a: i64, b: i64) -> Checked {
    if b == 0 {
        return Err(Fault::DivisionByZero("%", a));
    }
    let rest = a.wrapping_rem(b);
    Ok(if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest })
}

/// `ceildiv(a, b)`, rounded up.
#[inline]
pub fn ceil_div(a: i64, b: i64) -> Checked {
    if b == 0 {
        return Err(Fault::DivisionByZero("ceildiv", a));
    }
    let quotient = a.checked_div(b).ok_or(Fault::Overflow("ceildiv", a, b))?;
    Ok(if a % b != 0 && (a < 0) == (b < 0) { quotient + 1 } else { quotient })
}

/// `a / b`, which must leave no remainder.
#[inline]
pub fn exact_div(a: i64, b: i64) -> Checked {
    if b == 0 {
        return Err(Fault::DivisionByZero("/", a));
    }
    if a.wrapping_rem(b) != 0 {
        return Err(Fault::Inexact(a, b));
    }
    a.checked_div(b).ok_or(Fault::Overflow("/", a, b))
}

/// `a ** b`; `0 ** 0` is 1.
pub fn pow(a: i64, b: i64) -> Checked {
    if b < 0 {
        return Err(Fault::NegativeExponent(a, b));
    }
    match a {
        1 => return Ok(1),
        0 => return Ok(i64::from(b == 0)),
        -1 => return Ok(if b % 2 == 0 { 1 } else { -1 }),
        _ => {}
    }
    u32::try_from(b).ok().and_then(|b| a.checked_pow(b)).ok_or(Fault::Overflow("**", a, b))
}

/// `abs(a)`.
#[inline]
pub fn abs(a: i64) -> Checked {
    a.checked_abs().ok_or(Fault::Overflow("abs", a, 0))
}

/// `isqrt(a)`, the square root rounded down.
pub fn isqrt(a: i64) -> Checked {
    a.checked_isqrt().ok_or(Fault::RootOfNegative(a))
}

/// `gcd(a, b, …)`, never negative; that of zeros is 0.
pub fn gcd(values: &[i64]) -> Checked {
    let divisor = values.iter().fold(0, |a, b| common_divisor(a, b.unsigned_abs()));
    i64::try_from(divisor).map_err(|_| Fault::Overflow("gcd", 0, 0))
}

/// The greatest common divisor of two, which may need one bit more than the numbers of the language have.
#[must_use]
pub fn common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// `is_prime(a)`, for every 64-bit number.
///
/// The Miller–Rabin test with the first twelve primes as bases decides all numbers below 3.3 · 10^24:
/// J. Sorenson, J. Webster, "Strong pseudoprimes to twelve prime bases", 2017.
#[must_use]
pub fn is_prime(a: i64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    let Ok(n) = u64::try_from(a) else { return false };
    if n < 2 {
        return false;
    }
    for p in BASES {
        if n.is_multiple_of(p) {
            return n == p;
        }
    }
    let wide = u128::from(n);
    let power = |base: u64, mut exponent: u64| {
        let (mut result, mut square) = (1_u128, u128::from(base));
        while exponent > 0 {
            if exponent % 2 == 1 {
                result = result * square % wide;
            }
            square = square * square % wide;
            exponent /= 2;
        }
        result
    };
    let twos = (n - 1).trailing_zeros();
    let odd = (n - 1) >> twos;
    BASES.iter().all(|base| {
        let mut x = power(*base, odd);
        if x == 1 || x == wide - 1 {
            return true;
        }
        (1..twos).any(|_| {
            x = x * x % wide;
            x == wide - 1
        })
    })
}
