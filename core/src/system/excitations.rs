//! Derivatives of a step of a compiled model by its excitations, and the motion of its targets; no
//! part of a step.

use super::compiled::for_parts;
use super::{CompiledModel, LoadCase, Motion, State};
use crate::Vec3;
use crate::component::{ComponentId, Handle};
use crate::constraint::{JointNumber, JointTerm};
use crate::force::{ExcitationSource, ExcitedStep, Fault, Kinematics, Part};
use crate::model::{CoordinateActuator, FrameLoad, Model, MuscleExciter, PointLoad};

impl CompiledModel {
    /// Source of excitation that a component is, by its place; `None` where it has no excitation, or was not compiled.
    pub fn excitation_source(&self, model: &Model, id: ComponentId) -> Option<ExcitationSource> {
        let places = &self.points.places;
        let bundle = || id.typed().and_then(|handle| places.bundles.place(handle));
        let exciter = || {
            let handle: Handle<MuscleExciter> = id.typed()?;
            model.iter::<MuscleExciter>().position(|(other, _)| other == handle)
        };
        let actuator = || {
            let handle: Handle<CoordinateActuator> = id.typed()?;
            model.iter::<CoordinateActuator>().position(|(other, _)| other == handle)
        };
        let load = || {
            let on_point = id.typed().and_then(|handle| {
                model.iter::<PointLoad>().position(|(other, _)| other == handle)
            });
            on_point.or_else(|| {
                let handle: Handle<FrameLoad> = id.typed()?;
                let on_body = model.iter::<FrameLoad>().position(|(other, _)| other == handle)?;
                Some(model.iter::<PointLoad>().count() + on_body)
            })
        };
        (places.line(id).map(ExcitationSource::Line))
            .or_else(|| bundle().map(ExcitationSource::Bundle))
            .or_else(|| exciter().map(ExcitationSource::Exciter))
            .or_else(|| actuator().map(ExcitationSource::Actuator))
            .or_else(|| load().map(ExcitationSource::Load))
    }

    /// Adds the derivative of the impulses [N s] of a step of backward Euler by an excitation that is held over it, to
    /// `impulses`, one a block row.
    ///
    /// # Errors
    /// The [`Fault`] of an element.
    pub fn add_excitation_impulses(
        &self,
        source: ExcitationSource,
        step: &ExcitedStep,
        impulses: &mut [Vec3],
    ) -> Result<(), Fault> {
        let add = |part: &Part, impulses: &mut [Vec3]| {
            self.for_batches(|e| e.add_excitation_impulses(part, source, step, impulses))
        };
        let rows = |part: &Part| part.rows.len();
        for_parts(self.parts.partition.parts(), &rows, impulses, &add).map_err(|e| e.fault)
    }

    /// Derivatives of coordinate `index` of a joint by displacements and turns of its carriers, as a term; `None` when the
    /// joint does not hold.
    pub(crate) fn coordinate_term(&self, joint: ComponentId, index: usize) -> Option<JointTerm> {
        let joints = &self.parts.multibody.as_ref()?.joints;
        let joint = &joints.placed[*joints.places.get(&joint)?];
        Some(JointTerm::of(joint, JointNumber::Coordinate(u8::try_from(index).ok()?)))
    }
}

/// The start of a step of `h` [s] as derivatives by excitations see it; `memory` of positions ahead and behind is filled.
pub(crate) fn excited_step<'a>(
    start: &'a State,
    (velocities, h): (&'a [Vec3], f64),
    [ahead, behind]: [&'a mut Vec<Vec3>; 2],
) -> ExcitedStep<'a> {
    let look = h * ExcitedStep::LOOK;
    for (places, sign) in [(&mut *ahead, look), (&mut *behind, -look)] {
        places.clear();
        places.extend(start.q.iter().zip(velocities).map(|(q, y)| q + y * sign));
    }
    let load = LoadCase::at(start.time + h);
    let kinematics = Kinematics { load, motion: Motion::of(start, h) };
    ExcitedStep { kinematics, velocities, ahead, behind }
}
