//! Models for a window: loaded in the thread that runs them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::model::{Model, Particle};
use sinew::schedule::{FileError, OpenError, Scheduler, SchedulerSettings, SessionFiles};
use sinew::snapshot::{Shape, Snapshot, still};
use sinew_model_files::{SaveOptions, Stamp};
use sinew_run_files::{Recordings, follow};

use crate::compute::{Live, live};
use crate::exit::CliError;
use crate::load::{Loaded, ModelSource};
use crate::options::EditArgs;
use crate::view::tracking::track;

/// Loads models.
#[derive(Clone)]
pub(super) struct Models {
    /// Settings of their steps.
    live: Live,
    /// Directory that probes record into.
    out: PathBuf,
    /// The model that was loaded last.
    last: Arc<Mutex<Loaded>>,
}

impl Models {
    pub(super) fn new(live: Live, out: PathBuf) -> Self {
        Self { live, out, last: Arc::default() }
    }

    /// The model `name`, changed by `edits`, at its start; the `first` one is fed by the inputs of the
    /// command line.
    ///
    /// # Errors
    /// What is wrong with it; with its picture where elements have no volume.
    pub(super) fn load(
        &self,
        name: &str,
        edits: &EditArgs,
        first: bool,
    ) -> Result<Scheduler, OpenError> {
        let asked =
            Loaded { name: name.to_owned(), edits: edits.clone(), first, ..Loaded::default() };
        if self.last().name.is_empty() {
            // What is wrong with the first one may be mended.
            let stamp = Stamp::of(&[name.into()]);
            *self.last() = Loaded { stamp, ..asked.clone() };
        }
        let source = ModelSource::load(name, edits).map_err(|error| error.to_string())?;
        let (scheduler, told) = self.scheduler(&source, first).map_err(|error| OpenError {
            error: error.to_string().into(),
            picture: picture_of_faults(&source.model).map(Box::new),
        })?;
        *self.last() = Loaded { stamp: source.stamp, told, ..asked };
        Ok(scheduler)
    }

    fn last(&self) -> MutexGuard<'_, Loaded> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn scheduler(
        &self,
        source: &ModelSource,
        first: bool,
    ) -> Result<(Scheduler, SaveOptions), CliError> {
        let probes = self.live.probes(source, first)?;
        let mut scheduler = self.live.scheduler(source, &probes)?;
        scheduler.set_settings(SchedulerSettings { pace: Some(1.0), ..*scheduler.settings() })?;
        probes.add_to(scheduler.simulation_mut().model_mut())?;
        follow(&mut scheduler, Path::new("."), Recordings::Curves(self.out.clone()))?;
        track(&mut scheduler, source, &self.live);
        Ok((scheduler, source.told()))
    }
}

/// The picture of a model of which elements are flat or inside out; nothing of one without such.
fn picture_of_faults(model: &Model) -> Option<Snapshot> {
    let picture = still(model);
    let is_faulty = |shape: &Shape| match shape {
        Shape::Tissue { faulty, .. } => !faulty.is_empty(),
        _ => false,
    };
    picture.scene.items.iter().any(|item| is_faulty(&item.shape)).then_some(picture)
}

impl SessionFiles for Models {
    fn open(&mut self, path: &Path, params: &[String]) -> Result<Scheduler, OpenError> {
        let name = path.to_str().ok_or_else(|| format!("{}: no UTF-8", path.display()))?;
        self.load(name, &EditArgs { params: params.to_vec(), ..EditArgs::default() }, false)
    }

    fn reload(&mut self) -> Result<Scheduler, OpenError> {
        let (name, edits, first) = {
            let last = self.last();
            (last.name.clone(), last.edits.clone(), last.first)
        };
        // One that was made here has no file.
        if name.is_empty() { self.create() } else { self.load(&name, &edits, first) }
    }

    fn create(&mut self) -> Result<Scheduler, OpenError> {
        let mut model = Model::new("model");
        // What has no part at all cannot be run.
        let origin = Particle { fixed: true, ..Particle::new(1.0, Vec3::zeros()) };
        model.add(origin.named("origin"));
        // Parts stay where they are put until they are given weight.
        model.set_gravity(Vec3::zeros());
        let source = ModelSource::plain(model, "model".to_owned(), "new".to_owned(), Vec::new());
        let made = self.scheduler(&source, false).map_err(|error| error.to_string())?;
        *self.last() = Loaded { told: made.1, ..Loaded::default() };
        Ok(made.0)
    }

    fn changed(&mut self) -> Vec<PathBuf> {
        self.last().stamp.take_changed()
    }

    fn save(&mut self, scheduler: &mut Scheduler, path: &Path) -> Result<(), FileError> {
        make_folder_of(path)?;
        live::save_checkpoint(scheduler, path).map_err(|error| error.to_string().into())
    }

    fn save_model(&mut self, scheduler: &Scheduler, path: &Path) -> Result<(), FileError> {
        make_folder_of(path)?;
        let mut last = self.last();
        let saved = sinew_model_files::save(scheduler.simulation().model(), path, &last.told);
        // What is written here is no news.
        last.stamp.take_changed();
        saved.map(|_| ()).map_err(|error| error.to_string().into())
    }
}

