//! Springs, dampers and stops of coordinates of joints, with their derivatives: F = -k (x - x0) - d dx/dt, and stops
//! that push back beyond the ends of a range with a stiffness that sets in smoothly (Seth2018).

use serde::{Deserialize, Serialize};

use super::{
    EffectorView, Fault, ForceEffector, JacobianScale, Kinematics, Part, RowPartition,
    VelocityTerms,
};
use crate::Vec3;
use crate::constraint::{CoordinateReading, JointTerm};
use crate::linalg::{BlockPattern, add_block};

/// Stops of a coordinate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CoordinateStops {
    /// Ends of the range in which they do not push [m or rad].
    pub ends: [f64; 2],
    /// Stiffness below and above it [N/m or N m/rad].
    pub stiffness: [f64; 2],
    /// Way beyond an end over which the stiffness sets in [m or rad].
    pub transition: f64,
    /// Damping where the stiffness has set in [N s/m or N m s/rad].
    pub damping: f64,
}

/// Passive forces of a coordinate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CoordinateSpring {
    /// Stiffness [N/m or N m/rad].
    pub stiffness: f64,
    /// Value without force [m or rad].
    pub rest: f64,
    /// Damping [N s/m or N m s/rad].
    pub damping: f64,
    /// Stops, if there are some.
    pub stops: Option<CoordinateStops>,
}

impl CoordinateSpring {
    /// The same of a coordinate that is `factor` times as large: places change, stiffnesses and dampings stay.
    pub(crate) fn scale(&mut self, factor: f64) {
        self.rest *= factor;
        let Some(stops) = &mut self.stops else { return };
        stops.ends = stops.ends.map(|end| end * factor);
        stops.transition *= factor.abs();
        if factor < 0.0 {
            stops.ends.reverse();
            stops.stiffness.reverse();
        }
    }
}

/// A force [N or N m], minus its slope, its damping, and the energy that it stores [J].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Pushed {
    force: f64,
    stiffness: f64,
    damping: f64,
    energy: f64,
}

impl CoordinateStops {
    /// At a way [m or rad] beyond an end, against it.
    fn beyond(&self, way: f64, stiffness: f64) -> Pushed {
        if way <= 0.0 {
            return Pushed::default();
        }
        let (length, k) = (self.transition, stiffness);
        if way >= length {
            let set_in = 2.0 - 2.5 + 6.0 / 7.0;
            let energy = k * (length * length * set_in + 0.5 * (way * way - length * length));
            return Pushed { force: k * way, stiffness: k, damping: self.damping, energy };
        }
        let t = way / length;
        let part = t * t * t * (10.0 + t * (6.0 * t - 15.0));
        let slope = 30.0 * t * t * (1.0 - t) * (1.0 - t);
        let stored = t.powi(5) * (2.0 + t * (t * (6.0 / 7.0) - 2.5));
        Pushed {
            force: k * part * way,
            stiffness: k * (part + slope * t),
            damping: self.damping * part,
            energy: k * length * length * stored,
        }
    }

    fn push(&self, value: f64) -> Pushed {
        let low = self.beyond(self.ends[0] - value, self.stiffness[0]);
        let high = self.beyond(value - self.ends[1], self.stiffness[1]);
        Pushed {
            force: low.force - high.force,
            stiffness: low.stiffness + high.stiffness,
            damping: low.damping + high.damping,
            energy: low.energy + high.energy,
        }
    }
}

impl CoordinateSpring {
    /// True if it never pushes.
    pub fn is_void(&self) -> bool {
        self.stiffness == 0.0 && self.damping == 0.0 && self.stops.is_none()
    }

    /// Force [N or N m] at a value and a rate of the coordinate.
    pub fn force(&self, value: f64, rate: f64) -> f64 {
        let Pushed { force, damping, .. } = self.at(value);
        force - damping * rate
    }

    /// The force without damping.
    fn at(&self, value: f64) -> Pushed {
        let away = value - self.rest;
        let stops = self.stops.map(|stops| stops.push(value)).unwrap_or_default();
        Pushed {
            force: stops.force - self.stiffness * away,
            stiffness: stops.stiffness + self.stiffness,
            damping: stops.damping + self.damping,
            energy: stops.energy + 0.5 * self.stiffness * away * away,
        }
    }
}

/// A spring of a coordinate in a system.
pub(crate) struct SprungCoordinate {
    pub(crate) spring: CoordinateSpring,
    pub(crate) coordinate: JointTerm,
    pub(crate) reading: CoordinateReading,
}

/// All springs of coordinates.
pub(crate) struct CoordinateSprings {
    springs: Vec<SprungCoordinate>,
    /// Block rows of each, and slots of its blocks, row after row.
    rows: Vec<Vec<u32>>,
    slots: Vec<Vec<u32>>,
}

