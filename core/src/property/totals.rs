//! Totals of everything below a component: a composite of the root, mechanical models, lists and tissues.
//! `simulated/totals.rs` reads them.

use crate::Vec3;
use crate::property::{Property, properties};

/// The lines of the composite.
pub(crate) fn totals<T>() -> Vec<Property<T>> {
    let mut table = Vec::new();
    properties! { @lines table T;
        "mass": f64 = 0.0, "kg", FINITE, NOTHING, "Mass of all particles, nodes and bodies in it", simulated ();
        "volume": f64 = 0.0, "m³", FINITE, NOTHING, "Volume of its tissues now", simulated ();
        "kinetic_energy": f64 = 0.0, "J", FINITE, NOTHING, "Energy of motion", simulated ();
        "gravitational_energy": f64 = 0.0, "J", FINITE, NOTHING, "Energy of the weight, zero at the origin", simulated ();
        "strain_energy": f64 = 0.0, "J", FINITE, NOTHING, "Energy stored in tissues and springs", simulated ();
        "energy": f64 = 0.0, "J", FINITE, NOTHING, "Sum of the three energies", simulated ();
        "center_of_mass": Vec3 = Vec3::zeros(), "m", FINITE, NOTHING, "Centre of mass of what forces move, of everything where they move nothing; none without mass", simulated ();
        "momentum": Vec3 = Vec3::zeros(), "kg m/s", FINITE, NOTHING, "Linear momentum", simulated ();
        "angular_momentum": Vec3 = Vec3::zeros(), "kg m²/s", FINITE, NOTHING, "Angular momentum about the origin", simulated ();
        "bounds.low": Vec3 = Vec3::zeros(), "m", FINITE, NOTHING, "Least coordinates of its points and of the centres of mass of its bodies; none without either", simulated ();
        "bounds.high": Vec3 = Vec3::zeros(), "m", FINITE, NOTHING, "Greatest coordinates of its points and of the centres of mass of its bodies; none without either", simulated ();
    }
    table
}
