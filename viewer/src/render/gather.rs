//! Lines, dots and solids of a snapshot, made anew for each picture.

use sinew::property::{LineStyle, PointStyle};
use sinew::snapshot::{Faulty, Fibre, Fibres, Item, Lines, Shape, Snapshot, Style};

use super::bellies::BonePoints;
use super::colors::{AXES, FAULT, SELECTION, with_alpha};
use super::layout::{Mark, Tube};
use super::selection::Selected;
use crate::View;
use crate::geometry::{axis_of, length, minus, plus, relative_bounds, rotated, scaled, unit};
use crate::scene_view::{LineColors, PictureStyle};

/// Colour of what is fully excited.
const EXCITED: [f32; 3] = [0.86, 0.08, 0.10];

/// The same in the style of publications: that of fresh muscle.
const FRESH: [f32; 3] = [0.72, 0.15, 0.14];

/// Colour of muscles that are not excited.
const PALE: [f32; 3] = [0.80, 0.62, 0.58];

/// Colour of springs: that of ligaments.
const LIGAMENT: [f32; 3] = [0.86, 0.85, 0.80];

/// Radius of lines without one of their own, over the extent of the model: seen from afar, and no
/// thicker than tendons.
const LINE_RADIUS: f32 = 3.5e-3;

/// Lines that are drawn as solids where a view asks for that; of more, each is a stroke of its width in pixels. A solid has
/// 1,344 vertices: so many of them are 7 million, which is what a graphics card of a notebook draws in a frame.
const MOST_SOLID: usize = 5000;

/// Length of axes of frames over the extent of the model.
const FRAME_LENGTH: f32 = 0.05;

/// Colour of axes of joints.
const JOINT: [f32; 3] = [0.93, 0.68, 0.08];

/// Colour of fibres without one of their own, told from flesh through which they are seen.
const FIBRE: [f32; 3] = [0.45, 0.02, 0.06];

/// Length of fibres over the edges of their elements: those of neighbours do not run together.
const FIBRE_LENGTH: f32 = 0.7;

/// Width of fibres [pixel].
const FIBRE_WIDTH: f32 = 2.0;

/// Width of the edges of elements that are marked as broken [pixel].
const FAULT_WIDTH: f32 = 3.0;

/// Dots are not smaller than this [pixel].
const LEAST_DOT: f32 = 3.0;

/// Lines, dots and solids.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    /// Solids that hide what is behind them.
    pub(crate) tubes: Vec<Tube>,
    /// Translucent ones.
    pub(crate) glass: Vec<Tube>,
    /// Lines and dots.
    pub(crate) marks: Vec<Mark>,
    extent: f32,
    bones: BonePoints,
    /// True if lines whose style is a width in pixels are solid all the same.
    solid_lines: bool,
    /// Item that is gathered.
    place: usize,
}

impl Gathered {
    /// Gathers what a view shows of a snapshot.
    pub(crate) fn gather(&mut self, snapshot: &Snapshot, view: &View, selected: &Selected) {
        self.tubes.clear();
        self.glass.clear();
        self.marks.clear();
        let [low, high] = relative_bounds(snapshot);
        self.extent = length(minus(high, low));
        let is_belly = |item: &Item| {
            item.style.line_style == LineStyle::Spindle && matches!(item.shape, Shape::Lines(_))
        };
        self.solid_lines = view.options.solid_lines && line_count(snapshot) <= MOST_SOLID;
        if snapshot.scene.items.iter().any(is_belly) {
            self.bones.update(snapshot, self.extent);
        }
        for (place, item) in snapshot.scene.items.iter().enumerate() {
            self.place = place;
            if item.style.visible {
                self.item(snapshot, view, item, selected.has(place));
            }
        }
        // Contacts belong to none.
        self.place = snapshot.scene.items.len();
        if view.options.contacts {
            self.contacts(snapshot, view);
        }
    }

    fn item(&mut self, snapshot: &Snapshot, view: &View, item: &Item, marked: bool) {
        let options = &view.options;
        match &item.shape {
            Shape::Lines(lines) if options.lines => self.line(snapshot, view, item, lines, marked),
            Shape::Points(points) if options.points => {
                self.points(snapshot, &item.style, points, marked);
            }
            Shape::Tissue { nodes, fibres, faulty, .. } => {
                if options.nodes {
                    self.nodes(snapshot, nodes);
                }
                if options.fibres {
                    let color = item.style.line_color.unwrap_or(FIBRE);
                    self.fibres(snapshot, fibres, color);
                }
                self.faulty(snapshot, faulty);
            }
            Shape::Fibres { fibres, value } if options.fibres => {
                let color = excited(snapshot, view, *value, item.style.line_color.unwrap_or(FIBRE));
                self.fibres(snapshot, fibres, color);
            }
            Shape::Frame { frame, axes } => self.frame(snapshot, view, *frame, axes),
            Shape::Lines(_) | Shape::Points(_) | Shape::Fibres { .. } | Shape::Rigid { .. } => {}
        }
    }

