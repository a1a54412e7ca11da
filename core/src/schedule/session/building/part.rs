//! Parts: bodies with a shape, their inertia and their connectors, and blocks of tissue.

use nalgebra::{Rotation3, UnitQuaternion};

use super::{BuildError, Builder, Part, Pick, add, text_of};
use crate::Vec3;
use crate::component::Kind;
use crate::dynamics::SpatialInertia;
use crate::editing::EditCommand;
use crate::property::{Pose, Value};

/// Density of parts, that of water [kg/m³].
const DENSITY: f64 = 1000.0;
/// Radius of a rod over its length [-].
const SLENDER: f64 = 0.04;
/// Width of a wheel over its radius [-].
const TREAD: f64 = 0.3;
/// Thickness of a plate over its diagonal [-].
const THIN: f64 = 0.04;
/// A plate and a block are this part of their longer side wide at least [-]: who draws a line means one too.
const NARROWEST: f64 = 0.25;
/// Cells along the shortest edge of a block, and the most along another.
const CELLS: [f64; 2] = [3.0, 12.0];
/// Stiffness of a block [Pa]: it sags by a fraction of itself where it is a decimetre high.
const YOUNGS_MODULUS: f64 = 5e4;

impl Part {
    /// Name in messages and of what is added.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ball => "ball",
            Self::Rod => "rod",
            Self::Wheel => "wheel",
            Self::Plate => "plate",
            Self::Block => "block",
        }
    }
}

/// A body in the making: its frame, its solid as the properties of a collider, its inertia, its connectors in its frame.
struct Solid {
    pose: Pose,
    shape: Vec<(&'static str, String)>,
    inertia: SpatialInertia,
    connectors: Vec<Vec3>,
}

impl Builder<'_> {
    pub(super) fn part(
        &self,
        part: Part,
        ends: [Pick; 2],
        axes: UnitQuaternion<f64>,
    ) -> Result<Vec<EditCommand>, BuildError> {
        let [from, to] = ends.map(|pick| self.picked(pick).map(|picked| picked.place));
        let (from, to) = (from?, to?);
        let length = (to - from).norm();
        if !(length > 0.0 && length.is_finite()) {
            return Err(BuildError::NoSize(part.name()));
        }
        let solid = match part {
            Part::Ball => ball(from, length),
            Part::Rod => rod([from, to], axes),
            Part::Wheel => wheel(from, length, axes),
            Part::Plate => plate([from, to], axes),
            Part::Block => return Ok(self.block([from, to], axes)),
        };
        let solid = solid.ok_or(BuildError::NoSize(part.name()))?;
        Ok(self.body_of(part, &solid))
    }

    /// A body, its collider and its connectors.
    fn body_of(&self, part: Part, solid: &Solid) -> Vec<EditCommand> {
        let (name, path) = self.fresh(Kind::RigidBody, part.name());
        let body = [
            ("pose", Value::Pose(solid.pose).to_string()),
            ("mass", solid.inertia.mass().to_string()),
            ("inertia", Value::Matrix(solid.inertia.rotational()).to_string()),
        ];
        let on_body = ("body", path);
        let mut shape = vec![on_body.clone()];
        shape.extend(solid.shape.iter().cloned());
        let mut commands = vec![
            add("rigid_body", &name, &body),
            add("collider", &format!("{name}_shape"), &shape),
        ];
        for (k, connector) in solid.connectors.iter().enumerate() {
            let letter = char::from(b'a' + k as u8);
            let properties = [on_body.clone(), ("location", text_of(*connector))];
            commands.push(add("frame_marker", &format!("{name}_{letter}"), &properties));
        }
        commands
    }

    /// A block of tissue, made about the origin and then put to its place.
    fn block(&self, ends: [Vec3; 2], axes: UnitQuaternion<f64>) -> Vec<EditCommand> {
        let (name, path) = self.fresh(Kind::FemModel, "block");
        let (center, [width, height]) = sides(ends, axes);
        let size = Vec3::new(width, height, width.min(height));
        let cells = size.map(|edge| (CELLS[0] * edge / size.min()).round().clamp(1.0, CELLS[1]));
        let properties = [
            ("box", text_of(size)),
            ("cells", text_of(cells)),
            ("material", "corot".to_owned()),
            ("material.youngs_modulus", YOUNGS_MODULUS.to_string()),
        ];
        let paths = vec![path];
        let turn = axes.scaled_axis().into();
        vec![
            add("fem_model", &name, &properties),
            EditCommand::Rotate { paths: paths.clone(), turn, about: [0.0; 3] },
            EditCommand::Translate { paths, by: center.into() },
        ]
    }
}

