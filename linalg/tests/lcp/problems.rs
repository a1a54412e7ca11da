//! Problems with seeds, and what their solutions are judged by.

use sinew_linalg::lcp::{ActiveSetStatus, Dantzig, Keller, Lcp, LcpSolver, Lemke, Murty, Outcome};

/// All algorithms, each anew.
pub(crate) fn all() -> [Box<dyn LcpSolver>; 4] {
    [
        Box::new(Keller::default()),
        Box::new(Dantzig::default()),
        Box::new(Lemke::default()),
        Box::new(Murty::default()),
    ]
}

/// The generator of LCP-random-PD in the reference data.
pub(crate) struct Generator(pub(crate) u64);

impl Generator {
    /// In [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / 2f64.powi(53)
    }

    /// In [-1, 1).
    pub(crate) fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    pub(crate) fn array(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.signed()).collect()
    }
}

/// A problem that owns its arrays.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) matrix: Vec<f64>,
    pub(crate) q: Vec<f64>,
    pub(crate) lower: Vec<f64>,
    pub(crate) upper: Vec<f64>,
}

impl Problem {
    /// z >= 0.
    pub(crate) fn unilateral(matrix: Vec<f64>, q: Vec<f64>) -> Self {
        let n = q.len();
        Self { matrix, q, lower: vec![0.0; n], upper: vec![f64::INFINITY; n] }
    }

    pub(crate) fn view(&self) -> Lcp<'_> {
        Lcp { matrix: &self.matrix, q: &self.q, lower: &self.lower, upper: &self.upper }
    }

    pub(crate) fn len(&self) -> usize {
        self.q.len()
    }

    pub(crate) fn w(&self, z: &[f64]) -> Vec<f64> {
        let row = |(row, q): (&[f64], &f64)| row.iter().zip(z).map(|(m, z)| m * z).sum::<f64>() + q;
        self.matrix.chunks(self.len()).zip(&self.q).map(row).collect()
    }

    /// The residual as `Outcome::Solved` defines it, computed here from the definition.
    pub(crate) fn residual(&self, z: &[f64]) -> f64 {
        let n = self.len();
        let scale: Vec<f64> = (0..n)
            .map(|i| {
                let own = self.matrix[n * i + i];
                if own > 0.0 { own.sqrt() } else { 1.0 }
            })
            .collect();
        let w = self.w(z);
        let (mut size, mut most) = (0.0f64, 0.0f64);
        for i in 0..n {
            let (zi, wi) = (z[i] * scale[i], w[i] / scale[i]);
            let (lower, upper) = (self.lower[i] * scale[i], self.upper[i] * scale[i]);
            size = size.max(zi.abs()).max((self.q[i] / scale[i]).abs());
            most = most.max((zi - (zi - wi).clamp(lower, upper)).abs());
        }
        if most == 0.0 { 0.0 } else { most / size }
    }

    /// Solves from nothing.
    pub(crate) fn solve(&self, solver: &mut dyn LcpSolver) -> (Vec<f64>, Outcome) {
        let (z, _, outcome) = self.solve_from(solver, vec![ActiveSetStatus::Lower; self.len()]);
        (z, outcome)
    }

    pub(crate) fn solve_from(
        &self,
        solver: &mut dyn LcpSolver,
        mut statuses: Vec<ActiveSetStatus>,
    ) -> (Vec<f64>, Vec<ActiveSetStatus>, Outcome) {
        let mut z = vec![f64::NAN; self.len()];
        let outcome = solver.solve(&self.view(), &mut statuses, &mut z);
        (z, statuses, outcome)
    }
}

/// LCP-random-PD: the problem and its solution.
pub(crate) fn random_definite(seed: u64, n: usize) -> (Problem, Vec<f64>) {
    let mut random = Generator(seed);
    let a = random.array(n * n);
    let mut matrix = gram(&a, n, n, 1.0 / n as f64);
    (0..n).for_each(|i| matrix[n * i + i] += 0.1);
    let z: Vec<f64> = random.array(n).iter().map(|v| v.max(0.0)).collect();
    let w: Vec<f64> = random.array(n).iter().map(|v| v.abs() + 0.01).collect();
    let zero = Problem::unilateral(matrix.clone(), vec![0.0; n]);
    let product = zero.w(&z);
    let q = (0..n).map(|i| if z[i] > 0.0 { -product[i] } else { w[i] - product[i] }).collect();
    (Problem::unilateral(matrix, q), z)
}

/// factor A A^T of A with n rows of m entries.
pub(crate) fn gram(a: &[f64], n: usize, m: usize, factor: f64) -> Vec<f64> {
    let mut matrix = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            let pairs = a[m * i..m * (i + 1)].iter().zip(&a[m * j..m * (j + 1)]);
            matrix[n * i + j] = factor * pairs.map(|(a, b)| a * b).sum::<f64>();
        }
    }
    matrix
}

/// Recipe of a random problem, with the properties that make it hard.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recipe {
    pub(crate) seed: u64,
    pub(crate) n: usize,
    /// Rank of M.
    pub(crate) rank: usize,
    /// True if variables have all kinds of bounds, or z >= 0 alone.
    pub(crate) bounds: bool,
    /// True if some pairs have z = w = 0.
    pub(crate) degenerate: bool,
    /// Units of the variables differ by up to ten to this power, up and down.
    pub(crate) decades: f64,
}

/// A problem with a symmetric positive semidefinite matrix that is known to have a solution.
pub(crate) fn random_problem(recipe: Recipe) -> Problem {
    let Recipe { n, rank, .. } = recipe;
    let mut random = Generator(recipe.seed);
    random.unit();
    let scale: Vec<f64> = (0..n).map(|_| 10f64.powf(recipe.decades * random.signed())).collect();
    let a: Vec<f64> = (0..n * rank).map(|k| random.signed() * scale[k / rank]).collect();
    let mut problem = Problem::unilateral(gram(&a, n, rank, 1.0), vec![0.0; n]);
    let (mut z, mut w) = (vec![0.0; n], vec![0.0; n]);
    for i in 0..n {
        let kind = if recipe.bounds { (random.unit() * 5.0) as usize } else { 0 };
        let (below, above) = (random.unit() + 0.1, random.unit() + 0.1);
        let unbounded = f64::INFINITY;
        let (lower, upper) = match kind {
            0 => (0.0, unbounded),
            1 => (-below, above),
            2 => (-unbounded, above),
            3 => (-unbounded, unbounded),
            _ => (below, below + if above < 0.3 { 0.0 } else { above }),
        };
        (z[i], w[i]) = place(&mut random, lower, upper, recipe.degenerate);
        (problem.lower[i], problem.upper[i]) = (lower / scale[i], upper / scale[i]);
        (z[i], w[i]) = (z[i] / scale[i], w[i] * scale[i]);
    }
    let product = problem.w(&z);
    problem.q = w.iter().zip(product).map(|(w, p)| w - p).collect();
    problem
}

/// A complementary pair within bounds.
fn place(random: &mut Generator, lower: f64, upper: f64, degenerate: bool) -> (f64, f64) {
    let (choice, size) = (random.unit(), random.unit() + 0.01);
    let w = if degenerate && random.unit() < 0.3 { 0.0 } else { size };
    match (lower.is_finite(), upper.is_finite()) {
        (true, _) if choice < 0.4 => (lower, w),
        (_, true) if choice < 0.7 => (upper, -w),
        (true, true) => (lower + (upper - lower) * random.unit(), 0.0),
        (true, false) => (lower + size, 0.0),
        (false, true) => (upper - size, 0.0),
        (false, false) => (random.signed(), 0.0),
    }
}
