//! Films as animated PNG files: the first picture whole, then the rectangle in which each one differs from the one before.

use std::cell::RefCell;
use std::io::{self, Write};
use std::ops::Range;
use std::rc::Rc;

use png::{BlendOp, ColorType, EncodingError, Writer};

use crate::image::png_encoder;
use crate::{Image, ViewerError};

/// A film that is written picture by picture. Players without animation show its first picture.
pub struct Film {
    writer: Writer<Bytes>,
    bytes: Bytes,
    last: Image,
}

/// Bytes of a file, shared by its encoder, which keeps what it writes to.
#[derive(Clone, Default)]
struct Bytes(Rc<RefCell<Vec<u8>>>);

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A rectangle of a picture [pixel].
struct Rectangle {
    columns: Range<u32>,
    rows: Range<u32>,
}

impl Film {
    /// Begins a film of `frames` pictures, each shown for `delay` [s], repeated for ever, by its first picture.
    ///
    /// # Errors
    /// [`ViewerError::Encoding`]: no frames.
    pub fn begin(first: Image, frames: u32, delay: f64) -> Result<Self, ViewerError> {
        let bytes = Bytes::default();
        let begun = || -> Result<Writer<Bytes>, EncodingError> {
            let mut encoder = png_encoder(bytes.clone(), first.size, ColorType::Rgba);
            encoder.set_animated(frames, 0)?;
            encoder.validate_sequence(true);
            let [numerator, denominator] = delay_fraction(delay);
            encoder.set_frame_delay(numerator, denominator)?;
            let mut writer = encoder.write_header()?;
            writer.write_image_data(first.pixels.as_flattened())?;
            Ok(writer)
        };
        let writer = begun().map_err(refused)?;
        Ok(Self { writer, bytes, last: first })
    }

    /// Adds a picture.
    ///
    /// # Errors
    /// [`ViewerError::Encoding`]: another size than the first.
    pub fn add(&mut self, image: Image) -> Result<(), ViewerError> {
        if image.size != self.last.size {
            let [[w, h], [first_w, first_h]] = [image.size, self.last.size];
            let why = format!("a picture of {w} x {h} pixels in a film of {first_w} x {first_h}");
            return Err(ViewerError::Encoding(why));
        }
        let changed = self.changed(&image);
        let (pixels, blend) = self.difference(&image, &changed);
        self.write(&changed, blend, pixels.as_flattened()).map_err(refused)?;
        self.last = image;
        Ok(())
    }

    /// The film as a file.
    ///
    /// # Errors
    /// [`ViewerError::Encoding`]: fewer pictures than were announced.
    pub fn finish(self) -> Result<Vec<u8>, ViewerError> {
        self.writer.finish().map_err(refused)?;
        Ok(self.bytes.0.take())
    }

    /// The least rectangle that holds all that differs from the last picture; one pixel where nothing does.
    fn changed(&self, image: &Image) -> Rectangle {
        let mut least = image.size;
        let mut most = [0, 0];
        let pairs = image.pixels.iter().zip(&self.last.pixels).enumerate();
        for (index, _) in pairs.filter(|(_, (new, old))| new != old) {
            let at = [index as u32 % image.size[0], index as u32 / image.size[0]];
            for axis in 0..2 {
                least[axis] = least[axis].min(at[axis]);
                most[axis] = most[axis].max(at[axis] + 1);
            }
        }
        if most[0] == 0 {
            (least, most) = ([0, 0], [1, 1]);
        }
        Rectangle { columns: least[0]..most[0], rows: least[1]..most[1] }
    }

    /// Pixels of a rectangle, and how they are laid over the last picture. Where all that changed is opaque, what did not change
    /// is left transparent, which takes few bytes.
    fn difference(&self, image: &Image, within: &Rectangle) -> (Vec<[u8; 4]>, BlendOp) {
        let pairs = || {
            within.rows.clone().flat_map(|y| within.columns.clone().map(move |x| (x, y))).map(
                |(x, y)| {
                    let (new, old) = (image.at(x, y), self.last.at(x, y));
                    (new, new != old)
                },
            )
        };
        if pairs().all(|(new, changed)| !changed || new[3] == 255) {
            let over = pairs().map(|(new, changed)| if changed { new } else { [0; 4] });
            (over.collect(), BlendOp::Over)
        } else {
            (pairs().map(|(new, _)| new).collect(), BlendOp::Source)
        }
    }

