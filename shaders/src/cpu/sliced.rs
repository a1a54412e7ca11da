//! Twin of wgsl/lib/sliced.wgsl: rows of a product with a sliced matrix.

use super::Real;
use super::reduce::LANES;
use crate::layout::{BLOCK, MOST_PARTS, SLICE};
use crate::matrix::block_place;
use crate::params::{DenseParams, GalerkinParams, ProductParams, SmoothParams};

/// Blocks of a segment.
#[derive(Clone, Copy)]
pub(crate) enum Blocks<'a> {
    /// In f32.
    Floats(&'a [f32]),
    /// As `pack` leaves them, with so many words a block.
    Packed(&'a [u32], u32),
}

/// The number with these bits in half precision, zero or one with all its digits.
fn of_half(bits: u32) -> f32 {
    match bits & 0x7fff {
        0 => 0.0,
        size => f32::from_bits((bits & 0x8000) << 16 | ((size << 13) + 0x3800_0000)),
    }
}

/// One segment of a matrix and how it is multiplied.
#[derive(Clone, Copy)]
pub(crate) struct Sliced<'a> {
    pub(crate) first_row: usize,
    pub(crate) row_count: usize,
    pub(crate) slice_count: usize,
    pub(crate) parts: usize,
    pub(crate) shift: f32,
    pub(crate) structure: &'a [u32],
    pub(crate) blocks: Blocks<'a>,
    pub(crate) diagonal: &'a [f32],
}

/// The 3-vector at `at`.
pub(crate) fn vector<T: Copy>(v: &[T], at: usize) -> [T; 3] {
    [v[at], v[at + 1], v[at + 2]]
}

/// a . b.
pub(crate) fn dot<T: Real>(a: [T; 3], b: [T; 3]) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Product of nine scalars, row by row, with a vector.
pub(crate) fn product<T: Real>(block: [f32; 9], v: [T; 3]) -> [T; 3] {
    std::array::from_fn(|r| dot(std::array::from_fn(|c| T::of(f64::from(block[3 * r + c]))), v))
}

/// Product with block `i` of the inverse diagonal. Twin of wgsl/lib/sliced_inverse.wgsl.
pub(crate) fn inverse_product(inverse: &[f32], i: usize, v: [f32; 3]) -> [f32; 3] {
    product(std::array::from_fn(|k| inverse[BLOCK as usize * i + k]), v)
}

