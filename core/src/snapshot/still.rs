//! Pictures of models that cannot be simulated, or are not yet: tissues at rest.

use std::sync::Arc;

use super::build::single;
use super::tissue::{self, Extra};
use super::{Item, Outline, Scene, Snapshot, Style};
use crate::Vec3;
use crate::geometry::recentring;
use crate::model::{FemModel, Model};

/// The tissues of `model` at rest, with the elements marked that have no volume there. Nothing is compiled.
pub fn still(model: &Model) -> Snapshot {
    let mut items = Vec::new();
    let mut places: Vec<Vec3> = Vec::new();
    for (fem, data) in model.iter::<FemModel>() {
        let first = places.len() as u32;
        places.extend(data.mesh.nodes.iter().copied());
        let nodes = (first..places.len() as u32).collect();
        let extra = Extra { bundled: false, ..Extra::of(model, fem) };
        let shape = tissue::shape_of(data, nodes, extra);
        items.push(Item { owner: fem.id(), style: Style::of(model, fem.id()), shape });
    }
    let finite = |p: &&Vec3| p.iter().all(|x| x.is_finite());
    let first = places.iter().find(finite).copied().unwrap_or_default();
    let spread = |(low, high): (Vec3, Vec3), p: &Vec3| (low.inf(p), high.sup(p));
    let (low, high) = places.iter().filter(finite).fold((first, first), spread);
    let origin = recentring(&low, &high).unwrap_or_default();
    let points: Vec<[f32; 3]> = places.iter().map(|p| single(&(p - origin))).collect();
    let bounds = [low, high].map(|p| single(&(p - origin)));
    let mut outline = Outline::of(model);
    outline.mark_drawn(items.iter().map(|item| item.owner));
    let (rest, outline) = (Arc::new(points.clone()), Arc::new(outline));
    let items = Arc::new(items);
    let scene = Scene { serial: 1, origin, bounds, rest, items, outline };
    Snapshot { scene: Arc::new(scene), serial: 1, points, ..Snapshot::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fem::{ElementKind, VolumeMesh};
    use crate::material::Law;
    use crate::snapshot::Shape;

    #[test]
    fn a_mesh_with_an_element_inside_out_is_drawn_and_the_element_is_marked() {
        let corner = |k: u32| Vec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2));
        let mut mesh = VolumeMesh::new((0..8).map(corner).collect());
        mesh.push_element(ElementKind::Tet4, &[0, 1, 2, 4]).unwrap();
        // Its nodes are in one plane: left-handed ones are turned over when they are added.
        mesh.push_element(ElementKind::Tet4, &[0, 1, 2, 3]).unwrap();
        let mut model = Model::new("bad");
        model.add(FemModel::new("bad", mesh, 1000.0, Law::ALL[0].spec()));
        assert!(model.clone().compile().is_err(), "it is to be one that cannot be simulated");
        let picture = still(&model);
        let [Item { shape: Shape::Tissue { faulty, triangles, .. }, .. }] =
            &picture.scene.items[..]
        else {
            panic!("{:?}", picture.scene.items)
        };
        let marked: Vec<u32> = faulty.iter().map(|it| it.element).collect();
        assert_eq!((marked, faulty[0].edges.len()), (vec![1], 6));
        assert!(!triangles.is_empty() && picture.points.len() == 8);
        assert_eq!(picture.scene.outline.name(), "bad");
    }
}
