//! Binary digits, and their sums without carrying.

/// The digits of a number, the lowest first; `true` is a one.
pub(super) type Digits = Vec<bool>;

/// The nim-sum: a column with an odd number of ones has a one.
pub(super) fn nim_sum(heaps: &[i64]) -> Digits {
    let mut ones: Vec<usize> = Vec::new();
    for heap in heaps {
        let (mut rest, mut column) = (*heap, 0);
        while rest > 0 {
            if ones.len() == column {
                ones.push(0);
            }
            if rest % 2 == 1 {
                ones[column] += 1;
            }
            rest /= 2;
            column += 1;
        }
    }
    ones.into_iter().map(|count| count % 2 == 1).collect()
}

#[cfg(test)]
mod tests {
    use super::nim_sum;

    #[test]
    fn columns_are_added_without_carrying() {
        assert_eq!(nim_sum(&[3, 6, 9]), [false, false, true, true]);
        assert!(nim_sum(&[i64::MAX, i64::MAX]).iter().all(|digit| !digit));
    }
}
