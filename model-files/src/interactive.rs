//! Files of `sinew::interactive`, as TOML: drawings of curves, `NAME.drawing.toml`, and worlds, `NAME.world.toml`. Both begin
//! with `version = 1`.

use std::error::Error;
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sinew::interactive::{Drawing, World, WorldDescription};
use sinew_run_files::{RecordingError, write_whole};
use toml::Spanned;

use crate::toml_depth::too_deep;
use crate::world_images::read_images;

/// Version that is written, and the only one that is read.
const VERSION: u64 = 1;
/// Length of a file that is read at most [bytes]: a curve or an object takes some hundred.
const MOST_BYTES: u64 = 4 << 20;

/// Errors of files of drawings and worlds.
#[derive(Debug, thiserror::Error)]
pub enum InteractiveFileError {
    /// The system refused.
    #[error("{}: {source}", .path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// Error of the system.
        source: std::io::Error,
    },
    /// Too long.
    #[error("{} is longer than the {MOST_BYTES} bytes that a drawing or a world may have", .0.display())]
    TooLong(PathBuf),
    /// It is not read, with line and column.
    #[error("{}: {fault}", .path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The fault, with its place.
        fault: String,
    },
    /// Another version.
    #[error("{}: version = {found}, and this program reads {VERSION}", .path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u64,
    },
    /// Parts that do not fit.
    #[error("{}: {fault}", .path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// The fault, which names the part.
        fault: Box<dyn Error + Send + Sync>,
    },
    /// The disk.
    #[error(transparent)]
    Write(#[from] RecordingError),
}

/// Beginning of every file.
#[derive(Deserialize)]
struct Heading {
    version: Spanned<u64>,
}

#[derive(Serialize)]
struct Document<'c, T> {
    version: u64,
    #[serde(flatten)]
    content: &'c T,
}

/// Reads a drawing.
///
/// # Errors
/// [`InteractiveFileError`].
pub fn read_drawing(path: &Path) -> Result<Drawing, InteractiveFileError> {
    let drawing: Drawing = read(path)?;
    drawing.check().map_err(|fault| content(path, fault))?;
    Ok(drawing)
}

/// Writes a drawing, as a whole or not at all.
///
/// # Errors
/// [`InteractiveFileError::Write`].
pub fn write_drawing(drawing: &Drawing, path: &Path) -> Result<(), InteractiveFileError> {
    write(drawing, path)
}

/// Reads the description of a world with its images, and builds it.
///
/// # Errors
/// [`InteractiveFileError`].
pub fn read_world(path: &Path) -> Result<(WorldDescription, World), InteractiveFileError> {
    let mut description: WorldDescription = read(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    for image in &mut description.images {
        read_images(image, folder).map_err(|fault| content(path, fault))?;
    }
    let world = description.build().map_err(|fault| content(path, fault))?;
    Ok((description, world))
}

/// Writes the description of a world, as a whole or not at all. Images of files stay where they are: paths that do not begin
/// at the folder of this file become those of their own one.
///
/// # Errors
/// [`InteractiveFileError::Write`].
pub fn write_world(world: &WorldDescription, path: &Path) -> Result<(), InteractiveFileError> {
    let absolute = |folder: &Path| match folder.as_os_str().is_empty() {
        true => std::env::current_dir(),
        false => std::path::absolute(folder),
    };
    let own = absolute(path.parent().unwrap_or(Path::new("")));
    let mut world = world.clone();
    for image in &mut world.images {
        let Ok(folder) = absolute(&image.folder) else { continue };
        if own.as_ref().is_ok_and(|own| *own == folder) {
            continue;
        }
        for file in &mut image.files {
            *file = folder.join(&*file).display().to_string();
        }
    }
    write(&world, path)
}

fn content(path: &Path, fault: impl Error + Send + Sync + 'static) -> InteractiveFileError {
    InteractiveFileError::Content { path: path.to_owned(), fault: Box::new(fault) }
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T, InteractiveFileError> {
    let owned = || path.to_owned();
    let system = |source| InteractiveFileError::System { path: owned(), source };
    let mut text = String::new();
    let file = File::open(path).map_err(system)?;
    file.take(MOST_BYTES + 1).read_to_string(&mut text).map_err(system)?;
    if text.len() as u64 > MOST_BYTES {
        return Err(InteractiveFileError::TooLong(owned()));
    }
    let syntax = |fault: String| InteractiveFileError::Syntax { path: owned(), fault };
    if let Some(at) = too_deep(&text) {
        let line = text[..at].lines().count().max(1);
        return Err(syntax(format!("line {line}: tables within tables beyond any use")));
    }
    let heading: Heading =
        toml::from_str(&text).map_err(|fault: toml::de::Error| syntax(fault.to_string()))?;
    let found = *heading.version.get_ref();
    if found != VERSION {
        return Err(InteractiveFileError::Version { path: owned(), found });
    }
    let rest = without_line_of(&text, heading.version.span());
    toml::from_str(&rest).map_err(|fault| syntax(fault.to_string()))
}

/// The text with blanks in place of the line up to the end of a span, so that lines and columns of the rest stay.
fn without_line_of(text: &str, span: Range<usize>) -> String {
    let start = text[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
    let blanks = " ".repeat(span.end - start);
    [&text[..start], &blanks, &text[span.end..]].concat()
}

fn write<T: Serialize>(content: &T, path: &Path) -> Result<(), InteractiveFileError> {
    let text = toml::to_string(&Document { version: VERSION, content });
    let text = text.map_err(|fault| InteractiveFileError::Syntax {
        path: path.to_owned(),
        fault: fault.to_string(),
    })?;
    Ok(write_whole(path, text.as_bytes())?)
}
