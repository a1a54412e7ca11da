//! Elements on the device: their buffers in a program, and the commands for forces, products with the
//! stiffness and assembly. The physics stands in `shaders/wgsl/{element,law}` and in the core.

mod builder;
mod geometry;
mod incidence;
mod kept;
mod memory;
mod nodal;
mod nodal_twin;
mod point;
mod twin;
mod volume_twin;

use std::ops::Range;

use sinew::force::{BundlePart, TissueBatch};
use sinew::system::CompiledModel;
use sinew_shaders::kernel::{Scalar, Sizes};
use sinew_shaders::matrix::Segment;
use sinew_shaders::params::{AssembleParams, NodalParams, PointParams, StressParams, VolumeParams};
use sinew_shaders::program::{BufferId, Command, Data, Program};
use sinew_shaders::source::{ElementVariant, Pressures};

pub use incidence::Corners;
use memory::ChunkMemory;
pub use memory::{RememberedStresses, Series};
use nodal::NodalVolumes;
pub use twin::Twins;

/// Buffers of a program that elements share with others.
#[derive(Clone, Debug)]
pub struct SharedBuffers {
    /// Factors that calls name by their places, `real`.
    pub factors: BufferId,
    /// [`sinew_shaders::layout::status`].
    pub status: BufferId,
    /// `blocks` of each segment of the matrix.
    pub blocks: Vec<BufferId>,
}

/// Input for the buffers of elements.
#[derive(Clone)]
pub struct ElementInput<'a> {
    /// The model.
    pub system: &'a CompiledModel,
    /// Row on the device of every row of the model.
    pub device_row: &'a [u32],
    /// Segments of the matrix.
    pub segments: &'a [Segment],
    /// Largest buffer [bytes] that a kernel may bind: larger lists of elements are cut.
    pub max_binding: u64,
    /// Buffers that are there already.
    pub shared: SharedBuffers,
}

/// Indices of the factors of the forces in `factors`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FactorOffsets {
    /// The factor c of minus the forces, the same for all but the tissue around fibres.
    pub force: u32,
    /// The factor of K v for the first entry of [`Elements::scales`]; the others follow.
    pub product: u32,
    /// The activation of the first bundle, then the factor of minus the forces of the tissue around its
    /// fibres; the other bundles follow.
    pub bundles: u32,
    /// Pressures of elements, and remains of earlier stresses: their factor of minus the forces, and that of their part in
    /// K v.
    pub left: [u32; 2],
    /// The first series by which stresses relax: the factor of minus the forces of the law, the weights of what is remembered,
    /// those of a term in what it becomes; the other series follow, [`Elements::series`] says how long they are.
    pub series: u32,
}

/// Factors of a bundle in `factors`.
pub const BUNDLE_FACTORS: u32 = 2;

/// Numbers that the factor of a stiffness is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StiffnessScale {
    /// Rayleigh damping by stiffness [s].
    pub damping: f64,
    /// The bundle whose share of the stiffness of the tissue it is; `None` for all of it.
    pub share_of: Option<usize>,
    /// The series by which the stress of the law relaxes; `None` of elastic tissue.
    pub series: Option<usize>,
}

/// Bundle and its part, of elements that are muscles.
type Part = Option<(usize, BundlePart)>;

/// Nodal values of elements, and the corners at each row.
#[derive(Clone, Debug)]
pub struct Gather {
    /// 3 reals a corner.
    pub nodal: BufferId,
    /// Corners at each row of the device.
    pub corners: Corners,
}

/// Elements of one batch that one call works on.
#[derive(Clone, Debug)]
struct ElementChunk {
    variant: ElementVariant,
    count: usize,
    /// Number of its first element among all.
    first_element: usize,
    /// Its index in the list of scales, and that of the resistance of its volumes.
    scale: u32,
    volume_scale: u32,
    part: Part,
    /// Stresses that its points remember; `None` of elastic tissue.
    memory: Option<ChunkMemory>,
    /// Volumes around its nodes, where those have pressures.
    volumes: Option<NodalVolumes>,
    /// Index of its nodal buffer, and of its first corner there.
    nodal: (usize, usize),
    rows: BufferId,
    geometry: BufferId,
    table: BufferId,
    table_floats: BufferId,
    sources: Vec<SegmentSources>,
    /// Rows with a corner.
    touched: usize,
}