    fn write(&mut self, at: &Rectangle, blend: BlendOp, data: &[u8]) -> Result<(), EncodingError> {
        let Rectangle { columns, rows } = at;
        self.writer.reset_frame_position()?;
        self.writer.set_frame_dimension(columns.len() as u32, rows.len() as u32)?;
        self.writer.set_frame_position(columns.start, rows.start)?;
        self.writer.set_blend_op(blend)?;
        self.writer.write_image_data(data)
    }
}

/// A delay as numerator and denominator [s]: milliseconds up to a minute, whole seconds beyond.
fn delay_fraction(delay: f64) -> [u16; 2] {
    let milliseconds = (1e3 * delay).round().max(1.0);
    if milliseconds <= 60_000.0 {
        [milliseconds as u16, 1_000]
    } else {
        [delay.round().min(f64::from(u16::MAX)) as u16, 1]
    }
}

fn refused(error: EncodingError) -> ViewerError {
    ViewerError::Encoding(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [u32; 2] = [7, 5];

    fn background(pixel: [u8; 4]) -> Image {
        Image { size: SIZE, pixels: vec![pixel; 35] }
    }

    fn with(mut image: Image, points: &[(u32, u32)], pixel: [u8; 4]) -> Image {
        for (x, y) in points {
            image.pixels[(y * SIZE[0] + x) as usize] = pixel;
        }
        image
    }

    /// The pictures that a player shows, each laid over the one before as its file says.
    fn played(bytes: &[u8]) -> Vec<Vec<[u8; 4]>> {
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let frames = reader.info().animation_control().unwrap().num_frames;
        let mut canvas = vec![[0; 4]; 35];
        let mut all = Vec::new();
        for _ in 0..frames {
            let mut data = vec![0; reader.output_buffer_size().unwrap()];
            let size = reader.next_frame(&mut data).unwrap();
            let control = *reader.info().frame_control().unwrap();
            let (pixels, _) = data[..size.buffer_size()].as_chunks::<4>();
            for (k, pixel) in pixels.iter().enumerate() {
                let k = k as u32;
                let x = control.x_offset + k % control.width;
                let y = control.y_offset + k / control.width;
                if control.blend_op == BlendOp::Source || pixel[3] == 255 {
                    canvas[(y * SIZE[0] + x) as usize] = *pixel;
                } else {
                    assert_eq!(pixel[3], 0, "a pixel laid over is opaque or not there");
                }
            }
            all.push(canvas.clone());
        }
        all
    }

    #[test]
    fn a_player_shows_the_pictures_that_were_added() {
        let (grey, red) = ([90, 90, 90, 255], [200, 0, 0, 255]);
        let opaque = [
            background(grey),
            with(background(grey), &[(1, 1), (4, 3)], red),
            with(background(grey), &[(4, 3)], red),
            with(background(grey), &[(4, 3)], red),
        ];
        let (clear, half) = ([0; 4], [0, 0, 200, 128]);
        let translucent = [
            with(background(clear), &[(0, 0)], half),
            with(background(clear), &[(6, 4)], half),
            background(clear),
        ];
        for film in [&opaque[..], &translucent[..]] {
            let mut writer = Film::begin(film[0].clone(), film.len() as u32, 0.04).unwrap();
            for image in &film[1..] {
                writer.add(image.clone()).unwrap();
            }
            let bytes = writer.finish().unwrap();
            let expected: Vec<_> = film.iter().map(|image| image.pixels.clone()).collect();
            assert_eq!(played(&bytes), expected);
        }
    }

    #[test]
    fn pictures_of_another_size_and_missing_ones_are_refused() {
        let mut film = Film::begin(background([1; 4]), 2, 0.04).unwrap();
        let other = Image { size: [5, 7], pixels: vec![[1; 4]; 35] };
        let message = film.add(other).unwrap_err().to_string();
        assert!(message.contains("5 x 7 pixels in a film of 7 x 5"), "{message}");
        assert!(film.finish().is_err(), "a film without its second picture was finished");
    }

    #[test]
    fn delays_are_milliseconds_or_seconds() {
        assert_eq!(delay_fraction(0.04), [40, 1_000]);
        assert_eq!(delay_fraction(1e-9), [1, 1_000]);
        assert_eq!(delay_fraction(90.0), [90, 1]);
        assert_eq!(delay_fraction(1e9), [u16::MAX, 1]);
    }
}
