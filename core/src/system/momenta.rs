//! Momenta of what is prescribed, from step to step: reactions include the force that changes them. They are those of the mean
//! velocities of steps, so that the reactions of a run sum up to the change of momentum.

use nalgebra::UnitQuaternion;

use super::prescribed_body::PrescribedBody;
use super::{CompiledModel, State, Support};
use crate::dynamics::{turn_between, world_inertia};
use crate::state::PrescribedMomentum;
use crate::{Mat3, Vec3};

/// Momenta of the rows that a compiled model moves by itself, in the last step and the one before.
#[derive(Default)]
pub(crate) struct PrescribedMomenta {
    now: Vec<PrescribedMomentum>,
    before: Vec<PrescribedMomentum>,
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
    }

    /// Begins with the velocities of a state, before its first step.
    pub(crate) fn begin(&mut self, compiled: &CompiledModel, state: &State) {
        let now = &mut self.now;
        now.clear();
        for_prescribed(compiled, [state.time; 2], &mut |row, inertia, _| {
            let momentum = inertia.momentum(&state.u[row]);
            now.push(PrescribedMomentum { row: row as u32, momentum, force: Vec3::zeros() });
        });
    }

    /// Takes them over a step between two times [s].
    pub(crate) fn advance(&mut self, compiled: &CompiledModel, [start, end]: [f64; 2]) {
        if end <= start {
            return;
        }
        std::mem::swap(&mut self.now, &mut self.before);
        let (Self { now, before }, h) = (self, end - start);
        now.clear();
        for_prescribed(compiled, [start, end], &mut |row, inertia, change| {
            let (row, momentum) = (row as u32, inertia.momentum(&(change / h)));
            // The rows are those of before, unless a support began to move, which was at rest.
            let at = before.get(now.len()).filter(|it| it.row == row);
            let known = at.or_else(|| before.iter().find(|it| it.row == row));
            let force = (momentum - known.map_or(Vec3::zeros(), |it| it.momentum)) / h;
            now.push(PrescribedMomentum { row, momentum, force });
        });
    }
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

/// True if there are rows that a compiled model moves by itself.
pub(crate) fn moves_by_itself(compiled: &CompiledModel) -> bool {
    let points = compiled.points.supports.iter().any(is_moving);
    points || compiled.points.prescribed.iter().any(PrescribedBody::is_moving)
}

/// Hands every row that a compiled model moves by itself to `visit`, with its inertia at the end of a time span [s] and its
/// change in it [m], [rad].
fn for_prescribed(
    compiled: &CompiledModel,
    span: [f64; 2],
    visit: &mut dyn FnMut(usize, RowInertia, Vec3),
) {
    let rows = compiled.points.supports.chunk_by(|a, b| a.row == b.row);
    for row in rows.filter(|row| row.iter().any(is_moving)) {
        let mut change = Vec3::zeros();
        for Support { axis, displacement, schedule, .. } in row {
            let [from, to] = span.map(|time| schedule.at(time));
            change[*axis] = displacement * (to - from);
        }
        let row = row[0].row as usize;
        visit(row, RowInertia::Mass(compiled.points.masses[row]), change);
    }
    let Some(multibody) = &compiled.parts.multibody else { return };
    for body in compiled.points.prescribed.iter().filter(|body| body.is_moving()) {
        let Some(rows) = multibody.bodies.iter().find(|it| it.row == body.row) else {
            continue;
        };
        let [from, to] = span.map(|time| body.positions(time));
        let turns = [from[1], to[1]].map(UnitQuaternion::new);
        let row = body.row();
        visit(row, RowInertia::Mass(compiled.points.masses[row]), to[0] - from[0]);
        let inertia = RowInertia::Rotation(world_inertia(&rows.inertia, &turns[1]));
        visit(row + 1, inertia, turn_between(&turns[0], &turns[1]));
    }
}

/// True if the place of a support changes over time.
fn is_moving(support: &Support) -> bool {
    support.displacement != 0.0 && support.schedule.varies()
}
