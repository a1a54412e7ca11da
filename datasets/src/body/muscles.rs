//! Muscles along their paths, with the law of Millard2013 and tendons that are slack in the neutral pose.

use std::collections::BTreeMap;

use nalgebra::{Isometry3, Rotation3, Translation3, UnitQuaternion};
use sinew::Vec3;
use sinew::axial::active::Millard2012;
use sinew::axial::{ActivationModel, AxialLaw};
use sinew::component::{ComponentType, Handle};
use sinew::model::{FrameSite, MultiPointSpring, PointRef, RigidBody, WrapSide, WrapSurface};

use super::skeleton::{Build, Placed, REFERENCE_STATURE, Side, unknown};
use super::tables::{MuscleRow, PathRow, Tables, WrapRow};
use super::{BodyError, BodyParams, mark};

/// Lengths of paths in the neutral pose by the names of their muscles [m].
pub(super) type Lengths = BTreeMap<String, f64>;

/// Damping of fibres, as in OpenSim (Millard2013).
const FIBRE_DAMPING: f64 = 0.1;

/// Adds the muscles that are chosen and whose segments are there; names of those whose segments are not. Without
/// lengths their tendons have any.
pub(super) fn add(
    build: &mut Build,
    tables: &Tables,
    params: &BodyParams,
    lengths: Option<&Lengths>,
) -> Result<Vec<String>, BodyError> {
    let named = |row: &MuscleRow| Side::BOTH.map(|side| format!("{}{}", row.name, side.ending()));
    let names: Vec<String> = tables.muscles.iter().flat_map(named).collect();
    params.muscles.check("muscles", &names.iter().map(String::as_str).collect::<Vec<_>>())?;
    let mut surfaces = BTreeMap::new();
    let mut left_out = Vec::new();
    for row in &tables.muscles {
        for side in Side::BOTH {
            let name = format!("{}{}", row.name, side.ending());
            if !params.muscles.matches(&name) {
                continue;
            }
            let Some(path) = path(build, tables, row, side)? else {
                left_out.push(name);
                continue;
            };
            let line = MultiPointSpring::new(
                points(build, &name, &path),
                law(row, &name, params, lengths)?,
            );
            let line = over(build, tables, line, &path, &mut surfaces)?;
            build.model.add(line.named(name));
        }
    }
    Ok(left_out)
}

/// A point of a path on its body.
struct OnBody<'a> {
    row: &'a PathRow,
    body: Handle<RigidBody>,
    segment: Placed,
}

/// Points of a muscle of a side; `None` where one of its segments is left out.
fn path<'a>(
    build: &Build,
    tables: &'a Tables,
    muscle: &MuscleRow,
    side: Side,
) -> Result<Option<Vec<OnBody<'a>>>, BodyError> {
    let mut path = Vec::new();
    for row in tables.paths.iter().filter(|row| row.muscle == muscle.name) {
        let Some(segment) = tables.segments.iter().find(|it| it.segment == row.segment) else {
            return Err(unknown("paths", &row.muscle, "the segment", &row.segment));
        };
        let ending = if segment.sides == "pair" { side.ending() } else { "" };
        let Some((body, placed)) = build.bodies.get(&format!("{}{ending}", row.segment)) else {
            return Ok(None);
        };
        let segment = Placed { side, ..placed.clone() };
        path.push(OnBody { row, body: *body, segment });
    }
    match path.len() {
        0 | 1 => Err(unknown("muscles", &muscle.name, "at least two points of", "paths.csv")),
        _ => Ok(Some(path)),
    }
}

/// Markers of a path: `NAME_0` at the origin, and so on.
fn points(build: &mut Build, name: &str, path: &[OnBody<'_>]) -> Vec<PointRef> {
    let mut points = Vec::with_capacity(path.len());
    for (k, point) in path.iter().enumerate() {
        let at = point.segment.point([point.row.x, point.row.y, point.row.z]);
        points.push(PointRef::Marker(mark(
            &mut build.model,
            point.body,
            at,
            format!("{name}_{k}"),
        )));
    }
    points
}

/// Wraps a line over the surfaces that its points name.
fn over(
    build: &mut Build,
    tables: &Tables,
    mut line: MultiPointSpring,
    path: &[OnBody<'_>],
    surfaces: &mut BTreeMap<String, Handle<WrapSurface>>,
) -> Result<MultiPointSpring, BodyError> {
    for point in path {
        let Some(over) = &point.row.over else { continue };
        let row = tables.wraps.iter().find(|row| row.surface == *over);
        let row = row.ok_or_else(|| unknown("paths", &point.row.muscle, "the surface", over))?;
        let on = path.iter().find(|it| it.row.segment == row.segment);
        let on = on.ok_or_else(|| unknown("wraps", over, "a segment of the path", &row.segment))?;
        let name = format!("{over}{}", on.segment.side.ending());
        let surface = match surfaces.get(&name) {
            Some(surface) => *surface,
            None => build.model.add(cylinder(row, on).named(name.clone())),
        };
        surfaces.insert(name, surface);
        line = line.over(surface);
    }
    Ok(line)
}

/// A cylinder about y that paths pass in front of.
fn cylinder(row: &WrapRow, on: &OnBody<'_>) -> WrapSurface {
    let basis = [Vec3::x(), -Vec3::z(), Vec3::y()];
    let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_basis_unchecked(&basis));
    let center = on.segment.point([row.x, row.y, row.z]);
    let site = FrameSite::on(on.body, Isometry3::from_parts(Translation3::from(center), turn));
    let surface = WrapSurface::cylinder(site, row.radius * on.segment.scale);
    WrapSurface { side: WrapSide::PositiveX, ..surface }
}

/// The law of a muscle: its tendon is what the fibre leaves of the path in the neutral pose.
fn law(
    row: &MuscleRow,
    name: &str,
    params: &BodyParams,
    lengths: Option<&Lengths>,
) -> Result<AxialLaw, BodyError> {
    let force = match (row.force, row.pcsa, row.specific_tension) {
        (Some(force), ..) => force,
        (None, Some(area), Some(tension)) => area * tension,
        _ => return Err(unknown("muscles", &row.name, "a force, or a", "pcsa with its tension")),
    };
    let muscle = Millard2012 {
        max_isometric_force: force,
        pennation: row.pennation.to_radians(),
        fibre_damping: FIBRE_DAMPING,
        activation: ActivationModel::Bilinear,
        ..Millard2012::default()
    };
    let Some(path) = lengths.and_then(|lengths| lengths.get(name)).copied() else {
        return Ok(AxialLaw::Millard2012(muscle));
    };
    let optimal = match (row.fibre_length, row.fibre_ratio) {
        (Some(length), _) => length * params.person.stature / REFERENCE_STATURE,
        (None, Some(ratio)) => ratio * path,
        _ => return Err(unknown("muscles", &row.name, "a fibre_length or a", "fibre_ratio")),
    };
    let along = fibre_along(row.neutral, muscle.pennation) * optimal;
    if along >= path {
        return Err(BodyError::NoTendon { muscle: name.to_owned(), fibre: along, path });
    }
    Ok(AxialLaw::Millard2012(Millard2012 {
        optimal_fibre_length: optimal,
        tendon_slack_length: path - along,
        ..muscle
    }))
}

/// Length along the tendon of a fibre of a length over the optimal one [-], whose width stays.
fn fibre_along(length: f64, pennation: f64) -> f64 {
    (length.powi(2) - pennation.sin().powi(2)).max(0.0).sqrt()
}
