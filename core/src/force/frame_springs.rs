//! Springs and dampers between two frames, each on a body or on the ground. With x the position of C
//! seen from D, t the turn of C against D (both in the axes of D), K and L the diagonal stiffnesses:
//!
//! energy = x·K x / 2 + t·L t / 2, force on C = -K x at the origin of C, moment on C = -T^-T L t,
//!
//! T the tangent map of the exponential at t (`dynamics/rotation.rs`). T^-T L t is L t for equal
//! stiffnesses about all axes, and for small turns; with L t alone, unequal ones would give off energy
//! over a cycle of finite turns. ArtiSynth's linear frame material, which takes entries of the rotation
//! matrix for t, is the same to first order in the turn.

use nalgebra::{Matrix4, UnitQuaternion};

use super::{
    EffectorView, Fault, ForceEffector, JacobianScale, Kinematics, Part, RowPartition,
    VelocityTerms,
};
use crate::dynamics::{skew, tangent_map_inverse, turn_between};
use crate::linalg::{BlockPattern, add_block};
use crate::property::Pose;
use crate::{Mat3, Vec3};

/// In place of a row, or of a slot, of the ground.
const NOWHERE: u32 = u32::MAX;

/// A frame, and what it is fixed to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FrameSide {
    /// First row of the body; `None` is the ground.
    pub(crate) row: Option<u32>,
    /// The frame: in the axes of the body, from its centre of mass; on the ground in the world [m].
    pub(crate) frame: Pose,
}

/// Linear spring and damper between frames C and D.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bushing {
    pub(crate) c: FrameSide,
    pub(crate) d: FrameSide,
    /// Along x, y, z of D [N/m].
    pub(crate) stiffness: Vec3,
    /// About x, y, z of D [N m/rad].
    pub(crate) rotary_stiffness: Vec3,
    /// Along x, y, z of D [N s/m].
    pub(crate) damping: Vec3,
    /// About x, y, z of D [N m s/rad].
    pub(crate) rotary_damping: Vec3,
    pub(crate) enabled: bool,
}

/// Every spring between frames of a model.
pub(crate) struct FrameSprings {
    springs: Vec<Bushing>,
    /// Rows of position and rotation of the body of C, then of D.
    rows: Vec<[u32; 4]>,
    /// Slots of the blocks between those rows.
    slots: Vec<Matrix4<u32>>,
    parts: Vec<Vec<u32>>,
}

impl FrameSide {
    fn rows(&self) -> [u32; 2] {
        self.row.map_or([NOWHERE; 2], |row| [row, row + 1])
    }

    /// Orientation of the frame, its origin, and its origin from the centre of mass of its body, in
    /// the world [m].
    fn place(&self, q: &[Vec3]) -> (UnitQuaternion<f64>, Vec3, Vec3) {
        let local = self.frame.translation.vector;
        match self.row.map(|row| row as usize) {
            None => (self.frame.rotation, local, Vec3::zeros()),
            Some(row) => {
                let turn = UnitQuaternion::new(q[row + 1]);
                let arm = turn * local;
                (turn * self.frame.rotation, q[row] + arm, arm)
            }
        }
    }

    /// Velocity [m/s] of what is at `arm` [m] from the centre of mass, and angular velocity [rad/s].
    fn velocity(&self, u: &[Vec3], arm: &Vec3) -> [Vec3; 2] {
        match self.row.map(|row| row as usize) {
            None => [Vec3::zeros(); 2],
            Some(row) => [u[row] + u[row + 1].cross(arm), u[row + 1]],
        }
    }
}

/// Relative placement of the frames of a spring.
struct Relative {
    /// Axes of D in the world.
    axes: Mat3,
    /// Position of C seen from D, in the axes of D [m].
    position: Vec3,
    /// Turn of C against D, in the axes of D [rad].
    turn: Vec3,
    /// Origin of C from the centre of mass of the body of C, and of that of D, in the world [m].
    arms: [Vec3; 2],
}

