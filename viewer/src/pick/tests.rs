//! Items that are picked are those that are seen.

use std::sync::Arc;

use sinew::component::ROOT;
use sinew::model::Model;
use sinew::snapshot::{Frame, Item, Lines, Scene, Style, Tetrahedra};

use super::*;
use crate::{Camera, Slice, SliceKind};

const SIZE: [u32; 2] = [200, 200];

/// A tissue of one tetrahedron.
fn tetrahedron() -> Shape {
    Shape::Tissue {
        nodes: Arc::new(vec![0, 1, 2, 3]),
        triangles: Arc::new(vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]),
        faces: Arc::default(),
        face_sets: Arc::default(),
        edges: Arc::default(),
        inside: Arc::new(Tetrahedra { corners: vec![[0, 1, 2, 3]], elements: vec![0] }),
        fibres: Arc::default(),
        threaded: false,
        faulty: Arc::default(),
    }
}

/// A tetrahedron about (1, 1, 1), a plate at z = -1 in a turned frame, a line in front of both.
fn scene() -> Snapshot {
    let style = Style { visible: true, ..Style::of(&Model::new("m"), ROOT) };
    let item = |shape| Item { owner: ROOT, style, shape };
    let corners = [[-9.0, -9.0], [9.0, -9.0], [9.0, 9.0], [-9.0, 9.0]];
    let plate = Shape::Rigid {
        frame: 0,
        vertices: Arc::new(corners.map(|[x, y]| [x, y, 0.0]).to_vec()),
        triangles: Arc::new(vec![[0, 1, 2], [0, 2, 3]]),
    };
    let line = Shape::Lines(Lines { points: vec![4, 5], value: 0, muscle: false });
    let scene = Scene {
        origin: Vec3::new(1.0, 1.0, 1.0),
        bounds: [[-1.0; 3], [1.0; 3]],
        items: Arc::new(vec![item(tetrahedron()), item(plate), item(line)]),
        ..Scene::default()
    };
    Snapshot {
        scene: Arc::new(scene),
        points: vec![
            [-0.2, -0.2, 0.0],
            [0.6, -0.2, 0.0],
            [-0.2, 0.6, 0.0],
            [-0.2, -0.2, 0.8],
            [-0.9, 0.8, 0.5],
            [0.9, 0.8, 0.5],
        ],
        frames: vec![Frame { position: [0.0, 0.0, -1.0], rotation: [0.0, 0.0, 1.0, 0.0] }],
        ..Snapshot::default()
    }
}

/// From above, looking at (1, 1, 1).
fn above() -> View {
    let mut camera = Camera::seen_from(Vec3::z());
    (camera.target, camera.distance) = (Vec3::new(1.0, 1.0, 1.0), 5.0);
    View { camera, ..View::default() }
}

fn at(snapshot: &Snapshot, view: &View, point: [f64; 3]) -> Option<Hit> {
    let world = Vec3::from(point) + snapshot.scene.origin;
    let (pixel, _) = view.camera.project(world, SIZE)?;
    pick(snapshot, view, SIZE, pixel)
}

#[test]
fn a_tissue_is_grabbed_at_the_nearest_node_of_the_face_that_is_seen() {
    let hit = at(&scene(), &above(), [-0.15, -0.15, 0.7]).unwrap();
    assert_eq!((hit.item, hit.grabbed), (0, DragPoint::Point(3)));
    assert!((hit.point - Vec3::new(0.85, 0.85, 1.7)).norm() < 0.1, "{}", hit.point);
    assert!((hit.distance - 4.3).abs() < 0.1, "{}", hit.distance);
}

#[test]
fn a_body_is_grabbed_at_the_place_in_its_frame() {
    let hit = at(&scene(), &above(), [0.7, -0.7, -1.0]).unwrap();
    let DragPoint::Body(_, place) = hit.grabbed else { panic!("{:?}", hit.grabbed) };
    // Its frame is turned by half about z.
    assert!((place - Vec3::new(-0.7, 0.7, 0.0)).norm() < 1e-5, "{place}");
}

#[test]
fn a_line_is_hit_near_it_by_its_nearer_end_and_not_farther_off() {
    let hit = at(&scene(), &above(), [0.5, 0.8, 0.5]).unwrap();
    assert_eq!((hit.item, hit.grabbed), (2, DragPoint::Point(5)));
    assert_eq!(at(&scene(), &above(), [0.5, 0.95, 0.5]).unwrap().item, 1);
    let mut hidden = above();
    hidden.options.lines = false;
    assert_eq!(at(&scene(), &hidden, [0.5, 0.8, 0.5]).unwrap().item, 1);
}

#[test]
fn what_is_cut_away_is_not_picked_and_the_section_is() {
    let mut view = above();
    let origin = Vec3::new(1.0, 1.0, 1.2);
    view.options.slice = Some(Slice { origin, normal: Vec3::z(), kind: SliceKind::Clip });
    let hit = at(&scene(), &view, [-0.1, -0.1, 0.2]).unwrap();
    assert_eq!(hit.item, 0);
    assert!((hit.point.z - 1.2).abs() < 1e-6, "{}", hit.point);
    view.options.slice =
        Some(Slice { origin: Vec3::new(1.0, 1.0, 0.9), normal: Vec3::z(), kind: SliceKind::Slice });
    assert_eq!(at(&scene(), &view, [-0.1, -0.1, 0.2]).unwrap().item, 1);
}

