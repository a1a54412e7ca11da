//! Quadratic programs: static optimization of muscles, closed forms, random ones by their conditions.

use proptest::prelude::*;
use sinew_linalg::lcp::{ActiveSetStatus, Outcome, QuadraticProgram, QuadraticSolver};

use super::problems::{Generator, gram};

struct Program {
    hessian: Vec<f64>,
    gradient: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    rows: Vec<f64>,
    row_lower: Vec<f64>,
    row_upper: Vec<f64>,
}

impl Program {
    fn view(&self) -> QuadraticProgram<'_> {
        QuadraticProgram {
            hessian: &self.hessian,
            gradient: &self.gradient,
            lower: &self.lower,
            upper: &self.upper,
            rows: &self.rows,
            row_lower: &self.row_lower,
            row_upper: &self.row_upper,
        }
    }

    fn solve(&self) -> (Vec<f64>, Vec<f64>, Vec<ActiveSetStatus>, Outcome) {
        let (n, m) = (self.gradient.len(), self.row_lower.len());
        let (mut x, mut y) = (vec![0.0; n], vec![0.0; m]);
        let mut statuses = vec![ActiveSetStatus::Lower; n + m];
        let outcome = QuadraticSolver::default().solve(&self.view(), &mut statuses, &mut x, &mut y);
        (x, y, statuses, outcome)
    }

    /// Largest violation of the optimality conditions, from their definition.
    fn violation(&self, x: &[f64], y: &[f64]) -> f64 {
        let (n, m) = (x.len(), y.len());
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let slope = |i: usize| {
            let forces = (0..m).map(|k| self.rows[n * k + i] * y[k]).sum::<f64>();
            self.gradient[i] + dot(&self.hessian[n * i..n * (i + 1)], x) - forces
        };
        let miss = |v: f64, w: f64, lower: f64, upper: f64| (v - (v - w).clamp(lower, upper)).abs();
        let of_x = (0..n).map(|i| miss(x[i], slope(i), self.lower[i], self.upper[i]));
        let product = |k: usize| dot(&self.rows[n * k..n * (k + 1)], x);
        let of_y = (0..m).map(|k| miss(product(k), y[k], self.row_lower[k], self.row_upper[k]));
        of_x.chain(of_y).fold(0.0, f64::max)
    }
}

/// Least squares of activations in [0, 1] with a torque [N m] given.
fn muscles(products: &[f64], torque: f64) -> Program {
    let n = products.len();
    let hessian = (0..n * n).map(|k| if k / n == k % n { 2.0 } else { 0.0 }).collect();
    Program {
        hessian,
        gradient: vec![0.0; n],
        lower: vec![0.0; n],
        upper: vec![1.0; n],
        rows: products.to_vec(),
        row_lower: vec![torque],
        row_upper: vec![torque],
    }
}

/// INV-static-opt-hinge: moment arms times forces [N m], torque [N m], activations.
#[test]
fn static_optimization_about_a_hinge_is_that_of_the_closed_form() {
    let cases: [(&[f64], f64, &[f64]); 5] = [
        (&[40.0, 24.0], 20.0, &[0.3676470588235293, 0.2205882352941176]),
        (&[40.0, 24.0], 60.0, &[1.0, 0.8333333333333334]),
        (&[40.0, 24.0, -15.0], 30.0, &[0.5514705882352942, 0.33088235294117646, 0.0]),
        (&[40.0, 24.0, -15.0], -8.0, &[0.0, 0.0, 0.5333333333333332]),
        (&[25.0, 28.0, 18.0], 60.0, &[0.8655510675129832, 0.9694171956145412, 0.6231967686093479]),
    ];
    for (products, torque, expected) in cases {
        let (x, _, _, outcome) = muscles(products, torque).solve();
        assert!(outcome.solved().is_some(), "{outcome}");
        let error = x.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(error < 1e-14, "{x:?}");
    }
}

/// INV-inverse-dynamics: torque of a prescribed hinge, shared by a flexor and an extensor.
#[test]
fn a_prescribed_hinge_activates_one_of_two_antagonists_at_a_time() {
    for k in 0..=10 {
        let phase = std::f64::consts::TAU * 0.1 * f64::from(k);
        let (angle, acceleration) =
            (0.5 * phase.sin(), -0.5 * std::f64::consts::TAU.powi(2) * phase.sin());
        let torque = 2.0 * 0.25 * acceleration + 2.0 * 9.81 * 0.5 * angle.sin();
        let (x, _, _, outcome) = muscles(&[60.0, -45.0], torque).solve();
        assert!(outcome.solved().is_some(), "{outcome}");
        let expected = [(torque / 60.0).max(0.0), (-torque / 45.0).max(0.0)];
        assert!((x[0] - expected[0]).abs() < 1e-13 && (x[1] - expected[1]).abs() < 1e-13, "{x:?}");
        if k == 1 {
            // The reference value, for the fourth part of a second figure.
            assert!(
                (torque + 2.959445794449329).abs() < 1e-9
                    && (x[1] - 0.06576546209887398).abs() < 1e-9
            );
        }
    }
}

