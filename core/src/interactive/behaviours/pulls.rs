//! Simple behaviours: springs, dampers, motors, pulls of a mouse or a slider, objectives.

use super::{Behaviour, PortMotion};

/// A spring with a damper between two points; ports are the coordinates of the first, then those of the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// Coordinates of a point.
    pub dimensions: usize,
    /// Stiffness \[N/m\].
    pub stiffness: f64,
    /// Damping along the line \[N s/m\].
    pub damping: f64,
    /// Length at rest \[m\].
    pub rest_length: f64,
}

/// A spring from ports to places: the mouse that pulls a point, the slider that pulls an output.
#[derive(Clone, Debug, PartialEq)]
pub struct Pull {
    /// Place of each port.
    pub target: Vec<f64>,
    /// Stiffness \[N/m\].
    pub stiffness: f64,
    /// Damping \[N s/m\].
    pub damping: f64,
}

/// A motor on an angle, or any output: it drives its rate, with no more than its largest torque.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motor {
    /// Wanted rate \[rad/s\].
    pub speed: f64,
    /// Torque per difference of rates \[N m s\].
    pub gain: f64,
    /// Largest torque \[N m\].
    pub max_torque: f64,
}

/// Forces that stay.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstantForce(pub Vec<f64>);

/// Forces against the rates of this many ports.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Damper {
    /// Number of ports.
    pub ports: usize,
    /// Damping \[N s/m\].
    pub damping: f64,
}

/// An output that is made small (gain > 0) or large (gain < 0): minima attract.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Objective {
    /// Force per slope.
    pub gain: f64,
}

impl Spring {
    /// Distance of the points.
    fn length(&self, x: &[f64]) -> f64 {
        let (a, b) = x.split_at(self.dimensions);
        a.iter().zip(b).map(|(a, b)| (b - a) * (b - a)).sum::<f64>().sqrt()
    }

    /// One coordinate of the direction from the first point to the second.
    fn along(&self, x: &[f64], length: f64, k: usize) -> f64 {
        // Points that meet have no line: any direction serves, and none is needed without a length at rest.
        match length > 0.0 {
            true => (x[self.dimensions + k] - x[k]) / length,
            false => f64::from(k == 0),
        }
    }

    /// Adds a matrix `along` n nᵀ + `across` (1 - n nᵀ) between the points.
    fn add_between(&self, x: &[f64], [along, across]: [f64; 2], matrix: &mut [f64]) {
        let (d, length) = (self.dimensions, self.length(x));
        for i in 0..d {
            for j in 0..d {
                let product = self.along(x, length, i) * self.along(x, length, j);
                let entry = along * product + across * (f64::from(i == j) - product);
                matrix[2 * d * i + j] += entry;
                matrix[2 * d * (d + i) + d + j] += entry;
                matrix[2 * d * i + d + j] -= entry;
                matrix[2 * d * (d + i) + j] -= entry;
            }
        }
    }
}

impl Behaviour for Spring {
    fn port_count(&self) -> usize {
        2 * self.dimensions
    }
    fn add_forces(&self, at: PortMotion<'_>, forces: &mut [f64]) {
        let (d, length) = (self.dimensions, self.length(at.x));
        let along = |k: usize| self.along(at.x, length, k);
        let rate: f64 = (0..d).map(|k| along(k) * (at.v[d + k] - at.v[k])).sum();
        let tension = self.stiffness * (length - self.rest_length) + self.damping * rate;
        for k in 0..d {
            forces[k] += tension * along(k);
            forces[d + k] -= tension * along(k);
        }
    }
    fn add_stiffness(&self, at: PortMotion<'_>, stiffness: &mut [f64]) {
        let length = self.length(at.x);
        let across = match length > 0.0 {
            true => self.stiffness * (1.0 - self.rest_length / length),
            false => self.stiffness * f64::from(self.rest_length == 0.0),
        };
        self.add_between(at.x, [self.stiffness, across.max(0.0)], stiffness);
    }
    fn add_damping(&self, at: PortMotion<'_>, damping: &mut [f64]) {
        self.add_between(at.x, [self.damping, 0.0], damping);
    }
    fn energy(&self, at: PortMotion<'_>) -> f64 {
        let stretch = self.length(at.x) - self.rest_length;
        0.5 * self.stiffness * stretch * stretch
    }
}

fn add_diagonal(matrix: &mut [f64], ports: usize, value: f64) {
    matrix.iter_mut().step_by(ports + 1).for_each(|entry| *entry += value);
}

impl Behaviour for Pull {
    fn port_count(&self) -> usize {
        self.target.len()
    }
    fn add_forces(&self, at: PortMotion<'_>, forces: &mut [f64]) {
        for (k, force) in forces.iter_mut().enumerate() {
            *force += self.stiffness * (self.target[k] - at.x[k]) - self.damping * at.v[k];
        }
    }
    fn add_stiffness(&self, _at: PortMotion<'_>, stiffness: &mut [f64]) {
        add_diagonal(stiffness, self.target.len(), self.stiffness);
    }
    fn add_damping(&self, _at: PortMotion<'_>, damping: &mut [f64]) {
        add_diagonal(damping, self.target.len(), self.damping);
    }
    fn energy(&self, at: PortMotion<'_>) -> f64 {
        let squares = at.x.iter().zip(&self.target).map(|(x, target)| (x - target) * (x - target));
        0.5 * self.stiffness * squares.sum::<f64>()
    }
}

impl Behaviour for Motor {
    fn port_count(&self) -> usize {
        1
    }
    fn add_forces(&self, at: PortMotion<'_>, forces: &mut [f64]) {
        let torque = self.gain * (self.speed - at.v[0]);
        forces[0] += torque.clamp(-self.max_torque, self.max_torque);
    }
    fn add_damping(&self, at: PortMotion<'_>, damping: &mut [f64]) {
        let torque = self.gain * (self.speed - at.v[0]);
        damping[0] += if torque.abs() < self.max_torque { self.gain } else { 0.0 };
    }
}

impl Behaviour for ConstantForce {
    fn port_count(&self) -> usize {
        self.0.len()
    }
    fn add_forces(&self, _at: PortMotion<'_>, forces: &mut [f64]) {
        forces.iter_mut().zip(&self.0).for_each(|(sum, force)| *sum += force);
    }
    fn energy(&self, at: PortMotion<'_>) -> f64 {
        -at.x.iter().zip(&self.0).map(|(x, force)| x * force).sum::<f64>()
    }
}

impl Behaviour for Damper {
    fn port_count(&self) -> usize {
        self.ports
    }
    fn add_forces(&self, at: PortMotion<'_>, forces: &mut [f64]) {
        forces.iter_mut().zip(at.v).for_each(|(force, v)| *force -= self.damping * v);
    }
    fn add_damping(&self, _at: PortMotion<'_>, damping: &mut [f64]) {
        add_diagonal(damping, self.ports, self.damping);
    }
}

impl Behaviour for Objective {
    fn port_count(&self) -> usize {
        1
    }
    fn add_forces(&self, _at: PortMotion<'_>, forces: &mut [f64]) {
        forces[0] -= self.gain;
    }
    fn energy(&self, at: PortMotion<'_>) -> f64 {
        self.gain * at.x[0]
    }
}
