//! Search for parts without support: a connected piece of a system that can be shifted along an
//! axis without any force. Asked only when an equilibrium is not found, so it may take memory.

use crate::Vec3;
use crate::linalg::{BlockMatrix, BlockPattern, clear_fixed};

/// A shift of a piece makes no force when what it makes is below this part of its stiffness: far
/// above the rounding of a row sum, far below any support.
const NO_FORCE: f64 = 1e-10;

/// The first row of a piece that the stiffness `matrix` leaves free along an axis, and the axis.
pub(super) fn loose_piece(matrix: &BlockMatrix, fixed: &[[bool; 3]]) -> Option<(usize, usize)> {
    let pattern = matrix.pattern();
    let (pieces, count) = connected_pieces(pattern);
    let mut forces = vec![Vec3::zeros(); pattern.size()];
    for axis in 0..3 {
        let shift: Vec<Vec3> = fixed
            .iter()
            .map(|fixed| if fixed[axis] { Vec3::zeros() } else { Vec3::ith(axis, 1.0) })
            .collect();
        matrix.mul(&shift, &mut forces);
        clear_fixed(&mut forces, fixed);
        let mut made = vec![0.0; count];
        let mut stiffness = vec![0.0; count];
        for (row, &piece) in pieces.iter().enumerate() {
            made[piece] += forces[row].norm_squared();
            stiffness[piece] += matrix.block(pattern.diagonal(row))[(axis, axis)].powi(2);
        }
        let loose = |row: &usize| {
            let piece = pieces[*row];
            !fixed[*row][axis] && made[piece] <= NO_FORCE * NO_FORCE * stiffness[piece]
        };
        if let Some(row) = (0..pattern.size()).find(loose) {
            return Some((row, axis));
        }
    }
    None
}

/// Connected piece of each row, and the number of pieces.
fn connected_pieces(pattern: &BlockPattern) -> (Vec<usize>, usize) {
    let mut pieces = vec![usize::MAX; pattern.size()];
    let mut count = 0;
    let mut open = Vec::new();
    for seed in 0..pattern.size() {
        if pieces[seed] != usize::MAX {
            continue;
        }
        pieces[seed] = count;
        open.push(seed);
        while let Some(row) = open.pop() {
            for &column in &pattern.columns()[pattern.row(row)] {
                if pieces[column as usize] == usize::MAX {
                    pieces[column as usize] = count;
                    open.push(column as usize);
                }
            }
        }
        count += 1;
    }
    (pieces, count)
}
