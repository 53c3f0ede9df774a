//! The arithmetic of the rule language against its definitions, worked out in 128 bits: on all pairs of small numbers and
//! of numbers at the ends of what 64 bits hold, and on seeded ones of every length. Primes are held against a sieve, and
//! large ones against what is published.

use gameproof::lang::number::{self, Fault};
use gameproof::value::Class;

const PAIRS: usize = 200_000;

/// A number of any length, of either sign.
fn any(random: &mut fastrand::Rng) -> i64 {
    random.i64(..) >> random.u32(0..64)
}

fn pairs() -> Vec<(i64, i64)> {
    let mut ends: Vec<i64> = (-40..=40).collect();
    for power in [31, 32, 61, 62] {
        ends.extend([1 << power, -(1 << power), (1 << power) - 1, 1 - (1 << power)]);
    }
    ends.extend([i64::MAX, i64::MIN, i64::MAX - 1, i64::MIN + 1, 3_037_000_499, 3_037_000_500]);
    let mut pairs: Vec<(i64, i64)> = ends.iter().flat_map(|a| ends.iter().map(|b| (*a, *b))).collect();
    let random = &mut fastrand::Rng::with_seed(1);
    pairs.extend((0..PAIRS).map(|_| (any(random), any(random))));
    pairs
}

/// What fits in 64 bits.
fn fits(value: i128, fault: Fault) -> Result<i64, Fault> {
    i64::try_from(value).map_err(|_| fault)
}

#[test]
fn sums_and_products_are_exact_or_overflow() {
    for (a, b) in pairs() {
        let (wide_a, wide_b) = (i128::from(a), i128::from(b));
        assert_eq!(number::add(a, b), fits(wide_a + wide_b, Fault::Overflow("+", a, b)));
        assert_eq!(number::sub(a, b), fits(wide_a - wide_b, Fault::Overflow("-", a, b)));
        assert_eq!(number::mul(a, b), fits(wide_a * wide_b, Fault::Overflow("*", a, b)));
        assert_eq!(number::abs(a), fits(wide_a.abs(), Fault::Overflow("abs", a, 0)));
    }
}

/// `//` is the one whole number with b·q ≤ a < b·(q + 1), the sides turned for a negative b; `%` is what it leaves.
#[test]
fn divisions_round_as_they_say() {
    for (a, b) in pairs() {
        if b == 0 {
            assert_eq!(number::floor_div(a, b), Err(Fault::DivisionByZero("//", a)));
            assert_eq!(number::floor_mod(a, b), Err(Fault::DivisionByZero("%", a)));
            assert_eq!(number::ceil_div(a, b), Err(Fault::DivisionByZero("ceildiv", a)));
            assert_eq!(number::exact_div(a, b), Err(Fault::DivisionByZero("/", a)));
            continue;
        }
        let (wide_a, wide_b) = (i128::from(a), i128::from(b));
        let rest = wide_a.rem_euclid(wide_b.abs());
        let rest = if b < 0 && rest != 0 { rest + wide_b } else { rest };
        let floor = (wide_a - rest) / wide_b;
        let ceil = if rest == 0 { floor } else { floor + 1 };
        assert_eq!(number::floor_mod(a, b), fits(rest, Fault::Overflow("%", a, b)), "{a} % {b}");
        assert_eq!(number::floor_div(a, b), fits(floor, Fault::Overflow("//", a, b)), "{a} // {b}");
        assert_eq!(number::ceil_div(a, b), fits(ceil, Fault::Overflow("ceildiv", a, b)), "ceildiv({a}, {b})");
        let exact = if rest == 0 { fits(floor, Fault::Overflow("/", a, b)) } else { Err(Fault::Inexact(a, b)) };
        assert_eq!(number::exact_div(a, b), exact, "{a} / {b}");
    }
}

/// A power is a product of equal factors; past 64 bits, whatever the exponent, it overflows.
#[test]
fn powers_are_products() {
    let bases = (-12..=12).chain([i64::MAX, i64::MIN, 1 << 31, -(1 << 31), 2_097_151, 2_097_152, -2_097_152]);
    for a in bases {
        let mut product = Some(1_i64);
        for b in 0..=70 {
            assert_eq!(number::pow(a, b), product.ok_or(Fault::Overflow("**", a, b)), "{a} ** {b}");
            product = product.and_then(|product| product.checked_mul(a));
        }
        for b in [-1, i64::MIN] {
            assert_eq!(number::pow(a, b), Err(Fault::NegativeExponent(a, b)));
        }
        // an exponent of more than 32 bits
        for b in [(1 << 32) + 1, 1 << 33, i64::MAX - 1, i64::MAX] {
            let power = match a {
                0 | 1 => Ok(a),
                -1 => Ok(if b % 2 == 0 { 1 } else { -1 }),
                _ => Err(Fault::Overflow("**", a, b)),
            };
            assert_eq!(number::pow(a, b), power, "{a} ** {b}");
        }
    }
}