    fn nodes(&mut self, snapshot: &Snapshot, nodes: &[u32]) {
        let at = |p: &u32| snapshot.points.get(*p as usize).copied();
        let color = with_alpha([0.05; 3], 1.0);
        nodes.iter().filter_map(at).for_each(|p| self.dot(p, 5.0, color));
    }

    /// A line along each fibre, about the centre of its element.
    fn fibres(&mut self, snapshot: &Snapshot, fibres: &Fibres, color: [f32; 3]) {
        let color = with_alpha(color, 1.0);
        for Fibre { centre, direction, length } in fibres.placed(&snapshot.points) {
            let half = scaled(unit(direction), 0.5 * FIBRE_LENGTH * length);
            let ([ax, ay, az], [bx, by, bz]) = (minus(centre, half), plus(centre, half));
            let (a, b) = ([ax, ay, az, FIBRE_WIDTH], [bx, by, bz, 0.0]);
            self.marks.push(Mark { a, b, color });
        }
    }

    /// The edges of elements that are broken at rest.
    fn faulty(&mut self, snapshot: &Snapshot, faulty: &[Faulty]) {
        let at = |p: u32| snapshot.points.get(p as usize).copied();
        let color = with_alpha(FAULT, 1.0);
        for [a, b] in faulty.iter().flat_map(|it| &it.edges) {
            let (Some([ax, ay, az]), Some([bx, by, bz])) = (at(*a), at(*b)) else { continue };
            let (a, b) = ([ax, ay, az, FAULT_WIDTH], [bx, by, bz, 3.0]);
            self.marks.push(Mark { a, b, color });
        }
    }

    fn dot(&mut self, point: [f32; 3], width: f32, color: [f32; 4]) {
        let [x, y, z] = point;
        self.marks.push(Mark { a: [x, y, z, width], b: [x, y, z, 1.0], color });
    }

    fn points(&mut self, snapshot: &Snapshot, style: &Style, points: &[u32], marked: bool) {
        for &p in points {
            let Some(&point) = snapshot.points.get(p as usize) else { continue };
            match style.point_style {
                PointStyle::Sphere => {
                    let color = with_alpha(style.point_color, style.alpha);
                    self.sphere(point, style.point_radius, color, marked);
                }
                PointStyle::Point => {
                    let width = style.point_size.max(LEAST_DOT);
                    let shown = if marked { SELECTION } else { style.point_color };
                    let size = if marked { width + 3.0 } else { width };
                    self.dot(point, size, with_alpha(shown, style.alpha));
                }
            }
        }
    }

    /// A sphere is a spindle as thick as long.
    fn sphere(&mut self, centre: [f32; 3], radius: f32, color: [f32; 4], marked: bool) {
        let [x, y, z] = centre;
        let (a, b) = ([x, y, z - radius, radius], [x, y, z + radius, radius]);
        let profile = [0.0, 1.0, 1.0, flag(marked)];
        self.tube(Tube { a, b, color, profile, ..Tube::default() });
    }

    /// Adds a solid of the item that is gathered.
    fn tube(&mut self, mut tube: Tube) {
        tube.thin[3] = self.place as f32;
        let list = if tube.color[3] < 1.0 { &mut self.glass } else { &mut self.tubes };
        list.push(tube);
    }

    /// A spring or a muscle, in the parts between its points.
    fn line(&mut self, snapshot: &Snapshot, view: &View, item: &Item, lines: &Lines, marked: bool) {
        let at = |p: &u32| snapshot.points.get(*p as usize).copied();
        let path: Vec<[f32; 3]> = lines.points.iter().filter_map(at).collect();
        let total: f32 = path.windows(2).map(|ends| length(minus(ends[1], ends[0]))).sum();
        let color = with_alpha(line_color(snapshot, view, item, lines), item.style.alpha);
        let solid = item.style.line_style != LineStyle::Line || self.solid_lines;
        let spindle = match item.style.line_style {
            LineStyle::Spindle => true,
            LineStyle::Cylinder => false,
            LineStyle::Line => lines.muscle,
        };
        let radius = match item.style.line_style {
            LineStyle::Line => LINE_RADIUS * self.extent * if lines.muscle { 1.6 } else { 0.6 },
            LineStyle::Cylinder | LineStyle::Spindle => item.style.line_radius,
        };
        let mut begun = 0.0;
        for ends in path.windows(2) {
            let [[ax, ay, az], [bx, by, bz]] = [ends[0], ends[1]];
            let end = begun + length(minus(ends[1], ends[0]));
            if !solid {
                let shown = if marked { with_alpha(SELECTION, 1.0) } else { color };
                let width = item.style.line_width + if marked { 2.0 } else { 0.0 };
                let (a, b) = ([ax, ay, az, width], [bx, by, bz, 0.0]);
                self.marks.push(Mark { a, b, color: shown });
            } else if total > 0.0 && end > begun {
                let (a, b) = ([ax, ay, az, radius], [bx, by, bz, radius]);
                let profile = [begun / total, end / total, flag(spindle), flag(marked)];
                let [x, y, z] = self.thin_direction(item, [ends[0], ends[1]]);
                self.tube(Tube { a, b, color, profile, thin: [x, y, z, 0.0] });
            }
            begun = end;
        }
    }

