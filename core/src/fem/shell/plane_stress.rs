//! A law of a solid in the plane of a sheet: the strain across it is the one at which the stress across it vanishes
//! (BonetWood2008 for the forms). In components of the sheet, third axis across it, from S and C = dS/dE of the solid:
//! S33(E33) = 0, and D = C_ab - C_a3 C_3b / C_33. Where a law keeps its volume, E33 follows from that instead, and
//! S33 is the reaction: S_ab + S33 dE33/dE_ab, exact at a Poisson's ratio of 0.5. Shears across the sheet are left out,
//! so that fibres lie in it.

use nalgebra::{Matrix6, Vector3};

use crate::Mat3;
use crate::material::{
    AnyLaw, Deformation, LawFrame, Material, MaterialSpec, Value, from_voigt, to_voigt,
};

/// Components 11, 22, 12 of a plane among those of space.
const IN_PLANE: [usize; 3] = [0, 1, 3];
/// Component 33.
const ACROSS: usize = 2;
/// Most iterations for the strain across; Newton's method takes 3 to 8, and a bisection brings it near from anywhere.
const ITERATIONS: usize = 100;

/// A law in the plane of a sheet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaneLaw {
    law: AnyLaw<f64>,
    /// Axes of the material in those of the sheet.
    axes: Mat3,
    /// True if the volume stays, by a Poisson's ratio of 0.5.
    rigid: bool,
    /// True for linear laws, whose strain is here that of Green and Lagrange.
    linear: bool,
}

/// Values of a law in the plane; components 11, 22, 12, and of strains 11, 22, twice 12.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaneResponse {
    /// Energy per rest volume [J/m³].
    pub(crate) energy: f64,
    /// Second Piola-Kirchhoff stress [Pa].
    pub(crate) stress: Vector3<f64>,
    /// Its derivative by the strain [Pa].
    pub(crate) tangent: Mat3,
}

/// Values of the law of the solid: energy, stress and tangent in components of space.
struct Solid {
    energy: f64,
    stress: Mat3,
    tangent: Matrix6<f64>,
}

impl PlaneLaw {
    /// A law whose axes are these in components of the sheet.
    pub(crate) fn new(spec: &MaterialSpec, axes: Mat3) -> Self {
        let rigid = spec.get("poissons_ratio") == Some(Value::Number(0.5));
        let law = if rigid { spec.without_bulk() } else { spec.law() };
        Self { law, axes, rigid, linear: law.frame() != LawFrame::Point }
    }

    /// Its values at a Green-Lagrange strain (11, 22, twice 12) [-]; `None` where the sheet has no area or the law no
    /// strain across that frees it of stress.
    pub(crate) fn at(&self, strain: &Vector3<f64>) -> Option<PlaneResponse> {
        let area = (1.0 + 2.0 * strain[0]) * (1.0 + 2.0 * strain[1]) - strain[2] * strain[2];
        if !(area.is_finite() && area > 0.0 && strain[0] > -0.5) {
            return None;
        }
        if self.rigid {
            Some(self.of_constant_volume(strain, area))
        } else {
            self.free_across(strain, area)
        }
    }

    /// Values of the solid at a strain of the plane and across.
    fn solid(&self, strain: &Vector3<f64>, across: f64) -> Solid {
        let half = 0.5 * strain[2];
        let e = Mat3::new(strain[0], half, 0.0, half, strain[1], 0.0, 0.0, 0.0, across);
        if self.linear {
            let at = Deformation::new(e).with_axes(self.axes);
            let (stress, tangent) = self.law.unturned(&at);
            return Solid { energy: 0.5 * stress.dot(&e), stress, tangent };
        }
        // F with F^T F = I + 2 E: upper triangular, from differences that keep small strains.
        let root = |e: f64| 2.0 * e / (1.0 + (1.0 + 2.0 * e).sqrt());
        let along = root(strain[0]);
        let shear = strain[2] / (1.0 + along);
        let h = Mat3::new(
            along,
            shear,
            0.0,
            0.0,
            root(strain[1] - 0.5 * shear * shear),
            0.0,
            0.0,
            0.0,
            root(across),
        );
        let at = Deformation::new(h).with_axes(self.axes);
        let (stress, tangent) = self.law.stress_and_tangent(&at);
        let inverse = at.f.try_inverse().unwrap_or_else(Mat3::zeros);
        let back = pull_back(&inverse);
        Solid {
            energy: self.law.energy(&at),
            stress: inverse * stress * inverse.transpose() * at.j,
            tangent: back * tangent * back.transpose() * at.j,
        }
    }

