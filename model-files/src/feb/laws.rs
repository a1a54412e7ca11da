//! Materials of FEBio as laws of the table of the library, exactly where not said otherwise;
//! docs/reference/febio.md derives each.

use sinew::material::{Law, MaterialSpec, Value};

use super::units::Dimension::{self, Degree, One, Stress};
use super::units::Units;
use super::values;
use crate::diagnostic::{Diagnostic, Findings};
use crate::xml_tree::Element;

/// Laws of a material: of the tissue, and of fibres in it.
pub(super) struct Laws {
    pub(super) tissue: MaterialSpec,
    pub(super) fibres: Option<MaterialSpec>,
}

/// A constant of a law: its tag, its name here, its dimension and FEBio's default.
type Constant = (&'static str, &'static str, Dimension, Option<f64>);

/// A material whose constants are those of a law.
struct Row {
    names: &'static [&'static str],
    law: Law,
    constants: &'static [Constant],
    /// FEBio's pressure model without a word; none where the law has no bulk modulus of its own.
    pressure: Option<&'static str>,
}

const ISOTROPIC: &[Constant] =
    &[("E", "youngs_modulus", Stress, None), ("v", "poissons_ratio", One, None)];
const MOONEY: &[Constant] = &[("c1", "c10", Stress, Some(0.0)), ("c2", "c01", Stress, Some(0.0))];
const VERONDA: &[Constant] = &[("c1", "c1", Stress, None), ("c2", "c2", One, None)];

const ROWS: [Row; 10] = [
    Row { names: &["neo-Hookean"], law: Law::NeoHookean, constants: ISOTROPIC, pressure: None },
    Row {
        names: &["isotropic elastic", "St.Venant-Kirchhoff"],
        law: Law::StVenantKirchhoff,
        constants: ISOTROPIC,
        pressure: None,
    },
    Row { names: &["linear elastic"], law: Law::Linear, constants: ISOTROPIC, pressure: None },
    Row {
        names: &["incomp neo-Hookean"],
        law: Law::IsochoricNeoHookean,
        constants: &[("G", "shear_modulus", Stress, None)],
        pressure: Some("default"),
    },
    Row {
        names: &["Mooney-Rivlin", "trans iso Mooney-Rivlin"],
        law: Law::MooneyRivlin,
        constants: MOONEY,
        pressure: Some("default"),
    },
    Row {
        names: &["Veronda-Westmann", "trans iso Veronda-Westmann"],
        law: Law::VerondaWestmann,
        constants: VERONDA,
        pressure: Some("default"),
    },
    Row {
        names: &["Yeoh"],
        law: Law::Yeoh,
        constants: &[
            ("c1", "c1", Stress, None),
            ("c2", "c2", Stress, Some(0.0)),
            ("c3", "c3", Stress, Some(0.0)),
        ],
        pressure: Some("default"),
    },
    Row {
        names: &["Ogden"],
        law: Law::Ogden,
        constants: &[
            ("c1", "mu_1", Stress, Some(0.0)),
            ("c2", "mu_2", Stress, Some(0.0)),
            ("c3", "mu_3", Stress, Some(0.0)),
            ("c4", "mu_4", Stress, Some(0.0)),
            ("c5", "mu_5", Stress, Some(0.0)),
            ("c6", "mu_6", Stress, Some(0.0)),
            ("m1", "alpha_1", One, Some(1.0)),
            ("m2", "alpha_2", One, Some(1.0)),
            ("m3", "alpha_3", One, Some(1.0)),
            ("m4", "alpha_4", One, Some(1.0)),
            ("m5", "alpha_5", One, Some(1.0)),
            ("m6", "alpha_6", One, Some(1.0)),
        ],
        pressure: Some("default"),
    },
    Row {
        names: &["Holzapfel-Gasser-Ogden"],
        law: Law::HolzapfelGasserOgden,
        constants: &[
            ("c", "shear_modulus", Stress, None),
            ("k1", "k1", Stress, Some(0.0)),
            ("k2", "k2", One, None),
            ("kappa", "dispersion", One, Some(0.0)),
            ("gamma", "angle", Degree, Some(0.0)),
        ],
        pressure: Some("Abaqus (GOH)"),
    },
    Row {
        names: &["Fung orthotropic"],
        law: Law::FungOrthotropic,
        constants: &[("c", "c", Stress, None)],
        pressure: Some("default"),
    },
];

