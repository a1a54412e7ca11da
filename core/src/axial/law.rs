//! The list of the laws, one line each, and the enum over them that a model holds.

use super::active::{
    BlemkerMuscle, ConstantMuscle, DeGrooteFregly2016, HillRigidTendon, LinearMuscle,
    MasoudMillardLam, Millard2012, MujocoMuscle, PaiMuscle, PeckMuscle, Schutte1993, SimpleMuscle,
    Thelen2003,
};
use super::constants::ensure_in_range;
use super::passive::{
    Blankevoort1991, ConstantTension, CurveLigament, LinearSpring, MaxwellElement,
    Millard2012Tendon, Thelen2003Tendon, TwoSidedLigament, UnidirectionalSpring, UwLigament,
};
use super::{
    AxialError, AxialInput, Before, Constants, Contraction, LawKind, Past, Role, Settling,
    StateSlopes, Tension, TensionLaw, Value,
};

macro_rules! axial_laws {
    ($($variant:ident($law:ident),)*) => {
        /// A law of tension with its constants, as a model holds it. In files the tag `kind` is the
        /// name of [`LawKind`], the constants stand beside it, and those left out have defaults.
        #[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(tag = "kind", rename_all = "snake_case")]
        pub enum AxialLaw {
            $( #[doc = concat!("See [`", stringify!($law), "`].")] $variant($law), )*
        }

        /// Every kind of law with its constants, in the order of the variants of [`AxialLaw`].
        pub static KINDS: &[LawKind] = &[$($law::KIND),*];

        impl AxialLaw {
            /// The law of that name with default constants, if there is one.
            pub fn from_name(name: &str) -> Option<Self> {
                $( if name == $law::KIND.name {
                    return Some(Self::$variant($law::default()));
                } )*
                None
            }

            fn law(&self) -> &dyn TensionLaw {
                match self { $( Self::$variant(law) => law, )* }
            }

            fn law_mut(&mut self) -> &mut dyn TensionLaw {
                match self { $( Self::$variant(law) => law, )* }
            }
        }

        impl TensionLaw for AxialLaw {
            fn tension(&self, input: &AxialInput, past: &Past<'_>) -> Tension {
                match self { $( Self::$variant(law) => law.tension(input, past), )* }
            }

            fn energy(&self, length: f64, rest_length: f64) -> Option<f64> {
                self.law().energy(length, rest_length)
            }

            fn state_len(&self) -> usize {
                self.law().state_len()
            }

            fn start(&self, input: &AxialInput, state: &mut [f64]) -> Settling {
                self.law().start(input, state)
            }

            fn advance(&self, input: &AxialInput, before: &Before, state: &mut [f64]) -> Settling {
                self.law().advance(input, before, state)
            }

            fn rates(&self, input: &AxialInput, from: (&[f64], f64), rates: &mut [f64]) {
                self.law().rates(input, from, rates);
            }

            fn close(&self, input: &AxialInput, state: &mut [f64]) {
                self.law().close(input, state);
            }

            fn slopes(&self, input: &AxialInput, past: &Past<'_>) -> StateSlopes {
                self.law().slopes(input, past)
            }

            fn contraction(&self, input: &AxialInput, state: &[f64]) -> Option<Contraction> {
                self.law().contraction(input, state)
            }

            fn check_together(&self) -> Result<(), AxialError> {
                self.law().check_together()
            }
        }
    };
}

axial_laws! {
    Constant(ConstantTension),
    Linear(LinearSpring),
    UnidirectionalLinear(UnidirectionalSpring),
    Maxwell(MaxwellElement),
    Ligament(TwoSidedLigament),
    UwLigament(UwLigament),
    AxialLigament(CurveLigament),
    Blankevoort1991(Blankevoort1991),
    Thelen2003Tendon(Thelen2003Tendon),
    Millard2012Tendon(Millard2012Tendon),
    ConstantMuscle(ConstantMuscle),
    LinearMuscle(LinearMuscle),
    Peck(PeckMuscle),
    Pai(PaiMuscle),
    Blemker(BlemkerMuscle),
    SimpleMuscle(SimpleMuscle),
    MasoudMillardLam(MasoudMillardLam),
    HillRigidTendon(HillRigidTendon),
    Thelen2003(Thelen2003),
    Millard2012(Millard2012),
    DeGrooteFregly2016(DeGrooteFregly2016),
    Schutte1993(Schutte1993),
    MujocoMuscle(MujocoMuscle),
}

impl AxialLaw {
    /// Checks that the constants describe a line that can be simulated.
    ///
    /// # Errors
    /// [`AxialError`] names the first constant that is out of its range, its value and the range.
    pub fn check(&self) -> Result<(), AxialError> {
        let kind = self.kind();
        for constant in kind.constants {
            if let Some(value) = self.get(constant.name) {
                ensure_in_range(kind, constant.name, value)?;
            }
        }
        self.check_together()
    }

    /// True if it pulls by its excitation.
    pub fn is_muscle(&self) -> bool {
        self.kind().role == Role::Active
    }

    /// Excitation whose activation a line begins with under an excitation [-]: that, or the one that the law starts with.
    pub(crate) fn start_excitation(&self, excitation: f64) -> f64 {
        match (self.get("activation"), self.get("start_activation")) {
            (Some(Value::Choice(model)), Some(Value::Number(start))) if model != "instant" => {
                excitation.max(start)
            }
            _ => excitation,
        }
    }

    /// Has it begin with the activation of its excitation.
    pub(crate) fn forget_start(&mut self) {
        // A law that starts with no activation of its own has nothing to forget.
        let _ = self.set("start_activation", Value::Number(0.0));
    }

    /// Excitation below which the activation that a law has of its own stays what it is [-].
    pub(crate) fn least_excitation(&self) -> f64 {
        match (self.get("activation"), self.get("least_activation")) {
            (Some(Value::Choice(model)), Some(Value::Number(least))) if model != "instant" => least,
            _ => 0.0,
        }
    }
}

impl Constants for AxialLaw {
    fn kind(&self) -> &'static LawKind {
        self.law().kind()
    }

    fn get(&self, constant: &str) -> Option<Value> {
        self.law().get(constant)
    }

    fn set(&mut self, constant: &str, value: Value) -> Result<(), AxialError> {
        self.law_mut().set(constant, value)
    }
}
