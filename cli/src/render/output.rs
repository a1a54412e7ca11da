//! Files of pictures and scenes, each there as a whole or not at all.

use std::path::{Path, PathBuf};

use sinew::snapshot::Snapshot;
use sinew_viewer::{Film, Image, Studio, View, ViewFileError, ViewerError, exaggerated, export};

use super::args::RenderArgs;
use crate::exit::{Exit, Failure};
use crate::output::{OutputError, write_file};

/// Errors of pictures.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RenderError {
    /// The camera.
    #[error(
        "--camera '{text}': {why}; expected iso, +x, -x, +y, -y, +z, -z, x,y,z:x,y,z or a file with a camera"
    )]
    Camera {
        /// The option as given.
        text: String,
        /// The fault in it.
        why: String,
    },
    /// The ending of the file.
    #[error("-o {}: the name must end in .png, .glb, .gltf or .pov", .0.display())]
    Ending(PathBuf),
    /// Many frames in one file.
    #[error(
        "-o {}: --frames needs the place of the number in the name, such as frame_%04d.pov; only a .png holds a whole film",
        .0.display()
    )]
    Number(PathBuf),
    /// The file of a view.
    #[error("--view {0}")]
    View(ViewFileError),
    /// The picture.
    #[error(transparent)]
    Viewer(#[from] ViewerError),
    /// The file.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// A picture that cannot be drawn here is the system's, one that cannot be written output.
impl Failure for RenderError {
    fn exit(&self) -> Exit {
        match self {
            Self::Camera { .. } | Self::View(_) | Self::Ending(_) | Self::Number(_) => Exit::Usage,
            Self::Viewer(_) => Exit::System,
            Self::Output(_) => Exit::Output,
        }
    }
}

/// Format of a file.
enum Format {
    /// A picture, and what draws it.
    Png(Box<Studio>),
    /// A film in one file, which is written after its last picture.
    Film(Box<Studio>, FilmInProgress),
    Glb,
    Gltf,
    Pov,
}

/// A film that is drawn.
struct FilmInProgress {
    frames: u32,
    /// Time that each picture is shown [s].
    every: f64,
    film: Option<Film>,
}

impl FilmInProgress {
    fn add(&mut self, image: Image) -> Result<(), ViewerError> {
        match &mut self.film {
            Some(film) => film.add(image)?,
            None => self.film = Some(Film::begin(image, self.frames, self.every)?),
        }
        Ok(())
    }
}

/// Destination of a picture.
pub(super) struct Output {
    format: Format,
    path: PathBuf,
    size: [u32; 2],
}

impl Output {
    /// # Errors
    /// A name that says no format or has no place for a number; no adapter.
    pub(super) fn new(args: &RenderArgs) -> Result<Self, RenderError> {
        let path = args.output.clone();
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let whole_film = args.frames.filter(|_| numbered(&path, 0).is_none());
        let format = match (ending.as_str(), whole_film) {
            ("png", None) => Format::Png(Box::new(Studio::open()?)),
            ("png", Some(frames)) => {
                let film = FilmInProgress { frames, every: args.every * args.slow, film: None };
                Format::Film(Box::new(Studio::open()?), film)
            }
            ("glb" | "gltf" | "pov", Some(_)) => return Err(RenderError::Number(path)),
            ("glb", None) => Format::Glb,
            ("gltf", None) => Format::Gltf,
            ("pov", None) => Format::Pov,
            _ => return Err(RenderError::Ending(path)),
        };
        Ok(Self { format, path, size: args.size.0 })
    }

    /// Writes a file, the one of this number where there are many, or adds to a film.
    ///
    /// # Errors
    /// A device that is lost, a disk that does not take the file.
    pub(super) fn write(
        &mut self,
        snapshot: &Snapshot,
        view: &View,
        number: Option<u32>,
    ) -> Result<(), RenderError> {
        let path =
            number.and_then(|n| numbered(&self.path, n)).unwrap_or_else(|| self.path.clone());
        let drawn = exaggerated(snapshot, &view.options);
        let bytes = match &mut self.format {
            Format::Png(studio) => studio.picture(snapshot, view, self.size)?.to_png()?,
            Format::Film(studio, film) => {
                return Ok(film.add(studio.picture(snapshot, view, self.size)?)?);
            }
            Format::Glb => export::to_glb(&drawn, view),
            Format::Gltf => export::to_gltf(&drawn, view).into_bytes(),
            Format::Pov => export::to_pov(&drawn, view, self.size).into_bytes(),
        };
        Ok(write_file(&path, &bytes)?)
    }

    /// Writes a film.
    ///
    /// # Errors
    /// A disk that does not take the file.
    pub(super) fn finish(self) -> Result<(), RenderError> {
        if let Format::Film(_, FilmInProgress { film: Some(film), .. }) = self.format {
            write_file(&self.path, &film.finish()?)?;
        }
        Ok(())
    }
}

/// The path with a number in place of %d or %0Nd; `None` where there is no such place.
fn numbered(path: &Path, number: u32) -> Option<PathBuf> {
    let text = path.to_str()?;
    let (before, rest) = text.split_once('%')?;
    let (width, after) = rest.split_once('d')?;
    let width: usize = if width.is_empty() { 0 } else { width.parse().ok()? };
    (width <= 20).then(|| format!("{before}{number:0width$}{after}").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_a_frame_goes_where_the_name_says() {
        let name = |text: &str| numbered(Path::new(text), 7);
        assert_eq!(name("a/f_%04d.png"), Some("a/f_0007.png".into()));
        assert_eq!(name("f%d.png"), Some("f7.png".into()));
        assert_eq!(name("f.png"), None);
        assert_eq!(name("f%x.png"), None);
        assert_eq!(name("f%99d.png"), None);
    }
}
