//! Text on a picture, drawn by a writer that is handed in, and the things it stands beside: the bar
//! of the colour map, the directions of the world in a corner.

use sinew::snapshot::{Quantity, Shape, Snapshot};

use super::colors::{AXES, FAULT, background, ink, with_alpha};
use super::grid::grids_of;
use super::label::{Anchor, Label};
use super::layout::Mark;
use crate::color::{ColorScale, bar_title, to_linear, to_srgb};
use crate::{View, ViewOptions};

/// Width of the bar of the colours with its numbers and the room around it, on a common display [pixel].
pub(crate) const BAR_WIDTH: f32 = 120.0;

/// The texts of a picture, those first that others give way to, and lines beside them in pixels.
pub(super) struct Writing {
    pub(super) labels: Vec<Label>,
    pub(super) marks: Vec<Mark>,
    color: [f32; 3],
    /// Colours of the background, from the top to the bottom.
    plate: [[f32; 3]; 2],
    scale: f32,
    size: [f32; 2],
}

impl Writing {
    pub(super) fn new(snapshot: &Snapshot, view: &View, size: [u32; 2]) -> Self {
        let options = &view.options;
        let mut writing = Self {
            labels: Vec::new(),
            marks: Vec::new(),
            color: ink(options.background),
            plate: background(options.background),
            scale: options.pixel_scale,
            size: size.map(|n| n as f32),
        };
        if options.color_bar && snapshot.field.quantity != Quantity::None {
            writing.bar(snapshot.field.quantity, options.color_scale(&snapshot.field), options);
        }
        if options.axes {
            writing.directions(view);
        }
        writing.faulty(snapshot, view, size);
        for grid in grids_of(snapshot, view) {
            let labels = grid.labels(&view.camera, size, writing.color);
            let scale = options.pixel_scale;
            writing
                .labels
                .extend(labels.into_iter().map(|it| Label { height: it.height * scale, ..it }));
        }
        for label in &mut writing.labels {
            let part = label.pixel[1] / writing.size[1];
            label.plate = label.plate.map(|_| behind(writing.plate, part));
        }
        writing
    }

    fn write(
        &mut self,
        text: String,
        pixel: [f32; 2],
        anchor: Anchor,
        height: f32,
        color: [f32; 3],
    ) {
        let (height, plate, depth) = (height * self.scale, None, None);
        self.labels.push(Label { text, pixel, anchor, height, color, plate, depth });
    }

    fn stroke(&mut self, a: [f32; 2], b: [f32; 2], width: f32, color: [f32; 4]) {
        let (a, b) = ([a[0], a[1], 0.0, width], [b[0], b[1], 0.0, 2.0]);
        self.marks.push(Mark { a, b, color });
    }

    /// The number of each element that is broken, at its middle.
    fn faulty(&mut self, snapshot: &Snapshot, view: &View, size: [u32; 2]) {
        let origin = snapshot.scene.origin;
        let place = |p: u32| {
            let point = snapshot.points.get(p as usize)?;
            Some(origin + sinew::Vec3::from(point.map(f64::from)))
        };
        for item in snapshot.scene.items.iter().filter(|item| item.style.visible) {
            let Shape::Tissue { faulty, .. } = &item.shape else { continue };
            for broken in faulty.iter() {
                let ends: Vec<_> =
                    broken.edges.iter().flatten().filter_map(|&p| place(p)).collect();
                let middle = ends.iter().sum::<sinew::Vec3>() / ends.len().max(1) as f64;
                let Some((pixel, _)) = view.camera.project(middle, size) else { continue };
                let text = format!("element {}", broken.element);
                self.write(text, pixel.map(|x| x as f32), Anchor::Left, 13.0, FAULT);
                if let Some(label) = self.labels.last_mut() {
                    label.plate = Some(self.color);
                }
            }
        }
    }

    /// Axes of the world in the lower left corner, the farthest first.
    fn directions(&mut self, view: &View) {
        let reach = 34.0 * self.scale;
        let centre = [1.7 * reach, self.size[1] - 1.7 * reach];
        let camera = &view.camera;
        let mut order = [0, 1, 2];
        order.sort_by(|a, b| camera.back()[*a].total_cmp(&camera.back()[*b]));
        for axis in order {
            let (x, y) = (camera.right()[axis] as f32, camera.up()[axis] as f32);
            let color = AXES[axis];
            let at = |part: f32| [centre[0] + part * reach * x, centre[1] - part * reach * y];
            self.stroke(at(0.0), at(1.0), 2.5 * self.scale, with_alpha(color, 1.0));
            let name = ["x", "y", "z"][axis].to_owned();
            // An axis towards the eye has no direction to write beside.
            let room = if x.hypot(y) > 0.2 { 1.0 + 0.3 / x.hypot(y) } else { 1.4 };
            self.write(name, at(room), Anchor::Center, 13.0, color);
        }
    }

