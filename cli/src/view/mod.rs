//! `sinew view`: a window on a model that runs in a thread of its own.

mod args;
mod models;
mod panels;

use std::sync::mpsc::channel;

use sinew::schedule::{Command, Session};
use sinew_viewer::app::{App, Setup};
use sinew_viewer::window;

pub(crate) use args::ViewArgs;

use crate::exit::{CliError, Exit};
use models::Models;

/// Opens the window; the model is loaded meanwhile.
///
/// # Errors
/// No display, no library of the display's, no adapter. A model that cannot be loaded is reported in the
/// window.
pub(crate) fn run(args: &ViewArgs) -> Result<Exit, CliError> {
    let (sender, panels) = channel();
    let models = Models { step: args.step, panels: sender, out: args.out.clone() };
    let (first, given) = (models.clone(), args.clone());
    let make = move || {
        let loaded = first.load(&given.model, &given.params, &given.sets);
        loaded.map_err(|error| error.to_string())
    };
    let session = Session::start(make, Box::new(models));
    if args.play {
        session.send(Command::Play);
    }
    let app = App::new(session, Setup { panels, folder: args.out.clone() });
    window::open(&format!("Sinew: {}", args.model), Box::new(app))?;
    Ok(Exit::Done)
}
