//! Checks of the shapes and pairs that a detector is made of.

use super::surfaces::Surfaces;
use super::{Collider, ContactError, Member, Pair, PointSet};

/// Refuses shapes, poses and sets that cannot be used.
pub(super) fn check_members(
    colliders: &[Collider],
    point_sets: &[PointSet],
    surfaces: &Surfaces,
) -> Result<(), ContactError> {
    for (index, collider) in colliders.iter().enumerate() {
        collider.shape.check(index)?;
        let pose = collider.pose.to_homogeneous();
        if !pose.iter().all(|x| x.is_finite()) {
            let kind = collider.shape.kind();
            return Err(ContactError::PoseNotFinite { collider: index, kind });
        }
    }
    for (index, set) in point_sets.iter().enumerate() {
        if set.rows.is_empty() {
            return Err(ContactError::NoPoints { what: "point set", index });
        }
        if !(set.radius >= 0.0 && set.radius.is_finite()) {
            return Err(ContactError::SetRadius { set: index, radius: set.radius });
        }
        if !set.surface.is_sound() {
            return Err(ContactError::SetSurface { set: index });
        }
    }
    match surfaces.list().position(|surface| !surface.is_sound()) {
        Some(surface) => Err(ContactError::Surface { surface }),
        None => Ok(()),
    }
}

/// Refuses pairs of members that are not there, that cannot touch, or that are listed twice.
pub(super) fn check_pairs(
    colliders: &[Collider],
    point_sets: &[PointSet],
    surfaces: &Surfaces,
    pairs: &[Pair],
) -> Result<(), ContactError> {
    for (index, pair) in pairs.iter().enumerate() {
        for member in [pair.a, pair.b] {
            let (what, at, count) = match member {
                Member::Collider(c) => ("collider", c, colliders.len()),
                Member::Points(s) => ("point set", s, point_sets.len()),
                Member::Surface(s) => ("surface", s, surfaces.list().count()),
            };
            if at as usize >= count {
                return Err(ContactError::Missing { pair: index, what, index: at, count });
            }
        }
        if !(pair.margin >= 0.0 && pair.margin.is_finite()) {
            return Err(ContactError::Margin { pair: index, margin: pair.margin });
        }
        check_kinds(colliders, pair, index)?;
    }
    let members = |pair: usize| {
        let Pair { a, b, .. } = pairs[pair];
        (a.min(b), a.max(b))
    };
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    order.sort_by_key(|&pair| (members(pair), pair));
    match order.windows(2).find(|two| members(two[0]) == members(two[1])) {
        Some(two) => Err(ContactError::Repeated { first: two[0], second: two[1] }),
        None => Ok(()),
    }
}

/// Refuses two clouds, two half-spaces, a surface and anything else, and what is fixed to each other.
fn check_kinds(colliders: &[Collider], pair: &Pair, index: usize) -> Result<(), ContactError> {
    let collider = |member| match member {
        Member::Collider(c) => Some(&colliders[c as usize]),
        Member::Points(_) | Member::Surface(_) => None,
    };
    let is_surface = |member| matches!(member, Member::Surface(_));
    if is_surface(pair.a) && is_surface(pair.b) {
        let (thickness, fits) =
            (pair.thickness, pair.thickness > 0.0 && pair.thickness.is_finite());
        return fits.then_some(()).ok_or(ContactError::Thickness { pair: index, thickness });
    }
    let kind = |member| {
        let other = if is_surface(member) { "surface of a tissue" } else { "point set" };
        collider(member).map_or(other, |c| c.shape.kind())
    };
    let is_cloud = |member| collider(member).is_none_or(|c| c.shape.is_cloud());
    let is_plane = |member| collider(member).is_some_and(|c| c.shape.is_plane());
    let is_mixed = is_surface(pair.a) || is_surface(pair.b);
    if is_mixed || (is_cloud(pair.a) && is_cloud(pair.b)) || (is_plane(pair.a) && is_plane(pair.b))
    {
        return Err(ContactError::Kinds { pair: index, a: kind(pair.a), b: kind(pair.b) });
    }
    match (collider(pair.a), collider(pair.b)) {
        (Some(a), Some(b)) if a.frame == b.frame => Err(ContactError::SameFrame { pair: index }),
        _ => Ok(()),
    }
}
