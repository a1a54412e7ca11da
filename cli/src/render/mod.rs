//! `sinew render`: pictures of a model without a window, and scenes for other programs.

mod args;
mod camera;
mod output;
mod view;

use sinew::schedule::Scheduler;
use sinew::snapshot::{Capture, Snapshot, Wanted};
use sinew_viewer::{SavedView, View};

use crate::compute::Live;
use crate::compute::live::feed;
use crate::exit::{CliError, Exit};
use crate::load::ModelSource;

pub(crate) use args::RenderArgs;

use output::{Output, RenderError};

/// Draws what `args` ask for.
///
/// # Errors
/// A model that cannot be loaded or stepped, no adapter, files that cannot be written.
pub(crate) fn run(args: &RenderArgs) -> Result<Exit, CliError> {
    let saved = match &args.view {
        Some(path) => SavedView::read(path).map_err(RenderError::View)?,
        None => SavedView::default(),
    };
    let mut output = Output::new(args)?;
    let mut scheduler = scheduler(args, &Live::new(&args.live)?)?;
    let quantity = args.color_by.map_or(saved.color_by, |it| it.quantity());
    let wanted = Wanted { quantity, ..Wanted::default() };
    let mut capture = Capture::new();
    let mut snapshot = Snapshot::default();
    let mut view: Option<View> = None;
    for frame in 0..args.frames.unwrap_or(1) {
        scheduler.advance(args.time + f64::from(frame) * args.every)?;
        let steps = scheduler.steps();
        let captured = capture.capture(scheduler.simulation_mut(), steps, &wanted, &mut snapshot);
        captured.map_err(sinew::schedule::ScheduleError::from)?;
        // One camera for all frames: what moves is the model.
        let view = match &mut view {
            Some(view) => view,
            none => none.insert(view::view_of(args, &saved, &snapshot)?),
        };
        output.write(&snapshot, view, args.frames.map(|_| frame))?;
    }
    output.finish()?;
    Ok(Exit::Done)
}

/// The model at its start, with what feeds it.
fn scheduler(args: &RenderArgs, live: &Live) -> Result<Scheduler, CliError> {
    let source = ModelSource::load(&args.model.name, &args.model.edits)?;
    let probes = live.probes(&source, true)?;
    let mut scheduler = live.scheduler(&source, &probes)?;
    feed(&mut scheduler, &probes)?;
    Ok(scheduler)
}
