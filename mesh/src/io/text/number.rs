//! Numbers in text: integers, floating-point numbers in the spellings of C, Fortran and Nastran, and
//! numbers that run together in fixed columns.

/// A whole number with an optional sign.
pub(in crate::io) fn int(word: &[u8]) -> Option<i64> {
    let (negative, digits) = match word {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, word),
    };
    // Most numbers are short; 18 digits cannot overflow.
    if digits.is_empty() || digits.len() > 18 {
        return str::from_utf8(word).ok()?.parse().ok();
    }
    let mut value = 0;
    for &b in digits {
        let digit = b.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = 10 * value + i64::from(digit);
    }
    Some(if negative { -value } else { value })
}

/// A whole number that is not negative, up to the limit of its type.
pub(in crate::io) fn uint(word: &[u8]) -> Option<u64> {
    match int(word) {
        Some(n) => u64::try_from(n).ok(),
        None => str::from_utf8(word).ok()?.parse().ok(),
    }
}

/// A floating-point number; Fortran's `D` is an exponent too.
pub(in crate::io) fn float(word: &[u8]) -> Option<f64> {
    let text = str::from_utf8(word).ok()?;
    text.parse().ok().or_else(|| {
        let is_fortran = word.len() <= LONGEST && word.iter().any(|b| matches!(b, b'd' | b'D'));
        is_fortran.then(|| text.replace(['d', 'D'], "e").parse().ok())?
    })
}

/// A number as Nastran writes it: the `E` of the exponent may be missing, as in `1.5-3`.
pub(in crate::io) fn nastran_float(word: &[u8]) -> Option<f64> {
    float(word).or_else(|| {
        let sign = word.iter().skip(1).position(|b| matches!(b, b'+' | b'-'))? + 1;
        let (mantissa, exponent) = word.split_at(sign);
        float(&[mantissa, b"e", exponent].concat()).filter(|_| word.len() <= LONGEST)
    })
}

/// No number of a mesh file needs more characters.
const LONGEST: usize = 64;

/// Places of the numbers in a text where a sign may begin a number without a blank before it.
pub(in crate::io) fn run_together(text: &[u8]) -> impl Iterator<Item = std::ops::Range<usize>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + text[from..].iter().position(|b| !b.is_ascii_whitespace())?;
        let ends = |&i: &usize| {
            let after_exponent = matches!(text[i - 1], b'e' | b'E' | b'd' | b'D');
            text[i].is_ascii_whitespace() || (matches!(text[i], b'+' | b'-') && !after_exponent)
        };
        from = (start + 1..text.len()).find(ends).unwrap_or(text.len());
        Some(start..from)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_number_is_read() {
        for (text, value) in [("-1.5e-3", -1.5e-3), ("+.5", 0.5), ("1.5D-03", 1.5e-3), ("7", 7.0)] {
            assert_eq!(float(text.as_bytes()), Some(value), "{text}");
        }
        for (text, value) in [("1.5-3", 1.5e-3), ("-7.+2", -700.0), ("0.0-3", 0.0), ("1.", 1.0)] {
            assert_eq!(nastran_float(text.as_bytes()), Some(value), "{text}");
        }
        for text in ["", "1,5", "-", "1.5-", "--1", "1.5-3-2"] {
            assert_eq!(nastran_float(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn whole_numbers_are_read_to_the_limits_of_their_type() {
        for n in [0, 7, -7, 999_999_999_999_999_999, i64::MAX, i64::MIN] {
            assert_eq!(int(n.to_string().as_bytes()), Some(n));
        }
        assert_eq!(int(b"+12"), Some(12));
        for text in ["", "-", "+", "1.0", "12a", "9223372036854775808", "--1"] {
            assert_eq!(int(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn signs_part_numbers_and_signs_of_exponents_do_not() {
        let text = b" 0.57E-01-0.41E-02+1.0 2-3";
        let found: Vec<_> = run_together(text).map(|range| float(&text[range]).unwrap()).collect();
        assert_eq!(found, [0.057, -0.0041, 1.0, 2.0, -3.0]);
    }
}
