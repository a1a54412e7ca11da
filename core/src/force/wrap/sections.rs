//! Paths over an ellipsoid in a plane, as OpenSim has them (Delp1995, SIMM; Seth2018): the plane holds both ends and a point of
//! the surface, the top, that is found beside the line by one of three methods. They are longer than the shortest.

use super::Vec3;
use super::ellipsoid::Stretched;
use super::geodesic::Arc;
use super::side::Side;
use super::surface::{Darboux, Sections, Surface, Top};

/// Cosines of the angle between a line and the nearest axis between which `Hybrid` goes from one method to the other.
const BLEND: [f64; 2] = [0.7073, 0.9];

/// Share of the chord beside its ends where `Axial` counts less in `Hybrid`.
const BOUNDARY: f64 = 0.3;

/// Points along the chord whose directions are averaged, of 300 parts: those of OpenSim, as the mean jumps where directions do.
const FAN: usize = 298;

/// Coordinates below this, in mean half axes, are none.
const ON_PLANE: f64 = 1e-4;

/// Parts of arcs for their lengths, by two of Gauss's points each: to 1e-8 of them.
const PARTS: usize = 32;

/// Newton's method for the nearest point ends where its polynomial is below this.
const MET: f64 = 1e-9;

/// Most steps of it.
const MOST_STEPS: usize = 64;

/// A line through an ellipsoid, in mean half axes.
struct Chord {
    radii: Vec3,
    /// The point at which it enters.
    from: Vec3,
    /// From there to the point at which it leaves.
    along: Vec3,
}

impl Sections {
    /// The same ellipsoid with shortest paths.
    pub(super) fn plain(&self) -> Surface {
        Surface::Ellipsoid { radii: self.radii }
    }

    /// The section between two points outside; `None` where the line is free.
    pub(super) fn wrap(&self, ends: [&Vec3; 2], side: Option<Side>) -> Option<Arc> {
        let view = Stretched::new(self.radii, ends)?;
        let unit = self.radii.mean();
        let chord = Chord::new(self.radii / unit, ends.map(|p| p / unit))?;
        let top = chord.top(self.top, side) * unit;
        let path = view.section(&view.side_of(&top.component_div(&self.radii))?, PARTS);
        (path.arc.length > 0.0).then_some(path.arc)
    }

    /// Point of an arc at a share of the angle about the centre of its ellipse [m].
    pub(super) fn point(&self, arc: &Arc, share: f64) -> Vec3 {
        let end = arc.end.unwrap_or(arc.start);
        let [from, to] = [&arc.start, &end].map(|p| p.component_div(&self.radii));
        let along = arc.direction.component_div(&self.radii);
        let Some(normal) = along.cross(&(to - from)).try_normalize(1e-15) else {
            return arc.start;
        };
        let center = normal * normal.dot(&from);
        let first = from - center;
        let across = along.normalize() * first.norm();
        let angle = (to - center).dot(&across).atan2((to - center).dot(&first));
        let angle = angle.rem_euclid(std::f64::consts::TAU) * share;
        (center + first * angle.cos() + across * angle.sin()).component_mul(&self.radii)
    }

    /// The frame at the end of an arc.
    pub(super) fn end(&self, arc: &Arc) -> Darboux {
        let (surface, end) = (self.plain(), arc.end.unwrap_or(arc.start));
        let plane = arc.direction.cross(&(end - arc.start));
        let ahead = |p: &Vec3| plane.cross(&surface.shape(p).normal);
        let sign = ahead(&arc.start).dot(&arc.direction).signum();
        let tangent = (ahead(&end) * sign).try_normalize(0.0).unwrap_or(arc.direction);
        surface.darboux(end, &tangent)
    }
}

impl Chord {
    /// `None` where the line misses the ellipsoid between two points.
    fn new(radii: Vec3, [first, last]: [Vec3; 2]) -> Option<Self> {
        let [a, d] = [first, last - first].map(|v| v.component_div(&radii));
        let (square, half, rest) = (d.norm_squared(), a.dot(&d), a.norm_squared() - 1.0);
        let root = (half * half - square * rest).sqrt();
        let [enter, leave] = [-1.0, 1.0].map(|sign| (sign * root - half) / square);
        let inside = |share: f64| share > 0.0 && share < 1.0;
        let line = |share: f64| first + (last - first) * share;
        let along = line(leave) - line(enter);
        (inside(enter) && inside(leave)).then(|| Self { radii, from: line(enter), along })
    }

    fn at(&self, share: f64) -> Vec3 {
        self.from + self.along * share
    }

