//! Types made from the list of laws: the enum of laws with constants that a model holds, and the
//! enum of laws ready to compute.

use super::LawKind;

/// Number of names and aliases of these laws.
pub(super) const fn word_count(kinds: &[LawKind]) -> usize {
    let (mut count, mut k) = (kinds.len(), 0);
    while k < kinds.len() {
        count += kinds[k].aliases.len();
        k += 1;
    }
    count
}

/// The names of these laws, then their aliases; `COUNT` is [`word_count`] of them.
pub(super) const fn words<const COUNT: usize>(kinds: &[LawKind]) -> [&'static str; COUNT] {
    let mut words = [""; COUNT];
    let (mut place, mut k) = (kinds.len(), 0);
    while k < kinds.len() {
        words[k] = kinds[k].name;
        let mut alias = 0;
        while alias < kinds[k].aliases.len() {
            words[place] = kinds[k].aliases[alias];
            place += 1;
            alias += 1;
        }
        k += 1;
    }
    words
}

/// `module: Law(Constants),` a line a law. The module has the struct `Law<T>` and a constant `KIND`.
macro_rules! material_laws {
    ($($module:ident: $law:ident($constants:ty),)+) => {
        /// A law with its constants, as a model holds it. In files of states the tag `kind` is the
        /// name of the variant in snake case; constants that are left out have their defaults.
        #[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(tag = "kind", rename_all = "snake_case")]
        pub enum MaterialSpec {
            $( #[doc = concat!("See [`", stringify!($law), "`].")] $law($constants), )+
            /// A law of the user's own code, which files do not hold: see [`UserEnergy`].
            #[serde(skip)]
            User(UserLaw),
        }

        /// A law of the library without constants.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Law {
            $( #[doc = concat!("See [`", stringify!($law), "`].")] $law, )+
        }

        impl Law {
            /// Every law, in the order of the variants of [`MaterialSpec`].
            pub const ALL: [Self; MaterialSpec::COUNT] = [$(Self::$law),+];

            /// Description of the law.
            pub fn kind(self) -> &'static LawKind {
                match self { $( Self::$law => const { &$module::KIND }, )+ }
            }

            /// The law with its default constants.
            pub fn spec(self) -> MaterialSpec {
                match self { $( Self::$law => MaterialSpec::$law(<$constants>::default()), )+ }
            }
        }

        /// Description of every law, in the order of the variants of [`MaterialSpec`].
        pub static KINDS: [LawKind; MaterialSpec::COUNT] = [$($module::KIND),+];

        impl MaterialSpec {
            /// Number of laws of the library.
            pub const COUNT: usize = [$(stringify!($law)),+].len();

            /// Names of the laws in settings and reports, in the order of the variants.
            pub const NAMES: [&'static str; Self::COUNT] = [$($module::KIND.name),+];

            /// Names and aliases of the laws, names first.
            pub const WORDS: [&'static str; law::word_count(&[$($module::KIND),+])] =
                law::words(&[$($module::KIND),+]);

            /// Description of the law.
            pub fn kind(&self) -> &'static LawKind {
                match self {
                    $( Self::$law(_) => const { &$module::KIND }, )+
                    Self::User(law) => law.kind(),
                }
            }

            /// The law without constants; `None` for one of the user.
            pub fn law_of(&self) -> Option<Law> {
                match self { $( Self::$law(_) => Some(Law::$law), )+ Self::User(_) => None }
            }

            /// Every law with constants of a soft tissue that let all of its terms count.
            pub fn examples() -> [Self; Self::COUNT] {
                [$( Self::$law(<$constants>::example()) ),+]
            }

            /// The law with the numbers it computes with, in the precision `T`.
            pub fn law<T: $crate::Real>(&self) -> AnyLaw<T> {
                let packed = self.set().pack();
                match self {
                    $( Self::$law(_) => AnyLaw::$law(Unpack::unpack(&packed)), )+
                    Self::User(law) => AnyLaw::User(*law),
                }
            }

            pub(crate) fn set(&self) -> &dyn constants::ConstantSet {
                match self { $( Self::$law(constants) => constants, )+ Self::User(law) => law }
            }

            pub(crate) fn set_mut(&mut self) -> &mut dyn constants::ConstantSet {
                match self { $( Self::$law(constants) => constants, )+ Self::User(law) => law }
            }
        }

        /// A law that computes in the precision `T`: any of the list.
        #[derive(Clone, Copy, Debug)]
        pub enum AnyLaw<T: $crate::Real> {
            $( #[doc = concat!("See [`", stringify!($law), "`].")] $law($law<T>), )+
            /// A law of the user.
            User(UserLaw),
        }

        impl<T: $crate::Real> AnyLaw<T> {
            /// The law of a kernel's text from the numbers that the kernel takes.
            pub fn of_kernel(text: &str, packed: &[f64]) -> Option<Self> {
                $( if text == $module::KIND.kernel {
                    return Some(Self::$law(Unpack::unpack(packed)));
                } )+
                None
            }
        }

        // Not inlined: batches of every kind of element would each hold all laws.
        impl<T: $crate::Real> Material<T> for AnyLaw<T> {
            fn frame(&self) -> LawFrame {
                match self {
                    $( Self::$law(law) => Material::<T>::frame(law), )+
                    Self::User(_) => LawFrame::Point,
                }
            }

            #[inline(never)]
            fn energy(&self, d: &Deformation<T>) -> T {
                match self { $( Self::$law(law) => law.energy(d), )+ Self::User(law) => law.energy(d) }
            }

            #[inline(never)]
            fn stress(&self, d: &Deformation<T>) -> Matrix3<T> {
                match self { $( Self::$law(law) => law.stress(d), )+ Self::User(law) => law.stress(d) }
            }

            #[inline(never)]
            fn stress_and_tangent(&self, d: &Deformation<T>) -> (Matrix3<T>, Matrix6<T>) {
                match self {
                    $( Self::$law(law) => law.stress_and_tangent(d), )+
                    Self::User(law) => law.stress_and_tangent(d),
                }
            }

            #[inline(never)]
            fn unturned(&self, d: &Deformation<T>) -> (Matrix3<T>, Matrix6<T>) {
                match self { $( Self::$law(law) => law.unturned(d), )+ Self::User(law) => law.unturned(d) }
            }
        }
    };
}
pub(super) use material_laws;
