//! Targets of inverse control over the picture: where each point should be, where it is, and a line between.

use egui::{Color32, Painter, Pos2, Rect, Stroke, vec2};
use sinew::schedule::Status;
use sinew::snapshot::Snapshot;

use crate::{View, exaggerated};

/// Colours of desired and of reached places, seen on light and dark.
const DESIRED: Color32 = Color32::from_rgb(214, 39, 90);
const REACHED: Color32 = Color32::from_rgb(20, 150, 160);
/// Half the width of a cross, and the radius of a ring [point].
const CROSS: f32 = 6.0;
const RING: f32 = 5.0;

/// Desired and reached places of all points that are followed [pixel].
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TrackedPoints(Vec<[[f64; 2]; 2]>);

impl TrackedPoints {
    /// Those of a session, seen in a picture of this size [pixel]; none where the motion is exaggerated, since nothing is drawn
    /// where it is.
    pub(super) fn of(snapshot: &Snapshot, status: &Status, view: &View, size: [u32; 2]) -> Self {
        let Some(tracking) = &status.tracking else { return Self::default() };
        if exaggerated(snapshot, &view.options).points != snapshot.points {
            return Self::default();
        }
        let seen = |place| view.camera.project(place, size).map(|(pixel, _)| pixel);
        let points = tracking.targets.iter().filter_map(|target| {
            let [desired, reached] = target.places?;
            Some([seen(desired)?, seen(reached)?])
        });
        Self(points.collect())
    }

    pub(super) fn paint(&self, painter: &Painter, rect: Rect, scale: f32) {
        let at = |[x, y]: [f64; 2]| rect.min + vec2(x as f32, y as f32) / scale;
        let painter = painter.with_clip_rect(rect.intersect(painter.clip_rect()));
        for ends in &self.0 {
            let [desired, reached]: [Pos2; 2] = ends.map(at);
            painter.line_segment([desired, reached], Stroke::new(1.5, DESIRED));
            painter.circle_stroke(reached, RING, Stroke::new(2.0, REACHED));
            for side in [vec2(CROSS, CROSS), vec2(CROSS, -CROSS)] {
                painter.line_segment([desired - side, desired + side], Stroke::new(2.0, DESIRED));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use egui_kittest::kittest::Queryable;
    use sinew::Vec3;
    use sinew::axial::AxialLaw;
    use sinew::axial::active::ConstantMuscle;
    use sinew::component::ComponentType;
    use sinew::inverse::{
        MotionTarget, ShownTracking, TrackedExcitation, TrackingController, TrackingSettings,
    };
    use sinew::model::{AxialSpring, Model, Particle, PointRef};
    use sinew::schedule::{
        Command, NoFiles, OpenError, Scheduler, SchedulerSettings, Session, Signal, Simulation,
        TrackedTarget, TrackingStatus,
    };
    use sinew::solve::SolverSettings;

    use super::*;
    use crate::app::pane::Pane;
    use crate::app::tests::{first_session, until, window_of};

    /// A particle that a muscle is to pull aside.
    fn followed() -> Result<Scheduler, OpenError> {
        let mut model = Model::new("pulled");
        model.set_gravity(Vec3::zeros());
        let end = model.add(Particle::new(1.0, Vec3::x()).fixed());
        let point = model.add(Particle::new(1.0, Vec3::zeros()).named("point"));
        let law = AxialLaw::ConstantMuscle(ConstantMuscle::default());
        let ends = [end, point].map(PointRef::from);
        let muscle = model.add(AxialSpring::with_law(ends, law).named("muscle"));
        let targets = vec![MotionTarget::new(PointRef::from(point).into())];
        let course: Box<dyn Signal> = Box::new(|time: f64, values: &mut [f64]| {
            values.copy_from_slice(&[0.1 * time, 0.0, 0.0])
        });
        let excited = vec![TrackedExcitation::new(muscle)];
        let solver = SolverSettings::default();
        let told = |error: &dyn std::fmt::Display| OpenError::from(error.to_string());
        let (known, settings) = ((targets, course), (TrackingSettings::default(), solver));
        let controller = TrackingController::new(&model, known, excited, settings)
            .map_err(|error| told(&error))?;
        let shown = ShownTracking::new(&model, &controller).map_err(|error| told(&error))?;
        let mut simulation = Simulation::new(model, solver).map_err(|error| told(&error))?;
        simulation.add_controller_object("inverse", Box::new(controller));
        let scheduler = Scheduler::new(simulation, SchedulerSettings::with_step(0.01));
        let mut scheduler = scheduler.map_err(|error| told(&error))?;
        scheduler.track(Box::new(shown));
        Ok(scheduler)
    }

    #[test]
    fn a_model_without_targets_closes_the_panel_that_an_arrangement_kept_open() {
        let mut window = window_of([1280.0, 800.0], first_session());
        let app = window.state_mut();
        app.dock.set_open(Pane::Inverse, true);
        // As if the model came now.
        app.asked.model = 0;
        window.run_steps(2);
        let dock = &window.state().dock;
        assert!(!dock.is_open(Pane::Inverse) && dock.is_seen(Pane::Controls), "{:?}", dock.seen());
    }

    #[test]
    fn a_model_with_inverse_control_opens_its_panel_and_is_steered_from_it() {
        let session = Session::start(followed, Box::new(NoFiles));
        let mut window = window_of([1280.0, 800.0], session);
        assert!(window.state().dock.is_seen(Pane::Inverse), "its panel is in front");
        assert!(window.query_by_label("point:position").is_some());
        assert!(window.query_by_label("nothing recorded").is_some());
        window.state_mut().send(Command::Step);
        let steps = |app: &mut crate::app::App| app.session.reader().front().steps;
        until(&mut window, |app| steps(app) == 1);
        let recorded = |app: &mut crate::app::App| {
            app.status.tracking.as_ref().and_then(|it| it.recorded) == Some([0.0, 0.01])
        };
        until(&mut window, recorded);
        window.run_steps(2);
        assert!(window.query_by_label("recorded from 0.000 s to 0.010 s").is_some());
        let switched = |app: &mut crate::app::App, on: bool| {
            app.status.tracking.as_ref().is_some_and(|it| it.on == on)
        };
        window.get_by_label("find excitations").click();
        until(&mut window, |app| switched(app, false));
        window.get_by_label("find excitations").click();
        until(&mut window, |app| switched(app, true));
    }

    #[test]
    fn points_that_are_followed_are_marked_where_they_should_be_and_where_they_are() {
        let (snapshot, view, size) = (Snapshot::default(), View::default(), [800, 600]);
        let none = TrackedPoints::of(&snapshot, &Status::default(), &view, size);
        assert_eq!(none, TrackedPoints::default());
        let places = [Vec3::new(0.1, 0.0, 0.0), Vec3::new(0.0, 0.1, 0.0)];
        let point = TrackedTarget { places: Some(places), ..TrackedTarget::default() };
        let angle = TrackedTarget::default();
        let tracking = TrackingStatus { targets: vec![angle, point], ..TrackingStatus::default() };
        let status = Status { tracking: Some(Arc::new(tracking)), ..Status::default() };
        let seen = TrackedPoints::of(&snapshot, &status, &view, size);
        let pixels = places.map(|place| view.camera.project(place, size).unwrap().0);
        assert_eq!(seen.0, [pixels]);
    }
}
