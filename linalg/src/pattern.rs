//! Sparsity pattern of the 3 x 3 blocks of a square matrix: compressed rows, structurally
//! symmetric.

/// Sparsity of a block matrix. Columns of a row rise; every diagonal block is present.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockPattern {
    offsets: Vec<u32>,
    columns: Vec<u32>,
    diagonal: Vec<u32>,
}

impl BlockPattern {
    /// The pattern of `size` rows in which all members of a clique (the nodes of an element, the
    /// ends of a spring) are coupled. `visit` hands every clique to the function that it is given.
    ///
    /// # Panics
    /// When a member is not below `size`, or more than `u32::MAX` blocks are coupled.
    pub fn from_cliques(size: usize, visit: impl Fn(&mut dyn FnMut(&[u32]))) -> Self {
        let incidence = Incidence::new(size, visit);
        let mut offsets = Vec::with_capacity(size + 1);
        let mut columns = Vec::new();
        let mut diagonal = Vec::with_capacity(size);
        let mut last_row = vec![u32::MAX; size];
        offsets.push(0);
        for row in 0..size as u32 {
            let start = columns.len();
            columns.push(row);
            last_row[row as usize] = row;
            for &column in incidence.cliques_of(row).flat_map(|c| incidence.members(c)) {
                if last_row[column as usize] != row {
                    last_row[column as usize] = row;
                    columns.push(column);
                }
            }
            columns[start..].sort_unstable();
            let own = columns[start..].partition_point(|&c| c < row);
            diagonal.push((start + own) as u32);
            offsets.push(u32::try_from(columns.len()).expect("more than u32::MAX blocks"));
        }
        Self { offsets, columns, diagonal }
    }

    /// The pattern whose row i is coupled to itself and to the rows of `neighbours(i)`, which rise and
    /// leave out i; a row must be listed by all that it lists.
    ///
    /// # Panics
    /// When more than `u32::MAX` blocks are coupled.
    pub fn from_neighbours<'a>(size: usize, neighbours: impl Fn(usize) -> &'a [u32]) -> Self {
        let (mut offsets, mut columns) = (vec![0], Vec::new());
        let mut diagonal = Vec::with_capacity(size);
        for row in 0..size {
            let list = neighbours(row);
            let (before, after) = list.split_at(list.partition_point(|&c| (c as usize) < row));
            columns.extend_from_slice(before);
            diagonal.push(columns.len() as u32);
            columns.push(row as u32);
            columns.extend_from_slice(after);
            offsets.push(u32::try_from(columns.len()).expect("more than u32::MAX blocks"));
        }
        Self { offsets, columns, diagonal }
    }

    /// Number of block rows.
    pub fn size(&self) -> usize {
        self.diagonal.len()
    }

    /// Number of stored blocks.
    pub fn block_count(&self) -> usize {
        self.columns.len()
    }

    /// Slots of row `i`; slot k holds the block in column `columns()[k]`.
    #[inline(always)]
    pub fn row(&self, i: usize) -> std::ops::Range<usize> {
        self.offsets[i] as usize..self.offsets[i + 1] as usize
    }

    /// Column of every slot.
    #[inline(always)]
    pub fn columns(&self) -> &[u32] {
        &self.columns
    }

    /// Row starts, `size() + 1` entries.
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// Slot of the diagonal block of row `i`.
    #[inline(always)]
    pub fn diagonal(&self, i: usize) -> usize {
        self.diagonal[i] as usize
    }

    /// Slot of block (`row`, `column`), if it is stored.
    pub fn slot(&self, row: u32, column: u32) -> Option<u32> {
        let range = self.row(row as usize);
        let start = range.start;
        self.columns[range].binary_search(&column).ok().map(|k| (start + k) as u32)
    }
}

/// Cliques of each row and rows of each clique, as compressed rows.
struct Incidence {
    member_offsets: Vec<u32>,
    members: Vec<u32>,
    row_offsets: Vec<u32>,
    cliques: Vec<u32>,
}

impl Incidence {
    fn new(size: usize, visit: impl Fn(&mut dyn FnMut(&[u32]))) -> Self {
        let mut member_offsets = vec![0u32];
        let mut members: Vec<u32> = Vec::new();
        visit(&mut |clique| {
            members.extend_from_slice(clique);
            member_offsets.push(u32::try_from(members.len()).expect("too many couplings"));
        });
        let mut row_offsets = vec![0u32; size + 1];
        for &m in &members {
            row_offsets[m as usize + 1] += 1;
        }
        for i in 0..size {
            row_offsets[i + 1] += row_offsets[i];
        }
        let mut next = row_offsets.clone();
        let mut cliques = vec![0u32; members.len()];
        for (clique, range) in member_offsets.windows(2).enumerate() {
            for &m in &members[range[0] as usize..range[1] as usize] {
                cliques[next[m as usize] as usize] = clique as u32;
                next[m as usize] += 1;
            }
        }
        Self { member_offsets, members, row_offsets, cliques }
    }

    fn cliques_of(&self, row: u32) -> impl Iterator<Item = u32> {
        let range =
            self.row_offsets[row as usize] as usize..self.row_offsets[row as usize + 1] as usize;
        self.cliques[range].iter().copied()
    }

    fn members(&self, clique: u32) -> &[u32] {
        let c = clique as usize;
        &self.members[self.member_offsets[c] as usize..self.member_offsets[c + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cliques_couple_all_their_members_and_nothing_else() {
        let cliques = [vec![0u32, 2], vec![2, 3, 1], vec![4]];
        let p = BlockPattern::from_cliques(6, |visit| cliques.iter().for_each(|c| visit(c)));
        let rows: Vec<&[u32]> = (0..6).map(|i| &p.columns()[p.row(i)]).collect();
        assert_eq!(rows, [&[0u32, 2][..], &[1, 2, 3], &[0, 1, 2, 3], &[1, 2, 3], &[4], &[5]]);
        assert_eq!(p.slot(2, 3), Some(8));
        assert_eq!(p.slot(0, 3), None);
        assert!((0..6).all(|i| p.columns()[p.diagonal(i)] == i as u32));
        let others: Vec<Vec<u32>> = (0..6u32)
            .map(|i| rows[i as usize].iter().copied().filter(|&c| c != i).collect())
            .collect();
        assert_eq!(BlockPattern::from_neighbours(6, |i| &others[i]), p);
    }
}
