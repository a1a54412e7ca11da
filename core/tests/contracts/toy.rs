//! A point on a field of force, written here: what a stepper sees of a system, and nothing else.

use std::sync::Arc;

use sinew::force::{Fault, JacobianScale, VelocityTerms};
use sinew::linalg::{BlockMatrix, BlockPattern};
use sinew::system::{Energies, LoadCase, MechSystem, Motion, State};
use sinew::{Mat3, Vec3};

/// A unit mass in a field: force [N], -df/dq [N/m] and potential [J] by position.
pub(crate) struct Toy {
    pattern: Arc<BlockPattern>,
    force: fn(&Vec3) -> Vec3,
    stiffness: fn(&Vec3) -> Mat3,
    potential: fn(&Vec3) -> f64,
}

impl Toy {
    pub(crate) fn new(
        force: fn(&Vec3) -> Vec3,
        stiffness: fn(&Vec3) -> Mat3,
        potential: fn(&Vec3) -> f64,
    ) -> Self {
        let pattern = Arc::new(BlockPattern::from_cliques(1, |_| {}));
        Self { pattern, force, stiffness, potential }
    }

    /// q'' = -q.
    pub(crate) fn oscillator() -> Self {
        Self::new(|q| -q, |_| Mat3::identity(), |q| 0.5 * q.norm_squared())
    }

    /// q'' = -q - q³ along each axis.
    pub(crate) fn hardening() -> Self {
        Self::new(
            |q| -q - q.map(|x| x * x * x),
            |q| Mat3::from_diagonal(&q.map(|x| 1.0 + 3.0 * x * x)),
            |q| q.map(|x| 0.5 * x * x + 0.25 * x.powi(4)).sum(),
        )
    }

    /// q'' = -q / |q|³.
    pub(crate) fn kepler() -> Self {
        Self::new(
            |q| -q / q.norm().powi(3),
            |q| {
                let r = q.norm();
                Mat3::identity() / r.powi(3) - q * q.transpose() * (3.0 / r.powi(5))
            },
            |q| -1.0 / q.norm(),
        )
    }

    pub(crate) fn start(q: Vec3, u: Vec3) -> State {
        State { q: vec![q], u: vec![u], ..State::default() }
    }
}

impl MechSystem for Toy {
    fn pattern(&self) -> &Arc<BlockPattern> {
        &self.pattern
    }

    fn fixed(&self) -> &[[bool; 3]] {
        &[[false; 3]]
    }

    fn masses(&self) -> &[f64] {
        &[1.0]
    }

    fn prescribe(&self, _load: LoadCase, _q: &mut [Vec3]) -> bool {
        false
    }

    fn forces(
        &self,
        _load: LoadCase,
        motion: Motion,
        _velocity: VelocityTerms,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        forces[0] = (self.force)(&motion.q[0]);
        Ok(())
    }

    fn add_jacobian(
        &self,
        _load: LoadCase,
        motion: Motion,
        scale: JacobianScale,
        matrix: &mut BlockMatrix,
    ) -> Result<(), Fault> {
        let block = (self.stiffness)(&motion.q[0]) * scale.position;
        matrix.values_mut().iter_mut().zip(block.as_slice()).for_each(|(v, b)| *v += b);
        Ok(())
    }

    fn energies(&self, state: &State) -> Energies {
        let kinetic = 0.5 * state.u[0].norm_squared();
        Energies { kinetic, gravitational: 0.0, strain: (self.potential)(&state.q[0]) }
    }

    fn describe(&self, row: usize) -> String {
        format!("point {row}")
    }
}
