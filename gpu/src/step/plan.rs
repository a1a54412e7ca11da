//! A model as a program: all buffers, and the lists of commands of a step.

use sinew::backend::Description;
use sinew::fem::ElementKind;
use sinew::force::TissueBatch;
use sinew::material::MaterialSpec;
use sinew::solve::{ImplicitMode, Integrator, Preconditioning, SolverSettings};
use sinew::system::{CompiledModel, MechSystem};
use sinew_shaders::program::{BufferId, ListId, Program};
use sinew_shaders::source::Precision;

use super::border::BorderBuffers;
use super::factors::{Factors, Rule};
use super::loads::Loads;
use super::numbering::Numbering;
use super::stage::Stage;
use crate::elements::RememberedStresses;
use crate::mechanism::mechanism_parts;
use crate::solve::Cycle;
use crate::{Gpu, GpuError};

/// Rows from which multigrid preconditions; below, block-Jacobi needs fewer and shorter commands. On an H200 steps of
/// tetrahedra took 1.4 and 1.7 ms in place of 2.6 and 5.6 at 1,225 nodes.
const MULTIGRID_FROM: usize = 800;

/// Largest modulus of the volume over the shear modulus of tissue with pressures [-]. Rounding of the first
/// in the f32 matrix hides the second the more the larger it is; measured to 1e4 (docs/theory/device.md, "Digits and iterations").
const MOST_BULK_OVER_SHEAR: f64 = 2e4;

/// The same of quadratic pyramids, whose steep gradients at the apex take four times the iterations of hexahedra at any modulus: at
/// 1e3 conjugate gradients converge on lavapipe and diverge on an H200, which rounds otherwise.
const MOST_OF_PYRAMIDS: f64 = 2e2;

/// Abilities of a device, as far as a plan depends on them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Precision of `real`.
    pub precision: Precision,
    /// Largest buffer that a kernel can see [bytes].
    pub max_binding: u64,
    /// Scalars of the coarsest level of multigrid, which is inverted densely. On a GPU that is faster
    /// than two more levels of short kernels; on the CPU it is slow.
    pub coarsest_dofs: usize,
    /// Cycle over the levels.
    pub cycle: Cycle,
    /// Triangles of two surfaces of tissues, or of a mesh with the nodes beside it, from which on the device finds candidates
    /// for contact.
    pub contact_triangles: usize,
}

/// Fewer triangles are taken to cost the CPU less than the way to the device and back; not measured on hardware.
const CONTACT_TRIANGLES: usize = 4_000;

impl Options {
    /// For the twins: 64-bit arithmetic, no limits.
    pub fn of_twins() -> Self {
        let (precision, max_binding) = (Precision::Double, u64::MAX);
        Self {
            precision,
            max_binding,
            coarsest_dofs: 384,
            cycle: Cycle::W,
            contact_triangles: CONTACT_TRIANGLES,
        }
    }

    /// For a device.
    pub fn of_device(gpu: &Gpu) -> Self {
        Self {
            precision: gpu.precision(),
            max_binding: gpu.max_binding(),
            coarsest_dofs: if gpu.adapter().software { 384 } else { 2_048 },
            cycle: Cycle::W,
            contact_triangles: CONTACT_TRIANGLES,
        }
    }
}

/// Buffers that the host writes or reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buffers {
    /// Displacement at the start and the end of a step [m].
    pub(crate) d: BufferId,
    pub(crate) d_next: BufferId,
    /// Velocity at the start and the end of a step [m/s].
    pub(crate) u: BufferId,
    pub(crate) u_next: BufferId,
    /// Factors of this step.
    pub(crate) step: BufferId,
    pub(crate) flags: BufferId,
    pub(crate) scalars: BufferId,
    pub(crate) status: BufferId,
}

/// The lists of a step, in the order in which they run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lists {
    /// Makes the end of a step the start of the next one; what points remember is brought up to date.
    pub(crate) commit: ListId,
    /// Loads, matrix; of an explicit step, the new velocity.
    pub(crate) begin: ListId,
    /// The solve of an implicit step.
    pub(crate) solve: Option<SolveLists>,
    /// The state at the end.
    pub(crate) end: ListId,
}

/// The lists of a solve.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SolveLists {
    /// Makes the preconditioner anew.
    pub(crate) renew: ListId,
    /// Renews what of it is cheap; the rest is that of an earlier matrix.
    pub(crate) keep: ListId,
    /// First residual.
    pub(crate) start: ListId,
    /// One iteration; idle when the solve has ended.
    pub(crate) iteration: ListId,
    /// Takes the correction, computes the residual anew, and starts again where it is too large.
    pub(crate) correct: ListId,
}

