//! Makes the buffers of [`Elements`], cut into pieces where one would be too large.

use super::geometry::ElementBatch;
use super::incidence::{Corners, sources_of};
use super::kept::KeptElements;
use super::memory::{ChunkMemory, RememberedStresses, Series, numbers_of_element};
use super::nodal::{ElementRows, NodalVolumes};
use super::{
    BufferId, BundlePart, Data, ElementChunk, ElementInput, ElementVariant, Elements, Gather, Part,
    Pressures, Program, Range, Scalar, SegmentSources, StiffnessScale, TissueBatch,
};

impl Elements {
    /// Adds the buffers of all tissues of a model, and of the muscles in them, to a program, but for elements on the border.
    ///
    /// # Panics
    /// When the segments lack a pair of nodes of an element, or an element alone needs more than
    /// `max_binding`: mistakes of the programmer.
    pub fn new(program: &mut Program, input: &ElementInput) -> Self {
        let mut builder = Builder::new(program, input);
        let view = input.system.device_view();
        let mut add = |batch: TissueBatch<'_>, part: Part| {
            if batch.rows.chunks(batch.kind.node_count()).any(|rows| view.is_on_border(rows)) {
                let kept = KeptElements::of(batch, |rows| !view.is_on_border(rows));
                builder.add_batch(&kept.batch(), part);
            } else {
                builder.add_batch(&batch, part);
            }
        };
        view.tissue_batches().for_each(|batch| add(batch, None));
        for batch in view.muscles().iter().flat_map(|muscles| muscles.batches()) {
            add(batch.tissue(), Some((batch.bundle, batch.part)));
        }
        builder.finish()
    }
}

/// Elements on the way to their buffers.
pub(super) struct Builder<'p, 'i> {
    program: &'p mut Program,
    input: &'p ElementInput<'i>,
    chunks: Vec<ElementChunk>,
    scales: Vec<StiffnessScale>,
    series: Vec<Series>,
    /// For each nodal buffer the rows of its corners, in order.
    corner_rows: Vec<Vec<u32>>,
    element_count: usize,
}

impl<'p, 'i> Builder<'p, 'i> {
    pub(super) fn new(program: &'p mut Program, input: &'p ElementInput<'i>) -> Self {
        Self {
            program,
            input,
            chunks: Vec::new(),
            scales: Vec::new(),
            series: Vec::new(),
            corner_rows: Vec::new(),
            element_count: 0,
        }
    }

    pub(super) fn add_batch(&mut self, tissue: &TissueBatch, part: Part) {
        ElementBatch::all_of(tissue).for_each(|batch| self.add_elements(&batch, part));
    }

    fn add_elements(&mut self, elements: &ElementBatch, part: Part) {
        let (batch, variant, relaxation) =
            (elements.tissue, elements.variant(), elements.relaxation());
        let share_of =
            part.filter(|(_, part)| *part == BundlePart::Around).map(|(bundle, _)| bundle);
        let series = relaxation.map(|it| place_in(&mut self.series, Series::of(&it)));
        let own = StiffnessScale { damping: batch.stiffness_damping, share_of, series };
        let scale = place_in(&mut self.scales, own);
        // What volumes resist with does not relax.
        let of_volume = match variant.pressures {
            Pressures::Nothing => scale,
            Pressures::Modes(_) | Pressures::Nodes => {
                place_in(&mut self.scales, StiffnessScale { series: None, ..own })
            }
        };
        let scales = [scale, of_volume].map(|scale| scale as u32);
        let table = elements.table();
        let name = |part: &str| format!("{part} of '{}', {}", batch.fem, batch.kind.name());
        let floats = table.iter().map(|&x| x as f32).collect();
        let tables = [Data::Reals(table), Data::Floats(floats)];
        let tables = tables.map(|data| self.program.add_data(name("table"), data));
        let count = batch.elements.len();
        // Volumes around nodes are those of all elements there.
        let most = match variant.pressures {
            Pressures::Nodes => count.max(1),
            Pressures::Nothing | Pressures::Modes(_) => self.most_elements(elements, variant),
        };
        for start in (0..count).step_by(most) {
            let range = start..(start + most).min(count);
            let chunk = self.chunk(elements, range, (variant, (scales, part), tables));
            self.chunks.push(chunk);
        }
    }

    /// Elements of which no buffer is larger than a binding may be.
    fn most_elements(&self, elements: &ElementBatch, variant: ElementVariant) -> usize {
        let (n, p) = (u64::from(variant.node_count), u64::from(variant.point_count));
        let real = self.program.precision.real_bytes();
        let largest = [
            real * u64::from(variant.geometry_places().end),
            9 * real * p,
            real * elements
                .relaxation()
                .map_or(0, |it| numbers_of_element(&it, variant.point_count))
                as u64,
            real * 3 * n,
            4 * u64::from(variant.point_words()) * p,
            4 * n * n,
        ];
        let bytes = largest.into_iter().max().unwrap_or(1);
        // Sources are numbered in 32 bits.
        let most = (self.input.max_binding / bytes).min(u64::from(u32::MAX) / (n * n));
        assert!(most > 0, "a binding of {} bytes holds no element", self.input.max_binding);
        most as usize
    }

