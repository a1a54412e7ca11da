//! Settings of a run: the section `[solver]`. Options of the command line come before it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sinew::lcp::FrictionModel;
use sinew::ode::Method;
use sinew::solve::{
    ContactMethod, FrictionMethod, ImplicitMode, Integrator, LinearSolver, NewtonSettings,
    Preconditioning, SolverSettings, Stabilization, StaticSettings, VariableStep,
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
    ($(#[$doc:meta])* $name:ident => $T:ty { $($(#[$line:meta])* $word:ident => $value:expr,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        #[allow(missing_docs, reason = "the words are those of the library's type")]
        pub enum $name {
            $($(#[$line])* $word,)+
        }

        impl $name {
            /// Value that the word stands for.
            pub fn value(self) -> $T {
                match self { $(Self::$word => $value,)+ }
            }
        }
    };
}

/// An integrator without its settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum IntegratorName {
    /// First order, damps.
    BackwardEuler,
    /// Second order, keeps energy.
    Trapezoidal,
    /// Second order, keeps momenta.
    Midpoint,
    /// Explicit, first order.
    SymplecticEuler,
    /// Explicit, fourth order.
    #[serde(rename = "runge_kutta_4", alias = "runge_kutta4")]
    RungeKutta4,
    /// Variable step, explicit, Runge-Kutta-Fehlberg 4(5).
    RungeKuttaFehlberg,
    /// Variable step, explicit, Dormand-Prince 5(4).
    DormandPrince,
    /// Variable step and order, Adams-Bashforth-Moulton.
    Adams,
    /// Variable step, implicit, Radau IIA of order five.
    Radau,
    /// Equilibrium, no time.
    Static,
}

words! {
    /// Solver of linear systems.
    LinearSolverName => LinearSolver {
        Auto => LinearSolver::Auto,
        Direct => LinearSolver::Direct,
        Hybrid => LinearSolver::Hybrid,
        #[serde(alias = "cg")]
        ConjugateGradients => LinearSolver::ConjugateGradients,
    }
}

words! {
    /// Preconditioner of conjugate gradients.
    PreconditionerName => Preconditioning {
        Auto => Preconditioning::Auto,
        #[serde(alias = "jacobi")]
        BlockJacobi => Preconditioning::BlockJacobi,
        Multigrid => Preconditioning::Multigrid,
    }
}

words! {
    /// Approximation of the cone of friction.
    FrictionName => FrictionModel {
        Box => FrictionModel::Box,
        Cone4 => FrictionModel::Cone4,
        Cone8 => FrictionModel::Cone8,
    }
}

words! {
    /// Source of the limits of friction.
    FrictionMethodName => FrictionMethod {
        Implicit => FrictionMethod::Implicit,
        #[serde(alias = "posthoc")]
        PostHoc => FrictionMethod::PostHoc,
    }
}

words! {
    /// Solver of the impulses of contacts.
    ContactMethodName => ContactMethod {
        Auto => ContactMethod::Auto,
        Dense => ContactMethod::Dense,
        Sparse => ContactMethod::Sparse,
    }
}

words! {
    /// Metric in which overlaps are taken back.
    StabilizationName => Stabilization {
        Mass => Stabilization::Mass,
        Stiffness => Stabilization::Stiffness,
        None => Stabilization::None,
    }
}

impl IntegratorName {
    /// The rule of variable step that it is.
    pub fn variable(self) -> Option<Method> {
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

impl Solver {
    /// The settings where it has some, and those of `base` elsewhere.
    pub fn settings(&self, base: SolverSettings) -> SolverSettings {
        let or = |given: Option<Integrator>, base| given.unwrap_or(base);
        SolverSettings {
            integrator: or(self.integrator(), base.integrator),
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

    /// The settings of Newton's method, from those without a tolerance given.
    fn newton_settings(&self, base: NewtonSettings) -> NewtonSettings {
        NewtonSettings { tolerance: self.newton_tolerance.unwrap_or(base.tolerance), ..base }
    }

    /// Rule and tolerances of variable steps.
    fn variable_step(&self, name: IntegratorName) -> VariableStep {
        let default = VariableStep::default();
        VariableStep {
            method: name.variable().unwrap_or(default.method),
            relative: self.tolerance.unwrap_or(default.relative),
            absolute: self.absolute_tolerance.unwrap_or(default.absolute),
        }
    }

    /// The integrator, if one of its settings is given.
    fn integrator(&self) -> Option<Integrator> {
        if self.integrator.is_none() && self.newton.is_none() && self.increments.is_none() {
            return None;
        }
        let mode = match self.newton {
            Some(true) => ImplicitMode::Newton(self.newton_settings(NewtonSettings::default())),
            _ => ImplicitMode::Linearized,
        };
        Some(match self.integrator.unwrap_or(IntegratorName::BackwardEuler) {
            IntegratorName::BackwardEuler => Integrator::BackwardEuler(mode),
            IntegratorName::Trapezoidal => Integrator::Trapezoidal(mode),
            IntegratorName::Midpoint => Integrator::Midpoint(NewtonSettings::default()),
            IntegratorName::SymplecticEuler => Integrator::SymplecticEuler,
            IntegratorName::RungeKutta4 => Integrator::RungeKutta4,
            name @ (IntegratorName::RungeKuttaFehlberg
            | IntegratorName::DormandPrince
            | IntegratorName::Adams
            | IntegratorName::Radau) => Integrator::Variable(self.variable_step(name)),
            IntegratorName::Static => {
                let default = StaticSettings::default();
                let increments = self.increments.map_or(default.increments, |n| n as usize);
                let newton = self.newton_settings(default.newton);
                Integrator::Static(StaticSettings { increments, newton })
            }
        })
    }

    /// Fault of the section: the key that is out of range or does not fit the others, and the
    /// reason.
    pub(crate) fn fault(&self) -> Option<(&'static str, &'static str)> {
        let bad = |x: Option<f64>| x.is_some_and(|x| !(x > 0.0 && x.is_finite()));
        let implicit =
            [None, Some(IntegratorName::BackwardEuler), Some(IntegratorName::Trapezoidal)];
        if bad(self.step) {
            Some(("step", "must be positive"))
        } else if bad(self.time) {
            Some(("time", "must be positive"))
        } else if bad(self.cg_tolerance) {
            Some(("cg_tolerance", "must be positive"))
        } else if self.newton == Some(true) && !implicit.contains(&self.integrator) {
            Some(("newton", "goes with backward_euler and trapezoidal"))
        } else if bad(self.newton_tolerance) {
            Some(("newton_tolerance", "must be positive"))
        } else if self.newton_tolerance.is_some()
            && self.newton != Some(true)
            && self.integrator != Some(IntegratorName::Static)
        {
            Some(("newton_tolerance", "goes with newton = true and with the integrator static"))
        } else if bad(self.tolerance) || self.tolerance.is_some_and(|it| it >= 1.0) {
            Some(("tolerance", "must be positive and less than 1"))
        } else if bad(self.absolute_tolerance) {
            Some(("absolute_tolerance", "must be positive"))
        } else if (self.tolerance.is_some() || self.absolute_tolerance.is_some())
            && self.integrator.and_then(IntegratorName::variable).is_none()
        {
            let key = if self.tolerance.is_some() { "tolerance" } else { "absolute_tolerance" };
            let rules = "goes with runge_kutta_fehlberg, dormand_prince, adams and radau";
            Some((key, rules))
        } else if self.increments == Some(0) {
            Some(("increments", "must be 1 or more"))
        } else if self.increments.is_some() && self.integrator != Some(IntegratorName::Static) {
            Some(("increments", "goes with the integrator static"))
        } else {
            None
        }
    }
}
