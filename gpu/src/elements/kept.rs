//! The elements of a batch that a device keeps: those that are not on the border of the tissue.

use sinew::Mat3;
use sinew::force::{ElementPressures, TissueBatch, TissuePressures};
use sinew::material::MaterialSpec;

/// A batch without some of its elements. Those of stresses that relax, and of pressures of nodes, have all.
pub(super) struct KeptElements<'a> {
    batch: TissueBatch<'a>,
    laws: Vec<MaterialSpec>,
    axes: Vec<Mat3>,
    axes_at_points: Vec<Mat3>,
    offsets: Vec<Mat3>,
    centre_offsets: Vec<Mat3>,
    modes: Vec<[f64; 4]>,
    elements: Vec<u32>,
    rows: Vec<u32>,
}

impl<'a> KeptElements<'a> {
    /// Those of a batch whose rows `keeps` is true of.
    pub(super) fn of(batch: TissueBatch<'a>, keeps: impl Fn(&[u32]) -> bool) -> Self {
        let (n, p) = (batch.kind.node_count(), batch.kind.points().len());
        let rows = batch.rows.chunks(n).enumerate();
        let kept: Vec<usize> = rows.filter(|(_, rows)| keeps(rows)).map(|(e, _)| e).collect();
        let modes = match batch.pressures {
            Some(TissuePressures::Elements(pressures)) => pressures.modes,
            Some(TissuePressures::Centres | TissuePressures::Nodes(_)) | None => &[],
        };
        Self {
            laws: picked(batch.laws, 1, &kept),
            axes: picked(batch.axes, 1, &kept),
            axes_at_points: picked(batch.axes_at_points, p, &kept),
            offsets: picked(batch.offsets, p, &kept),
            centre_offsets: picked(batch.centre_offsets, 1, &kept),
            modes: picked(modes, p, &kept),
            elements: picked(batch.elements, 1, &kept),
            rows: picked(batch.rows, n, &kept),
            batch,
        }
    }

    /// The batch of these elements.
    pub(super) fn batch(&self) -> TissueBatch<'_> {
        let of_pressures = |pressures: TissuePressures<'a>| match pressures {
            TissuePressures::Elements(it) => {
                TissuePressures::Elements(ElementPressures { modes: &self.modes, ..it })
            }
            TissuePressures::Centres | TissuePressures::Nodes(_) => pressures,
        };
        TissueBatch {
            laws: &self.laws,
            axes: &self.axes,
            axes_at_points: &self.axes_at_points,
            offsets: &self.offsets,
            centre_offsets: &self.centre_offsets,
            pressures: self.batch.pressures.map(of_pressures),
            elements: &self.elements,
            rows: &self.rows,
            ..self.batch
        }
    }
}

/// Entries of the elements that are kept, `width` each; none of an empty list.
fn picked<T: Copy>(all: &[T], width: usize, kept: &[usize]) -> Vec<T> {
    let of = |&e: &usize| all.get(width * e..width * (e + 1)).unwrap_or_default();
    kept.iter().flat_map(of).copied().collect()
}
