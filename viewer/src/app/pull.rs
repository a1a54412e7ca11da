//! The spring by which a point is pulled: its line and its force, over the picture.

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Stroke, vec2};
use sinew::Vec3;
use sinew::schedule::Status;
use sinew::snapshot::{Shape, Snapshot};

use crate::color::prefixed;
use crate::{View, exaggerated};

/// Colour of the line, seen on light and dark.
const COLOR: Color32 = Color32::from_rgb(240, 140, 20);

/// A point that is pulled, in a picture.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pull {
    /// The point, and where it is pulled to [pixel].
    ends: [[f64; 2]; 2],
    /// Force of the spring [N].
    force: f64,
}

impl Pull {
    /// The one of a session, seen in a picture of this size [pixel]; `None` where nothing is pulled.
    pub(super) fn of(
        snapshot: &Snapshot,
        status: &Status,
        view: &View,
        size: [u32; 2],
    ) -> Option<Self> {
        let spring = status.pull?;
        let item = snapshot.scene.items.iter().find(|item| item.owner == spring)?;
        let Shape::Lines(lines) = &item.shape else { return None };
        let drawn = exaggerated(snapshot, &view.options);
        let seen = |point: &u32| {
            let place = drawn.points.get(*point as usize)?;
            let place = snapshot.scene.origin + Vec3::from(place.map(f64::from));
            view.camera.project(place, size).map(|(pixel, _)| pixel)
        };
        // The spring goes from the pointer to the point.
        let ends = [seen(lines.points.last()?)?, seen(lines.points.first()?)?];
        let [_, force] = *snapshot.lines.get(lines.value as usize)?;
        Some(Self { ends, force: f64::from(force) })
    }

    /// The force as it is written, with its unit.
    fn text(&self) -> String {
        let (scale, unit) = prefixed(self.force.abs(), "N");
        format!("{:.3} {unit}", self.force / scale)
    }

    pub(super) fn paint(&self, painter: &Painter, rect: Rect, scale: f32) {
        let at = |[x, y]: [f64; 2]| rect.min + vec2(x as f32, y as f32) / scale;
        let [point, target] = self.ends.map(at);
        painter.line_segment([point, target], Stroke::new(2.0, COLOR));
        painter.circle_filled(point, 3.5, COLOR);
        painter.circle_stroke(target, 5.0, Stroke::new(2.0, COLOR));
        let place: Pos2 = target + vec2(10.0, -10.0);
        let font = FontId::proportional(13.0);
        let galley = painter.layout_no_wrap(self.text(), font, COLOR);
        let text = Align2::LEFT_BOTTOM.anchor_size(place, galley.size());
        painter.rect_filled(text.expand(3.0), 2.0, painter_paper(painter));
        painter.galley(text.min, galley, COLOR);
    }
}

fn painter_paper(painter: &Painter) -> Color32 {
    painter.ctx().global_style().visuals.extreme_bg_color.gamma_multiply(0.85)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use sinew::axial::AxialLaw;
    use sinew::axial::passive::LinearSpring;
    use sinew::model::{AxialSpring, Model, Particle};
    use sinew::snapshot::{Item, Lines, Scene, Style};

    #[test]
    fn a_pull_is_shown_as_a_line_to_the_pointer_with_its_force() {
        let mut model = Model::new("pulled");
        let ends = [0.0, 1.0].map(|x| model.add(Particle::new(1.0, Vec3::new(x, 0.0, 0.0))));
        let law = AxialLaw::Linear(LinearSpring { stiffness: 1.0, damping: 0.0 });
        let spring = model.add(AxialSpring::with_law(ends, law)).id();
        let shape = Shape::Lines(Lines { points: vec![0, 1], value: 0, muscle: false });
        let item = Item { owner: spring, style: Style::of(&model, spring), shape };
        let scene = Scene { items: Arc::new(vec![item]), ..Scene::default() };
        let snapshot = Snapshot {
            scene: Arc::new(scene),
            points: vec![[0.1, 0.0, 0.0], [0.0, 0.0, 0.0]],
            lines: vec![[0.0, 0.0125]],
            ..Snapshot::default()
        };
        let (view, size) = (View::default(), [800, 600]);
        assert_eq!(Pull::of(&snapshot, &Status::default(), &view, size), None);
        let status = Status { pull: Some(spring), ..Status::default() };
        let pull = Pull::of(&snapshot, &status, &view, size).unwrap();
        assert_eq!(pull.text(), "12.500 mN");
        let (pointer, _) =
            view.camera.project(Vec3::new(f64::from(0.1f32), 0.0, 0.0), size).unwrap();
        assert_eq!(pull.ends[1], pointer, "its other end is where the pointer is");
        assert_ne!(pull.ends[0], pull.ends[1]);
    }
}
