//! Images of worlds that are files: PNG, as gray values. A file takes no more memory than its pixels, whose number is limited.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use png::{ColorType, Decoder, DecodingError, Limits, Transformations};
use sinew::interactive::{GrayImage, ImageDescription, ImageError, MOST_PIXELS};

/// Memory of a decoder beside the pixels \[bytes\]: rows of 16 bits a sample, palettes, notes of cameras.
const MOST_BYTES: usize = 1 << 28;

/// Faults of an image, with its file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ImageFileError {
    /// The system refused.
    #[error("{}: {source}", .path.display())]
    System { path: PathBuf, source: std::io::Error },
    /// It is no file: a folder, a device.
    #[error("{} is no file; name a PNG image", .0.display())]
    NoFile(PathBuf),
    /// It is no PNG image, or a damaged one.
    #[error("{}: {source}; images of worlds are PNG files", .path.display())]
    Png { path: PathBuf, source: DecodingError },
    /// Too many pixels.
    #[error("{}: {size:?} pixels are too many; all images of a sequence may have {MOST_PIXELS}", .path.display())]
    Size { path: PathBuf, size: [u32; 2] },
    /// Pixels that are no image.
    #[error("{}: {source}", .path.display())]
    Pixels { path: PathBuf, source: ImageError },
}

/// Reads the files of an image, whose paths begin at a folder.
pub(crate) fn read_images(
    image: &mut ImageDescription,
    folder: &Path,
) -> Result<(), ImageFileError> {
    if image.files.is_empty() {
        return Ok(());
    }
    let mut left = MOST_PIXELS;
    let files = image.files.iter();
    let images: Result<Vec<GrayImage>, _> =
        files.map(|file| read_png(&folder.join(file), &mut left)).collect();
    (image.pixels, image.folder) = (Arc::new(images?), folder.to_owned());
    Ok(())
}

/// An image of a file with as many pixels as are left of those of a sequence.
fn read_png(path: &Path, left: &mut usize) -> Result<GrayImage, ImageFileError> {
    let owned = || path.to_owned();
    let system = |source| ImageFileError::System { path: owned(), source };
    let png = |source| ImageFileError::Png { path: owned(), source };
    if !std::fs::metadata(path).map_err(system)?.is_file() {
        return Err(ImageFileError::NoFile(owned()));
    }
    let file = BufReader::new(File::open(path).map_err(system)?);
    let mut decoder = Decoder::new_with_limits(file, Limits { bytes: MOST_BYTES });
    decoder.set_transformations(Transformations::normalize_to_color8());
    decoder.set_ignore_text_chunk(true);
    let header = decoder.read_header_info().map_err(png)?;
    let size = [header.width, header.height];
    let [width, height] = size.map(|side| side as usize);
    let pixels = width.checked_mul(height).filter(|count| count <= left);
    *left -= pixels.ok_or_else(|| ImageFileError::Size { path: owned(), size })?;
    let mut reader = decoder.read_info().map_err(png)?;
    let length = reader.output_buffer_size();
    let length = length.ok_or_else(|| ImageFileError::Size { path: owned(), size })?;
    let mut bytes = vec![0; length];
    let color = reader.next_frame(&mut bytes).map_err(png)?.color_type;
    // The last row comes first: y goes upwards in a world.
    let rows = bytes.chunks_exact(width * color.samples()).rev();
    let values = rows.flat_map(|row| row.chunks_exact(color.samples()));
    let values = values.map(|pixel| brightness(color, pixel)).collect();
    let image = GrayImage::new(width, height, values);
    image.map_err(|source| ImageFileError::Pixels { path: owned(), source })
}

/// Brightness of a pixel from 0 to 1, on white where it is transparent: the luma of ITU-R BT.709.
fn brightness(color: ColorType, pixel: &[u8]) -> f64 {
    let part = |k: usize| f64::from(pixel.get(k).copied().unwrap_or(u8::MAX)) / 255.0;
    let luma = || 0.2126 * part(0) + 0.7152 * part(1) + 0.0722 * part(2);
    let (gray, alpha) = match color {
        ColorType::Grayscale | ColorType::Indexed => (part(0), 1.0),
        ColorType::GrayscaleAlpha => (part(0), part(1)),
        ColorType::Rgb => (luma(), 1.0),
        ColorType::Rgba => (luma(), part(3)),
    };
    1.0 - alpha * (1.0 - gray)
}
