//! `bodies_00000.vtu`, ..: the surfaces of rigid bodies where they are, as parts of the frames; and `fixed_00000.vtu` of
//! those that stay where they are, written once for all frames.

use std::path::{Path, PathBuf};

use sinew::Vec3;
use sinew::component::Handle;
use sinew::constraint::Pose;
use sinew::io::{FieldRef, SurfaceFrame, WriteError, write_surface_vtu};
use sinew::model::{Model, RigidBody};
use sinew::system::{CompiledModel, State};

/// Prefix of the names of the files.
pub(super) const PREFIX: &str = "bodies_";
/// Prefix of the names of the files of fixed bodies.
pub(super) const FIXED: &str = "fixed_";

/// A body with a surface.
struct Drawn {
    body: Handle<RigidBody>,
    /// Vertices of the surface, in the frame of the body [m].
    vertices: Vec<Vec3>,
}

/// The surfaces of all bodies as one set of triangles.
pub(super) struct BodyFrames {
    drawn: Vec<Drawn>,
    triangles: Vec<[u32; 3]>,
    /// Positions of the vertices at the start [m].
    rest: Vec<Vec3>,
    /// Number of the body of each triangle: its place in `names`.
    numbers: Vec<f64>,
    names: Vec<String>,
}

impl BodyFrames {
    /// For the bodies of `model` that have a surface and move, or for those that are fixed; `None` without any.
    pub(super) fn of(model: &Model, fixed: bool) -> Option<Self> {
        let mut all = Self {
            drawn: Vec::new(),
            triangles: Vec::new(),
            rest: Vec::new(),
            numbers: Vec::new(),
            names: Vec::new(),
        };
        for (handle, body) in model.iter::<RigidBody>() {
            let Some(mesh) = body.mesh.as_ref().filter(|_| is_fixed(body) == fixed) else {
                continue;
            };
            let first = all.rest.len() as u32;
            let number = all.names.len() as f64;
            let triangles = mesh.triangles();
            all.triangles.extend(triangles.iter().map(|corners| corners.map(|k| first + k)));
            all.numbers.extend(triangles.iter().map(|_| number));
            let vertices = mesh.vertices();
            all.rest.extend(vertices.iter().map(|&v| body.pose.transform_point(&v.into()).coords));
            all.names.push(body.name.clone());
            all.drawn.push(Drawn { body: handle, vertices: vertices.to_vec() });
        }
        (!all.drawn.is_empty()).then_some(all)
    }

    /// Writes `state` to a file.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub(super) fn write(
        &self,
        path: &Path,
        compiled: &CompiledModel,
        state: &State,
    ) -> Result<(), WriteError> {
        let (mut positions, mut velocities) = (Vec::new(), Vec::new());
        for Drawn { body, vertices } in &self.drawn {
            let motion = compiled.body_motion(*body, state);
            let (pose, velocity, angular_velocity) =
                motion.expect("a body of the model was compiled with it");
            for vertex in vertices {
                let arm = pose.rotation * vertex;
                positions.push(pose.translation.vector + arm);
                velocities.push(velocity + angular_velocity.cross(&arm));
            }
        }
        let moved: Vec<Vec3> = positions.iter().zip(&self.rest).map(|(p, r)| p - r).collect();
        let frame = SurfaceFrame {
            triangles: &self.triangles,
            positions: &positions,
            point_data: &[
                ("displacement", FieldRef::Vectors(&moved)),
                ("velocity", FieldRef::Vectors(&velocities)),
            ],
            cell_data: &[("body", FieldRef::Scalars(&self.numbers))],
            labels: &[("body_names", &self.names)],
        };
        write_surface_vtu(path, &frame)
    }

    /// Poses of its bodies.
    fn poses(&self, compiled: &CompiledModel, state: &State) -> Vec<Pose> {
        let pose = |it: &Drawn| compiled.body_motion(it.body, state).map(|(pose, ..)| pose);
        self.drawn.iter().filter_map(pose).collect()
    }
}

/// True for a body that nothing moves but an edit.
fn is_fixed(body: &RigidBody) -> bool {
    let rests = body.velocity == Vec3::zeros() && body.angular_velocity == Vec3::zeros();
    !body.dynamic && body.keyframes.is_empty() && rests
}

