//! Models for a window: loaded in the thread that runs them.

use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;

use sinew::schedule::{Scheduler, SchedulerSettings, SessionFiles};
use sinew_recording::{Opening, attach};
use sinew_viewer::panels::ControlPanel;

use super::panels;
use crate::args::EditArgs;
use crate::exit::CliError;
use crate::run::{Live, ModelSource, live};

/// Loads models; their control panels go to the window.
#[derive(Clone)]
pub(super) struct Models {
    /// How they are stepped.
    pub(super) live: Live,
    pub(super) panels: Sender<Vec<ControlPanel>>,
    /// Directory that probes record into.
    pub(super) out: PathBuf,
}

impl Models {
    /// The model `name`, changed by `edits`, at its start; the `first` one is fed by the inputs of the
    /// command line.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn load(
        &self,
        name: &str,
        edits: &EditArgs,
        first: bool,
    ) -> Result<Scheduler, CliError> {
        let source = ModelSource::load(name, edits)?;
        let panels = panels::of(&source);
        let probes = self.live.probes(&source, first)?;
        let mut scheduler = self.live.scheduler(&source, &probes)?;
        scheduler.set_settings(SchedulerSettings { pace: Some(1.0), ..*scheduler.settings() })?;
        attach(&probes, &mut scheduler, [Path::new("."), &self.out], Opening::Later)?;
        // A window that was closed meanwhile shows no panels.
        let _ = self.panels.send(panels);
        Ok(scheduler)
    }
}

impl SessionFiles for Models {
    fn open(&mut self, path: &Path) -> Result<Scheduler, String> {
        let name = path.to_str().ok_or_else(|| format!("{}: no UTF-8", path.display()))?;
        self.load(name, &EditArgs::default(), false).map_err(|error| error.to_string())
    }

    fn save(&mut self, scheduler: &mut Scheduler, path: &Path) -> Result<(), String> {
        if let Some(folder) = path.parent().filter(|it| !it.as_os_str().is_empty()) {
            let made = std::fs::create_dir_all(folder);
            made.map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        live::save_checkpoint(scheduler, path).map_err(|error| error.to_string())
    }
}
