//! Columns of the derivative of the equations of a step (`solve/derivative.rs`) by bodies and points, in closed form: inertia,
//! levers of attached points, rows that are products of vectors; of other rows their vectors are differenced.
//! docs/theory/adjoint.md has the formulas.

use crate::constraint::Placement;
use crate::dynamics::skew;
use crate::linalg::{BlockMatrix, clear_fixed};
use crate::solve::constrained::Constrained;
use crate::solve::constrained::context::StepContext;
use crate::solve::constrained::parts::Parts;
use crate::solve::equations::Equations;
use crate::system::{Multibody, Weight};
use crate::{Mat3, Vec3};

/// Minus the derivatives of forces by positions and by velocities, on all block rows.
pub(crate) struct ForceMatrices {
    /// At the end of a step.
    pub(crate) end: [BlockMatrix; 2],
    /// At its start, where the rule has forces there.
    pub(crate) start: Option<[BlockMatrix; 2]>,
}

/// Kind of a scalar that the equations of a step are derived by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepScalar {
    MeanVelocity,
    StartPosition,
    StartVelocity,
}

/// Derivatives of the equations of a step by one scalar, and of positions and velocities at its end.
pub(crate) struct StepColumn {
    pub(crate) momenta: Vec<Vec3>,
    pub(crate) rows: Vec<f64>,
    pub(crate) q: Vec<Vec3>,
    pub(crate) u: Vec<Vec3>,
}

/// The equations of a step about the unknowns that they were evaluated at last.
pub(crate) struct StepColumns<'a> {
    context: StepContext<'a>,
    parts: &'a Parts,
    forces: &'a ForceMatrices,
    /// True if forces change with positions or velocities.
    has_forces: bool,
    h: f64,
    w: f64,
    /// Velocities at the start.
    u0: &'a [Vec3],
    /// Vectors of the rows at the start and at the end.
    row_vectors: [Vec<Vec3>; 2],
    /// Momenta less impulses of each attached point, which its masters get [N s].
    loads: Vec<Vec3>,
    /// Of each block row: rows of constraints on it or on points attached to it, and these points, each with its weight.
    rows_of: Vec<Vec<u32>>,
    attached_of: AttachedOf,
    change: Change,
}

/// A change of all block rows; what does not change is zero.
struct Change {
    start_q: Vec<Vec3>,
    end_q: Vec<Vec3>,
    /// Half of the sum of both, and of the changes of the rotation matrices.
    mean_q: Vec<Vec3>,
    mean_turns: Vec<Mat3>,
    mean_u: Vec<Vec3>,
    start_u: Vec<Vec3>,
    /// Velocities that forces at the end know, and those of the end.
    force_u: Vec<Vec3>,
    end_u: Vec<Vec3>,
    moved: Vec<u32>,
}

/// Change of one block row.
#[derive(Clone, Copy, Default)]
struct Own {
    start_q: Vec3,
    end_q: Vec3,
    mean_u: Vec3,
    start_u: Vec3,
    end_u: Vec3,
}

/// Change of positions by which vectors of rows are differenced [m], [rad].
const SHIFT: f64 = 1e-6;

/// True if closed forms have all columns: locks along paths, inertia of rows, points that move in their bodies, bodies that
/// are fitted, and chains of attached points are left to differences of the equations.
pub(in crate::solve) fn are_closed(multibody: &Multibody) -> bool {
    let (joints, attached) = (&multibody.joints, &multibody.attachments);
    let master_is_free = |&row: &u32| !attached.resolved.is_attached(row);
    let masters = |k: usize| attached.list.masters(k).iter();
    joints.paths.is_empty()
        && joints.inertia.iter().all(|it| *it == 0.0)
        && attached.moving.is_empty()
        && attached.fitted.is_empty()
        && (0..attached.list.attached_rows().len()).all(|k| masters(k).all(master_is_free))
}

