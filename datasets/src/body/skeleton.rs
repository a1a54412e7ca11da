//! Persons, and the segments of their skeletons: names, sizes, frames in the neutral pose, masses and inertias (keys
//! deLeva1996, Zatsiorsky1983).

use std::collections::BTreeMap;

use nalgebra::Isometry3;
use sinew::component::Handle;
use sinew::dynamics::SpatialInertia;
use sinew::model::{Inertia, Model, RigidBody};
use sinew::{Mat3, Vec3};

use super::tables::{InertiaRow, JointRow, SegmentRow, Tables};
use super::{BodyError, joints};

/// Proportions of the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sex {
    /// Those of men.
    #[default]
    Male,
    /// Those of women.
    Female,
}

impl Sex {
    /// Names on the command line and in the tables.
    pub const NAMED: &[(&str, Self)] = &[("male", Self::Male), ("female", Self::Female)];

    fn name(self) -> &'static str {
        match self {
            Self::Male => "male",
            Self::Female => "female",
        }
    }
}

/// Source of the masses of segments; their sum is always the mass of the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MassRule {
    /// Fractions of the mass of the body (deLeva1996).
    #[default]
    Fractions,
    /// Regression of stature and mass, then in proportion (Zatsiorsky1983).
    Regression,
}

impl MassRule {
    /// Names on the command line.
    pub const NAMED: &[(&str, Self)] =
        &[("fractions", Self::Fractions), ("regression", Self::Regression)];
}

/// A person.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Person {
    /// Stature [m].
    pub stature: f64,
    /// Mass [kg].
    pub mass: f64,
    /// Proportions.
    pub sex: Sex,
    /// Source of masses of segments.
    pub masses: MassRule,
}

impl Default for Person {
    /// A man of 1.78 m and 74 kg.
    fn default() -> Self {
        Self { stature: 1.78, mass: 74.0, sex: Sex::Male, masses: MassRule::Fractions }
    }
}

/// Side of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// Neither.
    Middle,
    /// The left, where y is positive.
    Left,
    /// The right: the mirror image of the left.
    Right,
}

impl Side {
    /// Both sides.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// Ending of names.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Middle => "",
            Self::Left => "_l",
            Self::Right => "_r",
        }
    }

    /// A point or a vector of the left on this side.
    pub fn of(self, left: Vec3) -> Vec3 {
        match self {
            Self::Middle | Self::Left => left,
            Self::Right => Vec3::new(left.x, -left.y, left.z),
        }
    }
}

/// Height of the ankle over the sole, over stature (Drillis1966).
const ANKLE_HEIGHT: f64 = 0.039;
/// Stature at which lengths of muscle fibres are tabulated [m] (deLeva1996, men).
pub(super) const REFERENCE_STATURE: f64 = 1.741;

/// A segment of a person, placed in the neutral pose.
#[derive(Clone, Debug)]
pub struct Placed {
    /// Name with its side.
    pub name: String,
    /// Name in the tables.
    pub segment: String,
    /// Its side.
    pub side: Side,
    /// Direction from its proximal to its distal end, of length 1.
    pub along: Vec3,
    /// Length [m].
    pub length: f64,
    /// Scale of attachments and bones [m].
    pub scale: f64,
    /// Origin in the world, its axes being those of the world [m].
    pub origin: Vec3,
    /// Mass [kg].
    pub mass: f64,
    /// Centre of mass in its frame [m].
    pub center: Vec3,
    /// Moments of inertia about x, y, z through the centre of mass [kg m²].
    pub moments: Vec3,
}

impl Placed {
    /// A point of the tables in the frame of the segment [m].
    pub fn point(&self, at: [f64; 3]) -> Vec3 {
        self.side.of(Vec3::from(at) * self.scale)
    }

    /// The body, without a surface.
    pub(super) fn body(&self) -> Result<RigidBody, BodyError> {
        let made = SpatialInertia::new(self.mass, self.center, Mat3::from_diagonal(&self.moments));
        let refused = |source| BodyError::Inertia { segment: self.name.clone(), source };
        let body = RigidBody::new(self.name.clone(), Inertia::Explicit(made.map_err(refused)?));
        Ok(body.at(Isometry3::translation(self.origin.x, self.origin.y, self.origin.z)))
    }
}

/// A body under construction.
#[derive(Debug)]
pub struct Build {
    /// The model.
    pub model: Model,
    /// Bodies and their segments by name.
    pub bodies: BTreeMap<String, (Handle<RigidBody>, Placed)>,
    /// The person.
    pub person: Person,
}

/// Every segment of a person in the order of the table, those of pairs left and right.
///
/// # Errors
/// Rows that name what is not there.
pub fn placed_segments(tables: &Tables, person: &Person) -> Result<Vec<Placed>, BodyError> {
    let mut placed: Vec<Placed> = Vec::new();
    let total = total_mass(tables, person)?;
    for row in in_order(tables)? {
        let sides: &[Side] =
            if row.sides == "pair" { &Side::BOTH } else { std::slice::from_ref(&Side::Middle) };
        for &side in sides {
            let mut segment = sized(tables, person, row, side)?;
            segment.mass *= person.mass / total;
            segment.moments *= person.mass / total;
            segment.origin = match joint_to(tables, row) {
                None => Vec3::z() * root_height(tables, person),
                Some(joint) => joints::place(joint, side, &placed)
                    .ok_or_else(|| unknown("joints", &joint.joint, "the segment", &joint.parent))?,
            };
            placed.push(segment);
        }
    }
    Ok(placed)
}

