//! Scenes of benches: models of stated size.

use super::args::BenchArgs;
use crate::exit::{Exit, Failure};
use crate::options::EditArgs;

/// `--sizes` with a mesh file.
#[derive(Debug, thiserror::Error)]
#[error("--sizes goes with a scene that comes in sizes (hex, tet, kuhn, tongue), not with a mesh")]
pub(crate) struct SizesError;

impl Failure for SizesError {
    fn exit(&self) -> Exit {
        Exit::Usage
    }
}

/// A model by name and what is changed of it, and what the table calls it.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    pub(super) name: String,
    pub(super) model: String,
    pub(super) edits: EditArgs,
}

/// Cells across beams, when none are asked for: 1,200 to 19,000 nodes.
const BEAM_SIZES: [u16; 3] = [6, 10, 16];
/// Resolutions of the tongue, when none are asked for: 740 to 20,000 hexahedra.
const TONGUE_SIZES: [u16; 3] = [1, 2, 3];

/// The scenes that `args` ask for, in the order of their sizes.
///
/// # Errors
/// Sizes of a mesh file.
pub(super) fn of(args: &BenchArgs) -> Result<Vec<Scene>, SizesError> {
    let name = args.scene.as_str();
    let (model, default): (&str, &[u16]) = match name {
        "hex" | "tet" | "kuhn" => ("beam", &BEAM_SIZES),
        "tongue" => ("tongue", &TONGUE_SIZES),
        _ if !args.sizes.is_empty() => return Err(SizesError),
        _ => {
            let edits = args.edits.clone();
            return Ok(vec![Scene { name: name.to_owned(), model: name.to_owned(), edits }]);
        }
    };
    let sizes = if args.sizes.is_empty() { default } else { &args.sizes };
    let scene = |&size: &u16| {
        let params = params(name, size).into_iter().chain(args.edits.params.iter().cloned());
        let edits = EditArgs { params: params.collect(), ..args.edits.clone() };
        Scene { name: format!("{name} {size}"), model: model.to_owned(), edits }
    };
    Ok(sizes.iter().map(scene).collect())
}

/// The parameters that make a scene so large.
fn params(scene: &str, size: u16) -> Vec<String> {
    match scene {
        "kuhn" => vec!["mesh=kuhn6".to_owned(), format!("n={size}")],
        "tongue" => vec![format!("resolution={size}")],
        element => {
            let counts = [("nx", 4 * size), ("ny", size), ("nz", size)];
            let cells = counts.map(|(key, count)| format!("{key}={count}"));
            [format!("elem={element}")].into_iter().chain(cells).collect()
        }
    }
}