impl<'a> StepColumns<'a> {
    /// For the equations of a step of `h` [s], with the weight `w` of its end, that were evaluated last.
    pub(in crate::solve) fn new(
        (equations, own): (&'a Equations, &'a Constrained),
        context: StepContext<'a>,
        forces: &'a ForceMatrices,
        (h, w): (f64, f64),
    ) -> Self {
        let (parts, multibody) = (&own.parts, context.multibody);
        let (rows_of, attached_of) = incidences(multibody, parts.trial.y.len());
        let at = |q: &'a [Vec3], turns: &'a [Mat3]| {
            let mut vectors = vec![Vec3::zeros(); parts.trial.coefficients.len()];
            let place = Placement { q, turns, coordinates: &parts.start.coordinates };
            let mut reader = multibody.joints.rows.at(place);
            for row in 0..multibody.joints.rows.count() {
                reader.coefficients(row, &mut vectors[parts.reduction.entries(row)]);
            }
            vectors
        };
        let mut matrices = forces.end.iter().chain(forces.start.iter().flatten());
        let start = at(&equations.work.q0, &parts.start.turns);
        let end = at(&parts.trial.q, &parts.trial.bodies.turns);
        Self {
            context,
            parts,
            forces,
            has_forces: matrices.any(|it| it.values().iter().any(|value| *value != 0.0)),
            h,
            w,
            u0: &equations.work.u0,
            row_vectors: [start, end],
            loads: loads(context, parts, &equations.work.b),
            rows_of,
            attached_of,
            change: Change::new(parts.trial.y.len(), multibody.bodies.len()),
        }
    }

    /// Derivatives by a scalar of a free block row.
    pub(crate) fn column(&mut self, of: StepScalar, (row, axis): (usize, usize)) -> StepColumn {
        let unit = Vec3::ith(axis, 1.0);
        let body = self.context.multibody.body_of_rotation(row as u32);
        let own = match body {
            Some(body) => self.turn(of, body, unit),
            None => self.shift(of, unit),
        };
        self.spread(row, body, own);
        let mut momenta = vec![Vec3::zeros(); self.u0.len()];
        let mut rows = vec![0.0; self.context.multibody.joints.rows.count()];
        self.add_forces(&mut momenta);
        // Velocities at the start move nothing.
        if of != StepScalar::StartVelocity {
            self.add_levers(row, body, &mut momenta);
            self.add_rows(row, &mut momenta, &mut rows);
        }
        self.parts.reduction.attachments.reduce_force(&mut momenta);
        if let Some(body) = body {
            momenta[row] += self.change_of_momentum(body, &own);
        }
        clear_fixed(&mut momenta, &self.parts.reduction.fixed);
        let column = StepColumn {
            momenta,
            rows,
            q: self.change.end_q.clone(),
            u: self.change.end_u.clone(),
        };
        self.change.clear();
        column
    }

    /// Derivatives by the impulse of a row.
    pub(crate) fn impulse(&self, row: usize) -> StepColumn {
        let (multibody, parts) = (self.context.multibody, self.parts);
        let zeros = || vec![Vec3::zeros(); self.u0.len()];
        let (mut momenta, pattern) = (zeros(), parts.reduction.rows.pattern());
        for entry in pattern.entries(row) {
            momenta[pattern.blocks()[entry] as usize] -= parts.trial.reduced[entry];
        }
        clear_fixed(&mut momenta, &parts.reduction.fixed);
        let mut rows = vec![0.0; multibody.joints.rows.count()];
        rows[row] = multibody.joints.compliance[row].compliance / (self.w * self.h);
        StepColumn { momenta, rows, q: zeros(), u: zeros() }
    }

    /// Change of a point, or of the centre of a body.
    fn shift(&self, of: StepScalar, unit: Vec3) -> Own {
        let zero = Own::default();
        match of {
            StepScalar::MeanVelocity => {
                Own { end_q: unit * self.h, mean_u: unit, end_u: unit / self.w, ..zero }
            }
            StepScalar::StartPosition => Own { start_q: unit, end_q: unit, ..zero },
            StepScalar::StartVelocity => {
                Own { start_u: unit, end_u: unit * (1.0 - 1.0 / self.w), ..zero }
            }
        }
    }

    /// Change of the rotation of a body: turns in the axes of the world. That of the Cayley map by its vector 2 b is
    /// (I + b x) / (1 + b²).
    fn turn(&self, of: StepScalar, body: usize, unit: Vec3) -> Own {
        let row = self.context.multibody.bodies[body].row as usize + 1;
        let (start, end) = (&self.parts.start.turns[body], &self.parts.trial.bodies.turns[body]);
        let mut own = Own::default();
        match of {
            StepScalar::MeanVelocity => {
                let half = self.parts.trial.y[row] * (0.5 * self.h);
                own.mean_u = unit;
                own.end_q = (unit + half.cross(&unit)) * (self.h / (1.0 + half.norm_squared()));
            }
            StepScalar::StartPosition => {
                own.start_q = unit;
                own.end_q = end * start.tr_mul(&unit);
            }
            StepScalar::StartVelocity => own.start_u = unit,
        }
        own.end_u = own.end_q.cross(&self.parts.end_u[row]) + end * self.change_of_rate(body, &own);
        own
    }

