//! Scenes of benches: models of stated size.

use super::args::BenchArgs;
use crate::exit::{Exit, Failure};
use crate::options::EditArgs;

/// Sizes that a scene does not come in.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SizesError {
    /// A mesh file, or a model of one size.
    #[error(
        "--sizes goes with a scene that comes in sizes ({}), not with '{scene}'",
        NAMES.join(", ")
    )]
    One {
        /// The scene.
        scene: String,
    },
    /// No cells.
    #[error("--sizes of {scene} must be 1 or more, got 0: it is a number of cells")]
    Zero {
        /// The scene.
        scene: String,
    },
}

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

/// Scenes that come in sizes.
const NAMES: [&str; 10] =
    ["hex", "tet", "kuhn", "tongue", "face", "airway", "larynx", "knee", "liver", "ventricle"];

/// The scenes that `args` ask for, in the order of their sizes.
///
/// # Errors
/// Sizes of a mesh file, beams without cells.
pub(super) fn of(args: &BenchArgs) -> Result<Vec<Scene>, SizesError> {
    let name = args.scene.as_str();
    let (model, default): (&str, &[u16]) = match name {
        "hex" | "tet" | "kuhn" => ("beam", &BEAM_SIZES),
        "tongue" => ("tongue", &TONGUE_SIZES),
        _ if !args.sizes.is_empty() && NAMES.contains(&name) => (name, &[]),
        _ if !args.sizes.is_empty() => return Err(SizesError::One { scene: name.to_owned() }),
        _ => {
            let edits = args.edits.clone();
            return Ok(vec![Scene { name: name.to_owned(), model: name.to_owned(), edits }]);
        }
    };
    let sizes = if args.sizes.is_empty() { default } else { &args.sizes };
    let has_cells = matches!(name, "hex" | "tet" | "kuhn" | "ventricle");
    if has_cells && sizes.contains(&0) {
        return Err(SizesError::Zero { scene: name.to_owned() });
    }
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
        "tongue" | "face" | "airway" | "larynx" | "knee" | "liver" => {
            vec![format!("resolution={size}")]
        }
        // Of the default are 6 x 8 x 2.
        "ventricle" => {
            let counts = [("along", 6 * size), ("around", 8 * size), ("across", 2 * size)];
            counts.map(|(key, count)| format!("{key}={count}")).to_vec()
        }
        element => {
            let counts = [("nx", 4 * size), ("ny", size), ("nz", size)];
            let cells = counts.map(|(key, count)| format!("{key}={count}"));
            [format!("elem={element}")].into_iter().chain(cells).collect()
        }
    }
}