impl CoordinateSprings {
    pub(crate) fn new(springs: Vec<SprungCoordinate>) -> Self {
        let own = |it: &SprungCoordinate| it.coordinate.rows().into_iter().flatten().collect();
        let rows = springs.iter().map(own).collect();
        Self { springs, rows, slots: Vec::new() }
    }
}

impl SprungCoordinate {
    /// Derivatives of the coordinate by the rows of its bodies, those that there are first, and their number.
    fn slopes(&self, kin: &Kinematics<'_>) -> ([Vec3; 4], usize) {
        let all = self.coordinate.wrenches_at(kin.motion.q, kin.motion.coordinates);
        let (mut slopes, mut count) = ([Vec3::zeros(); 4], 0);
        for (row, by) in self.coordinate.rows().iter().zip(all) {
            if row.is_some() {
                slopes[count] = by;
                count += 1;
            }
        }
        (slopes, count)
    }
}

impl ForceEffector for CoordinateSprings {
    fn visit_cliques(&self, visit: &mut dyn FnMut(&[u32])) {
        self.rows.iter().for_each(|rows| visit(rows));
    }

    fn bind(&mut self, pattern: &BlockPattern, _: &RowPartition) {
        let slot = |i, j| pattern.slot(i, j).expect("rows of a coordinate are coupled");
        let slots = |rows: &Vec<u32>| {
            rows.iter().flat_map(|&i| rows.iter().map(move |&j| slot(i, j))).collect()
        };
        self.slots = self.rows.iter().map(slots).collect();
    }

    fn add_forces(
        &self,
        part: &Part,
        kin: &Kinematics,
        velocity: VelocityTerms,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        for (spring, rows) in self.springs.iter().zip(&self.rows) {
            if !rows.iter().any(|row| part.rows.contains(row)) {
                continue;
            }
            let pushed = spring.spring.at(spring.reading.value_at(kin.motion.q));
            let (slopes, _) = spring.slopes(kin);
            let rate = |(&row, by): (&u32, &Vec3)| by.dot(&kin.motion.u[row as usize]);
            let rate: f64 = rows.iter().zip(&slopes).map(rate).sum();
            let force = match velocity {
                VelocityTerms::Included => pushed.force - pushed.damping * rate,
                VelocityTerms::Excluded => pushed.force,
            };
            for (&row, by) in rows.iter().zip(&slopes) {
                if let Some(i) = part.local(row) {
                    forces[i] += by * force;
                }
            }
        }
        Ok(())
    }

    /// By the derivatives of the coordinate alone: those of its slopes are left out.
    fn add_jacobian(
        &self,
        part: &Part,
        kin: &Kinematics,
        scale: JacobianScale,
        blocks: &mut [f64],
    ) -> Result<(), Fault> {
        for ((spring, rows), slots) in self.springs.iter().zip(&self.rows).zip(&self.slots) {
            if !rows.iter().any(|row| part.rows.contains(row)) {
                continue;
            }
            let pushed = spring.spring.at(spring.reading.value_at(kin.motion.q));
            let factor = pushed.stiffness * scale.position + pushed.damping * scale.velocity;
            let (slopes, count) = spring.slopes(kin);
            for (i, row) in rows.iter().enumerate() {
                if !part.rows.contains(row) {
                    continue;
                }
                for j in 0..count {
                    let block = slopes[i] * slopes[j].transpose() * factor;
                    add_block(blocks, slots[i * count + j] as usize - part.first_slot, &block);
                }
            }
        }
        Ok(())
    }

    fn strain_energy(&self, q: &[Vec3]) -> f64 {
        let energy = |it: &SprungCoordinate| it.spring.at(it.reading.value_at(q)).energy;
        self.springs.iter().map(energy).sum()
    }

    fn leaves_out_turns(&self) -> bool {
        true
    }

    fn view(&self) -> EffectorView<'_> {
        EffectorView::Border("springs of joints")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forces_are_slopes_of_energies_and_stiffnesses_those_of_forces() {
        let stops = CoordinateStops {
            ends: [-0.5, 0.7],
            stiffness: [30.0, 50.0],
            transition: 0.2,
            damping: 0.4,
        };
        let spring =
            CoordinateSpring { stiffness: 2.0, rest: 0.1, damping: 0.3, stops: Some(stops) };
        for value in [-1.1, -0.62, -0.2, 0.3, 0.75, 0.88, 1.4] {
            let [low, high] = [-1e-5, 1e-5].map(|h| spring.at(value + h));
            let here = spring.at(value);
            let slope = (low.energy - high.energy) / 2e-5;
            assert!((slope - here.force).abs() < 1e-7, "{value}: {slope} {}", here.force);
            let slope = (low.force - high.force) / 2e-5;
            assert!((slope - here.stiffness).abs() < 1e-6, "{value}: {slope} {}", here.stiffness);
            assert_eq!(spring.force(value, 2.0), here.force - 2.0 * here.damping);
        }
        assert_eq!(spring.at(0.3).damping, 0.3);
        assert_eq!(spring.at(1.4).damping, 0.7);
    }
}
