//! Keyframes of what is prescribed, put into what is compiled while rows and forces stay.

use super::CompiledModel;
use super::supports::Support;
use super::time_course::TimeCourse;
use crate::component::{ComponentId, Handle, Invalidates, Kind};
use crate::kinds::KeyframeInterpolation;
use crate::model::{FemModel, Model, Particle, PointKeyframe, PointRef, RigidBody, Schedule};

impl Support {
    /// Takes a path in the place of that so far, without allocation where it is even and has as many keyframes.
    fn put_path(
        &mut self,
        keyframes: &[PointKeyframe],
        interpolation: KeyframeInterpolation,
        origin: f64,
    ) {
        let axis = self.axis;
        self.displacement = 1.0;
        match &mut self.schedule {
            TimeCourse::Schedule(Schedule::Table(rows)) if keyframes.len() <= 2 => {
                rows.clear();
                rows.extend(keyframes.iter().map(|it| [it.time, it.position[axis] - origin]));
            }
            other => *other = TimeCourse::of_path(keyframes, interpolation, (axis, origin)),
        }
    }
}

impl Model {
    /// Puts the keyframes of what is prescribed into the compiled form, where they changed since it was made.
    pub(super) fn update_paths(&self, compiled: &mut CompiledModel) {
        let Some(changes) = self.changes().since(compiled.seen) else { return };
        let moved = changes.filter(|change| change.invalidates.touches(Invalidates::MOTION));
        for id in moved.map(|change| change.id) {
            compiled.revision += 1;
            if let Some(particle) = id.typed::<Particle>() {
                self.update_particle(particle, compiled);
            } else if let Some(body) = id.typed::<RigidBody>() {
                self.update_body(body, compiled);
            } else if let Some(fem) = id.typed::<FemModel>() {
                self.update_supports(fem, compiled);
            } else if matches!(id.kind(), Kind::Joint | Kind::CustomJoint) {
                self.update_coordinates(id, compiled);
            }
        }
    }

    fn update_particle(&self, handle: Handle<Particle>, compiled: &mut CompiledModel) {
        let (Some(it), Some(row)) = (self.get(handle), compiled.find_row(handle.into())) else {
            return;
        };
        let origin = compiled.points.numbering.rest[row];
        for axis in 0..3 {
            if let Some(support) = support_at(&mut compiled.points.supports, row as u32, axis) {
                support.put_path(&it.keyframes, it.keyframe_interpolation, origin[axis]);
            }
        }
    }

    fn update_body(&self, handle: Handle<RigidBody>, compiled: &mut CompiledModel) {
        let Some(row) = compiled.body_rows(handle).map(|it| it.row as usize) else { return };
        let known = compiled.points.prescribed.iter_mut().find(|it| it.row() == row);
        if let (Some(it), Some(known)) = (self.get(handle), known) {
            known.put_path(it);
        }
    }

    fn update_coordinates(&self, joint: ComponentId, compiled: &mut CompiledModel) {
        let (Some(it), Some(known)) = (self.joint(joint), compiled.coordinates_of(joint)) else {
            return;
        };
        let Some(multibody) = &mut compiled.parts.multibody else { return };
        for path in multibody.joints.paths.iter_mut().filter(|it| known.contains(&it.coordinate)) {
            let settings = &it.coordinates[path.coordinate - known.start];
            if !settings.keyframes.is_empty() {
                path.course = TimeCourse::of_coordinate(settings);
            }
        }
    }

    fn update_supports(&self, handle: Handle<FemModel>, compiled: &mut CompiledModel) {
        let Some(fem) = self.get(handle) else { return };
        // In their order: a later support wins over an earlier one.
        for support in &fem.dirichlet {
            for &node in &support.nodes {
                let Some(row) = compiled.find_row(PointRef::FemNode(handle, node)) else {
                    continue;
                };
                for axis in (0..3).filter(|&axis| support.axes[axis]) {
                    let known = support_at(&mut compiled.points.supports, row as u32, axis);
                    if let (Some(known), false) = (known, support.keyframes.is_empty()) {
                        known.put_path(&support.keyframes, support.keyframe_interpolation, 0.0);
                    }
                }
            }
        }
    }
}

/// The support of a scalar; they are in the order of rows and axes.
fn support_at(supports: &mut [Support], row: u32, axis: usize) -> Option<&mut Support> {
    let at = supports.binary_search_by_key(&(row, axis), |it| (it.row, it.axis)).ok()?;
    Some(&mut supports[at])
}