    fn free_across(&self, strain: &Vector3<f64>, area: f64) -> Option<PlaneResponse> {
        // Squares of the stretch across between which the stress across changes its sign.
        let (mut low, mut high) = (0.0, f64::INFINITY);
        let mut square = 1.0 / area.sqrt();
        for _ in 0..ITERATIONS {
            let solid = self.solid(strain, 0.5 * (square - 1.0));
            let (stress, stiffness) = (solid.stress[(2, 2)], solid.tangent[(ACROSS, ACROSS)]);
            if !stress.is_finite() {
                return None;
            }
            if stress > 0.0 {
                high = square
            } else {
                low = square
            }
            let newton = square - 2.0 * stress / stiffness;
            let within = newton >= low.max(0.1 * square) && newton <= high.min(10.0 * square);
            let next = if stiffness > 0.0 && within {
                newton
            } else if high.is_finite() && low > 0.0 {
                0.5 * (low + high)
            } else if stress > 0.0 {
                0.5 * square
            } else {
                2.0 * square
            };
            // What Newton's method leaves after the next step is the square of this.
            if next == newton && (next - square).abs() <= 1e-8 * square {
                return Some(condensed(&self.solid(strain, 0.5 * (next - 1.0))));
            }
            square = next;
        }
        None
    }

    fn of_constant_volume(&self, strain: &Vector3<f64>, area: f64) -> PlaneResponse {
        let (across, slope, curvature) = if self.linear {
            (-(strain[0] + strain[1]), Vector3::new(-1.0, -1.0, 0.0), Mat3::zeros())
        } else {
            volume_keeping(strain, area)
        };
        let Solid { energy, stress, tangent } = self.solid(strain, across);
        let reaction = stress[(2, 2)];
        let (plane, coupling) = in_plane(&tangent);
        let outer = coupling * slope.transpose();
        PlaneResponse {
            energy,
            stress: plane_stress(&stress) + slope * reaction,
            tangent: plane
                + outer
                + outer.transpose()
                + slope * slope.transpose() * tangent[(ACROSS, ACROSS)]
                + curvature * reaction,
        }
    }
}

/// E33 that keeps the volume, and its first and second derivatives by E11, E22, 2 E12: with C33 = 1 / det C of the plane
/// and G the inverse of C there, -C33 G_ab and C33 (2 G_ab G_cd + G_ac G_bd + G_ad G_bc).
fn volume_keeping(strain: &Vector3<f64>, area: f64) -> (f64, Vector3<f64>, Mat3) {
    let square = 1.0 / area;
    let inverse = [
        [(1.0 + 2.0 * strain[1]) / area, -strain[2] / area],
        [-strain[2] / area, (1.0 + 2.0 * strain[0]) / area],
    ];
    let pairs = [(0, 0), (1, 1), (0, 1)];
    let g = |(a, b): (usize, usize)| inverse[a][b];
    let slope = Vector3::from(pairs.map(|pair| -square * g(pair)));
    let curvature = Mat3::from_fn(|i, j| {
        let ((a, b), (c, d)) = (pairs[i], pairs[j]);
        let turned = g((a, c)) * g((b, d)) + g((a, d)) * g((b, c));
        square * (2.0 * g((a, b)) * g((c, d)) + turned)
    });
    // 1 / area - 1 without the loss of digits at small strain.
    let change =
        2.0 * (strain[0] + strain[1]) + 4.0 * strain[0] * strain[1] - strain[2] * strain[2];
    (-0.5 * change / area, slope, curvature)
}

/// Components of the plane of a tangent, and those of the plane with 33.
fn in_plane(tangent: &Matrix6<f64>) -> (Mat3, Vector3<f64>) {
    let plane = Mat3::from_fn(|i, j| tangent[(IN_PLANE[i], IN_PLANE[j])]);
    (plane, Vector3::from(IN_PLANE.map(|i| tangent[(i, ACROSS)])))
}

fn plane_stress(stress: &Mat3) -> Vector3<f64> {
    Vector3::new(stress[(0, 0)], stress[(1, 1)], stress[(0, 1)])
}

/// Without the stress across.
fn condensed(solid: &Solid) -> PlaneResponse {
    let (plane, coupling) = in_plane(&solid.tangent);
    let stiffness = solid.tangent[(ACROSS, ACROSS)];
    PlaneResponse {
        energy: solid.energy,
        stress: plane_stress(&solid.stress),
        tangent: plane - coupling * coupling.transpose() / stiffness,
    }
}

/// T with (A s A^T) = T s for symmetric s, both as six components.
fn pull_back(a: &Mat3) -> Matrix6<f64> {
    let mut t = Matrix6::zeros();
    for column in 0..6 {
        let mut unit = nalgebra::Vector6::zeros();
        unit[column] = 1.0;
        t.set_column(column, &to_voigt(&(a * from_voigt(&unit) * a.transpose())));
    }
    t
}
