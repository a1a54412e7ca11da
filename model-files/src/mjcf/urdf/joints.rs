//! Joints of URDF, and those that follow others.

use sinew::Vec3;

use super::super::view::View;
use super::super::xml::Element;
use crate::diagnostic::Diagnostic;

/// Types of joints.
const TYPES: [&str; 6] = ["revolute", "continuous", "prismatic", "fixed", "floating", "planar"];

/// The joints of MuJoCo that are a joint of URDF.
pub(super) fn of(at: &Element) -> Result<Vec<Element>, Diagnostic> {
    let view = View::plain(at);
    Ok(match view.text("type").unwrap_or("") {
        "revolute" => vec![limited(driven(at, "hinge"), at)?],
        "continuous" => vec![driven(at, "hinge")],
        "prismatic" => vec![limited(driven(at, "slide"), at)?],
        "fixed" => Vec::new(),
        "floating" => vec![Element::made("freejoint", at.span).with("name", at.name(), at.span)],
        "planar" => planar(at)?,
        other => return Err(view.unknown_type("joint", other, &TYPES)),
    })
}

/// A joint about or along its axis, with its damping.
fn driven(at: &Element, kind: &str) -> Element {
    let mut made = Element::made("joint", at.span)
        .with("name", at.name(), at.span)
        .with("type", kind, at.span);
    made = match at.child("axis").and_then(|it| it.attribute("xyz")) {
        Some(axis) => made.with("axis", &axis.value, axis.span),
        None => made.with("axis", "1 0 0", at.span),
    };
    match at.child("dynamics").and_then(|it| it.attribute("damping")) {
        Some(damping) => made.with("damping", &damping.value, damping.span),
        None => made,
    }
}

/// The same within its range; without one where both ends are equal, as in MuJoCo.
fn limited(made: Element, at: &Element) -> Result<Element, Diagnostic> {
    let Some(limit) = at.child("limit") else { return Ok(made) };
    let view = View::plain(limit);
    let [low, high] = [view.number("lower")?, view.number("upper")?].map(Option::unwrap_or_default);
    if low > high {
        let message =
            format!("lower limit of {} is above the upper one, got {low} and {high}", at.label());
        return Err(view.blamed("lower", message));
    }
    Ok(match low < high {
        true => made.with("range", format!("{low} {high}"), limit.span),
        false => made,
    })
}

/// Two slides across the axis, and a hinge about it.
fn planar(at: &Element) -> Result<Vec<Element>, Diagnostic> {
    let hinge = driven(at, "hinge");
    let normal = View::plain(&hinge).vector("axis")?.and_then(|it| it.try_normalize(1e-15));
    let none = || at.refused(format!("axis of {} has no length", at.label()));
    let normal = normal.ok_or_else(none)?;
    let first = normal.cross(&Vec3::ith(normal.iamin(), 1.0)).normalize();
    let slide = |axis: Vec3, letter: &str| {
        let text = format!("{} {} {}", axis.x, axis.y, axis.z);
        let name = format!("{}_{letter}", at.name());
        let made = Element::made("joint", at.span).with("name", name, at.span);
        made.with("type", "slide", at.span).with("axis", text, at.span)
    };
    Ok(vec![slide(first, "x"), slide(normal.cross(&first), "y"), hinge])
}

/// The equality of a joint that follows another.
pub(super) fn mimic(at: &Element) -> Result<Option<Element>, Diagnostic> {
    let Some(mimic) = at.child("mimic") else { return Ok(None) };
    let view = View::plain(mimic);
    let by = view.target("joint")?;
    let [factor, offset] =
        [view.number("multiplier")?.unwrap_or(1.0), view.number("offset")?.unwrap_or(0.0)];
    let made = Element::made("joint", mimic.span).with("joint1", at.name(), at.span);
    Ok(Some(made.with("joint2", by, mimic.span).with(
        "polycoef",
        format!("{offset} {factor} 0 0 0"),
        mimic.span,
    )))
}
