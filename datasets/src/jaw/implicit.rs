//! Implicit shapes of the bones: tapered segments with elliptical sections, joined to chains and
//! blended smoothly. Values are negative inside, zero on the surface, and near it close to the signed
//! distance [mm]. Only sums, products and square roots, so that every machine makes the same numbers.

use sinew::Vec3;

/// A tapered segment: radii change linearly from `a` to `b`, the ends are rounded. Radii are along
/// the segment (of the rounded ends), along `side`, and across both [mm]. `a` = `b` is an ellipsoid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    a: Vec3,
    b: Vec3,
    /// Orthonormal: along, side, across.
    axes: [Vec3; 3],
    radii: [[f64; 3]; 2],
    /// Middle and half length of the axis, smallest and largest radius: for [`Self::least_value`].
    middle: Vec3,
    half_length: f64,
    extremes: [f64; 2],
}

impl Segment {
    /// `along` need not be normal to `side`; the segment's own direction takes its place when the
    /// ends differ.
    pub(super) fn new(
        ends: [[f64; 3]; 2],
        along: [f64; 3],
        side: [f64; 3],
        radii: [[f64; 3]; 2],
    ) -> Self {
        let [a, b] = ends.map(Vec3::from);
        let direction = if (b - a).norm_squared() > 0.0 { b - a } else { Vec3::from(along) };
        let along = direction.normalize();
        let side = Vec3::from(side);
        let side = (side - along * along.dot(&side)).normalize();
        let all = || radii.iter().flatten().copied();
        let extremes = [all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max)];
        let axes = [along, side, along.cross(&side)];
        let half_length = 0.5 * (b - a).norm();
        Self { a, b, axes, radii, middle: 0.5 * (a + b), half_length, extremes }
    }

    /// An ellipsoid with radii along `along`, along `side` and across both.
    pub(super) fn ellipsoid(
        center: [f64; 3],
        along: [f64; 3],
        side: [f64; 3],
        radii: [f64; 3],
    ) -> Self {
        Self::new([center; 2], along, side, [radii; 2])
    }

    /// First-order distance to an ellipsoid, |q| (|q| - 1) / |grad|q|| for q scaled by the radii.
    fn value(&self, p: Vec3) -> f64 {
        let span = self.b - self.a;
        let length = span.norm_squared();
        let t = if length > 0.0 { ((p - self.a).dot(&span) / length).clamp(0.0, 1.0) } else { 0.0 };
        let d = p - (self.a + span * t);
        let (mut scaled, mut slope, mut least) = (0.0, 0.0, f64::INFINITY);
        for axis in 0..3 {
            let [from, to] = self.radii.map(|radii| radii[axis]);
            let radius = from + (to - from) * t;
            let q = d.dot(&self.axes[axis]) / radius;
            scaled += q * q;
            slope += (q / radius) * (q / radius);
            least = least.min(radius);
        }
        if slope == 0.0 {
            return -least;
        }
        let scaled = scaled.sqrt();
        scaled * (scaled - 1.0) / slope.sqrt()
    }

    /// A lower bound of the value: the scaled distance |q| is at least that to a ball around the axis
    /// over the largest radius, and the gradient of |q| at most 1 over the smallest one.
    fn least_value(&self, p: Vec3) -> f64 {
        let [smallest, largest] = self.extremes;
        let off = (p - self.middle).norm() - self.half_length;
        if off > largest { smallest * (off / largest - 1.0) } else { f64::NEG_INFINITY }
    }

    /// Largest radius [mm].
    fn reach(&self) -> f64 {
        self.extremes[1]
    }
}

/// A row of sections of a tube: centre, half width along `side`, half height across [mm].
#[derive(Clone, Copy, Debug)]
pub(super) struct Section {
    pub(super) center: [f64; 3],
    pub(super) half_width: f64,
    pub(super) half_height: f64,
}

/// A section as a table row.
pub(super) const fn section(center: [f64; 3], half_width: f64, half_height: f64) -> Section {
    Section { center, half_width, half_height }
}

/// Direction in which the height of the sections of a tube is measured.
#[derive(Clone, Copy, Debug)]
pub(super) enum Upright {
    /// The given direction, as far as it is normal to the tube.
    Height([f64; 3]),
    /// Across the given direction, which the width follows.
    Width([f64; 3]),
}

/// Parts of each interval of a tube between two sections.
const PARTS: usize = 4;

/// The segments of a tube whose sections follow a Catmull-Rom curve through `sections`; a tube that
/// begins in the midsagittal plane crosses it at right angles.
pub(super) fn tube(sections: &[Section], upright: Upright) -> Vec<Segment> {
    let rows: Vec<[f64; 5]> = sections
        .iter()
        .map(|s| [s.center[0], s.center[1], s.center[2], s.half_width, s.half_height])
        .collect();
    let count = (rows.len() - 1) * PARTS;
    let at: Vec<_> = (0..=count).map(|k| curve_point(&rows, k)).collect();
    at.windows(2).map(|pair| tube_segment(pair[0], pair[1], upright)).collect()
}

fn tube_segment(from: [f64; 5], to: [f64; 5], upright: Upright) -> Segment {
    let point = |row: [f64; 5]| Vec3::new(row[0], row[1], row[2]);
    let along = point(to) - point(from);
    let side = match upright {
        Upright::Width(width) => width,
        Upright::Height(height) => Vec3::from(height).cross(&along).into(),
    };
    let radii = |row: [f64; 5]| [row[3].min(row[4]), row[3], row[4]];
    let ends = [point(from).into(), point(to).into()];
    Segment::new(ends, along.into(), side, [radii(from), radii(to)])
}

