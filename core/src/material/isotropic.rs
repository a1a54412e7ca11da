//! The engineering constants that the simple isotropic laws share.

use super::constants::material_constants;

material_constants! {
    /// Constants of an isotropic law.
    Isotropic {
        /// Young's modulus at rest
        youngs_modulus: f64 = 5e5, 5e4, "Pa", POSITIVE;
        /// Poisson's ratio at rest
        poissons_ratio: f64 = 0.33, 0.3, "-", POISSON;
    }
    |c| {
        let (lambda, mu) = c.lame();
        vec![lambda, mu]
    }
}

/// Lamé's lambda over mu of a tissue without change of volume (nu = 0.5): volumes change by p/lambda, which leaves
/// 1e-5 times the strain; larger ones take digits from linear solvers and bring none.
const INCOMPRESSIBLE: f64 = 1e5;

impl Isotropic {
    /// Lamé's constants (lambda, mu) [Pa]; lambda stands for infinity where Poisson's ratio is 0.5.
    pub fn lame(&self) -> (f64, f64) {
        let (e, nu) = (self.youngs_modulus, self.poissons_ratio);
        let mu = e / (2.0 * (1.0 + nu));
        if nu == 0.5 {
            return (INCOMPRESSIBLE * mu, mu);
        }
        (e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), mu)
    }
}
