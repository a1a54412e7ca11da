//! Steps of systems with rigid bodies, followers and constraint rows: docs/theory/rigid.md. The unknown is
//! the mean velocity y of the step; rows are taken at the mean of start and end, and positions met by
//! the same impulses in rounds of back-solves with one factor.

mod carried;
mod equilibrium;
mod factor;
mod newton;
mod parts;
mod project;
mod rounds;
mod runge_kutta;
mod saddle;
mod trial;
mod unilateral;
mod unsymmetric;

use nalgebra::{Quaternion, UnitQuaternion};
pub(super) use parts::step_constrained;
use runge_kutta::Spins;
use saddle::SaddleSolver;

use unilateral::Unilateral;
use unsymmetric::Unsymmetric;

use super::equations::ImplicitRule;
use super::failure::Failure;
use super::mixing::Mixing;
use super::settings::{ImplicitMode, Integrator, NewtonSettings, SolverSettings};
use crate::attachment::{Attachments, RowReduction, TurnRates, Turning};
use crate::lcp::FrictionModel;
use crate::system::{ContactForce, MechSystem, Multibody, State};
use crate::{Mat3, Vec3};

/// Largest momentum error left, over the largest momentum or impulse [-]: it is what a rule that keeps energy
/// may gain.
const MOMENTUM_GOAL: f64 = 1e-9;
/// The same for backward Euler, which damps far more.
const DAMPED_MOMENTUM_GOAL: f64 = 1e-7;
/// Largest error of a row left [m], [-].
const POSITION_GOAL: f64 = 1e-10;

/// What a step sees of its system.
#[derive(Clone, Copy)]
pub(super) struct StepContext<'a> {
    pub(super) system: &'a dyn MechSystem,
    /// Its bodies, followers and constraint rows.
    pub(super) multibody: &'a Multibody,
}

/// Everything that such a step needs beside the matrix and the vectors of any step.
pub(super) struct Constrained {
    kkt: SaddleSolver,
    reduction: Attachments,
    rows: RowReduction,
    /// Where the entries of each constraint row begin, before followers are replaced.
    offsets: Vec<u32>,
    /// Held scalars, and all of those that follow.
    held: Vec<[bool; 3]>,
    /// A length for each row that makes momenta comparable [m]; 1 but for rotations.
    lengths: Vec<f64>,
    start: Start,
    trial: Trial,
    /// Velocities at the end.
    end_u: Vec<Vec3>,
    /// Rates of orientations, for the Runge-Kutta rule.
    spins: Vec<Spins>,
    /// Corrections of velocities and impulses.
    step: Vec<Vec3>,
    row_step: Vec<f64>,
    right: Vec<Vec3>,
    row_right: Vec<f64>,
    /// Compliances as the matrix has them.
    give: Vec<f64>,
    /// What is in the matrix beside linear terms: slot, row, column, block.
    terms: Vec<(u32, [u32; 2], Mat3)>,
    mixing: Mixing,
    unsymmetric: Option<Unsymmetric>,
    /// Whether rows were found to contradict each other.
    conflicting: bool,
    /// Inertia of each row for mixing.
    masses: Vec<Vec3>,
    /// Rows that push and do not pull.
    unilateral: Option<Box<Unilateral>>,
    /// Bodies that nothing holds in this step.
    free: Vec<bool>,
    /// Forces on the way from followers to masters, and the moments that carried bodies hand on.
    handed: Vec<Vec3>,
    moments: Vec<Vec3>,
    /// Accelerations of followers whose masters go on evenly.
    bias: Vec<Vec3>,
}

/// The start of a step and of one of its parts.
struct Start {
    /// Before anything was done.
    before_q: Vec<Vec3>,
    before_u: Vec<Vec3>,
    /// Whether the state had multipliers then.
    had_multipliers: bool,
    /// The same on the rows.
    whole_q: Vec<Vec3>,
    whole_u: Vec<Vec3>,
    whole_multipliers: Vec<f64>,
    before_contacts: Vec<ContactForce>,
    before_ranges: Vec<f64>,
    orientations: Vec<UnitQuaternion<f64>>,
    turns: Vec<Mat3>,
    /// Polar factors of what carried bodies follow.
    turnings: Vec<Turning>,
    /// Values of the rows.
    values: Vec<f64>,
    /// Coordinates of the joints.
    coordinates: Vec<f64>,
}

