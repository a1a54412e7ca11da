//! Random numbers and random graphs from one linear congruence.

use sinew::interactive::{BlockId, Code, Graph, Port, Scalar};

pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number in [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / 2f64.powi(53)
    }

    pub(crate) fn range(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * self.unit()
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.unit() * count as f64) as usize
    }
}

/// Formulas whose values stay in a range of some units for inputs that do.
const FORMULAS: [&str; 10] = [
    "sin(a)*b",
    "a/(1 + b^2)",
    "c = cos(a); c*b; a - b",
    "sqrt(1 + a*a + b*b)",
    "exp(-a^2) + 0.3*b",
    "atan2(a, 2 + b*b); tanh(a*b)",
    "(1 + a^2)^0.3 - b^3/(1 + b^4)",
    "ln(2 + a*a)*sin(b)",
    "2*a - 3*b + 0.5*t",
    "hypot(a, 1)*cos(t) + b^-2/(1 + b^-2)",
];

/// A turn of (x, y) by an angle.
struct Turn;

impl Code for Turn {
    fn input_count(&self) -> usize {
        3
    }
    fn output_count(&self) -> usize {
        2
    }
    fn eval<S: Scalar>(&self, x: &[S], y: &mut [S]) {
        let (s, c) = (x[2].sin(), x[2].cos());
        y[0] = c * x[0] - s * x[1];
        y[1] = s * x[0] + c * x[1];
    }
}

pub(crate) struct RandomGraph {
    pub(crate) graph: Graph,
    pub(crate) sources: Vec<BlockId>,
    pub(crate) ports: Vec<Port>,
}

/// Variables and blocks upon them, in no more than ten layers.
pub(crate) fn random_graph(random: &mut Random) -> RandomGraph {
    let mut graph = Graph::default();
    let (mut sources, mut ports) = (Vec::new(), Vec::new());
    for k in 0..1 + random.below(4) {
        let values = [random.range(-1.5, 1.5), random.range(0.2, 1.5)];
        let block = graph.add_variables(&format!("v{k}"), &["x", "y"], &values);
        sources.push(block.expect("variables"));
        ports.extend(sources[k].ports::<2>());
    }
    let gain = graph.add_parameters("gain", &["0"], &[random.range(0.5, 2.0)]);
    ports.push(gain.expect("a parameter").port(0));
    for k in 0..2 + random.below(9) {
        let [a, b, c] = [(); 3].map(|()| ports[random.below(ports.len())]);
        let name = format!("f{k}");
        let block = match random.below(5) {
            0 => graph.add_code(&name, Turn, &[a, b, c]),
            _ => {
                let text = FORMULAS[random.below(FORMULAS.len())];
                let inputs = [("a", a), ("b", b), ("t", graph.time())];
                graph.add_formula(&name, text, &inputs)
            }
        };
        let block = block.expect("a block");
        ports.extend(graph.ports(block).expect("outputs"));
    }
    RandomGraph { graph, sources, ports }
}
