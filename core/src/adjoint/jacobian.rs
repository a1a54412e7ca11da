//! Derivatives of forces by positions and velocities, whole and not made symmetric: those that steps assemble where they
//! are that, else differences of forces, many columns at once (CurtisPowellReid1974).

use super::layout::Layout;
use crate::Vec3;
use crate::attachment::Attachments;
use crate::force::{JacobianScale, Kinematics, VelocityTerms};
use crate::linalg::{BLOCK, BlockMatrix, BlockPattern, norm};
use crate::solve::StepEquations;
use crate::system::{LoadCase, MechSystem, Motion, State, StepError};

use super::error::AdjointError;

/// Lengths of differences along a direction, over those that columns are differenced by [-], each with the difference of assembled
/// derivatives from it up to which they are exact, over its size [-]. Rounding leaves some 1e-9 of the first, and more of shorter ones.
const EXACT: [(f64, f64); 3] = [(1.0, 1e-7), (0.02, 1e-7), (1e-3, 2e-6)];
/// Change of positions for differences, over the extent of the system [-].
const SHARE: f64 = 1e-6;
/// Change of velocities for differences [m/s].
const RATE: f64 = 1e-4;

/// Difference of the derivatives on both sides of a place above which it is a kink, over their size [-].
const KINK: f64 = 1e-4;
/// Ways along the motion beyond a kink, in changes of positions for differences [-]: one at which differences do not see it, and
/// one that tells its sides apart.
const CLEAR: f64 = 8.0;
const BESIDE: f64 = 1e-3;

/// The argument that forces are derived by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    Position,
    Velocity,
}

/// A configuration that forces are evaluated at.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) system: &'a dyn MechSystem,
    pub(super) load: LoadCase,
    pub(super) motion: Motion<'a>,
}

impl<'a> At<'a> {
    pub(super) fn kinematics(&self) -> Kinematics<'a> {
        Kinematics { load: self.load, motion: self.motion }
    }
}

/// Minus the derivative of the forces, exact in the columns of inner scalars and of what follows them; in others as steps
/// assemble it.
pub(super) fn force_jacobian(
    at: At,
    by: Argument,
    (layout, attachments): (&Layout, Option<&Attachments>),
) -> Result<BlockMatrix, AdjointError> {
    if layout.inner_count() == 0 {
        return assemble(at, by);
    }
    let direction = direction(at.motion.q.len(), (layout, attachments));
    let mut matrix = match assembled(at, by, &direction)? {
        Assembled::Whole(matrix) => return Ok(matrix),
        Assembled::Partial(matrix) => matrix,
    };
    if by == Argument::Position
        && let Some(matrix) = beside_kink(at, &direction)?
    {
        return Ok(matrix);
    }
    difference_columns(at, by, columns(layout, attachments), &mut matrix)?;
    Ok(matrix)
}

/// Derivatives as steps assemble them.
enum Assembled {
    /// The derivative of the forces along a direction is theirs.
    Whole(BlockMatrix),
    /// Something is left out, or the forces have no derivative.
    Partial(BlockMatrix),
}

/// A direction of all scalars that columns are needed of.
fn direction(size: usize, (layout, attachments): (&Layout, Option<&Attachments>)) -> Vec<Vec3> {
    let mut direction = vec![Vec3::zeros(); size];
    for (k, v) in direction.iter_mut().enumerate() {
        let wave = |phase: f64| (1.3 * k as f64 + phase).sin();
        *v = Vec3::new(wave(0.0), wave(2.0), wave(4.0));
    }
    layout.keep_inner(&mut direction);
    if let Some(attachments) = attachments {
        attachments.expand_velocity(&mut direction);
    }
    direction
}

/// The matrix that steps assemble, without and then with the change of damping. Of thousands of fibres in tissue some have a kink
/// within the difference; a shorter one meets fewer of them.
fn assembled(at: At, by: Argument, direction: &[Vec3]) -> Result<Assembled, AdjointError> {
    let plain = assemble(at, by)?;
    let mut last = None;
    for (share, tolerance) in EXACT {
        let step = share * step_of(by, at.motion.q);
        let expected = difference(at, by, direction, step)?;
        if is_exact(&plain, direction, &expected, tolerance) {
            return Ok(Assembled::Whole(plain));
        }
        if by == Argument::Position {
            let mut matrix = plain.clone();
            add_change_of_damping(at, step, &mut matrix)?;
            if is_exact(&matrix, direction, &expected, tolerance) {
                return Ok(Assembled::Whole(matrix));
            }
            last = Some(matrix);
        }
    }
    Ok(Assembled::Partial(last.unwrap_or(plain)))
}

