//! Solids: layers of primitives that are added, cut away or kept, one after the other, each rounded where it
//! meets the ones before. A solid is symmetric about the midsagittal plane, and its parts are those of the left, unless it is made one-sided.

use super::segment::{Point, Segment, dot};

/// Points with `normal` . p < `offset`; `normal` has length 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HalfSpace {
    normal: Point,
    offset: f64,
}

impl HalfSpace {
    /// Space behind a point, against a direction.
    pub(crate) fn behind(point: Point, direction: Point) -> Self {
        let normal = super::segment::unit(direction);
        Self { normal, offset: dot(normal, point) }
    }

    fn value(&self, p: Point) -> f64 {
        dot(self.normal, p) - self.offset
    }
}

/// A part of a layer.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    /// A tapered segment.
    Segment(Segment),
    /// A half space.
    HalfSpace(HalfSpace),
    /// Another solid.
    Solid(Box<Solid>),
}

impl From<Segment> for Part {
    fn from(segment: Segment) -> Self {
        Self::Segment(segment)
    }
}

impl From<HalfSpace> for Part {
    fn from(half_space: HalfSpace) -> Self {
        Self::HalfSpace(half_space)
    }
}

impl From<Solid> for Part {
    fn from(solid: Solid) -> Self {
        Self::Solid(Box::new(solid))
    }
}

impl Part {
    fn value(&self, p: Point) -> f64 {
        match self {
            Self::Segment(segment) => segment.value(p),
            Self::HalfSpace(half_space) => half_space.value(p),
            Self::Solid(solid) => solid.value(p),
        }
    }

    fn least_distance(&self, p: Point) -> f64 {
        match self {
            Self::Segment(_) | Self::HalfSpace(_) => self.value(p),
            Self::Solid(solid) => solid.least_distance(solid.folded(p)),
        }
    }
}

/// Operation of a layer on what the layers before it make.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Operation {
    Add,
    Cut,
    Keep,
}

/// Parts in a union.
#[derive(Clone, Debug)]
struct Layer {
    operation: Operation,
    /// Width of the rounding where it meets the layers before [mm].
    blend: f64,
    /// Width of the rounding between its own parts [mm].
    inner: f64,
    parts: Vec<Part>,
}

impl Layer {
    fn value(&self, p: Point) -> f64 {
        self.parts.iter().fold(f64::INFINITY, |v, part| smooth_min(v, part.value(p), self.inner))
    }

    /// Value beyond which a part changes nothing where the others are within the band.
    fn cutoff(&self, band: f64) -> f64 {
        self.blend.max(self.inner) + band
    }
}

/// Largest slope of the values that count: those of flat segments rise faster than distances.
const STEEPEST: f64 = 1.4;

/// A ball, and the values about its surface that count [mm].
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    pub(super) center: Point,
    pub(super) radius: f64,
    pub(super) band: f64,
}

/// A solid, negative inside.
#[derive(Clone, Debug, Default)]
pub(crate) struct Solid {
    layers: Vec<Layer>,
    /// True if its parts are those of both sides.
    one_sided: bool,
}

impl Solid {
    /// Nothing.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// The same without its mirror image: parts are where they are.
    pub(crate) fn one_sided(self) -> Self {
        Self { one_sided: true, ..self }
    }

    /// True if it is no mirror image of itself.
    pub(super) fn is_one_sided(&self) -> bool {
        self.one_sided
    }

    /// The point at which the parts are read.
    fn folded(&self, [x, y, z]: Point) -> Point {
        [x, if self.one_sided { y } else { y.abs() }, z]
    }

    fn with<P: Into<Part>>(
        mut self,
        operation: Operation,
        [blend, inner]: [f64; 2],
        parts: impl IntoIterator<Item = P>,
    ) -> Self {
        let parts = parts.into_iter().map(Into::into).collect();
        self.layers.push(Layer { operation, blend, inner, parts });
        self
    }

    /// Adds parts: `blends` are the widths of the rounding against what is there, and between the parts [mm].
    pub(crate) fn add<P: Into<Part>>(
        self,
        blends: [f64; 2],
        parts: impl IntoIterator<Item = P>,
    ) -> Self {
        self.with(Operation::Add, blends, parts)
    }

    /// Takes away what lies in the parts.
    pub(crate) fn cut<P: Into<Part>>(
        self,
        blends: [f64; 2],
        parts: impl IntoIterator<Item = P>,
    ) -> Self {
        self.with(Operation::Cut, blends, parts)
    }

