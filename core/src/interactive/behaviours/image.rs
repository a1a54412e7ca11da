//! Edges of images as fields of force: points are attracted to places of high contrast (KassWitkinTerzopoulos1988).

use super::{Behaviour, PortMotion};

/// A gray image: x to the right and y down, in pixels; the centre of the first pixel is (0, 0).
#[derive(Clone, Debug, PartialEq)]
pub struct GrayImage {
    width: usize,
    height: usize,
    values: Vec<f64>,
}

/// Numbers that make no image, or no sequence of images.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ImageError {
    /// A number of values that is not width times height, or none.
    #[error("{width} x {height} pixels have {expected} values, got {found}", expected = width * height)]
    Size {
        /// Pixels in a row.
        width: usize,
        /// Rows.
        height: usize,
        /// Number of values.
        found: usize,
    },
    /// A value that is not finite.
    #[error("pixel ({x}, {y}) is {value}, which is no brightness")]
    Value {
        /// Column.
        x: usize,
        /// Row.
        y: usize,
        /// The value.
        value: f64,
    },
    /// A sequence without an image, or of images of different sizes.
    #[error("image {0} of the sequence is not there or has another size than the first one")]
    Sequence(usize),
    /// A width or period that is not positive.
    #[error("{name} must be > 0, got {value}")]
    Positive {
        /// The number.
        name: &'static str,
        /// Its value.
        value: f64,
    },
}

/// Attraction of points, ports x and y of each in pixels, by the edges of an image sequence: the energy of a point is
/// -gain |∇(G * I)|², with the image I smoothed by a Gaussian G.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeField {
    /// Number of points.
    points: usize,
    /// Squared gradients of the smoothed images.
    frames: std::sync::Arc<Vec<GrayImage>>,
    /// Time from one image to the next \[s\].
    period: f64,
    gain: f64,
}

impl GrayImage {
    /// An image of these values, row by row.
    ///
    /// # Errors
    /// [`ImageError`].
    pub fn new(width: usize, height: usize, values: Vec<f64>) -> Result<Self, ImageError> {
        let found = values.len();
        if width.checked_mul(height) != Some(found) || found == 0 {
            return Err(ImageError::Size { width, height, found });
        }
        if let Some(at) = values.iter().position(|value| !value.is_finite()) {
            let (x, y, value) = (at % width, at / width, values[at]);
            return Err(ImageError::Value { x, y, value });
        }
        Ok(Self { width, height, values })
    }

    /// An image of the values of a function of x and y.
    ///
    /// # Errors
    /// [`ImageError`].
    pub fn of(
        width: usize,
        height: usize,
        value: impl Fn(f64, f64) -> f64,
    ) -> Result<Self, ImageError> {
        let at = |k: usize| value((k % width) as f64, (k / width) as f64);
        let count = width.saturating_mul(height);
        Self::new(width, height, (0..count).map(at).collect())
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [usize; 2] {
        [self.width, self.height]
    }

    /// Value of a pixel; beyond the border that of the nearest one.
    pub fn pixel(&self, x: isize, y: isize) -> f64 {
        let x = x.clamp(0, self.width as isize - 1) as usize;
        let y = y.clamp(0, self.height as isize - 1) as usize;
        self.values[y * self.width + x]
    }

    /// The image smoothed by a Gaussian of this standard deviation [pixels].
    fn smoothed(&self, deviation: f64) -> Self {
        let reach = (3.0 * deviation).ceil() as isize;
        let weight = |k: isize| (-0.5 * (k as f64 / deviation).powi(2)).exp();
        let total: f64 = (-reach..=reach).map(weight).sum();
        let along = |image: &Self, [dx, dy]: [isize; 2]| {
            let at = |k: usize| {
                let (x, y) = ((k % self.width) as isize, (k / self.width) as isize);
                let taps =
                    (-reach..=reach).map(|k| weight(k) * image.pixel(x + k * dx, y + k * dy));
                taps.sum::<f64>() / total
            };
            let values = (0..self.values.len()).map(at).collect();
            Self { width: self.width, height: self.height, values }
        };
        along(&along(self, [1, 0]), [0, 1])
    }

    fn squared_gradient(&self) -> Self {
        let at = |k: usize| {
            let (x, y) = ((k % self.width) as isize, (k / self.width) as isize);
            let dx = 0.5 * (self.pixel(x + 1, y) - self.pixel(x - 1, y));
            let dy = 0.5 * (self.pixel(x, y + 1) - self.pixel(x, y - 1));
            dx * dx + dy * dy
        };
        let values = (0..self.values.len()).map(at).collect();
        Self { width: self.width, height: self.height, values }
    }

    /// Value, gradient and second derivatives xx, xy, yy by cubic B-splines, which smooth a little more.
    fn sample(&self, x: f64, y: f64) -> [f64; 6] {
        // Far outside all is constant.
        let [x, y] =
            [(x, self.width), (y, self.height)].map(|(x, size)| x.clamp(-4.0, size as f64 + 4.0));
        let (left, top) = (x.floor() as isize - 1, y.floor() as isize - 1);
        let (across, down) = (spline(x - x.floor()), spline(y - y.floor()));
        let mut sums = [0.0; 6];
        for i in 0..4 {
            for j in 0..4 {
                let value = self.pixel(left + j as isize, top + i as isize);
                let ([a, da, dda], [b, db, ddb]) = (across[j], down[i]);
                let terms = [a * b, da * b, a * db, dda * b, da * db, a * ddb];
                sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += value * term);
            }
        }
        sums
    }
}

