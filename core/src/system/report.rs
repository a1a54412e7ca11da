//! Report of a step, and its errors.

use std::time::Duration;

use crate::force::Fault;
use crate::material::KINDS;

/// Energies of a state [J].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energies {
    /// Kinetic.
    pub kinetic: f64,
    /// Of the weight, zero at the origin.
    pub gravitational: f64,
    /// Stored in tissues and springs.
    pub strain: f64,
}

impl Energies {
    /// Their sum [J].
    pub fn total(&self) -> f64 {
        self.kinetic + self.gravitational + self.strain
    }
}

/// Wall time of the phases of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PhaseTimes {
    /// Evaluation of forces.
    pub forces: Duration,
    /// Assembly of S.
    pub assembly: Duration,
    /// Factorization, or set-up of the preconditioner.
    pub factor: Duration,
    /// Solution with the factor, or conjugate gradients.
    pub solve: Duration,
    /// Contact detection and rows.
    pub contact: Duration,
    /// Position stabilization.
    pub stabilization: Duration,
}

/// Statistics of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepStats {
    /// Linear systems solved (Newton iterations of an implicit or static step).
    pub linear_solves: usize,
    /// Numeric factorizations.
    pub factorizations: usize,
    /// Iterations of conjugate gradients, all solves together; with multigrid one costs as much as
    /// some eight products, with block-Jacobi little more than one.
    pub cg_iterations: usize,
    /// Stored 3 x 3 blocks of S.
    pub matrix_blocks: usize,
    /// Stored scalars of the factor; 0 without one.
    pub factor_nnz: usize,
    /// True relative residual of the last linear solve [-].
    pub residual: f64,
    /// Solves for a correction whose residual was computed in 64 bits; 0 where all is.
    pub corrections: usize,
    /// Parts that a step with constraints was made in: more than one where its equations are not solved
    /// otherwise; 0 without constraints.
    pub substeps: usize,
    /// Rows of contacts, friction and ranges that were near.
    pub unilateral_rows: usize,
    /// Contacts that push at the end of the step.
    pub contacts: usize,
    /// Pivots: rows that became active or inactive, in all iterations together.
    pub pivots: usize,
    /// Methods that did not find the impulses of contacts, after each of which another took over.
    pub fallbacks: usize,
    /// True if friction was solved with the box in place of the cone that was asked for, as many rows are.
    pub box_for_cone: bool,
    /// Bytes sent to the device; 0 on the CPU.
    pub bytes_up: u64,
    /// Bytes read back from the device; 0 on the CPU.
    pub bytes_down: u64,
    /// Wall time of the phases.
    pub phases: PhaseTimes,
}

impl StepStats {
    /// Adds the counts of an earlier part of the same step; sizes and residual stay those of the last.
    pub fn add_part(&mut self, part: &Self) {
        self.linear_solves += part.linear_solves;
        self.factorizations += part.factorizations;
        self.cg_iterations += part.cg_iterations;
        self.corrections += part.corrections;
        self.substeps += part.substeps;
        self.unilateral_rows = self.unilateral_rows.max(part.unilateral_rows);
        self.contacts = self.contacts.max(part.contacts);
        self.pivots += part.pivots;
        self.fallbacks += part.fallbacks;
        self.box_for_cone |= part.box_for_cone;
        self.bytes_up += part.bytes_up;
        self.bytes_down += part.bytes_down;
        let (mine, other) = (&mut self.phases, &part.phases);
        mine.forces += other.forces;
        mine.assembly += other.assembly;
        mine.factor += other.factor;
        mine.solve += other.solve;
        mine.contact += other.contact;
        mine.stabilization += other.stabilization;
    }
}

