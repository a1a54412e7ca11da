//! Energies of FEBio's materials as its User Manual and its sources define them, written again for comparison.

use sinew::prelude::*;

/// Invariants and stretches of a deformation.
pub(super) struct Stretches {
    /// Volume ratio.
    j: f64,
    /// First two invariants of C.
    i: [f64; 2],
    /// Principal stretches.
    l: [f64; 3],
    /// Stretches along the axes.
    axes: [f64; 3],
}

impl Stretches {
    pub(super) fn of(f: &Mat3) -> Self {
        let c = f.transpose() * f;
        let squares = c.symmetric_eigenvalues();
        let i1 = c.trace();
        let i2 = 0.5 * (i1 * i1 - (c * c).trace());
        Self {
            j: f.determinant(),
            i: [i1, i2],
            l: [0, 1, 2].map(|k| squares[k].sqrt()),
            axes: [0, 1, 2].map(|k| c[(k, k)].sqrt()),
        }
    }

    fn along_axes(l: [f64; 3]) -> Self {
        Self::of(&Mat3::from_diagonal(&Vec3::from(l)))
    }

    /// Invariants of the isochoric part, less 3.
    fn isochoric(&self) -> [f64; 2] {
        [self.i[0] * self.j.powf(-2.0 / 3.0) - 3.0, self.i[1] * self.j.powf(-4.0 / 3.0) - 3.0]
    }

    /// Isochoric stretches along the axes.
    fn bars(&self) -> [f64; 3] {
        self.axes.map(|l| l * self.j.powf(-1.0 / 3.0))
    }
}

/// A material, with its energy.
pub(super) struct LawRow {
    pub(super) name: &'static str,
    pub(super) material: &'static str,
    pub(super) energy: fn(&Stretches) -> f64,
    /// False where the energy above is that of stretches along the axes alone.
    pub(super) isotropic: bool,
    /// Relative difference of energies: rounding, or what the page of FEBio's models says of U(J).
    pub(super) tolerance: f64,
    /// Difference of places of the cube.
    pub(super) cube_tolerance: f64,
}

macro_rules! material {
    ($kind:literal, $constants:literal) => {
        concat!(
            "<material id=\"1\" name=\"m\" type=\"",
            $kind,
            "\"><density>1000</density>",
            $constants,
            "</material>"
        )
    };
}

/// K/2 (ln J)², FEBio's default.
fn volume(k: f64, j: f64) -> f64 {
    0.5 * k * j.ln() * j.ln()
}

fn lame(young: f64, ratio: f64) -> [f64; 2] {
    [young * ratio / ((1.0 + ratio) * (1.0 - 2.0 * ratio)), young / (2.0 * (1.0 + ratio))]
}

fn neo_hookean(s: &Stretches) -> f64 {
    let [lambda, mu] = lame(1000.0, 0.3);
    0.5 * mu * (s.i[0] - 3.0) - mu * s.j.ln() + 0.5 * lambda * s.j.ln() * s.j.ln()
}

fn isotropic_elastic(s: &Stretches) -> f64 {
    let [lambda, mu] = lame(1000.0, 0.3);
    let e = s.l.map(|l| 0.5 * (l * l - 1.0));
    let trace: f64 = e.iter().sum();
    0.5 * lambda * trace * trace + mu * e.iter().map(|e| e * e).sum::<f64>()
}

fn mooney_rivlin(s: &Stretches) -> f64 {
    let [a, b] = s.isochoric();
    120.0 * a + 40.0 * b + volume(5000.0, s.j)
}

fn veronda_westmann(s: &Stretches) -> f64 {
    let [a, b] = s.isochoric();
    100.0 * ((2.0 * a).exp() - 1.0) - 0.5 * 100.0 * 2.0 * b + volume(5000.0, s.j)
}

fn ogden(s: &Stretches) -> f64 {
    let term = |c: f64, m: f64| {
        let bars = s.l.map(|l| (l * s.j.powf(-1.0 / 3.0)).powf(m));
        c / (m * m) * (bars.iter().sum::<f64>() - 3.0)
    };
    term(200.0, 3.5) + term(80.0, -2.0) + volume(4000.0, s.j)
}

fn yeoh(s: &Stretches) -> f64 {
    let [a, _] = s.isochoric();
    100.0 * a + 20.0 * a * a + 5.0 * a * a * a + volume(4000.0, s.j)
}