/// An iterate, and what follows from it.
struct Trial {
    /// Mean velocities, and impulses of the rows times the weight of the end.
    y: Vec<Vec3>,
    impulses: Vec<f64>,
    q: Vec<Vec3>,
    mean_q: Vec<Vec3>,
    turns: Vec<Mat3>,
    mean_turns: Vec<Mat3>,
    half: Vec<Mat3>,
    orientations: Vec<UnitQuaternion<f64>>,
    turnings: Vec<Turning>,
    rates: Vec<TurnRates>,
    weights: Vec<Mat3>,
    values: Vec<f64>,
    coefficients: Vec<Vec3>,
    reduced: Vec<Vec3>,
    residual: Vec<Vec3>,
    row_residual: Vec<f64>,
    /// Momenta and impulses handed to masters.
    force: Vec<Vec3>,
    momentum_error: f64,
    position_error: f64,
}

/// One part of a step.
#[derive(Clone, Copy)]
struct Piece {
    /// From the start of the step [s].
    offset: f64,
    h: f64,
    rule: ImplicitRule,
    explicit: bool,
    newton: Option<NewtonSettings>,
    /// Whether a rule that keeps energy evaluates forces at the mean of start and end.
    midpoint: bool,
    matrix: Matrix,
    friction: FrictionModel,
    /// Whether contacts may be left as they are after all rounds.
    lenient: bool,
}

/// What the rounds of a piece are made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Matrix {
    /// Rows at the mean on both sides, with a little give.
    Symmetric,
    /// Columns at the mean, rows at the end.
    Unsymmetric,
    /// Symmetric without any give: rows that contradict each other are met as nearly as they can be.
    Nearest,
}

impl Piece {
    /// A whole step of `h` [s] by a rule that is implicit, or symplectic Euler.
    fn whole(integrator: Integrator, h: f64, friction: FrictionModel) -> Self {
        let (end_weight, mode) = match integrator {
            Integrator::Trapezoidal(mode) => (0.5, mode),
            Integrator::Midpoint(newton) => (0.5, ImplicitMode::Newton(newton)),
            Integrator::BackwardEuler(mode) => (1.0, mode),
            _ => (1.0, ImplicitMode::Linearized),
        };
        let newton = match mode {
            ImplicitMode::Newton(newton) => Some(newton),
            ImplicitMode::Linearized => None,
        };
        Self {
            offset: 0.0,
            h,
            rule: ImplicitRule { end_weight },
            explicit: integrator == Integrator::SymplecticEuler,
            newton,
            midpoint: matches!(integrator, Integrator::Midpoint(_)),
            matrix: Matrix::Symmetric,
            friction,
            lenient: false,
        }
    }

    /// Whether forces are evaluated at the mean of start and end.
    fn forces_at_mean(&self) -> bool {
        self.midpoint && self.weight() < 1.0
    }

    fn weight(&self) -> f64 {
        self.rule.end_weight
    }

    fn momentum_goal(&self) -> f64 {
        if self.weight() < 1.0 || self.explicit { MOMENTUM_GOAL } else { DAMPED_MOMENTUM_GOAL }
    }

    /// Whether linear systems are to be solved beyond the tolerance of the settings: for rules that keep energy, and
    /// for Newton's method.
    fn is_fine(&self) -> bool {
        self.weight() < 1.0 || self.explicit || self.newton.is_some()
    }

    /// Weight of the end in the spin of a body.
    fn spin_weight(&self, spins_freely: bool) -> f64 {
        if spins_freely { 0.5 } else { self.weight() }
    }
}

impl Start {
    fn new(size: usize, count: usize, multibody: &Multibody) -> Self {
        let bodies = multibody.bodies.len();
        let vectors = || vec![Vec3::zeros(); size];
        Self {
            before_q: vectors(),
            before_u: vectors(),
            whole_q: vectors(),
            whole_u: vectors(),
            whole_multipliers: vec![0.0; count],
            before_contacts: Vec::new(),
            before_ranges: Vec::new(),
            had_multipliers: false,
            orientations: vec![UnitQuaternion::identity(); bodies],
            turns: vec![Mat3::zeros(); bodies],
            turnings: vec![Turning::of(&Mat3::identity()); multibody.carried.len()],
            values: vec![0.0; count],
            coordinates: Vec::new(),
        }
    }
}

impl Start {
    /// Keeps a state with `count` constraint rows as it is before anything is done.
    fn keep(&mut self, state: &State, count: usize) {
        self.coordinates.clone_from(&state.coordinates);
        self.before_q.copy_from_slice(&state.q);
        self.before_u.copy_from_slice(&state.u);
        self.before_contacts.clone_from(&state.contacts);
        self.before_ranges.clone_from(&state.range_forces);
        self.whole_multipliers.resize(count, 0.0);
        self.whole_multipliers.fill(0.0);
        self.had_multipliers = state.multipliers.len() == count;
        if self.had_multipliers {
            self.whole_multipliers.copy_from_slice(&state.multipliers);
        }
    }
}