/// Weights of four neighbours at a fraction of a pixel, with first and second derivatives.
fn spline(t: f64) -> [[f64; 3]; 4] {
    let u = 1.0 - t;
    [
        [u * u * u / 6.0, -0.5 * u * u, u],
        [2.0 / 3.0 - t * t + 0.5 * t * t * t, -2.0 * t + 1.5 * t * t, -2.0 + 3.0 * t],
        [2.0 / 3.0 - u * u + 0.5 * u * u * u, 2.0 * u - 1.5 * u * u, -2.0 + 3.0 * u],
        [t * t * t / 6.0, 0.5 * t * t, t],
    ]
}

impl EdgeField {
    /// The same field on this many points; [`Self::new`] makes that of one.
    pub fn on_points(self, points: usize) -> Self {
        Self { points, ..self }
    }

    /// The field of a sequence of images, one every `period` \[s\], smoothed by a Gaussian of the standard `deviation`
    /// \[pixels\]: the farther, the farther edges attract. Copies share the images.
    ///
    /// # Errors
    /// [`ImageError`].
    pub fn new(
        images: &[GrayImage],
        period: f64,
        deviation: f64,
        gain: f64,
    ) -> Result<Self, ImageError> {
        let size = images.first().ok_or(ImageError::Sequence(0))?.size();
        if let Some(other) = images.iter().position(|image| image.size() != size) {
            return Err(ImageError::Sequence(other));
        }
        for (name, value) in [("period", period), ("deviation", deviation)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(ImageError::Positive { name, value });
            }
        }
        let frame = |image: &GrayImage| image.smoothed(deviation).squared_gradient();
        let frames = std::sync::Arc::new(images.iter().map(frame).collect());
        Ok(Self { points: 1, frames, period, gain })
    }

    /// Energy of a point, its gradient and second derivatives, images between two times being mixed.
    fn sample(&self, at: PortMotion<'_>, point: usize) -> [f64; 6] {
        let last = self.frames.len() - 1;
        let place = (at.time / self.period).clamp(0.0, last as f64);
        let (first, part) = (place.floor() as usize, place.fract());
        let [x, y] = [at.x[2 * point], at.x[2 * point + 1]];
        let before = self.frames[first].sample(x, y);
        let after = self.frames[(first + 1).min(last)].sample(x, y);
        std::array::from_fn(|k| -self.gain * ((1.0 - part) * before[k] + part * after[k]))
    }
}

impl Behaviour for EdgeField {
    fn port_count(&self) -> usize {
        2 * self.points
    }
    fn add_forces(&self, at: PortMotion<'_>, forces: &mut [f64]) {
        for (point, force) in forces.chunks_exact_mut(2).enumerate() {
            let [_, dx, dy, ..] = self.sample(at, point);
            force[0] -= dx;
            force[1] -= dy;
        }
    }
    fn add_stiffness(&self, at: PortMotion<'_>, stiffness: &mut [f64]) {
        let ports = self.port_count();
        for point in 0..self.points {
            let [.., xx, xy, yy] = self.sample(at, point);
            let mut hessian = [xx, xy, xy, yy];
            super::semidefinite::project(&mut hessian, &mut [0.0; 4], 2);
            for (k, entry) in hessian.into_iter().enumerate() {
                stiffness[ports * (2 * point + k / 2) + 2 * point + k % 2] += entry;
            }
        }
    }
    fn energy(&self, at: PortMotion<'_>) -> f64 {
        (0..self.points).map(|point| self.sample(at, point)[0]).sum()
    }
}
