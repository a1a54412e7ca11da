//! Settings of the solution of a step.

use crate::lcp::FrictionModel;
use crate::ode::Method;

/// Integrators. Matrix and right side of the implicit two: docs/theory/step.md.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Integrator {
    /// First order, damps: S = M - h df/du - h² df/dq. The default.
    BackwardEuler(ImplicitMode),
    /// Second order, keeps energy (Newmark 1/2, 1/4): S = M - h/2 df/du - h²/4 df/dq. Linearized, it repeats the solve with
    /// the same factor where elements, frame springs or dampers turn, whose turns S leaves out.
    Trapezoidal(ImplicitMode),
    /// Second order, by Newton iteration: forces at the mean of start and end, in position and velocity. Keeps
    /// linear and angular momentum, with any forces that have no moment of their own.
    Midpoint(NewtonSettings),
    /// Explicit, first order, bounded energy error while h is below the stability limit.
    SymplecticEuler,
    /// Explicit, fourth order (Kutta1901), with projection onto constraints at the end of the step;
    /// stable while h is below 2.8 / ω of the fastest oscillation.
    RungeKutta4,
    /// A rule of variable step by a tolerance, with dense output at the ends of the steps that are asked for, projection onto
    /// constraints and impacts as events. It runs ahead of these: after a change of the system
    /// [`MechSystemSolver::forget`](super::MechSystemSolver::forget) is to be called.
    Variable(VariableStep),
    /// Equilibrium, no time: Newton with line search under loads applied in increments.
    Static(StaticSettings),
}

/// Rule and tolerances of variable steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VariableStep {
    /// The rule.
    pub method: Method,
    /// Error of a step over the size of a value [-].
    pub relative: f64,
    /// Error of a step of a small value, in its unit.
    pub absolute: f64,
    /// Coordinates of rigid bodies.
    pub coordinates: BodyCoordinates,
}

/// Coordinates of rigid bodies in rules of variable step: docs/theory/integrators.md.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BodyCoordinates {
    /// Centre of mass and quaternion, with angular velocities; masses and rows in one sparse factor.
    #[default]
    Quaternions,
    /// Centre of mass and three base vectors, twelve numbers with a constant diagonal mass matrix under six rows of rigidity;
    /// solved along the tree of bodies and joints. Bodies and masses that follow points are refused.
    Natural,
}

impl VariableStep {
    /// A rule at the tolerances of [`Self::default`].
    pub fn new(method: Method) -> Self {
        Self { method, ..Self::default() }
    }
}

impl Default for VariableStep {
    fn default() -> Self {
        let coordinates = BodyCoordinates::default();
        Self { method: Method::default(), relative: 1e-8, absolute: 1e-9, coordinates }
    }
}

impl Default for Integrator {
    fn default() -> Self {
        Self::BackwardEuler(ImplicitMode::Linearized)
    }
}

impl Integrator {
    /// True if its steps solve no system.
    pub fn is_explicit(self) -> bool {
        matches!(self, Self::SymplecticEuler | Self::RungeKutta4 | Self::Variable(_))
    }

    /// True if its steps solve one linear system, about the state at the start.
    pub fn is_linearized(self) -> bool {
        matches!(
            self,
            Self::BackwardEuler(ImplicitMode::Linearized)
                | Self::Trapezoidal(ImplicitMode::Linearized)
        )
    }

    /// The same rule with its equations solved by Newton's method, where it has a linearized form.
    #[must_use]
    pub fn by_newton(self, newton: NewtonSettings) -> Self {
        match self {
            Self::BackwardEuler(_) => Self::BackwardEuler(ImplicitMode::Newton(newton)),
            Self::Trapezoidal(_) => Self::Trapezoidal(ImplicitMode::Newton(newton)),
            Self::Midpoint(_)
            | Self::SymplecticEuler
            | Self::RungeKutta4
            | Self::Variable(_)
            | Self::Static(_) => self,
        }
    }
}

/// Solution of the nonlinear equations of an implicit step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ImplicitMode {
    /// One linear solve about the state at the start of the step, as ArtiSynth does.
    #[default]
    Linearized,
    /// Newton iteration to convergence.
    Newton(NewtonSettings),
}

/// Tolerance and limit of Newton iterations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewtonSettings {
    /// Most iterations.
    pub max_iterations: usize,
    /// Residual force over the largest force seen in this solve [-]. Where rounding leaves more than that of a sum
    /// of forces, what it leaves is enough.
    pub tolerance: f64,
}

impl NewtonSettings {
    /// Those of steps that are differentiated: iterated as far as rounding is worth.
    pub fn exact() -> Self {
        Self { tolerance: 1e-12, ..Self::default() }
    }
}

impl Default for NewtonSettings {
    fn default() -> Self {
        Self { max_iterations: 50, tolerance: 1e-10 }
    }
}

/// Iterations of a linearized trapezoidal step of a system whose S leaves out how forces turn. A residual of 1e-8 is far
/// below what the rule itself leaves at any step that shows the motion.
pub(super) const CORRECTED: NewtonSettings = NewtonSettings { max_iterations: 50, tolerance: 1e-8 };

/// Settings of the search for equilibrium.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StaticSettings {
    /// Loads and prescribed displacements are applied in this many equal parts.
    pub increments: usize,
    /// The iteration within each part.
    pub newton: NewtonSettings,
}

impl Default for StaticSettings {
    fn default() -> Self {
        Self { increments: 1, newton: NewtonSettings { max_iterations: 100, tolerance: 1e-10 } }
    }
}

