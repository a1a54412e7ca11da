//! Settings of a run: the section `[solver]`. Options of the command line come before it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sinew::lcp::FrictionModel;
use sinew::ode::Method;
use sinew::solve::{
    BodyCoordinates, ContactMethod, FrictionMethod, ImplicitMode, Integrator, LinearSolver,
    NewtonSettings, Preconditioning, SolverSettings, Stabilization, StaticSettings, VariableStep,
};

/// Settings of a run; what is left out is as `sinew run` has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Solver {
    /// Length of a step [s].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub step: Option<f64>,
    /// Simulated time [s].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub time: Option<f64>,
    /// Integrator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub integrator: Option<IntegratorName>,
    /// True if an implicit step iterates to convergence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newton: Option<bool>,
    /// Residual force over the largest force at which Newton's method ends [-].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub newton_tolerance: Option<f64>,
    /// Error of a step over the size of a value, of integrators of variable step [-].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub tolerance: Option<f64>,
    /// Error of a step of a small value, in its unit (m, rad, m/s, rad/s), of integrators of variable step.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub absolute_tolerance: Option<f64>,
    /// Coordinates of rigid bodies, of integrators of variable step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coordinates: Option<CoordinatesName>,
    /// Equal parts in which a static solution applies the loads.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub increments: Option<u32>,
    /// Solver of linear systems.
    #[serde(skip_serializing_if = "Option::is_none", alias = "solver")]
    pub linear_solver: Option<LinearSolverName>,
    /// Preconditioner of conjugate gradients.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preconditioner: Option<PreconditionerName>,
    /// Relative residual at which conjugate gradients stop [-].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub cg_tolerance: Option<f64>,
    /// Approximation of the cone of friction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction: Option<FrictionName>,
    /// Source of the limits of friction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction_method: Option<FrictionMethodName>,
    /// Solver of the impulses of contacts.
    #[serde(skip_serializing_if = "Option::is_none", alias = "contact_solver")]
    pub contact_method: Option<ContactMethodName>,
    /// Metric in which overlaps are taken back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stabilization: Option<StabilizationName>,
}

/// An enum of words, each a value of a type of the library.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident => $T:ty { $($(#[$line:meta])* $word:ident => $value:path,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $($(#[$line])* $word,)+
        }

        impl $name {
            /// Value that the word stands for.
            pub fn value(self) -> $T {
                match self { $(Self::$word => $value,)+ }
            }
        }

        impl From<$T> for $name {
            fn from(value: $T) -> Self {
                match value { $($value => Self::$word,)+ }
            }
        }
    };
}

/// An integrator without its settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum IntegratorName {
    /// First order, implicit, damps
    #[default]
    BackwardEuler,
    /// Second order, implicit, keeps energy
    Trapezoidal,
    /// Second order, implicit, keeps momenta
    Midpoint,
    /// First order, explicit; stable for small steps only
    SymplecticEuler,
    /// Fourth order, explicit; stable for small steps only
    #[serde(rename = "runge_kutta_4", alias = "runge_kutta4", alias = "rk4")]
    RungeKutta4,
    /// Order 4(5), explicit, of variable step by a tolerance
    RungeKuttaFehlberg,
    /// Order 5(4), explicit, of variable step by a tolerance
    DormandPrince,
    /// Orders 1 to 13, explicit, of variable step and order by a tolerance
    Adams,
    /// Order 5, implicit, of variable step by a tolerance; for stiff systems of some hundred values
    Radau,
    /// Equilibrium under the loads: one solve, no motion
    Static,
}

words! {
    /// Coordinates of rigid bodies.
    CoordinatesName => BodyCoordinates {
        /// Centre of mass and quaternion
        Quaternions => BodyCoordinates::Quaternions,
        /// Centre of mass and three base vectors, with a constant mass matrix; in O(n) along trees
        Natural => BodyCoordinates::Natural,
    }
}

words! {
    /// Solver of linear systems.
    LinearSolverName => LinearSolver {
        /// By predicted cost
        Auto => LinearSolver::Auto,
        /// Sparse factorization
        Direct => LinearSolver::Direct,
        /// A factor kept over several steps as preconditioner of conjugate gradients
        Hybrid => LinearSolver::Hybrid,
        /// Conjugate gradients
        #[serde(alias = "cg")]
        ConjugateGradients => LinearSolver::ConjugateGradients,
    }
}

words! {
    /// Preconditioner of conjugate gradients.
    PreconditionerName => Preconditioning {
        /// By size
        Auto => Preconditioning::Auto,
        /// Inverses of the 3 x 3 diagonal blocks
        #[serde(alias = "jacobi")]
        BlockJacobi => Preconditioning::BlockJacobi,
        /// Aggregation multigrid
        Multigrid => Preconditioning::Multigrid,
    }
}

