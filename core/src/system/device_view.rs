//! A compiled model as data, for a backend that computes forces by itself: tissues, muscles, loads, drag,
//! and the names of other forces.

use super::{DeviceView, MechSystem};
use crate::Vec3;
use crate::force::{EffectorView, TissueBatch, TissueMuscles};
use crate::model::Schedule;

/// Forces that share one time course.
#[derive(Clone, Debug, PartialEq)]
pub struct RowLoad<'a> {
    /// Their time course.
    pub schedule: &'a Schedule,
    /// Rows that are loaded, rising, each once, with the force at a schedule value of 1 [N].
    pub forces: Vec<(u32, Vec3)>,
}

impl<'a> DeviceView<'a> {
    /// Number of the loads, supports, masses and forces that this view shows: another one whenever numbers of them have changed,
    /// but for excitations, which the view of muscles knows.
    pub fn revision(self) -> u64 {
        self.system.revision
    }

    /// All batches of elements, in the order in which they are evaluated.
    pub fn tissue_batches(self) -> impl Iterator<Item = TissueBatch<'a>> {
        self.system.effectors().filter_map(|effector| match effector.view() {
            EffectorView::Tissue(batch) => Some(batch),
            _ => None,
        })
    }

    /// Muscles in tissue, where the model has any.
    pub fn muscles(self) -> Option<&'a dyn TissueMuscles> {
        self.system.effectors().find_map(|effector| match effector.view() {
            EffectorView::Muscles(muscles) => Some(muscles),
            _ => None,
        })
    }

    /// Weight, body loads and point loads; those of equal time courses are one.
    pub fn row_loads(self) -> Vec<RowLoad<'a>> {
        let mut fields: Vec<(&'a Schedule, Vec<Vec3>)> = Vec::new();
        for effector in self.system.effectors() {
            match effector.view() {
                EffectorView::BodyForces { acceleration, schedule, masses } => {
                    let field = field_of(&mut fields, schedule, masses.len());
                    field.iter_mut().zip(masses).for_each(|(f, &m)| *f += acceleration * m);
                }
                EffectorView::PointForces(loads) => {
                    for (row, force, schedule) in loads {
                        let field = field_of(&mut fields, schedule, self.system.block_count());
                        field[*row as usize] += force;
                    }
                }
                EffectorView::Tissue(_)
                | EffectorView::Muscles(_)
                | EffectorView::Drag(_)
                | EffectorView::Border(_)
                | EffectorView::Other(_) => {}
            }
        }
        let loaded = |field: Vec<Vec3>| {
            (0..).zip(field).filter(|(_, f)| *f != Vec3::zeros()).collect::<Vec<(u32, Vec3)>>()
        };
        let loads = fields.into_iter().map(|(s, f)| RowLoad { schedule: s, forces: loaded(f) });
        loads.filter(|load| !load.forces.is_empty()).collect()
    }

    /// Viscous drag against space, c of every row [N s/m]: point damping and the mass part of
    /// Rayleigh damping.
    pub fn drag_coefficients(self) -> Vec<f64> {
        let mut sum = vec![0.0; self.system.masses().len()];
        for effector in self.system.effectors() {
            if let EffectorView::Drag(coefficients) = effector.view() {
                sum.iter_mut().zip(coefficients).for_each(|(s, c)| *s += c);
            }
        }
        sum
    }

    /// Effectors that are neither tissue nor muscles in it nor a load nor drag, and that do not act on a [border](Self::border), by
    /// their names for people: a backend that does not know one must not run the model.
    pub fn other_effectors(self) -> Vec<&'static str> {
        self.system
            .effectors()
            .filter_map(|effector| match effector.view() {
                EffectorView::Other(name) => Some(name),
                _ => None,
            })
            .collect()
    }
}

/// The field of this time course, `rows` zeros if there is none yet.
fn field_of<'f, 'a>(
    fields: &'f mut Vec<(&'a Schedule, Vec<Vec3>)>,
    schedule: &'a Schedule,
    rows: usize,
) -> &'f mut Vec<Vec3> {
    let known = fields.iter().position(|(s, _)| *s == schedule);
    let place = known.unwrap_or_else(|| {
        fields.push((schedule, vec![Vec3::zeros(); rows]));
        fields.len() - 1
    });
    &mut fields[place].1
}
