//! The structs that cross to WGSL and the constants injected into it. A test compares every offset
//! below with the one that naga computes from the WGSL struct of the same name.

/// Invocations of a workgroup, in every kernel: 256 is the most that WebGPU grants everywhere. A
/// power of two.
pub const WORKGROUP_SIZE: u32 = 256;

/// Rows of a slice of a sliced matrix (see [`crate::matrix`]): the width of a warp, so that the
/// rows of a slice are read side by side.
pub const SLICE: u32 = 32;

/// Most lanes that share a row of a product: a workgroup then has eight rows, whose scalars fill a sector of memory side
/// by side.
pub const MOST_PARTS: usize = 32;

/// Scalars of a 3 x 3 block.
pub const BLOCK: u32 = 9;

/// Words of a 3 x 3 block in 16 bits, half of the last of them a factor.
pub const HALVES: u32 = 5;

/// Words of a quadrature point whose tangent is isotropic: 9 of the frame, 6 of the stress, 2 of the
/// tangent, and three that make it whole vectors of four.
pub const POINT_WORDS_ISOTROPIC: u32 = 20;

/// The same with the 21 words of any tangent, and four more.
pub const POINT_WORDS_FULL: u32 = 40;

/// Scalars of the constants of a law: 22 of the anisotropic linear one, and the activation, which is that of the step.
pub const LAW_CONSTANTS: u32 = 24;

/// Scalars of a symmetric stress: xx, yy, zz, xy, yz, xz.
pub const STRESS_SIZE: u32 = 6;

/// Scalars of the energies of the volume of an element: two of its law, two of a point that is squeezed flat.
pub const BULK_SIZE: u32 = 4;

/// Place of the activation of a law's fibres among its constants.
pub const ACTIVATION: u32 = LAW_CONSTANTS - 1;

/// Bit of the rotation of a body among the fixed bits of a row.
pub const ROTATION: u32 = 8;

/// Lanes that share the rows of an aggregate, of which there are some 15 to 40.
pub const TEAM: u32 = 32;

/// Lanes that share what couples two aggregates, mostly 5 to 20 blocks.
pub const PAIR_TEAM: u32 = 8;

/// Scalars that are eliminated at a time from a dense matrix.
pub const PIVOT: u32 = 32;

/// Rows and columns of a tile of a dense matrix. Two panels of it fill the 16 KiB of memory that a
/// workgroup has everywhere.
pub const DENSE_TILE: u32 = 64;

/// Children of a box in a tree of boxes.
pub const BRANCHES: u32 = 8;

/// Rounds of conjugate gradients whose iterations are counted apart; later ones count with the last.
pub const BATCHES: u32 = 8;

/// Places in the buffer `flags` of a solve.
pub mod flag {
    /// 1 when the iteration has ended: kernels that see it do nothing.
    pub const DONE: u32 = 0;
    /// Iterations made in this solve.
    pub const ITERATIONS: u32 = 1;
    /// Most iterations.
    pub const MAX_ITERATIONS: u32 = 2;
    /// End of the solve: 0 not yet, else one of [`super::outcome`].
    pub const OUTCOME: u32 = 3;
    /// 1 before the first iteration, 2 before one that goes on from the last direction with a residual
    /// computed anew.
    pub const FIRST: u32 = 4;
    /// Times that conjugate gradients started from a residual computed anew.
    pub const CORRECTIONS: u32 = 5;
    /// 1 when the coarsest matrix of the preconditioner, and so the whole, is not positive definite.
    pub const INDEFINITE: u32 = 6;
    /// For the kernels of an iteration after the direction: 1 after the end, 2 when r . z is not positive.
    pub const SKIP: u32 = 7;
    /// Iterations made before each round of conjugate gradients, [`super::BATCHES`] of them.
    pub const BATCHES: u32 = 8;
    /// Number of flags.
    pub const COUNT: u32 = 8 + super::BATCHES;
}

/// Values of [`flag::OUTCOME`] other than 0, which says that nothing is decided yet.
pub mod outcome {
    /// The residual computed anew is as small as asked.
    pub const CONVERGED: u32 = 1;
    /// The last iteration allowed was made.
    pub const LIMIT: u32 = 2;
    /// Matrix or preconditioner is not positive definite, or something is not finite.
    pub const INDEFINITE: u32 = 3;
    /// Another correction gained nothing: the solution is as exact as the precision of its scalars
    /// allows, which in f32 may leave a residual above the tolerance.
    pub const STALLED: u32 = 4;
}

/// Places in the buffer `scalars` of a solve.
pub mod scalar {
    /// r . z of the latest whole iteration.
    pub const RZ: u32 = 0;
    /// r . z of the iteration that is going on.
    pub const RZ_NEXT: u32 = 1;
    /// r . r that ends the iteration.
    pub const TOLERANCE_SQUARED: u32 = 2;
    /// Norm of the right side that the free scalars see.
    pub const SCALE: u32 = 3;
    /// Norm of the residual, computed anew.
    pub const RESIDUAL: u32 = 4;
    /// Residual over right side that is asked for [-].
    pub const TOLERANCE: u32 = 5;
    /// r . r of the latest iteration, by its recursion.
    pub const RR: u32 = 6;
    /// Number of scalars.
    pub const COUNT: u32 = 8;
}

