//! Complementarity problems and quadratic programs: LCP-* and INV-* of the reference data.

use sinew::lcp::{
    ActiveSetStatus, Bound, ContactOutcome, ContactProblem, ContactSolver, FrictionModel,
    LcpSolver, QuadraticProgram, QuadraticSolver,
};

use super::hinge::HINGE;
use super::lcp_problems::{Problem, all, random_definite};
use super::table::{Group, Row};

/// LCP-random-PD: seed, size, sum of z.
const RANDOM: [(u64, usize, f64); 4] = [
    (1, 5, 2.4612817241111324),
    (2, 20, 5.5687681566532685),
    (3, 50, 8.259621243993895),
    (4, 200, 50.19389508478737),
];
/// LCP-friction-particle: velocity, coefficient, impulse; tangential before normal.
const PARTICLE: [([f64; 2], f64, [f64; 2]); 4] = [
    ([1.0, -1.0], 0.3, [-0.3, 1.0]),
    ([0.2, -1.0], 0.3, [-0.2, 1.0]),
    ([-0.5, -2.0], 0.5, [0.5, 2.0]),
    ([0.0, 1.0], 0.5, [0.0, 0.0]),
];

fn solve(problem: &Problem, solver: &mut dyn LcpSolver) -> Vec<f64> {
    let (z, outcome) = problem.solve(solver);
    assert!(outcome.solved().is_some(), "{}: {outcome}", solver.name());
    z
}

