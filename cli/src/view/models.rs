//! Models for a window: loaded in the thread that runs them.

use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;

use sinew::schedule::{Scheduler, SchedulerSettings, SessionFiles, Simulation};
use sinew::solve::SolverSettings;
use sinew_recording::checkpoint::{Checkpoint, model_hash};
use sinew_recording::{Opening, attach};
use sinew_viewer::panels::ControlPanel;

use super::panels;
use crate::run::{ModelSource, on_cpu};

/// Time step where neither the command line nor the model says one [s].
const STEP: f64 = 0.01;

/// Loads models; their control panels go to the window.
#[derive(Clone)]
pub(super) struct Models {
    /// Time step that was asked for [s].
    pub(super) step: Option<f64>,
    pub(super) panels: Sender<Vec<ControlPanel>>,
    /// Directory that probes record into.
    pub(super) out: PathBuf,
}

impl Models {
    /// The model `name`, at its start.
    ///
    /// # Errors
    /// What is wrong with it, for the user to read.
    pub(super) fn load(
        &self,
        name: &str,
        params: &[String],
        sets: &[String],
    ) -> Result<Scheduler, String> {
        let text = |error: &dyn std::fmt::Display| error.to_string();
        let source = ModelSource::load(name, params, sets, None).map_err(|error| text(&error))?;
        let step = self.step.or(source.solver.step).unwrap_or(STEP);
        let panels = panels::of(&source);
        let make = on_cpu(source.solver.settings(SolverSettings::default()));
        let simulation = Simulation::with_backend(source.model, make);
        let simulation = simulation.map_err(|error| text(&error))?;
        let settings = SchedulerSettings::with_step(step);
        let settings = SchedulerSettings { pace: Some(1.0), ..settings };
        let mut scheduler = Scheduler::new(simulation, settings).map_err(|error| text(&error))?;
        let roots = [Path::new("."), &self.out];
        attach(&source.probes, &mut scheduler, roots, Opening::New)
            .map_err(|error| text(&error))?;
        // A window that was closed meanwhile shows no panels.
        let _ = self.panels.send(panels);
        Ok(scheduler)
    }
}

impl SessionFiles for Models {
    fn open(&mut self, path: &Path) -> Result<Scheduler, String> {
        let name = path.to_str().ok_or_else(|| format!("{}: no UTF-8", path.display()))?;
        self.load(name, &[], &[])
    }

    fn save(&mut self, scheduler: &mut Scheduler, path: &Path) -> Result<(), String> {
        if let Some(folder) = path.parent().filter(|it| !it.as_os_str().is_empty()) {
            let made = std::fs::create_dir_all(folder);
            made.map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        let waypoint = scheduler.save().map_err(|error| error.to_string())?;
        let model = model_hash(scheduler.simulation().model(), &[]);
        let checkpoint = Checkpoint { model, waypoint, extra: Vec::new() };
        checkpoint.save(path).map_err(|error| error.to_string())
    }
}
