//! Lengths of paths against closed forms, and against polylines that are shortened node by node.

use super::{ALL, CYLINDER, Dice, SPHERE, TORUS, at_origin, pierced};
use crate::force::wrap::{Obstacle, Strand, Surface, Turn, Vec3};

/// Distance of a point outside, to first order, and the normal there; the world.
fn outside(obstacle: &Obstacle, p: &Vec3) -> (f64, Vec3) {
    let local = obstacle.pose.inverse_transform_point(&(*p).into()).coords;
    let level = |p: &Vec3| match obstacle.surface {
        Surface::Sphere { radius } => p.norm() - radius,
        Surface::Cylinder { radius, .. } => p.xy().norm() - radius,
        Surface::Ellipsoid { radii } => p.component_div(&radii).norm_squared() - 1.0,
        Surface::Torus { ring, tube } => (p.xy().norm() - ring).hypot(p.z) - tube,
        Surface::Sided(_) | Surface::Sections(_) => {
            unreachable!("surfaces with sides and sections have tests of their own")
        }
    };
    let gradient = Vec3::from_fn(|k, _| {
        let step = Vec3::from_fn(|i, _| if i == k { 1e-6 } else { 0.0 });
        (level(&(local + step)) - level(&(local - step))) / 2e-6
    });
    (level(&local) / gradient.norm(), obstacle.pose.rotation * gradient.normalize())
}

/// Length of the shortest polyline from `start` with this many nodes that are all outside.
fn shortened(start: &[Vec3], obstacles: &[Obstacle]) -> (f64, Vec<Vec3>) {
    let mut nodes = start.to_vec();
    // Over-relaxation as for a string on a line.
    let factor = 2.0 / (1.0 + (std::f64::consts::PI / nodes.len() as f64).sin());
    for sweep in 0..80 * nodes.len() {
        // Ends with plain sweeps, which settle what touches.
        let factor = if sweep < 60 * nodes.len() { factor } else { 1.0 };
        for k in 1..nodes.len() - 1 {
            let middle = (nodes[k - 1] + nodes[k + 1]) * 0.5;
            let mut p = nodes[k] + (middle - nodes[k]) * factor;
            for obstacle in obstacles {
                for _ in 0..3 {
                    let (out, normal) = outside(obstacle, &p);
                    p -= normal * out.min(0.0);
                }
            }
            nodes[k] = p;
        }
    }
    (nodes.windows(2).map(|w| (w[1] - w[0]).norm()).sum(), nodes)
}

/// Length of the shortest path near another, of polylines with 50 and 100 parts, extrapolated by h².
fn minimum(points: [Vec3; 2], path: &Strand, obstacles: &[Obstacle]) -> f64 {
    let mut line = vec![points[0]];
    line.extend(path.curve(obstacles, 12));
    line.push(points[1]);
    let total: f64 = line.windows(2).map(|w| (w[1] - w[0]).norm()).sum();
    let at = |share: f64| {
        let mut left = share * total;
        for w in line.windows(2) {
            let part = (w[1] - w[0]).norm();
            if left <= part {
                return w[0] + (w[1] - w[0]) * (left / part);
            }
            left -= part;
        }
        points[1]
    };
    let of = |count: usize| {
        // Begun away from the answer: a bulge off the path.
        let nodes: Vec<Vec3> = (0..=count)
            .map(|k| {
                let share = k as f64 / count as f64;
                let p = at(share);
                let out =
                    obstacles.iter().map(|it| outside(it, &p)).min_by(|a, b| a.0.total_cmp(&b.0));
                p + out.map_or_else(Vec3::zeros, |it| it.1) * (0.1 * share * (1.0 - share))
            })
            .collect();
        shortened(&nodes, obstacles).0
    };
    let [a, b] = [50, 100].map(of);
    (4.0 * b - a) / 3.0
}

#[test]
fn paths_over_a_sphere_are_tangents_and_a_great_circle() {
    // acos(r / d) is pi / 3 at d = 2 r.
    let (r, d) = (0.5, 1.0);
    let q = Vec3::new(d * 2.5f64.cos(), d * 2.5f64.sin(), 0.0);
    let strand = Strand::between([Vec3::x() * d, q], &[at_origin(Surface::Sphere { radius: r })]);
    let expected = 2.0 * 0.75f64.sqrt() + r * (2.5 - 2.0 * std::f64::consts::FRAC_PI_3);
    assert!((strand.length() - expected).abs() < 1e-15, "{} {expected}", strand.length());
}

