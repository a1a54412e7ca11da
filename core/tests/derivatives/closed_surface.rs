//! Volumes inside of closed surfaces: of known solids, derivatives beside differences; laws of their contents.

use std::collections::BTreeMap;

use sinew::constraint::{ClosedSurface, Contents, SurfaceFault, VolumeLaw};
use sinew::{Mat3, Vec3};

/// Corners of the unit cube moved by a map, and its faces counterclockwise from outside.
fn cube(map: impl Fn(Vec3) -> Vec3) -> (Vec<Vec3>, Vec<Vec<u32>>) {
    let corner = |k: u32| Vec3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64);
    let faces: [[u32; 4]; 6] =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    ((0..8).map(|k| map(corner(k))).collect(), faces.map(Vec::from).to_vec())
}

/// The same with a node in the middle of each edge.
fn curved_cube(map: impl Fn(Vec3) -> Vec3) -> (Vec<Vec3>, Vec<Vec<u32>>) {
    let (mut nodes, mut faces) = cube(|x| x);
    let mut middles = BTreeMap::new();
    for face in &mut faces {
        for k in 0..4 {
            let (a, b) = (face[k], face[(k + 1) % 4]);
            let middle = *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                nodes.push((nodes[a as usize] + nodes[b as usize]) * 0.5);
                nodes.len() as u32 - 1
            });
            face.push(middle);
        }
    }
    (nodes.into_iter().map(map).collect(), faces)
}

fn bent(x: Vec3) -> Vec3 {
    let far = Vec3::new(30.0, -20.0, 10.0);
    far + Vec3::new(x.x + 0.2 * x.y * x.z, x.y * (1.0 + 0.3 * x.x), x.z + 0.1 * x.x * x.x)
}

#[test]
fn volumes_of_boxes_follow_the_determinant_of_their_map_on_either_side_of_the_faces() {
    let f = Mat3::new(2.0, 0.3, 0.0, -0.1, 1.5, 0.4, 0.2, 0.0, 0.7);
    let (nodes, mut faces) = cube(|x| f * x + Vec3::new(5.0, -7.0, 3.0));
    for _ in 0..2 {
        let surface = ClosedSurface::new(&faces, &nodes).unwrap();
        assert_eq!(surface.lid_count(), 0);
        assert!((surface.rest_volume() / f.determinant() - 1.0).abs() < 1e-13);
        faces.iter_mut().for_each(|face| face.reverse());
    }
}

#[test]
fn a_flat_lid_closes_an_opening_and_a_curved_rim_too() {
    for curved in [false, true] {
        let (nodes, mut faces) = if curved { curved_cube(bent) } else { cube(bent) };
        let whole = ClosedSurface::new(&faces, &nodes).unwrap();
        // The bottom stays in a plane, and its sides are straight.
        faces.remove(0);
        let open = ClosedSurface::new(&faces, &nodes).unwrap();
        assert_eq!(open.lid_count(), 1);
        let plane =
            |x: Vec3| Vec3::new(bent(x).x, bent(x).y, if x.z == 0.0 { 10.0 } else { bent(x).z });
        let (flat, _) = if curved { curved_cube(plane) } else { cube(plane) };
        let (closed, lid) = (whole.volume(&flat), open.volume(&flat));
        assert!((closed / lid - 1.0).abs() < 1e-12, "{curved}: {closed} {lid}");
    }
}

/// A bent box of faces with curved sides, whole or open.
fn bent_box(open: bool) -> (Vec<Vec3>, ClosedSurface) {
    let (nodes, mut faces) = curved_cube(bent);
    if open {
        faces.pop();
    }
    let surface = ClosedSurface::new(&faces, &nodes).unwrap();
    (nodes, surface)
}

fn gradient(surface: &ClosedSurface, q: &[Vec3]) -> Vec<Vec3> {
    let mut values = vec![Vec3::zeros(); surface.rows().len()];
    surface.gradient(q, &mut values);
    values
}

/// Nodes with a coordinate of one moved one way and the other.
fn beside(nodes: &[Vec3], row: u32, axis: usize) -> [Vec<Vec3>; 2] {
    [1e-5, -1e-5].map(|step| {
        let mut moved = nodes.to_vec();
        moved[row as usize][axis] += step;
        moved
    })
}