    /// The bar of the colour map at the right on a plate, with its title above.
    fn bar(&mut self, quantity: Quantity, scale: ColorScale, options: &ViewOptions) {
        const STEPS: usize = 128;
        let s = self.scale;
        let (title, unit) = bar_title(quantity, scale.range);
        let width = 16.0 * s;
        let left = self.size[0] - 92.0 * s;
        let (top, bottom) = (0.27 * self.size[1], 0.77 * self.size[1]);
        let middle = left + 0.5 * width;
        let plate = self.size[0] - 0.5 * BAR_WIDTH * s;
        let room = 12.0 * s;
        let paper = with_alpha(behind(self.plate, 0.5), 0.8);
        self.stroke([plate, bottom + room], [plate, top - room], BAR_WIDTH * s, paper);
        let edge = with_alpha(self.color, 0.9);
        self.stroke([middle, bottom + s], [middle, top - s], width + 2.0 * s, edge);
        for k in 0..STEPS {
            let at = |k: usize| bottom + (top - bottom) * k as f32 / STEPS as f32;
            let color = options.color_map.color((k as f32 + 0.5) / STEPS as f32);
            self.stroke([middle, at(k)], [middle, at(k + 1)], width, with_alpha(color, 1.0));
        }
        for tick in scale.ticks(unit) {
            let y = bottom + (top - bottom) * scale.number(tick.value as f32).clamp(0.0, 1.0);
            let x = left + width;
            self.stroke([x + s, y], [x + 5.0 * s, y], s, edge);
            self.write(tick.text, [x + 9.0 * s, y], Anchor::Left, 13.0, self.color);
        }
        let place = [self.size[0] - 14.0 * s, top - 24.0 * s];
        self.write(title, place, Anchor::Right, 13.0, self.color);
        if let Some(label) = self.labels.last_mut() {
            label.plate = Some(self.color);
        }
    }
}

/// The background at a height of a picture, 0 at the top: the light of its ends, mixed.
fn behind([top, bottom]: [[f32; 3]; 2], part: f32) -> [f32; 3] {
    let part = part.clamp(0.0, 1.0);
    std::array::from_fn(|k| {
        let [top, bottom] = [top[k], bottom[k]].map(to_linear);
        to_srgb(top + part * (bottom - top))
    })
}

/// Area of the bar of the colours in a picture of this size [pixel]: left, top, right, bottom.
pub(crate) fn bar_area(size: [f32; 2], scale: f32) -> [f32; 4] {
    let (top, bottom) = (0.27 * size[1], 0.77 * size[1]);
    let room = 12.0 * scale;
    [size[0] - BAR_WIDTH * scale, top - 2.0 * room - 20.0 * scale, size[0], bottom + room]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use sinew::snapshot::{Field, Scene};

    fn snapshot(range: [f32; 2]) -> Snapshot {
        let scene = Scene { bounds: [[-0.1, -0.1, -0.2], [0.1, 0.1, 0.2]], ..Scene::default() };
        let field = Field { quantity: Quantity::VonMises, range, ..Field::default() };
        Snapshot { scene: Arc::new(scene), field, ..Snapshot::default() }
    }

    #[test]
    fn the_bar_of_a_constant_field_has_one_number() {
        let texts = |range| -> Vec<String> {
            let writing = Writing::new(&snapshot(range), &View::default(), [1000, 700]);
            let numbers = writing.labels.iter().filter(|it| it.anchor == Anchor::Left);
            numbers.map(|it| it.text.clone()).collect()
        };
        assert_eq!(texts([250.0, 250.0]), ["250"]);
        assert!(texts([0.0, 250.0]).len() >= 4, "{:?}", texts([0.0, 250.0]));
    }

    #[test]
    fn letters_are_as_large_in_the_picture_whatever_its_size() {
        for size in [[720, 450], [1440, 900], [5760, 3600]] {
            let mut view = View::default();
            view.options.pixel_scale = crate::letter_scale(size);
            let writing = Writing::new(&snapshot([0.0, 1.0]), &view, size);
            let parts = writing.labels.iter().map(|it| it.height / size[1] as f32);
            let widest = parts.fold(0.0, f32::max);
            assert!((widest - 13.0 / 900.0).abs() < 1e-4, "{widest} at {size:?}");
        }
    }
}
