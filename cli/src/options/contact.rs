//! Options of contacts in runs.

use clap::Args;
use sinew_model_files::{ContactMethodName, FrictionMethodName, FrictionName, StabilizationName};

use super::headings;
use super::words::words;

/// Options of `sinew run` about contacts and ends of ranges.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = headings::CONTACT)]
pub(crate) struct ContactArgs {
    /// Model of friction: the cone, or its substitute [default: box]
    #[arg(long, value_parser = words::<FrictionName>())]
    pub(crate) friction: Option<FrictionName>,

    /// Source of the limits of friction [default: implicit]
    #[arg(long, value_parser = words::<FrictionMethodName>())]
    pub(crate) friction_method: Option<FrictionMethodName>,

    /// Method for the impulses of contacts and ranges [default: auto]
    #[arg(long, alias = "contact-method", value_parser = words::<ContactMethodName>())]
    pub(crate) contact_solver: Option<ContactMethodName>,

    /// Metric in which overlaps are taken back after a step [default: mass]
    #[arg(long, value_parser = words::<StabilizationName>())]
    pub(crate) stabilization: Option<StabilizationName>,
}