impl Bushing {
    fn relative(&self, q: &[Vec3]) -> Relative {
        let (c, at_c, arm_c) = self.c.place(q);
        let (d, at_d, arm_d) = self.d.place(q);
        let axes = d.to_rotation_matrix().into_inner();
        let apart = at_c - at_d;
        let turn = turn_between(&UnitQuaternion::identity(), &(d.inverse() * c));
        Relative { axes, position: axes.tr_mul(&apart), turn, arms: [arm_c, arm_d + apart] }
    }

    /// Wrench that pulls C back, in the world: force [N] and moment [N m].
    fn wrench(&self, at: &Relative, moment: &Moment) -> [Vec3; 2] {
        [self.stiffness.component_mul(&at.position), moment.value].map(|x| at.axes * x)
    }

    /// The same from the dampers.
    fn damping_wrench(&self, at: &Relative, u: &[Vec3]) -> [Vec3; 2] {
        let [c, d] = [self.c.velocity(u, &at.arms[0]), self.d.velocity(u, &at.arms[1])];
        let seen = |k: usize| at.axes.tr_mul(&(c[k] - d[k]));
        [self.damping.component_mul(&seen(0)), self.rotary_damping.component_mul(&seen(1))]
            .map(|x| at.axes * x)
    }

    fn strain_energy(&self, q: &[Vec3]) -> f64 {
        if !self.enabled {
            return 0.0;
        }
        let Relative { position, turn, .. } = self.relative(q);
        let stored = |k: &Vec3, x: &Vec3| 0.5 * k.component_mul(x).dot(x);
        stored(&self.stiffness, &position) + stored(&self.rotary_stiffness, &turn)
    }
}

/// m = T^-T(t) L t, the derivative of t·L t / 2 by a turn about axes of D.
struct Moment {
    turn: Vec3,
    /// L t.
    linear: Vec3,
    /// m [N m].
    value: Vec3,
}

impl Moment {
    fn of(turn: Vec3, stiffness: &Vec3) -> Self {
        let linear = stiffness.component_mul(&turn);
        // The inverse tangent map of the opposite turn is that of the turn, transposed.
        Self { turn, linear, value: tangent_map_inverse(&-turn) * linear }
    }

    /// The symmetric part of dm by a turn about axes of D [N m/rad].
    ///
    /// With c the factor of \[t\]² in T^-1 and b = dc/da / a, a = |t|: m = L t + t x L t / 2 +
    /// c t x (t x L t), and its derivative by t times dt = T^-1 turn.
    fn stiffness(&self, stiffness: &Vec3) -> Mat3 {
        let Self { turn: t, linear, .. } = self;
        let [c, b] = square_factor(t.norm_squared());
        let (once, twice) = (t.cross(linear), t.cross(&t.cross(linear)));
        let by_linear = tangent_map_inverse(&-t) * Mat3::from_diagonal(stiffness);
        let by_map = twice * t.transpose() * b
            - skew(linear) * 0.5
            - (skew(&once) + skew(t) * skew(linear)) * c;
        symmetric(&((by_linear + by_map) * tangent_map_inverse(t)))
    }
}

/// c = (1 - (a/2) cot(a/2)) / a² and its derivative by a over a, of the square of the angle a.
fn square_factor(s: f64) -> [f64; 2] {
    // Closed forms lose digits as 1e-16 / a⁴; the first terms left out are below 1e-10 of the sum.
    if s < 1e-2 {
        return [
            1.0 / 12.0 + s * (1.0 / 720.0 + s * (1.0 / 30240.0 + s / 1_209_600.0)),
            1.0 / 360.0 + s * (1.0 / 7560.0 + s / 201_600.0),
        ];
    }
    let half = 0.5 * s.sqrt();
    let (cot, sin) = (1.0 / half.tan(), half.sin());
    let c = (1.0 - half * cot) / s;
    [c, (half / (sin * sin) - cot) / (4.0 * half * s) - 2.0 * c / s]
}