fn coupled_mooney_rivlin(s: &Stretches) -> f64 {
    150.0 * (s.i[0] - 3.0) - 2.0 * 150.0 * s.j.ln() + 0.5 * 400.0 * s.j.ln() * s.j.ln()
}

/// Fibres: c3 (Ei-like integral); λ W' = c3 (exp(c4 (λ - 1)) - 1), integrated by Gauss's rule of five points on 40 parts.
fn trans_iso(s: &Stretches) -> f64 {
    let [a, b] = s.isochoric();
    let stretch = s.bars()[0];
    let (nodes, weights) = (
        [
            0.0,
            0.538_469_310_105_683,
            -0.538_469_310_105_683,
            0.906_179_845_938_664,
            -0.906_179_845_938_664,
        ],
        [
            0.568_888_888_888_888_9,
            0.478_628_670_499_366_5,
            0.478_628_670_499_366_5,
            0.236_926_885_056_189_1,
            0.236_926_885_056_189_1,
        ],
    );
    let slope = |l: f64| 30.0 * ((6.0 * (l - 1.0)).exp() - 1.0) / l;
    let part = (stretch - 1.0).max(0.0) / 40.0;
    let piece = |k: usize| -> f64 {
        let middle = 1.0 + (k as f64 + 0.5) * part;
        nodes
            .iter()
            .zip(weights)
            .map(|(x, w)| w * 0.5 * part * slope(middle + 0.5 * part * x))
            .sum()
    };
    120.0 * a + 40.0 * b + (0..40).map(piece).sum::<f64>() + volume(5000.0, s.j)
}

/// U(J) as Abaqus, which the material says.
fn holzapfel(s: &Stretches) -> f64 {
    let ([a, _], bars) = (s.isochoric(), s.bars());
    let (kappa, gamma): (f64, f64) = (0.1, 30_f64.to_radians());
    let i4 = (bars[0] * gamma.cos()).powi(2) + (bars[1] * gamma.sin()).powi(2);
    let e = (kappa * a + (1.0 - 3.0 * kappa) * (i4 - 1.0)).max(0.0);
    let family = 50.0 / (2.0 * 1.5) * ((1.5 * e * e).exp() - 1.0);
    0.5 * 100.0 * a + 2.0 * family + 0.5 * 4000.0 * (s.j - 1.0) * (s.j - 1.0)
}

/// FEBio's Fung: mu and lambda of engineering constants.
fn fung(s: &Stretches) -> f64 {
    let (e, g, v, c) = ([300.0, 200.0, 150.0], [90.0, 70.0, 80.0], [0.2, 0.15, 0.1], 250.0);
    let mu = [g[0] + g[2] - g[1], g[0] - g[2] + g[1], g[2] + g[1] - g[0]];
    let compliance = Mat3::new(
        1.0 / e[0],
        -v[0] / e[0],
        -v[2] / e[2],
        -v[0] / e[0],
        1.0 / e[1],
        -v[1] / e[1],
        -v[2] / e[2],
        -v[1] / e[1],
        1.0 / e[2],
    );
    let stiffness = compliance.try_inverse().unwrap();
    let k = s.bars().map(|l| l * l);
    let mut q = 0.0;
    for a in 0..3 {
        q += 2.0 * mu[a] * (k[a] * k[a] - 2.0 * k[a] + 1.0);
        for b in 0..3 {
            let lambda = stiffness[(a, b)] - if a == b { 2.0 * mu[a] } else { 0.0 };
            q += lambda * (k[a] - 1.0) * (k[b] - 1.0);
        }
    }
    0.5 * c * ((q / (4.0 * c)).exp() - 1.0) + volume(5000.0, s.j)
}

const fn row(
    name: &'static str,
    material: &'static str,
    energy: fn(&Stretches) -> f64,
    isotropic: bool,
) -> LawRow {
    LawRow { name, material, energy, isotropic, tolerance: 1e-10, cube_tolerance: 1e-6 }
}

