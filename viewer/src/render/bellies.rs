//! Directions in which the bellies of muscles are thin: muscles lie flat on the bones beside them.

use sinew::snapshot::{Shape, Snapshot};

use crate::geometry::{across, cross, dot, minus, placed, plus, scaled, unit};

/// Points of bodies that are looked at: enough to tell on which side of a muscle a bone lies.
const MOST: usize = 6_000;

/// Distance over the extent of the model within which nearer points count no more.
const NEAR: f32 = 0.01;

/// Points on the surfaces of bodies that are shown.
#[derive(Debug, Default)]
pub(super) struct BonePoints {
    points: Vec<[f32; 3]>,
    /// Square of the distance within which nearer points count no more [m²].
    near: f32,
}

impl BonePoints {
    /// Looks at a snapshot of a model of this extent [m].
    pub(super) fn update(&mut self, snapshot: &Snapshot, extent: f32) {
        self.near = (NEAR * extent).powi(2).max(1e-20);
        self.points.clear();
        let bodies = || {
            snapshot.scene.items.iter().filter(|item| item.style.visible).filter_map(|item| {
                let Shape::Rigid { frame, vertices, .. } = &item.shape else { return None };
                Some((snapshot.frames.get(*frame as usize)?, vertices))
            })
        };
        let count: usize = bodies().map(|(_, vertices)| vertices.len()).sum();
        let stride = count.div_ceil(MOST).max(1);
        for (frame, vertices) in bodies() {
            self.points.extend(vertices.iter().step_by(stride).map(|&v| placed(frame, v)));
        }
    }

    /// Direction across a line through `middle` along which bones lie nearest, as a unit vector; zero where there is none.
    pub(super) fn thin_direction(&self, middle: [f32; 3], along: [f32; 3]) -> [f32; 3] {
        let axis = unit(along);
        let e = across(axis);
        let f = cross(axis, e);
        // Second moments of the directions to all points across the line, near ones first.
        let (mut ee, mut ef, mut ff) = (0.0, 0.0, 0.0);
        for &point in &self.points {
            let way = minus(point, middle);
            let weight = (dot(way, way) / self.near + 1.0).powi(-4);
            let (u, v) = (dot(way, e), dot(way, f));
            ee += weight * u * u;
            ef += weight * u * v;
            ff += weight * v * v;
        }
        if ee + ff <= 0.0 {
            return [0.0; 3];
        }
        let angle = 0.5 * (2.0 * ef).atan2(ee - ff);
        plus(scaled(e, angle.cos()), scaled(f, angle.sin()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use sinew::snapshot::{Frame, Item, Scene, Style};

    /// A model with a plate of points across an axis, this far from the origin.
    fn plate(axis: usize, height: f32) -> Snapshot {
        let mut model = sinew::model::Model::new("plate");
        let mesh = sinew::geometry::cuboid_mesh(&sinew::Vec3::repeat(0.1)).unwrap();
        let owner = model.add(sinew::model::RenderMesh::new("plate", mesh)).id();
        let style = Style::of(&model, owner);
        let grid = (0..441).map(|k| {
            let mut at = [0.0; 3];
            at[axis] = height;
            at[(axis + 1) % 3] = (k % 21) as f32 * 1e-3 - 1e-2;
            at[(axis + 2) % 3] = (k / 21) as f32 * 1e-3 - 1e-2;
            at
        });
        let (vertices, triangles) = (Arc::new(grid.collect()), Arc::default());
        let shape = Shape::Rigid { frame: 0, vertices, triangles };
        let items = Arc::new(vec![Item { owner, style, shape }]);
        let scene = Arc::new(Scene { items, ..Scene::default() });
        Snapshot { scene, frames: vec![Frame::default()], ..Snapshot::default() }
    }

    #[test]
    fn a_muscle_is_thin_across_the_bone_that_it_lies_on_whichever_side_it_is() {
        for height in [-6e-3, 6e-3] {
            for axis in 0..3 {
                let mut bones = BonePoints::default();
                bones.update(&plate(axis, height), 0.2);
                let mut along = [0.0; 3];
                along[(axis + 1) % 3] = 0.05;
                let thin = bones.thin_direction([0.0; 3], along);
                assert!(thin[axis].abs() > 0.99, "{thin:?} across axis {axis}");
            }
        }
        let none = BonePoints::default();
        assert_eq!(none.thin_direction([0.0; 3], [0.0, 0.0, 1.0]), [0.0; 3]);
    }
}
