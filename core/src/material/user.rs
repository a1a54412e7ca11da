//! Laws of users: an energy written once, generic over its numbers, whose stress and tangent come from automatic
//! differentiation, exact to rounding. With S = dW/dE and the derivative of S by E, both by the Green-Lagrange strain E, the Cauchy stress is
//! F S Fᵀ / J and the spatial tangent the push-forward of dS/dE over J (BonetWood2008, chapter 6).

use nalgebra::{Matrix3, Matrix6, Vector6};

use super::constants::{ConstantSet, Unfit};
use super::{Constant, Deformation, LawKind, Material, MaterialSpec, Value, voigt};
use crate::formula::{Scalar, SecondOrder};
use crate::{Mat3, Real, lit};

/// Most constants of a law of users.
const MOST_CONSTANTS: usize = 24;

/// A law of users: what is known of it, and its energy.
///
/// ```
/// use sinew::formula::Scalar;
/// use sinew::material::{Constant, LawKind, MaterialSpec, Stretch, UserEnergy};
///
/// /// Gent: W = -mu Jm / 2 ln(1 - (Ī1 - 3) / Jm) + kappa/2 (J - 1)².
/// struct Gent;
///
/// impl UserEnergy for Gent {
///     const KIND: LawKind = LawKind::of_user(
///         "gent",
///         &[
///             Constant::positive("mu", "Pa", 1e4, "Shear modulus at rest"),
///             Constant::positive("jm", "-", 30.0, "Limit of the first invariant"),
///             Constant::positive("bulk_modulus", "Pa", 1e6, "Bulk modulus kappa"),
///         ],
///     )
///     .with_bulk_modulus(2);
///
///     fn energy<S: Scalar>(constants: &[f64], at: &Stretch<S>) -> S {
///         let [mu, jm, kappa] = [0, 1, 2].map(|k| S::constant(constants[k]));
///         let one = S::constant(1.0);
///         let change = at.volume_ratio() - one;
///         let stretched = (at.isochoric_invariants()[0] - S::constant(3.0)) / jm;
///         kappa * change * change * S::constant(0.5) - mu * jm * S::constant(0.5) * (one - stretched).ln()
///     }
/// }
///
/// let law = MaterialSpec::user::<Gent>();
/// assert_eq!(law.name(), "gent");
/// ```
pub trait UserEnergy: 'static {
    /// Its name, constants and needs; see [`LawKind::of_user`].
    const KIND: LawKind;

    /// Energy per volume at rest [J/m³], zero where nothing is deformed. `constants` are in the order of the kind.
    fn energy<S: Scalar>(constants: &[f64], at: &Stretch<S>) -> S;
}

/// Deformation of a point without its rotation: the right Cauchy-Green tensor C = FᵀF, in the axes of the material.
#[derive(Clone, Copy, Debug)]
pub struct Stretch<S> {
    /// Green-Lagrange strain E = (C - I) / 2 [-]: along fibres, sheets, normal of both; the axes of space where a tissue has none.
    pub strain: [[S; 3]; 3],
    /// Activation of the tissue [-], 0 to 1.
    pub activation: f64,
}

impl<S: Scalar> Stretch<S> {
    /// Component of C.
    pub fn c(&self, i: usize, j: usize) -> S {
        let twice = self.strain[i][j] * S::constant(2.0);
        if i == j { twice + S::constant(1.0) } else { twice }
    }

    /// I1 = tr C; that of rest is 3.
    pub fn first_invariant(&self) -> S {
        self.c(0, 0) + self.c(1, 1) + self.c(2, 2)
    }

    /// I2 = (tr² C - tr C²) / 2; that of rest is 3.
    pub fn second_invariant(&self) -> S {
        let minor = |i: usize, j: usize| self.c(i, i) * self.c(j, j) - self.c(i, j) * self.c(j, i);
        minor(0, 1) + minor(1, 2) + minor(0, 2)
    }

    /// I3 = det C = J².
    pub fn third_invariant(&self) -> S {
        let minor = |a: usize, b: usize| self.c(1, a) * self.c(2, b) - self.c(1, b) * self.c(2, a);
        self.c(0, 0) * minor(1, 2) - self.c(0, 1) * minor(0, 2) + self.c(0, 2) * minor(0, 1)
    }

