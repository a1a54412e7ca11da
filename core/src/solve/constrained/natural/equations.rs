//! The saddle point of natural coordinates in the tree of a system: masses, rows of rigidity, rows of joints.

use crate::linalg::tree::{BorderedTree, TreeError};
use crate::solve::constrained::context::StepContext;
use crate::solve::constrained::parts::Parts;
use crate::solve::failure::Failure;
use crate::solve::linear::LinearError;
use crate::system::MechSystem;

use super::base::{BODY, Bases, FIRST_BASE, PAIRS};
use super::structure::{NONE, RowPlace, Structure};
use super::unsupported::ensure_fits;

/// The equations, and their solution.
pub(in crate::solve) struct NaturalEquations {
    pub(super) structure: Structure,
    pub(super) tree: BorderedTree,
    /// Right side and solution: coordinates and multipliers of the nodes, and multipliers of the rows across.
    pub(super) x: Vec<f64>,
    pub(super) across: Vec<f64>,
}

impl NaturalEquations {
    pub(super) fn new(context: StepContext, parts: &Parts) -> Result<Self, Failure> {
        let structure = Structure::new(context, &parts.reduction);
        let mut starts = vec![0];
        for node in &structure.nodes {
            starts.push(starts[starts.len() - 1] + node.coordinates + node.rows);
        }
        ensure_fits(starts[structure.nodes.len()] as usize, structure.across.len())?;
        let pattern = parts.reduction.rows.pattern();
        let rows = structure.across.iter().map(|&row| {
            let blocks = &pattern.blocks()[pattern.entries(row as usize)];
            let coordinates = blocks.iter().filter_map(|&block| structure.coordinates(block));
            let unknowns = coordinates.flat_map(|(node, coordinates)| {
                let start = starts[node as usize];
                coordinates.map(move |k| start + k as u32)
            });
            unknowns.collect()
        });
        let rows: Vec<Vec<u32>> = rows.collect();
        let tree = BorderedTree::new(&structure.nodes, &rows);
        let tree = tree.expect("a spanning forest has no circle");
        let (x, across) = (vec![0.0; tree.tree.size()], vec![0.0; rows.len()]);
        Ok(Self { structure, tree, x, across })
    }

    /// Factors the matrix at the rows of `parts` and the base vectors of now.
    pub(super) fn factor(
        &mut self,
        system: &dyn MechSystem,
        parts: &Parts,
        bases: &Bases,
    ) -> Result<(), Failure> {
        self.tree.tree.clear();
        self.put_masses(system, parts, bases);
        for row in 0..self.structure.rows.len() {
            self.put_row(row, system, (parts, bases));
        }
        self.tree.factor().map_err(|error| {
            let TreeError::Singular { node } = error else { unreachable!("sizes fit: {error}") };
            let name = system.describe(self.structure.mobiles[node].row as usize);
            let advice = "one is to be left out, or coordinates are to be quaternions";
            let what = format!("rows on {name} depend on each other; {advice}");
            Failure::Linear(LinearError::Singular(what))
        })
    }

    /// Masses, one where a coordinate is prescribed, and rows of rigidity.
    fn put_masses(&mut self, system: &dyn MechSystem, parts: &Parts, bases: &Bases) {
        let Self { structure, tree: BorderedTree { tree, .. }, .. } = self;
        for (node, mobile) in structure.mobiles.iter().enumerate() {
            let mass = system.masses()[mobile.row as usize];
            for axis in 0..3 {
                let free = is_free(system, parts, mobile.row, axis);
                tree.add(node, [axis, axis], if free { mass } else { 1.0 });
            }
            if mobile.body == NONE {
                continue;
            }
            let body = mobile.body as usize;
            let (moments, base) = (&bases.moments[body], &bases.base[body]);
            for k in 0..9 {
                tree.add(node, [FIRST_BASE + k, FIRST_BASE + k], moments[k / 3]);
            }
            for (k, &[i, j]) in PAIRS.iter().enumerate() {
                for axis in 0..3 {
                    tree.add(node, [BODY + k, FIRST_BASE + 3 * i + axis], base[(axis, j)]);
                    if i != j {
                        tree.add(node, [BODY + k, FIRST_BASE + 3 * j + axis], base[(axis, i)]);
                    }
                }
            }
        }
    }

    /// A row of a joint.
    fn put_row(&mut self, row: usize, system: &dyn MechSystem, (parts, bases): (&Parts, &Bases)) {
        let Self { structure, tree, .. } = self;
        let compliance = parts.linear.compliance[row];
        match structure.rows[row] {
            RowPlace::Still => {}
            RowPlace::Link(owner, link) => {
                let (own, tree) = (structure.nodes[owner as usize], &mut tree.tree);
                let at = (own.coordinates + own.rows - own.links + link) as usize;
                tree.add(owner as usize, [at, at], -compliance);
                visit(structure, row, (system, parts, bases), &mut |node, coordinate, value| {
                    if node == owner {
                        tree.add(owner as usize, [at, coordinate], value);
                    } else {
                        tree.add_to_link(owner as usize, [link as usize, coordinate], value);
                    }
                });
            }
            RowPlace::Across(k) => {
                tree.compliance[k as usize] = compliance;
                let mut values = tree.row_mut(k as usize).iter_mut();
                visit(structure, row, (system, parts, bases), &mut |_, _, value| {
                    *values.next().expect("one a coordinate") = value;
                });
            }
        }
    }
}

/// True for a scalar of a point or a centre of mass that forces move.
pub(super) fn is_free(system: &dyn MechSystem, parts: &Parts, row: u32, axis: usize) -> bool {
    system.masses()[row as usize] > 0.0 && !parts.reduction.fixed[row as usize][axis]
}

/// Hands the coefficients of a constraint row to `put`: node, coordinate, value.
fn visit(
    structure: &Structure,
    row: usize,
    (system, parts, bases): (&dyn MechSystem, &Parts, &Bases),
    put: &mut dyn FnMut(u32, usize, f64),
) {
    let pattern = parts.reduction.rows.pattern();
    for entry in pattern.entries(row) {
        let (block, push) = (pattern.blocks()[entry], &parts.trial.reduced[entry]);
        let Some((node, coordinates)) = structure.coordinates(block) else { continue };
        if coordinates.start == FIRST_BASE {
            let on_base = bases.on_base(structure.mobiles[node as usize].body as usize, push);
            coordinates.zip(on_base.iter()).for_each(|(k, &value)| put(node, k, value));
        } else {
            let free = |axis| is_free(system, parts, block, axis);
            coordinates.for_each(|k| put(node, k, if free(k) { push[k] } else { 0.0 }));
        }
    }
}