#[test]
fn derivatives_are_those_of_the_volume_and_vanish_for_rigid_motions() {
    for open in [false, true] {
        let (nodes, surface) = bent_box(open);
        let slopes = gradient(&surface, &nodes);
        let force: Vec3 = slopes.iter().sum();
        let at = |k: usize| nodes[surface.rows()[k] as usize];
        let moment: Vec3 = (0..slopes.len()).map(|k| at(k).cross(&slopes[k])).sum();
        assert!(force.norm() < 1e-12 && moment.norm() < 1e-10, "{force} {moment}");
        for (k, &row) in surface.rows().iter().enumerate() {
            for axis in 0..3 {
                let [after, before] = beside(&nodes, row, axis).map(|q| surface.volume(&q));
                let found = (after - before) / 2e-5;
                assert!((found - slopes[k][axis]).abs() < 1e-8, "{found} {}", slopes[k][axis]);
            }
        }
    }
}

#[test]
fn second_derivatives_are_those_of_the_gradient_in_blocks_of_faces() {
    let (nodes, surface) = bent_box(false);
    let mut blocks = BTreeMap::new();
    surface.curvature(&nodes, 1.0, &mut |i, j, block| {
        *blocks.entry((i, j)).or_insert_with(Mat3::zeros) += block;
    });
    for &row in surface.rows() {
        for axis in 0..3 {
            let [after, before] = beside(&nodes, row, axis).map(|q| gradient(&surface, &q));
            for (b, &other) in surface.rows().iter().enumerate() {
                let found = (after[b] - before[b]) / 2e-5;
                let block = blocks.get(&(other, row)).copied().unwrap_or_default();
                assert!((found - block.column(axis)).norm() < 1e-8, "{row} {other}");
            }
        }
    }
}

#[test]
fn faces_that_bound_nothing_are_refused() {
    let (nodes, mut faces) = cube(|x| x);
    let flat = ClosedSurface::new(&faces[..1], &nodes).unwrap_err();
    assert!(matches!(flat, SurfaceFault::Empty(_)), "{flat}");
    faces[0].reverse();
    assert!(matches!(ClosedSurface::new(&faces, &nodes), Err(SurfaceFault::Edge(..))));
    let touching = [vec![0, 1, 2], vec![0, 6, 4]];
    assert!(matches!(ClosedSurface::new(&touching, &nodes), Err(SurfaceFault::Rim(0))));
}

fn contents(law: VolumeLaw, exponent: f64) -> Contents {
    Contents { law, volume: 2e-4, area: 0.03, compliance: 3e-9, ambient: 1e5, exponent }
}

#[test]
fn the_row_pushes_with_the_pressure_of_the_law_from_vacuum_to_a_tenth_of_the_volume() {
    for (law, n) in [(VolumeLaw::Linear, 1.0), (VolumeLaw::Gas, 1.0), (VolumeLaw::Gas, 1.4)] {
        let it = contents(law, n);
        for over in [0.1, 0.5, 0.99, 0.9985, 1.0 - 1e-6, 1.0 + 1e-9, 1.0005, 1.002, 3.0] {
            let volume = it.volume * over;
            let [value, slope] = it.row(volume);
            // Force of the row by volume: what the compliance says times the derivative.
            let pushed = -value / it.row_compliance() * slope;
            let pressure = it.pressure(volume, 0.0);
            assert!((pushed / pressure - 1.0).abs() < 1e-11, "{law:?} {over}: {pushed} {pressure}");
        }
    }
}

#[test]
fn derivatives_of_the_row_are_those_of_its_values() {
    for (n, over) in [(1.0, 0.4), (1.4, 0.9991), (1.4, 1.0), (1.0, 1.0009), (1.4, 2.0)] {
        let it = contents(VolumeLaw::Gas, n);
        let (volume, step) = (it.volume * over, it.volume * 1e-5);
        let [after, before] = [step, -step].map(|step| it.row(volume + step)[0]);
        let found = (after - before) / (2.0 * step);
        assert!((found / it.row(volume)[1] - 1.0).abs() < 1e-9, "{n} {over}");
    }
}

#[test]
fn a_gas_at_constant_temperature_keeps_pressure_times_volume() {
    let it = contents(VolumeLaw::Gas, 1.0);
    for over in [0.3, 1.0, 2.5] {
        let volume = it.volume * over;
        let product = (it.pressure(volume, 0.0) + it.ambient) * volume;
        assert!((product / (it.ambient * it.volume) - 1.0).abs() < 1e-14, "{over}");
    }
}