    /// Direction in which a muscle with a belly is thin; zero for what is round.
    fn thin_direction(&self, item: &Item, [a, b]: [[f32; 3]; 2]) -> [f32; 3] {
        let muscle = matches!(&item.shape, Shape::Lines(lines) if lines.muscle);
        match item.style.line_style {
            LineStyle::Spindle if muscle => {
                self.bones.thin_direction(scaled(plus(a, b), 0.5), minus(b, a))
            }
            LineStyle::Spindle | LineStyle::Line | LineStyle::Cylinder => [0.0; 3],
        }
    }

    /// The axes of a frame, or those of a joint.
    fn frame(&mut self, snapshot: &Snapshot, view: &View, frame: u32, axes: &[[f32; 3]]) {
        let Some(frame) = snapshot.frames.get(frame as usize) else { return };
        let reach = FRAME_LENGTH * self.extent;
        if axes.is_empty() && view.options.frames {
            for (axis, color) in AXES.into_iter().enumerate() {
                let along = scaled(axis_of(frame, axis), reach);
                self.arrow(frame.position, along, 0.04 * reach, with_alpha(color, 1.0));
            }
        }
        if view.options.joints {
            for axis in axes {
                let along = scaled(rotated(frame, unit(*axis)), 1.5 * reach);
                let begin = minus(frame.position, along);
                self.arrow(begin, scaled(along, 2.0), 0.06 * reach, with_alpha(JOINT, 1.0));
            }
        }
    }

    /// An arrow with a head of a quarter of its length.
    fn arrow(&mut self, begin: [f32; 3], along: [f32; 3], radius: f32, color: [f32; 4]) {
        let head = plus(begin, scaled(along, 0.75));
        let tip = plus(begin, along);
        let with = |[x, y, z]: [f32; 3], w: f32| [x, y, z, w];
        let shaft = Tube {
            a: with(begin, radius),
            b: with(head, radius),
            color,
            profile: [0.0, 1.0, 0.0, 0.0],
            ..Tube::default()
        };
        self.tube(shaft);
        self.tube(Tube { a: with(head, 2.5 * radius), b: with(tip, 0.0), ..shaft });
    }

    /// Contacts by their forces: arrows along them, coloured by the map.
    fn contacts(&mut self, snapshot: &Snapshot, view: &View) {
        let forces = snapshot.contacts.iter().map(|contact| length(contact.force));
        let largest = forces.fold(0.0, f32::max);
        let radius = 2e-3 * self.extent;
        for contact in &snapshot.contacts {
            let part = if largest > 0.0 { length(contact.force) / largest } else { 0.0 };
            let color = with_alpha(view.options.color_map.color(part), 1.0);
            self.sphere(contact.point, 1.4 * radius, color, false);
            let reach = view.options.contact_length * self.extent * part;
            if reach > 4.0 * radius {
                self.arrow(contact.point, scaled(unit(contact.force), reach), radius, color);
            }
        }
    }
}

/// Visible lines whose style is a width in pixels, each as many times as it has parts.
fn line_count(snapshot: &Snapshot) -> usize {
    let items = snapshot.scene.items.iter().filter(|item| item.style.visible);
    let parts = items.map(|item| match &item.shape {
        Shape::Lines(lines) if item.style.line_style == LineStyle::Line => {
            lines.points.len().saturating_sub(1)
        }
        _ => 0,
    });
    parts.sum()
}

fn flag(on: bool) -> f32 {
    f32::from(u8::from(on))
}

/// From the colour of what is at rest to red, as it is excited.
fn excited(snapshot: &Snapshot, view: &View, value: u32, rest: [f32; 3]) -> [f32; 3] {
    let full = match view.options.style {
        PictureStyle::Plain => EXCITED,
        PictureStyle::Publication => FRESH,
    };
    let [excitation, _] = snapshot.lines.get(value as usize).copied().unwrap_or([0.0; 2]);
    let part = excitation.clamp(0.0, 1.0);
    std::array::from_fn(|k| rest[k] + part * (full[k] - rest[k]))
}

/// Colour of a spring or muscle, by its excitation or tension.
fn line_color(snapshot: &Snapshot, view: &View, item: &Item, lines: &Lines) -> [f32; 3] {
    let own = item.style.line_color.unwrap_or(if lines.muscle { PALE } else { LIGAMENT });
    let [_, tension] = snapshot.lines.get(lines.value as usize).copied().unwrap_or([0.0; 2]);
    match view.options.line_colors {
        LineColors::Style => own,
        LineColors::Excitation if !lines.muscle => own,
        LineColors::Excitation => {
            // What is at rest is paler than a muscle, not grey.
            excited(snapshot, view, lines.value, item.style.line_color.unwrap_or(PALE))
        }
        LineColors::Tension => {
            let largest = snapshot.lines.iter().map(|line| line[1].abs()).fold(0.0, f32::max);
            view.options.color_map.color(if largest > 0.0 { tension.abs() / largest } else { 0.0 })
        }
    }
}