words! {
    /// Approximation of the cone of friction.
    FrictionName => FrictionModel {
        /// A limit for each of two directions
        Box => FrictionModel::Box,
        /// A square in the cone
        Cone4 => FrictionModel::Cone4,
        /// An octagon in the cone
        Cone8 => FrictionModel::Cone8,
    }
}

words! {
    /// Source of the limits of friction.
    FrictionMethodName => FrictionMethod {
        /// From the normal forces of the same step
        Implicit => FrictionMethod::Implicit,
        /// From the normal forces that there would be without friction, in one pass, as ArtiSynth does
        #[serde(alias = "posthoc")]
        PostHoc => FrictionMethod::PostHoc,
    }
}

words! {
    /// Solver of the impulses of contacts.
    ContactMethodName => ContactMethod {
        /// By the number of rows
        Auto => ContactMethod::Auto,
        /// On the Schur complement of all rows
        Dense => ContactMethod::Dense,
        /// By sparse factorizations; friction has the box
        Sparse => ContactMethod::Sparse,
    }
}

words! {
    /// Metric in which overlaps are taken back.
    StabilizationName => Stabilization {
        /// Of the masses
        Mass => Stabilization::Mass,
        /// Of the matrix of an implicit step
        Stiffness => Stabilization::Stiffness,
        /// Overlaps stay until velocities part them
        None => Stabilization::None,
    }
}

impl From<Integrator> for IntegratorName {
    fn from(integrator: Integrator) -> Self {
        match integrator {
            Integrator::BackwardEuler(_) => Self::BackwardEuler,
            Integrator::Trapezoidal(_) => Self::Trapezoidal,
            Integrator::Midpoint(_) => Self::Midpoint,
            Integrator::SymplecticEuler => Self::SymplecticEuler,
            Integrator::RungeKutta4 => Self::RungeKutta4,
            Integrator::Variable(VariableStep { method, .. }) => match method {
                Method::RungeKuttaFehlberg => Self::RungeKuttaFehlberg,
                Method::DormandPrince => Self::DormandPrince,
                Method::Adams => Self::Adams,
                Method::Radau => Self::Radau,
            },
            Integrator::Static(_) => Self::Static,
        }
    }
}

impl IntegratorName {
    /// The rule of variable step that it is.
    fn variable(self) -> Option<Method> {
        match self {
            Self::RungeKuttaFehlberg => Some(Method::RungeKuttaFehlberg),
            Self::DormandPrince => Some(Method::DormandPrince),
            Self::Adams => Some(Method::Adams),
            Self::Radau => Some(Method::Radau),
            Self::BackwardEuler
            | Self::Trapezoidal
            | Self::Midpoint
            | Self::SymplecticEuler
            | Self::RungeKutta4
            | Self::Static => None,
        }
    }
}

/// A key of `[solver]` that is out of range or does not go with the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolverFault {
    /// The key.
    pub key: &'static str,
    /// The rule that its value breaks.
    pub rule: &'static str,
}

impl Solver {
    /// These settings, and those of `base` where these have none. An integrator has its settings beside it: those
    /// of `base` hold for its own alone.
    #[must_use]
    pub fn or(self, base: &Self) -> Self {
        let theirs = match self.integrator {
            Some(_) => &Self::default(),
            None => base,
        };
        Self {
            step: self.step.or(base.step),
            time: self.time.or(base.time),
            integrator: self.integrator.or(theirs.integrator),
            newton: self.newton.or(theirs.newton),
            newton_tolerance: self.newton_tolerance.or(theirs.newton_tolerance),
            tolerance: self.tolerance.or(theirs.tolerance),
            absolute_tolerance: self.absolute_tolerance.or(theirs.absolute_tolerance),
            coordinates: self.coordinates.or(theirs.coordinates),
            increments: self.increments.or(theirs.increments),
            linear_solver: self.linear_solver.or(base.linear_solver),
            preconditioner: self.preconditioner.or(base.preconditioner),
            cg_tolerance: self.cg_tolerance.or(base.cg_tolerance),
            friction: self.friction.or(base.friction),
            friction_method: self.friction_method.or(base.friction_method),
            contact_method: self.contact_method.or(base.contact_method),
            stabilization: self.stabilization.or(base.stabilization),
        }
    }

    /// Length of a step [s], 10 ms where none is said.
    pub fn step_length(&self) -> f64 {
        self.step.unwrap_or(0.01)
    }

    /// The settings where it has some, and those of `base` elsewhere.
    pub fn settings(&self, base: SolverSettings) -> SolverSettings {
        SolverSettings {
            integrator: self.integrator(base.integrator),
            linear_solver: self.linear_solver.map_or(base.linear_solver, LinearSolverName::value),
            preconditioner: self
                .preconditioner
                .map_or(base.preconditioner, PreconditionerName::value),
            cg_tolerance: self.cg_tolerance.unwrap_or(base.cg_tolerance),
            friction: self.friction.map_or(base.friction, FrictionName::value),
            friction_method: self
                .friction_method
                .map_or(base.friction_method, FrictionMethodName::value),
            contact_method: self
                .contact_method
                .map_or(base.contact_method, ContactMethodName::value),
            stabilization: self.stabilization.map_or(base.stabilization, StabilizationName::value),
            ..base
        }
    }

