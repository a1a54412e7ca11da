//! Images of a world: a sequence of gray images by a formula of the place and the time, or of files, which others read.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::error::DescriptionFault;
use crate::formula::Formula;
use crate::interactive::GrayImage;

/// Pixels that a sequence may have: 128 MB of numbers.
pub const MOST_PIXELS: usize = 1 << 24;

/// An image, or a sequence of them. The unit of its world is a pixel: the centre of the first pixel is (0, 0), x goes to
/// the right and y upwards. It is given by a formula or by files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImageDescription {
    /// Its name.
    pub name: String,
    /// Width and height \[pixels\] of an image by a formula.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub size: [usize; 2],
    /// Brightness, a formula of x and y \[pixels\] and the time t \[s\]: 0 is black, 1 is white.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub brightness: String,
    /// Number of images by a formula.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub frames: usize,
    /// Time from one image to the next \[s\].
    #[serde(default = "one_second")]
    pub period: f64,
    /// Files of the images, one after the other; their paths begin at the file of the world.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Images of the files, from whoever reads them; the last row of a picture comes first.
    #[serde(skip)]
    pub pixels: Arc<Vec<GrayImage>>,
    /// Folder that the paths begin at.
    #[serde(skip)]
    pub folder: PathBuf,
}

impl Default for ImageDescription {
    /// One without pixels.
    fn default() -> Self {
        let (name, brightness) = (String::new(), String::new());
        let (size, frames, period) = ([0; 2], one(), one_second());
        let (files, pixels, folder) = (Vec::new(), Arc::default(), PathBuf::new());
        Self { name, size, brightness, frames, period, files, pixels, folder }
    }
}

/// A single image.
fn one() -> usize {
    1
}

/// A period where none is given \[s\].
fn one_second() -> f64 {
    1.0
}

fn is_one(frames: &usize) -> bool {
    *frames == one()
}

fn is_zero(size: &[usize; 2]) -> bool {
    *size == [0; 2]
}

impl ImageDescription {
    /// The images, from the time 0 on.
    ///
    /// # Errors
    /// A formula that cannot be read or has no value somewhere, too many pixels, files that were not read, both or neither.
    pub(in crate::interactive) fn images(&self) -> Result<Arc<Vec<GrayImage>>, DescriptionFault> {
        match (self.files.first(), self.brightness.is_empty()) {
            (None, false) => self.by_formula().map(Arc::new),
            (Some(_), true) if self.pixels.len() == self.files.len() => Ok(self.pixels.clone()),
            (Some(file), true) => Err(DescriptionFault::Unread(file.clone())),
            (None, true) | (Some(_), false) => Err(DescriptionFault::ImageSource),
        }
    }

    fn by_formula(&self) -> Result<Vec<GrayImage>, DescriptionFault> {
        let [width, height] = self.size;
        let pixels = width.checked_mul(height).and_then(|it| it.checked_mul(self.frames));
        if !pixels.is_some_and(|count| (1..=MOST_PIXELS).contains(&count)) {
            let (what, range) = ("width times height times frames", "from 1 to 16777216");
            let found = width as f64 * height as f64 * self.frames as f64;
            return Err(DescriptionFault::Number { what, range, found });
        }
        let formula = Formula::parse(&self.brightness, &["x", "y", "t"])?;
        let mut work = Vec::new();
        let mut values = vec![0.0; formula.outputs().len()];
        let mut image = |frame: usize| {
            let time = frame as f64 * self.period;
            let at = |k: usize| {
                let inputs = [(k % width) as f64, (k / width) as f64, time];
                formula.eval(&inputs, &mut values, &mut work);
                values.first().copied().unwrap_or_default()
            };
            Ok(GrayImage::new(width, height, (0..width * height).map(at).collect())?)
        };
        (0..self.frames).map(&mut image).collect()
    }
}
