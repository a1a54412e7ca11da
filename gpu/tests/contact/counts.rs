//! Calls of kernels and bytes of a search depend on the size of the surfaces and on what is near, and on nothing else.

use sinew::Vec3;
use sinew::contact::{CandidateFinder, Candidates, Detector, Features, Surface, Travel};
use sinew_gpu::{DeviceFinder, Options};

use crate::scene::{Balls, options};

/// Number of all candidates.
fn total(found: &Candidates) -> u64 {
    let kinds = [Features::VertexOfA, Features::VertexOfB, Features::Edges];
    kinds.iter().map(|&kind| found.of(kind).len() as u64).sum()
}

#[test]
fn eight_times_as_many_triangles_are_one_call_more() {
    // 320, 1,280 and 20,480 triangles on either side: one level above the leaves, two, three.
    let calls = [2, 3, 5].map(|subdivisions| {
        let balls = Balls::new(subdivisions, 1.0, Vec3::zeros());
        let pairs = [balls.pair(false)];
        let of = balls.touching(&pairs);
        let finder = DeviceFinder::on_twins(&options(), of, &balls.q()).unwrap();
        finder.expect("there are triangles").calls(0)
    });
    assert_eq!(calls, [Some(5), Some(6), Some(7)]);
}

#[test]
fn up_goes_the_way_of_each_vertex_and_down_what_is_near() {
    let mut balls = Balls::new(2, 1.0, Vec3::zeros());
    for mut finder in balls.finders(false) {
        let vertices = 2 * balls.points[0].len() as u64;
        let mut before = (0, 0);
        let mut step = |finder: &mut DeviceFinder, balls: &Balls| {
            let near = total(&balls.found(finder, false));
            let after = finder.traffic();
            let moved = (after.0 - before.0, after.1 - before.1);
            before = after;
            (near, moved)
        };
        // The first search does not know how much to read.
        let (near, (up, down)) = step(&mut finder, &balls);
        assert!(near > 100);
        assert_eq!((up, down), (16 + 24 * vertices, 4 + 4 * (1 + 2 * near)));
        let (_, (up, down)) = step(&mut finder, &balls);
        assert_eq!((up, down), (16 + 24 * vertices, 4 * (1 + 2 * (near + near / 4))));
        let places = balls.points[1].clone();
        balls.points[1].iter_mut().for_each(|p| p.x += 0.05);
        let (_, (up, _)) = step(&mut finder, &balls);
        assert_eq!(up, 16 + 24 * vertices);
        balls.points[1] = places;
    }
}

/// Candidates of two wavy sheets of n x n cells that lie on each other, over their vertices.
fn candidates_a_vertex(n: u32) -> f64 {
    let row = n + 1;
    let cell = |k: u32| {
        let v = k / n * row + k % n;
        [[v, v + 1, v + row], [v + 1, v + row + 1, v + row]]
    };
    let surface = |first: u32| Surface {
        rows: (first..first + row * row).collect(),
        triangles: (0..n * n).flat_map(cell).collect(),
        holders: vec![Surface::FREE; (row * row) as usize],
        sheet_vertices: 0,
    };
    let size = 0.1 / f64::from(n);
    let points = [0.0, 1.0].map(|sheet| {
        let place = |v: u32| {
            let (x, y) = (f64::from(v % row) + 0.37 * sheet, f64::from(v / row) + 0.21 * sheet);
            let wave = 1e-3 * ((90.0 * size * x).sin() + (70.0 * size * y).cos());
            Vec3::new(size * x, size * y, wave + 3e-5 * sheet)
        };
        (0..row * row).map(place).collect::<Vec<_>>()
    });
    let steps = points.each_ref().map(|points| vec![Vec3::zeros(); points.len()]);
    let surfaces = vec![surface(0), surface(row * row)];
    let sheets = Balls { surfaces, points, steps, border: 4.5e-5 };
    let [mut twins, _] = sheets.finders(false);
    total(&sheets.found(&mut twins, false)) as f64 / f64::from(2 * row * row)
}

#[test]
fn what_comes_down_for_sheets_on_each_other_grows_with_their_vertices_alone() {
    let found = [20, 40, 71].map(candidates_a_vertex);
    println!("{found:?} candidates a vertex");
    // Vertices of the rim have fewer.
    assert!(found.iter().all(|it| (7.0..9.0).contains(it)), "{found:?}");
}

/// Contacts of the first ball with the second, and what crossed the bus for them.
fn detected(balls: &Balls, finder: Option<&DeviceFinder>) -> (usize, u64) {
    let pairs = vec![balls.pair(false)];
    let mut detector =
        Detector::with_surfaces(vec![], vec![], balls.surfaces.clone(), pairs).unwrap();
    let before = finder.map_or(0, |finder| finder.traffic().0);
    detector.set_finder(finder.map(|finder| Box::new(finder.clone()) as Box<dyn CandidateFinder>));
    let mut out = Vec::new();
    let rows = balls.steps.concat();
    detector.detect_ahead(&[], &balls.q(), Travel { rows: &rows, ..Travel::default() }, &mut out);
    (out.len(), finder.map_or(0, |finder| finder.traffic().0) - before)
}

#[test]
fn surfaces_that_are_far_apart_ask_for_nothing() {
    let mut balls = Balls::new(2, 1.0, Vec3::zeros());
    let [twins, _] = balls.finders(false);
    let (near, up) = detected(&balls, Some(&twins));
    assert!(near > 0 && up > 0);
    balls.points[1].iter_mut().for_each(|p| p.y += 1.0);
    assert_eq!(detected(&balls, Some(&twins)), (0, 0));
}

#[test]
fn small_surfaces_and_what_is_too_much_for_the_list_are_left_to_the_cpu() {
    let mut balls = Balls::new(2, 1.0, Vec3::zeros());
    let pairs = [balls.pair(false)];
    let of = balls.touching(&pairs);
    let large = Options { contact_triangles: 641, ..options() };
    assert!(DeviceFinder::on_twins(&large, of, &balls.q()).unwrap().is_none());
    let exact = Options { contact_triangles: 640, ..options() };
    assert!(DeviceFinder::on_twins(&exact, of, &balls.q()).unwrap().is_some());
    let narrow = Options { max_binding: 1_000, ..options() };
    assert!(DeviceFinder::on_twins(&narrow, of, &balls.q()).unwrap().is_none());

    let [mut twins, _] = balls.finders(false);
    let mut out = Candidates::default();
    let mut moved = balls.points[1].clone();
    moved[7].x = f64::NAN;
    std::mem::swap(&mut balls.points[1], &mut moved);
    assert!(!twins.find(&balls.ways(false), &mut out), "a number that is none");
    std::mem::swap(&mut balls.points[1], &mut moved);
    assert!(twins.find(&balls.ways(false), &mut out));
    // With such a border all is near all.
    balls.border = 0.04;
    assert!(!twins.find(&balls.ways(false), &mut out), "more than the list has room for");
    balls.border = 1e-3;
    assert!(!twins.find(&balls.ways(false), &mut out), "and it is not tried again");
    assert_eq!(detected(&balls, Some(&twins)).0, detected(&balls, None).0);
}
