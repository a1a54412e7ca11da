//! Models of every kind and law away from rest, and the same as programs.

use nalgebra::{Rotation3, Unit, Vector3};
use sinew::Vec3;
use sinew::fem::{ElementKind, VolumeMesh};
use sinew::material::MaterialSpec;
use sinew::model::{FemModel, Model};
use sinew::system::{CompiledModel, MechSystem};
use sinew_datasets::beam::{BeamElement, beam_mesh};
use sinew_gpu::elements::{
    ElementInput, Elements, FactorOffsets, RememberedStresses, Series, SharedBuffers, Twins,
};
use sinew_shaders::cpu::Real;
use sinew_shaders::kernel::Scalar;
use sinew_shaders::layout::status;
use sinew_shaders::machine::{ElementTwins, Machine};
use sinew_shaders::matrix::Segment;
use sinew_shaders::program::{BufferId, Command, Data, ListId, Program};
use sinew_shaders::source::Precision;

/// Edge of a cell [m].
pub(crate) const EDGE: f64 = 0.1;

/// Every law of a tissue, with all its constants at work.
pub(crate) fn laws() -> Vec<MaterialSpec> {
    MaterialSpec::examples().into_iter().filter(|law| !law.kind().muscle).collect()
}

/// Every kind with every law.
pub(crate) fn kinds_and_laws() -> impl Iterator<Item = (ElementKind, MaterialSpec)> {
    ElementKind::ALL.into_iter().flat_map(|kind| laws().into_iter().map(move |law| (kind, law)))
}

/// Cells of one kind, bent so that no element is a parallelepiped.
pub(crate) fn distorted_mesh(kind: ElementKind, cells: [usize; 3]) -> VolumeMesh {
    let element = match kind {
        ElementKind::Tet4 => BeamElement::Tet,
        ElementKind::Hex8 => BeamElement::Hex,
        ElementKind::Wedge6 => BeamElement::Wedge,
        ElementKind::Pyramid5 => BeamElement::Pyramid,
        ElementKind::Tet10 => BeamElement::QuadTet,
        ElementKind::Hex20 => BeamElement::QuadHex,
        ElementKind::Wedge15 => BeamElement::QuadWedge,
        ElementKind::Pyramid13 => BeamElement::QuadPyramid,
    };
    let mut mesh = beam_mesh(element, cells, cells.map(|n| EDGE * n as f64)).unwrap();
    for p in &mut mesh.nodes {
        let bend = Vec3::new((13.0 * p.y).sin(), (11.0 * p.z + 3.0 * p.x).sin(), (9.0 * p.x).cos());
        *p += bend * 0.008;
    }
    mesh
}

/// A tissue without weight and damping.
pub(crate) fn model(mesh: VolumeMesh, law: MaterialSpec) -> Model {
    let mut model = Model::new("elements");
    model.set_gravity(Vec3::zeros());
    let mut fem = FemModel::new("tissue", mesh, 1000.0, law);
    // Fibres that turn from element to element, along no axis of space.
    fem.fibres = noise(fem.mesh.element_count(), 77);
    fem.sheets = vec![Vec3::new(0.3, 1.0, -0.4)];
    model.add(fem);
    model
}

/// Two cells of a kind.
pub(crate) fn small(kind: ElementKind, law: MaterialSpec) -> CompiledModel {
    model(distorted_mesh(kind, [2, 1, 1]), law).compile().unwrap()
}

/// Vectors with components between -1 and 1 that are the same in every run.
pub(crate) fn noise(count: usize, seed: u64) -> Vec<Vec3> {
    let flat = sinew_shaders::samples::noise(3 * count, seed);
    flat.chunks(3).map(Vec3::from_column_slice).collect()
}

/// Positions that are turned by one radian and strained by some 5 %.
pub(crate) fn turned(system: &CompiledModel) -> Vec<Vec3> {
    let turn = Rotation3::from_axis_angle(&Unit::new_normalize(Vector3::new(1.0, 2.0, -1.5)), 1.0);
    let rest = system.rest_positions();
    rest.iter().zip(noise(rest.len(), 1)).map(|(x, d)| turn * x + d * (0.04 * EDGE)).collect()
}

/// Place of the factors of the first bundle.
const BUNDLES: u32 = 8;

/// Places of the factors of what is left of earlier stresses: of forces and of K.
const LEFT: [u32; 2] = [5, 6];