fn assemble(at: At, by: Argument) -> Result<BlockMatrix, AdjointError> {
    let At { system, load, motion } = at;
    let mut matrix = BlockMatrix::zeros(system.pattern().clone());
    let scale = match by {
        Argument::Position => JacobianScale { position: 1.0, velocity: 0.0 },
        Argument::Velocity => JacobianScale { position: 0.0, velocity: 1.0 },
    };
    let named = |fault| named(fault, load.time);
    system.add_jacobian(load, motion, scale, &mut matrix).map_err(named)?;
    system.add_jacobian_of_turns(load, motion, scale, &mut matrix).map_err(named)?;
    if let Some(terms) = system.derivative_terms() {
        terms.add_jacobian_of_rates(&at.kinematics(), scale, &mut matrix).map_err(named)?;
    }
    Ok(matrix)
}

/// Derivative by positions where the forces have a kink (a fibre that pulls in tension only, at its rest length): that of the side
/// that the motion goes to. `None` without a kink or a motion, and where what steps assemble is not all beside it either.
fn beside_kink(at: At, direction: &[Vec3]) -> Result<Option<BlockMatrix>, AdjointError> {
    let motion = at.motion;
    let step = step_of(Argument::Position, motion.q);
    let fastest = motion.u.iter().map(|u| u.amax()).fold(0.0, f64::max);
    if fastest == 0.0 || !bends(at, direction, step)? {
        return Ok(None);
    }
    let further = |way: f64| -> Vec<Vec3> {
        motion.q.iter().zip(motion.u).map(|(q, u)| q + u * (way / fastest)).collect()
    };
    let (clear, near) = (further(CLEAR * step), further(BESIDE * step));
    let of = |q| At { motion: Motion { q, ..motion }, ..at };
    if let Assembled::Partial(_) = assembled(of(&clear), Argument::Position, direction)? {
        return Ok(None);
    }
    let mut matrix = assemble(of(&near), Argument::Position)?;
    // Damping by stiffness has no derivative across the kink.
    add_change_of_damping(of(&clear), step, &mut matrix)?;
    Ok(Some(matrix))
}

/// True if the derivatives of the forces along a direction and against it are not the same.
fn bends(At { system, load, motion }: At, by: &[Vec3], step: f64) -> Result<bool, AdjointError> {
    let mut forces = vec![vec![Vec3::zeros(); by.len()]; 3];
    for (side, forces) in [-step, 0.0, step].into_iter().zip(&mut forces) {
        let q: Vec<Vec3> = motion.q.iter().zip(by).map(|(x, v)| x + v * side).collect();
        let done = system.forces(load, Motion { q: &q, ..motion }, VelocityTerms::Included, forces);
        done.map_err(|fault| named(fault, load.time))?;
    }
    let rows = || (0..by.len()).map(|row| [0, 1, 2].map(|k| forces[k][row]));
    let [bend, change] = rows().fold([0.0; 2], |[bend, change], [low, here, high]| {
        let [a, b] = [(low + high - here * 2.0).norm(), (high - low).norm()];
        [f64::max(bend, a), f64::max(change, b)]
    });
    Ok(bend > KINK * change)
}

/// True if a matrix has the derivative of the forces along a direction.
fn is_exact(matrix: &BlockMatrix, direction: &[Vec3], expected: &[Vec3], tolerance: f64) -> bool {
    let mut product = direction.to_vec();
    matrix.mul(direction, &mut product);
    let size = norm(&product).max(norm(expected));
    product.iter_mut().zip(expected).for_each(|(p, d)| *p += d);
    norm(&product) <= tolerance * size
}

/// Adds the change d(D u)/dq of damping with positions, D minus the derivative of the forces by velocities, where D is a multiple of
/// the stiffness: the third derivatives of an energy have any order, so it is that of D along the velocities, by a difference over
/// `step` [m].
fn add_change_of_damping(
    At { system, load, motion }: At,
    step: f64,
    matrix: &mut BlockMatrix,
) -> Result<(), AdjointError> {
    let fastest = motion.u.iter().map(|u| u.amax()).fold(0.0, f64::max);
    if fastest == 0.0 {
        return Ok(());
    }
    let time = step / fastest;
    let scale = JacobianScale { position: 0.0, velocity: 1.0 };
    for side in [-time, time] {
        let moved: Vec<Vec3> = motion.q.iter().zip(motion.u).map(|(q, u)| q + u * side).collect();
        let mut damping = BlockMatrix::zeros(matrix.pattern().clone());
        let motion = Motion { q: &moved, ..motion };
        let added = system.add_jacobian(load, motion, scale, &mut damping);
        added.map_err(|fault| named(fault, load.time))?;
        let values = matrix.values_mut().iter_mut().zip(damping.values());
        values.for_each(|(value, damping)| *value += damping / (2.0 * side));
    }
    Ok(())
}

/// Block rows that are inner or follow inner ones.
fn columns(layout: &Layout, attachments: Option<&Attachments>) -> Vec<bool> {
    let inner = |row: usize| layout.inner[row].contains(&true);
    let follows = |row: usize| {
        let masters = attachments.and_then(|it| it.masters_of(row as u32));
        masters.is_some_and(|(masters, _)| masters.iter().any(|&m| inner(m as usize)))
    };
    (0..layout.inner.len()).map(|row| inner(row) || follows(row)).collect()
}

