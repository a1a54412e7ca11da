//! `sinew transform`: a model scaled, mirrored, or bent to the landmarks of a person.

mod args;
mod landmarks;

use sinew::editing::{EditCommand, EditCommandError, MapDescription};
use sinew::model::History;

use crate::exit::{CliError, Exit, Failure};
use crate::load::ModelSource;
use crate::{console, files};

pub(crate) use args::TransformArgs;
use landmarks::LandmarkFileError;

/// Errors of `sinew transform`.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TransformError {
    /// A list of numbers of another length.
    #[error("{option} takes {expected} numbers, {given} given")]
    Count {
        /// The option.
        option: &'static str,
        /// Numbers that it takes.
        expected: &'static str,
        /// Numbers that were given.
        given: usize,
    },
    /// The files of landmarks.
    #[error(transparent)]
    Landmarks(#[from] LandmarkFileError),
    /// The model does not take the map.
    #[error(transparent)]
    Edit(Box<EditCommandError>),
}

impl Failure for TransformError {
    fn exit(&self) -> Exit {
        match self {
            Self::Count { .. } => Exit::Usage,
            Self::Landmarks(_) | Self::Edit(_) => Exit::Input,
        }
    }
}

/// Transforms a model and writes it.
///
/// # Errors
/// A model that cannot be loaded, a map that it does not take, a file that cannot be written.
pub(crate) fn run(args: &TransformArgs) -> Result<Exit, CliError> {
    let map = map(args)?;
    let source = ModelSource::load(&args.model, &args.edits)?;
    let (options, mut model) = (source.told(), source.model);
    let paths = if args.paths.is_empty() { vec!["/".to_owned()] } else { args.paths.clone() };
    let command = EditCommand::Transform { paths, map, options: args.options() };
    let refused = |error| TransformError::Edit(Box::new(error));
    let report = command.apply(&mut model, &mut History::default()).map_err(refused)?;
    let files = files::write(&model, &args.output, &options)?;
    let mut told = format!("{} components transformed\n", report.changed.len());
    files.iter().for_each(|file| told.push_str(&format!("{}\n", file.display())));
    console::print(&told)?;
    Ok(Exit::Done)
}

/// The one map of the options.
fn map(args: &TransformArgs) -> Result<MapDescription, TransformError> {
    let about = three("--about", &args.about)?;
    if let [from, to] = args.landmarks.as_slice() {
        let [from, to] = landmarks::pairs([from, to], args.unit.factor())?;
        return Ok(MapDescription::Landmarks { from, to });
    }
    if !args.mirror.is_empty() {
        return Ok(MapDescription::Mirror {
            normal: three("--mirror", &args.mirror)?,
            through: about,
        });
    }
    if let (Ok(rows), false) =
        (<[f64; 12]>::try_from(args.affine.as_slice()), args.affine.is_empty())
    {
        let linear = [0, 4, 8].map(|k| [rows[k], rows[k + 1], rows[k + 2]]);
        return Ok(MapDescription::Affine { linear, translation: [rows[3], rows[7], rows[11]] });
    }
    if !args.affine.is_empty() {
        let given = args.affine.len();
        return Err(TransformError::Count { option: "--affine", expected: "12", given });
    }
    let factors = match args.scale.as_slice() {
        [one] => [*one; 3],
        all => all.try_into().map_err(|_| TransformError::Count {
            option: "--scale",
            expected: "1 or 3",
            given: all.len(),
        })?,
    };
    Ok(MapDescription::Scale { factors, about })
}

fn three(option: &'static str, numbers: &[f64]) -> Result<[f64; 3], TransformError> {
    let given = numbers.len();
    numbers.try_into().map_err(|_| TransformError::Count { option, expected: "3", given })
}
