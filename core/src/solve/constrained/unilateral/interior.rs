//! Many unilateral rows whose sets block pivoting does not find: a primal-dual interior point method (Mehrotra1992) on
//! rows and friction together. Redundant rows, which make pivoting wander, do not matter to it, and limits of friction
//! are not lagged: the cone |z_t| <= mu z_n is convex, and Coulomb's law on it that of least work but for a velocity mu
//! |v_t| along the normal (DeSaxceFeng1998, AcaryCadoux2011), which follows the iterate and is nothing at rest.

use crate::Vec3;
use crate::lcp::{Bound, Place};
use crate::linalg::BlockMatrix;
use crate::linalg::kkt::KktSystem;
use crate::solve::constrained::Parts;
use crate::solve::constrained::tuning::{
    AHEAD, BALANCE, COLDEST, COOLING, INTERIOR_COARSE_TOLERANCE, INTERIOR_ITERATIONS,
    INTERIOR_TOLERANCE, LEAST_CENTRE, NARROW, REGULARIZATION, WARM,
};
use crate::solve::constrained::unilateral::StepRows;
use crate::solve::constrained::unilateral::barrier::{Barrier, Side};
use crate::solve::constrained::unilateral::course::Course;
use crate::solve::constrained::unilateral::sets::RowSystem;
use crate::solve::constrained::unilateral::slip::Slip;
use crate::solve::failure::Failure;

/// What the interior point method goes on with.
#[derive(Default)]
pub(super) struct InteriorPoint {
    pub(super) barrier: Barrier,
    pub(super) slip: Slip,
}

impl RowSystem {
    /// Puts impulses and corrections where the rows are satisfied, and rows into the sets that these belong to.
    pub(super) fn solve_interior(
        &mut self,
        parts: &mut Parts,
        matrix: &BlockMatrix,
        rows: &mut StepRows,
        point: &mut InteriorPoint,
    ) -> Result<(), Failure> {
        self.factor_base(parts, matrix, rows)?;
        self.start(parts, rows, &mut point.barrier);
        let later = (rows.status.iteration - rows.status.failed_since) as i32;
        let warm = (WARM * COOLING.powi(later)).max(COLDEST);
        let mut course = Course::default();
        for iterations in 0.. {
            let inner = &mut point.barrier;
            let [gap, unbalanced] = inner.errors();
            if gap > warm {
                inner.keep();
            }
            let last = iterations == INTERIOR_ITERATIONS;
            if (gap <= INTERIOR_TOLERANCE && unbalanced <= BALANCE)
                || (last && gap <= INTERIOR_COARSE_TOLERANCE)
            {
                break;
            }
            if last || !gap.is_finite() {
                let method = "the interior point method for contacts";
                let (residual, tolerance) = (gap, INTERIOR_TOLERANCE);
                return Err(Failure::NotConverged { method, iterations, residual, tolerance });
            }
            // Balance may take longer than complementarity, whose products are not to vanish meanwhile.
            let least =
                (LEAST_CENTRE * INTERIOR_TOLERANCE).max(AHEAD * unbalanced) * inner.starts[0];
            self.predict_and_correct(parts, matrix, rows, (point, least, course.follows))?;
            if course.follows {
                point.barrier.follow_slip();
                course.go_on(point.barrier.errors(), iterations);
            }
        }
        rows.choices.count_sparse(1);
        let inner = &mut point.barrier;
        inner.clamp();
        for row in 0..rows.set.count() {
            rows.set.places[row] = inner.place(row, rows.set.own[row]);
        }
        self.add_slope(parts, rows, &inner.z, &mut inner.slope);
        rows.set.impulses.copy_from_slice(&inner.z);
        Ok(())
    }

    /// One iteration: a step towards the limits, which tells where to aim, and the step taken.
    fn predict_and_correct(
        &mut self,
        parts: &mut Parts,
        matrix: &BlockMatrix,
        rows: &StepRows,
        (point, least, follows): (&mut InteriorPoint, f64, bool),
    ) -> Result<(), Failure> {
        let gap = point.barrier.gap(0.0);
        self.factor_interior(parts, matrix, rows, &mut point.barrier)?;
        point.barrier.aim_at_limits();
        self.solve_change(parts, rows, point, (0.0, false));
        let left = point.barrier.gap(point.barrier.length()) / gap;
        let centre = (left.powi(3) * gap).max(least);
        point.barrier.aim_at_centre(centre);
        self.solve_change(parts, rows, point, (centre, follows));
        let inner = &mut point.barrier;
        inner.advance(inner.length());
        self.add_slope(parts, rows, &inner.z, &mut inner.slope);
        Ok(())
    }

    /// Factors the matrix without any of these rows, where the factor is of another.
    fn factor_base(
        &mut self,
        parts: &mut Parts,
        matrix: &BlockMatrix,
        rows: &StepRows,
    ) -> Result<(), Failure> {
        if self.factored.base != Some(rows.status.matrices) {
            self.factored.base = None;
            parts.saddle.factor(KktSystem {
                s: matrix,
                g: &parts.trial.reduced,
                r: &parts.linear.compliance,
            })?;
            self.factored.base = Some(rows.status.matrices);
        }
        Ok(())
    }