    /// Weight of the end in the angular velocity of a body.
    fn rotation_weight(&self, body: usize) -> f64 {
        if self.parts.free[body] { 0.5 } else { self.w }
    }

    /// Change of the angular velocity at the end in body axes, R0^T (u0 + (y - u0) / w).
    fn change_of_rate(&self, body: usize, own: &Own) -> Vec3 {
        let row = self.context.multibody.bodies[body].row as usize + 1;
        let (weight, u0) = (self.rotation_weight(body), self.u0[row]);
        let rate = u0 + (self.parts.trial.y[row] - u0) / weight;
        let change = own.start_u + (own.mean_u - own.start_u) / weight;
        self.parts.start.turns[body].tr_mul(&(change + rate.cross(&own.start_q)))
    }

    /// Change of the difference of angular momenta, times the weight of the end.
    fn change_of_momentum(&self, body: usize, own: &Own) -> Vec3 {
        let rows = &self.context.multibody.bodies[body];
        let (inertia, row) = (rows.inertia.rotational(), rows.row as usize + 1);
        let (start, end) = (&self.parts.start.turns[body], &self.parts.trial.bodies.turns[body]);
        let in_body = end.tr_mul(&self.parts.end_u[row]);
        let after = own.end_q.cross(&(end * (inertia * in_body)))
            + end * (inertia * self.change_of_rate(body, own));
        let u0 = self.u0[row];
        let before = own.start_q.cross(&(start * (inertia * start.tr_mul(&u0))))
            + start * (inertia * start.tr_mul(&(own.start_u + u0.cross(&own.start_q))));
        (after - before) * self.rotation_weight(body)
    }

    /// Writes the change of a block row and of the points that are attached to it.
    fn spread(&mut self, row: usize, body: Option<usize>, own: Own) {
        let Self { change, parts, w, u0, attached_of, .. } = self;
        change.put(row, &own, own.end_u);
        if let Some(body) = body {
            let turned = [
                skew(&own.start_q) * parts.start.turns[body],
                skew(&own.end_q) * parts.trial.bodies.turns[body],
            ];
            change.mean_turns[body] = (turned[0] + turned[1]) * 0.5;
        }
        for (attached, weight) in &attached_of[row] {
            let mut of = own;
            let mut force_u = own.end_u;
            match weight {
                Weight::Share(share) => {
                    of = own.scaled(*share);
                    force_u = of.end_u;
                }
                Weight::Turned(body, arm) => {
                    let turns = [&parts.start.turns, &parts.trial.bodies.turns];
                    let [before, after] = turns.map(|turns| turns[*body as usize] * arm);
                    of.start_q = own.start_q.cross(&before);
                    of.end_q = own.end_q.cross(&after);
                    let lever = (of.start_q + of.end_q) * 0.5;
                    of.mean_u =
                        own.mean_u.cross(&(parts.trial.bodies.mean_turns[*body as usize] * arm))
                            + parts.trial.y[row].cross(&lever);
                    of.start_u = own.start_u.cross(&before) + u0[row].cross(&of.start_q);
                    of.end_u = own.end_u.cross(&after) + parts.end_u[row].cross(&of.end_q);
                    force_u = of.start_u * (1.0 - 1.0 / *w) + of.mean_u / *w;
                }
                Weight::Centre | Weight::Gradient(..) | Weight::Moving(_) => {}
            }
            change.put(*attached as usize, &of, force_u);
        }
    }

