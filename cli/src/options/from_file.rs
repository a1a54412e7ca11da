//! Settings of a run from a model file, where the command line gives none.

use clap::ArgMatches;
use clap::parser::ValueSource;
use sinew_model_files::{
    ContactMethodName, FrictionMethodName, FrictionName, IntegratorName, LinearSolverName,
    PreconditionerName, Solver, StabilizationName,
};

use super::contact::{ContactSolverArg, FrictionArg, FrictionMethodArg, StabilizationArg};
use super::solve::{IntegratorArg, PreconditionerArg, SolveArgs, SolverArg};

/// Names of the options that were given.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given(Vec<String>);

impl Given {
    /// Those of the subcommand.
    pub(crate) fn of(matches: &ArgMatches) -> Self {
        let Some((_, run)) = matches.subcommand() else { return Self::default() };
        let said = |id: &str| run.value_source(id) == Some(ValueSource::CommandLine);
        Self(run.ids().map(|id| id.as_str().to_owned()).filter(|id| said(id)).collect())
    }

    fn has(&self, option: &str) -> bool {
        self.0.iter().any(|given| given == option)
    }
}

/// Puts a value of the file where the option was not given.
pub(crate) fn put<T>(given: &Given, option: &str, place: &mut T, value: Option<T>) {
    if let (false, Some(value)) = (given.has(option), value) {
        *place = value;
    }
}

/// Options of the steps, with those of a model file where they were not given.
pub(crate) fn with_solver(mut args: SolveArgs, given: &Given, file: &Solver) -> SolveArgs {
    // Another integrator on the command line has settings of its own.
    if !given.has("integrator") {
        args.integrator = file.integrator.map_or(args.integrator, integrator);
        put(given, "newton", &mut args.newton, file.newton);
        put(given, "newton_tolerance", &mut args.newton_tolerance, file.newton_tolerance.map(Some));
        put(given, "tolerance", &mut args.tolerance, file.tolerance.map(Some));
        let absolute = file.absolute_tolerance.map(Some);
        put(given, "absolute_tolerance", &mut args.absolute_tolerance, absolute);
        put(given, "increments", &mut args.increments, file.increments.map(Some));
    }
    put(given, "solver", &mut args.solver, file.linear_solver.map(linear_solver));
    put(given, "preconditioner", &mut args.preconditioner, file.preconditioner.map(preconditioner));
    put(given, "cg_tolerance", &mut args.cg_tolerance, file.cg_tolerance.map(Some));
    let contact = &mut args.contact;
    put(given, "friction", &mut contact.friction, file.friction.map(friction));
    let method = file.friction_method.map(friction_method);
    put(given, "friction_method", &mut contact.friction_method, method);
    put(given, "contact_solver", &mut contact.contact_solver, file.contact_method.map(contacts));
    put(given, "stabilization", &mut contact.stabilization, file.stabilization.map(stabilization));
    args
}

fn integrator(name: IntegratorName) -> IntegratorArg {
    match name {
        IntegratorName::BackwardEuler => IntegratorArg::BackwardEuler,
        IntegratorName::Trapezoidal => IntegratorArg::Trapezoidal,
        IntegratorName::Midpoint => IntegratorArg::Midpoint,
        IntegratorName::SymplecticEuler => IntegratorArg::SymplecticEuler,
        IntegratorName::RungeKutta4 => IntegratorArg::RungeKutta4,
        IntegratorName::RungeKuttaFehlberg => IntegratorArg::RungeKuttaFehlberg,
        IntegratorName::DormandPrince => IntegratorArg::DormandPrince,
        IntegratorName::Adams => IntegratorArg::Adams,
        IntegratorName::Radau => IntegratorArg::Radau,
        IntegratorName::Static => IntegratorArg::Static,
    }
}

fn linear_solver(name: LinearSolverName) -> SolverArg {
    match name {
        LinearSolverName::Auto => SolverArg::Auto,
        LinearSolverName::Direct => SolverArg::Direct,
        LinearSolverName::Hybrid => SolverArg::Hybrid,
        LinearSolverName::ConjugateGradients => SolverArg::Cg,
    }
}

fn preconditioner(name: PreconditionerName) -> PreconditionerArg {
    match name {
        PreconditionerName::Auto => PreconditionerArg::Auto,
        PreconditionerName::BlockJacobi => PreconditionerArg::Jacobi,
        PreconditionerName::Multigrid => PreconditionerArg::Multigrid,
    }
}

fn friction(name: FrictionName) -> FrictionArg {
    match name {
        FrictionName::Box => FrictionArg::Box,
        FrictionName::Cone4 => FrictionArg::Cone4,
        FrictionName::Cone8 => FrictionArg::Cone8,
    }
}

fn friction_method(name: FrictionMethodName) -> FrictionMethodArg {
    match name {
        FrictionMethodName::Implicit => FrictionMethodArg::Implicit,
        FrictionMethodName::PostHoc => FrictionMethodArg::Posthoc,
    }
}

fn contacts(name: ContactMethodName) -> ContactSolverArg {
    match name {
        ContactMethodName::Auto => ContactSolverArg::Auto,
        ContactMethodName::Dense => ContactSolverArg::Dense,
        ContactMethodName::Sparse => ContactSolverArg::Sparse,
    }
}

fn stabilization(name: StabilizationName) -> StabilizationArg {
    match name {
        StabilizationName::Mass => StabilizationArg::Mass,
        StabilizationName::Stiffness => StabilizationArg::Stiffness,
        StabilizationName::None => StabilizationArg::None,
    }
}