/// Size of a change for differences.
fn step_of(by: Argument, q: &[Vec3]) -> f64 {
    if by == Argument::Velocity {
        return RATE;
    }
    let bounds = |f: fn(f64, f64) -> f64, start: f64| {
        q.iter().fold(Vec3::repeat(start), |bound, q| bound.zip_map(q, f))
    };
    let extent = bounds(f64::max, f64::NEG_INFINITY) - bounds(f64::min, f64::INFINITY);
    SHARE * extent.norm().max(f64::MIN_POSITIVE)
}

/// Derivative of the forces along a direction.
fn difference(
    At { system, load, motion }: At,
    by: Argument,
    direction: &[Vec3],
    step: f64,
) -> Result<Vec<Vec3>, AdjointError> {
    let mut sides = [vec![Vec3::zeros(); direction.len()], vec![Vec3::zeros(); direction.len()]];
    for (side, forces) in [-step, step].into_iter().zip(&mut sides) {
        let moved = |x: &[Vec3]| -> Vec<Vec3> {
            x.iter().zip(direction).map(|(x, v)| x + v * side).collect()
        };
        let moved = match by {
            Argument::Position => moved(motion.q),
            Argument::Velocity => moved(motion.u),
        };
        let motion = match by {
            Argument::Position => Motion { q: &moved, ..motion },
            Argument::Velocity => Motion { u: &moved, ..motion },
        };
        let done = system.forces(load, motion, VelocityTerms::Included, forces);
        done.map_err(|fault| named(fault, load.time))?;
    }
    let [low, high] = sides;
    Ok(high.iter().zip(&low).map(|(b, a)| (b - a) / (2.0 * step)).collect())
}

/// Replaces columns by differences, all of a colour at once.
fn difference_columns(
    at: At,
    by: Argument,
    columns: Vec<bool>,
    matrix: &mut BlockMatrix,
) -> Result<(), AdjointError> {
    let pattern = matrix.pattern().clone();
    let (colours, count) = colours(&pattern, &columns);
    let step = step_of(by, at.motion.q);
    let mut direction = vec![Vec3::zeros(); pattern.size()];
    for colour in 0..count {
        for axis in 0..3 {
            for (v, own) in direction.iter_mut().zip(&colours) {
                *v = Vec3::zeros();
                v[axis] = f64::from(u8::from(*own == Some(colour)));
            }
            let difference = difference(at, by, &direction, step)?;
            for (row, by) in difference.iter().enumerate() {
                for slot in pattern.row(row) {
                    if colours[pattern.columns()[slot] as usize] == Some(colour) {
                        let first = BLOCK * slot + 3 * axis;
                        matrix.values_mut()[first..first + 3].copy_from_slice((-by).as_slice());
                    }
                }
            }
        }
    }
    Ok(())
}

/// Colours of columns such that no row has two of one colour, and their number.
fn colours(pattern: &BlockPattern, columns: &[bool]) -> (Vec<Option<usize>>, usize) {
    let (mut colours, mut count) = (vec![None; columns.len()], 0);
    let mut taken: Vec<usize> = Vec::new();
    for column in (0..columns.len()).filter(|&column| columns[column]) {
        // A mark of this column: one more than its number.
        taken.resize(count + 1, 0);
        for slot in pattern.row(column) {
            let row = pattern.columns()[slot] as usize;
            for other in pattern.row(row) {
                if let Some(colour) = colours[pattern.columns()[other] as usize] {
                    taken[colour] = column + 1;
                }
            }
        }
        let colour = taken.iter().position(|mark| *mark != column + 1).unwrap_or(count);
        colours[column] = Some(colour);
        count = count.max(colour + 1);
    }
    (colours, count)
}

/// y = A^T x.
pub(super) fn mul_transposed(matrix: &BlockMatrix, x: &[Vec3], y: &mut [Vec3]) {
    let pattern = matrix.pattern();
    y.fill(Vec3::zeros());
    for (row, x) in x.iter().enumerate() {
        for slot in pattern.row(row) {
            y[pattern.columns()[slot] as usize] += matrix.block(slot).tr_mul(x);
        }
    }
}

/// A fault of an element at a time [s].
pub(super) fn named(fault: crate::force::Fault, time: f64) -> AdjointError {
    AdjointError::Step(StepError::of_fault(fault, time))
}

/// The configuration of a state, `step` [s] after its memory was brought up to date.
pub(super) fn at_start<'a>(system: &'a dyn MechSystem, start: &'a State) -> At<'a> {
    At { system, load: LoadCase::at(start.time), motion: Motion::now(start) }
}

/// The end of a step of `h` [s] from a start, whose equations were evaluated.
pub(super) fn at_end<'a>(
    system: &'a dyn MechSystem,
    (start, base, h): (&'a State, &'a StepEquations, f64),
) -> At<'a> {
    let motion = Motion { q: &base.end.q, u: &base.force_u, ..Motion::of(start, h) };
    At { system, load: LoadCase::at(start.time + h), motion }
}
