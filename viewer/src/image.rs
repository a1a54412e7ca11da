//! Pictures as arrays, and as PNG files.

use std::io::Write;

use crate::ViewerError;
use crate::color::{to_linear, to_srgb};

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

    /// The picture with half as many pixels a side, each of the mean light of four. An odd row or column is left out.
    pub(crate) fn halved(&self) -> Self {
        let size = self.size.map(|n| n / 2);
        let light: [f32; 256] = std::array::from_fn(|k| to_linear(k as f32 / 255.0));
        let mut pixels = Vec::with_capacity((size[0] * size[1]) as usize);
        for y in 0..size[1] {
            for x in 0..size[0] {
                let four =
                    [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(i, j)| self.at(2 * x + i, 2 * y + j));
                pixels.push(mean_light(four, &light));
            }
        }
        Self { size, pixels }
    }

    /// The colour of a pixel.
    pub fn at(&self, x: u32, y: u32) -> [u8; 4] {
        self.pixels[(y * self.size[0] + x) as usize]
    }
}

/// Mean light of pixels by their opacity, from the linear light of each value of a channel.
fn mean_light(pixels: [[u8; 4]; 4], light: &[f32; 256]) -> [u8; 4] {
    let opacity: f32 = pixels.iter().map(|pixel| f32::from(pixel[3])).sum();
    let channel = |k: usize| {
        let sum: f32 =
            pixels.iter().map(|pixel| light[usize::from(pixel[k])] * f32::from(pixel[3])).sum();
        (255.0 * to_srgb(sum / opacity.max(1.0))).round() as u8
    };
    [channel(0), channel(1), channel(2), (opacity / 4.0).round() as u8]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_as_many_pixels_have_the_mean_light_and_what_is_clear_has_no_part_in_it() {
        let (white, black) = ([255; 4], [0, 0, 0, 255]);
        let (red, clear) = ([255, 0, 0, 255], [0; 4]);
        let pixels = vec![white, black, red, clear, black, white, clear, red];
        let image = Image { size: [4, 2], pixels };
        let half = image.halved();
        // Half the light of white is 188 of 255 in sRGB.
        assert_eq!(
            (half.size, half.pixels),
            ([2, 1], vec![[188, 188, 188, 255], [255, 0, 0, 128]])
        );
        let odd = Image { size: [3, 3], pixels: vec![white; 9] }.halved();
        assert_eq!((odd.size, odd.pixels), ([1, 1], vec![white]));
    }
}
