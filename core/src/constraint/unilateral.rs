//! Rows that push one way: ends of ranges of coordinates, and points on one side of planes.

use super::{Compliance, ConstraintRows, JointTerm, PlacedLaw, Placement, RowReader};

/// A range is looked at when it may be reached in this many steps at the velocity of now, or is nearer than [`RANGE_NEAR`].
const STEPS_AHEAD: f64 = 3.0;
/// Room within which a range is always looked at [m], [rad].
pub(crate) const RANGE_NEAR: f64 = 0.01;
/// Overlap of a range that is left as it is [m], [rad].
pub(crate) const RANGE_TOLERANCE: f64 = 1e-4;
/// Beyond the tolerance by less than this share of it is none [-].
pub(crate) const OVERLAP_SLACK: f64 = 1e-3;

/// Settings of a unilateral row.
#[derive(Clone, Debug, PartialEq)]
pub struct UnilateralSettings {
    /// Path of its component, with the coordinate and the side: `/models/arm/connectors/elbow theta upper`.
    pub name: String,
    /// Compliance of the row.
    pub compliance: Compliance,
    /// Rate at which it opens after an impact over that before [-].
    pub restitution: f64,
}

/// Rows whose gap must not be negative.
#[derive(Clone, Default)]
pub struct UnilateralRows {
    rows: ConstraintRows,
    settings: Vec<UnilateralSettings>,
}

impl UnilateralRows {
    /// Number of rows.
    pub fn count(&self) -> usize {
        self.settings.len()
    }

    /// The block rows of every row, each once: the pattern of their vectors.
    pub fn lists(&self) -> &[Vec<u32>] {
        self.rows.lists()
    }

    /// A row whose gap is the sum of some terms.
    pub fn push(
        &mut self,
        settings: UnilateralSettings,
        terms: impl IntoIterator<Item = JointTerm>,
    ) {
        self.rows.push_terms(terms);
        self.settings.push(settings);
    }

    /// The one row of a law.
    ///
    /// # Panics
    /// When it has another number of rows.
    pub fn push_law(&mut self, settings: UnilateralSettings, law: PlacedLaw) {
        assert_eq!(law.rows, 1, "rows of {}", settings.name);
        self.rows.push_law(law);
        self.settings.push(settings);
    }

    /// The rows at a placement: values are gaps [m or rad], positive inside, negative beyond the end; vectors make their
    /// rates of velocities, and the impulse of a row pushes along them.
    pub fn at<'a>(&'a self, at: Placement<'a>) -> RowReader<'a> {
        self.rows.at(at)
    }

    /// True if a row may be reached in steps of `h` [s], at a gap and its rate.
    pub(crate) fn is_near(gap: f64, rate: f64, h: f64) -> bool {
        gap <= RANGE_NEAR.max(STEPS_AHEAD * h * rate.abs())
    }

    /// Compliance of a row.
    pub fn compliance(&self, row: usize) -> Compliance {
        self.settings[row].compliance
    }

    /// Rate at which a row opens after an impact over that before [-].
    pub fn restitution(&self, row: usize) -> f64 {
        self.settings[row].restitution
    }

    /// Name of the owner of a row, and its side, for messages.
    pub fn name(&self, row: usize) -> &str {
        &self.settings[row].name
    }

    /// Puts another compliance and restitution into a row.
    pub(crate) fn set(&mut self, row: usize, compliance: Compliance, restitution: f64) {
        let settings = &mut self.settings[row];
        (settings.compliance, settings.restitution) = (compliance, restitution);
    }
}
