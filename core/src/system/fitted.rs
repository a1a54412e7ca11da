//! Bodies that are fitted to points: the masters of their two rows, with weights that depend on where these are.
//! The rotation comes from the polar factor of F (`attachment::Turning`), the centre of mass from the
//! weighted mean of the points and an arm that turns with the body.

use nalgebra::{Rotation3, UnitQuaternion};

use super::check::CompileError;
use super::flat::Flat;
use super::multibody::{AttachmentSet, Multibody, Weight};
use super::numbering::Numbering;
use crate::attachment::{TurnRates, Turning};
use crate::dynamics::turn_between;
use crate::fem::locate_frames;
use crate::model::{FrameAttachment, FrameMaster, PointRef};
use crate::{Mat3, Vec3};

/// A body that is fitted to points.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedBody {
    /// Its number among the bodies.
    pub body: u32,
    /// Number of the attached point that is its rotation.
    pub rotation: u32,
    /// Number of the attached point that is its centre of mass.
    pub center: u32,
    /// Its orientation where F does not turn.
    pub rest: UnitQuaternion<f64>,
}

/// Masters, with weights and vectors for F.
struct Anchor {
    rows: Vec<u32>,
    weights: Vec<f64>,
    gradients: Vec<Vec3>,
}

/// Adds the rows of all bodies that are fitted to points to the attached points, once it is known where their centres of
/// mass are.
pub(super) fn add(
    flat: &Flat<'_>,
    points: &Numbering,
    attachments: &mut AttachmentSet,
) -> Result<(), CompileError> {
    let AttachmentSet { list, weights, offsets, fitted, .. } = attachments;
    for (handle, attachment) in flat.model.iter::<FrameAttachment>() {
        let body = flat.places.bodies.place(attachment.body).expect("references were checked");
        if !flat.bodies[body].dynamic {
            let [path, body] = [flat.model.path(handle), flat.model.path(attachment.body)];
            return Err(CompileError::FittedNotDynamic { path, body });
        }
        let row = points.body_rows[body];
        let anchor = anchor_of(flat, points, attachment, &points.rest[row as usize]);
        let number = fitted.len() as u32;
        let rotation = list.attached_rows().len() as u32;
        list.push(row + 1, &anchor.rows);
        weights.extend(anchor.gradients.iter().map(|g| Weight::Gradient(number, *g)));
        let at = |(&row, &w): (&u32, &f64)| points.rest[row as usize] * w;
        let place: Vec3 = anchor.rows.iter().zip(&anchor.weights).map(at).sum();
        let pose = &flat.bodies[body].pose;
        let arm = pose.rotation.inverse() * (points.rest[row as usize] - place);
        list.push(row, &[&anchor.rows[..], &[row + 1]].concat());
        weights.extend(anchor.weights.iter().map(|&w| Weight::Share(w)));
        weights.push(Weight::Turned(body as u32, arm));
        offsets.extend([Vec3::zeros(); 2]);
        let (body, center) = (body as u32, rotation + 1);
        fitted.push(FittedBody { body, rotation, center, rest: pose.rotation });
    }
    Ok(())
}

fn anchor_of(
    flat: &Flat<'_>,
    points: &Numbering,
    attachment: &FrameAttachment,
    center: &Vec3,
) -> Anchor {
    match &attachment.master {
        FrameMaster::Tissue(fem) => {
            let place = flat.places.fems.place(*fem).expect("references were checked");
            let mesh = &flat.fems[place].mesh;
            let placed = locate_frames(mesh, &[*center]).swap_remove(0);
            let row = |&node: &u32| points.fem_rows[place][node as usize];
            let rows = placed.nodes.iter().map(row).collect();
            Anchor { rows, weights: placed.weights, gradients: placed.gradients }
        }
        FrameMaster::Points(list) => {
            let row = |&point: &PointRef| points.row(flat, point);
            let rows: Vec<u32> = list.iter().map(row).collect();
            let given = &attachment.weights;
            let weights = if given.is_empty() { vec![1.0; rows.len()] } else { given.clone() };
            let at: Vec<Vec3> = rows.iter().map(|&row| points.rest[row as usize]).collect();
            least_squares(rows, &weights, &at)
        }
    }
}

