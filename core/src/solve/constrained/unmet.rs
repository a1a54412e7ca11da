//! Rows that are not met: a run in which joints are apart is none of the model that was asked for.

use super::Constrained;
use crate::solve::failure::Failure;
use crate::system::Multibody;

/// Largest error of a rigid row that a run goes on with: of a length this share of the length of its bodies, and of an
/// angle this many rad. Joints that contradict each other by a millimetre are the way models are; a body
/// whose joints are a tenth of its length apart is not joined.
const ALLOWED: f64 = 0.02;

/// Refuses an iterate whose rigid rows are further from being met than those of a model with small
/// contradictions, or are no numbers, by the name of the worst.
pub(super) fn ensure_met(own: &Constrained, multibody: &Multibody) -> Result<(), Failure> {
    let values = &own.parts.trial.values;
    let rigid = multibody.joints.compliance.iter().zip(values).enumerate();
    let rigid = rigid.filter(|(_, (soft, _))| soft.compliance == 0.0);
    let error = |(row, (_, value)): (usize, (_, &f64))| {
        let share = value.abs() / length_of_row(multibody, row);
        (row, if share.is_nan() { f64::INFINITY } else { share })
    };
    let worst = rigid.map(error).max_by(|a, b| a.1.total_cmp(&b.1));
    match worst {
        Some((row, share)) if share > ALLOWED => {
            let (name, error) = (multibody.joints.names[row].clone(), values[row].abs());
            let pair = own.contacts.as_ref().and_then(|rows| rows.near.touching(multibody, 0.0));
            Err(Failure::Unmet { name, error, pair })
        }
        _ => Ok(()),
    }
}

/// Length that the errors of a row are compared with: that of the largest of its bodies [m]; 1 without any.
fn length_of_row(multibody: &Multibody, row: usize) -> f64 {
    let blocks = multibody.joints.rows.lists()[row].iter();
    let bodies = blocks.filter_map(|&block| multibody.body_of_rotation(block));
    let length = bodies.map(|body| multibody.bodies[body].length()).fold(0.0, f64::max);
    if length > 0.0 { length } else { 1.0 }
}
