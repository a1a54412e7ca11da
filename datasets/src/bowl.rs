//! A soft cube that is dropped into a fixed rigid bowl: contact inside a surface that is not convex.

use std::f64::consts::{FRAC_PI_2, TAU};

use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::constraint::Pose;
use sinew::contact::ColliderShape;
use sinew::geometry::SurfaceMesh;
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{Collider, CollisionBehavior, FemModel, Model, RigidBody};

use crate::beam::{BeamElement, beam_mesh};
use crate::law::read_isotropic;
use crate::params::refused;
use crate::{Builtin, ParamError, ParamInfo, Params, Range};

/// Most elements along an edge of the cube.
const MOST_CELLS: usize = 32;
/// Most quadrangles around the bowl.
const MOST_FACETS: usize = 512;
/// Edge of the cube [m].
const SIZE: f64 = 0.1;
/// Radii of the bowl, outside and inside [m].
const RADII: [f64; 2] = [0.13, 0.11];

/// The soft cube and the bowl.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BowlParams {
    /// Hexahedra along each edge of the cube, 1 to 32.
    pub cells: usize,
    /// Quadrangles around the bowl, 8 to 512.
    pub facets: usize,
    /// Distance of the cube from the axis of the bowl [m].
    pub aside: f64,
    /// Coefficient of friction [-].
    pub friction: f64,
    /// Constants of the corotated linear material.
    pub isotropic: Isotropic,
    /// Density [kg/m³], positive.
    pub density: f64,
    /// Rayleigh damping by mass, alpha [1/s].
    pub mass_damping: f64,
    /// Rayleigh damping by stiffness, beta [s].
    pub stiffness_damping: f64,
    /// Gravity along -z [m/s²].
    pub gravity: f64,
}

impl Default for BowlParams {
    fn default() -> Self {
        Self {
            cells: 4,
            facets: 32,
            aside: 0.04,
            friction: 0.2,
            isotropic: Isotropic { youngs_modulus: 2e4, poissons_ratio: 0.4 },
            density: 1000.0,
            mass_damping: 2.0,
            stiffness_damping: 0.01,
            gravity: 9.8,
        }
    }
}

impl BowlParams {
    /// Reads the parameters of [`BUILTIN`].
    ///
    /// # Errors
    /// Values out of range, unknown keys.
    pub fn read(params: &mut Params) -> Result<Self, ParamError> {
        let default = Self::default();
        let positive = Range::NOT_NEGATIVE;
        let bowl = Self {
            cells: params.usize("n", default.cells, [1, MOST_CELLS])?,
            facets: params.usize("facets", default.facets, [8, MOST_FACETS])?,
            aside: params.f64("aside", default.aside, Range::ANY)?,
            friction: params.f64("mu", default.friction, positive)?,
            isotropic: read_isotropic(params, default.isotropic)?,
            density: params.f64("rho", default.density, Range::POSITIVE)?,
            mass_damping: params.f64("alpha", default.mass_damping, positive)?,
            stiffness_damping: params.f64("beta", default.stiffness_damping, positive)?,
            gravity: params.f64("g", default.gravity, Range::ANY)?,
        };
        params.finish()?;
        Ok(bowl)
    }
}

/// The model: the tissue `block` above the fixed body `bowl`, the inside of which is a half ball about the
/// origin, open upwards.
///
/// # Errors
/// Numbers of elements or quadrangles out of range.
pub fn bowl(params: &BowlParams) -> Result<Model, ParamError> {
    if !(1..=MOST_CELLS).contains(&params.cells) {
        return Err(refused("n", params.cells, format!("a whole number from 1 to {MOST_CELLS}")));
    }
    if !(8..=MOST_FACETS).contains(&params.facets) {
        let allowed = format!("a whole number from 8 to {MOST_FACETS}");
        return Err(refused("facets", params.facets, allowed));
    }
    let mut mesh = beam_mesh(BeamElement::Hex, [params.cells; 3], [SIZE; 3])?;
    let up = Vec3::new(params.aside, 0.0, 0.5 * SIZE);
    mesh.nodes.iter_mut().for_each(|node| *node += up);
    let material = MaterialSpec::Corotated(params.isotropic);
    let mut block = FemModel::new("block", mesh, params.density, material);
    block.mass_damping = params.mass_damping;
    block.stiffness_damping = params.stiffness_damping;
    let mut model = Model::new("bowl");
    model.set_gravity(Vec3::new(0.0, 0.0, -params.gravity));
    let body = RigidBody::from_mesh("bowl", bowl_mesh(params.facets as u32)?, 1900.0);
    // The frame of the mesh is that of the world.
    let body = model.add(body.at(Pose::identity()).fixed());
    model.add(Collider::on(body, ColliderShape::MESH).named("bowl"));
    model.add(block);
    model.add(CollisionBehavior::everything(params.friction).named("contact"));
    Ok(model)
}