#[test]
fn nothing_is_picked_beside_everything_and_what_is_invisible_is_looked_through() {
    assert_eq!(
        at(&scene(), &View { camera: Camera::seen_from(-Vec3::x()), ..above() }, [0.0, 0.0, 30.0]),
        None
    );
    let mut snapshot = scene();
    let mut changed = (*snapshot.scene).clone();
    Arc::make_mut(&mut changed.items)[0].style.visible = false;
    snapshot.scene = Arc::new(changed);
    assert_eq!(at(&snapshot, &above(), [0.0, 0.0, 0.0]).unwrap().item, 1);
}

#[test]
fn a_box_takes_what_has_a_point_in_it() {
    let (snapshot, view) = (scene(), above());
    assert_eq!(
        pick_box(&snapshot, &view, SIZE, [[200.0, 200.0], [0.0, 0.0]], PickClasses::ALL),
        vec![ROOT]
    );
    assert!(
        pick_box(&snapshot, &view, SIZE, [[0.0, 0.0], [3.0, 3.0]], PickClasses::ALL).is_empty()
    );
}

#[test]
fn several_planes_each_take_their_part_and_sections_alone_do_not_cut_each_other() {
    let mut view = above();
    let at_height = |z: f64| Vec3::new(1.0, 1.0, 1.0 + z);
    let level = |z, kind| Slice { origin: at_height(z), normal: Vec3::z(), kind };
    let side = |kind| Slice { origin: Vec3::new(1.1, 1.0, 1.0), normal: Vec3::x(), kind };
    view.options.slice = Some(level(0.2, SliceKind::Clip));
    view.options.further_planes = vec![side(SliceKind::Clip)];
    // On the level section, on this side of the other plane and beyond it, where the plate is seen.
    let hit = at(&scene(), &view, [-0.1, -0.1, 0.2]).unwrap();
    assert!(hit.item == 0 && (hit.point.z - 1.2).abs() < 1e-6, "{hit:?}");
    let corner = [0.2, -0.15, 0.2];
    assert!(at(&scene(), &view, corner).is_none_or(|hit| hit.item != 0));
    // Sections alone do not cut each other.
    view.options.slice = Some(level(0.2, SliceKind::Slice));
    view.options.further_planes = vec![side(SliceKind::Slice)];
    let hit = at(&scene(), &view, corner).unwrap();
    assert!(hit.item == 0 && (hit.point.z - 1.2).abs() < 1e-6, "{hit:?}");
    // A grid cuts nothing.
    view.options.further_planes.clear();
    view.options.slice = Some(level(0.2, SliceKind::Grid));
    assert!(at(&scene(), &view, [-0.15, -0.15, 0.7]).unwrap().point.z > 1.5);
}

#[test]
fn a_box_takes_the_classes_that_it_selects() {
    let (snapshot, view) = (scene(), above());
    let taken = |classes| pick_box(&snapshot, &view, SIZE, [[0.0; 2], [200.0; 2]], classes);
    // The owner of all of it is the root, which is of no class of its own.
    let mut classes = PickClasses::ALL;
    classes.set(PickClass::Others, false);
    assert!(taken(classes).is_empty());
    assert_eq!(classes.describe().split(", ").count(), PickClass::ALL.len() - 1);
    let mut classes = PickClasses::NONE;
    assert!(taken(classes).is_empty() && classes.describe() == "nothing");
    classes.set(PickClass::Others, true);
    assert_eq!((taken(classes), classes.describe()), (vec![ROOT], "others".to_owned()));
}

#[test]
fn what_is_drawn_farther_from_rest_is_picked_and_cut_where_it_is_drawn() {
    let mut snapshot = scene();
    let mut changed = (*snapshot.scene).clone();
    let mut rest = snapshot.points.clone();
    // The tip of the tetrahedron was half as high; the line has no rest.
    rest[3][2] = 0.4;
    rest[4..].fill([f32::NAN; 3]);
    changed.rest = Arc::new(rest);
    snapshot.scene = Arc::new(changed);
    let mut view = above();
    let high = |view: &View| at(&snapshot, view, [-0.15, -0.15, 0.7]).unwrap().point.z - 1.0;
    let once = high(&view);
    view.options.exaggeration = 2.0;
    let twice = high(&view);
    // The face is as steep as the tip is high; the line of sight is nearly upright.
    assert!((twice / once - 1.5).abs() < 0.1, "{twice} of {once}");
    let hit = at(&snapshot, &view, [0.5, 0.8, 0.5]).unwrap();
    assert_eq!((hit.item, hit.grabbed), (2, DragPoint::Point(5)));
    let origin = Vec3::new(1.0, 1.0, 1.9);
    view.options.slice = Some(Slice { origin, normal: Vec3::z(), kind: SliceKind::Clip });
    let hit = at(&snapshot, &view, [-0.15, -0.15, 0.9]).unwrap();
    assert!(hit.item == 0 && (hit.point.z - 1.9).abs() < 1e-6, "{hit:?}");
    let boxed = |view: &View| {
        let tip = Vec3::new(0.8, 0.8, 2.2);
        let ([x, y], _) = view.camera.project(tip, SIZE).unwrap();
        let corners = [[x - 2.0, y - 2.0], [x + 2.0, y + 2.0]];
        !pick_box(&snapshot, view, SIZE, corners, PickClasses::ALL).is_empty()
    };
    view.options.slice = None;
    assert!(boxed(&view));
    view.options.exaggeration = 0.5;
    assert!(!boxed(&view));
}
