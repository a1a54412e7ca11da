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
use crate::model::{Master, PointRef};

/// All attached points, resolved on a pattern without couplings; arms from centres of mass are set later.
pub(super) fn compile(
    flat: &Flat<'_>,
    points: &Numbering,
    fixed: &[[bool; 3]],
) -> Result<AttachmentSet, CompileError> {
    let (mut list, mut weights, mut offsets) = attached_points_of(flat, points);
    // What is attached already stays so.
    let mut known: BTreeSet<u32> = list.attached_rows().iter().copied().collect();
    for tie in ties_of(flat, points)?.into_iter().filter(|tie| known.insert(tie.row)) {
        list.push(tie.row, &tie.masters);
        weights.extend(tie.weights);
        offsets.push(tie.offset);
    }
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

/// Markers and attached points with their masters; arms are set later.
fn attached_points_of(
    flat: &Flat<'_>,
    points: &Numbering,
) -> (AttachmentList, Vec<Weight>, Vec<Vec3>) {
    let mut list = AttachmentList::default();
    let (mut rules, mut offsets) = (Vec::new(), Vec::new());
    let on_body = |body: usize| {
        let (row, zero) = (points.body_rows[body], Vec3::zeros());
        ([row, row + 1], [Weight::Centre, Weight::Turned(body as u32, zero)])
    };
    for (marker, &row) in flat.markers.iter().zip(&points.marker_rows) {
        let body = flat.places.bodies.place(marker.body).expect("references were checked");
        let (masters, weights) = on_body(body);
        offsets.push(Vec3::zeros());
        if marker.moves.is_empty() {
            list.push(row, &masters);
            rules.extend(weights);
            continue;
        }
        let masters = [&masters[..], &masters_of(flat, points, marker)].concat();
        list.push(row, &masters);
        rules.extend(masters.iter().map(|_| Weight::Moving(0)));
    }
    for attachment in &flat.attachments {
        let attached_rows: Vec<u32> =
            attachment.points.iter().map(|&p| points.row(flat, p)).collect();
        let rest = |row: u32| points.rest[row as usize];
        match attachment.master {
            Master::Body(body) => {
                let body = flat.places.bodies.place(body).expect("references were checked");
                for row in attached_rows {
                    let (masters, weights) = on_body(body);
                    list.push(row, &masters);
                    rules.extend(weights);
                    offsets.push(Vec3::zeros());
                }
            }
            Master::Particle(particle) => {
                let master = points.row(flat, PointRef::Particle(particle));
                for row in attached_rows {
                    list.push(row, &[master]);
                    rules.push(Weight::Share(1.0));
                    offsets.push(rest(row) - rest(master));
                }
            }
            Master::Tissue(fem) => {
                let place = flat.places.fems.place(fem).expect("references were checked");
                let mesh = &flat.fems[place].mesh;
                let at: Vec<Vec3> = attached_rows.iter().map(|&row| rest(row)).collect();
                for (row, placed) in attached_rows.into_iter().zip(crate::fem::locate(mesh, &at)) {
                    let node = |&node: &u32| points.fem_rows[place][node as usize];
                    let masters: Vec<u32> = placed.nodes.iter().map(node).collect();
                    list.push(row, &masters);
                    rules.extend(placed.weights.iter().map(|&w| Weight::Share(w)));
                    offsets.push(placed.offset);
                }
            }
        }
    }
    (list, rules, offsets)
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
