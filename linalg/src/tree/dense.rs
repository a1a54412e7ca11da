//! Factors of small dense matrices in place, column by column, with partial pivoting.

/// Share of the largest entry that a column began with below which a pivot is rounding [-].
const SINGULAR: f64 = 1e-14;

/// Factors the `size` x `size` matrix of columns `a`; false where it is singular. `rows` takes the rows exchanged.
pub(super) fn factor(a: &mut [f64], rows: &mut [u32]) -> bool {
    let size = rows.len();
    for k in 0..size {
        let column = &a[k * size..(k + 1) * size];
        let pivot = (k..size).max_by(|&i, &j| column[i].abs().total_cmp(&column[j].abs()));
        let pivot = pivot.unwrap_or(k);
        let (value, largest) = (column[pivot], column.iter().fold(0.0, |m: f64, x| m.max(x.abs())));
        if !(value.abs() > SINGULAR * largest && value.is_finite()) {
            return false;
        }
        rows[k] = pivot as u32;
        if pivot != k {
            (0..size).for_each(|column| a.swap(column * size + k, column * size + pivot));
        }
        a[k * size + k + 1..(k + 1) * size].iter_mut().for_each(|x| *x /= value);
        for column in k + 1..size {
            let share = a[column * size + k];
            if share != 0.0 {
                let (left, right) = a.split_at_mut(column * size);
                let below = &left[k * size + k + 1..(k + 1) * size];
                right[k + 1..size].iter_mut().zip(below).for_each(|(x, l)| *x -= l * share);
            }
        }
    }
    true
}

/// Solves in place by the factors and the rows exchanged.
pub(super) fn solve(a: &[f64], rows: &[u32], x: &mut [f64]) {
    let size = rows.len();
    rows.iter().enumerate().for_each(|(k, &row)| x.swap(k, row as usize));
    for k in 0..size {
        let (known, column) = (x[k], &a[k * size..(k + 1) * size]);
        if known != 0.0 {
            x[k + 1..].iter_mut().zip(&column[k + 1..]).for_each(|(x, l)| *x -= l * known);
        }
    }
    for k in (0..size).rev() {
        let column = &a[k * size..(k + 1) * size];
        x[k] /= column[k];
        let known = x[k];
        x[..k].iter_mut().zip(column).for_each(|(x, u)| *x -= u * known);
    }
}
