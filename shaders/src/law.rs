//! The laws that have a file in `wgsl/law`, one line each: the parts that their kernels are put
//! together from. The laws themselves, with their constants, stand in the physics library.

use crate::source::{Axes, Constants, ElementVariant, Pressures, Relaxing, Rest};

const AXES: &str = include_str!("../wgsl/lib/axes.wgsl");
const AXES_OF_POINTS: &str = include_str!("../wgsl/lib/axes_of_points.wgsl");
const AXES_UNUSED: &str = include_str!("../wgsl/lib/axes_unused.wgsl");
const CONSTANTS: &str = include_str!("../wgsl/lib/constants.wgsl");
const CONSTANTS_OF_ELEMENTS: &str = include_str!("../wgsl/lib/constants_of_elements.wgsl");
const CENTRE: &str = include_str!("../wgsl/lib/centre.wgsl");
const CENTRE_OF_POINT: &str = include_str!("../wgsl/lib/centre_of_point.wgsl");
const CENTRE_UNUSED: &str = include_str!("../wgsl/lib/centre_unused.wgsl");
const CRIMP: &str = include_str!("../wgsl/lib/crimp.wgsl");
const DILATATION: &str = include_str!("../wgsl/lib/dilatation.wgsl");
const DILATATION_AT_REST: &str = include_str!("../wgsl/lib/dilatation_at_rest.wgsl");
const DILATATION_TURNED: &str = include_str!("../wgsl/lib/dilatation_turned.wgsl");
const EIGEN: &str = include_str!("../wgsl/lib/eigen.wgsl");
const EXPONENTIAL: &str = include_str!("../wgsl/lib/exponential.wgsl");
const FIBRE: &str = include_str!("../wgsl/lib/fibre.wgsl");
const INVARIANTS: &str = include_str!("../wgsl/lib/invariants.wgsl");
const ISOCHORIC: &str = include_str!("../wgsl/lib/isochoric.wgsl");
const ISOTROPIC: &str = include_str!("../wgsl/lib/isotropic.wgsl");
const LOGARITHM: &str = include_str!("../wgsl/lib/logarithm.wgsl");
const OFFSETS: &str = include_str!("../wgsl/lib/offsets.wgsl");
const OFFSETS_UNUSED: &str = include_str!("../wgsl/lib/offsets_unused.wgsl");
const PLAIN_FIBRE: &str = include_str!("../wgsl/lib/plain_fibre.wgsl");
const POLAR: &str = include_str!("../wgsl/lib/polar.wgsl");
const PRESSURES: &str = include_str!("../wgsl/lib/pressures.wgsl");
const PRESSURES_OF_ELEMENTS: &str = include_str!("../wgsl/lib/pressures_of_elements.wgsl");
const PRESSURES_OF_NODES: &str = include_str!("../wgsl/lib/pressures_of_nodes.wgsl");
const PRESSURES_UNUSED: &str = include_str!("../wgsl/lib/pressures_unused.wgsl");
const PULLED_BACK: &str = include_str!("../wgsl/lib/pulled_back.wgsl");
const RELAXED: &str = include_str!("../wgsl/lib/relaxed.wgsl");
const RELAXED_UNUSED: &str = include_str!("../wgsl/lib/relaxed_unused.wgsl");
const ROTATED: &str = include_str!("../wgsl/lib/rotated.wgsl");
const STRESS_APART: &str = include_str!("../wgsl/lib/stress_apart.wgsl");
const STRESS_IN_TANGENT: &str = include_str!("../wgsl/lib/stress_in_tangent.wgsl");
const STRUCTURE: &str = include_str!("../wgsl/lib/structure.wgsl");
const TANGENT_FULL: &str = include_str!("../wgsl/lib/tangent_full.wgsl");
const TANGENT_ISOTROPIC: &str = include_str!("../wgsl/lib/tangent_isotropic.wgsl");
const VOLUME_ANY: &str = include_str!("../wgsl/lib/volume_any.wgsl");
const VOLUME_POSITIVE: &str = include_str!("../wgsl/lib/volume_positive.wgsl");
const VOLUME_SLOPES_UNUSED: &str = include_str!("../wgsl/lib/volume_slopes_unused.wgsl");
const VOLUME_SCALARS: &str = include_str!("../wgsl/lib/volume_scalars.wgsl");

