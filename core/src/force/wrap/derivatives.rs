//! First and second derivatives of the length of a strand by the motions of its ends and of the bodies of its
//! obstacles.
//!
//! A body moves by v and turns by w about its centre c. Straight parts pull along their directions e:
//! dl = sum of e.(dY - dX), where the ends X and Y of a straight part move with what they touch; sliding along a
//! surface does nothing, since the path is the shortest. It does change the directions: the second derivatives follow
//! from the natural variations that keep the path errors zero.

use super::path_errors::{FrameRate, MOST_UNKNOWNS, PathRates, VARIATIONS};
use super::strand::{MOST_BENDS, Strand};
use super::{Mat3, Vec3};

/// Motions of a strand in threes: its first end, its last, and for each curved part the translation and the rotation of
/// its body.
pub(crate) const MOST_MOTIONS: usize = 2 + 2 * MOST_BENDS;

/// Operand of derivatives: a strand, and the centres [m] that the bodies of its curved parts turn about, in
/// the order of [`Strand::touched`].
pub(crate) struct Derivatives<'a> {
    strand: &'a Strand,
    centers: [Vec3; MOST_BENDS],
}

/// One end of a straight part.
struct MovedEnd {
    /// Number of the motion that it goes with; the turn of a body follows that.
    motion: usize,
    /// From the centre of its body; `None` for an end of the strand.
    arm: Option<Vec3>,
}

impl<'a> Derivatives<'a> {
    /// `center` gives the centre of the body of an obstacle [m] by its number.
    pub(crate) fn new(strand: &'a Strand, center: impl Fn(usize) -> Vec3) -> Self {
        let mut centers = [Vec3::zeros(); MOST_BENDS];
        for (to, obstacle) in centers.iter_mut().zip(strand.touched()) {
            *to = center(obstacle);
        }
        Self { strand, centers }
    }

    /// Number of motions.
    pub(crate) fn count(&self) -> usize {
        2 + 2 * self.strand.state.count
    }

    /// Ends of straight part `s`.
    fn moved_ends(&self, s: usize) -> [MovedEnd; 2] {
        let state = &self.strand.state;
        let on = |k: usize, point: Vec3| MovedEnd {
            motion: 2 + 2 * k,
            arm: Some(point - self.centers[k]),
        };
        let free = |motion: usize| MovedEnd { motion, arm: None };
        let before = s.checked_sub(1).and_then(|k| state.ends[k].map(|it| on(k, it.b.point)));
        let after = state.ends.get(s).and_then(|it| it.map(|it| on(s, it.a.point)));
        [before.unwrap_or_else(|| free(0)), after.unwrap_or_else(|| free(1))]
    }

    /// dl by each motion: [-] of translations, [m] of rotations; the tension times their opposite is the force [N] and
    /// the moment [N m] on what moves.
    pub(crate) fn gradient(&self) -> [Vec3; MOST_MOTIONS] {
        let mut gradient = [Vec3::zeros(); MOST_MOTIONS];
        for (s, part) in self.strand.straights().iter().enumerate() {
            for (end, sign) in self.moved_ends(s).iter().zip([-1.0, 1.0]) {
                let pull = part.direction * sign;
                gradient[end.motion] += pull;
                if let Some(arm) = end.arm {
                    gradient[end.motion + 1] += arm.cross(&pull);
                }
            }
        }
        gradient
    }

    /// Velocities of the path under a unit of component `axis` of a motion, its contacts fixed to their bodies.
    fn rigid_rates(&self, motion: usize, axis: usize) -> PathRates {
        let mut rates = PathRates::default();
        let unit = Vec3::from_fn(|k, _| f64::from(u8::from(k == axis)));
        let Some(k) = motion.checked_sub(2).map(|past| past / 2) else {
            rates.points[motion] = unit;
            return rates;
        };
        let Some(ends) = self.strand.state.ends[k] else { return rates };
        rates.bends[k] = [ends.a, ends.b].map(|frame| match motion % 2 {
            0 => FrameRate { point: unit, ..FrameRate::default() },
            _ => FrameRate {
                point: unit.cross(&(frame.point - self.centers[k])),
                normal: unit.cross(&frame.normal),
                binormal: unit.cross(&frame.binormal),
            },
        });
        rates
    }