#[test]
fn roots_and_common_divisors() {
    for (a, b) in pairs() {
        match number::isqrt(a) {
            Ok(root) => {
                let root = i128::from(root);
                assert!(root >= 0 && root * root <= i128::from(a) && (root + 1) * (root + 1) > i128::from(a), "{a}");
            }
            Err(fault) => assert!(a < 0 && fault == Fault::RootOfNegative(a)),
        }
        // the greatest divisor: it divides both, and what is left of them has no common divisor
        let divisor = number::common_divisor(a.unsigned_abs(), b.unsigned_abs());
        if divisor == 0 {
            assert_eq!((a, b), (0, 0));
            continue;
        }
        let (left_a, left_b) = (a.unsigned_abs() / divisor, b.unsigned_abs() / divisor);
        assert_eq!((left_a * divisor, left_b * divisor), (a.unsigned_abs(), b.unsigned_abs()));
        assert!(combine_to_one(left_a, left_b), "{a}, {b}");
        assert_eq!(number::gcd(&[a, b]), i64::try_from(divisor).map_err(|_| Fault::Overflow("gcd", 0, 0)));
        assert_eq!(number::gcd(&[a, b, b]), number::gcd(&[a, b]));
    }
    assert_eq!(number::gcd(&[]), Ok(0));
}

/// Whether 1 is a sum of multiples of both, which is so for numbers without a common divisor alone.
fn combine_to_one(a: u64, b: u64) -> bool {
    let (a, b) = (i128::from(a), i128::from(b));
    let (mut old, mut new) = ((a, 1_i128), (b, 0_i128));
    while new.0 != 0 {
        let quotient = old.0 / new.0;
        (old, new) = (new, (old.0 - quotient * new.0, old.1 - quotient * new.1));
    }
    let (one, factor) = old;
    one == 1 && (if b == 0 { a * factor == 1 } else { (1 - a * factor) % b == 0 })
}

#[test]
fn primes_are_those_of_the_sieve() {
    let end = 300_000;
    let mut prime = vec![true; end];
    prime[..2].fill(false);
    for p in 2..end {
        if prime[p] {
            (p * p..end).step_by(p).for_each(|multiple| prime[multiple] = false);
        }
    }
    for (number, prime) in (0..).zip(&prime) {
        assert_eq!(number::is_prime(number), *prime, "{number}");
        assert!(!number::is_prime(-number));
    }
    // products of two primes without a small divisor
    let primes: Vec<i64> = (0..).zip(&prime).filter(|(_, prime)| **prime).map(|(number, _)| number).collect();
    let random = &mut fastrand::Rng::with_seed(2);
    for _ in 0..20_000 {
        let [a, b] = [(); 2].map(|()| primes[random.usize(12..primes.len())]);
        assert!(!number::is_prime(a * b), "{a} times {b}");
    }
}

/// The greatest primes below powers of two (OEIS A014234), Carmichael numbers, and the least strong pseudoprimes to the
/// first primes (OEIS A014233).
#[test]
fn large_primes_are_those_that_are_published() {
    let below = [(31, 1), (32, 5), (40, 87), (48, 59), (52, 47), (56, 5), (59, 55), (60, 93), (61, 1), (62, 57)];
    for (power, less) in below {
        assert!(number::is_prime((1 << power) - less), "2^{power} - {less}");
        for other in 0..less {
            assert!(!number::is_prime((1 << power) - other), "2^{power} - {other}");
        }
    }
    assert!(number::is_prime(i64::MAX - 24), "2^63 - 25");
    for other in 0..24 {
        assert!(!number::is_prime(i64::MAX - other), "2^63 - {}", other + 1);
    }
    let pseudoprimes = [
        2047,
        1_373_653,
        25_326_001,
        3_215_031_751,
        2_152_302_898_747,
        3_474_749_660_383,
        341_550_071_728_321,
        3_825_123_056_546_413_051,
        // Carmichael numbers
        561,
        8_911,
        294_409,
        56_052_361,
        118_901_521,
        172_947_529,
    ];
    for number in pseudoprimes {
        assert!(!number::is_prime(number), "{number}");
    }
}

/// What would avoid a fault is told for the two that have an easy way out.
#[test]
fn help_fits_the_fault() {
    let help = |fault: Fault| fault.help().unwrap_or_default();
    assert!(help(Fault::Inexact(7, 3)).contains("% 3 == 0"));
    assert!(help(Fault::OutsideList(5, 2)).contains("begin with 0"));
    assert_eq!(help(Fault::RootOfNegative(-1)), "");
}

/// A class has one name, which is read back.
#[test]
fn classes_have_one_name() {
    for class in [Class::Win(0), Class::Win(12), Class::Loss(0), Class::Loss(u32::MAX)] {
        assert_eq!(class.to_string().parse(), Ok(class));
    }
    for text in ["", "W", "L", "W+1", "W-1", "W 1", "W1 ", "w1", "D1", "L4294967296", "WW1", "1"] {
        assert_eq!(text.parse::<Class>(), Err(()), "{text}");
    }
}