fn symmetric(matrix: &Mat3) -> Mat3 {
    (matrix + matrix.transpose()) * 0.5
}

/// Blocks of B^T A B + W^T R W between the rows of two bodies, where B and W lead from their
/// velocities to those of C seen from D: B = \[I, -\[r\], -I, \[s\]\], W = \[0, I, 0, -I\].
fn congruent([along, about]: [Mat3; 2], [r, s]: [Mat3; 2]) -> [[Mat3; 4]; 4] {
    let (identity, zero) = (Mat3::identity(), Mat3::zeros());
    let (b, w) = ([identity, -r, -identity, s], [zero, identity, zero, -identity]);
    let block = |i: usize, j: usize| b[i].tr_mul(&along) * b[j] + w[i].tr_mul(&about) * w[j];
    std::array::from_fn(|i| std::array::from_fn(|j| block(i, j)))
}

impl Bushing {
    /// -df/dq of the rows of both bodies, symmetric.
    fn stiffness_blocks(&self, at: &Relative) -> [[Mat3; 4]; 4] {
        let moment = Moment::of(at.turn, &self.rotary_stiffness);
        let [force, moment_in_world] = self.wrench(at, &moment).map(|x| skew(&x));
        let [r, s] = at.arms.map(|arm| skew(&arm));
        let turned = |inner: Mat3| at.axes * inner * at.axes.transpose();
        let along = turned(Mat3::from_diagonal(&self.stiffness));
        let about = turned(moment.stiffness(&self.rotary_stiffness));
        let mut blocks = congruent([along, about], [r, s]);
        // The axes of D turn with its body, and the arms with theirs.
        let mut add = |i: usize, j: usize, block: Mat3| {
            blocks[i][j] += block;
            if i != j {
                blocks[j][i] += block.transpose();
            }
        };
        add(0, 3, -force);
        add(2, 3, force);
        add(1, 1, symmetric(&(force * r)));
        add(1, 3, -r * force - moment_in_world * 0.5);
        add(3, 3, symmetric(&(s * force)));
        blocks
    }

    /// -df/du of the rows of both bodies.
    fn damping_blocks(&self, at: &Relative) -> [[Mat3; 4]; 4] {
        let turned = |inner: &Vec3| at.axes * Mat3::from_diagonal(inner) * at.axes.transpose();
        let inner = [turned(&self.damping), turned(&self.rotary_damping)];
        congruent(inner, at.arms.map(|arm| skew(&arm)))
    }
}

impl FrameSprings {
    pub(crate) fn new(springs: Vec<Bushing>) -> Self {
        let rows = |spring: &Bushing| {
            let [[a, b], [c, d]] = [spring.c.rows(), spring.d.rows()];
            [a, b, c, d]
        };
        let rows = springs.iter().map(rows).collect();
        Self { springs, rows, slots: Vec::new(), parts: Vec::new() }
    }

    /// Springs that have a row in a part, each with its rows and slots.
    fn of_part(&self, part: &Part) -> impl Iterator<Item = (&Bushing, &[u32; 4], &Matrix4<u32>)> {
        let places = self.parts[part.index].iter().map(|&k| k as usize);
        let all = places.map(|k| (&self.springs[k], &self.rows[k], &self.slots[k]));
        all.filter(|(spring, _, _)| spring.enabled)
    }
}

impl ForceEffector for FrameSprings {
    fn visit_cliques(&self, visit: &mut dyn FnMut(&[u32])) {
        for rows in &self.rows {
            let mut rows: Vec<u32> = rows.iter().copied().filter(|&r| r != NOWHERE).collect();
            rows.sort_unstable();
            rows.dedup();
            visit(&rows);
        }
    }