/// A half ball with a half ball taken out of it, both about the origin: closed, with its rim at z = 0.
fn bowl_mesh(around: u32) -> Result<SurfaceMesh, ParamError> {
    let down = around / 4;
    let [outer, inner] = RADII;
    let ring = |radius: f64, k: u32| {
        let (sin, cos) = (FRAC_PI_2 * f64::from(k) / f64::from(down)).sin_cos();
        (0..around).map(move |j| {
            let (y, x) = (TAU * f64::from(j) / f64::from(around)).sin_cos();
            Vec3::new(radius * cos * x, radius * cos * y, -radius * sin)
        })
    };
    // From the inner pole over the rim to the outer one.
    let inside = (1..=down).map(|k| (inner, down - k));
    let outside = (0..down).map(|k| (outer, k));
    let rings: Vec<(f64, u32)> = inside.chain(outside).collect();
    let mut vertices: Vec<Vec3> = rings.iter().flat_map(|&(r, k)| ring(r, k)).collect();
    let at = |ring: u32, j: u32| ring * around + j % around;
    let mut triangles = Vec::new();
    for ring in 0..rings.len() as u32 - 1 {
        for j in 0..around {
            let (a, b) = (at(ring, j), at(ring, j + 1));
            let (c, d) = (at(ring + 1, j + 1), at(ring + 1, j));
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    let poles = vertices.len() as u32;
    vertices.extend([inner, outer].map(|radius| Vec3::new(0.0, 0.0, -radius)));
    let last = rings.len() as u32 - 1;
    for j in 0..around {
        triangles.push([poles, at(0, j + 1), at(0, j)]);
        triangles.push([poles + 1, at(last, j), at(last, j + 1)]);
    }
    // Counterclockwise seen from the solid's outside.
    triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    Ok(SurfaceMesh::new(vertices, triangles)?)
}

/// `bowl` in the list of built-ins.
pub const BUILTIN: Builtin = Builtin {
    name: "bowl",
    summary: "soft cube of 0.1 m that is dropped into a fixed rigid bowl",
    params: &[
        ParamInfo::new("n", "4", "-", "hexahedra along each edge of the cube, 1 to 32"),
        ParamInfo::new("facets", "32", "-", "quadrangles around the bowl, 8 to 512"),
        ParamInfo::new("aside", "0.04", "m", "distance of the cube from the axis of the bowl"),
        ParamInfo::new("mu", "0.2", "-", "coefficient of friction"),
        ParamInfo::new("E", "2e4", "Pa", "Young's modulus"),
        ParamInfo::new("nu", "0.4", "-", "Poisson's ratio"),
        ParamInfo::new("rho", "1000", "kg/m^3", "density"),
        ParamInfo::new("alpha", "2", "1/s", "mass damping"),
        ParamInfo::new("beta", "0.01", "s", "stiffness damping"),
        ParamInfo::new("g", "9.8", "m/s^2", "gravity along -z"),
    ],
    build: |params| bowl(&BowlParams::read(params)?),
};

#[cfg(test)]
mod tests {
    use sinew::geometry::Orientation;

    use super::*;

    #[test]
    fn the_bowl_is_a_closed_solid_of_the_volume_of_two_half_balls() {
        let mesh = bowl_mesh(256).unwrap();
        let topology = mesh.topology();
        assert!(topology.is_closed() && topology.is_manifold());
        assert_eq!(topology.orientation, Orientation::Outward);
        let expected = TAU / 3.0 * (RADII[0].powi(3) - RADII[1].powi(3));
        let volume = mesh.signed_volume();
        assert!((volume / expected - 1.0).abs() < 1e-3, "{volume} of {expected} m³");
    }
}
