//! Pictures without a window, against those that are kept in `golden/`, and what each option does to one.

mod common;
#[path = "pictures/publication.rs"]
mod publication;

use common::{SIZE, TOLERANCE, beam, difference, drawn, golden, studio, view_of};
use sinew::Vec3;
use sinew::snapshot::{Quantity, Snapshot};
use sinew_viewer::{
    Background, ColorMap, ColorRange, LineColors, Projection, Slice, SliceKind, View, ViewerError,
};

/// The beam as its style colours it.
fn plain() -> Snapshot {
    let mut snapshot = beam();
    snapshot.field.quantity = Quantity::None;
    snapshot
}

fn cut(kind: SliceKind) -> Option<Slice> {
    Some(Slice { origin: Vec3::new(0.5, 0.0, 0.0), normal: -Vec3::y(), kind })
}

#[test]
fn a_bent_beam_looks_as_it_did() {
    golden("beam", &beam(), &view_of(&beam(), "iso"));
}

#[test]
fn a_section_shows_the_inside_by_the_map() {
    let mut view = view_of(&beam(), "iso");
    view.options.slice = cut(SliceKind::Clip);
    golden("section", &beam(), &view);
}

#[test]
fn what_is_translucent_shows_what_lies_in_it() {
    let mut view = view_of(&beam(), "-y");
    view.camera.projection = Projection::Orthographic;
    view.options.opacity = 0.4;
    view.options.background = Background::Dark;
    (view.options.frames, view.options.contacts) = (true, true);
    golden("translucent", &plain(), &view);
}

#[test]
fn shrunken_elements_stand_apart() {
    let mut view = view_of(&beam(), "iso");
    view.options.shrink = 0.3;
    view.options.color_map = ColorMap::Coolwarm;
    golden("shrunken", &beam(), &view);
}

#[test]
fn fibres_are_seen_through_the_tissue_that_they_are_in() {
    let mut view = view_of(&beam(), "-y");
    view.options.fibres = true;
    golden("fibres", &plain(), &view);
}

#[test]
fn a_bend_that_is_drawn_twice_looks_as_it_did() {
    let mut view = view_of(&beam(), "iso");
    view.options.exaggeration = 2.0;
    view.options.slice = cut(SliceKind::Clip);
    golden("exaggerated", &beam(), &view);
}

#[test]
fn a_selected_tissue_has_a_line_around_it_and_keeps_its_colours() {
    let snapshot = beam();
    let mut view = view_of(&snapshot, "iso");
    // Hollows are darker beside the line, too.
    view.options.ambient_occlusion = false;
    let without = drawn(&snapshot, &view);
    view.options.selection = vec![snapshot.scene.items[0].owner];
    golden("selected", &snapshot, &view);
    let with = drawn(&snapshot, &view);
    let changed: Vec<_> =
        without.pixels.iter().zip(&with.pixels).filter(|(a, b)| a != b).map(|(_, b)| b).collect();
    let share = changed.len() as f32 / with.pixels.len() as f32;
    // Some pixels wide, around a beam that fills a fifth of the picture.
    assert!((0.005..0.06).contains(&share), "{share} of the picture changed");
    let orange = changed.iter().filter(|p| i32::from(p[0]) > i32::from(p[2]) + 30).count();
    assert!(orange * 10 > changed.len() * 7, "{orange} of {} are orange", changed.len());
}

#[test]
fn a_muscle_that_is_cut_open_is_not_dark_inside() {
    let snapshot = plain();
    let mut view = view_of(&snapshot, "+x");
    let middle = Vec3::new(0.3, -0.235, 0.29);
    (view.camera.target, view.camera.distance) = (middle, 0.1);
    view.options.ambient_occlusion = false;
    view.options.slice = Some(Slice { origin: middle, normal: Vec3::x(), kind: SliceKind::Clip });
    let image = drawn(&snapshot, &view);
    let [red, green, ..] = image.at(SIZE[0] / 2, SIZE[1] / 2);
    // Lit from inside out, its wall would have a red of some 120.
    assert!(red > 150 && green < red / 2, "{red} {green}");
}