    fn chunk(
        &mut self,
        elements: &ElementBatch,
        range: Range<usize>,
        (variant, (scales, part), tables): (ElementVariant, ([u32; 2], Part), [BufferId; 2]),
    ) -> ElementChunk {
        let batch = elements.tissue;
        let (n, count) = (batch.kind.node_count(), range.len());
        let rows = elements.rows(range.clone(), self.input.device_row);
        let nodal = self.place_corners(&rows, n);
        let corners = Corners::of_elements(self.input.device_row.len(), &rows, n);
        let sources = self.sources(&corners, &rows, n);
        let volumes = self.volumes(elements, ElementRows { rows: &rows, nodes: n });
        let rest = self.input.system.rest_positions();
        let geometry = Data::Reals(elements.geometry(range.clone(), rest));
        let memory = self.memory(elements, range, variant.point_count);
        let name = |part: &str| format!("{part} of '{}', {}", batch.fem, batch.kind.name());
        let first_element = self.element_count;
        self.element_count += count;
        ElementChunk {
            variant,
            count,
            first_element,
            scale: scales[0],
            volume_scale: scales[1],
            part,
            memory,
            volumes,
            nodal,
            rows: self.program.add_data(name("rows"), Data::Words(rows)),
            geometry: self.program.add_data(name("geometry"), geometry),
            table: tables[0],
            table_floats: tables[1],
            sources,
            touched: corners.touched(),
        }
    }

    /// Volumes around the nodes of a batch, where those have pressures.
    fn volumes(&mut self, elements: &ElementBatch, rows: ElementRows<'_>) -> Option<NodalVolumes> {
        let (input, volumes) = (self.input, elements.volumes()?);
        let segments = (input.segments, &input.shared.blocks[..]);
        Some(NodalVolumes::new(self.program, (rows, volumes), input.device_row, segments))
    }

    /// A buffer for what the elements in `range` remember.
    fn memory(
        &mut self,
        elements: &ElementBatch,
        range: Range<usize>,
        points: u32,
    ) -> Option<ChunkMemory> {
        let (batch, relaxation) = (elements.tissue, elements.relaxation()?);
        let size = numbers_of_element(&relaxation, points);
        let places = relaxation.first + size * range.start..relaxation.first + size * range.end;
        let name = format!("remembered stresses of '{}', {}", batch.fem, batch.kind.name());
        let buffer = self.program.add_zeros(name, Scalar::Real, places.len());
        let series = place_in(&mut self.series, Series::of(&relaxation));
        Some(ChunkMemory { series, remembered: RememberedStresses { buffer, places } })
    }

    /// Places the corners of a piece: their nodal buffer, and the index of the first one there.
    fn place_corners(&mut self, rows: &[u32], n: usize) -> (usize, usize) {
        let most = (self.input.max_binding / (3 * self.program.precision.real_bytes())) as usize;
        if self.corner_rows.last().is_none_or(|rows_there| rows_there.len() + rows.len() > most) {
            self.corner_rows.push(Vec::new());
        }
        let buffer = self.corner_rows.len() - 1;
        let (there, count) = (&mut self.corner_rows[buffer], rows.len() / n);
        let first = there.len();
        for e in 0..count {
            there.extend((0..n).map(|a| rows[a * count + e]));
        }
        (buffer, first)
    }

    fn sources(&mut self, corners: &Corners, rows: &[u32], n: usize) -> Vec<SegmentSources> {
        let input = self.input;
        let of_segment = |(segment, &blocks)| {
            let found = sources_of(segment, corners, rows, n);
            let (entry_count, source_count) = (found.entries.len(), found.sources.len());
            let mut add = |what, words| self.program.add_data(what, Data::Words(words));
            SegmentSources {
                blocks,
                entries: add("entries of elements", found.entries),
                offsets: add("offsets of sources", found.offsets),
                sources: add("sources of entries", found.sources),
                entry_count,
                source_count,
            }
        };
        input.segments.iter().zip(&input.shared.blocks).map(of_segment).collect()
    }

    pub(super) fn finish(self) -> Elements {
        let Self { program, input, chunks, scales, series, corner_rows, .. } = self;
        let row_count = input.device_row.len();
        let gather = |rows: Vec<u32>| Gather {
            nodal: program.add_zeros("nodal values of elements", Scalar::Real, 3 * rows.len()),
            corners: Corners::new(row_count, |visit| {
                (0..).zip(&rows).for_each(|(corner, &row)| visit(row, corner));
            }),
        };
        let gathers = corner_rows.into_iter().map(gather).collect();
        let words = |p: &ElementChunk| p.point_count() * p.variant.point_words() as usize;
        let points = chunks.iter().map(words).max().unwrap_or(0);
        let scalars = chunks.iter().map(|p| 9 * p.point_count()).max().unwrap_or(0);
        Elements {
            chunks,
            scales,
            series,
            gathers,
            shared: input.shared.clone(),
            points: program.add_zeros("points", Scalar::Float, points),
            stress: program.add_zeros("stress", Scalar::Real, scalars),
        }
    }
}

/// Index of an entry in a list, to which it is added where it is new.
fn place_in<T: PartialEq>(list: &mut Vec<T>, entry: T) -> usize {
    list.iter().position(|known| *known == entry).unwrap_or_else(|| {
        list.push(entry);
        list.len() - 1
    })
}