#[test]
fn contradicting_constraints_and_a_minimum_nowhere_end_in_a_ray() {
    let (_, _, _, outcome) = muscles(&[40.0, 24.0], 65.0).solve();
    assert!(matches!(outcome, Outcome::Ray { .. }), "{outcome}");
    let mut slope = muscles(&[1.0, 1.0], 1.0);
    slope.hessian.fill(0.0);
    slope.gradient = vec![-1.0, 0.0];
    (slope.lower, slope.upper) = (vec![f64::NEG_INFINITY; 2], vec![f64::INFINITY; 2]);
    let (_, _, _, outcome) = slope.solve();
    assert!(matches!(outcome, Outcome::Ray { .. }), "{outcome}");
}

#[test]
fn a_linear_program_is_solved_at_its_vertex() {
    // Largest 3 a + 5 b with a <= 4, 2 b <= 12, 3 a + 2 b <= 18: a = 2, b = 6 (Dantzig1963).
    let program = Program {
        hessian: vec![0.0; 4],
        gradient: vec![-3.0, -5.0],
        lower: vec![0.0; 2],
        upper: vec![4.0, f64::INFINITY],
        rows: vec![0.0, 2.0, 3.0, 2.0],
        row_lower: vec![f64::NEG_INFINITY; 2],
        row_upper: vec![12.0, 18.0],
    };
    let (x, y, statuses, outcome) = program.solve();
    assert!(outcome.solved().is_some(), "{outcome}");
    assert!((x[0] - 2.0).abs() < 1e-14 && (x[1] - 6.0).abs() < 1e-14, "{x:?}");
    assert!((y[0] + 1.5).abs() < 1e-14 && (y[1] + 1.0).abs() < 1e-14, "{y:?}");
    assert_eq!(
        statuses,
        [
            ActiveSetStatus::Basic,
            ActiveSetStatus::Basic,
            ActiveSetStatus::Upper,
            ActiveSetStatus::Upper
        ]
    );
}

/// A program that has a feasible point, with rows of all kinds and a Hessian of any rank above zero.
fn random_program(seed: u64, n: usize, m: usize, rank: usize) -> Program {
    let mut random = Generator(seed);
    random.unit();
    let hessian = gram(&random.array(n * rank), n, rank, 1.0);
    let (lower, upper): (Vec<f64>, Vec<f64>) =
        (0..n).map(|_| (-random.unit() - 0.1, random.unit() + 0.1)).unzip();
    let inside: Vec<f64> =
        (0..n).map(|i| lower[i] + (upper[i] - lower[i]) * random.unit()).collect();
    let rows = random.array(m * n);
    let (mut row_lower, mut row_upper) = (Vec::new(), Vec::new());
    for k in 0..m {
        let value: f64 = (0..n).map(|i| rows[n * k + i] * inside[i]).sum();
        let (below, above) = (value - 0.2 * random.unit(), value + 0.2 * random.unit());
        let (l, u) = match (random.unit() * 4.0) as usize {
            0 => (value, value),
            1 => (below, f64::INFINITY),
            2 => (f64::NEG_INFINITY, above),
            _ => (below, above),
        };
        row_lower.push(l);
        row_upper.push(u);
    }
    Program { hessian, gradient: random.array(n), lower, upper, rows, row_lower, row_upper }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn random_programs_meet_their_optimality_conditions(
        seed in any::<u64>(), n in 1usize..16, part in 0.0..1.0f64, rank in 1usize..20,
    ) {
        let m = (part * n as f64) as usize;
        let program = random_program(seed, n, m, rank);
        let (x, y, statuses, outcome) = program.solve();
        prop_assert!(outcome.solved().is_some(), "{}", outcome);
        let violation = program.violation(&x, &y);
        let size = y.iter().fold(1.0, |m: f64, y| m.max(y.abs()));
        prop_assert!(violation < 1e-9 * size, "{:e}", violation);
        let (mut again, mut multipliers, mut same) = (x.clone(), y.clone(), statuses.clone());
        let outcome = QuadraticSolver::default()
            .solve(&program.view(), &mut same, &mut again, &mut multipliers);
        prop_assert!(outcome.solved().is_some(), "{}", outcome);
        prop_assert!(program.violation(&again, &multipliers) < 1e-9 * size);
    }
}