/// Rows of segments, parents before children.
fn in_order(tables: &Tables) -> Result<Vec<&SegmentRow>, BodyError> {
    let mut rows: Vec<&SegmentRow> = Vec::new();
    while rows.len() < tables.segments.len() {
        let known = |name: &str, rows: &[&SegmentRow]| rows.iter().any(|it| it.segment == name);
        let next = tables.segments.iter().find(|row| {
            let rooted = joint_to(tables, row).is_none_or(|joint| known(&joint.parent, &rows));
            rooted && !known(&row.segment, &rows)
        });
        let Some(next) = next else {
            let left = tables.segments.iter().find(|row| !known(&row.segment, &rows));
            let name = left.map_or("", |row| row.segment.as_str());
            return Err(unknown("joints", name, "a parent of", name));
        };
        rows.push(next);
    }
    Ok(rows)
}

/// Joint of which a segment is the child.
fn joint_to<'a>(tables: &'a Tables, row: &SegmentRow) -> Option<&'a JointRow> {
    tables.joints.iter().find(|joint| joint.child == row.segment)
}

/// Height of the hips of a person who stands [m].
fn root_height(tables: &Tables, person: &Person) -> f64 {
    let legs = tables.segments.iter().filter(|row| ["thigh", "shank"].contains(&&*row.segment));
    person.stature * (legs.map(|row| length_of(row, person.sex)).sum::<f64>() + ANKLE_HEIGHT)
}

fn length_of(row: &SegmentRow, sex: Sex) -> f64 {
    match sex {
        Sex::Male => row.length_male,
        Sex::Female => row.length_female,
    }
}

fn inertia_of<'a>(
    tables: &'a Tables,
    row: &SegmentRow,
    sex: Sex,
) -> Result<&'a InertiaRow, BodyError> {
    let found = tables.inertias.iter().find(|it| it.segment == row.segment && it.sex == sex.name());
    found.ok_or_else(|| unknown("segments", &row.segment, "the inertia of sex", sex.name()))
}

/// Mass of a segment before all are scaled to the mass of the body [kg].
fn raw_mass(tables: &Tables, person: &Person, row: &SegmentRow) -> Result<f64, BodyError> {
    // A child far from the samples of the regression still has segments with mass.
    const LEAST: f64 = 0.2;
    let fraction = 0.01 * inertia_of(tables, row, person.sex)?.mass * person.mass;
    Ok(match person.masses {
        MassRule::Fractions => fraction,
        MassRule::Regression => {
            (row.b0 + row.b1 * person.mass + row.b2 * 100.0 * person.stature).max(LEAST * fraction)
        }
    })
}

fn total_mass(tables: &Tables, person: &Person) -> Result<f64, BodyError> {
    let mut total = 0.0;
    for row in &tables.segments {
        let sides = if row.sides == "pair" { 2.0 } else { 1.0 };
        total += sides * raw_mass(tables, person, row)?;
    }
    Ok(total)
}

/// A segment of its size and mass, at the origin.
fn sized(
    tables: &Tables,
    person: &Person,
    row: &SegmentRow,
    side: Side,
) -> Result<Placed, BodyError> {
    let inertia = inertia_of(tables, row, person.sex)?;
    let mass = raw_mass(tables, person, row)?;
    let length = person.stature * length_of(row, person.sex);
    let scale = match person.sex {
        Sex::Male => row.scale_male,
        Sex::Female => row.scale_female,
    };
    let square = |percent: f64| mass * (0.01 * percent * length).powi(2);
    let [sagittal, transverse, long] =
        [inertia.sagittal, inertia.transverse, inertia.longitudinal].map(square);
    let (along, across, moments) = match row.along.as_str() {
        "z" => (Vec3::z(), Vec3::x(), Vec3::new(sagittal, transverse, long)),
        "-z" => (-Vec3::z(), Vec3::x(), Vec3::new(sagittal, transverse, long)),
        // The foot: its longitudinal axis is x, its sagittal one goes from the sole upwards.
        "x" => (Vec3::x(), Vec3::z(), Vec3::new(long, transverse, sagittal)),
        other => return Err(unknown("segments", &row.segment, "the direction", other)),
    };
    Ok(Placed {
        name: format!("{}{}", row.segment, side.ending()),
        segment: row.segment.clone(),
        side,
        along,
        length,
        scale: person.stature * scale,
        origin: Vec3::zeros(),
        mass,
        center: (along * inertia.com + across * inertia.com_across) * (0.01 * length),
        moments,
    })
}

pub(super) fn unknown(table: &'static str, row: &str, what: &'static str, name: &str) -> BodyError {
    BodyError::Unknown { table, row: row.to_owned(), what, name: name.to_owned() }
}
