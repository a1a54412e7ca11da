//! Curves through nodes (x, y, dy/dx): cubic Hermite, and quintic Bezier elbows (Millard2013). Both
//! go on with the slopes of their ends. A value is [y, dy/dx].

/// A node of a curve: x, y, dy/dx.
pub type Node = [f64; 3];

/// Cubic Hermite interpolation of two nodes or more, x ascending: [y, dy/dx] at x.
pub fn hermite(nodes: &[Node], x: f64) -> [f64; 2] {
    let Some(k) = segment(nodes, x) else { return beyond(nodes, x) };
    let ([x0, y0, d0], [x1, y1, d1]) = (nodes[k], nodes[k + 1]);
    let width = x1 - x0;
    let secant = (y1 - y0) / width;
    let t = x - x0;
    let a2 = (3.0 * secant - 2.0 * d0 - d1) / width;
    let a3 = (d0 + d1 - 2.0 * secant) / (width * width);
    [((a3 * t + a2) * t + d0) * t + y0, (3.0 * a3 * t + 2.0 * a2) * t + d0]
}

/// Integral of [`hermite`] from its first node to x, which is at or after it.
pub fn hermite_integral(nodes: &[Node], x: f64) -> f64 {
    let mut sum = 0.0;
    for pair in nodes.windows(2) {
        let ([x0, y0, d0], [x1, y1, d1]) = (pair[0], pair[1]);
        if x <= x0 {
            return sum;
        }
        // The primitive of the cubic, at the end of the segment or at x.
        let width = x1 - x0;
        let secant = (y1 - y0) / width;
        let a2 = (3.0 * secant - 2.0 * d0 - d1) / width;
        let a3 = (d0 + d1 - 2.0 * secant) / (width * width);
        let t = width.min(x - x0);
        sum += (((0.25 * a3 * t + a2 / 3.0) * t + 0.5 * d0) * t + y0) * t;
    }
    sum + integral_beyond(nodes, x)
}

/// Quintic Bezier elbows between nodes, x ascending, the slopes at the two ends of an elbow
/// different: [y, dy/dx] at x. The curviness of an elbow is from 0 to 1.
pub fn bezier(nodes: &[Node], curviness: f64, x: f64) -> [f64; 2] {
    let Some(k) = segment(nodes, x) else { return beyond(nodes, x) };
    let (px, py) = elbow(&nodes[k], &nodes[k + 1], curviness);
    let u = parameter(&px, x);
    let [y, dy] = quintic(&py, u);
    [y, dy / quintic(&px, u)[1]]
}

/// The point of an elbow at the parameter u, from 0 to 1, as a node.
pub(super) fn bezier_node(from: &Node, to: &Node, curviness: f64, u: f64) -> Node {
    let (px, py) = elbow(from, to, curviness);
    let ([x, dx], [y, dy]) = (quintic(&px, u), quintic(&py, u));
    [x, y, dy / dx]
}

/// Integral of [`bezier`] from its first node to x, which is at or after it.
pub fn bezier_integral(nodes: &[Node], curviness: f64, x: f64) -> f64 {
    let mut sum = 0.0;
    for pair in nodes.windows(2) {
        if x <= pair[0][0] {
            return sum;
        }
        let (px, py) = elbow(&pair[0], &pair[1], curviness);
        let end = if x < pair[1][0] { parameter(&px, x) } else { 1.0 };
        // y x' is of degree 9 in u: five points of Gauss integrate it exactly.
        for (point, weight) in GAUSS {
            let u = 0.5 * end * (1.0 + point);
            sum += 0.5 * end * weight * quintic(&py, u)[0] * quintic(&px, u)[1];
        }
    }
    sum + integral_beyond(nodes, x)
}

/// Hill's force-velocity hyperbola (Hill1938): force over isometric force at a shortening speed
/// over the fastest, (1 - v) / (1 + v / curvature), and its derivative by v.
pub fn hill_hyperbola(speed: f64, curvature: f64) -> [f64; 2] {
    let below = 1.0 + speed / curvature;
    [(1.0 - speed) / below, -(1.0 + 1.0 / curvature) / (below * below)]
}

/// Points and weights of the five-point Gauss rule on [-1, 1].
const GAUSS: [(f64, f64); 5] = [
    (-0.906_179_845_938_664, 0.236_926_885_056_189_08),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.906_179_845_938_664, 0.236_926_885_056_189_08),
];

/// The segment that x lies in; none before the first node, from the last one on, and for NaN.
fn segment(nodes: &[Node], x: f64) -> Option<usize> {
    nodes.windows(2).position(|pair| x >= pair[0][0] && x < pair[1][0])
}

fn beyond(nodes: &[Node], x: f64) -> [f64; 2] {
    let last = nodes[nodes.len() - 1];
    let [x0, y0, slope] = if x < nodes[0][0] { nodes[0] } else { last };
    [y0 + slope * (x - x0), slope]
}

fn integral_beyond(nodes: &[Node], x: f64) -> f64 {
    let [x0, y0, slope] = nodes[nodes.len() - 1];
    let t = (x - x0).max(0.0);
    (y0 + 0.5 * slope * t) * t
}

/// Control points of an elbow: its ends, and twice a point of each tangent, the nearer to where the
/// tangents meet the greater the curviness (Millard2013, section 2.1 and its supplement).
fn elbow(from: &Node, to: &Node, curviness: f64) -> ([f64; 6], [f64; 6]) {
    let ([x0, y0, d0], [x1, y1, d1]) = (*from, *to);
    let c = 0.1 + 0.8 * curviness;
    let corner = (y1 - y0 - x1 * d1 + x0 * d0) / (d0 - d1);
    let (a, b) = (c * (corner - x0), c * (corner - x1));
    let (xa, ya, xb, yb) = (x0 + a, y0 + a * d0, x1 + b, y1 + b * d1);
    ([x0, xa, xa, xb, xb, x1], [y0, ya, ya, yb, yb, y1])
}

/// Value and derivative by u of a quintic Bezier polynomial.
fn quintic(p: &[f64; 6], u: f64) -> [f64; 2] {
    let mut q = *p;
    let v = 1.0 - u;
    for level in (1..=5).rev() {
        if level == 1 {
            return [v * q[0] + u * q[1], 5.0 * (q[1] - q[0])];
        }
        for i in 0..level {
            q[i] = v * q[i] + u * q[i + 1];
        }
    }
    unreachable!("the last level returns")
}

/// The u at which the rising polynomial has the value x: Newton's method, bisecting where it would
/// leave the bracket.
fn parameter(px: &[f64; 6], x: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    let mut u = (x - px[0]) / (px[5] - px[0]);
    // Newton's method takes 4 to 6; 60 halvings exhaust the digits.
    for _ in 0..60 {
        let [value, slope] = quintic(px, u);
        if value > x {
            high = u
        } else {
            low = u
        }
        let newton = u - (value - x) / slope;
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        if (next - u).abs() <= 2.0 * f64::EPSILON * u || value == x {
            break;
        }
        u = next;
    }
    u
}
