//! Analytic solids as closed, outward, manifold meshes about the origin; axes along z. Vertices lie
//! on the true surface, so the polyhedron is a little smaller than the solid.

use std::f64::consts::{PI, TAU};

use super::{GeometryError, SurfaceMesh};
use crate::{Mat3, Vec3};

/// Subdivisions of an icosphere at most: 20 * 4^8 = 1.3 million triangles.
const MAX_SUBDIVISIONS: u32 = 8;
/// Facets around an axis at most; a capsule of so many has 1.4 million triangles.
const MAX_FACETS: u32 = 1024;

/// A box with edges of lengths `size` [m], 12 triangles.
///
/// # Errors
/// A length that is not positive and finite.
pub fn cuboid_mesh(size: &Vec3) -> Result<SurfaceMesh, GeometryError> {
    size.iter().try_for_each(|&s| positive("box", "an edge", s))?;
    let sign = |bit: usize| if bit != 0 { 0.5 } else { -0.5 };
    let corner = |i: usize| Vec3::new(sign(i & 1), sign(i & 2), sign(i & 4)).component_mul(size);
    let faces: [[u32; 4]; 6] =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    SurfaceMesh::new((0..8).map(corner).collect(), triangles)
}

/// A sphere of `radius` [m]: an icosahedron whose triangles are cut in four `subdivisions` times
/// (20 * 4^n triangles).
///
/// # Errors
/// A radius that is not positive and finite, or more than 8 subdivisions.
pub fn icosphere_mesh(radius: f64, subdivisions: u32) -> Result<SurfaceMesh, GeometryError> {
    positive("sphere", "the radius", radius)?;
    ellipsoid_mesh(&Vec3::repeat(radius), subdivisions)
}

/// An ellipsoid of these half axes [m], a stretched [`icosphere_mesh`].
///
/// # Errors
/// A half axis that is not positive and finite, or more than 8 subdivisions.
pub fn ellipsoid_mesh(half_axes: &Vec3, subdivisions: u32) -> Result<SurfaceMesh, GeometryError> {
    half_axes.iter().try_for_each(|&s| positive("ellipsoid", "a half axis", s))?;
    if subdivisions > MAX_SUBDIVISIONS {
        let (name, given) = ("the number of subdivisions", f64::from(subdivisions));
        return Err(GeometryError::Parameter {
            solid: "ellipsoid",
            name,
            given,
            expected: "8 at most",
        });
    }
    let (mut vertices, mut triangles) = icosahedron();
    (0..subdivisions).for_each(|_| subdivide(&mut vertices, &mut triangles));
    SurfaceMesh::new(vertices, triangles)?
        .transformed(&Mat3::from_diagonal(half_axes), &Vec3::zeros())
}

/// A cylinder of `radius` and `length` [m] along z, with `facets` sides.
///
/// # Errors
/// A radius or length that is not positive and finite, or facets not from 3 to 1024.
pub fn cylinder_mesh(radius: f64, length: f64, facets: u32) -> Result<SurfaceMesh, GeometryError> {
    positive("cylinder", "the radius", radius)?;
    positive("cylinder", "the length", length)?;
    facets_in_range("cylinder", facets)?;
    let half = 0.5 * length;
    revolved(&[(0.0, -half), (radius, -half), (radius, half), (0.0, half)], facets)
}

/// A cylinder of `length` [m] along z between half spheres of `radius` [m]: its whole length is
/// length + 2 radius. `facets` sides; the half spheres have a quarter as many rings.
///
/// # Errors
/// A radius or length that is not positive and finite, or facets not from 3 to 1024.
pub fn capsule_mesh(radius: f64, length: f64, facets: u32) -> Result<SurfaceMesh, GeometryError> {
    positive("capsule", "the radius", radius)?;
    positive("capsule", "the length", length)?;
    facets_in_range("capsule", facets)?;
    let rings = facets.div_ceil(4).max(1);
    let half_circle = |end: f64| {
        (0..=rings).map(move |i| {
            let angle =
                0.5 * PI * (f64::from(i) / f64::from(rings) - if end < 0.0 { 1.0 } else { 0.0 });
            (radius * angle.cos(), end * 0.5 * length + radius * angle.sin())
        })
    };
    let mut profile: Vec<(f64, f64)> = half_circle(-1.0).chain(half_circle(1.0)).collect();
    // The poles, free of the rounding of the cosine.
    let last = profile.len() - 1;
    (profile[0].0, profile[last].0) = (0.0, 0.0);
    revolved(&profile, facets)
}