impl Trial {
    /// For rows of `entries` coefficients, `reduced` of them without followers.
    fn new(size: usize, entries: usize, multibody: &Multibody, reduced: usize) -> Self {
        let (bodies, count) = (multibody.bodies.len(), multibody.rows.count());
        let (vectors, scalars) = (|| vec![Vec3::zeros(); size], || vec![0.0; count]);
        let matrices = || vec![Mat3::zeros(); bodies];
        Self {
            y: vectors(),
            impulses: scalars(),
            q: vectors(),
            mean_q: vectors(),
            turns: matrices(),
            mean_turns: matrices(),
            half: matrices(),
            orientations: vec![UnitQuaternion::identity(); bodies],
            turnings: vec![Turning::of(&Mat3::identity()); multibody.carried.len()],
            rates: vec![TurnRates::zero(); multibody.carried.len()],
            weights: vec![Mat3::zeros(); multibody.weights.len()],
            values: scalars(),
            coefficients: vec![Vec3::zeros(); entries],
            reduced: vec![Vec3::zeros(); reduced],
            residual: vectors(),
            row_residual: scalars(),
            force: vectors(),
            momentum_error: 0.0,
            position_error: 0.0,
        }
    }
}

impl Constrained {
    pub(super) fn new(context: StepContext, settings: &SolverSettings) -> Result<Self, Failure> {
        let StepContext { system, multibody } = context;
        let size = system.pattern().size();
        let reduction = multibody.attachments.clone();
        let full = multibody.rows.pattern(size);
        let rows = RowReduction::new(&full, &reduction);
        let mut held = system.held().to_vec();
        reduction.hold_slaves(&mut held);
        let (bodies, count) = (multibody.bodies.len(), multibody.rows.count());
        let mut lengths = vec![1.0; size];
        let mut masses: Vec<Vec3> =
            system.masses().iter().map(|&mass| Vec3::repeat(mass)).collect();
        for body in &multibody.bodies {
            let spin = body.row as usize + 1;
            lengths[spin] = body.length();
            masses[spin] = Vec3::repeat(body.inertia.rotational().trace() / 3.0);
        }
        let (vectors, scalars) = (|| vec![Vec3::zeros(); size], || vec![0.0; count]);
        let entries = rows.pattern().entry_count();
        Ok(Self {
            kkt: SaddleSolver::new(system, multibody, &held, rows.pattern(), settings)?,
            offsets: full.offsets().to_vec(),
            held,
            lengths,
            start: Start::new(size, count, multibody),
            trial: Trial::new(size, full.entry_count(), multibody, entries),
            end_u: vectors(),
            spins: vec![[Quaternion::identity(); 2]; bodies],
            step: vectors(),
            row_step: scalars(),
            right: vectors(),
            row_right: scalars(),
            give: scalars(),
            terms: Vec::new(),
            mixing: Mixing::new(size, count),
            unsymmetric: None,
            conflicting: false,
            masses,
            unilateral: Unilateral::new(multibody, settings)?.map(Box::new),
            free: multibody.bodies.iter().map(|body| body.spins_freely).collect(),
            handed: vectors(),
            bias: vectors(),
            moments: vec![Vec3::zeros(); multibody.carried.len()],
            reduction,
            rows,
        })
    }

    /// Back to the start of the step, on the rows.
    fn go_back(&self, state: &mut State) {
        state.q.copy_from_slice(&self.start.whole_q);
        state.u.copy_from_slice(&self.start.whole_u);
        state.multipliers.copy_from_slice(&self.start.whole_multipliers);
    }

    /// Takes nothing from the steps before.
    pub(super) fn forget(&mut self) {
        self.conflicting = false;
        self.unilateral.iter_mut().for_each(|rows| rows.forget());
    }

    /// Brings back the state before the step.
    pub(super) fn restore(&self, state: &mut State) {
        state.q.copy_from_slice(&self.start.before_q);
        state.u.copy_from_slice(&self.start.before_u);
        state.contacts.clone_from(&self.start.before_contacts);
        state.range_forces.clone_from(&self.start.before_ranges);
        state.multipliers.clear();
        if self.start.had_multipliers {
            state.multipliers.extend_from_slice(&self.start.whole_multipliers);
        }
    }
}