    /// The second derivatives between all motions, the symmetric part for turns exp(w) R of bodies: entry (i, j) of the
    /// 3 x 3 blocks is at `3 i + row, 3 j + column`. Where the variations are singular, as at a focal point of
    /// geodesics, contacts do not slide; nor do those of a string that passes inside a ring.
    pub(crate) fn hessian(&self) -> Hessian {
        let state = &self.strand.state;
        let slides = state.count > 0 && !state.has_kinks();
        let factor = slides.then(|| state.factor()).flatten();
        let mut hessian = Hessian { blocks: [[Mat3::zeros(); MOST_MOTIONS]; MOST_MOTIONS] };
        for motion in 0..self.count() {
            for axis in 0..3 {
                let mut rates = self.rigid_rates(motion, axis);
                if let Some(factor) = &factor {
                    let slide = factor.solve(&state.error_rates(&rates).map(|e| -e));
                    self.add_slide(&slide, &mut rates);
                }
                let moved = (motion >= 2 && motion.is_multiple_of(2)).then_some((motion, axis));
                self.add_column(&rates, moved, (motion, axis), &mut hessian);
            }
        }
        hessian.symmetrize(self.count());
        hessian
    }

    fn add_slide(&self, slide: &[f64; MOST_UNKNOWNS], rates: &mut PathRates) {
        for (k, ends) in self.strand.ends().enumerate() {
            for v in 0..VARIATIONS {
                let by = ends.rates_by_variation(v);
                for (rate, by) in rates.bends[k].iter_mut().zip(by) {
                    rate.point += by.point * slide[VARIATIONS * k + v];
                }
            }
        }
    }

    /// Rates of the gradient under a motion; `moved` is the body that is translated by it, whose centre moves along.
    fn add_column(
        &self,
        rates: &PathRates,
        moved: Option<(usize, usize)>,
        (motion, axis): (usize, usize),
        hessian: &mut Hessian,
    ) {
        let count = self.strand.state.count;
        for (s, part) in self.strand.straights().iter().enumerate() {
            let turn = part.turn(&rates.apart(s, count));
            let velocities = [
                s.checked_sub(1).map_or(rates.points[0], |k| rates.bends[k][1].point),
                if s < count { rates.bends[s][0].point } else { rates.points[1] },
            ];
            for ((end, sign), velocity) in
                self.moved_ends(s).iter().zip([-1.0, 1.0]).zip(velocities)
            {
                let mut add = |row: usize, value: Vec3| {
                    let mut column = hessian.blocks[row][motion].column_mut(axis);
                    column += value * sign;
                };
                add(end.motion, turn);
                if let Some(arm) = end.arm {
                    let own = moved.filter(|it| it.0 == end.motion);
                    let center = own.map_or_else(Vec3::zeros, |(_, axis)| {
                        Vec3::from_fn(|k, _| f64::from(u8::from(k == axis)))
                    });
                    let moment = (velocity - center).cross(&part.direction) + arm.cross(&turn);
                    add(end.motion + 1, moment);
                }
            }
        }
    }
}

/// Second derivatives of a length.
pub(crate) struct Hessian {
    blocks: [[Mat3; MOST_MOTIONS]; MOST_MOTIONS],
}

impl Hessian {
    /// The block between two motions.
    pub(crate) fn block(&self, i: usize, j: usize) -> &Mat3 {
        &self.blocks[i][j]
    }

    fn symmetrize(&mut self, count: usize) {
        for i in 0..count {
            for j in 0..=i {
                let mean = (self.blocks[i][j] + self.blocks[j][i].transpose()) * 0.5;
                self.blocks[i][j] = mean;
                self.blocks[j][i] = mean.transpose();
            }
        }
    }
}