/// The rotation that brings points from where they are at the start nearest to where they are, squares of
/// distances weighted (Kabsch1976), is the polar factor of the sum of w q (q_0 - mean of q_0)ᵀ.
fn least_squares(rows: Vec<u32>, weights: &[f64], at: &[Vec3]) -> Anchor {
    let sum: f64 = weights.iter().sum();
    let weights: Vec<f64> = weights.iter().map(|w| w / sum).collect();
    let center: Vec3 = at.iter().zip(&weights).map(|(x, w)| x * *w).sum();
    let spread = |(x, w): (&Vec3, &f64)| (x - center).norm_squared() * w;
    // So that the stretch is 1 in the mean where nothing has moved.
    let scale = 3.0 / at.iter().zip(&weights).map(spread).sum::<f64>();
    let gradient = |(x, w): (&Vec3, &f64)| (x - center) * (w * scale);
    let gradients = at.iter().zip(&weights).map(gradient).collect();
    Anchor { rows, weights, gradients }
}

impl Multibody {
    /// Polar factors of the points that fitted body number `k` follows, at positions `q` [m].
    pub fn turning(&self, k: usize, q: &[Vec3]) -> Turning {
        let rotation = self.attachments.fitted[k].rotation as usize;
        let AttachmentSet { list, weights, .. } = &self.attachments;
        let (masters, rules) = (list.masters(rotation), &weights[list.weights(rotation)]);
        let origin = masters.first().map_or_else(Vec3::zeros, |&row| q[row as usize]);
        let mut f = Mat3::zeros();
        for (&row, rule) in masters.iter().zip(rules) {
            if let Weight::Gradient(_, g) = rule {
                f += (q[row as usize] - origin) * g.transpose();
            }
        }
        Turning::of(&f)
    }

    /// Rates of all fitted bodies at positions `q` [m].
    pub fn update_rates(&self, q: &[Vec3], rates: &mut [TurnRates]) {
        for (k, rates) in rates.iter_mut().enumerate() {
            *rates = self.turning(k, q).rates();
        }
    }

    /// Number among the fitted bodies of the one whose rotation attached row `k` is.
    pub(super) fn fitted_at(&self, k: usize) -> Option<usize> {
        match self.attachments.weights.get(self.attachments.list.weights(k).start) {
            Some(Weight::Gradient(fitted_body, _)) => Some(*fitted_body as usize),
            _ => None,
        }
    }

    /// Rotation of fitted body number `k` at positions `q`: its matrix into `turns`, its vector into its row.
    pub(super) fn turn_fitted(&self, k: usize, turns: &mut [Mat3], q: &mut [Vec3]) {
        let fitted_body = &self.attachments.fitted[k];
        let turn = Rotation3::from_matrix_unchecked(self.turning(k, q).rotation);
        let turn = UnitQuaternion::from_rotation_matrix(&turn) * fitted_body.rest;
        turns[fitted_body.body as usize] = turn.to_rotation_matrix().into_inner();
        let row = self.bodies[fitted_body.body as usize].row as usize;
        q[row + 1] = turn_between(&UnitQuaternion::identity(), &turn);
    }

    /// Leaves the two rows of fitted bodies the velocities `own`, and gives what is fixed to them those that
    /// follow; `weights` are those of the list.
    pub(crate) fn keep_fitted(&self, own: &[Vec3], weights: &[Mat3], u: &mut [Vec3]) {
        if self.attachments.fitted.is_empty() {
            return;
        }
        let attached_rows = self.attachments.list.attached_rows();
        for &k in self.attachments.resolved.order() {
            let row = attached_rows[k as usize] as usize;
            let range = self.attachments.list.weights(k as usize);
            let parts = self.attachments.list.masters(k as usize).iter().zip(&weights[range]);
            u[row] = match self.is_fitted(k) {
                true => own[row],
                false => parts.map(|(&m, w)| w * u[m as usize]).sum(),
            };
        }
    }

    /// True if attached row `k` is a row of a fitted body.
    fn is_fitted(&self, k: u32) -> bool {
        self.attachments
            .fitted
            .iter()
            .any(|fitted_body| fitted_body.rotation == k || fitted_body.center == k)
    }
}
