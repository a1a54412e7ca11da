//! Compilation of membranes and shells.

use super::check::CompileError;
use super::flat::Flat;
use super::numbering::Numbering;
use crate::component::Handle;
use crate::fem::{Layer, PlaneLaw, SheetInput, SheetLaw, Sheets, stencils};
use crate::kinds::{Bending, FemModel, Shell};
use crate::{Mat3, Vec3};

/// The sheet of a shell, and its density [kg/m³].
pub(super) struct CompiledShell {
    pub(super) handle: Handle<Shell>,
    pub(super) sheets: Sheets,
    pub(super) density: f64,
}

/// The sheets of a model.
pub(super) fn shells_of(
    flat: &Flat<'_>,
    points: &Numbering,
) -> Result<Vec<CompiledShell>, CompileError> {
    let of = |(handle, shell): &(Handle<Shell>, &Shell)| {
        let f = flat.places.fems.place(shell.fem).expect("references were checked");
        let path = flat.model.path(*handle);
        let between = (flat.fems[f], &points.fem_rows[f][..]);
        match sheets_of((path.clone(), shell), between, &points.rest) {
            Ok(sheets) => Ok(CompiledShell { handle: *handle, sheets, density: shell.density }),
            Err(triangle) => Err(CompileError::FlatTriangle { shell: path, triangle }),
        }
    };
    flat.shells.iter().map(of).collect()
}

/// True for rows of nodes whose normals are clamped.
fn clamped_rows(shell: &Shell, (fem, rows): (&FemModel, &[u32]), count: usize) -> Vec<bool> {
    let mut clamped = vec![false; count];
    for &node in fem.mesh.node_sets.get(&shell.clamped).into_iter().flatten() {
        clamped[rows[node as usize] as usize] = true;
    }
    clamped
}

fn layer_of(bending: Bending) -> Layer {
    match bending {
        Bending::Free => Layer::Membrane,
        Bending::Stiff => Layer::Shell,
    }
}

/// The sheet of a named shell between nodes with these rows; the error is the first triangle without an area.
fn sheets_of(
    (name, shell): (String, &Shell),
    (fem, rows): (&FemModel, &[u32]),
    rest: &[Vec3],
) -> Result<Sheets, usize> {
    let layer = layer_of(shell.bending);
    let clamped = clamped_rows(shell, (fem, rows), rest.len());
    // Quadrilaterals are cut both ways, and each counts half.
    let cuts: Vec<_> =
        std::iter::once(shell.triangles_in(fem)).chain(shell.crossed_in(fem)).collect();
    let count = cuts[0].len();
    let (mut patches, mut thicknesses) = (Vec::new(), Vec::new());
    for triangles in &cuts {
        let by_row: Vec<[u32; 3]> =
            triangles.iter().map(|(t, _)| t.map(|node| rows[node as usize])).collect();
        patches.extend(stencils(&by_row, layer, &|row| clamped[row as usize], rest));
        thicknesses.extend(shell.thicknesses(fem, triangles));
    }
    let elastic = (!shell.rest.is_free()).then(|| shell.rest.elastic());
    let law = |e: usize, axes: &[Vec3; 3]| {
        let material = axes_in(axes, &shell.fibre(e % count));
        SheetLaw {
            law: PlaneLaw::new(&shell.material, material),
            thickness: thicknesses[e],
            at_rest: elastic.map(|elastic| material * elastic * material.transpose()),
        }
    };
    let sheets = Sheets::new(SheetInput {
        name,
        layer,
        stencils: patches,
        law: &law,
        rest,
        stiffness_damping: fem.stiffness_damping,
        pressure: (shell.pressure, shell.schedule.clone()),
        share: 1.0 / cuts.len() as f64,
    });
    sheets.map_err(|triangle| triangle % count)
}

/// Axes of the material in components of the sheet, its normal the third: fibres along their part in it, or along its
/// first axis where they have none.
fn axes_in([first, second, _]: &[Vec3; 3], fibre: &Vec3) -> Mat3 {
    let (x, y) = (fibre.dot(first), fibre.dot(second));
    let length = x.hypot(y);
    let (x, y) = if length > 1e-6 * fibre.norm() { (x / length, y / length) } else { (1.0, 0.0) };
    Mat3::new(x, -y, 0.0, y, x, 0.0, 0.0, 0.0, 1.0)
}