/// Buffers for the assembly of one segment.
#[derive(Clone, Debug)]
struct SegmentSources {
    blocks: BufferId,
    entries: BufferId,
    offsets: BufferId,
    sources: BufferId,
    entry_count: usize,
    source_count: usize,
}

/// All elements of a model.
#[derive(Clone, Debug)]
pub struct Elements {
    chunks: Vec<ElementChunk>,
    scales: Vec<StiffnessScale>,
    series: Vec<Series>,
    gathers: Vec<Gather>,
    shared: SharedBuffers,
    /// Words and scalars of the points of one piece, made anew by each.
    points: BufferId,
    stress: BufferId,
}

impl Elements {
    /// The different factors of stiffness in the model, in the order of their places.
    pub fn scales(&self) -> &[StiffnessScale] {
        &self.scales
    }

    /// Nodal values of [`Self::forces`]; more than one where one buffer would be larger
    /// than a binding.
    pub fn gathers(&self) -> &[Gather] {
        &self.gathers
    }

    /// Adds factor times K, of the state with displacements `displacement`, to the entries off the
    /// diagonal of the matrix, with the factors at `places`.
    pub fn stiffness(
        &self,
        program: &Program,
        displacement: BufferId,
        places: FactorOffsets,
    ) -> Vec<Command> {
        let mut commands = Vec::new();
        for chunk in &self.chunks {
            // Whatever field: its rates are made anew with those of forces.
            commands.extend(volume_calls(program, chunk, (displacement, displacement)));
            commands.push(self.points_call(program, chunk, (displacement, places)));
            let factor = places.product + chunk.scale;
            let calls = chunk.sources.iter().filter(|s| s.entry_count > 0);
            commands.extend(calls.map(|s| self.assemble_call(program, (chunk, s), factor)));
            if let Some(volumes) = &chunk.volumes {
                let factor = places.product + chunk.volume_scale;
                let from = (self.points, self.shared.factors, factor);
                commands.extend(volumes.assemble(program, chunk, from));
            }
        }
        commands
    }

    /// Sets the nodal values to c_f times the internal forces (which pull the nodes the other way) plus
    /// c_v times K `field`, with the factors at `places`.
    pub fn forces(
        &self,
        program: &Program,
        (displacement, field): (BufferId, BufferId),
        places: FactorOffsets,
    ) -> Vec<Command> {
        let calls = |chunk| {
            let volumes = volume_calls(program, chunk, (displacement, field));
            let stress = self.stress_call(program, chunk, (displacement, field), places);
            volumes.into_iter().chain([stress, self.forces_call(program, chunk)])
        };
        self.chunks.iter().flat_map(calls).collect()
    }

    fn points_call(
        &self,
        program: &Program,
        chunk: &ElementChunk,
        (displacement, places): (BufferId, FactorOffsets),
    ) -> Command {
        let params = PointParams {
            element_count: chunk.count as u32,
            activation_place: places.activation(chunk),
            product_place: places.product + chunk.scale,
            left_product_place: places.left[1],
            volume_product_place: places.product + chunk.volume_scale,
            ..Default::default()
        };
        let factors = self.shared.factors;
        let bindings =
            [displacement, chunk.rows, chunk.geometry, chunk.table, factors, self.points];
        let work = (chunk.point_count(), chunk.sizes());
        program.call_variant(("element_points", Some(chunk.variant)), &params, &bindings, work)
    }

    fn assemble_call(
        &self,
        program: &Program,
        (chunk, to): (&ElementChunk, &SegmentSources),
        factor_place: u32,
    ) -> Command {
        let entry_count = to.entry_count as u32;
        let params = AssembleParams { entry_count, factor_place, ..Default::default() };
        let lists = [to.entries, to.offsets, to.sources, self.shared.factors, to.blocks];
        let bindings = [&[self.points, chunk.table_floats][..], &lists].concat();
        let sizes = Sizes {
            entries: to.entry_count as u64,
            contributions: to.source_count as u64,
            ..chunk.sizes()
        };
        let variant = ("assemble", Some(chunk.variant));
        program.call_variant(variant, &params, &bindings, (to.entry_count, sizes))
    }

