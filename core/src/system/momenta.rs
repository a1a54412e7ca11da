//! Momenta of what is prescribed, from step to step: reactions include the force that changes them. Along a curve that is mass
//! times acceleration at the end of the step; where velocities jump, the jump over the length of the step. So the reactions to
//! even motions sum up to the change of momentum.

use nalgebra::UnitQuaternion;

use super::prescribed_body::PrescribedBody;
use super::supports::FIRST_MOMENT;
use super::{CompiledModel, State, Support};
use crate::dynamics::world_inertia;
use crate::state::PrescribedMomentum;
use crate::{Mat3, Vec3};

/// Momenta of the rows that a compiled model moves by itself, in the last step and the one before.
#[derive(Default)]
pub(crate) struct PrescribedMomenta {
    now: Vec<PrescribedMomentum>,
    before: Vec<PrescribedMomentum>,
    /// True before the first step of a run, in which no velocity jumps at the start.
    begins: bool,
}

impl PrescribedMomenta {
    /// Those of the last step; empty before the first.
    pub(crate) fn list(&self) -> &[PrescribedMomentum] {
        &self.now
    }

    /// True if nothing is known yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.now.is_empty()
    }

    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.now.clear();
    }

    /// Those of a state.
    pub(crate) fn restore(&mut self, state: &State) {
        self.now.clone_from(&state.prescribed);
        self.begins = false;
    }

    /// Begins with the velocities of a state, before a step of `h` [s] from there.
    pub(crate) fn begin(&mut self, compiled: &CompiledModel, state: &State, h: f64) {
        let Self { now, begins, .. } = self;
        *begins = state.time == compiled.points.initial.time;
        now.clear();
        for_prescribed(compiled, [state.time, state.time + h], &mut |it| {
            let (row, momentum) = (it.row as u32, it.inertias[0].momentum(&state.u[it.row]));
            now.push(PrescribedMomentum { row, momentum, force: Vec3::zeros() });
        });
    }

    /// Takes them over a step between two times [s].
    pub(crate) fn advance(&mut self, compiled: &CompiledModel, [start, end]: [f64; 2]) {
        if end <= start {
            return;
        }
        std::mem::swap(&mut self.now, &mut self.before);
        let (Self { now, before, begins }, h) = (self, end - start);
        now.clear();
        for_prescribed(compiled, [start, end], &mut |it| {
            let row = it.row as u32;
            let [first, momentum] =
                [0, 1].map(|end| it.inertias[end].momentum(&it.velocities[end]));
            // The rows are those of before, unless a support began to move, which was at rest.
            let at = before.get(now.len()).filter(|it| it.row == row);
            let known = at.or_else(|| before.iter().find(|it| it.row == row));
            let known = known.map_or(Vec3::zeros(), |it| it.momentum);
            let jump = if *begins { Vec3::zeros() } else { (first - known) / h };
            now.push(PrescribedMomentum { row, momentum, force: it.force(1) + jump });
        });
        *begins = false;
    }
}

/// Momenta of the rows that a compiled model moves by itself at a time [s], with the forces that change them and their
/// accelerations [m/s²], [rad/s²] right after it.
pub(crate) fn prescribed_at(
    compiled: &CompiledModel,
    time: f64,
) -> Vec<(PrescribedMomentum, Vec3)> {
    let mut found = Vec::new();
    for_prescribed(compiled, [time, time + FIRST_MOMENT], &mut |it| {
        let (row, momentum) = (it.row as u32, it.inertias[0].momentum(&it.velocities[0]));
        let acceleration = it.accelerations.map_or(Vec3::zeros(), |it| it[0]);
        found.push((PrescribedMomentum { row, momentum, force: it.force(0) }, acceleration));
    });
    found
}

/// Inertia of a row.
#[derive(Clone, Copy)]
enum RowInertia {
    /// [kg]
    Mass(f64),
    /// About the centre of mass, in the world [kg m²].
    Rotation(Mat3),
}

impl RowInertia {
    fn momentum(&self, velocity: &Vec3) -> Vec3 {
        match self {
            Self::Mass(mass) => velocity * *mass,
            Self::Rotation(inertia) => inertia * velocity,
        }
    }
}

/// A row in a step.
struct RowMotion {
    row: usize,
    /// At the start and at the end.
    inertias: [RowInertia; 2],
    velocities: [Vec3; 2],
    /// At the start and at the end of a curve; `None` where velocities are means of the step.
    accelerations: Option<[Vec3; 2]>,
}

impl RowMotion {
    /// Rate of the momentum along the curve at the start (0) or the end (1) of the step [N], [N m].
    fn force(&self, end: usize) -> Vec3 {
        let Some(accelerations) = &self.accelerations else { return Vec3::zeros() };
        let inertia = &self.inertias[end];
        let along = inertia.momentum(&accelerations[end]);
        match inertia {
            RowInertia::Mass(_) => along,
            RowInertia::Rotation(_) => {
                let turning = self.velocities[end];
                along + turning.cross(&inertia.momentum(&turning))
            }
        }
    }
}

/// True if there are rows that a compiled model moves by itself.
pub(crate) fn moves_by_itself(compiled: &CompiledModel) -> bool {
    let points = compiled.points.supports.iter().any(is_moving);
    points || compiled.points.prescribed.iter().any(PrescribedBody::is_moving)
}

/// Hands every row that a compiled model moves by itself to `visit`, with its motion in a step of this span [s].
fn for_prescribed(compiled: &CompiledModel, span: [f64; 2], visit: &mut dyn FnMut(RowMotion)) {
    let rows = compiled.points.supports.chunk_by(|a, b| a.row == b.row);
    for supports in rows.filter(|row| row.iter().any(is_moving)) {
        let (mut velocities, mut accelerations) = ([Vec3::zeros(); 2], [Vec3::zeros(); 2]);
        for Support { axis, displacement, schedule, .. } in supports {
            let ends = span.map(|time| schedule.rates(time, span));
            for end in 0..2 {
                velocities[end][*axis] = displacement * ends[end][0];
                accelerations[end][*axis] = displacement * ends[end][1];
            }
        }
        let row = supports[0].row as usize;
        let inertias = [RowInertia::Mass(compiled.points.masses[row]); 2];
        visit(RowMotion { row, inertias, velocities, accelerations: Some(accelerations) });
    }
    let Some(multibody) = &compiled.parts.multibody else { return };
    for body in compiled.points.prescribed.iter().filter(|body| body.is_moving()) {
        let Some(rows) = multibody.bodies.iter().find(|it| it.row == body.row) else {
            continue;
        };
        let ends = span.map(|time| body.rates(time, span));
        let mut turns = span.map(|time| UnitQuaternion::new(body.positions(time)[1]));
        if !body.is_curved() {
            turns[0] = turns[1];
        }
        let row = body.row();
        let mass = RowInertia::Mass(compiled.points.masses[row]);
        let inertia = turns.map(|turn| RowInertia::Rotation(world_inertia(&rows.inertia, &turn)));
        for (k, inertias) in [[mass; 2], inertia].into_iter().enumerate() {
            let velocities = [0, 1].map(|end| ends[end][0][k]);
            let accelerations = body.is_curved().then(|| [0, 1].map(|end| ends[end][1][k]));
            visit(RowMotion { row: row + k, inertias, velocities, accelerations });
        }
    }
}

/// True if the place of a support changes over time.
fn is_moving(support: &Support) -> bool {
    support.displacement != 0.0 && support.schedule.varies()
}