/// Names of the materials that are read, for help.
pub(super) fn names() -> String {
    let rows = ROWS.iter().flat_map(|row| row.names).copied();
    rows.chain(["coupled Mooney-Rivlin", "rigid body"]).collect::<Vec<_>>().join(", ")
}

/// Reader of the constants of one material.
struct Reader<'r> {
    at: &'r Element,
    units: &'r Units,
    findings: &'r mut Findings,
}

/// The laws of a material.
///
/// # Errors
/// A material that no law stands for, a constant that is missing or no number, constants that no material has.
pub(super) fn read(
    at: &Element,
    units: &Units,
    findings: &mut Findings,
) -> Result<Laws, Diagnostic> {
    let kind = at.attribute("type").map_or("", |it| it.value.as_str()).to_owned();
    let mut reader = Reader { at, units, findings };
    let tissue = match kind.as_str() {
        "coupled Mooney-Rivlin" => reader.coupled_mooney_rivlin()?,
        _ => reader.of_table(&kind)?,
    };
    let fibres = match kind.starts_with("trans iso") {
        true => reader.fibres()?,
        false => None,
    };
    let check = |law: &MaterialSpec| law.check().map_err(|error| at.refused(error.to_string()));
    check(&tissue)?;
    fibres.as_ref().map_or(Ok(()), check)?;
    Ok(Laws { tissue, fibres })
}

