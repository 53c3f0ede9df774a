//! Asking for what a file leaves open, until the answer fits.

use std::io::{self, BufRead, Write};

/// The most values that are listed one by one.
const LISTED: usize = 12;

/// Asks for one of `values`, which are not none; none at the end of the input.
///
/// # Errors
///
/// Input or output that fails.
pub fn value(name: &str, values: &[i64], input: &mut impl BufRead, output: &mut impl Write) -> io::Result<Option<i64>> {
    let allowed = range(values);
    loop {
        let Some(line) = line(&format!("{name} ({allowed}): "), input, output)? else { return Ok(None) };
        match line.parse::<i64>() {
            Ok(value) if values.contains(&value) => return Ok(Some(value)),
            Ok(value) => writeln!(output, "Sorry, {value} is not among them.")?,
            Err(_) if line.is_empty() => {}
            Err(_) => writeln!(output, "Sorry, `{line}` is no whole number that fits.")?,
        }
    }
}

/// Asks for a line of any text; none at the end of the input.
///
/// # Errors
///
/// Input or output that fails.
pub fn line(prompt: &str, input: &mut impl BufRead, output: &mut impl Write) -> io::Result<Option<String>> {
    write!(output, "{prompt}")?;
    output.flush()?;
    let mut bytes = Vec::new();
    let read = input.read_until(b'\n', &mut bytes)?;
    if read == 0 {
        writeln!(output)?;
        return Ok(None);
    }
    Ok(Some(String::from_utf8_lossy(&bytes).trim().to_owned()))
}

/// `1 to 200`, or the values where they have gaps.
fn range(values: &[i64]) -> String {
    let steady = values.windows(2).all(|pair| matches!(pair, [a, b] if a.checked_add(1) == Some(*b)));
    match values {
        [only] => only.to_string(),
        [first, .., last] if steady && values.len() > 2 => format!("{first} to {last}"),
        [first, .., last] if values.len() > LISTED => format!("{} values from {first} to {last}", values.len()),
        _ => values.iter().map(i64::to_string).collect::<Vec<_>>().join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn until_it_fits() {
        let mut out = Vec::new();
        let values: Vec<i64> = (1..=200).collect();
        let answer = value("n", &values, &mut "\nten\n0\n 12 \n7\n".as_bytes(), &mut out);
        assert_eq!(answer.ok(), Some(Some(12)));
        let told = String::from_utf8_lossy(&out);
        let lines = "n (1 to 200): n (1 to 200): Sorry, `ten` is no whole number that fits.\n\
             n (1 to 200): Sorry, 0 is not among them.\nn (1 to 200): ";
        assert_eq!(told, lines);
    }

    #[test]
    fn gaps_and_the_end_of_the_input() {
        for (values, shown) in [(vec![3, 5, 9], "3, 5, 9"), (vec![4], "4"), (vec![2, 3], "2, 3")] {
            let mut out = Vec::new();
            assert_eq!(value("s", &values, &mut "".as_bytes(), &mut out).ok(), Some(None));
            assert_eq!(String::from_utf8_lossy(&out), format!("s ({shown}): \n"));
        }
        let values: Vec<i64> = (0..100).step_by(3).collect();
        let mut out = Vec::new();
        assert_eq!(value("s", &values, &mut "99".as_bytes(), &mut out).ok(), Some(Some(99)));
        assert_eq!(String::from_utf8_lossy(&out), "s (34 values from 0 to 99): ");
    }
}
