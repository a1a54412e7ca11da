//! Options of contacts in runs and benches.

use clap::{Args, ValueEnum};
use sinew::lcp::FrictionModel;
use sinew::solve::{ContactMethod, FrictionMethod, Stabilization};

use super::headings;

/// Options of `sinew run` about contacts and ends of ranges.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = headings::CONTACT)]
pub(crate) struct ContactArgs {
    /// Model of friction: the cone, or its substitute
    #[arg(long, value_enum, default_value_t)]
    pub(crate) friction: FrictionArg,

    /// Source of the limits of friction
    #[arg(long, value_enum, default_value_t)]
    pub(crate) friction_method: FrictionMethodArg,

    /// Method for the impulses of contacts and ranges
    #[arg(long, alias = "contact-method", value_enum, default_value_t)]
    pub(crate) contact_solver: ContactSolverArg,

    /// Metric in which overlaps are taken back after a step
    #[arg(long, value_enum, default_value_t)]
    pub(crate) stabilization: StabilizationArg,
}

/// Values of `--friction`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FrictionArg {
    /// A limit for each of two directions
    #[default]
    Box,
    /// A square in the cone
    Cone4,
    /// An octagon in the cone
    Cone8,
}

impl FrictionArg {
    /// The model of that name.
    pub(crate) fn model(self) -> FrictionModel {
        match self {
            Self::Box => FrictionModel::Box,
            Self::Cone4 => FrictionModel::Cone4,
            Self::Cone8 => FrictionModel::Cone8,
        }
    }
}

/// Values of `--friction-method`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FrictionMethodArg {
    /// From the normal forces of the same step
    #[default]
    Implicit,
    /// From the normal forces that there would be without friction, in one pass, as ArtiSynth does
    #[value(aliases = ["post-hoc", "post_hoc"])]
    Posthoc,
}

impl FrictionMethodArg {
    /// The method of that name.
    pub(crate) fn method(self) -> FrictionMethod {
        match self {
            Self::Implicit => FrictionMethod::Implicit,
            Self::Posthoc => FrictionMethod::PostHoc,
        }
    }
}

/// Values of `--contact-solver`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ContactSolverArg {
    /// By the number of rows
    #[default]
    Auto,
    /// On the Schur complement of all rows
    Dense,
    /// By sparse factorizations; friction has the box
    Sparse,
}

impl ContactSolverArg {
    /// The method of that name.
    pub(crate) fn method(self) -> ContactMethod {
        match self {
            Self::Auto => ContactMethod::Auto,
            Self::Dense => ContactMethod::Dense,
            Self::Sparse => ContactMethod::Sparse,
        }
    }
}

/// Values of `--stabilization`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum StabilizationArg {
    /// Of the masses
    #[default]
    Mass,
    /// Of the matrix of an implicit step
    Stiffness,
    /// Overlaps stay until velocities part them
    None,
}

impl StabilizationArg {
    /// The metric of that name.
    pub(crate) fn stabilization(self) -> Stabilization {
        match self {
            Self::Mass => Stabilization::Mass,
            Self::Stiffness => Stabilization::Stiffness,
            Self::None => Stabilization::None,
        }
    }
}
