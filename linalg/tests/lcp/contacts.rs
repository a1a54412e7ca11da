//! Contacts with friction: closed forms, redundant contacts, random ones.

use proptest::prelude::*;
use sinew_linalg::lcp::{
    ActiveSetStatus, Bound, ContactOutcome, ContactProblem, ContactSolver, FrictionModel, Outcome,
    Refusal,
};

use super::problems::{Generator, gram};

const MODELS: [FrictionModel; 3] = [FrictionModel::Box, FrictionModel::Cone4, FrictionModel::Cone8];

/// Rows of contacts over bodies with inverse masses: A = J M^-1 J^T.
struct Rows {
    matrix: Vec<f64>,
    q: Vec<f64>,
    bounds: Vec<Bound>,
}

impl Rows {
    /// Rows given by their entries, scaled by the roots of inverse masses, and velocities q.
    fn new(rows: &[Vec<f64>], q: Vec<f64>, bounds: Vec<Bound>) -> Self {
        let n = rows.len();
        Self { matrix: gram(&rows.concat(), n, rows[0].len(), 1.0), q, bounds }
    }

    fn solve(&self, model: FrictionModel) -> (Vec<f64>, ContactOutcome) {
        let problem =
            ContactProblem { matrix: &self.matrix, q: &self.q, bounds: &self.bounds, model };
        let mut z = vec![f64::NAN; self.q.len()];
        let mut statuses = vec![ActiveSetStatus::Lower; z.len()];
        let outcome = ContactSolver::default().solve(&problem, &mut statuses, &mut z);
        (z, outcome)
    }

    fn velocity(&self, z: &[f64]) -> Vec<f64> {
        let n = z.len();
        let row = |i: usize| {
            self.matrix[n * i..n * (i + 1)].iter().zip(z).map(|(a, z)| a * z).sum::<f64>()
        };
        (0..n).map(|i| self.q[i] + row(i)).collect()
    }
}

fn is_solved(outcome: &ContactOutcome, expected: FrictionModel) -> bool {
    matches!(*outcome, ContactOutcome::Solved { model, residual, .. } if model == expected && residual < 1e-9)
}

/// Normal and two tangential rows a contact.
fn bounds(contacts: usize, coefficient: f64) -> Vec<Bound> {
    let friction =
        |normal, partner| Bound::Friction { normal, coefficient, partner: Some(partner) };
    (0..contacts)
        .flat_map(|k| [Bound::Unilateral, friction(3 * k, 3 * k + 2), friction(3 * k, 3 * k + 1)])
        .collect()
}

/// A body of mass m and inertia I [kg, kg m^2] about its middle with contacts at points below; rows in
/// the scaled velocities (sqrt(m) v, sqrt(I) omega).
fn body(
    points: &[[f64; 3]],
    mass: f64,
    inertia: f64,
    velocity: [f64; 3],
    coefficient: f64,
) -> Rows {
    let (m, j) = (mass.sqrt().recip(), inertia.sqrt().recip());
    let mut rows = Vec::new();
    for &[x, y, z] in points {
        rows.push(vec![0.0, 0.0, m, y * j, -x * j, 0.0]);
        rows.push(vec![m, 0.0, 0.0, 0.0, z * j, -y * j]);
        rows.push(vec![0.0, m, 0.0, -z * j, 0.0, x * j]);
    }
    let q = points.iter().flat_map(|_| [velocity[2], velocity[0], velocity[1]]).collect();
    Rows::new(&rows, q, bounds(points.len(), coefficient))
}

fn corners(half: f64, below: f64) -> [[f64; 3]; 4] {
    [[half, half, -below], [half, -half, -below], [-half, half, -below], [-half, -half, -below]]
}

/// LCP-friction-particle.
#[test]
fn impulses_of_a_particle_are_those_of_the_closed_form() {
    let cases = [
        ([1.0, -1.0], 0.3, [-0.3, 1.0]),
        ([0.2, -1.0], 0.3, [-0.2, 1.0]),
        ([-0.5, -2.0], 0.5, [0.5, 2.0]),
        ([0.0, 1.0], 0.5, [0.0, 0.0]),
    ];
    for (v, coefficient, impulse) in cases {
        let friction = Bound::Friction { normal: 0, coefficient, partner: None };
        let rows = [vec![1.0, 0.0], vec![0.0, 1.0]];
        let rows = Rows::new(&rows, vec![v[1], v[0]], vec![Bound::Unilateral, friction]);
        for model in MODELS {
            let (z, outcome) = rows.solve(model);
            assert!(is_solved(&outcome, model), "{outcome}");
            assert!(
                (z[0] - impulse[1]).abs() < 1e-12 && (z[1] - impulse[0]).abs() < 1e-12,
                "{z:?}"
            );
        }
    }
}