/// Point `k` of [`PARTS`] an interval on the uniform Catmull-Rom curve. Before a first row in the
/// midsagittal plane comes the mirror image of the second; elsewhere the curve ends straight.
fn curve_point(rows: &[[f64; 5]], k: usize) -> [f64; 5] {
    let i = (k / PARTS).min(rows.len() - 2);
    let f = k as f64 / PARTS as f64 - i as f64;
    let (b, c) = (rows[i], rows[i + 1]);
    let mirrored = |axis: usize| if axis == 1 { -c[axis] } else { c[axis] };
    std::array::from_fn(|axis| {
        let before = match i.checked_sub(1) {
            Some(i) => rows[i][axis],
            None if b[1] == 0.0 => mirrored(axis),
            None => 2.0 * b[axis] - c[axis],
        };
        let after = rows.get(i + 2).map_or(2.0 * c[axis] - b[axis], |row| row[axis]);
        let (slope_b, slope_c) = (0.5 * (c[axis] - before), 0.5 * (after - b[axis]));
        let (f2, f3) = (f * f, f * f * f);
        b[axis] * (2.0 * f3 - 3.0 * f2 + 1.0)
            + c[axis] * (3.0 * f2 - 2.0 * f3)
            + slope_b * (f3 - 2.0 * f2 + f)
            + slope_c * (f3 - f2)
    })
}

/// Width of the blend between hollows [mm]: those beside each other become one.
const HOLLOW_BLEND: f64 = 16.0;

/// A bone symmetric about the midsagittal plane: what is given for the left is on the right too.
#[derive(Clone, Debug, Default)]
pub(super) struct Bone {
    /// Union of segments each; between chains the union is smooth.
    chains: Vec<Vec<Segment>>,
    /// Width of the blend between chains [mm].
    blend: f64,
    /// Nothing below this height [mm]; the cut is rounded like the blends.
    floor: Option<f64>,
    /// Segments taken out of the first chain, rounded likewise.
    hollows: Vec<Segment>,
}

impl Bone {
    pub(super) fn new(blend: f64) -> Self {
        Self { blend, ..Self::default() }
    }

    /// Adds chains of segments, each blended with what is there already.
    pub(super) fn with(mut self, chains: impl IntoIterator<Item = Vec<Segment>>) -> Self {
        self.chains.extend(chains);
        self
    }

    /// Adds chains of one segment each.
    pub(super) fn with_each(self, segments: impl IntoIterator<Item = Segment>) -> Self {
        self.with(segments.into_iter().map(|segment| vec![segment]))
    }

    /// Removes what lies below `height` [mm] of the chains so far: they become one.
    pub(super) fn cut_below(mut self, height: f64) -> Self {
        self.floor = Some(height);
        self
    }

    /// Removes what lies in segments from the first chain.
    pub(super) fn hollowed(mut self, segments: impl IntoIterator<Item = Segment>) -> Self {
        self.hollows.extend(segments);
        self
    }

    /// The first chain without what lies below the floor and in the hollows [mm].
    fn cut(&self, value: f64, p: Vec3) -> f64 {
        let floored = match self.floor {
            Some(height) => -smooth_min(-value, p.z - height, self.blend),
            None => value,
        };
        let hollow = self.hollows.iter().fold(f64::INFINITY, |hollow, segment| {
            smooth_min(hollow, segment.value(p), HOLLOW_BLEND)
        });
        -smooth_min(-floored, hollow, self.blend)
    }

    /// Negative inside [mm].
    pub(super) fn value(&self, p: Vec3) -> f64 {
        let p = Vec3::new(p.x, p.y.abs(), p.z);
        let mut value = f64::INFINITY;
        for (k, chain) in self.chains.iter().enumerate() {
            // Segments beyond the blend change nothing.
            let part = chain.iter().fold(value + self.blend, |least, segment| {
                if segment.least_value(p) >= least { least } else { least.min(segment.value(p)) }
            });
            // The others may hang below the floor, and stand in a hollow.
            let part = if k == 0 { self.cut(part, p) } else { part };
            value = smooth_min(value, part, self.blend);
        }
        value
    }

    /// Corners of a box around the bone [mm].
    pub(super) fn bounds(&self) -> [Vec3; 2] {
        let (mut low, mut high) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        for segment in self.chains.iter().flatten() {
            let reach = Vec3::repeat(segment.reach() + self.blend);
            for end in [segment.a, segment.b] {
                low = low.inf(&(end - reach));
                high = high.sup(&(end + reach));
            }
        }
        let aside = high.y.max(-low.y);
        if let Some(height) = self.floor {
            let hanging = self.chains[1..].iter().flatten();
            let lowest =
                hanging.fold(height, |least: f64, s| least.min(s.a.z.min(s.b.z) - s.reach()));
            low.z = low.z.max(lowest - self.blend);
        }
        [Vec3::new(low.x, -aside, low.z), Vec3::new(high.x, aside, high.z)]
    }
}

/// Smaller of two values, rounded where they differ by less than `width` (a quadratic polynomial).
fn smooth_min(a: f64, b: f64, width: f64) -> f64 {
    let overlap = width - (a - b).abs();
    if overlap <= 0.0 || !overlap.is_finite() {
        return a.min(b);
    }
    a.min(b) - 0.25 * overlap * overlap / width
}
