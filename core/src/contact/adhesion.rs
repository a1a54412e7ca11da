//! Adhesion of contacts: a constant tension within a range, and none beyond (Dugdale's law, Maugis1992). Its use in a
//! step: `solve/constrained/unilateral/adhesion.rs`.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use super::ContactLaw;

/// Numbers of an adhesion; 0 for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Adhesion {
    /// Work of adhesion w [J/m²]: what parting takes by area, of contacts that stand for one.
    pub work: f64,
    /// Greatest pull of each contact [N], beside that over its area.
    pub force: f64,
    /// Gap beyond which nothing pulls [m], > 0 where there is adhesion.
    pub range: f64,
}

impl Adhesion {
    /// True if contacts pull.
    pub fn pulls(&self) -> bool {
        (self.work > 0.0 || self.force > 0.0) && self.range > 0.0
    }

    /// Distance out to which contacts pull [m].
    pub fn reach(&self) -> f64 {
        if self.pulls() { self.range } else { 0.0 }
    }

    /// Tension within the range [Pa]: w over the range.
    pub fn strength(&self) -> f64 {
        if self.pulls() { self.work / self.range } else { 0.0 }
    }

    /// Pull [N] at a gap [m] of a contact that stands for an area [m²].
    pub fn pull(&self, gap: f64, area: f64) -> f64 {
        let is_near = self.pulls() && gap < self.range;
        if is_near { self.strength() * area + self.force } else { 0.0 }
    }

    /// Area within the range around the nearest point of round shapes, by their effective radius R [m] and the gap [m]: that
    /// of a paraboloid, 2 π R (range - gap), which makes 2 π w R of the pull at touch (Derjaguin1975). An overlap adds none.
    pub fn area_around(&self, radius: f64, gap: f64) -> f64 {
        2.0 * PI * radius * (self.range - gap.max(0.0)).max(0.0)
    }
}

impl ContactLaw {
    /// The same with a work of adhesion [J/m²] out to a range [m].
    #[must_use]
    pub fn sticking(self, work: f64, range: f64) -> Self {
        Self { adhesion: Adhesion { work, range, ..self.adhesion }, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The work of the pull from touch until nothing pulls [J].
    fn work(adhesion: &Adhesion, area: impl Fn(f64) -> f64) -> f64 {
        let count = 10_000;
        let step = 2.0 * adhesion.range / f64::from(count);
        let pull = |k: u32| {
            let gap = (f64::from(k) + 0.5) * step;
            adhesion.pull(gap, area(gap))
        };
        (0..count).map(pull).sum::<f64>() * step
    }

    #[test]
    fn parting_takes_the_work_of_adhesion_over_the_area() {
        let flat = Adhesion { work: 0.3, force: 0.0, range: 2e-4 };
        let found = work(&flat, |_| 0.01);
        assert!((found / (0.3 * 0.01) - 1.0).abs() < 1e-9, "{found} J");
        // Of a paraboloid the integral of w over the area within the range: π R w range.
        let round = work(&flat, |gap| flat.area_around(0.05, gap));
        assert!((round / (PI * 0.05 * 0.3 * 2e-4) - 1.0).abs() < 1e-6, "{round} J");
        let point = Adhesion { work: 0.0, force: 2.0, range: 1e-3 };
        assert!((work(&point, |_| 0.01) / 2e-3 - 1.0).abs() < 1e-9);
    }

    #[test]
    fn nothing_pulls_beyond_the_range_or_without_numbers() {
        let law = Adhesion { work: 0.3, force: 1.0, range: 2e-4 };
        assert_eq!(law.pull(2e-4, 0.01), 0.0);
        assert!((law.pull(1.99e-4, 0.01) - 16.0).abs() < 1e-12);
        assert!((law.pull(-1e-3, 0.01) - 16.0).abs() < 1e-12);
        assert_eq!(Adhesion::default().pull(-1.0, 1.0), 0.0);
        assert_eq!(Adhesion { range: 0.0, ..law }.pull(-1.0, 1.0), 0.0);
        let pull = law.pull(0.0, law.area_around(0.04, 0.0));
        assert!((pull - 1.0 - 2.0 * PI * 0.3 * 0.04).abs() < 1e-12, "{pull} N");
        assert_eq!(law.area_around(0.04, -1e-3), law.area_around(0.04, 0.0));
    }
}