    /// Keeps what lies in the parts.
    pub(crate) fn keep<P: Into<Part>>(
        self,
        blends: [f64; 2],
        parts: impl IntoIterator<Item = P>,
    ) -> Self {
        self.with(Operation::Keep, blends, parts)
    }

    /// Approximate signed distance [mm].
    pub(crate) fn value(&self, p: Point) -> f64 {
        self.value_left(self.folded(p))
    }

    /// The same, of a point where the parts are.
    fn value_left(&self, p: Point) -> f64 {
        self.layers.iter().fold(f64::INFINITY, |v, layer| {
            let of_layer = layer.value(p);
            match layer.operation {
                Operation::Add => smooth_min(v, of_layer, layer.blend),
                Operation::Cut => -smooth_min(-v, of_layer, layer.blend),
                Operation::Keep => -smooth_min(-v, -of_layer, layer.blend),
            }
        })
    }

    /// True if it has no part.
    pub(super) fn is_empty(&self) -> bool {
        self.layers.iter().all(|layer| layer.operation != Operation::Add)
    }

    /// Unit vector away from the solid at a point, by differences of the values.
    pub(crate) fn normal(&self, p: Point) -> Point {
        const STEP: f64 = 0.05;
        let slope = |axis: usize| {
            let [mut ahead, mut behind] = [p; 2];
            ahead[axis] += STEP;
            behind[axis] -= STEP;
            self.value(ahead) - self.value(behind)
        };
        super::segment::unit(std::array::from_fn(slope))
    }

    /// A point of the surface near a point.
    pub(crate) fn nearest(&self, p: Point) -> Point {
        const STEPS: usize = 16;
        (0..STEPS).fold(p, |p, _| super::segment::add_scaled(p, self.normal(p), -self.value(p)))
    }

    /// The layers that matter to the surface in a region on the left: values there are the same within the band,
    /// and of the same sign elsewhere.
    pub(super) fn near(&self, region: Region) -> Self {
        let region = Region { center: self.folded(region.center), ..region };
        let mut layers = Vec::with_capacity(self.layers.len());
        for layer in &self.layers {
            let cutoff = layer.cutoff(region.band) + STEEPEST * region.radius;
            let is_near = |part: &&Part| part.least_distance(region.center) < cutoff;
            let parts = layer.parts.iter().filter(is_near).map(|part| match part {
                Part::Solid(solid) => Part::from(solid.near(region)),
                other => other.clone(),
            });
            let parts: Vec<_> = parts.collect();
            match layer.operation {
                Operation::Keep if parts.is_empty() => layers.clear(),
                Operation::Keep if layer.holds(region.center, cutoff) => {}
                _ if parts.is_empty() => {}
                _ => layers.push(Layer { parts, ..*layer }),
            }
        }
        Self { layers, one_sided: self.one_sided }
    }

    fn least_distance(&self, p: Point) -> f64 {
        let added = self.layers.iter().filter(|layer| layer.operation == Operation::Add);
        let all = added.flat_map(|layer| &layer.parts).map(|part| part.least_distance(p));
        all.fold(f64::INFINITY, f64::min)
    }

    /// Corners of a box around the solid, in all of space for a solid of half spaces.
    pub(crate) fn bounds(&self) -> [Point; 2] {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for layer in self.layers.iter().filter(|layer| layer.operation == Operation::Add) {
            for part in &layer.parts {
                let [from, to] = match part {
                    Part::Segment(segment) => segment.bounds(),
                    Part::HalfSpace(_) => [[f64::NEG_INFINITY; 3], [f64::INFINITY; 3]],
                    Part::Solid(solid) => solid.bounds(),
                };
                let room = 0.25 * (layer.blend + layer.inner);
                for axis in 0..3 {
                    low[axis] = low[axis].min(from[axis] - room);
                    high[axis] = high[axis].max(to[axis] + room);
                }
            }
        }
        let aside = high[1].max(-low[1]);
        [[low[0], -aside, low[2]], [high[0], aside, high[2]]]
    }
}

impl Layer {
    /// True if all points within `cutoff` are far inside of a part: half spaces only.
    fn holds(&self, center: Point, cutoff: f64) -> bool {
        self.parts
            .iter()
            .any(|part| matches!(part, Part::HalfSpace(h) if h.value(center) < -cutoff))
    }
}

/// Smaller of two values, rounded where they differ by less than `width` (a quadratic polynomial).
fn smooth_min(a: f64, b: f64, width: f64) -> f64 {
    let overlap = width - (a - b).abs();
    // Infinite and equal values have no difference.
    if overlap > 0.0 { a.min(b) - 0.25 * overlap * overlap / width } else { a.min(b) }
}
