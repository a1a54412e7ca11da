//! Tapered segments with elliptical sections: what limbs of a shape are made of. Values are negative inside, zero
//! on the surface, and near it close to the signed distance [mm].

/// A point or a vector [mm].
pub(crate) type Point = [f64; 3];

pub(super) fn sub(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(in crate::bones) fn add_scaled(a: Point, b: Point, t: f64) -> Point {
    [a[0] + b[0] * t, a[1] + b[1] * t, a[2] + b[2] * t]
}

pub(super) fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The vector of length 1 in its direction.
pub(in crate::bones) fn unit(a: Point) -> Point {
    let length = dot(a, a).sqrt();
    a.map(|x| x / length)
}

/// A tapered segment: radii change linearly from `a` to `b`, the ends are rounded. Radii are along the segment
/// (of the rounded ends), along `side`, and across both. `a` = `b` is an ellipsoid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    a: Point,
    span: Point,
    /// One over the squared length; 0 for an ellipsoid.
    per_square: f64,
    /// Orthonormal: along, side, across.
    axes: [Point; 3],
    radii: [Point; 2],
    /// All sections are round: the value is that of a cone.
    round: bool,
}

impl Segment {
    /// `along` need not be normal to `side`; the segment's own direction takes its place when the ends differ.
    pub(crate) fn new([a, b]: [Point; 2], along: Point, side: Point, radii: [Point; 2]) -> Self {
        let span = sub(b, a);
        let square = dot(span, span);
        let along = unit(if square > 0.0 { span } else { along });
        let side = unit(add_scaled(side, along, -dot(along, side)));
        let per_square = if square > 0.0 { 1.0 / square } else { 0.0 };
        let round = radii.iter().all(|r| r[0] == r[1] && r[1] == r[2]);
        Self { a, span, per_square, axes: [along, side, cross(along, side)], radii, round }
    }

    /// An ellipsoid with radii along x, y and z.
    pub(crate) fn ellipsoid(center: Point, radii: Point) -> Self {
        Self::new([center; 2], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [radii; 2])
    }

    /// An ellipsoid with radii along `along`, along `side` and across both.
    pub(crate) fn tilted(center: Point, along: Point, side: Point, radii: Point) -> Self {
        Self::new([center; 2], along, side, [radii; 2])
    }

    /// A cone with round sections and ends.
    pub(crate) fn cone(ends: [Point; 2], [from, to]: [f64; 2]) -> Self {
        let along = sub(ends[1], ends[0]);
        // Any direction that is not that of the cone.
        let side = if along[1].abs() > along[0].abs() { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
        Self::new(ends, along, side, [[from; 3], [to; 3]])
    }

    /// The same, all radii grown [mm].
    pub(crate) fn grown(self, grown: f64) -> Self {
        Self { radii: self.radii.map(|radii| radii.map(|r| r + grown)), ..self }
    }

    /// First-order distance to an ellipsoid, |q| (|q| - 1) / |grad|q|| for q scaled by the radii, or that to the ball
    /// around it. Outside both are at most the distance, the first because |q| is convex; inside the value is at
    /// least minus the smallest radius.
    pub(crate) fn value(&self, p: Point) -> f64 {
        let from = sub(p, self.a);
        let t = (dot(from, self.span) * self.per_square).clamp(0.0, 1.0);
        let d = add_scaled(from, self.span, -t);
        if self.round {
            let [r0, r1] = [self.radii[0][0], self.radii[1][0]];
            return dot(d, d).sqrt() - (r0 + (r1 - r0) * t);
        }
        let (mut scaled, mut slope, mut least, mut most) = (0.0, 0.0, f64::INFINITY, 0.0_f64);
        for axis in 0..3 {
            let [r0, r1] = [self.radii[0][axis], self.radii[1][axis]];
            let radius = r0 + (r1 - r0) * t;
            let per = 1.0 / radius;
            let q = dot(d, self.axes[axis]) * per;
            scaled += q * q;
            slope += (q * per) * (q * per);
            least = least.min(radius);
            most = most.max(radius);
        }
        if slope == 0.0 {
            return -least;
        }
        if scaled <= 1.0 {
            return ((scaled - scaled.sqrt()) / slope.sqrt()).max(-least);
        }
        ((scaled - scaled.sqrt()) / slope.sqrt()).max(dot(d, d).sqrt() - most)
    }

    /// Largest radius.
    fn reach(&self) -> f64 {
        self.radii.iter().flatten().fold(0.0, |most: f64, &r| most.max(r))
    }

    /// Corners of a box around it.
    pub(super) fn bounds(&self) -> [Point; 2] {
        let b = add_scaled(self.a, self.span, 1.0);
        let reach = self.reach();
        let corner = |pick: fn(f64, f64) -> f64, off: f64| {
            std::array::from_fn(|axis| pick(self.a[axis], b[axis]) + off)
        };
        [corner(f64::min, -reach), corner(f64::max, reach)]
    }
}
