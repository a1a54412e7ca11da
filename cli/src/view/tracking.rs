//! Inverse control of a model in the window: that of the section `[inverse]` of its file.

use sinew::inverse::{RefusedTracking, ShownTracking};
use sinew::schedule::{Scheduler, Signal};
use sinew_run_files::desired_motion;

use crate::compute::Live;
use crate::exit::CliError;
use crate::inverse::{InverseArgError, NAME};
use crate::load::ModelSource;

/// Has a scheduler find the excitations that its model file asks for. Where that cannot be, the window says why; the model
/// runs without.
pub(super) fn track(scheduler: &mut Scheduler, source: &ModelSource, live: &Live) {
    if source.inverse.targets.is_none() {
        return;
    }
    if let Err(error) = add(scheduler, source, live) {
        scheduler.track(Box::new(RefusedTracking(error.to_string())));
    }
}

fn add(scheduler: &mut Scheduler, source: &ModelSource, live: &Live) -> Result<(), CliError> {
    let (asked, model) = (&source.inverse, &source.model);
    if let Some((key, rule)) = asked.fault() {
        return Err(InverseArgError::Settings { key, rule }.into());
    }
    let file = asked.targets.as_deref().ok_or(InverseArgError::NoTargets)?;
    let desired = desired_motion(file, model)?;
    let mut targets = desired.targets;
    let course: Box<dyn Signal> = Box::new(desired.table);
    let solver = live.settings(&source.solver)?;
    let (controller, _) = asked.controller(model, (&mut targets, course), solver)?;
    let tracking = ShownTracking::new(model, &controller)?;
    scheduler.simulation_mut().add_controller_object(NAME, Box::new(controller));
    scheduler.track(Box::new(tracking));
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::{Args, Command, FromArgMatches};
    use sinew::schedule::TrackingEdit;

    use crate::compute::Live;
    use crate::options::{EditArgs, LiveArgs};
    use crate::view::models::Models;

    /// A particle between two muscles, which is to go aside and back.
    const PAIR: &str = r#"
version = 1
name = "pair"
gravity = [0, 0, 0]
particle = [
  { name = "a", position = [-1, 0, 0], mass = 1, dynamic = false },
  { name = "b", position = [1, 0, 0], mass = 1, dynamic = false },
  { name = "p", position = [0, 0, 0], mass = 0.5 },
]

[[axial_spring]]
name = "left"
first = "particles/a"
second = "particles/p"
material = { type = "simple_muscle", max_force = 20.0, damping = 4.0 }

[[axial_spring]]
name = "right"
first = "particles/b"
second = "particles/p"
material = { type = "simple_muscle", max_force = 20.0, damping = 4.0 }

[inverse]
targets = "way.csv"
"#;

    fn models() -> Models {
        let matches = LiveArgs::augment_args(Command::new("view")).get_matches_from(["view"]);
        let args = LiveArgs::from_arg_matches(&matches).unwrap();
        Models::new(Live::new(&args).unwrap(), std::path::PathBuf::new())
    }

    fn way() -> String {
        let row = |k: u32| {
            let time = 0.01 * f64::from(k);
            format!("{time},{},0,0\n", 0.02 * (10.0 * time).sin().powi(2))
        };
        let path = "/models/pair/particles/p:position";
        let rows: String = (0..=40).map(row).collect();
        format!("time,{path}.x,{path}.y,{path}.z\n{rows}")
    }

    fn loaded(folder: &Path) -> Result<sinew::schedule::Scheduler, String> {
        std::fs::write(folder.join("pair.toml"), PAIR).unwrap();
        let name = folder.join("pair.toml");
        let loaded = models().load(name.to_str().unwrap(), &EditArgs::default(), true);
        loaded.map_err(|why| why.error.to_string())
    }

    #[test]
    fn what_was_found_is_replayed_forward_without_the_controller_bit_for_bit() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("way.csv"), way()).unwrap();
        let mut scheduler = loaded(folder.path()).unwrap();
        let before = scheduler.tracking().unwrap();
        assert!(before.on && before.recorded.is_none() && before.targets[0].rms.is_none());
        assert!(scheduler.edit_tracking(&TrackingEdit::Replay).is_err(), "nothing was found");
        let mut ways = Vec::new();
        for replayed in [false, true] {
            let mut way = Vec::new();
            for _ in 0..30 {
                scheduler.step().unwrap();
                way.push(scheduler.simulation_mut().state().unwrap().q.clone());
            }
            ways.push(way);
            let status = scheduler.tracking().unwrap();
            assert_eq!(status.on, !replayed);
            let target = &status.targets[0];
            let (distance, rms) = (target.distance.unwrap(), target.rms.unwrap());
            assert!(distance < 1e-3 && rms > 0.0 && rms < 1e-3, "{distance} {rms}");
            let [desired, reached] = target.places.unwrap();
            assert!(((desired - reached).norm() - distance).abs() < 1e-12);
            assert_eq!((target.unit, status.excitations.len()), ("m", 2));
            let most = status.excitations.iter().map(|it| it.value).fold(0.0, f64::max);
            assert!(most > 0.01, "{most}");
            if !replayed {
                assert_eq!(status.recorded.map(|it| it[0]), Some(0.0));
                let told = scheduler.edit_tracking(&TrackingEdit::Replay).unwrap();
                assert!(told.unwrap().contains("found excitations"));
                assert_eq!(scheduler.time(), 0.0);
                assert_eq!(scheduler.input_probes().len(), 1);
            }
        }
        assert_eq!(ways[0], ways[1]);
        assert!(ways[0].last() != ways[0].first());
        // A second recording takes the place of the first.
        scheduler.edit_tracking(&TrackingEdit::Switch(true)).unwrap();
        scheduler.step().unwrap();
        scheduler.edit_tracking(&TrackingEdit::Replay).unwrap();
        assert_eq!(scheduler.input_probes().len(), 1);
        let weight = |weight| TrackingEdit::SetWeight { target: 0, weight };
        scheduler.edit_tracking(&weight(3.0)).unwrap();
        assert_eq!(scheduler.tracking().unwrap().targets[0].weight, 3.0);
        let wrong = scheduler.edit_tracking(&weight(-1.0)).unwrap_err().to_string();
        assert!(wrong.contains("weight") && wrong.contains("-1"), "{wrong}");
    }

    #[test]
    fn a_model_whose_targets_cannot_be_followed_runs_and_says_so() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("way.csv"), "time,a\n0,1\n1,2\n").unwrap();
        let mut scheduler = loaded(folder.path()).unwrap();
        let fault = scheduler.tracking().unwrap().fault.unwrap();
        assert!(fault.contains("way.csv") && fault.contains("columns (a)"), "{fault}");
        scheduler.step().unwrap();
    }
}