    /// Corrections with the impulses as they are.
    pub(super) fn keep_impulses(
        &mut self,
        parts: &mut Parts,
        matrix: &BlockMatrix,
        rows: &StepRows,
        slope: &mut Vec<f64>,
    ) -> Result<(), Failure> {
        self.factor_base(parts, matrix, rows)?;
        self.add_slope(parts, rows, &rows.set.impulses, slope);
        Ok(())
    }

    /// The iterate to begin with: in the first iteration impulses inside their limits, with multipliers that make all
    /// products equal, and later one of the iteration before.
    fn start(&mut self, parts: &mut Parts, rows: &StepRows, inner: &mut Barrier) {
        if rows.status.iteration > rows.status.failed_since {
            inner.resume();
            self.add_slope(parts, rows, &inner.z, &mut inner.slope);
            inner.follow_slip();
            return;
        }
        let largest = rows.set.impulses.iter().fold(0.0, |most: f64, z| most.max(z.abs()));
        let sides = rows.set.bounds.iter().map(|bound| side_of(bound, largest));
        inner.begin((&rows.set.impulses, &rows.set.own), sides);
        self.add_slope(parts, rows, &inner.z, &mut inner.slope);
        let scale = inner.scale();
        inner.step_inside(scale);
        self.add_slope(parts, rows, &inner.z, &mut inner.slope);
        inner.start_multipliers(scale);
        inner.follow_slip();
        inner.measure_start();
    }

    /// Factors the matrix with the stiffness of the limits on the diagonal of the rows. Those of friction couple a
    /// normal with its tangents; with `inner.share` times these taken off the normal the stiffness is diagonal.
    fn factor_interior(
        &mut self,
        parts: &Parts,
        matrix: &BlockMatrix,
        rows: &StepRows,
        inner: &mut Barrier,
    ) -> Result<(), Failure> {
        let (bilateral, entries) = (parts.linear.row_right.len(), parts.trial.reduced.len());
        self.values[..entries].copy_from_slice(&parts.trial.reduced);
        self.values[entries..].copy_from_slice(&rows.set.half);
        let compliance =
            |row: usize| rows.set.rows[row].compliance + REGULARIZATION * rows.set.own[row];
        inner.set_stiffness(&mut self.compliance[bilateral..], compliance);
        for (row, side) in inner.sides.iter().enumerate() {
            let range = rows.set.pattern.entries(row);
            match *side {
                Side::Fixed([lower, upper]) if lower >= upper => {
                    self.values[entries + range.start..entries + range.end].fill(Vec3::zeros());
                }
                Side::Fixed(_) => {}
                Side::Cone { normal, .. } => {
                    let along = rows.set.pattern.entries(normal);
                    for (to, from) in along.zip(range) {
                        self.values[entries + to] -= rows.set.half[from] * inner.share[row];
                    }
                }
            }
        }
        self.factored.matrix = None;
        let kkt = self.kkt.as_mut().expect("it was made");
        kkt.factor(KktSystem { s: matrix, g: &self.values, r: &self.compliance })?;
        Ok(())
    }

    /// `slope` = velocities of the rows above their targets under the impulses `z`, with their compliance; `parts.linear.step` the
    /// corrections with these impulses.
    fn add_slope(&mut self, parts: &mut Parts, rows: &StepRows, z: &[f64], slope: &mut Vec<f64>) {
        let bilateral = parts.linear.row_right.len();
        self.right.copy_from_slice(&parts.linear.right);
        for (row, z) in z.iter().enumerate() {
            for entry in rows.set.pattern.entries(row) {
                let block = rows.set.pattern.blocks()[entry] as usize;
                self.right[block] += rows.set.half[entry] * (z - rows.set.before[row]);
            }
        }
        self.row_right[..bilateral].copy_from_slice(&parts.linear.row_right);
        let sides = (&self.right[..], &self.row_right[..bilateral]);
        parts
            .saddle
            .solve_factored(sides, (&mut parts.linear.step, &mut self.row_step[..bilateral]));
        slope.clear();
        for (row, z) in z.iter().enumerate() {
            let velocity = rows.set.pattern.velocity(row, &rows.set.values, &parts.trial.y)
                + rows.set.pattern.velocity(row, &rows.set.half, &parts.linear.step);
            let compliance = REGULARIZATION * rows.set.own[row] * (z - rows.set.before[row]);
            slope.push(
                velocity - rows.set.rows[row].target
                    + rows.set.rows[row].compliance * z
                    + compliance,
            );
        }
    }
}

/// What bounds the impulse of a row; limits next to nothing apart are one.
fn side_of(bound: &Bound, largest: f64) -> Side {
    match *bound {
        Bound::Unilateral => Side::Fixed([0.0, f64::INFINITY]),
        Bound::Bilateral => Side::Fixed([f64::NEG_INFINITY, f64::INFINITY]),
        Bound::Range { lower, upper } if upper - lower <= NARROW * largest => {
            Side::Fixed([0.5 * (lower + upper); 2])
        }
        Bound::Range { lower, upper } => Side::Fixed([lower, upper]),
        Bound::Friction { normal, coefficient, .. } => Side::Cone { normal, coefficient },
    }
}

impl Barrier {
    /// The set that a row comes nearer to, `push` its response to its own impulse.
    fn place(&self, row: usize, push: f64) -> Place {
        let [below, above] = self.rooms(row);
        match self.is_free(row) {
            true if self.below[row] > push * below => Place::Lower,
            true if self.above[row] > push * above => Place::Upper,
            true => Place::Basic,
            false => Place::Lower,
        }
    }
}