/// Solvers of S x = b.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinearSolver {
    /// By the smaller predicted cost.
    #[default]
    Auto,
    /// Sparse factorization under a nested-dissection order.
    Direct,
    /// A factor kept over several steps, as preconditioner of conjugate gradients to a relative
    /// residual of 1e-11, and renewed when that has become cheaper. Newton iterations and statics
    /// factor anew each time.
    Hybrid,
    /// Conjugate gradients under a [`Preconditioning`].
    ConjugateGradients,
}

/// Preconditioners of conjugate gradients.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preconditioning {
    /// Multigrid for large systems, block-Jacobi for small ones.
    #[default]
    Auto,
    /// Inverses of the 3 x 3 diagonal blocks: iterations grow with the number of nodes across.
    BlockJacobi,
    /// A cycle of aggregation multigrid: iterations hardly grow with the size.
    Multigrid,
}

/// Metric in which overlaps and errors of joints that contacts leave are taken back after a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stabilization {
    /// The least motion by the masses: a node of a tissue is moved alone.
    #[default]
    Mass,
    /// The least motion by S = M - h df/du - h² df/dq at the end of the step: tissue moves as a whole. By the
    /// masses where S is indefinite, after explicit steps and those of the midpoint rule.
    Stiffness,
    /// Overlaps stay until velocities part them.
    None,
}

/// Solver of the impulses of contacts and ranges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContactMethod {
    /// Dense for few rows (96 at most), sparse for more.
    #[default]
    Auto,
    /// On the Schur complement of all rows: a back-solve for each row, and the cube of their number. What
    /// this cannot solve is left to the sparse way.
    Dense,
    /// One sparse factorization a pivot. Friction has the box here, whatever was chosen.
    Sparse,
}

/// Source of the limits of friction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrictionMethod {
    /// From the impulses along the normals of the same step.
    #[default]
    Implicit,
    /// From the impulses along the normals that there would be without friction, in one pass, as ArtiSynth
    /// does: cheaper where limits take long to settle, and wrong by what friction changes of the normals.
    /// The box is used.
    PostHoc,
}

/// Everything that a user may choose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverSettings {
    /// Integrator.
    pub integrator: Integrator,
    /// Solver of its linear systems.
    pub linear_solver: LinearSolver,
    /// Preconditioner of conjugate gradients without a factor.
    pub preconditioner: Preconditioning,
    /// Relative residual at which conjugate gradients stop in a linearized step [-]: 1e-5 leaves
    /// velocities some 1e4 times nearer to the exact solution of the step than that is to the motion
    /// (docs/theory/step.md). Updates of Newton's method and equilibria go to 1e-8, or to this if less.
    pub cg_tolerance: f64,
    /// Most iterations of conjugate gradients in one solve.
    pub cg_max_iterations: usize,
    /// Right sides that each matrix serves beside that of the step, the columns of
    /// [`MechSystemSolver::respond`](super::MechSystemSolver::respond): the automatic choice of the solver reckons with them.
    pub responses: usize,
    /// Approximation of the cone of friction.
    pub friction: FrictionModel,
    /// Source of the limits of friction.
    pub friction_method: FrictionMethod,
    /// Solver of the impulses of contacts and ranges.
    pub contact_method: ContactMethod,
    /// Way to take overlaps back after a step.
    pub stabilization: Stabilization,
}

impl Default for SolverSettings {
    fn default() -> Self {
        Self {
            integrator: Integrator::default(),
            linear_solver: LinearSolver::default(),
            preconditioner: Preconditioning::default(),
            cg_tolerance: 1e-5,
            cg_max_iterations: 20_000,
            responses: 0,
            friction: FrictionModel::default(),
            friction_method: FrictionMethod::default(),
            contact_method: ContactMethod::default(),
            stabilization: Stabilization::default(),
        }
    }
}

/// Relative residual of the updates of Newton's method [-], whose iteration would be slowed down by
/// more than it saves.
const UPDATE_TOLERANCE: f64 = 1e-8;

impl SolverSettings {
    /// The same with steps that have derivatives: those of Newton's method, as exact as rounding lets them be, where the rule has
    /// such steps.
    #[must_use]
    pub fn differentiable(self) -> Self {
        Self { integrator: self.integrator.by_newton(NewtonSettings::exact()), ..self }
    }

    /// Relative residual at which conjugate gradients stop under this integrator [-].
    pub(crate) fn solve_tolerance(&self) -> f64 {
        match self.integrator.is_linearized() {
            true => self.cg_tolerance,
            false => self.cg_tolerance.min(UPDATE_TOLERANCE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_linearized_steps_stop_at_a_coarse_residual() {
        let tolerance = |integrator, cg_tolerance| {
            SolverSettings { integrator, cg_tolerance, ..SolverSettings::default() }
                .solve_tolerance()
        };
        let newton = Integrator::BackwardEuler(ImplicitMode::Newton(NewtonSettings::default()));
        assert_eq!(tolerance(Integrator::default(), 1e-5), 1e-5);
        assert_eq!(tolerance(Integrator::Trapezoidal(ImplicitMode::Linearized), 1e-3), 1e-3);
        assert_eq!([tolerance(newton, 1e-5), tolerance(newton, 1e-11)], [1e-8, 1e-11]);
        let equilibrium = Integrator::Static(StaticSettings::default());
        assert_eq!(tolerance(equilibrium, 1e-5), 1e-8);
    }
}

/// Exactness with which responses follow from a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResponseAccuracy {
    /// By the matrix of its last iterate, which leaves out how moving bodies turn: to some hundredths in a step of 10 ms at
    /// some radians a second.
    #[default]
    Factor,
    /// Corrected by the equations of the step themselves, for three more solutions a column; where contacts and ranges are
    /// near, as without.
    Refined,
}