#[test]
fn paths_over_a_cylinder_are_straight_when_unrolled() {
    let (r, d, rise) = (0.5, 1.0, 0.8);
    let q = Vec3::new(d * 2.5f64.cos(), -d * 2.5f64.sin(), rise);
    let surface = Surface::Cylinder { radius: r, half_length: f64::INFINITY, turn: Turn::Shortest };
    let strand = Strand::between([Vec3::x() * d, q], &[at_origin(surface)]);
    let flat = 2.0 * 0.75f64.sqrt() + r * (2.5 - 2.0 * std::f64::consts::FRAC_PI_3);
    assert!((strand.length() - flat.hypot(rise)).abs() < 1e-15, "{}", strand.length());
    // The other way round is longer by the rest of the turn.
    let turn = Turn::Positive;
    let surface = Surface::Cylinder { radius: r, half_length: f64::INFINITY, turn };
    let strand = Strand::between([Vec3::x() * d, q], &[at_origin(surface)]);
    let flat = flat + r * (std::f64::consts::TAU - 5.0);
    assert!((strand.length() - flat.hypot(rise)).abs() < 1e-15, "{}", strand.length());
}

#[test]
fn an_ellipsoid_with_equal_axes_is_a_sphere_and_a_long_one_a_cylinder() {
    let mut dice = Dice(11);
    for _ in 0..200 {
        let (points, strand) = pierced(&mut dice, SPHERE);
        let round = at_origin(Surface::Ellipsoid { radii: Vec3::repeat(0.7) });
        let length = Strand::between(points, &[round]).length();
        assert!((length - strand.length()).abs() < 1e-12, "{length} {}", strand.length());
    }
    let long = at_origin(Surface::Ellipsoid { radii: Vec3::new(0.6, 0.6, 6e3) });
    for _ in 0..5 {
        let (points, strand) = pierced(&mut dice, CYLINDER);
        let length = Strand::between(points, &[long]).length();
        // The radius at height z is less by (z / 6e3)² / 2 of it.
        assert!((length - strand.length()).abs() < 1e-7, "{length} {}", strand.length());
    }
}

#[test]
fn a_torus_is_a_cylinder_where_its_ring_is_wide() {
    let (ring, tube) = (1e3, 0.4);
    let torus = at_origin(Surface::Torus { ring, tube });
    let mut dice = Dice(12);
    let cylinder = at_origin(Surface::Cylinder {
        radius: tube,
        half_length: f64::INFINITY,
        turn: Turn::Shortest,
    });
    let mut compared = 0;
    while compared < 100 {
        let [p, q] = [0; 2].map(|_| dice.direction() * dice.between(0.8, 1.5));
        let straight = Strand::between([p, q], &[cylinder]);
        if straight.touched().count() == 0 {
            continue;
        }
        // The axis of the cylinder is y of the torus at x = ring.
        let placed = |v: Vec3| Vec3::new(v.x + ring, v.z, v.y);
        let length = Strand::between([placed(p), placed(q)], &[torus]).length();
        assert!((length - straight.length()).abs() < 2e-3, "{length} {}", straight.length());
        compared += 1;
    }
}

#[test]
fn paths_are_as_long_as_the_shortest_polylines() {
    let mut dice = Dice(13);
    for surface in ALL {
        for _ in 0..4 {
            let (points, strand) = pierced(&mut dice, surface);
            let shortest = minimum(points, &strand, &[at_origin(surface)]);
            let off = strand.length() - shortest;
            assert!(off.abs() < 5e-5, "{surface:?}: {} is {off:e} off", strand.length());
        }
    }
}

