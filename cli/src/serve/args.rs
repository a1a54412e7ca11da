//! The options of `sinew serve`.

use clap::Args;

use crate::options::values::positive;
use crate::options::{LiveArgs, ModelArgs};

/// Printed below the help of `sinew serve`.
pub(crate) const AFTER_HELP: &str = "\
Examples:
  sinew serve examples/balance.toml --time 3 --interval 0.01
  sinew serve arm.toml --listen 127.0.0.1:7000 --controls /models/arm/multi_point_springs/biceps:excitation
  python3 examples/python/balance_client.py 127.0.0.1:5555

The protocol: docs/howto/serve.md. Whoever reaches the address controls the model; keep to this machine, or to a
network that you trust.

Exit codes: 0 done, 1 out of memory or threads, 2 wrong command line, 3 model, file, parameter or answer
refused, 4 a step failed, 5 the address cannot be listened at, or the controller is gone.";

/// Options of `sinew serve`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ServeArgs {
    /// The model
    #[command(flatten)]
    pub(crate) model: ModelArgs,

    /// Address to listen at; port 0 for any that is free
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:5555")]
    pub(crate) listen: String,

    /// Properties that are sent, as PATH:NAME between commas [default: all sensors of the model]
    #[arg(long, value_name = "PATH:NAME,..", value_delimiter = ',')]
    pub(crate) sensors: Vec<String>,

    /// Properties that the controller sets, of one number each [default: the excitations of all muscles and actuators]
    #[arg(long, value_name = "PATH:NAME,..", value_delimiter = ',')]
    pub(crate) controls: Vec<String>,

    /// Time between two exchanges [s], whole steps [default: one step]
    #[arg(long, value_name = "S", value_parser = positive)]
    pub(crate) interval: Option<f64>,

    /// Simulated time to run for [s]
    #[arg(short, long, value_name = "S", value_parser = positive, default_value = "1")]
    pub(crate) time: f64,

    /// Time to wait for the controller: to connect, and for each answer [s]
    #[arg(long, value_name = "S", value_parser = positive, default_value = "30")]
    pub(crate) timeout: f64,

    /// Steps
    #[command(flatten)]
    pub(crate) live: LiveArgs,
}