    /// J, the volume over that at rest, of a point that is not inverted.
    pub fn volume_ratio(&self) -> S {
        self.third_invariant().sqrt()
    }

    /// Ī1 = J^(-2/3) I1 and Ī2 = J^(-4/3) I2.
    pub fn isochoric_invariants(&self) -> [S; 2] {
        let third = self.third_invariant();
        let cubic = third.powc(-1.0 / 3.0);
        [self.first_invariant() * cubic, self.second_invariant() * cubic * cubic]
    }

    /// Stretch along an axis of the material: 0 that of the fibres.
    pub fn along(&self, axis: usize) -> S {
        self.c(axis, axis).sqrt()
    }
}

impl MaterialSpec {
    /// A law of the user with its default constants, which [`Self::put`] replaces.
    pub fn user<E: UserEnergy>() -> Self {
        Self::User(UserLaw::of::<E>())
    }
}

impl LawKind {
    /// The kind of a law of users with a name and numbers as constants: it needs a positive volume and looks at all axes of the
    /// material.
    pub const fn of_user(name: &'static str, constants: &'static [Constant]) -> Self {
        Self {
            name,
            aliases: &[],
            doc: "A law of the user.",
            source: "",
            constants,
            needs_positive_volume: true,
            axes: super::Axes::All,
            muscle: false,
            kernel: "",
            volume: None,
        }
    }

    /// The same with an energy that has a part kappa/2 (J - 1)² of the volume alone, kappa being the constant of this place, and
    /// no other part that needs kappa: nearly incompressible tissue then has pressures of its own.
    pub const fn with_bulk_modulus(self, place: usize) -> Self {
        Self { volume: Some(super::VolumeEnergy::Quadratic(place)), ..self }
    }
}

impl Constant {
    /// A number above 0.
    pub const fn positive(
        name: &'static str,
        unit: &'static str,
        default: f64,
        doc: &'static str,
    ) -> Self {
        let range = crate::property::Range::POSITIVE;
        Self { range, ..Self::number(name, unit, default, doc) }
    }

    /// Any finite number.
    pub const fn number(
        name: &'static str,
        unit: &'static str,
        default: f64,
        doc: &'static str,
    ) -> Self {
        let (range, value) = (crate::property::Range::FINITE, Value::Number(default));
        Self { name, unit, range, words: &[], default: value, example: value, doc }
    }
}

/// Functions of a law of users.
#[derive(Debug)]
struct Table {
    kind: LawKind,
    energy: fn(&[f64], &Stretch<f64>) -> f64,
    derivatives: fn(&[f64], &Stretch<SecondOrder>) -> SecondOrder,
}

/// A law of users with its constants.
#[derive(Clone, Copy)]
pub struct UserLaw {
    table: &'static Table,
    constants: [f64; MOST_CONSTANTS],
}

impl UserLaw {
    /// The law with its default constants.
    pub fn of<E: UserEnergy>() -> Self {
        const {
            assert!(
                E::KIND.constants.len() <= MOST_CONSTANTS,
                "a law of users has up to 24 constants"
            )
        };
        let table: &'static Table = const {
            &Table {
                kind: E::KIND,
                energy: E::energy::<f64>,
                derivatives: E::energy::<SecondOrder>,
            }
        };
        let mut law = Self { table, constants: [0.0; MOST_CONSTANTS] };
        for (value, constant) in law.constants.iter_mut().zip(table.kind.constants) {
            if let Value::Number(default) = constant.default {
                *value = default;
            }
        }
        law
    }

    /// Description of the law.
    pub fn kind(&self) -> &'static LawKind {
        &self.table.kind
    }

    /// The same with the numbers of [`ConstantSet::pack`].
    pub(super) fn with_packed(mut self, packed: &[f64]) -> Self {
        self.constants.iter_mut().zip(packed).for_each(|(own, packed)| *own = *packed);
        self
    }

    fn values(&self) -> &[f64] {
        &self.constants[..self.table.kind.constants.len()]
    }

    /// dW/dE and d²W/dE² along the axes of the material.
    fn derivatives(&self, strain: &Mat3, activation: f64) -> (Mat3, Matrix6<f64>) {
        let mut at = Stretch { strain: [[SecondOrder::constant(0.0); 3]; 3], activation };
        for (k, (i, j)) in voigt::VOIGT.into_iter().enumerate() {
            // Components beside the diagonal are two of the tensor, half as much each.
            let share = if i == j { 1.0 } else { 0.5 };
            at.strain[i][j] = SecondOrder::variable(k, strain[(i, j)], share);
            at.strain[j][i] = at.strain[i][j];
        }
        let energy = (self.table.derivatives)(self.values(), &at);
        let tangent = Matrix6::from_fn(|r, c| energy.curvature[r][c]);
        (voigt::from_voigt(&Vector6::from(energy.slope)), tangent)
    }
}