/// Errors of a step. The state is then the one before the step.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StepError {
    /// It was asked to end, and took longer than a second after that.
    #[error("at t = {time} s the step was given up, as was asked")]
    Stopped {
        /// Time at the start of the step [s].
        time: f64,
    },
    /// A point of an element is turned inside out where the material has no meaning.
    #[error(
        "at t = {time} s element {element} of '{fem}' is inverted, or deforms too much within one step (J = {volume_ratio:.3e}){}", remedy_of_inversion(.muscle.as_deref())
    )]
    Inverted {
        /// Name of the tissue.
        fem: String,
        /// Element index in its mesh.
        element: usize,
        /// det F at the worst point.
        volume_ratio: f64,
        /// Name of the bundle of muscle with the largest active stress in the element, where one is active there.
        muscle: Option<String>,
        /// Time at the start of the step [s].
        time: f64,
    },
    /// An element that forces turn with is inverted so far that its rotation is that of rounding, or of the next step
    /// another one: forces would create energy.
    #[error(
        "at t = {time} s element {element} of '{fem}' is turned inside out, with no rotation left that a corotated law could follow: take a smaller step, smaller loads, finer elements, or a hyperelastic material"
    )]
    Unoriented {
        /// Name of the tissue.
        fem: String,
        /// Element index in its mesh.
        element: usize,
        /// Time at the start of the step [s].
        time: f64,
    },
    /// A step of a rule that damps ended with more energy than it began with, though nothing works on the model.
    #[error(
        "at t = {time} s the step would create {gain:.2e} J beside a largest energy of {largest:.2e} J, though nothing works on the model; most in {place}: take a smaller step, Newton's method, or a material that stands what its elements go through"
    )]
    EnergyGained {
        /// Element, else point, whose energy grew most.
        place: String,
        /// Energy gained [J].
        gain: f64,
        /// Largest of the kinetic and strain energy and of the change of that of the weight [J].
        largest: f64,
        /// Time at the start of the step [s].
        time: f64,
    },
    /// Forces or velocities became infinite or not a number.
    #[error(
        "at t = {time} s the motion of {point} is not finite: take a smaller step, or an implicit integrator"
    )]
    NotFinite {
        /// The first point concerned.
        point: String,
        /// Time at the start of the step [s].
        time: f64,
    },
    /// The matrix of the step could not be factored or is indefinite.
    #[error(
        "at t = {time} s the system matrix is singular or indefinite ({detail}): hold the model at more points, take a smaller step, or add damping"
    )]
    Singular {
        /// The fault in the matrix.
        detail: String,
        /// Time at the start of the step [s].
        time: f64,
    },
    /// An iteration ended without reaching its tolerance.
    #[error(
        "at t = {time} s {method} stopped after {iterations} iterations at a relative residual of {residual:.3e} (asked for {tolerance:.1e})"
    )]
    NotConverged {
        /// Name of the iteration.
        method: &'static str,
        /// Iterations made.
        iterations: usize,
        /// Residual reached [-].
        residual: f64,
        /// Tolerance [-].
        tolerance: f64,
        /// Time at the start of the step [s].
        time: f64,
    },
    /// The impulses of contacts and ranges could not be found.
    #[error(
        "at t = {time} s the impulses of contacts and ends of ranges were not found ({detail}): take a smaller step, or give the contacts some compliance"
    )]
    Complementarity {
        /// The failure of the solver.
        detail: String,
        /// Time at the start of the step [s].
        time: f64,
    },
    /// An equilibrium was found in which things overlap, or a range is exceeded, and none with contact.
    #[error(
        "at t = {time} s {name} overlap by {depth:.3e} (m or rad) in the equilibrium without contact, and none with contact was found: hold what slides or rolls away, or let it come to rest in time, by backward Euler with damping"
    )]
    StaticContact {
        /// The two that overlap, or the range.
        name: String,
        /// Depth of the overlap [m], or excess over the range [rad].
        depth: f64,
        /// Time at the start of the step [s].
        time: f64,
    },
    /// A joint, a constraint or a range that cannot be met.
    #[error(
        "at t = {time} s {name} is off by {error:.3e} (m or rad) and cannot be met: it contradicts {against}, or things are too far from where these have them"
    )]
    Unmet {
        /// Path of the joint or constraint; with the coordinate and the side for a range.
        name: String,
        /// Error of the row [m], [rad].
        error: f64,
        /// Possible contradictions: a contact, other joints and ranges.
        against: String,
        /// Time at the start of the step [s].
        time: f64,
    },
    /// A part of the model, or a number, that a rule cannot take.
    #[error(
        "{rule} cannot take {part}; another integrator can (backward-euler, or runge-kutta-4 in small models with few contacts)"
    )]
    Unsupported {
        /// Name of the rule.
        rule: &'static str,
        /// The part.
        part: String,
    },
    /// A rule of variable step found no step that meets its tolerance.
    #[error("in the step from t = {time} s the control of the step failed: {detail}")]
    StepControl {
        /// The failure.
        detail: String,
        /// Time at the start of the step [s].
        time: f64,
    },
    /// Shapes that cannot be looked at for contact.
    #[error("at t = {time} s contact cannot be looked for: {detail}")]
    Contact {
        /// The fault in the shapes.
        detail: String,
        /// Time at the start of the step [s].
        time: f64,
    },
    /// Two things overlap by more than their limit, however short the step is made.
    #[error(
        "at t = {time} s {pair} overlap by {depth:.3e} m, more than their limit: take a smaller step, or raise the limit of their behaviour"
    )]
    Penetration {
        /// The two.
        pair: String,
        /// Depth of the overlap [m].
        depth: f64,
        /// Time at the start of the step [s].
        time: f64,
    },
    /// Two surfaces of tissues would pass through each other, however short the step is made.
    #[error(
        "at t = {time} s {pair} would pass through each other: take a smaller step, or look for what presses them together"
    )]
    Crossing {
        /// The two.
        pair: String,
        /// Time at the start of the step [s].
        time: f64,
    },
    /// The device that computes was lost or refused to go on; its last good state is kept.
    #[error(
        "at t = {time} s the device failed ({detail}): the last good state is kept; go on from it on the CPU"
    )]
    Device {
        /// The message of the device.
        detail: String,
        /// Time at the start of the step [s].
        time: f64,
    },
}

