//! Volume, centre and inertia of the solid inside a closed surface, by tetrahedra from the origin.

use sinew::Vec3;

use super::Surface;

/// Solid of unit density inside a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    /// Volume [m³].
    pub volume: f64,
    /// Centre of the volume [m].
    pub center: [f64; 3],
    /// Second moments about the centre that are the inertia of a solid of 1 kg/m³, in the order xx,
    /// yy, zz, xy, yz, xz [m⁵].
    pub inertia: [f64; 6],
}

impl Surface {
    /// The solid inside; exact for the polyhedron.
    pub fn solid(&self) -> Solid {
        let (mut volume, mut first) = (0.0, Vec3::zeros());
        // Integral of x_i x_j.
        let mut second = [[0.0; 3]; 3];
        for triangle in &self.triangles {
            let p = triangle.map(|vertex| Vec3::from(self.vertices[vertex as usize]));
            let part = p[0].dot(&p[1].cross(&p[2])) / 6.0;
            let sum = p[0] + p[1] + p[2];
            volume += part;
            first += sum * (part / 4.0);
            for (i, j) in (0..9).map(|k| (k / 3, k % 3)) {
                let squares: f64 = p.iter().map(|p| p[i] * p[j]).sum();
                second[i][j] += part / 20.0 * (squares + sum[i] * sum[j]);
            }
        }
        let center = first / volume;
        let about = |i: usize, j: usize| second[i][j] - volume * center[i] * center[j];
        let inertia = [
            about(1, 1) + about(2, 2),
            about(2, 2) + about(0, 0),
            about(0, 0) + about(1, 1),
            -about(0, 1),
            -about(1, 2),
            -about(0, 2),
        ];
        Solid { volume, center: center.into(), inertia }
    }
}
