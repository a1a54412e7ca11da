//! Resolution of the picture while the camera turns about a model that takes long to draw.

/// Longest time of a frame while one turns [s]: fifteen pictures a second follow a hand.
const SLOW: f64 = 0.066;
/// A frame that is this much shorter is drawn finer again: a finer one takes four times as long [s].
const QUICK: f64 = SLOW / 5.0;
/// Pixels of the window a side of a pixel of the coarsest picture.
const COARSEST: u32 = 4;

/// Resolution of a picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Detail {
    /// Pixels of the window a side of a pixel of the picture, while the camera turns.
    divisor: u32,
    /// Begin of the frame before, in the time of the window [s]; `None` where the camera stood.
    begun: Option<f64>,
}

impl Default for Detail {
    fn default() -> Self {
        Self { divisor: 1, begun: None }
    }
}

impl Detail {
    /// Begins a frame at `now` [s]: pixels of the window a side of a pixel of the picture. While the camera
    /// turns, frames follow each other, and each tells how long the one before took.
    pub(super) fn begin(&mut self, turning: bool, now: f64) -> u32 {
        if !turning {
            self.begun = None;
            return 1;
        }
        if let Some(before) = self.begun.replace(now) {
            let took = now - before;
            if took > SLOW {
                self.divisor = (2 * self.divisor).min(COARSEST);
            } else if took < QUICK {
                self.divisor = (self.divisor / 2).max(1);
            }
        }
        self.divisor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turns for some frames that each take `seconds(divisor)`.
    fn turned(detail: &mut Detail, seconds: impl Fn(u32) -> f64) -> u32 {
        let (mut now, mut divisor) = (100.0, 1);
        for _ in 0..12 {
            divisor = detail.begin(true, now);
            now += seconds(divisor);
        }
        divisor
    }

    #[test]
    fn a_large_model_is_coarser_while_it_turns_and_whole_when_it_rests() {
        let mut detail = Detail::default();
        let large = |divisor: u32| 0.5 / f64::from(divisor * divisor);
        assert_eq!(turned(&mut detail, large), 4);
        assert_eq!(detail.begin(false, 200.0), 1, "it rests");
        // It is known to be large when it turns again, and a pause is no long frame.
        assert_eq!(detail.begin(true, 300.0), 4);
    }

    #[test]
    fn a_small_model_stays_fine_and_one_that_became_small_gets_fine_again() {
        let mut detail = Detail::default();
        assert_eq!(turned(&mut detail, |_| 0.016), 1);
        assert_eq!(turned(&mut detail, |divisor| 0.2 / f64::from(divisor * divisor)), 2);
        detail.begin(false, 200.0);
        assert_eq!(turned(&mut detail, |_| 0.002), 1);
    }
}