fn ball(center: Vec3, radius: f64) -> Option<Solid> {
    let mass = DENSITY * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    Some(Solid {
        pose: Pose::new(center, Vec3::zeros()),
        shape: vec![("shape", "sphere".to_owned()), ("radius", radius.to_string())],
        inertia: SpatialInertia::of_sphere(mass, radius).ok()?,
        connectors: vec![Vec3::zeros()],
    })
}

/// A cylinder about z of the axes of the picture, with connectors at its hub and in the middle of its rim: to the
/// right, up, to the left, down.
fn wheel(center: Vec3, radius: f64, axes: UnitQuaternion<f64>) -> Option<Solid> {
    let width = TREAD * radius;
    let mass = DENSITY * std::f64::consts::PI * radius * radius * width;
    let rim = |x: f64, y: f64| Vec3::new(x, y, 0.0) * radius;
    Some(Solid {
        pose: Pose::from_parts(center.into(), axes),
        shape: vec![
            ("shape", "cylinder".to_owned()),
            ("radius", radius.to_string()),
            ("half_length", (0.5 * width).to_string()),
        ],
        inertia: SpatialInertia::of_cylinder(mass, radius, width).ok()?,
        connectors: vec![
            Vec3::zeros(),
            rim(1.0, 0.0),
            rim(0.0, 1.0),
            rim(-1.0, 0.0),
            rim(0.0, -1.0),
        ],
    })
}

/// A cylinder along z of its frame, whose y axis points to the eye as far as it can.
fn rod([from, to]: [Vec3; 2], axes: UnitQuaternion<f64>) -> Option<Solid> {
    let along = to - from;
    let length = along.norm();
    let z = along / length;
    let across = [axes * Vec3::z(), axes * Vec3::y()].map(|axis| axis - axis.dot(&z) * z);
    let y = if across[0].norm() > 0.1 { across[0] } else { across[1] }.normalize();
    let turn = Rotation3::from_basis_unchecked(&[y.cross(&z), y, z]);
    let turn = UnitQuaternion::from_rotation_matrix(&turn);
    let (radius, half) = (SLENDER * length, 0.5 * length);
    let mass = DENSITY * std::f64::consts::PI * radius * radius * length;
    Some(Solid {
        pose: Pose::from_parts((0.5 * (from + to)).into(), turn),
        shape: vec![
            ("shape", "cylinder".to_owned()),
            ("radius", radius.to_string()),
            ("half_length", half.to_string()),
        ],
        inertia: SpatialInertia::of_cylinder(mass, radius, length).ok()?,
        connectors: vec![Vec3::z() * -half, Vec3::z() * half, Vec3::zeros()],
    })
}

/// Centre, width and height of a rectangle with two corners, in the axes of the picture.
fn sides([from, to]: [Vec3; 2], axes: UnitQuaternion<f64>) -> (Vec3, [f64; 2]) {
    let across = axes.inverse() * (to - from);
    let longer = across.x.abs().max(across.y.abs()).max(across.z.abs());
    let side = |x: f64| x.abs().max(NARROWEST * longer);
    (0.5 * (from + to), [side(across.x), side(across.y)])
}

fn plate(ends: [Vec3; 2], axes: UnitQuaternion<f64>) -> Option<Solid> {
    let (center, [width, height]) = sides(ends, axes);
    let size = Vec3::new(width, height, THIN * width.hypot(height));
    let mass = DENSITY * size.product();
    let corner = |x: f64, y: f64| Vec3::new(0.5 * x * width, 0.5 * y * height, 0.0);
    Some(Solid {
        pose: Pose::from_parts(center.into(), axes),
        shape: vec![("shape", "box".to_owned()), ("half_extents", text_of(0.5 * size))],
        inertia: SpatialInertia::of_box(mass, &size).ok()?,
        connectors: vec![
            corner(-1.0, -1.0),
            corner(1.0, -1.0),
            corner(1.0, 1.0),
            corner(-1.0, 1.0),
            Vec3::zeros(),
        ],
    })
}
