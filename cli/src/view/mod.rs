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
use crate::run::{Given, Live};
use models::Models;

/// Opens the window; the model is loaded meanwhile.
///
/// # Errors
/// No display, no library of the display's, no adapter. A model that cannot be loaded is reported in the
/// window.
pub(crate) fn run(args: &ViewArgs, given: &Given) -> Result<Exit, CliError> {
    let live = Live::new(&args.live, given)?;
    let (sender, panels) = channel();
    let models = Models { live, panels: sender, out: args.out.clone() };
    let (first, wanted) = (models.clone(), args.model.clone());
    let make = move || {
        let loaded = first.load(&wanted.name, &wanted.edits, true);
        loaded.map_err(|error| error.to_string())
    };
    let session = Session::start(make, Box::new(models));
    if args.play {
        session.send(Command::Play);
    }
    let app = App::new(session, Setup { panels, folder: args.out.clone() });
    window::open(&format!("Sinew: {}", args.model.name), Box::new(app))?;
    Ok(Exit::Done)
}