/// Entry of a law's text.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// Stem of its file.
    name: &'static str,
    text: &'static str,
    /// Pieces that its file needs.
    imports: &'static [&'static str],
    tangent: Tangent,
    volume: Volume,
    stress: Stress,
    inputs: Inputs,
    /// Constants for samples.
    sample: &'static [f64],
}

/// The form of its spatial tangent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tangent {
    /// Isotropic in every state: two numbers describe it.
    Isotropic,
    /// 21 numbers.
    Full,
}

/// Volumes at which it has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Volume {
    /// It has.
    Any,
    /// It has none.
    Positive,
}

/// Part of the stress in the stiffness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stress {
    /// It is.
    Within,
    /// It is not: the law is linear in its frame.
    Apart,
}

/// Inputs beside the deformation of the point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Inputs {
    /// The displacement gradient at the centre of the element.
    centre: bool,
    /// The axes of the material.
    axes: bool,
}

const NOTHING: Inputs = Inputs { centre: false, axes: false };
const FRAME: Inputs = Inputs { centre: true, axes: false };
const AXES_ALONE: Inputs = Inputs { centre: false, axes: true };
const FRAME_AND_AXES: Inputs = Inputs { centre: true, axes: true };

/// `Law: "file", tangent, volume, stress, inputs, imports, sample;`, a line a law.
macro_rules! laws {
    ($($(#[$doc:meta])* $law:ident: $name:literal, $tangent:ident, $volume:ident, $stress:ident,
       $inputs:ident, [$($import:ident),*], $sample:expr;)+) => {
        /// A constitutive law that has a file in `wgsl/law/`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Law { $($(#[$doc])* $law,)+ }

        impl Law {
            /// All of them.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$law),+];

            const fn row(self) -> Row {
                match self { $(Self::$law => Row {
                    name: $name,
                    text: include_str!(concat!("../wgsl/law/", $name, ".wgsl")),
                    imports: &[$($import),*],
                    tangent: Tangent::$tangent,
                    volume: Volume::$volume,
                    stress: Stress::$stress,
                    inputs: $inputs,
                    sample: &$sample,
                },)+ }
            }
        }
    };
}

laws! {
    /// Small-strain linear elasticity in the frame of the rest shape.
    Linear: "linear", Isotropic, Any, Apart, NOTHING, [ISOTROPIC], [0.5, 0.3];
    /// Linear elasticity in the frame that turns with the element.
    Corotated: "corotated", Isotropic, Any, Apart, FRAME, [ISOTROPIC, POLAR], [0.5, 0.3];
    /// St. Venant-Kirchhoff.
    StVenantKirchhoff: "st_venant_kirchhoff", Full, Any, Within, NOTHING, [], [0.5, 0.3];
    /// Compressible neo-Hookean.
    NeoHookean: "neo_hookean", Isotropic, Positive, Within, NOTHING, [ISOTROPIC, LOGARITHM], [0.5, 0.3];
    /// Five-constant Mooney-Rivlin.
    MooneyRivlin: "mooney_rivlin", Full, Positive, Within, NOTHING, [LOGARITHM, ISOCHORIC, INVARIANTS], [0.5, 0.3, 0.11, 0.17, 0.07, 1.9, 0.0];
    /// Neo-Hookean with the change of volume apart.
    IsochoricNeoHookean: "isochoric_neo_hookean", Full, Positive, Within, NOTHING, [LOGARITHM, ISOCHORIC, INVARIANTS], [0.9, 1.9, 1.0];
    /// Neo-Hookean that keeps its value through inversion.
    StableNeoHookean: "stable_neo_hookean", Full, Any, Within, NOTHING, [], [0.5, 0.3];
    /// Yeoh's cubic law of the first invariant.
    Yeoh: "yeoh", Full, Positive, Within, NOTHING, [LOGARITHM, ISOCHORIC, INVARIANTS], [0.5, 0.3, 0.2, 1.9, 0.0];
    /// Eight-chain law of Arruda and Boyce.
    ArrudaBoyce: "arruda_boyce", Full, Positive, Within, NOTHING, [LOGARITHM, ISOCHORIC, INVARIANTS], [0.5, 0.3, 1.0, 1.9, 1.0];
    /// Exponential law of Veronda and Westmann.
    VerondaWestmann: "veronda_westmann", Full, Positive, Within, NOTHING, [LOGARITHM, ISOCHORIC, INVARIANTS], [0.5, 0.7, 1.9, 0.0];
    /// Linear elasticity with any moduli along the axes of the material.
    AnisotropicLinear: "anisotropic_linear", Full, Any, Apart, FRAME_AND_AXES, [POLAR], [1.2, 0.3, 0.2, 0.05, -0.04, 0.03, 0.9, 0.25, 0.02, 0.06, -0.05, 0.8, -0.03, 0.04, 0.02, 0.5, 0.03, -0.02, 0.4, 0.01, 0.45, 1.0];
    /// Ogden's law of the principal stretches.
    Ogden: "ogden", Full, Positive, Within, NOTHING, [LOGARITHM, EIGEN, ISOCHORIC], [0.5, 1.5, 0.3, 3.0, 0.2, -2.0, 0.1, 2.5, -0.05, 1.2, 0.0, 2.0, 1.9, 0.0];
    /// Fung's orthotropic exponential law.
    FungOrthotropic: "fung_orthotropic", Full, Positive, Within, AXES_ALONE, [LOGARITHM, ISOCHORIC, EXPONENTIAL], [0.5, 0.4, 0.3, 0.35, 0.1, 0.15, 0.05, 0.3, 0.2, 0.25, 1.9, 0.0];
    /// Guccione's law of myocardium.
    Guccione: "guccione", Full, Positive, Within, AXES_ALONE, [LOGARITHM, EXPONENTIAL], [0.5, 0.4, 0.3, 0.35, 0.1, 0.15, 0.05, 0.3, 0.2, 0.25, 1.9, 1.0];
    /// Holzapfel, Gasser and Ogden's law of arterial layers.
    HolzapfelGasserOgden: "holzapfel_gasser_ogden", Full, Positive, Within, AXES_ALONE, [LOGARITHM, ISOCHORIC, STRUCTURE], [0.5, 0.4, 0.3, 0.1, 0.8, 0.6, 1.9, 0.0];
    /// Holzapfel and Ogden's law of myocardium.
    HolzapfelOgden: "holzapfel_ogden", Full, Positive, Within, AXES_ALONE, [LOGARITHM, ISOCHORIC, STRUCTURE], [0.5, 0.4, 0.3, 0.2, 0.25, 0.35, 0.6, 0.5, 1.9, 0.0];
    /// Fibres of constant Kirchhoff stress.
    SimpleMuscle: "simple_muscle", Full, Positive, Within, AXES_ALONE, [PLAIN_FIBRE], [0.9];
    /// Fibres of constant force.
    ConstantMuscle: "constant_muscle", Full, Positive, Within, AXES_ALONE, [PLAIN_FIBRE], [0.9];
    /// Fibres of constant second Piola-Kirchhoff stress.
    PiolaMuscle: "piola_muscle", Full, Positive, Within, AXES_ALONE, [PLAIN_FIBRE], [0.9];
    /// Generic muscle.
    GenericMuscle: "generic_muscle", Full, Positive, Within, AXES_ALONE, [LOGARITHM, ISOCHORIC, CRIMP, FIBRE], [0.9, 0.3, 2.0, 1.2, 1.4];
    /// Blemker's muscle.
    BlemkerMuscle: "blemker_muscle", Full, Positive, Within, AXES_ALONE, [LOGARITHM, ISOCHORIC, CRIMP, FIBRE], [0.9, 1.05, 0.3, 2.0, 1.25, 0.8];
    /// Hill-type muscle.
    HillMuscle: "hill_muscle", Full, Positive, Within, AXES_ALONE, [LOGARITHM, ISOCHORIC, FIBRE], [0.9, 1.05, 2.2, 0.2, 3.0];
    /// Muscle by active strain.
    ActiveStrainMuscle: "active_strain_muscle", Full, Positive, Within, AXES_ALONE, [LOGARITHM, ISOCHORIC, STRUCTURE], [0.9, 0.6, 0.8, 0.3];
}

impl Law {
    /// Name of its file.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// The law whose file has that name, if there is one.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|law| law.name() == name)
    }

    /// True if its spatial tangent is isotropic in every state: two numbers describe it.
    pub const fn is_isotropic(self) -> bool {
        matches!(self.row().tangent, Tangent::Isotropic)
    }

    /// True if it has no value where the volume is not positive.
    pub const fn needs_volume(self) -> bool {
        matches!(self.row().volume, Volume::Positive)
    }

    /// True if stress is part of its stiffness.
    pub const fn has_stress_in_tangent(self) -> bool {
        matches!(self.row().stress, Stress::Within)
    }

    /// True if it asks for the displacement gradient at the centre of the element.
    pub const fn has_centre(self) -> bool {
        self.row().inputs.centre
    }

    /// True if it asks for the axes of the material.
    pub const fn has_axes(self) -> bool {
        self.row().inputs.axes
    }

    /// Constants for samples: numbers of which every one counts at strains of some tenths.
    pub(crate) const fn sample(self) -> &'static [f64] {
        self.row().sample
    }
}

