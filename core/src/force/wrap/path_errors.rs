//! Newton's method on a path of straight and curved parts (Scholz et al. 2016). At both ends of each geodesic the
//! straight part must have no component along the normal and the binormal of the surface; the four natural variations
//! of each geodesic change these errors: along itself, across, turned about its start, and lengthened at its end.

use super::Vec3;
use super::geodesic::{Arc, ArcEnd, Jacobi};
use super::strand::{MOST_BENDS, Obstacle};
use super::surface::Darboux;

/// Natural variations of a geodesic, and path errors of it.
pub(super) const VARIATIONS: usize = 4;

/// Unknowns of the longest path.
pub(super) const MOST_UNKNOWNS: usize = VARIATIONS * MOST_BENDS;

/// Sine of the angle between a straight part and a tangent plane beyond which it is none: roundings of
/// tangent points are a million times smaller.
const KINK: f64 = 1e-6;

/// A geodesic on an obstacle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bend {
    /// Number of the obstacle.
    pub(super) obstacle: usize,
    /// The geodesic, in the frame of its surface.
    pub(super) arc: Arc,
}

/// Both ends of a geodesic, in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    pub(super) a: Darboux,
    pub(super) b: Darboux,
    pub(super) jacobi: Jacobi,
    pub(super) length: f64,
}

/// Velocity of an end and of its frame under some motion, turns about the point itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrameRate {
    pub(super) point: Vec3,
    pub(super) normal: Vec3,
    pub(super) binormal: Vec3,
}

/// A straight part of a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Straight {
    /// From its first end to its second.
    pub(super) direction: Vec3,
    /// Its length [m].
    pub(super) length: f64,
}

impl Straight {
    /// `along` is its direction where it has no length.
    pub(super) fn between(from: &Vec3, to: &Vec3, along: &Vec3) -> Self {
        match nalgebra::Unit::try_new_and_get(to - from, 0.0) {
            None => Self { direction: *along, length: 0.0 },
            Some((direction, length)) => Self { direction: direction.into_inner(), length },
        }
    }

    /// Rate of its direction when its second end moves by `apart` against its first.
    pub(super) fn turn(&self, apart: &Vec3) -> Vec3 {
        let lateral = apart - self.direction * self.direction.dot(apart);
        // Ends closer than this are on the surface; nothing turns faster than this says.
        lateral / self.length.max(f64::MIN_POSITIVE.sqrt())
    }
}

impl Bend {
    pub(super) fn ends(&self, obstacles: &[Obstacle]) -> Ends {
        let Obstacle { surface, pose, .. } = &obstacles[self.obstacle];
        let ArcEnd { frame, jacobi } = self.arc.end(surface);
        let first = surface.darboux(self.arc.start, &self.arc.direction);
        let [a, b] = [first, frame].map(|frame| Darboux {
            point: pose.rotation * frame.point + pose.translation.vector,
            tangent: pose.rotation * frame.tangent,
            normal: pose.rotation * frame.normal,
            binormal: pose.rotation * frame.binormal,
            ..frame
        });
        Ends { a, b, jacobi, length: self.arc.length }
    }

    /// The bend after a share of a natural variation, back on the surface.
    fn varied(&self, obstacles: &[Obstacle], change: &[f64], scale: f64) -> Self {
        let step: [f64; VARIATIONS] = std::array::from_fn(|k| change[k] * scale);
        let surface = &obstacles[self.obstacle].surface;
        let at = surface.darboux(self.arc.start, &self.arc.direction);
        let start = surface.project(&(at.point + at.tangent * step[0] + at.binormal * step[1]));
        let (sin, cos) = step[2].sin_cos();
        let direction = surface.darboux(start, &(at.tangent * cos + at.binormal * sin)).tangent;
        let length = self.arc.length + step[3];
        Self { arc: Arc { start, direction, length, end: None }, ..*self }
    }
}

