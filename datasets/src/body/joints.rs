//! Joints between segments: places in the neutral pose, axes by sense, ranges. Signs: docs/reference/body.md.

use nalgebra::{Isometry3, Rotation3, Translation3, UnitQuaternion};
use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::constraint::{JointKind, Range};
use sinew::model::{FrameSite, Joint};

use super::BodyError;
use super::skeleton::{Build, Placed, Side, unknown};
use super::tables::{JointRow, Tables};

/// Name of the segment that a segment is joined to; `None` for the pelvis.
pub(super) fn parent_of(tables: &Tables, segment: &Placed) -> Option<String> {
    let row = tables.joints.iter().find(|row| row.child == segment.segment)?;
    let pair = tables.segments.iter().any(|it| it.segment == row.parent && it.sides == "pair");
    let ending = if pair { segment.side.ending() } else { "" };
    Some(format!("{}{ending}", row.parent))
}

/// Place of a joint in the frame of its parent [m].
fn in_parent(row: &JointRow, side: Side, parent: &Placed) -> Vec3 {
    let place = side.of(Vec3::new(row.x, row.y, row.z) * parent.scale);
    match row.place.as_str() {
        "end" => place + parent.along * parent.length,
        _ => place,
    }
}

/// Place of a joint of a side in the world [m]; `None` when its parent is not among the segments.
pub(super) fn place(row: &JointRow, side: Side, placed: &[Placed]) -> Option<Vec3> {
    let of = |it: &&Placed| it.segment == row.parent && [side, Side::Middle].contains(&it.side);
    let parent = placed.iter().find(of)?;
    Some(parent.origin + in_parent(row, side, parent))
}

/// Adds the joints between segments that are there.
pub(super) fn add(build: &mut Build, tables: &Tables) -> Result<(), BodyError> {
    let segments: Vec<_> = build.bodies.values().cloned().collect();
    for row in &tables.joints {
        for (child, segment) in segments.iter().filter(|(_, it)| it.segment == row.child) {
            let parent = parent_of(tables, segment).unwrap_or_default();
            let Some((parent, of)) = build.bodies.get(&parent) else { continue };
            let turn = axes(row, segment.side)?;
            let at = |p: Vec3| Isometry3::from_parts(Translation3::from(p), turn);
            let (c, d) = (at(Vec3::zeros()), at(in_parent(row, segment.side, of)));
            let (c, d) = (FrameSite::on(*child, c), FrameSite::on(*parent, d));
            let kind = JointKind::from_name(&row.kind)
                .ok_or_else(|| unknown("joints", &row.joint, "the kind of joint", &row.kind))?;
            let mut joint = Joint::new(kind, c, d);
            let ranges = ranges(row, kind.coordinate_count())?;
            for (coordinate, range) in joint.settings.coordinates.iter_mut().zip(ranges) {
                coordinate.range = range;
            }
            build.model.add(joint.named(format!("{}{}", row.joint, segment.side.ending())));
        }
    }
    Ok(())
}

/// Axes of both frames of a joint in the neutral pose. The first coordinate turns about z, the second about y, the
/// third about x.
fn axes(row: &JointRow, side: Side) -> Result<UnitQuaternion<f64>, BodyError> {
    let (x, y, z) = (Vec3::x(), Vec3::y(), Vec3::z());
    let basis = match (row.sense.as_str(), side) {
        ("limb", Side::Left | Side::Middle) => [-z, x, -y],
        ("limb", Side::Right) => [z, -x, -y],
        ("knee", _) => [z, x, y],
        ("trunk", _) => [-z, -x, y],
        (other, _) => return Err(unknown("joints", &row.joint, "the sense", other)),
    };
    Ok(UnitQuaternion::from_rotation_matrix(&Rotation3::from_basis_unchecked(&basis)))
}

/// Ranges of the coordinates [rad].
fn ranges(row: &JointRow, count: usize) -> Result<Vec<Range>, BodyError> {
    let range = |text: &str| {
        let (low, high) = text.split_once(':')?;
        let [low, high] = [low, high].map(|end| end.parse::<f64>().ok());
        Some(Range::new(low?.to_radians(), high?.to_radians()))
    };
    let ranges: Option<Vec<Range>> = row.ranges.split_whitespace().map(range).collect();
    let ranges = ranges.filter(|ranges| ranges.len() == count);
    ranges.ok_or_else(|| unknown("joints", &row.joint, "the ranges", &row.ranges))
}
