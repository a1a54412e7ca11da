//! Pictures as arrays, and as PNG files.

use std::io::Write;

use crate::ViewerError;

/// A picture, row by row from the top, sRGB with opacity that the colours are not multiplied by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Width and height [pixel].
    pub size: [u32; 2],
    /// Red, green, blue, opacity of each pixel.
    pub pixels: Vec<[u8; 4]>,
}

impl Image {
    /// The picture as a PNG file.
    ///
    /// # Errors
    /// [`ViewerError::Encoding`].
    pub fn to_png(&self) -> Result<Vec<u8>, ViewerError> {
        let refused = |error: png::EncodingError| ViewerError::Encoding(error.to_string());
        let mut bytes = Vec::new();
        let opaque = self.pixels.iter().all(|pixel| pixel[3] == 255);
        let color = if opaque { png::ColorType::Rgb } else { png::ColorType::Rgba };
        let encoder = png_encoder(&mut bytes, self.size, color);
        let count = if opaque { 3 } else { 4 };
        let data: Vec<u8> =
            self.pixels.iter().flat_map(|pixel| pixel.iter().take(count).copied()).collect();
        let mut writer = encoder.write_header().map_err(refused)?;
        writer.write_image_data(&data).map_err(refused)?;
        writer.finish().map_err(refused)?;
        Ok(bytes)
    }

    /// The colour of a pixel.
    pub fn at(&self, x: u32, y: u32) -> [u8; 4] {
        self.pixels[(y * self.size[0] + x) as usize]
    }
}

/// Encoder of PNG files with a picture of this size [pixel].
pub(crate) fn png_encoder<W: Write>(
    to: W,
    [width, height]: [u32; 2],
    color: png::ColorType,
) -> png::Encoder<'static, W> {
    let mut encoder = png::Encoder::new(to, width, height);
    encoder.set_color(color);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder.set_source_srgb(png::SrgbRenderingIntent::RelativeColorimetric);
    encoder
}