#[test]
fn a_box_on_four_corners_sticks_below_the_threshold_of_friction() {
    // On a slope whose tangent is a little below the coefficient, along the first direction.
    let rows = body(&corners(0.1, 0.05), 2.0, 0.02, [0.499 * 0.0981, 0.0, -0.0981], 0.5);
    for model in MODELS {
        let (z, outcome) = rows.solve(model);
        assert!(is_solved(&outcome, model), "{outcome}");
        let normal: f64 = z.iter().step_by(3).sum();
        assert!((normal - 2.0 * 0.0981).abs() < 1e-12, "{model:?}: {normal}");
        let fastest = rows.velocity(&z).into_iter().map(f64::abs).fold(0.0, f64::max);
        assert!(fastest < 1e-12, "{model:?}: slides at {fastest:e}");
    }
}

#[test]
fn a_sliding_box_is_braked_by_the_coefficient_times_the_normal_impulse() {
    let (mass, coefficient) = (2.0, 0.3);
    let rows = body(&corners(0.1, 0.05), mass, 0.02, [1.0, 0.0, -0.0981], coefficient);
    for model in MODELS {
        let (z, outcome) = rows.solve(model);
        assert!(is_solved(&outcome, model), "{outcome}");
        let normal: f64 = z.iter().step_by(3).sum();
        let along: f64 = z.iter().skip(1).step_by(3).sum();
        let aside: f64 = z.iter().skip(2).step_by(3).sum();
        assert!((normal - mass * 0.0981).abs() < 1e-12, "{model:?}: {normal}");
        assert!((along + coefficient * normal).abs() < 1e-10, "{model:?}: {along}");
        assert!(aside.abs() < 1e-10, "{model:?}: {aside}");
        // Friction at the bottom presses the front corners down more.
        assert!(z[0] + z[3] > z[6] + z[9], "{model:?}: {z:?}");
    }
}

#[test]
fn polygons_lie_in_the_cone_and_the_box_around_it() {
    for step in 0..16 {
        let angle = f64::from(step) * std::f64::consts::PI / 8.0 + 0.1;
        let rows = body(&[[0.0, 0.0, 0.0]], 1.0, 1.0, [angle.cos(), angle.sin(), -1.0], 0.4);
        let strength = |model| {
            let (z, outcome) = rows.solve(model);
            assert!(is_solved(&outcome, model), "{outcome}");
            let force = z[1].hypot(z[2]);
            // Power against the slip.
            assert!(z[1] * angle.cos() + z[2] * angle.sin() < 0.0, "{z:?}");
            force / 0.4
        };
        let [square, diamond, octagon] = MODELS.map(strength);
        assert!((0.99999..1.415).contains(&square), "{square}");
        assert!((0.707..1.00001).contains(&diamond), "{diamond}");
        assert!((0.923..1.00001).contains(&octagon), "{octagon}");
    }
}

#[test]
fn one_iteration_at_a_time_comes_to_the_same_impulses() {
    let rows = body(&corners(0.1, 0.05), 2.0, 0.02, [1.0, 0.3, -0.0981], 0.3);
    let (expected, _) = rows.solve(FrictionModel::Box);
    let problem = ContactProblem {
        matrix: &rows.matrix,
        q: &rows.q,
        bounds: &rows.bounds,
        model: FrictionModel::Box,
    };
    let (mut z, mut statuses) = (vec![0.0; 12], vec![ActiveSetStatus::Lower; 12]);
    let mut solver = ContactSolver::default();
    let mut changes = Vec::new();
    for _ in 0..40 {
        match solver.iterate(&problem, &mut statuses, &mut z) {
            ContactOutcome::Unsettled { change, .. } => changes.push(change),
            ContactOutcome::Solved { .. } => break,
            ContactOutcome::Failed(outcome) => panic!("{outcome}"),
        }
    }
    assert!((1..40).contains(&changes.len()) && changes.last() < changes.first(), "{changes:?}");
    let (v, w) = (rows.velocity(&z), rows.velocity(&expected));
    let off = v.iter().zip(&w).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off < 1e-9, "{off:e}");
}

#[test]
fn joints_and_ranges_go_along_with_contacts() {
    // Two particles of 1 kg on a line, tied to each other, the first on a floor with friction, the second
    // pulled back by at most 0.1 N s.
    let s = |a: f64, b: f64, c: f64| vec![a, b, c];
    let rows = [s(0.0, 0.0, 1.0), s(1.0, 0.0, 0.0), s(1.0, -1.0, 0.0), s(0.0, 1.0, 0.0)];
    let bounds = vec![
        Bound::Unilateral,
        Bound::Friction { normal: 0, coefficient: 0.5, partner: None },
        Bound::Bilateral,
        Bound::Range { lower: -0.1, upper: 0.1 },
    ];
    let rows = Rows::new(&rows, vec![-1.0, 2.0, 0.0, 2.0], bounds);
    for model in MODELS {
        let (z, outcome) = rows.solve(model);
        assert!(is_solved(&outcome, model), "{outcome}");
        // Momentum 4 less 0.5 and 0.1, over 2 kg; the tie takes half of their difference.
        let v = rows.velocity(&z);
        let expected = [1.0, -0.5, -0.2, -0.1];
        let sign = [1.0, 1.0, -1.0, 1.0];
        assert!((v[1] - 1.7).abs() < 1e-12 && v[2].abs() < 1e-12, "{model:?}: {v:?}");
        for i in 0..4 {
            assert!((z[i] - expected[i] * sign[i]).abs() < 1e-12, "{model:?}: {z:?}");
        }
    }
}