/// Text of the volume that pressures of elements see.
const fn dilatation_text(row: &Row) -> &'static str {
    match row.stress {
        Stress::Within => DILATATION,
        Stress::Apart if row.inputs.centre => DILATATION_TURNED,
        Stress::Apart => DILATATION_AT_REST,
    }
}

/// Text of the displacement gradient at the centre of an element.
const fn centre_text(row: &Row, element: ElementVariant) -> &'static str {
    match (row.inputs.centre, element.point_count, element.pressures) {
        (true, 2.., _) => CENTRE,
        (true, _, Pressures::Modes(_) | Pressures::Nodes) => CENTRE_OF_POINT,
        (true, _, Pressures::Nothing) | (false, ..) => CENTRE_UNUSED,
    }
}

/// Text of pressures beside the stress of a law.
const fn pressure_text(pressures: Pressures) -> &'static [&'static str] {
    match pressures {
        Pressures::Nothing => &[PRESSURES_UNUSED, VOLUME_SLOPES_UNUSED],
        Pressures::Modes(_) => &[PRESSURES_OF_ELEMENTS, PRESSURES],
        Pressures::Nodes => &[PRESSURES_OF_NODES, PRESSURES, VOLUME_SLOPES_UNUSED],
    }
}

/// Text of the law of a variant, with the pieces that it needs.
pub(crate) fn law_text(element: ElementVariant) -> Vec<&'static str> {
    let row = element.law.row();
    let mut text = vec![
        if row.volume == Volume::Positive { VOLUME_POSITIVE } else { VOLUME_ANY },
        if row.stress == Stress::Within { STRESS_IN_TANGENT } else { STRESS_APART },
        match element.rest {
            Rest::Free => OFFSETS_UNUSED,
            Rest::Strained => OFFSETS,
        },
        centre_text(&row, element),
        match element.axes {
            _ if !row.inputs.axes => AXES_UNUSED,
            Axes::OfElements => AXES,
            Axes::OfPoints => AXES_OF_POINTS,
        },
        if element.is_isotropic() { TANGENT_ISOTROPIC } else { TANGENT_FULL },
        VOLUME_SCALARS,
        dilatation_text(&row),
        match element.constants {
            Constants::OfBatch => CONSTANTS,
            Constants::OfElements => CONSTANTS_OF_ELEMENTS,
        },
    ];
    text.extend_from_slice(pressure_text(element.pressures));
    text.extend_from_slice(row.imports);
    if !row.imports.contains(&LOGARITHM) {
        text.push(LOGARITHM);
    }
    text.push(row.text);
    match element.relaxing {
        Relaxing::Nothing => text.push(RELAXED_UNUSED),
        Relaxing::PulledBack => text.extend([RELAXED, PULLED_BACK]),
        Relaxing::Rotated if row.imports.contains(&POLAR) => text.extend([RELAXED, ROTATED]),
        Relaxing::Rotated => text.extend([POLAR, RELAXED, ROTATED]),
    }
    text
}
