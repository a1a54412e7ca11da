//! Pictures as arrays, and as PNG files.

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
        let mut encoder = png::Encoder::new(&mut bytes, self.size[0], self.size[1]);
        let opaque = self.pixels.iter().all(|pixel| pixel[3] == 255);
        encoder.set_color(if opaque { png::ColorType::Rgb } else { png::ColorType::Rgba });
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        encoder.set_source_srgb(png::SrgbRenderingIntent::RelativeColorimetric);
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