    /// Momenta and impulses of forces, on all block rows.
    fn add_forces(&self, momenta: &mut [Vec3]) {
        let Self { change, context, forces, h, w, .. } = self;
        let (masses, pattern) = (context.system.masses(), context.system.pattern());
        for &row in &change.moved {
            let row = row as usize;
            momenta[row] += (change.mean_u[row] - change.start_u[row]) * masses[row];
        }
        if !self.has_forces {
            return;
        }
        let [stiffness, damping] = &forces.end;
        let mut add = |matrix: &BlockMatrix, column: u32, by: Vec3| {
            if by == Vec3::zeros() {
                return;
            }
            for slot in pattern.row(column as usize) {
                let row = pattern.columns()[slot];
                if let Some(slot) = pattern.slot(row, column) {
                    momenta[row as usize] += matrix.block(slot as usize) * by;
                }
            }
        };
        for &moved in &change.moved {
            let row = moved as usize;
            add(stiffness, moved, change.end_q[row] * (w * w * h));
            add(damping, moved, change.force_u[row] * (w * w * h));
            if let Some([stiffness, damping]) = &forces.start {
                let share = w * (1.0 - w) * h;
                add(stiffness, moved, change.start_q[row] * share);
                add(damping, moved, change.start_u[row] * share);
            }
        }
    }

    /// Moments of what acts on attached points, by the change of their arms.
    fn add_levers(&self, row: usize, body: Option<usize>, momenta: &mut [Vec3]) {
        let Some(body) = body else { return };
        for (attached, weight) in &self.attached_of[row] {
            if let Weight::Turned(_, arm) = weight {
                let lever = self.change.mean_turns[body] * arm;
                momenta[row] += lever.cross(&self.loads[*attached as usize]);
            }
        }
    }

    /// Errors of the rows on what moved; their impulses are subtracted from `momenta`.
    fn add_rows(&self, row: usize, momenta: &mut [Vec3], errors: &mut [f64]) {
        let Self { change, parts, context, h, w, .. } = self;
        let joints = &context.multibody.joints;
        let at = Placement {
            q: &parts.trial.mean_q,
            turns: &parts.trial.bodies.mean_turns,
            coordinates: &parts.start.coordinates,
        };
        let by = Placement { q: &change.mean_q, turns: &change.mean_turns, coordinates: &[] };
        let mut vectors = Vec::new();
        for &k in &self.rows_of[row] {
            let k = k as usize;
            let (blocks, entries) = (&joints.rows.lists()[k], parts.reduction.entries(k));
            let along = |vectors: &[Vec3], q: &[Vec3]| -> f64 {
                let vectors = vectors[entries.clone()].iter();
                blocks.iter().zip(vectors).map(|(&block, by)| by.dot(&q[block as usize])).sum()
            };
            let [start, end] = &self.row_vectors;
            let (before, after) = (along(start, &change.start_q), along(end, &change.end_q));
            vectors.resize(blocks.len(), Vec3::zeros());
            if !joints.rows.change_of_product(k, (at, by), &mut vectors) {
                self.difference_vectors(k, (after - before) / h, &mut vectors);
            }
            let impulse = parts.trial.impulses[k];
            for (&block, by) in blocks.iter().zip(&vectors) {
                momenta[block as usize] -= by * impulse;
            }
            let soft = &joints.compliance[k];
            let damped = soft.compliance * soft.damping / h;
            errors[k] = match soft.compliance == 0.0 {
                true => after,
                false => after * (w + damped) + before * (1.0 - w - damped),
            };
        }
    }

    /// Change of the vectors of a row that is no product, by differences of them; its mean rate changes by `rate`.
    fn difference_vectors(&self, row: usize, rate: f64, vectors: &mut [Vec3]) {
        let Self { change, parts, h, .. } = self;
        let largest = change.mean_q.iter().fold(0.0, |most, q| f64::max(most, q.amax()));
        let by = SHIFT / largest.max(f64::MIN_POSITIVE);
        let now = (parts.trial.values[row] - parts.start.values[row]) / h;
        let mut sides = [vectors.to_vec(), vectors.to_vec()];
        for (side, vectors) in [-by, by].into_iter().zip(&mut sides) {
            let moved = |at: &[Vec3], change: &[Vec3]| -> Vec<Vec3> {
                at.iter().zip(change).map(|(at, change)| at + change * side).collect()
            };
            let q = moved(&parts.trial.mean_q, &change.mean_q);
            let y = moved(&parts.trial.y, &change.mean_u);
            let turns = parts.trial.bodies.mean_turns.iter().zip(&change.mean_turns);
            let turns: Vec<Mat3> = turns.map(|(at, change)| at + change * side).collect();
            let place = Placement { q: &q, turns: &turns, coordinates: &parts.start.coordinates };
            let mut reader = self.context.multibody.joints.rows.at(place);
            reader.coefficients(row, vectors);
            reader.meet(row, (&y, now + rate * side, *h), vectors);
        }
        let [low, high] = sides;
        for (value, (low, high)) in vectors.iter_mut().zip(low.iter().zip(&high)) {
            *value = (high - low) / (2.0 * by);
        }
    }
}

