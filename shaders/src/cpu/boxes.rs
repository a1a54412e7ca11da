//! Twin of wgsl/lib/boxes.wgsl, ways.wgsl, box_load.wgsl and box_store.wgsl.

use super::level::sum;
use super::sliced::vector;

/// Box along the axes.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) low: [f32; 3],
    pub(crate) high: [f32; 3],
}

/// Lower than the high end of every box, and higher than the low end.
const FAR: f32 = 1e30;

impl Bounds {
    /// A box that overlaps nothing.
    pub(crate) const EMPTY: Self = Self { low: [FAR; 3], high: [-FAR; 3] };

    pub(crate) fn joined(self, other: Self) -> Self {
        Self {
            low: std::array::from_fn(|k| self.low[k].min(other.low[k])),
            high: std::array::from_fn(|k| self.high[k].max(other.high[k])),
        }
    }

    pub(crate) fn widened(self, border: f32) -> Self {
        Self { low: self.low.map(|x| x - border), high: self.high.map(|x| x + border) }
    }

    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|k| self.low[k] <= other.high[k] && other.low[k] <= self.high[k])
    }

    /// With the way of a vertex.
    pub(crate) fn with_way(self, ways: &[f32], vertex: u32) -> Self {
        let start = place_of(ways, vertex);
        let end = sum(start, way_of(ways, vertex));
        self.joined(Self { low: start, high: start }).joined(Self { low: end, high: end })
    }

    pub(crate) fn load(boxes: &[f32], number: usize) -> Self {
        Self { low: vector(boxes, 6 * number), high: vector(boxes, 6 * number + 3) }
    }

    pub(crate) fn store(&self, boxes: &mut [f32], number: usize) {
        boxes[6 * number..6 * number + 3].copy_from_slice(&self.low);
        boxes[6 * number + 3..6 * number + 6].copy_from_slice(&self.high);
    }
}

/// Place of a vertex.
pub(crate) fn place_of(ways: &[f32], vertex: u32) -> [f32; 3] {
    vector(ways, 6 * vertex as usize)
}

/// Its way.
pub(crate) fn way_of(ways: &[f32], vertex: u32) -> [f32; 3] {
    vector(ways, 6 * vertex as usize + 3)
}
