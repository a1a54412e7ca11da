//! `sinew render`: pictures of a model without a window, and scenes for other programs.

mod args;
mod camera;
mod output;

use std::path::Path;

use sinew::schedule::Scheduler;
use sinew::snapshot::{Capture, Snapshot, Wanted};
use sinew_recording::{Opening, attach};
use sinew_viewer::{View, ViewOptions};

use crate::exit::{CliError, Exit};
use crate::run::{Given, Live, ModelSource};

pub(crate) use args::RenderArgs;
pub(crate) use output::RenderError;

use output::Output;

/// Draws what `args` ask for.
///
/// # Errors
/// A model that cannot be loaded or stepped, no adapter, files that cannot be written.
pub(crate) fn run(args: &RenderArgs, given: &Given) -> Result<Exit, CliError> {
    let mut output = Output::new(args)?;
    let mut scheduler = scheduler(args, &Live::new(&args.live, given)?)?;
    let wanted = Wanted { quantity: args.color_by.quantity(), ..Wanted::default() };
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
            none => none.insert(view_of(args, &snapshot)?),
        };
        output.write(&snapshot, view, args.frames.map(|_| frame))?;
    }
    Ok(Exit::Done)
}

/// The model at its start, with what feeds it.
fn scheduler(args: &RenderArgs, live: &Live) -> Result<Scheduler, CliError> {
    let source = ModelSource::load(&args.model.name, &args.model.edits)?;
    let mut probes = live.probes(&source, true)?;
    // What they record belongs to runs.
    probes.output_probes.clear();
    let mut scheduler = live.scheduler(&source, &probes)?;
    attach(&probes, &mut scheduler, [Path::new("."), Path::new(".")], Opening::New)?;
    Ok(scheduler)
}

fn view_of(args: &RenderArgs, snapshot: &Snapshot) -> Result<View, CliError> {
    let options = ViewOptions {
        background: args.background.background(),
        grid: !args.no_grid,
        axes: !args.no_axes,
        slice: args.cut.map(|cut| cut.slice(args.section)),
        shrink: args.shrink,
        opacity: args.opacity,
        wireframe: args.wireframe,
        edges: args.edges,
        nodes: args.nodes,
        frames: args.frame_axes,
        joints: args.joints,
        contacts: args.contacts,
        color_map: args.color_map.color_map(),
        range: args.range.map(|range| range.0),
        // Letters and lines as large as on a display of 900 lines.
        pixel_scale: (args.size.0[1] as f32 / 900.0).max(0.6),
        ..ViewOptions::default()
    };
    let camera = camera::camera(&args.camera, args.orthographic, snapshot, args.size.0)?;
    Ok(View { camera, options })
}