    /// The integrator with its settings, `base` where none of them is given.
    fn integrator(&self, base: Integrator) -> Integrator {
        if self.integrator.is_none() && self.newton.is_none() {
            return base;
        }
        let newton = self.newton_settings(NewtonSettings::default());
        let mode = match self.newton {
            Some(true) => ImplicitMode::Newton(newton),
            Some(false) | None => ImplicitMode::Linearized,
        };
        let variable = |method| Integrator::Variable(self.variable_step(method));
        match self.integrator.unwrap_or_default() {
            IntegratorName::BackwardEuler => Integrator::BackwardEuler(mode),
            IntegratorName::Trapezoidal => Integrator::Trapezoidal(mode),
            IntegratorName::Midpoint => Integrator::Midpoint(newton),
            IntegratorName::SymplecticEuler => Integrator::SymplecticEuler,
            IntegratorName::RungeKutta4 => Integrator::RungeKutta4,
            IntegratorName::RungeKuttaFehlberg => variable(Method::RungeKuttaFehlberg),
            IntegratorName::DormandPrince => variable(Method::DormandPrince),
            IntegratorName::Adams => variable(Method::Adams),
            IntegratorName::Radau => variable(Method::Radau),
            IntegratorName::Static => {
                let default = StaticSettings::default();
                let increments = self.increments.map_or(default.increments, |n| n as usize);
                let newton = self.newton_settings(default.newton);
                Integrator::Static(StaticSettings { increments, newton })
            }
        }
    }

    /// The settings of Newton's method, from those without a tolerance given.
    fn newton_settings(&self, base: NewtonSettings) -> NewtonSettings {
        NewtonSettings { tolerance: self.newton_tolerance.unwrap_or(base.tolerance), ..base }
    }

    /// A rule of variable step with its tolerances.
    fn variable_step(&self, method: Method) -> VariableStep {
        let default = VariableStep::default();
        VariableStep {
            method,
            relative: self.tolerance.unwrap_or(default.relative),
            absolute: self.absolute_tolerance.unwrap_or(default.absolute),
            coordinates: self.coordinates.map_or(default.coordinates, CoordinatesName::value),
        }
    }

    /// First key that is out of range or does not go with the others.
    pub fn fault(&self) -> Option<SolverFault> {
        self.out_of_range().or_else(|| self.without_meaning())
    }

    /// A number out of its range.
    fn out_of_range(&self) -> Option<SolverFault> {
        let positive = [
            ("step", self.step),
            ("time", self.time),
            ("cg_tolerance", self.cg_tolerance),
            ("newton_tolerance", self.newton_tolerance),
            ("absolute_tolerance", self.absolute_tolerance),
        ];
        for (key, value) in positive {
            if value.is_some_and(|x| !(x > 0.0 && x.is_finite())) {
                return Some(SolverFault { key, rule: "must be positive" });
            }
        }
        if self.tolerance.is_some_and(|x| !(x > 0.0 && x < 1.0)) {
            return Some(SolverFault {
                key: "tolerance",
                rule: "must be positive and less than 1",
            });
        }
        let rule = "must be 1 or more";
        (self.increments == Some(0)).then_some(SolverFault { key: "increments", rule })
    }

    /// A setting that the integrator does not have.
    fn without_meaning(&self) -> Option<SolverFault> {
        let integrator = self.integrator.unwrap_or_default();
        let newton = self.newton == Some(true);
        let iterates = matches!(integrator, IntegratorName::Midpoint | IntegratorName::Static);
        let linearizes =
            matches!(integrator, IntegratorName::BackwardEuler | IntegratorName::Trapezoidal);
        let fixed = integrator.variable().is_none();
        const VARIABLE: &str = "goes with the integrators of variable step: runge_kutta_fehlberg, \
                                dormand_prince, adams and radau";
        const NEWTON: &str = "goes with the integrators backward_euler and trapezoidal; midpoint \
                              and static always iterate, the others solve no equation of a step";
        const ITERATION: &str = "goes with newton and with the integrators midpoint and static";
        let wrong = [
            (newton && !linearizes, "newton", NEWTON),
            (
                self.newton_tolerance.is_some() && !newton && !iterates,
                "newton_tolerance",
                ITERATION,
            ),
            (self.tolerance.is_some() && fixed, "tolerance", VARIABLE),
            (self.absolute_tolerance.is_some() && fixed, "absolute_tolerance", VARIABLE),
            (self.coordinates.is_some() && fixed, "coordinates", VARIABLE),
            (
                self.increments.is_some() && integrator != IntegratorName::Static,
                "increments",
                "goes with the integrator static",
            ),
        ];
        let (_, key, rule) = wrong.into_iter().find(|(wrong, ..)| *wrong)?;
        Some(SolverFault { key, rule })
    }
}
