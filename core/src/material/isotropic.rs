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

impl Isotropic {
    /// Lamé's constants (lambda, mu) [Pa].
    pub fn lame(&self) -> (f64, f64) {
        let (e, nu) = (self.youngs_modulus, self.poissons_ratio);
        (e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), e / (2.0 * (1.0 + nu)))
    }
}
