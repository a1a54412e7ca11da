//! The brush: faces of a tissue that are painted, stroke by stroke. Their names and loads stand in `brush_panel`.

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::{Response, Stroke, Ui};
use sinew::Vec3;
use sinew::component::ComponentId;
use sinew::fem::ElementFace;
use sinew::snapshot::{Shape, Snapshot};

use super::super::reach::{Reach, pixel_of};
use super::gizmo_draw::LIT;
use crate::MarkedFaces;
use crate::cuts::Cuts;
use crate::geometry::exaggerated;

/// Radius of a new brush [point].
const RADIUS: f32 = 14.0;

/// Name of painted faces and their load, as they are typed.
pub(super) struct LoadEntry {
    pub(super) name: String,
    /// Inwards [Pa].
    pub(super) pressure: f64,
    /// In the directions of the world [Pa].
    pub(super) traction: [f64; 3],
}

impl Default for LoadEntry {
    fn default() -> Self {
        Self { name: "painted".to_owned(), pressure: 0.0, traction: [0.0; 3] }
    }
}

/// The brush, and what was painted with it.
pub(in super::super) struct Brush {
    /// Radius [point].
    pub(super) radius: f32,
    pub(super) erases: bool,
    pub(super) entry: LoadEntry,
    /// The tissue that is painted.
    pub(super) tissue: Option<ComponentId>,
    pub(super) faces: BTreeSet<ElementFace>,
    /// Pixel of the last dab, while the button is down.
    last: Option<[f64; 2]>,
    surface: Option<Surface>,
    marked: Arc<MarkedFaces>,
}

/// The surface that is painted.
struct Surface {
    /// Numbers of its model and scene.
    of: [u64; 2],
    item: usize,
    /// Triangles at each point: places in `triangles`, one more than points.
    starts: Vec<u32>,
    triangles: Vec<u32>,
}

impl Default for Brush {
    fn default() -> Self {
        Self {
            radius: RADIUS,
            erases: false,
            entry: LoadEntry::default(),
            tissue: None,
            faces: BTreeSet::new(),
            last: None,
            surface: None,
            marked: Arc::default(),
        }
    }
}

impl Brush {
    /// The painted faces, to be drawn.
    pub(super) fn marked(&self) -> &Arc<MarkedFaces> {
        &self.marked
    }

    /// Goes on with these faces of a tissue in place of those that were painted.
    pub(super) fn put(
        &mut self,
        snapshot: &Snapshot,
        tissue: Option<ComponentId>,
        faces: &[ElementFace],
    ) {
        self.tissue = tissue;
        self.faces = faces.iter().copied().collect();
        self.surface = None;
        self.follow(snapshot);
    }

    /// Takes in a stroke and draws the brush; true where the button is not to turn the picture.
    pub(super) fn take_in(&mut self, ui: &Ui, response: &Response, reach: &mut Reach<'_>) -> bool {
        self.follow(reach.snapshot);
        let (pulls, erases, primary, pressed) = ui.input(|input| {
            let (keys, pointer) = (input.modifiers, &input.pointer);
            let other = pointer.any_down() && !pointer.primary_down();
            (keys.command || keys.alt, keys.shift, !other, pointer.primary_pressed())
        });
        if self.last.is_none() && (pulls || !primary) {
            return false;
        }
        let down = response.is_pointer_button_down_on();
        if let Some(at) = response.interact_pointer_pos().filter(|_| down) {
            if pressed {
                self.begin(pixel_of(response, at), reach);
            }
            self.stroke(pixel_of(response, at), self.erases != erases, reach);
        }
        if !down {
            self.last = None;
        }
        if let Some(at) = response.hover_pos().or(response.interact_pointer_pos()) {
            let painter = ui.painter().with_clip_rect(response.rect);
            painter.circle_stroke(at, self.radius, Stroke::new(1.5, LIT));
        }
        true
    }

    /// A stroke on another tissue begins anew.
    fn begin(&mut self, pixel: [f64; 2], reach: &mut Reach<'_>) {
        let Some(hit) = reach.surface(pixel) else { return };
        match &reach.snapshot.scene.items[hit.item].shape {
            Shape::Tissue { .. } if self.tissue == Some(hit.owner) => {}
            Shape::Tissue { .. } => self.put(reach.snapshot, Some(hit.owner), &[]),
            _ => {
                let why = "faces of tissues are painted; a body takes a frame_load as a whole";
                reach.actions.refusals.push(why.to_owned());
            }
        }
    }

    /// Dabs from the last one to a pixel, so near each other that no face is left out between.
    fn stroke(&mut self, pixel: [f64; 2], erases: bool, reach: &Reach<'_>) {
        let from = self.last.replace(pixel).unwrap_or(pixel);
        let by = [pixel[0] - from[0], pixel[1] - from[1]];
        let radius = f64::from(self.radius * reach.view.options.pixel_scale).max(1.0);
        let count = (by[0].hypot(by[1]) / radius).ceil().clamp(1.0, 200.0);
        let mut changed = false;
        for k in 1..=count as u32 {
            let part = f64::from(k) / count;
            changed |= self.dab([0, 1].map(|i| from[i] + part * by[i]), radius, erases, reach);
        }
        if changed {
            self.mark(reach.snapshot);
        }
    }

