//! Numbers that a file gives to its nodes and elements, mapped to indices without an array as long as
//! the largest number.

use std::collections::HashMap;

use crate::io::error::Problem;

/// Index of each number.
pub(in crate::io) enum Numbers {
    /// Numbers follow each other from this one.
    Consecutive { first: u64, count: usize },
    /// Any others.
    Sparse(HashMap<u64, u32>),
}

impl Numbers {
    /// # Errors
    /// The first number that is given twice.
    fn build(numbers: &[u64]) -> Result<Self, u64> {
        let first = numbers.first().copied().unwrap_or(0);
        let follows = |(i, &n): (usize, &u64)| n.checked_sub(first) == Some(i as u64);
        if numbers.iter().enumerate().all(follows) {
            return Ok(Self::Consecutive { first, count: numbers.len() });
        }
        let mut map = HashMap::with_capacity(numbers.len());
        for (i, &id) in numbers.iter().enumerate() {
            if map.insert(id, i as u32).is_some() {
                return Err(id);
            }
        }
        Ok(Self::Sparse(map))
    }

    /// # Errors
    /// The first number that is given to two nodes.
    pub(in crate::io) fn of_nodes(numbers: &[u64]) -> Result<Self, Problem> {
        Self::build(numbers).map_err(|id| Problem::DuplicateNode { id })
    }

    /// # Errors
    /// The first number that is given to two elements.
    pub(in crate::io) fn of_elements(numbers: &[u64]) -> Result<Self, Problem> {
        Self::build(numbers).map_err(|id| Problem::DuplicateElement { id })
    }

    pub(in crate::io) fn index(&self, number: i64) -> Option<usize> {
        let number = u64::try_from(number).ok()?;
        match self {
            Self::Consecutive { first, count } => {
                let i = usize::try_from(number.checked_sub(*first)?).ok()?;
                (i < *count).then_some(i)
            }
            Self::Sparse(map) => map.get(&number).map(|&i| i as usize),
        }
    }

    /// Indices of the numbers `first`, `first + step`, ... up to `last` that exist: as many as there
    /// are numbers at the most, however long the range is.
    pub(in crate::io) fn range(&self, first: i64, last: i64, step: i64) -> Vec<u32> {
        let step = step.max(1) as u64;
        let Ok(last) = u64::try_from(last) else { return Vec::new() };
        // The first number of the range that is not negative.
        let below = if first < 0 { first.unsigned_abs().div_ceil(step) * step } else { 0 };
        let Some(from) = below.checked_add_signed(first) else { return Vec::new() };
        let steps =
            |from: u64, to: u64| (from..=to).step_by(usize::try_from(step).unwrap_or(usize::MAX));
        let mut found: Vec<u32> = match self {
            Self::Consecutive { first, count } => {
                let skipped = first.saturating_sub(from).div_ceil(step);
                let from = from.saturating_add(skipped.saturating_mul(step));
                let to = last.min(first.saturating_add(*count as u64).saturating_sub(1));
                steps(from, to).filter_map(|n| self.index(n as i64)).map(|i| i as u32).collect()
            }
            Self::Sparse(map) if last.saturating_sub(from) / step < map.len() as u64 => {
                steps(from, last).filter_map(|n| map.get(&n).copied()).collect()
            }
            Self::Sparse(map) => {
                let hit = |n: u64| n >= from && n <= last && (n - from).is_multiple_of(step);
                map.iter().filter(|(n, _)| hit(**n)).map(|(_, &i)| i).collect()
            }
        };
        found.sort_unstable();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_names_the_numbers_that_exist_however_long_it_is() {
        let near = Numbers::of_nodes(&[3, 4, 5, 6, 7]).unwrap();
        let far = Numbers::of_nodes(&[1_000_000_000, 3, 5, 4]).unwrap();
        for (range, of_near, of_far) in [
            ([1, i64::MAX, 1], &[0, 1, 2, 3, 4][..], &[0, 1, 2, 3][..]),
            ([4, 6, 2], &[1, 3], &[3]),
            ([-1, 7, 4], &[0, 4], &[1]),
            ([i64::MIN, -1, 1], &[], &[]),
            ([5, 4, 1], &[], &[]),
            ([5, 5, i64::MAX], &[2], &[2]),
        ] {
            let [first, last, step] = range;
            assert_eq!(near.range(first, last, step), of_near, "{range:?}");
            assert_eq!(far.range(first, last, step), of_far, "{range:?}");
        }
    }

    #[test]
    fn a_number_given_twice_is_named() {
        let twice = Numbers::of_nodes(&[7, 8, 7]);
        assert!(matches!(twice, Err(Problem::DuplicateNode { id: 7 })));
    }
}
