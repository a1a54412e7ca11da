//! Text on a picture, for whoever has letters to write it with, and what it stands beside: the bar of
//! the colour map, the directions of the world in a corner.

use sinew::snapshot::{Quantity, Snapshot};

use super::gather::{AXES, with_alpha};
use super::grid::{Grid, ink};
use super::layout::Mark;
use crate::color::{bar_title, ticks};
use crate::geometry::bounds_of;
use crate::{View, ViewOptions};

/// A text at a place of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// What is written.
    pub text: String,
    /// Where its anchor is [pixel].
    pub pixel: [f32; 2],
    /// Which part of the text that is.
    pub anchor: Anchor,
    /// Height of the letters [pixel].
    pub height: f32,
    /// Their colour, sRGB.
    pub color: [f32; 3],
}

/// Which part of a text is at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its middle.
    Center,
    /// The middle of its left edge.
    Left,
    /// The middle of its right edge.
    Right,
}

impl Label {
    pub(super) fn new(
        text: String,
        pixel: [f64; 2],
        anchor: Anchor,
        height: f32,
        color: [f32; 3],
    ) -> Self {
        Self { text, pixel: pixel.map(|x| x as f32), anchor, height, color }
    }
}

/// The texts of a picture, and lines beside them in pixels.
pub(super) struct Writing {
    pub(super) labels: Vec<Label>,
    pub(super) marks: Vec<Mark>,
    color: [f32; 3],
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
            scale: options.pixel_scale,
            size: size.map(|n| n as f32),
        };
        if options.grid
            && let Some(grid) = Grid::new(bounds_of(snapshot), &view.camera)
        {
            writing.labels = grid.labels(&view.camera, size, writing.color);
            writing.labels.iter_mut().for_each(|label| label.height *= options.pixel_scale);
        }
        if options.axes {
            writing.directions(view);
        }
        if options.color_bar && snapshot.field.quantity != Quantity::None {
            writing.bar(snapshot.field.quantity, options.range_of(snapshot.field.range), options);
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
        self.labels.push(Label { text, pixel, anchor, height: height * self.scale, color });
    }

    fn stroke(&mut self, a: [f32; 2], b: [f32; 2], width: f32, color: [f32; 4]) {
        let (a, b) = ([a[0], a[1], 0.0, width], [b[0], b[1], 0.0, 2.0]);
        self.marks.push(Mark { a, b, color });
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

    /// The bar of the colour map at the right, with its title above.
    fn bar(&mut self, quantity: Quantity, range: [f32; 2], options: &ViewOptions) {
        const STEPS: usize = 128;
        let s = self.scale;
        let (title, unit) = bar_title(quantity, range);
        let width = 16.0 * s;
        let left = self.size[0] - 92.0 * s;
        let (top, bottom) = (0.27 * self.size[1], 0.77 * self.size[1]);
        let middle = left + 0.5 * width;
        let edge = with_alpha(self.color, 0.9);
        self.stroke([middle, bottom + s], [middle, top - s], width + 2.0 * s, edge);
        for k in 0..STEPS {
            let at = |k: usize| bottom + (top - bottom) * k as f32 / STEPS as f32;
            let color = options.color_map.color((k as f32 + 0.5) / STEPS as f32);
            self.stroke([middle, at(k)], [middle, at(k + 1)], width, with_alpha(color, 1.0));
        }
        let [low, high] = range.map(f64::from);
        for tick in ticks([low, high], 5, unit) {
            let part = ((tick.value - low) / (high - low)) as f32;
            let y = bottom + (top - bottom) * part;
            let x = left + width;
            self.stroke([x + s, y], [x + 5.0 * s, y], s, edge);
            self.write(tick.text, [x + 9.0 * s, y], Anchor::Left, 13.0, self.color);
        }
        let place = [self.size[0] - 14.0 * s, top - 20.0 * s];
        self.write(title, place, Anchor::Right, 13.0, self.color);
    }
}
