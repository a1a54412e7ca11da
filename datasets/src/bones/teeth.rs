//! Crowns of the teeth [mm]: a tapered crown from neck to edge, with cusps where the tooth has some, and its root as a
//! low ridge of the alveolar process. Sizes are those of the tables of docs/theory/anatomy.md.

use super::sdf::{Point, Ray, Segment, Solid, add_scaled, unit};

/// Form of the biting end of a crown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Form {
    /// One edge.
    Incisor,
    /// One point.
    Canine,
    /// Two cusps, one on the cheek's side.
    Premolar,
    /// Four cusps.
    Molar,
}

/// A crown: the middle of its neck and of its biting end, the direction of the dental arch there, widths along and
/// across the arch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crown {
    pub(super) form: Form,
    pub(super) neck: Point,
    pub(super) top: Point,
    pub(super) arch: [f64; 2],
    pub(super) mesiodistal: f64,
    pub(super) buccolingual: f64,
}

/// A ball [mm].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ball {
    pub(crate) center: Point,
    pub(crate) radius: f64,
}

/// A crown as a table row.
pub(super) const fn crown(
    form: Form,
    [neck, top]: [Point; 2],
    arch: [f64; 2],
    [mesiodistal, buccolingual]: [f64; 2],
) -> Crown {
    Crown { form, neck, top, arch, mesiodistal, buccolingual }
}

impl Crown {
    fn arch(&self) -> Point {
        [self.arch[0], self.arch[1], 0.0]
    }

    /// Part of the way from the neck to the biting end, shifted along and across the arch in halves of the widths.
    fn at(&self, part: f64, along: f64, across: f64) -> Point {
        let [ax, ay] = self.arch;
        let length = (ax * ax + ay * ay).sqrt();
        let [ax, ay] = [ax / length, ay / length];
        let (l, b) = (0.5 * along * self.mesiodistal, 0.5 * across * self.buccolingual);
        let way = |axis: usize| self.neck[axis] + part * (self.top[axis] - self.neck[axis]);
        // Outward is to the right of the arch's direction rearward.
        [way(0) + l * ax + b * ay, way(1) + l * ay - b * ax, way(2)]
    }

    /// The crown and its cusps.
    pub(super) fn segments(&self) -> Vec<Segment> {
        let [m, b] = [0.5 * self.mesiodistal, 0.5 * self.buccolingual];
        let body = |ends: [f64; 2], radii: [Point; 2]| {
            let ends = ends.map(|part| self.at(part, 0.0, 0.0));
            Segment::new(ends, [0.0, 0.0, 1.0], self.arch(), radii)
        };
        match self.form {
            Form::Incisor => {
                vec![body([0.05, 0.84], [[1.5, 0.84 * m, 0.9 * b], [1.8, m, 0.44 * b]])]
            }
            Form::Canine => vec![
                body([0.05, 0.62], [[1.5, 0.82 * m, 0.92 * b], [1.5, 0.98 * m, 0.66 * b]]),
                body([0.6, 0.9], [[1.2, 0.9 * m, 0.55 * b], [1.0, 0.4 * m, 0.3 * b]]),
            ],
            Form::Premolar => {
                let mut all = vec![body(
                    [0.05, 0.68],
                    [[1.5, 0.84 * m, 0.84 * b], [1.6, 0.98 * m, 0.98 * b]],
                )];
                all.extend([self.cusp(0.0, 0.55, 0.42 * m), self.cusp(0.0, -0.5, 0.38 * m)]);
                all
            }
            Form::Molar => {
                let mut all =
                    vec![body([0.05, 0.7], [[1.5, 0.9 * m, 0.84 * b], [1.7, 0.98 * m, 0.96 * b]])];
                for (along, across) in [(0.48, 0.5), (-0.48, 0.5), (0.48, -0.5), (-0.48, -0.5)] {
                    all.push(self.cusp(along, across, 0.3 * m));
                }
                all
            }
        }
    }

    /// A cusp, at these shares of half the widths along and across the arch, and as wide as `radius` [mm].
    fn cusp(&self, along: f64, across: f64, radius: f64) -> Segment {
        let ends = [self.at(0.45, 0.9 * along, 0.9 * across), self.at(0.84, along, across)];
        let radii = [[1.2, 1.25 * radius, 1.25 * radius], [1.3, radius, radius]];
        Segment::new(ends, [0.0, 0.0, 1.0], self.arch(), radii)
    }

    /// Balls in the biting end, which touch the surface of a solid of crowns from inside at the tips of the cusps.
    pub(super) fn tips(&self, crowns: &Solid) -> impl Iterator<Item = Ball> {
        let (places, radius): (&[[f64; 2]], f64) = match self.form {
            Form::Incisor => (&[[0.55, 0.0], [-0.55, 0.0]], 1.3),
            Form::Canine => (&[[0.0, 0.0]], 1.3),
            Form::Premolar => (&[[0.0, 0.55], [0.0, -0.5]], 1.6),
            Form::Molar => (&[[0.48, 0.5], [-0.48, 0.5], [0.48, -0.5], [-0.48, -0.5]], 1.7),
        };
        let [neck, top] = [0.0, 1.0].map(|part| self.at(part, 0.0, 0.0));
        let inward = unit(std::array::from_fn(|axis| neck[axis] - top[axis]));
        let ball = move |&[along, across]: &[f64; 2]| {
            let ray = Ray { from: self.at(1.5, along, across), inward };
            let depth = ray.hit([0.0, 12.0], |p| crowns.value(p))?;
            let tip = ray.at(depth);
            let center = add_scaled(tip, crowns.normal(tip), -radius);
            Some(Ball { center, radius })
        };
        places.iter().filter_map(ball)
    }

    /// The enamel: the crown, grown by some millimetres.
    pub(super) fn enamel(&self, grown: f64) -> impl Iterator<Item = Segment> {
        self.segments().into_iter().map(move |segment| segment.grown(grown))
    }

    /// The root, which raises the surface of the alveolar process before it.
    pub(super) fn root(&self, length: f64) -> Segment {
        let [m, b] = [0.5 * self.mesiodistal, 0.5 * self.buccolingual];
        let part = -length / ((self.top[2] - self.neck[2]).abs());
        let ends = [self.at(0.05, 0.0, 0.0), self.at(part, 0.0, 0.1)];
        Segment::new(
            ends,
            [0.0, 0.0, 1.0],
            self.arch(),
            [[1.0, 0.74 * m, 0.95 * b], [1.0, 0.42 * m, 0.6 * b]],
        )
    }
}

/// Septa between the teeth of one side and the first one of the other, up to where the crowns meet.
pub(super) fn septa(crowns: &[Crown]) -> Vec<Segment> {
    let middle = crowns.first().map(|first| {
        let [low, high] = [-0.1, 0.5].map(|part| first.at(part, 0.0, 0.0));
        Segment::cone([[low[0], 0.0, low[2]], [high[0], 0.0, high[2]]], SEPTUM)
    });
    let between = crowns.windows(2).map(|pair| {
        let [low, high] = [-0.1, 0.5].map(|part| {
            let [a, b] = [pair[0].at(part, -1.0, 0.0), pair[1].at(part, 1.0, 0.0)];
            std::array::from_fn(|axis| 0.5 * (a[axis] + b[axis]))
        });
        Segment::cone([low, high], SEPTUM)
    });
    middle.into_iter().chain(between).collect()
}

/// Radii of a septum at its foot and at its edge [mm].
const SEPTUM: [f64; 2] = [2.4, 1.6];