#[test]
fn a_plane_beyond_everything_changes_nothing() {
    let snapshot = beam();
    let mut view = view_of(&snapshot, "iso");
    let without = drawn(&snapshot, &view);
    view.options.slice =
        Some(Slice { origin: Vec3::new(9.0, 0.0, 0.0), normal: Vec3::x(), kind: SliceKind::Clip });
    let apart = difference(&without, &drawn(&snapshot, &view));
    assert!(apart < 1e-3, "{apart}");
}

#[test]
fn two_planes_take_away_what_lies_above_either_and_a_grid_takes_nothing() {
    let snapshot = beam();
    let mut view = view_of(&snapshot, "iso");
    (view.options.grid, view.options.axes, view.options.color_bar) = (false, false, false);
    view.options.ambient_occlusion = false;
    let plane = |normal| Slice { origin: Vec3::new(0.5, 0.0, 0.0), normal, kind: SliceKind::Clip };
    view.options.background = Background::White;
    let mut count = |first: Option<Slice>, second: &[Slice]| {
        (view.options.slice, view.options.further_planes) = (first, second.to_vec());
        let image = drawn(&snapshot, &view);
        image.pixels.iter().filter(|pixel| pixel[..3].iter().any(|c| *c < 235)).count()
    };
    let [y, x] = [plane(-Vec3::y()), plane(Vec3::x())];
    let (whole, by_y, by_x) = (count(None, &[]), count(Some(y), &[]), count(Some(x), &[]));
    let both = count(Some(y), &[x]);
    assert!(by_y < whole && by_x < whole, "{whole} {by_y} {by_x}");
    assert!(both < by_y && both < by_x && both > whole / 20, "{both} of {by_y} and {by_x}");
    // In the other order the same is seen, but for the pixels of edges.
    let swapped = count(Some(x), &[y]);
    assert!(swapped.abs_diff(both) < whole / 100, "{swapped} and {both}");
    let lined = count(None, &[Slice { kind: SliceKind::Grid, ..x }]);
    assert!(lined > whole, "a grid is drawn: {lined} beside {whole}");
}

