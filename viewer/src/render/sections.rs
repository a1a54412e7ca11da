//! Sections and shrunken elements of tissues: made anew when the model, the plane or the colours change, and
//! kept while the camera moves.

use sinew::snapshot::{Shape, Snapshot};

use super::surfaces::Surfaces;
use crate::geometry::{Soup, add_section, add_shrunk};
use crate::{ColorScale, Slice, SliceKind, View};

/// Inputs of a section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Key {
    /// Model, scene and snapshot.
    pub(super) shown: [u64; 3],
    pub(super) exaggeration: f32,
    pub(super) scale: ColorScale,
    pub(super) slice: Option<Slice>,
    pub(super) shrink: f32,
}

impl Key {
    pub(super) fn of(snapshot: &Snapshot, view: &View) -> Self {
        let options = &view.options;
        Self {
            shown: [snapshot.model, snapshot.scene.serial, snapshot.serial],
            exaggeration: options.exaggeration,
            scale: ColorScale::of(options, &snapshot.field),
            slice: options.slice,
            shrink: options.shrink,
        }
    }
}

/// Sections, and what they were made from.
#[derive(Debug, Default)]
pub(super) struct Sections {
    pub(super) soup: Soup,
    key: Option<Key>,
}

impl Sections {
    /// Makes the sections of a snapshot, unless they are there; whether they are new.
    pub(super) fn update(&mut self, surfaces: &Surfaces, snapshot: &Snapshot, view: &View) -> bool {
        let key = Key::of(snapshot, view);
        if self.key.replace(key) == Some(key) {
            return false;
        }
        update_soup(&mut self.soup, surfaces, snapshot, view);
        true
    }
}

/// Sections and shrunken elements of all tissues that are visible.
pub(crate) fn update_soup(soup: &mut Soup, surfaces: &Surfaces, snapshot: &Snapshot, view: &View) {
    soup.clear();
    let options = &view.options;
    let plane = options.slice.and_then(|slice| slice.plane(snapshot.scene.origin));
    let alone = plane.is_some() && options.slice.is_some_and(|s| s.kind == SliceKind::Slice);
    for (place, item) in snapshot.scene.items.iter().enumerate() {
        let Shape::Tissue { inside, .. } = &item.shape else { continue };
        if !item.style.visible {
            continue;
        }
        let begin = soup.positions.len();
        if options.shrink > 0.0 && !alone {
            add_shrunk(inside, &surfaces.points, options.shrink.min(1.0), soup);
        } else if let Some((normal, d)) = plane {
            let normal: [f32; 3] = normal.map(|x| x as f32).into();
            add_section(inside, &surfaces.points, (normal, d as f32), soup);
        }
        soup.end_part(place, begin);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::Vec3;
    use sinew::fem::{ElementKind, VolumeMesh};
    use sinew::material::Law;
    use sinew::model::{FemModel, Model};
    use sinew::snapshot::still;

    #[test]
    fn a_section_is_kept_while_the_camera_moves_and_made_anew_when_the_plane_does() {
        let corner = |k: u32| Vec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2));
        let mut mesh = VolumeMesh::new((0..8).map(corner).collect());
        mesh.push_element(ElementKind::Tet4, &[0, 1, 2, 4]).unwrap();
        let mut model = Model::new("one");
        model.add(FemModel::new("one", mesh, 1000.0, Law::ALL[0].spec()));
        let snapshot = still(&model);
        let mut view = View::default();
        let plane =
            |x| Slice { origin: Vec3::new(x, 0.0, 0.0), normal: Vec3::x(), kind: SliceKind::Clip };
        view.options.slice = Some(plane(0.2));
        let mut surfaces = Surfaces::default();
        surfaces.prepare(&snapshot);
        surfaces.update(&snapshot, ColorScale::of(&view.options, &snapshot.field));
        let mut sections = Sections::default();
        assert!(sections.update(&surfaces, &snapshot, &view));
        assert_eq!(sections.soup.positions.len(), 3, "a tetrahedron is cut in a triangle");
        for _ in 0..3 {
            view.camera.orbit(0.1, 0.05);
            assert!(!sections.update(&surfaces, &snapshot, &view), "the camera moved");
        }
        view.options.slice = Some(plane(0.3));
        assert!(sections.update(&surfaces, &snapshot, &view), "the plane moved");
        let next = Snapshot { serial: snapshot.serial + 1, ..snapshot };
        assert!(sections.update(&surfaces, &next, &view), "the model moved");
    }
}