impl std::fmt::Debug for UserLaw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let constants = self.table.kind.constants.iter().map(|constant| constant.name);
        f.write_str(self.table.kind.name)?;
        f.debug_map().entries(constants.zip(self.values())).finish()
    }
}

/// Laws are the same where their kinds and constants are.
impl PartialEq for UserLaw {
    fn eq(&self, other: &Self) -> bool {
        self.table.kind == other.table.kind && self.values() == other.values()
    }
}

impl ConstantSet for UserLaw {
    fn list(&self) -> &'static [Constant] {
        self.table.kind.constants
    }

    fn get(&self, name: &str) -> Option<Value> {
        let place = self.list().iter().position(|constant| constant.name == name)?;
        Some(Value::Number(self.constants[place]))
    }

    fn set(&mut self, name: &str, value: Value) -> bool {
        let place = self.list().iter().position(|constant| constant.name == name);
        match (place, value) {
            (Some(place), Value::Number(x)) => {
                self.constants[place] = x;
                true
            }
            (None, _) | (_, Value::Choice(_)) => false,
        }
    }

    fn pack(&self) -> Vec<f64> {
        self.values().to_vec()
    }

    fn check_together(&self) -> Option<Unfit> {
        let energy = |strain: f64| {
            let mut at = Stretch { strain: [[0.0; 3]; 3], activation: 0.0 };
            at.strain[0][0] = strain;
            (self.table.energy)(self.values(), &at)
        };
        let (rest, stretched) = (energy(0.0), energy(1e-3));
        let must = "a finite number where nothing is deformed and where a point is stretched by a thousandth";
        let value = if rest.is_finite() { stretched } else { rest };
        (!value.is_finite()).then_some(Unfit { parameter: "energy", value, must })
    }
}

impl<T: Real> Material<T> for UserLaw {
    fn energy(&self, d: &Deformation<T>) -> T {
        let d = d.in_double();
        let strain = d.axes.transpose() * d.green_strain() * d.axes;
        let at = Stretch {
            strain: [0, 1, 2].map(|i| [0, 1, 2].map(|j| strain[(i, j)])),
            activation: d.activation,
        };
        lit((self.table.energy)(self.values(), &at))
    }

    fn stress(&self, d: &Deformation<T>) -> Matrix3<T> {
        let d = d.in_double();
        let strain = d.axes.transpose() * d.green_strain() * d.axes;
        let (stress, _) = self.derivatives(&strain, d.activation);
        (voigt::pushed(&(d.f * d.axes), &stress) / d.j).map(lit)
    }

    fn stress_and_tangent(&self, d: &Deformation<T>) -> (Matrix3<T>, Matrix6<T>) {
        let d = d.in_double();
        let strain = d.axes.transpose() * d.green_strain() * d.axes;
        let (stress, modulus) = self.derivatives(&strain, d.activation);
        let f = d.f * d.axes;
        let tangent = voigt::of_map(|x| {
            let pulled = voigt::to_voigt(&(f.transpose() * x * f));
            let doubled = pulled.map_with_location(|row, _, x| if row < 3 { x } else { x + x });
            voigt::pushed(&f, &voigt::from_voigt(&(modulus * doubled)))
        });
        ((voigt::pushed(&f, &stress) / d.j).map(lit), (tangent / d.j).map(lit))
    }
}

impl<T: Real> Deformation<T> {
    fn in_double(&self) -> Deformation<f64> {
        let double = |x: T| nalgebra::try_convert(x).unwrap_or(f64::NAN);
        Deformation {
            h: self.h.map(double),
            f: self.f.map(double),
            j: double(self.j),
            axes: self.axes.map(double),
            activation: double(self.activation),
        }
    }
}