fn largest(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn random() -> Vec<Row> {
    let of = |(seed, n, sum): (u64, usize, f64)| {
        let (problem, expected) = random_definite(seed, n);
        let solutions = all().map(|mut solver| solve(&problem, solver.as_mut()));
        let error = solutions.iter().map(|z| largest(z, &expected)).fold(0.0, f64::max);
        let found: f64 = solutions[0].iter().sum();
        let case = format!("LCP-random-PD, {n} variables");
        let metric = "sum of z; error: absolute, of all z, four algorithms";
        Row::new(case, metric, (sum, found), 1e-8).with_error(error.max((found - sum).abs()))
    };
    RANDOM.into_iter().map(of).collect()
}

/// Name, M, q, z.
type Special = (&'static str, Vec<f64>, Vec<f64>, Vec<f64>);

/// LCP-special: those with a solution; the worst of the algorithms that take them.
fn special() -> Vec<Row> {
    let upper = |k: usize| match (k / 8).cmp(&(k % 8)) {
        std::cmp::Ordering::Less => 2.0,
        std::cmp::Ordering::Equal => 1.0,
        std::cmp::Ordering::Greater => 0.0,
    };
    let third = 1.0 / 3.0;
    let cycle = vec![1.0, 2.0, 0.0, 0.0, 1.0, 2.0, 2.0, 0.0, 1.0];
    let cases: [Special; 5] = [
        ("cottle_cycle", cycle, vec![-1.0; 3], vec![third; 3]),
        (
            "murty_exp",
            (0..64).map(upper).collect(),
            vec![-1.0; 8],
            [[0.0; 7].to_vec(), vec![1.0]].concat(),
        ),
        ("degenerate", vec![2.0, 1.0, 1.0, 2.0], vec![-1.0, -0.5], vec![0.5, 0.0]),
        ("zero_q", vec![2.0, 1.0, 1.0, 2.0], vec![0.0; 2], vec![0.0; 2]),
        ("skew; Keller, Lemke", vec![0.0, 1.0, -1.0, 0.0], vec![-1.0, 2.0], vec![2.0, 1.0]),
    ];
    let row = |(name, matrix, q, expected): Special| {
        let problem = Problem::unilateral(matrix, q);
        let takes = |s: &dyn LcpSolver| !name.contains("Lemke") || name.contains(s.name());
        let error = |mut s: Box<dyn LcpSolver>| largest(&solve(&problem, s.as_mut()), &expected);
        let solvers = all().into_iter().filter(|s| takes(s.as_ref()));
        let error = solvers.map(error).fold(0.0, f64::max);
        Row::of_error(format!("LCP-special, {name}"), "largest error of z", error, 1e-12)
    };
    cases.into_iter().map(row).collect()
}

fn box_on_plane() -> Row {
    let corners = [(0.1, 0.1), (0.1, -0.1), (-0.1, 0.1), (-0.1, -0.1)];
    let entry = |k: usize| {
        let ((x, y), (u, v)): ((f64, f64), (f64, f64)) = (corners[k / 4], corners[k % 4]);
        1.0 + (x * u + y * v) / 0.01
    };
    let problem = Problem::unilateral((0..16).map(entry).collect(), vec![-0.0981; 4]);
    let sums = all().map(|mut s| solve(&problem, s.as_mut()).iter().sum::<f64>());
    let error = sums.iter().map(|s| (s - 0.0981).abs()).fold(0.0, f64::max);
    Row::new(
        "LCP-box-on-plane",
        "sum of impulses [N s]; error: absolute, four algorithms",
        (0.0981, sums[0]),
        1e-10,
    )
    .with_error(error)
}

fn particle() -> Row {
    let mut most = 0.0f64;
    for (v, coefficient, impulse) in PARTICLE {
        let friction = Bound::Friction { normal: 0, coefficient, partner: None };
        let bounds = [Bound::Unilateral, friction];
        for model in [FrictionModel::Box, FrictionModel::Cone4] {
            let (matrix, q) = ([1.0, 0.0, 0.0, 1.0], [v[1], v[0]]);
            let problem = ContactProblem { matrix: &matrix, q: &q, bounds: &bounds, model };
            let (mut statuses, mut z) = ([ActiveSetStatus::Lower; 2], [0.0; 2]);
            let outcome = ContactSolver::default().solve(&problem, &mut statuses, &mut z);
            assert!(matches!(outcome, ContactOutcome::Solved { .. }), "{outcome}");
            most = most.max(largest(&z, &[impulse[1], impulse[0]]));
        }
    }
    Row::of_error(
        "LCP-friction-particle, box and cone",
        "largest error of impulses [N s]",
        most,
        1e-12,
    )
}

fn hinge() -> Row {
    let mut most = 0.0f64;
    for (arms, forces, torque, expected) in HINGE {
        let products: Vec<f64> = arms.iter().zip(forces).map(|(arm, force)| arm * force).collect();
        let count = products.len();
        let hessian: Vec<f64> =
            (0..count * count).map(|at| if at % (count + 1) == 0 { 2.0 } else { 0.0 }).collect();
        let program = QuadraticProgram {
            hessian: &hessian,
            gradient: &[0.0; 3][..count],
            lower: &[0.0; 3][..count],
            upper: &[1.0; 3][..count],
            rows: &products,
            row_lower: &[torque],
            row_upper: &[torque],
        };
        let mut statuses = vec![ActiveSetStatus::Lower; count + 1];
        let (mut x, mut y) = (vec![0.0; count], [0.0]);
        let outcome = QuadraticSolver::default().solve(&program, &mut statuses, &mut x, &mut y);
        assert!(outcome.solved().is_some(), "{outcome}");
        most = most.max(largest(&x, expected));
    }
    Row::of_error("INV-static-opt-hinge, five cases", "largest error of activations", most, 1e-6)
}

pub(crate) fn groups() -> Vec<Group> {
    let mut rows = random();
    rows.extend(special());
    rows.push(box_on_plane());
    rows.push(particle());
    rows.push(hinge());
    vec![Group {
        title: "Complementarity",
        text: "Linear complementarity problems by the algorithms of docs/theory/lcp.md, contacts with friction and \
               quadratic programs. References: constructed solutions and closed forms.",
        rows,
    }]
}

#[test]
fn complementarity_problems_have_the_solutions_of_their_references() {
    groups().iter().for_each(Group::check);
}