impl Reader<'_> {
    /// A constant in SI units; its default where the material says nothing.
    fn constant(
        &self,
        tag: &str,
        dimension: Dimension,
        default: Option<f64>,
    ) -> Result<f64, Diagnostic> {
        let value = match (self.at.child(tag), default) {
            (Some(it), _) => values::number(it)?,
            (None, Some(default)) => default,
            (None, None) => {
                let message = format!("{} has no <{tag}>", self.at.label());
                return Err(self.at.refused(message));
            }
        };
        Ok(value * self.units.factor(dimension))
    }

    fn of_table(&mut self, kind: &str) -> Result<MaterialSpec, Diagnostic> {
        let Some(row) = ROWS.iter().find(|row| row.names.contains(&kind)) else {
            let message = format!("no law stands for the material '{kind}'");
            let help = format!(
                "materials that are read: {}; to give the mesh a law of Sinew, name it in a model file: mesh = \"NAME.feb\"",
                names()
            );
            return Err(self.at.refused(message).help(help));
        };
        let mut spec = row.law.spec();
        for &(tag, name, dimension, default) in row.constants {
            spec.put(name, Value::Number(self.constant(tag, dimension, default)?));
        }
        if row.law == Law::FungOrthotropic {
            self.fung(&mut spec)?;
        }
        if let Some(model) = row.pressure {
            self.bulk(&mut spec, model)?;
        }
        Ok(spec)
    }

    /// Bulk modulus and energy of the volume: K/2 (ln J)² by default, K/2 (J - 1)² as Abaqus. The third, K/4 (J² - 1) -
    /// K/2 ln J, is nearest to the second.
    fn bulk(&mut self, spec: &mut MaterialSpec, default: &str) -> Result<(), Diagnostic> {
        let modulus = self.constant("k", Stress, None)?;
        spec.put("bulk_modulus", Value::Number(modulus));
        let at = self.at.child("pressure_model");
        let word = at.map_or(default, |it| it.text.as_str());
        let potential = match word {
            "default" | "0" | "" => "logarithmic",
            "Abaqus" | "2" => "quadratic",
            _ => {
                let message = "the energy of volume K/4 (J² - 1 - 2 ln J) is taken as K/2 (J - 1)², which differs from the third order \
                               of J - 1 on";
                self.findings.warn(at.unwrap_or(self.at).span, message);
                "quadratic"
            }
        };
        spec.put("bulk_potential", Value::Choice(potential));
        Ok(())
    }

    /// With c2 = 0 it is the neo-Hookean law of mu = 2 c1 and lambda = k.
    fn coupled_mooney_rivlin(&mut self) -> Result<MaterialSpec, Diagnostic> {
        let [c1, c2, lambda] = [("c1", None), ("c2", Some(0.0)), ("k", None)]
            .map(|(tag, default)| self.constant(tag, Stress, default));
        let (mu, lambda) = (2.0 * c1?, lambda?);
        if c2? != 0.0 {
            let message = "no law stands for coupled Mooney-Rivlin with a c2 other than 0";
            return Err(self.at.refused(message).help("take Mooney-Rivlin, whose volume is apart"));
        }
        let mut spec = Law::NeoHookean.spec();
        let young = mu * (3.0 * lambda + 2.0 * mu) / (lambda + mu);
        spec.put("youngs_modulus", Value::Number(young));
        spec.put("poissons_ratio", Value::Number(0.5 * lambda / (lambda + mu)));
        Ok(spec)
    }

    /// Moduli mu and lambda of Fung's law from engineering constants: the stiffness of an orthotropic solid is
    /// lambda_ab + 2 mu_a where a = b, and the shear moduli are G_ab = (mu_a + mu_b)/2.
    fn fung(&mut self, spec: &mut MaterialSpec) -> Result<(), Diagnostic> {
        let read = |tag: &str, dimension| self.constant(tag, dimension, None);
        let [e1, e2, e3] = [read("E1", Stress)?, read("E2", Stress)?, read("E3", Stress)?];
        let [g12, g23, g31] = [read("G12", Stress)?, read("G23", Stress)?, read("G31", Stress)?];
        let [v12, v23, v31] = [read("v12", One)?, read("v23", One)?, read("v31", One)?];
        let mu = [g12 + g31 - g23, g12 - g31 + g23, g31 + g23 - g12];
        let [c12, c23, c13] = [-v12 / e1, -v23 / e2, -v31 / e3];
        let compliance =
            sinew::Mat3::new(1.0 / e1, c12, c13, c12, 1.0 / e2, c23, c13, c23, 1.0 / e3);
        let stiffness = compliance.try_inverse().ok_or_else(|| {
            self.at.refused(format!("no solid has the constants of {}", self.at.label()))
        })?;
        let names = ["mu_1", "mu_2", "mu_3"];
        for (name, mu) in names.into_iter().zip(mu) {
            spec.put(name, Value::Number(mu));
        }
        let names = [
            ["lambda_11", "lambda_12", "lambda_13"],
            ["", "lambda_22", "lambda_23"],
            ["", "", "lambda_33"],
        ];
        for (a, b) in [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)] {
            let own = if a == b { 2.0 * mu[a] } else { 0.0 };
            spec.put(names[a][b], Value::Number(stiffness[(a, b)] - own));
        }
        Ok(())
    }

    /// The law of fibres of the transversely isotropic materials: c3 (exp(c4 (λ - 1)) - 1) up to `lam_max`, a line of
    /// slope c5 beyond it.
    fn fibres(&mut self) -> Result<Option<MaterialSpec>, Diagnostic> {
        let [c3, c5] = ["c3", "c5"].map(|tag| self.constant(tag, Stress, Some(0.0)));
        let [c4, most] = [("c4", 0.0), ("lam_max", 1.0)]
            .map(|(tag, default)| self.constant(tag, One, Some(default)));
        let (mut c3, mut c4, c5, most) = (c3?, c4?, c5?, most?.max(1.0));
        if c3 == 0.0 && c5 == 0.0 {
            return Ok(None);
        }
        if most == 1.0 {
            // A line from the start; no exponent may be 0.
            (c3, c4) = (0.0, 1.0);
        } else if c3 == 0.0 && c4 > 0.0 {
            c3 = c5 / c4 * (-c4 * (most - 1.0)).exp();
        }
        // 0 stands for the slope of the curve there: a line that is level has next to none.
        let slope = c5.max(1e-12 * c3 * c4 * (c4 * (most - 1.0)).exp());
        let mut spec = Law::GenericMuscle.spec();
        let constants = [
            ("max_stress", 0.0),
            ("exp_stress_coefficient", c3),
            ("uncrimping_factor", c4),
            ("max_stretch", most),
            ("straight_modulus", slope),
        ];
        for (name, x) in constants {
            spec.put(name, Value::Number(x));
        }
        Ok(Some(spec))
    }
}
