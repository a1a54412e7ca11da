//! Contacts on what is stiff and moves along: the response of a row to itself is then many times what its own point gives.

use std::sync::Arc;

use sinew::Vec3;
use sinew::lcp::{ActiveSetStatus, Bound, FrictionModel};
use sinew::linalg::kkt::ConstraintPattern;
use sinew::linalg::{BLOCK, BlockMatrix, BlockPattern};
use sinew::mixed::{
    Accuracy, BilateralRows, ConeMethod, MixedError, MixedOutcome, MixedProblem, MixedSettings,
    MixedSolution, MixedSolver, UnilateralRows,
};

/// Points of the chain.
const POINTS: usize = 400;
/// Stiffness between neighbours over the mass of a point [-].
const STIFF: f64 = 1e8;
/// Points at the middle that are pushed, and rows on each.
const PUSHED: usize = 40;
const TIMES: usize = 8;

/// A chain of points of this mass, each tied to the next.
fn chain(mass: f64) -> BlockMatrix {
    let pattern = BlockPattern::from_cliques(POINTS, |visit| {
        (1..POINTS as u32).for_each(|i| visit(&[i - 1, i]));
    });
    let mut matrix = BlockMatrix::zeros(Arc::new(pattern));
    for row in 0..POINTS {
        let pattern = matrix.pattern().clone();
        let neighbours = if row == 0 || row == POINTS - 1 { 1.0 } else { 2.0 };
        for slot in pattern.row(row) {
            let own = slot == pattern.diagonal(row);
            let value = if own { mass + neighbours * STIFF } else { -STIFF };
            (0..3).for_each(|axis| matrix.values_mut()[BLOCK * slot + 4 * axis] = value);
        }
    }
    matrix
}

/// Rows on the points at the middle of the chain, and their directions.
fn rows() -> (ConstraintPattern, Vec<Vec3>) {
    let (mut pattern, mut values) = (ConstraintPattern::default(), Vec::new());
    for k in 0..PUSHED * TIMES {
        pattern.push_entry((POINTS / 2 + k / TIMES) as u32);
        pattern.end_row();
        // More directions than a point has freedoms.
        let turn = 0.7 * k as f64;
        values.push(Vec3::new(0.3 * turn.sin(), 0.3 * turn.cos(), 1.0).normalize());
    }
    (pattern, values)
}

/// Velocities of a chain that falls at 1 m/s onto rows at its middle, and who found them.
fn fallen(mass: f64, dense_rows: usize) -> Result<(Vec<Vec3>, MixedOutcome), MixedError> {
    let s = chain(mass);
    let (pattern, values) = rows();
    let (count, zeros) = (values.len(), vec![0.0; values.len()]);
    let (b, ones) = (vec![Vec3::z() * -mass; POINTS], vec![Vec3::repeat(1.0); POINTS]);
    let positions: Vec<Vec3> = (0..POINTS).map(|i| Vec3::x() * i as f64).collect();
    let problem = MixedProblem {
        s: &s,
        b: &b,
        inertia: &ones,
        positions: &positions,
        bilateral: BilateralRows { values: &[], end_values: None, compliance: &[], target: &[] },
        unilateral: UnilateralRows {
            pattern: &pattern,
            values: &values,
            compliance: &zeros,
            target: &zeros,
            bounds: &vec![Bound::Unilateral; count],
            start: &zeros,
            tolerance: 0.0,
        },
        friction: FrictionModel::Box,
        accuracy: Accuracy::Refined,
    };
    let settings = MixedSettings { dense_rows, ..MixedSettings::default() };
    let fixed = vec![[false; 3]; POINTS];
    let none = ConstraintPattern::default();
    let mut solver = MixedSolver::new(s.pattern(), &fixed, &none, &[], &settings).unwrap();
    let (mut u, mut z) = (vec![Vec3::zeros(); POINTS], zeros.clone());
    let mut statuses = vec![ActiveSetStatus::Lower; count];
    let mut outcome = MixedOutcome::default();
    solver.begin_sequence();
    solver.matrix_changed();
    let solution = MixedSolution { u: &mut u, lambda: &mut [], z: &mut z, statuses: &mut statuses };
    solver.solve(&problem, &mut { solution }, &mut outcome)?;
    Ok((u, outcome))
}

/// Rows were missed by 1.7e-8 m/s.
#[test]
fn rows_on_a_stiff_chain_are_solved_for_on_their_response() {
    let (condensed, outcome) = fallen(1.0, 0).unwrap();
    assert_eq!(outcome.factorizations, 1, "{outcome:?}");
    assert!(outcome.residual.cones < 1e-9, "{outcome:?}");
    // Interior points are what pivoting gives way to.
    let gave_way = usize::from(outcome.method == ConeMethod::InteriorPoint);
    assert_eq!(outcome.fallbacks, gave_way, "{outcome:?}");
    let (dense, _) = fallen(1.0, 1000).unwrap();
    let error = condensed.iter().zip(&dense).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max);
    assert!(error < 1e-6, "velocities differ by {error}");
}

/// A matrix that has lost its stiffness was factored sixty times with all rows.
#[test]
fn rows_on_what_has_no_stiffness_are_refused_at_once() {
    let error = fallen(-1.0, 0).unwrap_err();
    assert_eq!(error, MixedError::Indefinite { rows: PUSHED * TIMES });
    assert!(error.to_string().contains("take a shorter step"), "{error}");
}
