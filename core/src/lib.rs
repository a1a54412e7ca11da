//! Sinew: anatomy simulated at interactive rates. This crate holds all of the physics, on the CPU.
//!
//! A [`model::Model`] is built or read, [compiled](model::Model::compile) into a
//! [`system::CompiledModel`] (flat arrays, index maps, sparsity pattern) and a
//! [`system::State`], and advanced by a [`solve::MechSystemSolver`]. Units are SI throughout.
//!
//! A cube of tissue, its lowest nodes fixed, sags under its weight:
//!
//! ```
//! use sinew::Vec3;
//! use sinew::fem::{ElementKind, VolumeMesh};
//! use sinew::material::{Isotropic, MaterialSpec};
//! use sinew::model::{Dirichlet, FemModel, Model};
//! use sinew::solve::{MechSystemSolver, SolverSettings};
//!
//! // A cube of 0.1 m; hexahedra name their upper four nodes first.
//! let corner = |x, y, z| 0.1 * Vec3::new(x, y, z);
//! let square = |z| {
//!     [corner(0.0, 0.0, z), corner(1.0, 0.0, z), corner(1.0, 1.0, z), corner(0.0, 1.0, z)]
//! };
//! let mut mesh = VolumeMesh::new([square(1.0), square(0.0)].concat());
//! mesh.push_element(ElementKind::Hex8, &[0, 1, 2, 3, 4, 5, 6, 7])?;
//!
//! let tissue = MaterialSpec::NeoHookean(Isotropic { youngs_modulus: 5e3, poissons_ratio: 0.45 });
//! let mut fem = FemModel::new("cube", mesh, 1050.0, tissue);
//! fem.mass_damping = 20.0;
//! fem.dirichlet.push(Dirichlet::fix(vec![4, 5, 6, 7]));
//! let mut model = Model::new("example");
//! let cube = model.add(fem);
//!
//! let compiled = model.compile()?;
//! let mut state = compiled.initial_state();
//! let mut solver = MechSystemSolver::new(&compiled, SolverSettings::default())?;
//! for _ in 0..100 {
//!     solver.step(&compiled, &mut state, 0.01)?;
//! }
//! let top = state.q[compiled.block_of_node(cube, 0)];
//! assert!(top.z < 0.1 && top.z > 0.08, "{top}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod adjoint;
pub mod attachment;
pub mod axial;
pub mod backend;
pub mod component;
pub mod constraint;
pub mod contact;
pub mod dynamics;
pub mod editing;
pub mod fem;
pub mod force;
pub mod formula;
pub mod interactive;
pub mod inverse;
mod kinds;
pub mod material;
pub mod mixed;
pub mod model;
pub mod ode;
pub mod prelude;
pub mod property;
pub mod schedule;
pub mod simulated;
pub mod snapshot;
pub mod solve;
pub mod state;
pub mod system;

pub use sinew_linalg::{self as linalg, Mat3, Vec3, lcp};
pub use sinew_mesh::{Real, geometry, io, lit};

/// The programs of the page on modelling, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/tutorial/modelling.md")]
struct Modelling;

/// The program of the page on running, as a test.
#[cfg(doctest)]
#[doc = include_str!("../../docs/tutorial/running.md")]
struct Running;

/// The programs of the page on building while it runs, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/tutorial/interactive.md")]
struct BuildingWhileItRuns;
