//! `sinew view`: a window on a model that runs in a thread of its own.

mod args;
mod library;
mod models;
mod tracking;

use sinew::schedule::{Command, Session, SessionFiles};
use sinew_viewer::app::{App, DRAWING_ENDING, Setup, WORLD_ENDING};
use sinew_viewer::window::{self, WindowError};

pub(crate) use args::ViewArgs;

use crate::compute::Live;
use crate::exit::{CliError, Exit, Failure};
use crate::titles::titles;
use models::Models;

impl Failure for WindowError {
    fn exit(&self) -> Exit {
        Exit::System
    }
}

/// Opens the window; the model is loaded meanwhile.
///
/// # Errors
/// No display, no library of the display's, no adapter. A model that cannot be loaded is reported in the
/// window.
pub(crate) fn run(args: &ViewArgs) -> Result<Exit, CliError> {
    let live = Live::new(&args.live)?;
    let models = Models::new(live, args.out.clone());
    let (first, wanted) = (models.clone(), args.model.clone());
    let is_drawn = |name: &str| name.ends_with(DRAWING_ENDING) || name.ends_with(WORLD_ENDING);
    let drawing = is_drawn(&wanted.name).then(|| wanted.name.clone().into());
    let (mut empty, draws) = (models.clone(), drawing.is_some());
    let make = move || match draws {
        true => empty.create(),
        false => first.load(&wanted.name, &wanted.edits, true),
    };
    let session = Session::start(make, Box::new(models));
    if args.play {
        session.send(Command::Play);
    }
    let (library, titles) = (library::library(), titles());
    let app = App::new(session, Setup { folder: args.out.clone(), library, titles, drawing });
    window::open(Box::new(app))?;
    Ok(Exit::Done)
}