/// A model as a program, seen by the host.
pub(crate) struct Plan {
    pub(crate) rule: Rule,
    pub(crate) numbering: Numbering,
    pub(crate) loads: Loads,
    pub(crate) factors: Factors,
    pub(crate) buffers: Buffers,
    /// Border of tissue, where the model has one.
    pub(crate) border: Option<BorderBuffers>,
    /// Stresses that points remember.
    pub(crate) remembered: Vec<RememberedStresses>,
    pub(crate) lists: Lists,
    pub(crate) description: Description,
}

impl Plan {
    /// The plan, and the program that it runs.
    ///
    /// # Errors
    /// [`GpuError::Unsupported`], [`GpuError::TooLarge`].
    pub(crate) fn new(
        options: &Options,
        system: &CompiledModel,
        settings: &SolverSettings,
    ) -> Result<(Self, Program), GpuError> {
        let rule = rule_of(system, settings)?;
        let mut program = Program::new(options.precision);
        let stage = Stage::new(&mut program, (options, system), rule)?;
        let (lists, solver, preconditioner) = match rule {
            Rule::Explicit => (stage.explicit(&mut program), "none", None),
            Rule::Implicit { end_weight } => {
                let multigrid = takes_multigrid(settings.preconditioner, system);
                let lists =
                    stage.implicit(&mut program, (options, system), (end_weight, multigrid))?;
                (lists, "cg", Some(if multigrid { "multigrid" } else { "jacobi" }))
            }
        };
        let description = Description { solver, preconditioner };
        let Stage { rows, loads, factors, buffers, border, elements, .. } = stage;
        let border = border.map(|border| border.buffers);
        let (numbering, remembered) = (rows.numbering, elements.remembered().cloned().collect());
        let plan = Self {
            rule,
            numbering,
            loads,
            factors,
            buffers,
            border,
            remembered,
            lists,
            description,
        };
        Ok((plan, program))
    }
}

/// True if multigrid preconditions a model: one of many rows, or one with bodies, attachments or constraints, as on the
/// CPU.
pub(crate) fn takes_multigrid(preconditioning: Preconditioning, system: &CompiledModel) -> bool {
    match preconditioning {
        Preconditioning::Auto => {
            system.multibody().is_some() || system.block_count() >= MULTIGRID_FROM
        }
        Preconditioning::BlockJacobi => false,
        Preconditioning::Multigrid => true,
    }
}

/// The rule of the settings, where device has it and all parts of the model.
fn rule_of(system: &CompiledModel, settings: &SolverSettings) -> Result<Rule, GpuError> {
    let mut parts: Vec<String> = Vec::new();
    let rule = match settings.integrator {
        Integrator::BackwardEuler(ImplicitMode::Linearized) => Rule::Implicit { end_weight: 1.0 },
        Integrator::Trapezoidal(ImplicitMode::Linearized) => {
            if system.leaves_out_turns() {
                let which =
                    "trapezoidal steps of corotated elements, stresses or dampers, which iterate";
                parts.push(which.to_owned());
            }
            Rule::Implicit { end_weight: 0.5 }
        }
        Integrator::SymplecticEuler => Rule::Explicit,
        Integrator::BackwardEuler(_) | Integrator::Trapezoidal(_) | Integrator::Midpoint(_) => {
            parts.push("full Newton iteration".to_owned());
            Rule::Explicit
        }
        Integrator::RungeKutta4 => {
            parts.push("the Runge-Kutta rule".to_owned());
            Rule::Explicit
        }
        Integrator::Variable(_) => {
            parts.push("rules of variable step".to_owned());
            Rule::Explicit
        }
        Integrator::Static(_) => {
            parts.push("static equilibrium".to_owned());
            Rule::Explicit
        }
    };
    parts.extend(stiff_volumes(system));
    parts.extend(mechanism_parts(system, rule));
    parts.extend(system.device_view().other_effectors().into_iter().map(str::to_owned));
    if parts.is_empty() { Ok(rule) } else { Err(GpuError::Unsupported { parts }) }
}

/// Tissue with pressures whose shear modulus the f32 matrix cannot hold beside that of the volume.
fn stiff_volumes(system: &CompiledModel) -> Option<String> {
    let mut pressed =
        system.device_view().tissue_batches().filter(|batch| batch.pressures.is_some());
    let most_of = |batch: &TissueBatch| match batch.kind {
        ElementKind::Pyramid13 => MOST_OF_PYRAMIDS,
        _ => MOST_BULK_OVER_SHEAR,
    };
    let is_beyond = |batch: &TissueBatch| {
        let laws = std::iter::once(batch.material).chain(batch.laws);
        laws.filter_map(MaterialSpec::bulk_over_shear).any(|ratio| ratio > most_of(batch))
    };
    let most = pressed.find(is_beyond).map(|batch| most_of(&batch))?;
    Some(format!("tissue whose bulk modulus is more than {most:e} times its shear modulus"))
}