impl Ends {
    /// Rates of both ends under natural variation number `k`.
    pub(super) fn rates_by_variation(&self, k: usize) -> [FrameRate; 2] {
        let Jacobi { shifted, turned } = self.jacobi;
        let ([along_a, across_a, turn_a], [along_b, across_b, turn_b]) = match k {
            0 => ([1.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
            1 => ([0.0, 1.0, 0.0], [0.0, shifted[0], shifted[1]]),
            2 => ([0.0, 0.0, 1.0], [0.0, turned[0], turned[1]]),
            _ => ([0.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
        };
        [self.a.rate(along_a, across_a, turn_a), self.b.rate(along_b, across_b, turn_b)]
    }
}

impl Darboux {
    /// Rate of the frame when its point moves along and across, and it turns about its normal.
    fn rate(&self, along: f64, across: f64, turn: f64) -> FrameRate {
        let (t, b, n) = (self.tangent, self.binormal, self.normal);
        let to_b = self.torsion * along + self.across * across;
        FrameRate {
            point: t * along + b * across,
            normal: t * (self.curvature * along + self.torsion * across) + b * to_b,
            binormal: n * -to_b - t * turn,
        }
    }
}

/// A path with the ends of its geodesics, and its straight parts: one more than there are geodesics.
pub(super) struct PathState {
    pub(super) ends: [Option<Ends>; MOST_BENDS],
    pub(super) straights: [Straight; MOST_BENDS + 1],
    pub(super) count: usize,
}

impl PathState {
    pub(super) fn new(points: [Vec3; 2], bends: &[Bend], obstacles: &[Obstacle]) -> Self {
        let mut ends = [None; MOST_BENDS];
        let count = bends.len().min(MOST_BENDS);
        for (ends, bend) in ends.iter_mut().zip(bends) {
            *ends = Some(bend.ends(obstacles));
        }
        let none = Straight { direction: Vec3::zeros(), length: 0.0 };
        let mut state = Self { ends, straights: [none; MOST_BENDS + 1], count };
        for s in 0..=count {
            let before = s.checked_sub(1).and_then(|k| state.ends[k]);
            let after = state.ends.get(s).copied().flatten();
            let from = before.map_or(points[0], |it| it.b.point);
            let to = after.map_or(points[1], |it| it.a.point);
            let along = after.map(|it| it.a.tangent).or(before.map(|it| it.b.tangent));
            state.straights[s] = Straight::between(&from, &to, &along.unwrap_or_else(Vec3::zeros));
        }
        state
    }

    /// True if a straight part meets a surface at an angle, as a string does that a ring holds from outside.
    pub(super) fn has_kinks(&self) -> bool {
        let leans = |(s, end): (usize, &Darboux)| {
            let part = &self.straights[s];
            part.length > 0.0 && part.direction.dot(&end.normal).abs() > KINK
        };
        self.bends().enumerate().any(|(k, ends)| leans((k, &ends.a)) || leans((k + 1, &ends.b)))
    }

    /// The geodesics in order.
    pub(super) fn bends(&self) -> impl Iterator<Item = &Ends> {
        self.ends.iter().flatten()
    }

    /// The path errors, `VARIATIONS` a geodesic: sines of angles.
    fn errors(&self) -> [f64; MOST_UNKNOWNS] {
        let mut errors = [0.0; MOST_UNKNOWNS];
        for (k, Ends { a, b, .. }) in self.bends().enumerate() {
            let [before, after] = [k, k + 1].map(|s| self.straights[s].direction);
            let own = [
                before.dot(&a.normal),
                before.dot(&a.binormal),
                after.dot(&b.normal),
                after.dot(&b.binormal),
            ];
            errors[VARIATIONS * k..VARIATIONS * (k + 1)].copy_from_slice(&own);
        }
        errors
    }

    /// Rates of the path errors under a motion: velocities of the ends of the path, and of both ends of each geodesic.
    pub(super) fn error_rates(&self, rates: &PathRates) -> [f64; MOST_UNKNOWNS] {
        let mut out = [0.0; MOST_UNKNOWNS];
        for (k, ends) in self.bends().enumerate() {
            let turns = [k, k + 1].map(|s| self.straights[s].turn(&rates.apart(s, self.count)));
            let frames = [ends.a, ends.b];
            for (side, (turn, frame)) in turns.iter().zip(frames).enumerate() {
                let (direction, rate) = (self.straights[k + side].direction, &rates.bends[k][side]);
                let at = VARIATIONS * k + 2 * side;
                out[at] = turn.dot(&frame.normal) + direction.dot(&rate.normal);
                out[at + 1] = turn.dot(&frame.binormal) + direction.dot(&rate.binormal);
            }
        }
        out
    }

    /// Derivatives of the path errors by the natural variations, factored; `None` where they are singular.
    pub(super) fn factor(&self) -> Option<Factor> {
        let size = VARIATIONS * self.count;
        let mut matrix = [[0.0; MOST_UNKNOWNS]; MOST_UNKNOWNS];
        for (k, ends) in self.bends().enumerate() {
            for v in 0..VARIATIONS {
                let mut rates = PathRates::default();
                rates.bends[k] = ends.rates_by_variation(v);
                let column = self.error_rates(&rates);
                for (row, value) in matrix.iter_mut().zip(column).take(size) {
                    row[VARIATIONS * k + v] = value;
                }
            }
        }
        Factor::new(matrix, size)
    }
}

impl Default for FrameRate {
    fn default() -> Self {
        Self { point: Vec3::zeros(), normal: Vec3::zeros(), binormal: Vec3::zeros() }
    }
}

/// Velocities of a path under some motion.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PathRates {
    /// Of its ends.
    pub(super) points: [Vec3; 2],
    /// Of both ends of each geodesic.
    pub(super) bends: [[FrameRate; 2]; MOST_BENDS],
}

impl PathRates {
    /// Velocity of the second end of straight part `s` against its first, in a path of `count` geodesics.
    pub(super) fn apart(&self, s: usize, count: usize) -> Vec3 {
        let from = s.checked_sub(1).map_or(self.points[0], |k| self.bends[k][1].point);
        let to = if s < count { self.bends[s][0].point } else { self.points[1] };
        to - from
    }
}

/// LU factors of a small matrix, with the order of its rows.
pub(super) struct Factor {
    matrix: [[f64; MOST_UNKNOWNS]; MOST_UNKNOWNS],
    order: [usize; MOST_UNKNOWNS],
    size: usize,
}

impl Factor {
    fn new(mut matrix: [[f64; MOST_UNKNOWNS]; MOST_UNKNOWNS], size: usize) -> Option<Self> {
        let mut order = std::array::from_fn(|k| k);
        for k in 0..size {
            let largest =
                |&i: &usize, &j: &usize| matrix[i][k].abs().total_cmp(&matrix[j][k].abs());
            let pivot = (k..size).max_by(largest)?;
            matrix.swap(k, pivot);
            order.swap(k, pivot);
            let row = matrix[k];
            if row[k].is_nan() || row[k].abs() <= f64::MIN_POSITIVE {
                return None;
            }
            for below in matrix[k + 1..size].iter_mut() {
                let factor = below[k] / row[k];
                below[k] = factor;
                for (entry, value) in below[k + 1..size].iter_mut().zip(&row[k + 1..size]) {
                    *entry -= factor * value;
                }
            }
        }
        Some(Self { matrix, order, size })
    }

    pub(super) fn solve(&self, right: &[f64; MOST_UNKNOWNS]) -> [f64; MOST_UNKNOWNS] {
        let mut x = [0.0; MOST_UNKNOWNS];
        for k in 0..self.size {
            let known: f64 = (0..k).map(|j| self.matrix[k][j] * x[j]).sum();
            x[k] = right[self.order[k]] - known;
        }
        for k in (0..self.size).rev() {
            let known: f64 = (k + 1..self.size).map(|j| self.matrix[k][j] * x[j]).sum();
            x[k] = (x[k] - known) / self.matrix[k][k];
        }
        x
    }
}

/// Path errors below this are met: what the integration of geodesics is good to.
const MET: f64 = 1e-13;

/// Path errors below this are as good as met where Newton's method goes no further down.
const ALMOST_MET: f64 = 1e-9;

/// Newton's method doubles the digits; more steps than this are not convergence.
const MOST_STEPS: usize = 16;

/// Largest path error [-] that a guess is followed from: the nearest path is the one that is found.
pub(super) const FOLLOWED: f64 = 0.25;

/// Largest step of Newton's method along a surface, in its sizes, as a turn [rad], and of a length in four sizes.
const LONGEST_STEP: f64 = 1.0;

/// The largest of them without signs; infinite where one is no number.
fn largest(values: &[f64]) -> f64 {
    let size = |value: &f64| if value.is_nan() { f64::INFINITY } else { value.abs() };
    values.iter().map(size).fold(0.0, f64::max)
}

/// Halvings of a step that does not bring the path errors down.
const MOST_HALVINGS: usize = 6;

/// The share of a step that is not too long.
fn longest(change: &[f64; MOST_UNKNOWNS], bends: &[Bend], obstacles: &[Obstacle]) -> f64 {
    let reach = |(bend, change): (&Bend, &[f64])| {
        let size = obstacles[bend.obstacle].surface.size();
        let along = (change[0] / size).hypot(change[1] / size);
        along.max(change[2].abs()).max(change[3].abs() / (4.0 * size))
    };
    let reach = bends.iter().zip(change.chunks(VARIATIONS)).map(reach).fold(0.0, f64::max);
    if reach > LONGEST_STEP { LONGEST_STEP / reach } else { 1.0 }
}

/// Puts bends where those of an iterate are after a share of a change.
fn vary(
    bends: &mut [Bend],
    from: &[Bend],
    obstacles: &[Obstacle],
    (change, share): (&[f64; MOST_UNKNOWNS], f64),
) {
    for ((bend, from), own) in bends.iter_mut().zip(from).zip(change.chunks(VARIATIONS)) {
        *bend = from.varied(obstacles, own, share);
    }
}

/// Improves bends until they meet the path errors between two points. `None` when the guess is off by more than
/// `followed`, or Newton's method does not converge; `bends` then holds some iterate.
pub(super) fn improve(
    points: [Vec3; 2],
    bends: &mut [Bend],
    obstacles: &[Obstacle],
    followed: f64,
) -> Option<()> {
    let mut state = PathState::new(points, bends, obstacles);
    let mut error = largest(&state.errors());
    if error > followed {
        return None;
    }
    let mut first = [*bends.first()?; MOST_BENDS];
    let first = &mut first[..bends.len()];
    for _ in 0..MOST_STEPS {
        if error <= MET {
            return Some(());
        }
        let change = state.factor()?.solve(&state.errors().map(|e| -e));
        first.copy_from_slice(bends);
        let mut scale = longest(&change, bends, obstacles);
        let before = error;
        for _ in 0..MOST_HALVINGS {
            vary(bends, first, obstacles, (&change, scale));
            state = PathState::new(points, bends, obstacles);
            error = largest(&state.errors());
            if error < before {
                break;
            }
            scale *= 0.5;
        }
        if error >= before {
            bends.copy_from_slice(first);
            return (before <= ALMOST_MET).then_some(());
        }
    }
    (error <= ALMOST_MET).then_some(())
}