/// Place of the factors of the first series, behind those of bundles.
const SERIES: u32 = 24;

/// From the start of a step to where forces are taken, and its length [s].
pub(crate) const STEP: [f64; 2] = [0.007, 0.01];

/// Factors at their places; every bundle stiffens its tissue, and nothing is damped where there are any.
fn factors_of(system: &CompiledModel) -> Vec<f64> {
    let mut factors = vec![0.0, FACTORS[0], 0.0, FACTORS[1], 2.0 * FACTORS[1]];
    factors.resize(BUNDLES as usize, 0.0);
    (factors[LEFT[0] as usize], factors[LEFT[1] as usize]) = (FACTORS[0], FACTORS[1]);
    if let Some(muscles) = system.device_view().muscles() {
        for bundle in 0..muscles.bundle_count() {
            let drive = muscles.drive(bundle, (&[], 0.0), 0.0);
            factors[4 + bundle] = FACTORS[1] * drive.share;
            factors.extend([drive.activation, FACTORS[0] * drive.share]);
        }
    }
    assert!(factors.len() <= SERIES as usize, "{} factors before those of series", factors.len());
    factors.resize(SERIES as usize + 16, 0.0);
    factors
}

/// The same with those of one series, by which the one tissue relaxes.
fn with_series(mut factors: Vec<f64>, series: &Series) -> Vec<f64> {
    let law = series.law_factor(STEP[0]);
    // What volumes resist with does not relax; its factor follows that of the law.
    factors[4] = factors[3];
    factors[3] *= law;
    factors.truncate(SERIES as usize);
    factors.extend(series.factors(STEP[0], STEP[1]));
    factors[SERIES as usize] = FACTORS[0] * law;
    factors
}

/// A model as a program with one list for forces and one for the matrix.
pub(crate) struct Setup<T> {
    pub(crate) machine: Machine<T>,
    pub(crate) elements: Elements,
    pub(crate) segments: Vec<Segment>,
    pub(crate) device_row: Vec<u32>,
    pub(crate) blocks: Vec<BufferId>,
    displacement: BufferId,
    status: BufferId,
    lists: [ListId; 3],
}

/// Factors of the forces and of K.
pub(crate) const FACTORS: [f64; 2] = [0.7, 0.3];