pub(super) const LAWS: [LawRow; 12] = [
    row("neo-Hookean", material!("neo-Hookean", "<E>1000</E><v>0.3</v>"), neo_hookean, true),
    row(
        "isotropic elastic",
        material!("isotropic elastic", "<E>1000</E><v>0.3</v>"),
        isotropic_elastic,
        true,
    ),
    row(
        "St.Venant-Kirchhoff",
        material!("St.Venant-Kirchhoff", "<E>1000</E><v>0.3</v>"),
        isotropic_elastic,
        true,
    ),
    row(
        "Mooney-Rivlin",
        material!("Mooney-Rivlin", "<c1>120</c1><c2>40</c2><k>5000</k>"),
        mooney_rivlin,
        true,
    ),
    row(
        "Veronda-Westmann",
        material!("Veronda-Westmann", "<c1>100</c1><c2>2</c2><k>5000</k>"),
        veronda_westmann,
        true,
    ),
    row(
        "Ogden",
        material!("Ogden", "<c1>200</c1><m1>3.5</m1><c2>80</c2><m2>-2</m2><k>4000</k>"),
        ogden,
        true,
    ),
    row("Yeoh", material!("Yeoh", "<c1>100</c1><c2>20</c2><c3>5</c3><k>4000</k>"), yeoh, true),
    row(
        "coupled Mooney-Rivlin",
        material!("coupled Mooney-Rivlin", "<c1>150</c1><c2>0</c2><k>400</k>"),
        coupled_mooney_rivlin,
        true,
    ),
    row(
        "viscoelastic",
        material!(
            "viscoelastic",
            "<g1>0.5</g1><t1>1</t1><elastic type=\"neo-Hookean\"><E>1000</E><v>0.3</v></elastic>"
        ),
        neo_hookean,
        true,
    ),
    row(
        "trans iso Mooney-Rivlin",
        material!(
            "trans iso Mooney-Rivlin",
            "<c1>120</c1><c2>40</c2><c3>30</c3><c4>6</c4><c5>1984.1717485</c5><lam_max>1.4</lam_max><k>5000</k><fiber type=\"vector\">1,0,0</fiber>"
        ),
        trans_iso,
        false,
    ),
    row(
        "Holzapfel-Gasser-Ogden",
        material!(
            "Holzapfel-Gasser-Ogden",
            "<k>4000</k><pressure_model>Abaqus</pressure_model><c>100</c><k1>50</k1><k2>1.5</k2><kappa>0.1</kappa><gamma>30</gamma>"
        ),
        holzapfel,
        false,
    ),
    row(
        "Fung orthotropic",
        material!(
            "Fung orthotropic",
            "<E1>300</E1><E2>200</E2><E3>150</E3><G12>90</G12><G23>70</G23><G31>80</G31><v12>0.2</v12><v23>0.15</v23><v31>0.1</v31><c>250</c><k>5000</k>"
        ),
        fung,
        false,
    ),
];

/// Stretches across a stretch along x that leave no stress there: the least energy, by Newton's method with differences.
pub(super) fn lateral(energy: &fn(&Stretches) -> f64, along: f64) -> [f64; 2] {
    let at = |y: f64, z: f64| energy(&Stretches::along_axes([along, y, z]));
    let (mut y, mut z) = (along.powf(-0.5), along.powf(-0.5));
    for _ in 0..50 {
        let h = 1e-4;
        let [py, my, pz, mz, c] =
            [at(y + h, z), at(y - h, z), at(y, z + h), at(y, z - h), at(y, z)];
        // Differences of fourth order for the slopes.
        let slope = |p: f64, m: f64, p2: f64, m2: f64| (8.0 * (p - m) - (p2 - m2)) / (12.0 * h);
        let gy = slope(py, my, at(y + 2.0 * h, z), at(y - 2.0 * h, z));
        let gz = slope(pz, mz, at(y, z + 2.0 * h), at(y, z - 2.0 * h));
        let (hyy, hzz) = ((py - 2.0 * c + my) / (h * h), (pz - 2.0 * c + mz) / (h * h));
        let corners = at(y + h, z + h) - at(y + h, z - h) - at(y - h, z + h) + at(y - h, z - h);
        let hyz = corners / (4.0 * h * h);
        let det = hyy * hzz - hyz * hyz;
        let (dy, dz) = ((hzz * gy - hyz * gz) / det, (hyy * gz - hyz * gy) / det);
        (y, z) = (y - dy, z - dz);
        if dy.abs().max(dz.abs()) < 1e-12 {
            break;
        }
    }
    [y, z]
}