/// End of the message on an inverted element: laws of muscle have no meaning there, some of tissue have one.
fn remedy_of_inversion(muscle: Option<&str>) -> String {
    if let Some(muscle) = muscle {
        return format!(
            "; of the muscles in it '{muscle}' has the largest active stress: take a smaller step, or excite it less or more slowly"
        );
    }
    let survive = KINDS.iter().filter(|kind| !kind.needs_positive_volume);
    let laws: Vec<&str> = survive.map(|kind| kind.name).collect();
    format!(": take a smaller step, or a material that survives inversion ({})", laws.join(", "))
}

impl StepError {
    /// The error of a step from `time` [s] that a fault ends.
    pub fn of_fault(fault: Fault, time: f64) -> Self {
        match fault {
            Fault::Inverted { fem, element, volume_ratio, .. } => {
                Self::Inverted { fem, element, volume_ratio, muscle: None, time }
            }
            Fault::Unoriented { fem, element, .. } => Self::Unoriented { fem, element, time },
        }
    }

    /// The same with the muscle that pulls most in an inverted element, which `find` looks up by tissue and element.
    pub fn with_muscle(mut self, find: impl FnOnce(&str, usize) -> Option<String>) -> Self {
        if let Self::Inverted { fem, element, muscle, .. } = &mut self {
            *muscle = find(fem, *element);
        }
        self
    }

    /// True if shorter steps may succeed.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Inverted { .. }
            | Self::Unoriented { .. }
            | Self::EnergyGained { .. }
            | Self::NotFinite { .. }
            | Self::Singular { .. }
            | Self::NotConverged { .. }
            | Self::Complementarity { .. }
            | Self::Penetration { .. }
            | Self::Crossing { .. } => true,
            Self::StaticContact { .. }
            | Self::Unmet { .. }
            | Self::Unsupported { .. }
            | Self::StepControl { .. }
            | Self::Contact { .. }
            | Self::Device { .. }
            | Self::Stopped { .. } => false,
        }
    }
}
