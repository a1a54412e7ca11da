//! Mass and moments of a mesh as MuJoCo takes them where it is not told otherwise: sums over pyramids on its triangles,
//! none of them negative, so that surfaces with holes have some too (MuJoCo).

use sinew::dynamics::{InertiaError, SpatialInertia};
use sinew::geometry::SurfaceMesh;
use sinew::{Mat3, Vec3};

/// Volume [m³], centre [m], and inertia about it at a density of one [m⁵].
struct Pyramids {
    volume: f64,
    centre: Vec3,
    inertia: Mat3,
}

/// The inertia of a mesh, by its mass [kg] or else its density [kg/m³].
pub(super) fn inertia_of(
    mesh: &SurfaceMesh,
    mass: Option<f64>,
    density: f64,
) -> Result<SpatialInertia, InertiaError> {
    let Pyramids { volume, centre, inertia } = Pyramids::of(mesh);
    let density = mass.map_or(density, |mass| mass / volume);
    SpatialInertia::new(density * volume, centre, inertia * density)
}

impl Pyramids {
    fn of(mesh: &SurfaceMesh) -> Self {
        let triangles =
            || (0..mesh.triangles().len()).map(|t| (mesh.corners(t), mesh.area_normal(t)));
        let middle = |[a, b, c]: &[Vec3; 3]| (a + b + c) / 3.0;
        let (mut area, mut apex) = (0.0, Vec3::zeros());
        for (corners, normal) in triangles() {
            area += normal.norm();
            apex += middle(&corners) * normal.norm();
        }
        apex /= area;
        // Of pyramids with this tip.
        let (mut sum, mut centre) = (0.0, Vec3::zeros());
        for (corners, _) in triangles() {
            let [a, b, c] = corners.map(|corner| corner - apex);
            let volume = (a.dot(&b.cross(&c)) / 6.0).abs();
            sum += volume;
            centre += (middle(&corners) * 0.75 + apex * 0.25) * volume;
        }
        centre /= sum;
        let (mut volume, mut second) = (0.0, Mat3::zeros());
        for (corners, _) in triangles() {
            let [a, b, c] = corners.map(|corner| corner - centre);
            let part = (a.dot(&b.cross(&c)) / 6.0).abs();
            let all = a + b + c;
            let squares = a * a.transpose() + b * b.transpose() + c * c.transpose();
            volume += part;
            second += (squares + all * all.transpose()) * (part / 20.0);
        }
        let inertia = Mat3::from_diagonal_element(second.trace()) - second;
        Self { volume, centre, inertia }
    }
}

#[cfg(test)]
mod tests {
    use sinew::geometry::{cuboid_mesh, icosphere_mesh};

    use super::*;

    #[test]
    fn closed_meshes_around_their_centre_have_the_inertia_of_the_solid() {
        let shift = Vec3::new(0.3, -0.2, 1.0);
        let meshes = [cuboid_mesh(&Vec3::new(0.2, 0.5, 0.3)), icosphere_mesh(0.4, 2)];
        for mesh in meshes.map(Result::unwrap) {
            let mesh = mesh.transformed(&Mat3::identity(), &shift).unwrap();
            let found = inertia_of(&mesh, None, 800.0).unwrap();
            let expected = SpatialInertia::from_mesh_density(&mesh, 800.0).unwrap();
            assert!((found.mass() / expected.mass() - 1.0).abs() < 1e-12);
            assert!((found.center_of_mass() - expected.center_of_mass()).norm() < 1e-12);
            let off = (found.rotational() - expected.rotational()).amax();
            assert!(off < 1e-12 * expected.rotational().amax(), "{off}");
            let by_mass = inertia_of(&mesh, Some(3.0), 800.0).unwrap();
            assert!((by_mass.mass() - 3.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_mesh_with_a_hole_has_some_inertia() {
        let whole = cuboid_mesh(&Vec3::repeat(1.0)).unwrap();
        let open = SurfaceMesh::new(whole.vertices().to_vec(), whole.triangles()[1..].to_vec());
        let found = inertia_of(&open.unwrap(), None, 1.0).unwrap();
        assert!(found.mass() > 0.8 && found.mass() < 1.0, "{found:?}");
    }
}
