//! Pictures in the style of publications: shadows, light in tissue, substances, outlines, titles of parts.

use std::sync::Arc;

use sinew::Vec3;
use sinew::constraint::Pose;
use sinew::geometry::{SurfaceMesh, cuboid_mesh, icosphere_mesh};
use sinew::model::{Model, RigidBody};
use sinew::property::Substance;
use sinew::schedule::Simulation;
use sinew::snapshot::{Capture, Snapshot, Wanted};
use sinew::solve::SolverSettings;
use sinew_viewer::{Image, PictureStyle, View};

use crate::common::{SIZE, beam, drawn, golden, style, view_of};
use crate::plain;

/// Bodies that stay where they are: name, surface, place [m].
fn bodies<const N: usize>(parts: [(&str, SurfaceMesh, Vec3); N]) -> Snapshot {
    let mut model = Model::new("bodies");
    for (name, mesh, place) in parts {
        let body = RigidBody::from_mesh(name, mesh, 1000.0);
        model.add(body.at(Pose::new(place, Vec3::zeros())).fixed());
    }
    let mut simulation = Simulation::new(model, SolverSettings::default()).unwrap();
    let mut snapshot = Snapshot::default();
    Capture::new().capture(&mut simulation, 0, &Wanted::default(), &mut snapshot).unwrap();
    snapshot
}

/// A ball of this radius above a large plate [m].
fn ball_over_plate(radius: f64) -> Snapshot {
    let plate = cuboid_mesh(&Vec3::new(2.0, 2.0, 0.1)).unwrap();
    let ball = icosphere_mesh(radius, 3).unwrap();
    bodies([("plate", plate, Vec3::zeros()), ("ball", ball, Vec3::z() * 0.45)])
}

fn published(snapshot: &Snapshot, direction: &str) -> View {
    let mut view = view_of(snapshot, direction);
    view.options = view.options.for_publication();
    view
}

fn light(image: &Image, x: u32, y: u32) -> i32 {
    image.at(x, y)[..3].iter().map(|c| i32::from(*c)).sum()
}

#[test]
fn a_beam_with_bone_and_muscle_looks_as_it_did() {
    let mut view = published(&plain(), "iso");
    view.options.outlines = true;
    golden("publication", &plain(), &view);
}

#[test]
fn a_shadow_falls_away_from_the_light_and_is_soft_at_its_edge() {
    let snapshot = ball_over_plate(0.25);
    let mut view = published(&snapshot, "+z");
    view.options.ambient_occlusion = false;
    let image = drawn(&snapshot, &view);
    // The light comes from the upper left: below right of the ball, half its width beside it, lies its shadow.
    let middle = SIZE.map(|n| n / 2);
    let scale = 0.8 * f64::from(SIZE[1]) / 2.0;
    let off = (0.36 * scale) as u32;
    let (dark, bright) = (
        light(&image, middle[0] + off, middle[1] + off),
        light(&image, middle[0] - off, middle[1] - off),
    );
    assert!(dark * 10 < bright * 8, "{dark} in the shadow, {bright} in the light");
    // Across the edge of the shadow the light rises over several pixels, not at once.
    let row: Vec<i32> =
        (0..60).map(|k| light(&image, middle[0] + off + k, middle[1] + off)).collect();
    let steepest = row.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap();
    assert!(steepest * 2 < bright - dark, "{steepest} of {}", bright - dark);
    view.options.style = PictureStyle::Plain;
    let plain = drawn(&snapshot, &view);
    let [a, b] = [middle[0] + off, middle[0] - off]
        .map(|x| light(&plain, x, if x > middle[0] { middle[1] + off } else { middle[1] - off }));
    assert!((a - b).abs() * 20 < b, "without shadows: {a}, {b}");
}

#[test]
fn light_turns_redder_where_it_goes_into_flesh() {
    let mut snapshot = ball_over_plate(0.6);
    let mut view = published(&snapshot, "+z");
    view.options.ambient_occlusion = false;
    let mut red_of = |substance: Substance| {
        let scene = Arc::make_mut(&mut snapshot.scene);
        for item in Arc::make_mut(&mut scene.items) {
            item.style = style(Some([0.7; 3]));
            item.style.substance = Some(substance);
        }
        scene.serial += 1;
        snapshot.serial += 1;
        let image = drawn(&snapshot, &view);
        // From the middle of the ball away from the light, over the edge of its dark side.
        let redness = (0..60).map(|k| {
            let [red, _, blue, _] = image.at(SIZE[0] / 2 + k, SIZE[1] / 2 + k);
            i32::from(red) - i32::from(blue)
        });
        redness.max().unwrap()
    };
    let (plain, tissue) = (red_of(Substance::Plain), red_of(Substance::Tissue));
    assert!(tissue > plain + 6, "{tissue} of tissue, {plain} of nothing in particular");
}

#[test]
fn outlines_are_dark_lines_on_what_is_nearer() {
    let snapshot = beam();
    let mut view = published(&snapshot, "iso");
    let count_dark = |view: &View| {
        let image = drawn(&snapshot, view);
        image.pixels.iter().filter(|p| p[..3].iter().all(|c| *c < 110)).count()
    };
    let without = count_dark(&view);
    view.options.outlines = true;
    let with = count_dark(&view);
    assert!(with > without + 150, "{with} dark pixels with outlines, {without} without");
}

#[test]
fn titles_stand_in_the_margins_and_lead_to_their_parts() {
    let ball = icosphere_mesh(0.1, 2).unwrap();
    let places = [("left_ball", 0.2), ("right_ball", -0.2)];
    let snapshot = bodies(places.map(|(name, y)| (name, ball.clone(), Vec3::y() * y)));
    let mut view = published(&snapshot, "+x");
    view.options.labels = true;
    sinew_viewer::fit_view(&mut view, &snapshot, SIZE);
    view.options.labels = false;
    let without = drawn(&snapshot, &view);
    view.options.labels = true;
    let with = drawn(&snapshot, &view);
    let changed = |columns: std::ops::Range<u32>| {
        let pixels = columns.flat_map(|x| (0..SIZE[1]).map(move |y| (x, y)));
        pixels.filter(|&(x, y)| without.at(x, y) != with.at(x, y)).count()
    };
    let column = SIZE[0] / 5;
    let sides = [changed(0..column), changed(SIZE[0] - column..SIZE[0])];
    assert!(sides.iter().all(|count| *count > 40), "{sides:?}");
    assert!(changed(column..SIZE[0] - column) > 20, "a line leads to each");
    let known = [("left_ball".to_owned(), "sphere (ball)".to_owned())];
    view.options.titles = Arc::new(known.into_iter().collect());
    assert_ne!(drawn(&snapshot, &view), with, "the title that is known is written");
}

#[test]
fn a_picture_for_publication_is_the_same_twice_and_has_its_size() {
    let snapshot = plain();
    let view = published(&snapshot, "-y");
    let image = drawn(&snapshot, &view);
    assert_eq!(image.size, SIZE);
    assert_eq!(image.at(1, 1), [255; 4], "the background is white");
    assert_eq!(drawn(&snapshot, &view), image);
}