    /// Paints the faces around a pixel that are joined to the one there; true where some were not painted before.
    fn dab(&mut self, pixel: [f64; 2], radius: f64, erases: bool, reach: &Reach<'_>) -> bool {
        let Some(surface) = &self.surface else { return false };
        let hit = reach.surface(pixel).filter(|hit| hit.item == surface.item);
        let Some(first) = hit.and_then(|hit| hit.triangle) else { return false };
        let Shape::Tissue { triangles, faces, .. } =
            &reach.snapshot.scene.items[surface.item].shape
        else {
            return false;
        };
        let found = surface.around(first, triangles, seen_within(pixel, radius, reach));
        let before = self.faces.len();
        for face in found.iter().filter_map(|&t| faces.get(t as usize)) {
            if erases {
                self.faces.remove(face);
            } else {
                self.faces.insert(*face);
            }
        }
        self.faces.len() != before
    }

    /// Follows the scene: triangles have other numbers in another one.
    fn follow(&mut self, snapshot: &Snapshot) {
        let of = [snapshot.model, snapshot.scene.serial];
        if self.surface.as_ref().is_some_and(|surface| surface.of == of) {
            return;
        }
        let is_other = self.surface.as_ref().is_some_and(|surface| surface.of[0] != of[0]);
        self.surface = None;
        if is_other {
            (self.tissue, self.faces) = (None, BTreeSet::new());
        }
        let mut items = snapshot.scene.items.iter().enumerate();
        self.surface = items.find_map(|(place, item)| match &item.shape {
            Shape::Tissue { triangles, .. } if Some(item.owner) == self.tissue => {
                Some(Surface::new(of, place, triangles))
            }
            _ => None,
        });
        self.mark(snapshot);
    }

    fn mark(&mut self, snapshot: &Snapshot) {
        let item = self.surface.as_ref().and_then(|it| snapshot.scene.items.get(it.item));
        let triangles = match item.map(|item| &item.shape) {
            Some(Shape::Tissue { faces, .. }) => {
                let painted = (0u32..).zip(faces.iter());
                painted.filter(|(_, face)| self.faces.contains(*face)).map(|(t, _)| t).collect()
            }
            _ => Vec::new(),
        };
        self.marked = Arc::new(MarkedFaces { owner: self.tissue, triangles });
    }
}

impl Surface {
    fn new(of: [u64; 2], item: usize, triangles: &[[u32; 3]]) -> Self {
        let points = triangles.iter().flatten().max().map_or(0, |last| *last as usize + 1);
        let mut starts = vec![0u32; points + 1];
        triangles.iter().flatten().for_each(|&p| starts[p as usize + 1] += 1);
        for k in 0..points {
            starts[k + 1] += starts[k];
        }
        let (mut next, mut list) = (starts.clone(), vec![0; 3 * triangles.len()]);
        for (t, triangle) in (0u32..).zip(triangles) {
            for &p in triangle {
                list[next[p as usize] as usize] = t;
                next[p as usize] += 1;
            }
        }
        Self { of, item, starts, triangles: list }
    }

    /// The triangles that meet a condition and are joined to one by others that do, and this one.
    fn around(
        &self,
        first: u32,
        triangles: &[[u32; 3]],
        meets: impl Fn([u32; 3]) -> bool,
    ) -> BTreeSet<u32> {
        let (mut found, mut open) = (BTreeSet::from([first]), vec![first]);
        while let Some(t) = open.pop() {
            for p in triangles[t as usize] {
                let range = self.starts[p as usize] as usize..self.starts[p as usize + 1] as usize;
                for &next in &self.triangles[range] {
                    if !found.contains(&next) && meets(triangles[next as usize]) {
                        found.insert(next);
                        open.push(next);
                    }
                }
            }
        }
        found
    }
}

/// True of triangles whose middle is seen within a distance [pixel] of a pixel, from their front.
fn seen_within<'r>(
    pixel: [f64; 2],
    radius: f64,
    reach: &'r Reach<'_>,
) -> impl Fn([u32; 3]) -> bool + 'r {
    let drawn = exaggerated(reach.snapshot, &reach.view.options);
    let origin = reach.snapshot.scene.origin;
    let cuts = Cuts::of(&reach.view.options, origin);
    move |triangle| {
        let at = |p: u32| drawn.points.get(p as usize).map(|p| Vec3::from(p.map(f64::from)));
        let [Some(a), Some(b), Some(c)] = triangle.map(at) else { return false };
        let middle = (a + b + c) / 3.0;
        let Some([x, y]) = reach.seen(origin + middle) else { return false };
        let sight = reach.view.camera.ray([x, y], reach.size).direction;
        let is_near = (x - pixel[0]).hypot(y - pixel[1]) <= radius;
        is_near && (b - a).cross(&(c - a)).dot(&sight) < 0.0 && !cuts.is_cut(middle)
    }
}