impl<T: Real> Setup<T>
where
    Twins: ElementTwins<T>,
{
    /// Rows are numbered backwards and cut after `segment_rows`.
    pub(crate) fn new(
        system: &CompiledModel,
        (q, v): (&[Vec3], &[Vec3]),
        (segment_rows, max_binding): (usize, u64),
    ) -> Self {
        let precision = if size_of::<T>() == 4 { Precision::Single } else { Precision::Double };
        let mut program = Program::new(precision);
        let n = q.len();
        let device_row: Vec<u32> = (0..n as u32).rev().collect();
        let segments = segments_of(system, segment_rows);
        let displacement: Vec<Vec3> =
            q.iter().zip(system.rest_positions()).map(|(q, x)| q - x).collect();
        let [displacement, field] = [&displacement[..], v].map(|vectors| {
            let flat = vectors.iter().rev().flat_map(|v| [v.x, v.y, v.z]).collect();
            program.add_data("vectors", Data::Reals(flat))
        });
        let blocks: Vec<BufferId> = segments
            .iter()
            .map(|s| program.add_zeros("blocks", Scalar::Float, s.block_scalars()))
            .collect();
        let factors = program.add_data("factors", Data::Reals(factors_of(system)));
        let status = program.add_data("status", Data::Words(vec![u32::MAX; 4]));
        let shared = SharedBuffers { factors, status, blocks: blocks.clone() };
        let input = ElementInput {
            system,
            device_row: &device_row,
            segments: &segments,
            max_binding,
            shared,
        };
        let elements = Elements::new(&mut program, &input);
        let lists = add_lists(&mut program, &elements, (displacement, field), &blocks);
        let machine = Machine::new(program);
        let mut setup =
            Self { machine, elements, segments, device_row, blocks, displacement, status, lists };
        setup.write_factors(factors, factors_of(system));
        setup
    }

    fn write_factors(&mut self, id: BufferId, factors: Vec<f64>) {
        if let [series] = self.elements.series() {
            self.write(id, &with_series(factors, series));
        }
    }

    /// Gives points what a state remembers.
    pub(crate) fn give_memory(&mut self, memory: &[f64]) {
        let remembered: Vec<RememberedStresses> = self.elements.remembered().cloned().collect();
        for RememberedStresses { buffer, places } in remembered {
            self.write(buffer, &memory[places]);
        }
    }

    /// Numbers that points remember after a step that led to the positions of the setup, in the places of a memory.
    pub(crate) fn remember(&mut self, memory: &mut [f64]) {
        self.machine.run(self.lists[2], &Twins);
        for RememberedStresses { buffer, places } in self.elements.remembered() {
            memory[places.clone()].copy_from_slice(&self.reals(*buffer));
        }
    }

    fn write(&mut self, id: BufferId, values: &[f64]) {
        let scalars: Vec<T> = values.iter().map(|&x| T::of(x)).collect();
        self.machine.bytes_mut(id)[..size_of_val(&scalars[..])]
            .copy_from_slice(bytemuck::cast_slice(&scalars));
    }

    /// Minus the forces times the first factor plus K v times the second, in the rows of the model.
    pub(crate) fn forces(&mut self) -> Vec<Vec3> {
        self.machine.run(self.lists[0], &Twins);
        let mut sums = vec![Vec3::zeros(); self.device_row.len()];
        for gather in self.elements.gathers() {
            let nodal: Vec<f64> = self.reals(gather.nodal);
            for (sum, &row) in sums.iter_mut().zip(&self.device_row) {
                for &corner in gather.corners.of(row as usize) {
                    *sum += Vec3::from_column_slice(&nodal[3 * corner as usize..][..3]);
                }
            }
        }
        sums
    }

    /// Sets all displacements.
    pub(crate) fn displace(&mut self, scalars: &[f64]) {
        self.write(self.displacement, scalars);
    }

    /// Makes the matrix.
    pub(crate) fn assemble(&mut self) {
        self.machine.run(self.lists[1], &Twins);
    }

    pub(crate) fn reals(&self, id: BufferId) -> Vec<f64> {
        let bytes = self.machine.bytes(id);
        bytes
            .chunks(size_of::<T>())
            .map(|b| bytemuck::pod_read_unaligned::<T>(b).to_f64())
            .collect()
    }

    pub(crate) fn floats(&self, id: BufferId) -> Vec<f32> {
        self.machine.bytes(id).chunks(4).map(bytemuck::pod_read_unaligned).collect()
    }

    /// Number of the lowest inverted element.
    pub(crate) fn inverted(&self) -> u32 {
        let bytes = self.machine.bytes(self.status);
        bytemuck::pod_read_unaligned(&bytes[4 * status::INVERTED as usize..][..4])
    }
}

/// Lists of forces, of the matrix, and of what points remember.
fn add_lists(
    program: &mut Program,
    elements: &Elements,
    (displacement, field): (BufferId, BufferId),
    blocks: &[BufferId],
) -> [ListId; 3] {
    let (bundles, left, series) = (BUNDLES, LEFT, SERIES);
    let places = FactorOffsets { force: 1, product: 3, bundles, left, series };
    let mut forces = elements.left_stresses(program, places);
    forces.extend(elements.forces(program, (displacement, field), places));
    let mut matrix = elements.left_stresses(program, places);
    matrix.extend(blocks.iter().map(|&b| Command::Clear(b)));
    matrix.extend(elements.stiffness(program, displacement, places));
    let remember = elements.remember(program, displacement, places);
    [forces, matrix, remember].map(|commands| program.add_list(commands))
}

/// Segments of `rows` rows of the pattern of a system whose rows are numbered backwards.
fn segments_of(system: &CompiledModel, rows: usize) -> Vec<Segment> {
    let (pattern, n) = (system.pattern(), system.block_count());
    let neighbours: Vec<Vec<u32>> = (0..n)
        .map(|device| {
            let row = n - 1 - device;
            let columns = pattern.columns()[pattern.row(row)].iter().rev();
            columns.filter(|&&c| c as usize != row).map(|&c| (n - 1) as u32 - c).collect()
        })
        .collect();
    (0..n)
        .step_by(rows)
        .map(|first| Segment::new(first, rows.min(n - first), |i| &neighbours[i], |_| 0))
        .collect()
}

/// Largest difference over the largest vector.
pub(crate) fn error(found: &[Vec3], expected: &[Vec3]) -> f64 {
    let largest = expected.iter().map(|v| v.norm()).fold(0.0, f64::max);
    let worst = found.iter().zip(expected).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    worst / largest
}