fn make_folder_of(path: &Path) -> Result<(), String> {
    let Some(folder) = path.parent().filter(|it| !it.as_os_str().is_empty()) else { return Ok(()) };
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

#[cfg(test)]
mod tests {
    use clap::{Args, Command, FromArgMatches};
    use sinew::model::{Edit, MuscleExciter};
    use sinew::schedule::{ControlItem, PanelEdit, ProbeEdit};

    use super::*;
    use crate::options::LiveArgs;

    fn models() -> Models {
        let matches = LiveArgs::augment_args(Command::new("view")).get_matches_from(["view"]);
        let args = LiveArgs::from_arg_matches(&matches).unwrap();
        let live = Live::new(&args).unwrap();
        Models::new(live, PathBuf::new())
    }

    #[test]
    fn a_model_whose_file_changed_is_loaded_again_and_one_that_was_saved_here_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("drop.toml");
        let name = path.to_str().unwrap();
        let mut models = models();
        let ball = |name: &str| {
            format!("version = 1\nname = \"{name}\"\n[[particle]]\nname = \"p\"\nmass = 1.0\n")
        };
        std::fs::write(&path, "version = 1\nname = ").unwrap();
        assert!(models.load(name, &EditArgs::default(), true).is_err());
        assert!(models.changed().is_empty());
        std::fs::write(&path, ball("first")).unwrap();
        assert_eq!(models.changed(), std::slice::from_ref(&path));
        assert_eq!(models.reload().unwrap().simulation().model().name(), "first");
        std::fs::write(&path, ball("another")).unwrap();
        assert_eq!(models.changed(), std::slice::from_ref(&path));
        assert!(models.changed().is_empty(), "it is told once");
        let scheduler = models.reload().unwrap();
        assert_eq!(scheduler.simulation().model().name(), "another");
        models.save_model(&scheduler, &path).unwrap();
        assert!(models.changed().is_empty());
    }

    #[test]
    fn probes_that_were_edited_are_saved_with_the_model_and_are_there_when_it_is_opened() {
        let folder = tempfile::tempdir().unwrap();
        let [path, other] = ["drop.toml", "other.toml"].map(|name| folder.path().join(name));
        let ball = "version = 1\nname = \"drop\"\n[[particle]]\nname = \"p\"\nmass = 1.0\n";
        std::fs::write(&path, ball).unwrap();
        let mut models = models();
        let load = |models: &Models, path: &Path| {
            models.load(path.to_str().unwrap(), &EditArgs::default(), false).unwrap()
        };
        let mut scheduler = load(&models, &path);
        let mass = "/models/drop/particles/p:mass".to_owned();
        scheduler.edit_probe(&ProbeEdit::Feed(mass), false).unwrap();
        let probe = scheduler.probe_tracks()[0].component;
        for edit in [
            ProbeEdit::SetSpan { probe, start: 0.5, end: 2.5 },
            ProbeEdit::SetPoint { probe, point: 1, time: 2.5, values: vec![3.0] },
        ] {
            scheduler.edit_probe(&edit, false).unwrap();
        }
        models.save_model(&scheduler, &other).unwrap();
        let told = scheduler.probe_tracks();
        let mut again = load(&models, &other);
        assert_eq!(again.probe_tracks(), told);
        assert_eq!(told[0].curve.values, [1.0, 3.0]);
    }

    #[test]
    fn a_panel_that_was_edited_is_saved_by_the_names_of_now_and_one_of_all_muscles_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let [plain, edited] = ["plain.toml", "edited.toml"].map(|name| folder.path().join(name));
        let mut models = models();
        let load =
            |models: &Models, name: &str| models.load(name, &EditArgs::default(), false).unwrap();
        let mut scheduler = load(&models, "jaw-tongue-hyoid");
        let shown = scheduler.panels();
        assert_eq!(shown[0].name, "Exciters");
        models.save_model(&scheduler, &plain).unwrap();
        assert!(!std::fs::read_to_string(&plain).unwrap().contains("[[panels]]"));
        let model = scheduler.simulation().model();
        let exciter = model.iter::<MuscleExciter>().next().unwrap().0;
        let property = format!("{}:excitation", model.path(exciter));
        let item = ControlItem { property, low: Some(0.0), high: Some(0.5), ..Default::default() };
        scheduler.edit_panel(&PanelEdit::Add { panel: "Mine".to_owned(), item }).unwrap();
        scheduler.simulation_mut().edit(Edit::rename(exciter, "another")).unwrap();
        models.save_model(&scheduler, &edited).unwrap();
        let told = scheduler.panels();
        let mine = told.last().unwrap();
        assert!(mine.name == "Mine" && mine.items[0].property.ends_with("another:excitation"));
        assert_eq!(load(&models, edited.to_str().unwrap()).panels(), told);
        // The name comes back first, then the panels.
        assert!(scheduler.undo().unwrap() && scheduler.undo().unwrap());
        assert_eq!(scheduler.panels(), shown);
        assert!(scheduler.redo().unwrap());
        assert_eq!(scheduler.panels().len(), told.len());
    }

    #[test]
    fn a_model_is_drawn_instead_of_run_only_where_elements_have_no_volume() {
        let find = |name: &str, params: &[&str]| {
            let params = params.iter().map(|&it| it.to_owned()).collect();
            ModelSource::load(name, &EditArgs { params, ..EditArgs::default() }).unwrap()
        };
        let beam = find("beam", &[]).model;
        assert!(picture_of_faults(&beam).is_none());
        let mut flat = beam.fems().next().unwrap().1.clone();
        flat.mesh.nodes.iter_mut().for_each(|node| node.z = 0.0);
        let mut model = Model::new("flat");
        model.add(flat);
        let picture = picture_of_faults(&model).expect("elements are flat");
        assert!(picture.points.len() > 8);
    }
}