impl Change {
    fn new(size: usize, bodies: usize) -> Self {
        let zeros = || vec![Vec3::zeros(); size];
        Self {
            start_q: zeros(),
            end_q: zeros(),
            mean_q: zeros(),
            mean_turns: vec![Mat3::zeros(); bodies],
            mean_u: zeros(),
            start_u: zeros(),
            force_u: zeros(),
            end_u: zeros(),
            moved: Vec::new(),
        }
    }

    fn put(&mut self, row: usize, own: &Own, force_u: Vec3) {
        self.start_q[row] += own.start_q;
        self.end_q[row] += own.end_q;
        self.mean_q[row] += (own.start_q + own.end_q) * 0.5;
        self.mean_u[row] += own.mean_u;
        self.start_u[row] += own.start_u;
        self.force_u[row] += force_u;
        self.end_u[row] += own.end_u;
        // Weights of one attached point stand together.
        if self.moved.last() != Some(&(row as u32)) {
            self.moved.push(row as u32);
        }
    }

    fn clear(&mut self) {
        let Self { start_q, end_q, mean_q, mean_u, start_u, force_u, end_u, moved, .. } = self;
        for row in moved.drain(..) {
            for values in [
                &mut *start_q,
                &mut *end_q,
                &mut *mean_q,
                &mut *mean_u,
                &mut *start_u,
                &mut *force_u,
                &mut *end_u,
            ] {
                values[row as usize] = Vec3::zeros();
            }
        }
        self.mean_turns.fill(Mat3::zeros());
    }
}

impl Own {
    fn scaled(self, share: f64) -> Self {
        Self {
            start_q: self.start_q * share,
            end_q: self.end_q * share,
            mean_u: self.mean_u * share,
            start_u: self.start_u * share,
            end_u: self.end_u * share,
        }
    }
}

/// Momenta less the impulses of forces and rows of each attached point [N s].
fn loads(context: StepContext, parts: &Parts, impulses: &[Vec3]) -> Vec<Vec3> {
    let (system, joints) = (context.system, &context.multibody.joints);
    let mut loads = vec![Vec3::zeros(); impulses.len()];
    for row in parts.reduction.attachments.attached_rows().iter().map(|&row| row as usize) {
        loads[row] = parts.trial.y[row] * system.masses()[row] - impulses[row];
    }
    for (row, impulse) in parts.trial.impulses.iter().enumerate() {
        let vectors = &parts.trial.coefficients[parts.reduction.entries(row)];
        for (&block, by) in joints.rows.lists()[row].iter().zip(vectors) {
            loads[block as usize] -= by * *impulse;
        }
    }
    loads
}

/// Attached points with their weights, by what they are attached to.
type AttachedOf = Vec<Vec<(u32, Weight)>>;

/// Of each block row: the rows of constraints that know it, and the points that are attached to it.
fn incidences(multibody: &Multibody, size: usize) -> (Vec<Vec<u32>>, AttachedOf) {
    let (mut rows_of, mut attached_of) = (vec![Vec::new(); size], vec![Vec::new(); size]);
    let attachments = &multibody.attachments;
    for (k, &attached) in attachments.list.attached_rows().iter().enumerate() {
        let weights = &attachments.weights[attachments.list.weights(k)];
        for (&master, weight) in attachments.list.masters(k).iter().zip(weights) {
            attached_of[master as usize].push((attached, *weight));
        }
    }
    for (row, list) in multibody.joints.rows.lists().iter().enumerate() {
        for &block in list {
            let masters = attachments.resolved.masters_of(block);
            for &known in masters.map_or(&[block][..], |(masters, _)| masters) {
                let rows: &mut Vec<u32> = &mut rows_of[known as usize];
                if rows.last() != Some(&(row as u32)) {
                    rows.push(row as u32);
                }
            }
        }
    }
    (rows_of, attached_of)
}