/// The surface that (distance from the z axis, z) points of `profile` sweep; the first and the last
/// lie on the axis, the others do not, and z rises.
fn revolved(profile: &[(f64, f64)], facets: u32) -> Result<SurfaceMesh, GeometryError> {
    let last = profile.len() - 1;
    let mut vertices = vec![Vec3::new(0.0, 0.0, profile[0].1)];
    for &(r, z) in &profile[1..last] {
        let angle = |i: u32| TAU * f64::from(i) / f64::from(facets);
        vertices.extend((0..facets).map(|i| Vec3::new(r * angle(i).cos(), r * angle(i).sin(), z)));
    }
    vertices.push(Vec3::new(0.0, 0.0, profile[last].1));
    let at = |ring: u32, i: u32| 1 + ring * facets + i % facets;
    let rings = last as u32 - 1;
    let top = vertices.len() as u32 - 1;
    let mut triangles = Vec::new();
    for i in 0..facets {
        triangles.push([0, at(0, i + 1), at(0, i)]);
        for k in 1..rings {
            let [a, b] = [at(k - 1, i), at(k - 1, i + 1)];
            let [c, d] = [at(k, i + 1), at(k, i)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
        triangles.push([at(rings - 1, i), at(rings - 1, i + 1), top]);
    }
    SurfaceMesh::new(vertices, triangles)
}

fn icosahedron() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let g = 0.5 * (1.0 + 5f64.sqrt());
    let mut vertices = Vec::new();
    for (a, b) in [(-1.0, g), (1.0, g), (-1.0, -g), (1.0, -g)] {
        vertices.extend([Vec3::new(a, b, 0.0), Vec3::new(0.0, a, b), Vec3::new(b, 0.0, a)]);
    }
    let vertices: Vec<Vec3> = vertices.iter().map(|v| v.normalize()).collect();
    // All triples at edge length from each other, turned outward.
    let edge = 2.0 / (1.0 + g * g).sqrt();
    let is_edge = |i: usize, j: usize| ((vertices[i] - vertices[j]).norm() - edge).abs() < 1e-9;
    let mut triangles = Vec::new();
    for i in 0..12 {
        for j in i + 1..12 {
            for k in j + 1..12 {
                if is_edge(i, j) && is_edge(j, k) && is_edge(k, i) {
                    let volume = vertices[i].dot(&vertices[j].cross(&vertices[k]));
                    let (j, k) = if volume > 0.0 { (j, k) } else { (k, j) };
                    triangles.push([i as u32, j as u32, k as u32]);
                }
            }
        }
    }
    (vertices, triangles)
}

/// Cuts each triangle of a unit sphere in four; the middle of an edge is made once.
fn subdivide(vertices: &mut Vec<Vec3>, triangles: &mut Vec<[u32; 3]>) {
    let mut middles = std::collections::BTreeMap::new();
    let mut cut = Vec::with_capacity(4 * triangles.len());
    for &[a, b, c] in triangles.iter() {
        let [ab, bc, ca] = [[a, b], [b, c], [c, a]].map(|[i, j]| {
            *middles.entry([i.min(j), i.max(j)]).or_insert_with(|| {
                vertices.push((vertices[i as usize] + vertices[j as usize]).normalize());
                vertices.len() as u32 - 1
            })
        });
        cut.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
    }
    *triangles = cut;
}

fn positive(solid: &'static str, name: &'static str, given: f64) -> Result<(), GeometryError> {
    let expected = "positive and finite";
    if given > 0.0 && given.is_finite() {
        return Ok(());
    }
    Err(GeometryError::Parameter { solid, name, given, expected })
}

fn facets_in_range(solid: &'static str, facets: u32) -> Result<(), GeometryError> {
    if (3..=MAX_FACETS).contains(&facets) {
        return Ok(());
    }
    let given = f64::from(facets);
    let (name, expected) = ("the number of facets", "from 3 to 1024");
    Err(GeometryError::Parameter { solid, name, given, expected })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Orientation;

    /// Each solid, its finest mesh here, its analytic volume and second moments along x and z.
    fn solids() -> Vec<(&'static str, SurfaceMesh, f64, [f64; 2])> {
        let (r, l): (f64, f64) = (0.3, 0.8);
        let ball = 4.0 / 3.0 * PI * r.powi(3);
        let column = PI * r * r * l;
        let axes = Vec3::new(0.2, 0.3, 0.5);
        let spheroid = 4.0 / 3.0 * PI * axes.product();
        // Half spheres: own second moment 2/5 r² about the flat face, centroid at 3/8 r from it.
        let caps_z = ball * (0.2 * r * r + 0.25 * l * l + 0.375 * r * l);
        let column_second = [column * r * r / 4.0, column * l * l / 12.0];
        let capsule_second = [column_second[0] + ball * r * r / 5.0, column_second[1] + caps_z];
        let ball_second = ball * r * r / 5.0;
        let ellipsoid_second = [spheroid * axes.x.powi(2) / 5.0, spheroid * axes.z.powi(2) / 5.0];
        vec![
            ("box", cuboid_mesh(&Vec3::new(1.0, 2.0, 3.0)).unwrap(), 6.0, [0.5, 4.5]),
            ("sphere", icosphere_mesh(r, 5).unwrap(), ball, [ball_second; 2]),
            ("ellipsoid", ellipsoid_mesh(&axes, 5).unwrap(), spheroid, ellipsoid_second),
            ("cylinder", cylinder_mesh(r, l, 256).unwrap(), column, column_second),
            ("capsule", capsule_mesh(r, l, 256).unwrap(), column + ball, capsule_second),
        ]
    }

    #[test]
    fn every_solid_is_closed_manifold_outward_and_in_one_piece() {
        for (name, mesh, _, _) in solids() {
            let t = mesh.topology();
            assert!(t.is_closed() && t.is_manifold(), "{name}: {t:?}");
            assert_eq!((t.orientation, t.component_count), (Orientation::Outward, 1), "{name}");
            assert_eq!(t.unused_vertices, 0, "{name}");
            assert!(mesh.degenerate_triangles(1e-9).is_empty(), "{name}");
        }
    }

    /// 256 facets and five subdivisions leave at most 1.2e-3 of the volume out, and twice that of
    /// the second moments.
    #[test]
    fn volumes_and_second_moments_approach_the_analytic_ones() {
        for (name, mesh, volume, [xx, zz]) in solids() {
            let solid = mesh.solid_integrals().unwrap();
            assert!((solid.volume / volume - 1.0).abs() < 1.5e-3, "{name}: {}", solid.volume);
            assert!(solid.centroid.norm() < 1e-12, "{name}: {}", solid.centroid);
            let second = solid.second_moment;
            assert!((second.m11 / xx - 1.0).abs() < 3e-3, "{name}: {} for {xx}", second.m11);
            assert!((second.m33 / zz - 1.0).abs() < 3e-3, "{name}: {} for {zz}", second.m33);
        }
    }

    #[test]
    fn the_icosahedron_has_twenty_triangles_and_each_cut_makes_four() {
        for (cuts, count) in [(0, 20), (1, 80), (3, 1280)] {
            let mesh = icosphere_mesh(2.0, cuts).unwrap();
            assert_eq!(mesh.triangles().len(), count);
            assert_eq!(mesh.vertices().len(), count / 2 + 2);
            assert!(mesh.vertices().iter().all(|v| (v.norm() - 2.0).abs() < 1e-14));
        }
    }

    #[test]
    fn parameters_out_of_range_are_named() {
        let errors = [
            cuboid_mesh(&Vec3::new(1.0, 0.0, 1.0)).unwrap_err(),
            icosphere_mesh(f64::NAN, 2).unwrap_err(),
            icosphere_mesh(1.0, 9).unwrap_err(),
            cylinder_mesh(1.0, -1.0, 8).unwrap_err(),
            capsule_mesh(1.0, 1.0, 2).unwrap_err(),
        ];
        for (error, word) in
            errors.iter().zip(["edge", "radius", "subdivisions", "length", "facets"])
        {
            assert!(error.to_string().contains(word), "{error}");
        }
    }
}
