//! Compilation of attached points: markers, and points of attachments, with their masters and weights. Bodies that
//! are fitted to points: `fitted.rs`.

use std::collections::BTreeSet;

use super::check::CompileError;
use super::flat::Flat;
use super::markers::masters_of;
use super::multibody::{AttachmentSet, BodyRows, Weight};
use super::numbering::Numbering;
use super::ties::ties_of;
use crate::Vec3;
use crate::attachment::{AttachmentError, AttachmentList, Attachments};
use crate::linalg::BlockPattern;
use crate::model::{Attachment, FrameMarker, Master, PointRef};

/// All attached points, resolved on a pattern without couplings; arms from centres of mass are set later.
pub(super) fn compile(
    flat: &Flat<'_>,
    points: &Numbering,
    fixed: &[[bool; 3]],
) -> Result<AttachmentSet, CompileError> {
    let mut all = attached_points_of(flat, points);
    // What is attached already stays so.
    let mut known: BTreeSet<u32> = all.list.attached_rows().iter().copied().collect();
    for tie in ties_of(flat, points)?.into_iter().filter(|tie| known.insert(tie.row)) {
        all.push(tie.row, &tie.masters, tie.weights, tie.offset);
    }
    let Attaching { list, weights, offsets } = all;
    let bare = BlockPattern::from_cliques(points.rest.len(), |_| {});
    let resolved = Attachments::new(&bare, &list, fixed).map_err(|e| named(flat, points, e))?;
    Ok(AttachmentSet { resolved, list, weights, offsets, fitted: Vec::new(), moving: Vec::new() })
}

/// Sets the arms of attached points, once it is known where the centres of mass are.
pub(super) fn set_arms(
    attachments: &mut AttachmentSet,
    flat: &Flat<'_>,
    points: &Numbering,
    bodies: &[BodyRows],
) {
    let AttachmentSet { list, weights, .. } = attachments;
    for k in 0..list.attached_rows().len() {
        let at = points.rest[list.attached_rows()[k] as usize];
        for weight in &mut weights[list.weights(k)] {
            if let Weight::Turned(body, arm) = weight {
                let pose = &flat.bodies[*body as usize].pose;
                let center = bodies[*body as usize].inertia.center_of_mass();
                *arm = pose.inverse_transform_point(&at.into()).coords - center;
            }
        }
    }
}

/// Position at which the mass of each attached point counts [m]: one that keeps its offset from
/// other points has it along the axes of the world, so that it moves as if it were where these are.
pub(super) fn places_of_mass(attachments: &AttachmentSet, rest: &[Vec3]) -> Vec<Vec3> {
    let AttachmentSet { resolved, list, weights, .. } = attachments;
    let mut places = rest.to_vec();
    for k in resolved.order().iter().map(|&k| k as usize) {
        let share = |(&master, rule): (&u32, &Weight)| match rule {
            Weight::Share(share) => Some(places[master as usize] * *share),
            Weight::Centre | Weight::Turned(..) | Weight::Gradient(..) | Weight::Moving(_) => None,
        };
        let masters = list.masters(k).iter().zip(&weights[list.weights(k)]);
        if let Some(place) = masters.map(share).sum::<Option<Vec3>>() {
            places[list.attached_rows()[k] as usize] = place;
        }
    }
    places
}

/// Attached points with their masters, as they are listed; arms are set later.
#[derive(Default)]
struct Attaching {
    list: AttachmentList,
    weights: Vec<Weight>,
    offsets: Vec<Vec3>,
}

impl Attaching {
    fn push(
        &mut self,
        row: u32,
        masters: &[u32],
        weights: impl IntoIterator<Item = Weight>,
        offset: Vec3,
    ) {
        self.list.push(row, masters);
        self.weights.extend(weights);
        self.offsets.push(offset);
    }

    fn add_marker(
        &mut self,
        flat: &Flat<'_>,
        points: &Numbering,
        (k, marker): (usize, &FrameMarker),
    ) {
        let row = points.marker_rows[k];
        let body = flat.places.bodies.place(marker.body).expect("references were checked");
        let (masters, weights) = on_body(points, body);
        if marker.moves.is_empty() {
            self.push(row, &masters, weights, Vec3::zeros());
            return;
        }
        let masters = [&masters[..], &masters_of(flat, points, marker)].concat();
        let weights = masters.iter().map(|_| Weight::Moving(0));
        self.push(row, &masters, weights, Vec3::zeros());
    }

    fn add_attachment(&mut self, flat: &Flat<'_>, points: &Numbering, attachment: &Attachment) {
        let rows = attachment.points.iter().map(|&point| points.row(flat, point));
        let rest = |row: u32| points.rest[row as usize];
        match attachment.master {
            Master::Body(body) => {
                let body = flat.places.bodies.place(body).expect("references were checked");
                let (masters, weights) = on_body(points, body);
                rows.for_each(|row| self.push(row, &masters, weights, Vec3::zeros()));
            }
            Master::Particle(particle) => {
                let master = points.row(flat, PointRef::Particle(particle));
                for row in rows {
                    self.push(row, &[master], [Weight::Share(1.0)], rest(row) - rest(master));
                }
            }
            Master::Tissue(fem) => {
                let place = flat.places.fems.place(fem).expect("references were checked");
                let rows: Vec<u32> = rows.collect();
                let at: Vec<Vec3> = rows.iter().map(|&row| rest(row)).collect();
                let placed = crate::fem::locate(&flat.fems[place].mesh, &at);
                for (row, placed) in rows.into_iter().zip(placed) {
                    let node = |&node: &u32| points.fem_rows[place][node as usize];
                    let masters: Vec<u32> = placed.nodes.iter().map(node).collect();
                    let weights = placed.weights.iter().map(|&w| Weight::Share(w));
                    self.push(row, &masters, weights, placed.offset);
                }
            }
        }
    }
}

/// Masters of a point on a body, with weights whose arm is not known yet.
fn on_body(points: &Numbering, body: usize) -> ([u32; 2], [Weight; 2]) {
    let row = points.body_rows[body];
    ([row, row + 1], [Weight::Centre, Weight::Turned(body as u32, Vec3::zeros())])
}

/// Markers, and points of attachments.
fn attached_points_of(flat: &Flat<'_>, points: &Numbering) -> Attaching {
    let mut all = Attaching::default();
    for (k, marker) in flat.markers.iter().enumerate() {
        all.add_marker(flat, points, (k, marker));
    }
    for attachment in &flat.attachments {
        all.add_attachment(flat, points, attachment);
    }
    all
}

/// The same error in the words of the model.
pub(super) fn named(flat: &Flat<'_>, points: &Numbering, error: AttachmentError) -> CompileError {
    let row = match &error {
        AttachmentError::BlockRow { row, .. }
        | AttachmentError::AttachedTwice { row }
        | AttachmentError::NoMaster { row }
        | AttachmentError::AttachedFixed { row } => *row,
        AttachmentError::Cycle { members } => members.first().copied().unwrap_or(0),
    };
    let point = points.point_at(flat, row).map(|point| flat.model.path(point.address()));
    let body = points.body_rows.iter().position(|&r| r == row || r + 1 == row);
    let body = body.map(|k| flat.model.path(flat.places.bodies.handles()[k]));
    let point = point.or(body).unwrap_or_else(|| format!("row {row}"));
    CompileError::Attachment { point, error }
}
