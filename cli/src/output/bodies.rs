//! `bodies_00000.vtu`, ..: the surfaces of rigid bodies where they are, as parts of the frames.

use std::path::{Path, PathBuf};

use sinew::Vec3;
use sinew::component::Handle;
use sinew::io::{FieldRef, SurfaceFrame, WriteError, write_surface_vtu};
use sinew::model::{Model, RigidBody};
use sinew::system::{CompiledModel, State};

/// Prefix of the names of the files.
pub(super) const PREFIX: &str = "bodies_";

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
    /// For the bodies of `model` that have a surface; `None` without any.
    pub(super) fn of(model: &Model) -> Option<Self> {
        let mut all = Self {
            drawn: Vec::new(),
            triangles: Vec::new(),
            rest: Vec::new(),
            numbers: Vec::new(),
            names: Vec::new(),
        };
        for (handle, body) in model.iter::<RigidBody>() {
            let Some(mesh) = &body.mesh else { continue };
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

    /// Writes `state` as frame `count` in `directory`; the path of the file.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub(super) fn write(
        &self,
        directory: &Path,
        count: usize,
        compiled: &CompiledModel,
        state: &State,
    ) -> Result<PathBuf, WriteError> {
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
        let path = directory.join(format!("{PREFIX}{count:05}.vtu"));
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
        write_surface_vtu(&path, &frame)?;
        Ok(path)
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
        let frames = BodyFrames::of(&model).unwrap();
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
        let path = frames.write(directory.path(), 7, &compiled, &start).unwrap();
        assert!(path.ends_with("bodies_00007.vtu") && path.exists());
        let without = Model::new("nothing");
        assert!(BodyFrames::of(&without).is_none());
    }
}