/// Places in the buffer `status` of a step, each u32::MAX while nothing is wrong.
pub mod status {
    /// Lowest number of an element, over all batches, that is inverted where its law has no value.
    pub const INVERTED: u32 = 0;
    /// Lowest row whose motion is not finite.
    pub const NOT_FINITE: u32 = 1;
    /// Number of entries.
    pub const COUNT: u32 = 4;
}

/// Places in the buffer `reach` of the search for contact candidates, in the unit of its coordinates.
pub mod reach {
    /// Border of the boxes around ways.
    pub const BORDER: u32 = 0;
    /// Distance within which features count, beside their ways.
    pub const LIMIT: u32 = 1;
    /// Most that rounding moves anything.
    pub const SLACK: u32 = 2;
    /// Number of entries.
    pub const COUNT: u32 = 4;
}

/// Places in the buffer `step`: what changes from step to step.
pub mod place {
    /// Length of the step h [s].
    pub const H: u32 = 0;
    /// Weight w of the end of the step [-].
    pub const END_WEIGHT: u32 = 1;
    /// Factor of forces in the residual [s].
    pub const FORCE: u32 = 2;
    /// Factor of drag in the residual and in the matrix [s].
    pub const DRAG: u32 = 3;
    /// Share s of the old velocity in v = x + s u, which damping and stiffness act on [-].
    pub const SHIFT: u32 = 4;
    /// Factor of the stiffness without damping: that of stresses that are left of earlier steps [s²].
    pub const LEFT: u32 = 5;
    /// First place that the program gives out: factors of batches, loads and supports.
    pub const FREE: u32 = 8;
}

/// Every constant that is injected into every kernel, all u32.
pub const CONSTANTS: &[(&str, u32)] = &[
    ("WORKGROUP_SIZE", WORKGROUP_SIZE),
    ("SLICE", SLICE),
    ("BLOCK", BLOCK),
    ("HALVES", HALVES),
    ("LAW_CONSTANTS", LAW_CONSTANTS),
    ("ACTIVATION", ACTIVATION),
    ("STRESS_SIZE", STRESS_SIZE),
    ("NONE", u32::MAX),
    ("TEAM", TEAM),
    ("ROTATION", ROTATION),
    ("PAIR_TEAM", PAIR_TEAM),
    ("PIVOT", PIVOT),
    ("DENSE_TILE", DENSE_TILE),
    ("FLAG_DONE", flag::DONE),
    ("FLAG_ITERATIONS", flag::ITERATIONS),
    ("FLAG_MAX_ITERATIONS", flag::MAX_ITERATIONS),
    ("FLAG_OUTCOME", flag::OUTCOME),
    ("FLAG_FIRST", flag::FIRST),
    ("FLAG_CORRECTIONS", flag::CORRECTIONS),
    ("FLAG_INDEFINITE", flag::INDEFINITE),
    ("FLAG_SKIP", flag::SKIP),
    ("FLAG_BATCHES", flag::BATCHES),
    ("BATCHES", BATCHES),
    ("OUTCOME_CONVERGED", outcome::CONVERGED),
    ("OUTCOME_LIMIT", outcome::LIMIT),
    ("OUTCOME_INDEFINITE", outcome::INDEFINITE),
    ("OUTCOME_STALLED", outcome::STALLED),
    ("SCALAR_RZ", scalar::RZ),
    ("SCALAR_RZ_NEXT", scalar::RZ_NEXT),
    ("SCALAR_TOLERANCE_SQUARED", scalar::TOLERANCE_SQUARED),
    ("SCALAR_SCALE", scalar::SCALE),
    ("SCALAR_RESIDUAL", scalar::RESIDUAL),
    ("SCALAR_TOLERANCE", scalar::TOLERANCE),
    ("SCALAR_RR", scalar::RR),
    ("STATUS_INVERTED", status::INVERTED),
    ("STATUS_NOT_FINITE", status::NOT_FINITE),
    ("BRANCHES", BRANCHES),
    ("REACH_BORDER", reach::BORDER),
    ("REACH_LIMIT", reach::LIMIT),
    ("REACH_SLACK", reach::SLACK),
    ("STEP_H", place::H),
    ("STEP_END_WEIGHT", place::END_WEIGHT),
    ("STEP_FORCE", place::FORCE),
    ("STEP_DRAG", place::DRAG),
    ("STEP_SHIFT", place::SHIFT),
];

/// Name, members with their offsets, and size [bytes] of a struct that WGSL declares too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StructLayout {
    /// Name of the struct, in Rust and in WGSL.
    pub name: &'static str,
    /// Name and offset [bytes] of each member, in order.
    pub members: &'static [(&'static str, usize)],
    /// Size [bytes].
    pub size: usize,
}

/// Declares uniform structs of u32 and f32, and the list of their layouts.
macro_rules! params {
    ($list:ident: $($(#[$doc:meta])* $name:ident { $($(#[$member_doc:meta])* $member:ident: $ty:ty),+ $(,)? })+) => {
        $(
            $(#[$doc])*
            #[repr(C)]
            #[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
            pub struct $name { $($(#[$member_doc])* pub $member: $ty),+ }
        )+

        /// Layouts of the structs of this file.
        pub(super) const $list: &[$crate::layout::StructLayout] = &[$($crate::layout::StructLayout {
            name: stringify!($name),
            members: &[$((stringify!($member), std::mem::offset_of!($name, $member))),+],
            size: std::mem::size_of::<$name>(),
        }),+];
    };
}
pub(crate) use params;