#[test]
fn paths_over_several_obstacles_are_as_long_as_the_shortest_polylines() {
    let mut dice = Dice(14);
    let place = |x: f64, y: f64, dice: &mut Dice, surface: Surface| Obstacle {
        surface,
        pose: nalgebra::Isometry3::from_parts(
            nalgebra::Translation3::new(x, y, 0.0),
            dice.pose(0.0).rotation,
        ),
        side: None,
    };
    let mut touched = Vec::new();
    for _ in 0..6 {
        let obstacles = [
            place(0.0, -0.4, &mut dice, Surface::Sphere { radius: 0.6 }),
            place(1.9, 0.5, &mut dice, Surface::Ellipsoid { radii: Vec3::new(0.6, 0.8, 0.5) }),
            place(3.7, -0.4, &mut dice, Surface::Sphere { radius: 0.7 }),
        ];
        let [p, q] = [Vec3::new(-1.5, 0.0, 0.0), Vec3::new(5.2, 0.0, 0.0)];
        let points = [p, q].map(|p| p + dice.vector() * 0.3);
        let strand = Strand::between(points, &obstacles);
        touched.push(strand.touched().count());
        let shortest = minimum(points, &strand, &obstacles);
        let off = strand.length() - shortest;
        assert!(off.abs() < 1e-4, "{off:e} off over {:?}", strand.touched().collect::<Vec<_>>());
    }
    assert!(touched.iter().filter(|&&count| count > 1).count() >= 4, "{touched:?}");
}

#[test]
fn a_line_that_passes_through_both_sides_of_a_torus_bends_twice() {
    let points = [Vec3::new(-2.0, 0.05, 0.1), Vec3::new(2.0, -0.1, 0.15)];
    let strand = Strand::between(points, &[at_origin(TORUS)]);
    assert_eq!(strand.touched().collect::<Vec<_>>(), [0, 0]);
    let off = strand.length() - minimum(points, &strand, &[at_origin(TORUS)]);
    assert!(off.abs() < 5e-5, "{off:e}");
}

#[test]
fn free_lines_and_points_inside_are_straight() {
    for surface in ALL {
        for [p, q] in
            [[Vec3::new(3.0, -1.0, 0.1), Vec3::new(3.0, 2.0, 0.2)], [Vec3::x(), Vec3::z() * 3.0]]
        {
            let p =
                if p == Vec3::x() { surface.project(&Vec3::new(1.1, 0.1, 0.1)) * 0.97 } else { p };
            let strand = Strand::between([p, q], &[at_origin(surface)]);
            assert_eq!(strand.touched().count(), 0, "{surface:?}");
            assert_eq!(strand.length(), (q - p).norm());
        }
    }
}

#[test]
fn a_finite_cylinder_is_passed_beyond_its_ends() {
    let surface =
        |half_length| Surface::Cylinder { radius: 0.5, half_length, turn: Turn::Shortest };
    let points = [Vec3::new(1.0, 0.1, 1.2), Vec3::new(-1.0, 0.1, 1.4)];
    let count = |half| Strand::between(points, &[at_origin(surface(half))]).touched().count();
    assert_eq!([count(2.0), count(1.0)], [1, 0]);
}

/// OpenSim 4.6: 0.28284 m, where the shortest way over the cylinder without ends is 0.29471 m.
#[test]
fn a_cylinder_is_passed_where_both_tangent_points_are_beyond_its_ends() {
    let surface =
        |half_length| Surface::Cylinder { radius: 0.05, half_length, turn: Turn::Shortest };
    let points = [Vec3::new(0.1, 0.01, -0.1), Vec3::new(-0.1, 0.01, 0.1)];
    let length = |half| Strand::between(points, &[at_origin(surface(half))]).length();
    assert!((length(0.001) - 0.08_f64.sqrt()).abs() < 1e-15, "{}", length(0.001));
    assert!((length(1.0) - 0.29471).abs() < 5e-6, "{}", length(1.0));
}

#[test]
fn every_random_line_through_an_ellipsoid_finds_its_path() {
    let mut dice = Dice(15);
    for _ in 0..400 {
        let radii = Vec3::from_fn(|_, _| dice.between(0.15, 1.4));
        let (p, q) =
            (dice.direction() * dice.between(1.5, 3.0), dice.direction() * dice.between(1.5, 3.0));
        let unit = Strand::between(
            [p.component_div(&radii), q.component_div(&radii)],
            &[at_origin(Surface::Sphere { radius: 1.0 })],
        );
        let found = Strand::between([p, q], &[at_origin(Surface::Ellipsoid { radii })]);
        assert_eq!(unit.touched().count(), found.touched().count(), "{radii} {p} {q}");
        assert!(found.length() >= (p - q).norm());
    }
}