impl Sliced<'_> {
    /// Rows that a workgroup computes.
    pub(crate) fn rows_of_group(&self) -> usize {
        LANES / self.parts
    }

    /// Entries of a row of the segment, as their numbers in `structure` and `blocks`.
    pub(crate) fn entries(&self, local: usize) -> impl Iterator<Item = usize> + use<> {
        let (width, slice) = (SLICE as usize, local / SLICE as usize);
        let range = self.structure[slice] as usize..self.structure[slice + 1] as usize;
        range.map(move |k| k * width + local % width)
    }

    /// Block column of an entry.
    pub(crate) fn column(&self, entry: usize) -> usize {
        self.structure[self.slice_count + 1 + self.slice_count * SLICE as usize + entry] as usize
    }

    /// Scalars of an entry, row by row, and their common factor.
    fn factored(&self, entry: usize) -> ([f32; 9], f32) {
        match self.blocks {
            Blocks::Floats(blocks) => (std::array::from_fn(|c| blocks[block_place(entry, c)]), 1.0),
            Blocks::Packed(packed, words) => {
                let width = SLICE as usize;
                let at = words as usize * width * (entry / width) + entry % width;
                if words == BLOCK {
                    let number = |c: usize| f32::from_bits(packed[at + c * width]);
                    return (std::array::from_fn(number), 1.0);
                }
                let word = |c: usize| packed[at + c / 2 * width] >> (16 * (c % 2)) & 0xffff;
                let factor = f32::from_bits(packed[at + 4 * width] & 0xffff_0000);
                (std::array::from_fn(|c| of_half(word(c))), factor)
            }
        }
    }

    /// Scalars of an entry, row by row.
    pub(crate) fn block(&self, entry: usize) -> [f32; 9] {
        let (block, factor) = self.factored(entry);
        block.map(|x| factor * x)
    }

    /// G of a row of the matrix.
    pub(crate) fn diagonal(&self, row: usize) -> [f32; 9] {
        std::array::from_fn(|c| self.diagonal[BLOCK as usize * row + c])
    }

    /// Fixed bits of a row of the segment.
    pub(crate) fn fixed(&self, local: usize) -> u32 {
        self.structure[self.slice_count + 1 + local]
    }

    fn share<T: Real>(
        &self,
        local: usize,
        part: usize,
        vector_at: &impl Fn(usize) -> [T; 3],
    ) -> [T; 3] {
        let own = vector_at(self.first_row + local);
        let shift = T::of(f64::from(self.shift));
        let mut y = [T::default(); 3];
        if part == 0 {
            y = product(self.diagonal(self.first_row + local), own);
        }
        for entry in self.entries(local).skip(part).step_by(self.parts) {
            let other = vector_at(self.column(entry));
            let difference = std::array::from_fn(|a| other[a] - shift * own[a]);
            let (block, factor) = self.factored(entry);
            let added = product(block, difference);
            let factor = T::of(f64::from(factor));
            (0..3).for_each(|a| y[a] += factor * added[a]);
        }
        y
    }

    /// Row `local` of the product: the shares of its lanes, added by a tree.
    pub(crate) fn row<T: Real>(&self, local: usize, vector_at: impl Fn(usize) -> [T; 3]) -> [T; 3] {
        let mut shares = [[T::default(); 3]; MOST_PARTS];
        for part in 0..self.parts {
            shares[part] = self.share(local, part, &vector_at);
        }
        let mut stride = self.parts / 2;
        while stride > 0 {
            for part in 0..stride {
                let other = shares[part + stride];
                (0..3).for_each(|a| shares[part][a] += other[a]);
            }
            stride /= 2;
        }
        shares[0]
    }

    /// `v` without the scalars that are fixed.
    pub(crate) fn without_fixed<T: Real>(&self, local: usize, mut v: [T; 3]) -> [T; 3] {
        let fixed = self.fixed(local);
        (0..3).filter(|a| fixed >> a & 1 == 1).for_each(|a| v[a] = T::default());
        v
    }
}

/// Structure, blocks and diagonal of a segment.
type Parts<'a> = (&'a [u32], &'a [f32], &'a [f32]);

/// Structure, packed blocks and diagonal of a segment.
type PackedParts<'a> = (&'a [u32], &'a [u32], &'a [f32]);

impl ProductParams {
    /// The segment in these buffers.
    pub(crate) fn sliced<'a>(&self, (structure, blocks, diagonal): Parts<'a>) -> Sliced<'a> {
        Sliced {
            first_row: self.first_row as usize,
            row_count: self.row_count as usize,
            slice_count: self.slice_count as usize,
            parts: self.parts as usize,
            shift: self.shift,
            structure,
            blocks: Blocks::Floats(blocks),
            diagonal,
        }
    }
}

impl SmoothParams {
    /// The segment in these buffers.
    pub(crate) fn sliced<'a>(&self, (structure, packed, diagonal): PackedParts<'a>) -> Sliced<'a> {
        Sliced {
            first_row: self.first_row as usize,
            row_count: self.row_count as usize,
            slice_count: self.slice_count as usize,
            parts: self.parts as usize,
            shift: self.shift,
            structure,
            blocks: Blocks::Packed(packed, self.words),
            diagonal,
        }
    }
}

impl DenseParams {
    /// The segment in these buffers.
    pub(crate) fn sliced<'a>(&self, (structure, blocks, diagonal): Parts<'a>) -> Sliced<'a> {
        Sliced {
            first_row: self.first_row as usize,
            row_count: self.row_count as usize,
            slice_count: self.slice_count as usize,
            parts: 1,
            shift: self.shift,
            structure,
            blocks: Blocks::Floats(blocks),
            diagonal,
        }
    }
}

impl GalerkinParams {
    /// The segment in these buffers.
    pub(crate) fn sliced<'a>(&self, (structure, blocks, diagonal): Parts<'a>) -> Sliced<'a> {
        Sliced {
            first_row: self.first_row as usize,
            row_count: self.row_count as usize,
            slice_count: self.slice_count as usize,
            parts: 1,
            shift: self.shift,
            structure,
            blocks: Blocks::Floats(blocks),
            diagonal,
        }
    }
}