    fn bind(&mut self, pattern: &BlockPattern, partition: &RowPartition) {
        let slot = |i: u32, j: u32| {
            let there = i != NOWHERE && j != NOWHERE;
            let stored = || pattern.slot(i, j).expect("frame springs are part of the pattern");
            if there { stored() } else { NOWHERE }
        };
        let slots = |rows: &[u32; 4]| Matrix4::from_fn(|i, j| slot(rows[i], rows[j]));
        self.slots = self.rows.iter().map(slots).collect();
        self.parts = partition.assign(self.rows.iter().map(|rows| &rows[..]));
    }

    fn add_forces(
        &self,
        part: &Part,
        kin: &Kinematics,
        velocity: VelocityTerms,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        for (spring, rows, _) in self.of_part(part) {
            let at = spring.relative(kin.motion.q);
            let moment = Moment::of(at.turn, &spring.rotary_stiffness);
            let [mut force, mut moment] = spring.wrench(&at, &moment);
            if velocity == VelocityTerms::Included {
                let [damping, rotary] = spring.damping_wrench(&at, kin.motion.u);
                force += damping;
                moment += rotary;
            }
            let [r, s] = at.arms;
            let all = [-force, -r.cross(&force) - moment, force, s.cross(&force) + moment];
            for (&row, added) in rows.iter().zip(all) {
                if let Some(i) = part.local(row) {
                    forces[i] += added;
                }
            }
        }
        Ok(())
    }

    /// By position: the second derivative of the energy along turns exp(turn) R of the bodies. Left
    /// out are the skew part of the derivative of the forces, which is half the matrix of the moment
    /// on a body in its own turn, and the derivative of the dampers by position.
    fn add_jacobian(
        &self,
        part: &Part,
        kin: &Kinematics,
        scale: JacobianScale,
        blocks: &mut [f64],
    ) -> Result<(), Fault> {
        for (spring, rows, slots) in self.of_part(part) {
            let at = spring.relative(kin.motion.q);
            let (stiff, damped) = (spring.stiffness_blocks(&at), spring.damping_blocks(&at));
            for (i, row) in rows.iter().enumerate().filter(|(_, row)| part.rows.contains(row)) {
                debug_assert_ne!(*row, NOWHERE);
                for j in (0..4).filter(|&j| rows[j] != NOWHERE) {
                    let block = stiff[i][j] * scale.position + damped[i][j] * scale.velocity;
                    add_block(blocks, slots[(i, j)] as usize - part.first_slot, &block);
                }
            }
        }
        Ok(())
    }

    fn leaves_out_turns(&self) -> bool {
        self.springs.iter().any(|spring| spring.enabled)
    }

    fn strain_energy(&self, q: &[Vec3]) -> f64 {
        self.springs.iter().map(|spring| spring.strain_energy(q)).sum()
    }

    fn view(&self) -> EffectorView<'_> {
        EffectorView::Border("frame springs")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_and_closed_forms_of_the_tangent_map_meet() {
        let [below, above] = [0.01 - 1e-9, 0.01 + 1e-9].map(square_factor);
        // Over 2e-9 rad² the factors change by 1e-12; closed forms are good to 1e-16 / a⁴ = 1e-12.
        assert!((below[0] - above[0]).abs() < 1e-11, "{below:?} {above:?}");
        assert!((below[1] - above[1]).abs() < 1e-11, "{below:?} {above:?}");
        let map = tangent_map_inverse(&(Vec3::x() * 0.7));
        assert!((map[(1, 1)] - (1.0 - 0.49 * square_factor(0.49)[0])).abs() < 1e-15);
        let [low, high] = [0.49 - 1e-5, 0.49 + 1e-5].map(|s| square_factor(s)[0]);
        // dc/da / a = 2 dc/d(a²).
        assert!((square_factor(0.49)[1] - 2.0 * (high - low) / 2e-5).abs() < 1e-10);
    }
}