/// An option, and what it does to a view.
type Change = (&'static str, fn(&mut View));

#[test]
fn every_large_option_changes_the_picture_beyond_the_tolerance_of_the_kept_ones() {
    let snapshot = beam();
    let base = view_of(&snapshot, "iso");
    let first = drawn(&snapshot, &base);
    let changes: [Change; 13] = [
        ("camera", |view| view.camera.orbit(0.1, 0.0)),
        ("projection", |view| view.camera.projection = Projection::Orthographic),
        ("color map", |view| view.options.color_map = ColorMap::Magma),
        ("range", |view| view.options.range = ColorRange::Fixed([0.0, 4000.0])),
        ("background", |view| view.options.background = Background::Dark),
        ("slice", |view| view.options.slice = cut(SliceKind::Clip)),
        ("section", |view| view.options.slice = cut(SliceKind::Slice)),
        ("shrink", |view| view.options.shrink = 0.4),
        ("exaggeration", |view| view.options.exaggeration = 1.5),
        ("fibres", |view| view.options.fibres = true),
        ("wireframe", |view| view.options.wireframe = true),
        ("edges", |view| view.options.edges = true),
        ("opacity", |view| view.options.opacity = 0.3),
    ];
    for (name, change) in changes {
        let mut view = base.clone();
        change(&mut view);
        let apart = difference(&first, &drawn(&snapshot, &view));
        assert!(apart > TOLERANCE, "{name}: {apart}");
    }
}

#[test]
fn small_marks_are_seen() {
    let snapshot = plain();
    let base = view_of(&snapshot, "iso");
    let first = drawn(&snapshot, &base);
    let changes: [Change; 10] = [
        ("axes", |view| view.options.axes = false),
        ("grid", |view| view.options.grid = false),
        ("nodes", |view| view.options.nodes = true),
        ("lines", |view| view.options.lines = false),
        ("solid lines", |view| view.options.solid_lines = false),
        ("points", |view| view.options.points = false),
        ("frames", |view| view.options.frames = true),
        ("joints", |view| view.options.joints = true),
        ("contacts", |view| view.options.contacts = true),
        ("colours of lines", |view| view.options.line_colors = LineColors::Tension),
    ];
    for (name, change) in changes {
        let mut view = base.clone();
        change(&mut view);
        let second = drawn(&snapshot, &view);
        let changed = first.pixels.iter().zip(&second.pixels).filter(|(a, b)| a != b).count();
        assert!(changed > 2, "{name}: {changed} pixels");
    }
}

#[test]
fn the_selected_part_alone_is_highlighted() {
    let snapshot = plain();
    let mut view = view_of(&snapshot, "iso");
    view.options.ambient_occlusion = false;
    let first = drawn(&snapshot, &view);
    view.options.selection = vec![snapshot.scene.items[1].owner];
    let second = drawn(&snapshot, &view);
    let changed = first.pixels.iter().zip(&second.pixels).filter(|(a, b)| a != b).count();
    let share = changed as f32 / first.pixels.len() as f32;
    assert!((0.005..0.2).contains(&share), "{share} of the picture changed");
}

#[test]
fn hollows_are_darker_and_nothing_is_lighter() {
    let snapshot = plain();
    let mut view = view_of(&snapshot, "iso");
    let with = drawn(&snapshot, &view);
    view.options.ambient_occlusion = false;
    let without = drawn(&snapshot, &view);
    let sums = |p: &[u8; 4]| p[..3].iter().map(|c| i32::from(*c)).sum::<i32>();
    let pairs = || with.pixels.iter().zip(&without.pixels).map(|(a, b)| sums(a) - sums(b));
    assert!(pairs().all(|change| change <= 2), "{:?}", pairs().max());
    assert!(pairs().filter(|change| *change < -3).count() > 50);
}

#[test]
fn a_transparent_background_is_clear_and_the_model_is_not() {
    let snapshot = plain();
    let mut view = view_of(&snapshot, "iso");
    view.options.background = Background::Transparent;
    (view.options.grid, view.options.axes) = (false, false);
    let image = drawn(&snapshot, &view);
    assert_eq!(image.at(2, 2)[3], 0);
    assert_eq!(image.at(85, 110)[3], 255);
}

#[test]
fn the_same_picture_comes_out_twice_and_a_newer_snapshot_moves_it() {
    let mut snapshot = beam();
    let view = view_of(&snapshot, "iso");
    let first = drawn(&snapshot, &view);
    assert_eq!(drawn(&snapshot, &view), first);
    snapshot.points.iter_mut().for_each(|p| p[2] += 0.05);
    snapshot.serial += 1;
    assert!(difference(&drawn(&snapshot, &view), &first) > TOLERANCE);
}

#[test]
fn a_window_on_a_software_adapter_shows_the_same_but_for_its_edges() {
    let snapshot = beam();
    let mut view = view_of(&snapshot, "iso");
    for opacity in [1.0, 0.5] {
        view.options.opacity = opacity;
        let smooth = drawn(&snapshot, &view);
        let mut window = sinew_viewer::Studio::as_in_window().expect("an adapter");
        let rough = window.picture(&snapshot, &view, SIZE).expect("it is drawn");
        let far = |(a, b): (&[u8; 4], &[u8; 4])| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 32);
        let differ = smooth.pixels.iter().zip(&rough.pixels).filter(|pair| far(*pair)).count();
        assert!(differ * 20 < smooth.pixels.len(), "{differ} pixels at opacity {opacity}");
    }
}

#[test]
fn an_empty_scene_is_a_background_and_a_picture_without_pixels_is_refused() {
    let empty = Snapshot::default();
    let image = drawn(&empty, &View::default());
    assert_eq!(image.pixels.len(), (SIZE[0] * SIZE[1]) as usize);
    let refused = studio().picture(&empty, &View::default(), [0, 5]);
    assert!(matches!(refused, Err(ViewerError::Size { .. })), "{refused:?}");
}