    fn stress_call(
        &self,
        program: &Program,
        chunk: &ElementChunk,
        (displacement, field): (BufferId, BufferId),
        places: FactorOffsets,
    ) -> Command {
        let params = StressParams {
            element_count: chunk.count as u32,
            first_element: chunk.first_element as u32,
            force_place: self.force_place(chunk, places),
            product_place: places.product + chunk.scale,
            activation_place: places.activation(chunk),
            left_force_place: places.left[0],
            left_product_place: places.left[1],
            volume_product_place: places.product + chunk.volume_scale,
        };
        let SharedBuffers { factors, status, .. } = self.shared;
        let rest = [chunk.rows, chunk.geometry, chunk.table, factors, self.stress, status];
        let bindings = [&[displacement, field][..], &rest].concat();
        let variant = ("element_stress", Some(chunk.variant));
        program.call_variant(variant, &params, &bindings, (chunk.point_count(), chunk.sizes()))
    }

    /// Place of the factor of minus the forces of elements.
    fn force_place(&self, chunk: &ElementChunk, places: FactorOffsets) -> u32 {
        match (chunk.part, &chunk.memory) {
            (Some((bundle, BundlePart::Around)), _) => {
                places.bundles + BUNDLE_FACTORS * bundle as u32 + 1
            }
            (None, Some(memory)) => self.series_place(memory.series, places),
            (Some((_, BundlePart::Fibres)), _) | (None, None) => places.force,
        }
    }

    fn forces_call(&self, program: &Program, chunk: &ElementChunk) -> Command {
        let (buffer, first) = chunk.nodal;
        let params = NodalParams {
            element_count: chunk.count as u32,
            first_nodal: first as u32,
            ..Default::default()
        };
        let bindings = [self.stress, chunk.table, self.gathers[buffer].nodal];
        let variant = ("element_forces", Some(chunk.variant));
        program.call_variant(variant, &params, &bindings, (chunk.corner_count(), chunk.sizes()))
    }
}

/// Pressures of a piece, and what the field changes them by; none where volumes count at points.
fn volume_calls(
    program: &Program,
    chunk: &ElementChunk,
    (displacement, field): (BufferId, BufferId),
) -> Vec<Command> {
    if let Some(volumes) = &chunk.volumes {
        return volumes.pressures(program, chunk, (displacement, field)).into();
    }
    let Pressures::Modes(modes) = chunk.variant.pressures else { return Vec::new() };
    let params = VolumeParams { element_count: chunk.count as u32, ..Default::default() };
    let bindings = [displacement, field, chunk.rows, chunk.table, chunk.geometry];
    let items = u64::from(modes + chunk.variant.pressure_scalars());
    let work = (chunk.count, Sizes { items, ..chunk.sizes() });
    let variant = ("element_volume", Some(chunk.variant));
    vec![program.call_variant(variant, &params, &bindings, work)]
}

impl FactorOffsets {
    /// Place of the activation of elements; any, where nothing looks at it.
    fn activation(self, chunk: &ElementChunk) -> u32 {
        match chunk.part {
            Some((bundle, _)) => self.bundles + BUNDLE_FACTORS * bundle as u32,
            None => self.force,
        }
    }
}

impl ElementChunk {
    fn point_count(&self) -> usize {
        self.count * self.variant.point_count as usize
    }

    fn corner_count(&self) -> usize {
        self.count * self.variant.node_count as usize
    }

    fn sizes(&self) -> Sizes {
        Sizes {
            rows: self.touched as u64,
            elements: self.count as u64,
            nodes: u64::from(self.variant.node_count),
            points: u64::from(self.variant.point_count),
            items: u64::from(self.variant.point_words()),
            ..Sizes::default()
        }
    }
}