#[test]
fn contradicting_joints_fail_and_bad_friction_is_refused() {
    let row = vec![1.0];
    let both = vec![Bound::Bilateral; 2];
    let rows = Rows::new(&[row.clone(), row.clone()], vec![1.0, 2.0], both);
    let (_, outcome) = rows.solve(FrictionModel::Box);
    assert!(matches!(outcome, ContactOutcome::Failed(Outcome::Ray { .. })), "{outcome}");
    for (normal, coefficient, partner) in
        [(1, 0.5, None), (7, 0.5, None), (0, -0.5, None), (0, f64::NAN, None), (0, 0.5, Some(0))]
    {
        let bounds = vec![Bound::Unilateral, Bound::Friction { normal, coefficient, partner }];
        let rows = Rows::new(&[row.clone(), row.clone()], vec![1.0, 2.0], bounds);
        let (_, outcome) = rows.solve(FrictionModel::Box);
        let refused = ContactOutcome::Failed(Outcome::Refused(Refusal::Friction { row: 1 }));
        assert_eq!(outcome, refused);
    }
}

/// Bodies in a heap: contacts of random pairs, normals and tangents orthonormal, arms random.
fn heap(seed: u64, contacts: usize, bodies: usize, coefficient: f64) -> Rows {
    let mut random = Generator(seed);
    random.unit();
    let mut rows = Vec::new();
    for _ in 0..contacts {
        let a = (random.unit() * bodies as f64) as usize;
        // The ground is no body.
        let b = (random.unit() * (bodies + 1) as f64) as usize;
        let (turn, tilt) = (3.1 * random.signed(), 0.5 * random.signed());
        let normal = [tilt.sin() * turn.cos(), tilt.sin() * turn.sin(), tilt.cos()];
        let first = [tilt.cos() * turn.cos(), tilt.cos() * turn.sin(), -tilt.sin()];
        let second = [-turn.sin(), turn.cos(), 0.0];
        let arms: Vec<f64> = random.array(6);
        for d in [normal, first, second] {
            let mut row = vec![0.0; 6 * bodies];
            for (body, sign, r) in [(a, 1.0, &arms[..3]), (b, -1.0, &arms[3..])] {
                if body < bodies && !(body == a && b == a && sign < 0.0) {
                    let turn = [
                        r[1] * d[2] - r[2] * d[1],
                        r[2] * d[0] - r[0] * d[2],
                        r[0] * d[1] - r[1] * d[0],
                    ];
                    (0..3).for_each(|k| row[6 * body + k] = sign * d[k]);
                    (0..3).for_each(|k| row[6 * body + 3 + k] = sign * 2.0 * turn[k]);
                }
            }
            rows.push(row);
        }
    }
    let velocity: Vec<f64> =
        (0..6 * bodies).map(|k| if k % 6 == 2 { -1.0 } else { 0.3 * random.signed() }).collect();
    let q = rows.iter().map(|r| r.iter().zip(&velocity).map(|(a, b)| a * b).sum()).collect();
    Rows::new(&rows, q, bounds(contacts, coefficient))
}

/// Complementarity error of impulses with their polygon, by its definition: normal velocities, and
/// the most power that friction could take.
fn cone_error(rows: &Rows, z: &[f64], coefficient: f64, corners: usize) -> f64 {
    let (v, mut most) = (rows.velocity(z), 0.0f64);
    for k in 0..z.len() / 3 {
        let (normal, w) = (z[3 * k], v[3 * k]);
        most = most.max(-normal).max(-w).max(normal.min(w));
        let corner = |c: usize| {
            let angle = std::f64::consts::TAU * c as f64 / corners as f64;
            v[3 * k + 1] * angle.cos() + v[3 * k + 2] * angle.sin()
        };
        let least = (0..corners).map(corner).fold(f64::INFINITY, f64::min);
        let power = v[3 * k + 1] * z[3 * k + 1] + v[3 * k + 2] * z[3 * k + 2];
        most = most.max((power - coefficient * normal * least).abs());
    }
    most
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn lemke_solves_cones_of_random_heaps(
        seed in any::<u64>(), contacts in 1usize..8, bodies in 1usize..4, coefficient in 0.0..1.0f64,
    ) {
        let rows = heap(seed, contacts, bodies, coefficient);
        for (model, corners) in [(FrictionModel::Cone4, 4), (FrictionModel::Cone8, 8)] {
            let (z, outcome) = rows.solve(model);
            prop_assert!(is_solved(&outcome, model), "{}", outcome);
            let size = z.iter().fold(1.0, |m: f64, z| m.max(z.abs()));
            let error = cone_error(&rows, &z, coefficient, corners);
            prop_assert!(error < 1e-8 * size * size, "{:e} of {:e}", error, size);
        }
    }
}