    /// The top of the section, on a side if there is one: brought there by a reflection, and towards the border by as much as the
    /// fan counts.
    fn top(&self, source: Top, side: Option<Side>) -> Vec3 {
        let axis = self.along.iamax();
        let (share, cosine) =
            (-self.from[axis] / self.along[axis], self.along[axis].abs() / self.along.norm());
        let weight = match source {
            Top::Hybrid => fan_weight(faded(cosine, share)),
            Top::Midpoint | Top::Axial => fan_weight(cosine),
        };
        let axial = || nearest_in_section(&self.radii, &self.at(share), axis);
        let mut top = match source {
            Top::Midpoint => nearest(&self.radii, &self.at(0.5)),
            Top::Axial => axial(),
            Top::Hybrid if weight <= 0.0 => axial(),
            Top::Hybrid if weight >= 1.0 => self.fan(),
            Top::Hybrid => {
                let mean = axial() * (1.0 - weight) + self.fan() * weight;
                nearest(&self.radii, &mean)
            }
        };
        if let Some(side) = side.filter(|it| !it.has(&top)) {
            top[side.axis] *= weight - 1.0;
            if weight > 0.0 {
                top = nearest(&self.radii, &top);
            }
        }
        top
    }

    /// The top by the mean of the directions to the nearest points of the surface along the chord.
    fn fan(&self) -> Vec3 {
        let direction = |k: usize| {
            let share = (k + 1) as f64 / 300.0;
            let from = self.at(share);
            (nearest(&self.radii, &from) - from).try_normalize(0.0).unwrap_or_default()
        };
        let sum: Vec3 = (0..FAN).map(direction).sum();
        let ahead = sum.try_normalize(0.0).unwrap_or_default();
        nearest(&self.radii, &(self.at(0.5) + ahead))
    }
}

/// Share of the fan in `Hybrid` at a cosine.
fn fan_weight(cosine: f64) -> f64 {
    ((BLEND[1] - cosine) / (BLEND[1] - BLEND[0])).clamp(0.0, 1.0)
}

/// The cosine, less where the line crosses the plane of the other axes near the ends of the chord or beyond.
fn faded(cosine: f64, share: f64) -> f64 {
    let inside = (share.min(1.0 - share) / BOUNDARY).clamp(0.0, 1.0);
    if cosine > BLEND[0] { BLEND[0] + inside * (cosine - BLEND[0]) } else { cosine }
}

/// The point of an ellipsoid that is nearest to another.
fn nearest(radii: &Vec3, p: &Vec3) -> Vec3 {
    // Beside planes of its axes the polynomial has roots that are no points: there it is that of the narrowest section.
    let flat = (0..3).filter(|&k| p[k].abs() < ON_PLANE);
    match flat.max_by(|&a, &b| radii[a].total_cmp(&radii[b])) {
        Some(axis) => nearest_in_section(radii, p, axis),
        None => root_of([radii.x, radii.y, radii.z], [p.x, p.y, p.z]).into(),
    }
}

/// The nearest point of the ellipse of the two other axes; the coordinate along `axis` stays.
fn nearest_in_section(radii: &Vec3, p: &Vec3, axis: usize) -> Vec3 {
    let [i, j] = [(axis + 1) % 3, (axis + 2) % 3];
    let mut out = *p;
    [out[i], out[j]] = on_ellipse([radii[i], radii[j]], [p[i], p[j]]);
    out
}

fn on_ellipse([a, b]: [f64; 2], [u, v]: [f64; 2]) -> [f64; 2] {
    match [u.abs() < ON_PLANE, v.abs() < ON_PLANE] {
        [true, true] if a < b => [a.copysign(u), v],
        [true, true] => [u, b.copysign(v)],
        [true, false] => {
            let [y, x] = on_axis([b, a], [v, u]);
            [x, y]
        }
        [false, true] => on_axis([a, b], [u, v]),
        [false, false] => root_of([a, b], [u, v]),
    }
}

/// The nearest point of an ellipse to a point on its first axis.
fn on_axis([a, b]: [f64; 2], [u, v]: [f64; 2]) -> [f64; 2] {
    if b >= a || u.abs() >= a - b * b / a {
        return [a.copysign(u), v];
    }
    let x = a * a * u / (a * a - b * b);
    [x, b * (1.0 - (x / a).powi(2)).abs().sqrt()]
}

/// The nearest point by Lagrange's multiplier (Eberly1994): x = a² p / (t + a²) with the largest root t.
fn root_of<const N: usize>(radii: [f64; N], p: [f64; N]) -> [f64; N] {
    let square: [f64; N] = std::array::from_fn(|k| (radii[k] * p[k]).powi(2));
    let depth: f64 = (0..N).map(|k| (p[k] / radii[k]).powi(2)).sum();
    let size = p.iter().map(|x| x * x).sum::<f64>().sqrt();
    let mut t = if depth < 1.0 { 0.0 } else { radii.iter().fold(0.0f64, |m, r| m.max(*r)) * size };
    for _ in 0..MOST_STEPS {
        let (mut product, mut value, mut slope, mut inverse) = (1.0, 1.0, 0.0, 0.0);
        for k in 0..N {
            let each = t + radii[k] * radii[k];
            product *= each * each;
            value -= square[k] / (each * each);
            slope += square[k] / (each * each * each);
            inverse += 1.0 / each;
        }
        if (product * value).abs() < MET {
            break;
        }
        t -= 0.5 * value / (inverse * value + slope);
    }
    std::array::from_fn(|k| radii[k] * radii[k] * p[k] / (t + radii[k] * radii[k]))
}
