//! All bilateral rows of a system, or all unilateral ones, of any origin.

use std::sync::Arc;

use super::{
    JointLaw, JointNumber, JointRows, JointTerm, LawRows, PlacedJoint, PlacedLaw, Placement,
    PointConstraint, ProductRows, Site,
};
use crate::linalg::kkt::ConstraintPattern;
use crate::{Mat3, Vec3};

/// Origin of a row, and its number there.
#[derive(Clone, Copy, Debug)]
enum Source {
    Product(usize),
    Joint(usize),
    Law(usize),
}

/// Rows of a system: products of vectors, functions of relative poses, and laws of the user.
#[derive(Clone, Default)]
pub struct ConstraintRows {
    products: ProductRows,
    joints: JointRows,
    laws: LawRows,
    sources: Vec<Source>,
    lists: Vec<Vec<u32>>,
    /// Rows of each source that have a number.
    known: [usize; 3],
}

impl ConstraintRows {
    /// Number of rows.
    pub fn count(&self) -> usize {
        self.sources.len()
    }

    /// The block rows of every row, each once: the pattern of [`Self::coefficients`].
    pub fn lists(&self) -> &[Vec<u32>] {
        &self.lists
    }

    /// The rows of a joint; as products where there are such.
    pub fn push_joint(&mut self, joint: &Arc<PlacedJoint>) {
        let products = match joint.law {
            JointLaw::Kind(kind) => self.products.push_joint(kind, &joint.c, &joint.d),
            JointLaw::Functions(_) => false,
        };
        if !products {
            for row in 0..joint.law.row_count() as u8 {
                self.joints.push([JointTerm::of(joint, JointNumber::Error(row))]);
            }
        }
        self.number();
    }

    /// The rows of a point constraint: `c` is the point, `d` its anchor.
    pub fn push_point(&mut self, kind: PointConstraint, c: &Site, d: &Site) {
        self.products.push_point(kind, c, d);
        self.number();
    }

    /// A row that is the sum of some terms.
    pub fn push_terms(&mut self, terms: impl IntoIterator<Item = JointTerm>) {
        self.joints.push(terms);
        self.number();
    }

    /// The rows of a law.
    pub fn push_law(&mut self, law: PlacedLaw) {
        self.laws.push(law);
        self.number();
    }

    /// Numbers the rows that were pushed.
    fn number(&mut self) {
        let [products, joints, laws] = self.known;
        for k in products..self.products.count() {
            self.sources.push(Source::Product(k));
            self.lists.push(self.products.lists()[k].clone());
        }
        for k in joints..self.joints.count() {
            self.sources.push(Source::Joint(k));
            self.lists.push(self.joints.lists()[k].clone());
        }
        for k in laws..self.laws.count() {
            self.sources.push(Source::Law(k));
            self.lists.push(self.laws.lists()[k].clone());
        }
        self.known = [self.products.count(), self.joints.count(), self.laws.count()];
    }

    /// Value of a row: a length [m], an angle [rad], or the sine of one [-] where the row is a product.
    pub fn value(&self, row: usize, at: Placement) -> f64 {
        match self.sources[row] {
            Source::Product(k) => self.products.value(k, at),
            Source::Joint(k) => self.joints.value(k, at),
            Source::Law(k) => self.laws.value(k, at),
        }
    }

    /// Vectors of the entries of a row, in the order of its list, into `values`.
    pub fn coefficients(&self, row: usize, at: Placement, values: &mut [Vec3]) {
        match self.sources[row] {
            Source::Product(k) => self.products.coefficients(k, at, values),
            Source::Joint(k) => self.joints.coefficients(k, at, values),
            Source::Law(k) => self.laws.coefficients(k, at, values),
        }
    }

    /// Corrects the vectors of a row half way so that with the mean velocities `y` of a step of `h` [s] they make
    /// the mean rate `rate` of its value exactly. Products do without; of laws of users nothing is known.
    pub fn meet(&self, row: usize, at: Placement, step: (&[Vec3], f64, f64), values: &mut [Vec3]) {
        if let Source::Joint(k) = self.sources[row] {
            self.joints.meet(k, at, step, values);
        }
    }

    /// Hands the blocks of the symmetric second derivative of a row, by displacements and turns of its
    /// carriers, to `visit` with their block rows. Of the laws of users nothing is known; rounds of a
    /// step converge without.
    pub fn curvature(&self, row: usize, at: Placement, visit: &mut dyn FnMut(u32, u32, Mat3)) {
        match self.sources[row] {
            Source::Product(k) => self.products.curvature(k, at, visit),
            Source::Joint(k) => self.joints.curvature(k, at, visit),
            Source::Law(_) => {}
        }
    }

    /// Pattern of all rows in a system of `size` block rows.
    pub fn pattern(&self, size: usize) -> ConstraintPattern {
        ConstraintPattern::from_lists(&self.lists, size).expect("carriers are block rows")
    }
}