/// The surfaces of fixed bodies, and the file that shows them where they are.
pub(super) struct FixedFrames {
    frames: BodyFrames,
    /// Poses that the latest file shows.
    poses: Vec<Pose>,
    /// Number of the frame that this file was written with.
    latest: Option<usize>,
}

impl FixedFrames {
    /// For the fixed bodies of `model` that have a surface; `None` without any.
    pub(super) fn of(model: &Model, compiled: &CompiledModel) -> Option<Self> {
        let frames = BodyFrames::of(model, true)?;
        let poses = frames.poses(compiled, &compiled.initial_state());
        Some(Self { frames, poses, latest: None })
    }

    /// The file that shows frame `count` of a former part of a run.
    pub(super) fn known(
        &mut self,
        count: usize,
        path: impl Fn(&str, usize) -> PathBuf,
    ) -> Option<PathBuf> {
        if path(FIXED, count).exists() {
            self.latest = Some(count);
        }
        self.latest.map(|latest| path(FIXED, latest))
    }

    /// The file that shows `state`, frame `count`, and whether it had to be written.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub(super) fn write(
        &mut self,
        count: usize,
        path: impl Fn(&str, usize) -> PathBuf,
        (compiled, state): (&CompiledModel, &State),
    ) -> Result<(PathBuf, bool), WriteError> {
        let poses = self.frames.poses(compiled, state);
        if let Some(latest) = self.latest.filter(|_| poses == self.poses) {
            return Ok((path(FIXED, latest), false));
        }
        let path = path(FIXED, count);
        self.frames.write(&path, compiled, state)?;
        (self.poses, self.latest) = (poses, Some(count));
        Ok((path, true))
    }
}

#[cfg(test)]
mod tests {
    use sinew_datasets::chain::{ChainParams, chain};

    use super::*;

    #[test]
    fn surfaces_go_with_their_bodies_and_each_triangle_knows_its_own() {
        let links = ChainParams { links: 2, ..ChainParams::default() };
        let model = chain(&links).unwrap();
        let frames = BodyFrames::of(&model, false).unwrap();
        assert_eq!(frames.names, ["link0", "link1"]);
        let half = frames.triangles.len() / 2;
        assert!(frames.numbers[..half].iter().all(|&number| number == 0.0));
        assert!(frames.triangles[half..].iter().flatten().all(|&k| k as usize >= half / 2));
        // The second link begins where the first ends, 0.2 m from the origin.
        let nearest = |k: usize| frames.triangles[k * half..][..half].iter().flatten();
        let nearest = |k| nearest(k).map(|&v| frames.rest[v as usize].x).fold(f64::MAX, f64::min);
        assert!(nearest(0).abs() < 1e-12 && (nearest(1) - 0.2).abs() < 1e-12);

        let directory = tempfile::tempdir().unwrap();
        let compiled = model.compile().unwrap();
        let start = compiled.initial_state();
        let path = directory.path().join("bodies_00007.vtu");
        frames.write(&path, &compiled, &start).unwrap();
        assert!(path.exists());
        let without = Model::new("nothing");
        assert!(BodyFrames::of(&without, false).is_none());
        assert!(BodyFrames::of(&model, true).is_none());
    }

    #[test]
    fn fixed_bodies_are_written_once_and_again_where_they_were_moved() {
        let mut model = chain(&ChainParams { links: 1, ..ChainParams::default() }).unwrap();
        let mut wall = model.iter::<RigidBody>().next().unwrap().1.clone().fixed();
        wall.name = "wall".to_owned();
        model.add(wall);
        let compiled = model.compile().unwrap();
        let mut fixed = FixedFrames::of(&model, &compiled).unwrap();
        let directory = tempfile::tempdir().unwrap();
        let path = |prefix: &str, number: usize| directory.path().join(format!("{prefix}{number}"));
        let mut state = compiled.initial_state();
        let mut write =
            |count: usize, state: &State| fixed.write(count, path, (&compiled, state)).unwrap();
        assert_eq!(write(0, &state), (path(FIXED, 0), true));
        assert_eq!(write(1, &state), (path(FIXED, 0), false));
        state.q.iter_mut().for_each(|q| q.x += 0.1);
        assert_eq!(write(2, &state), (path(FIXED, 2), true));
        assert_eq!(fixed.known(1, path), Some(path(FIXED, 2)));
    }
}
