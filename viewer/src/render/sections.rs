//! Sections and shrunken elements of tissues: made anew when the model, the plane or the colours change, and
//! kept while the camera moves.

use sinew::snapshot::{Shape, Snapshot};

use super::surfaces::Surfaces;
use crate::cuts::{Cuts, Plane};
use crate::geometry::{Soup, add_section, add_shrunk};
use crate::{ColorScale, View};

/// Inputs of a section.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Key {
    /// Model, scene and snapshot.
    pub(super) shown: [u64; 3],
    pub(super) exaggeration: f32,
    pub(super) scale: ColorScale,
    pub(super) cuts: Cuts,
    pub(super) shrink: f32,
}

impl Key {
    pub(super) fn of(snapshot: &Snapshot, view: &View) -> Self {
        let options = &view.options;
        Self {
            shown: [snapshot.model, snapshot.scene.serial, snapshot.serial],
            exaggeration: options.exaggeration,
            scale: options.color_scale(&snapshot.field),
            cuts: Cuts::of(options, snapshot.scene.origin),
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
        if self.key.as_ref() == Some(&key) {
            return false;
        }
        self.key = Some(key);
        update_soup(&mut self.soup, surfaces, snapshot, view);
        true
    }
}

/// Sections and shrunken elements of all tissues that are visible.
pub(crate) fn update_soup(soup: &mut Soup, surfaces: &Surfaces, snapshot: &Snapshot, view: &View) {
    soup.clear();
    let options = &view.options;
    let cuts = Cuts::of(options, snapshot.scene.origin);
    let narrow = |(n, d): Plane| (n.map(|x| x as f32).into(), d as f32);
    let sections = cuts.sections().map(|(plane, others)| {
        let others: Vec<_> = others.into_iter().map(narrow).collect();
        (narrow(plane), others)
    });
    let sections: Vec<(([f32; 3], f32), Vec<_>)> = sections.collect();
    for (place, item) in snapshot.scene.items.iter().enumerate() {
        let Shape::Tissue { inside, .. } = &item.shape else { continue };
        if !item.style.visible {
            continue;
        }
        let begin = soup.positions.len();
        if options.shrink > 0.0 && !cuts.sections_alone {
            add_shrunk(inside, &surfaces.points, options.shrink.min(1.0), soup);
        } else {
            for (plane, others) in &sections {
                add_section(inside, &surfaces.points, *plane, others, soup);
            }
        }
        soup.end_part(place, begin);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Slice, SliceKind};
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
        surfaces.update(&snapshot, view.options.color_scale(&snapshot.field));
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
