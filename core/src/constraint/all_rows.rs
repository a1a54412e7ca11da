//! All bilateral rows of a system, or all unilateral ones, of any origin.

use std::ops::Range;
use std::sync::Arc;

use super::bending::Bending;
use super::{
    ClosedSurface, Compliance, Contents, JointLaw, JointNumber, JointRows, JointTerm, LawRows,
    PlacedJoint, PlacedLaw, Placement, PointConstraint, ProductRows, RowReader, Site, VolumeRows,
};
use crate::linalg::kkt::ConstraintPattern;
use crate::{Mat3, Vec3};

/// Origin of a row, and its number there.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    Product(usize),
    Joint(usize),
    Law(usize),
    Volume(usize),
}

/// Rows of a system: products of vectors, functions of relative poses, laws of the user, and volumes inside of surfaces.
#[derive(Clone, Default)]
pub struct ConstraintRows {
    pub(super) products: ProductRows,
    pub(super) joints: JointRows,
    pub(super) laws: LawRows,
    pub(super) volumes: VolumeRows,
    pub(super) sources: Vec<Source>,
    lists: Vec<Vec<u32>>,
    /// Rows of each source that have a number.
    known: [usize; 4],
}

/// Placements in a step, and the motion between them.
#[derive(Clone, Copy)]
pub(crate) struct StepOfRows<'a> {
    /// At the end.
    pub(crate) end: Placement<'a>,
    /// Half way, with means of rotation matrices.
    pub(crate) mean: Placement<'a>,
    /// Values of the rows at the start.
    pub(crate) before: &'a [f64],
    /// Mean velocities of the block rows [m/s], [rad/s].
    pub(crate) velocities: &'a [Vec3],
    /// Its length [s].
    pub(crate) h: f64,
}

impl ConstraintRows {
    /// Number of rows.
    pub fn count(&self) -> usize {
        self.sources.len()
    }

    /// The block rows of every row, each once: the pattern of their vectors.
    pub fn lists(&self) -> &[Vec<u32>] {
        &self.lists
    }

    /// The rows of a joint; as products where there are such.
    pub fn push_joint(&mut self, joint: &Arc<PlacedJoint>) {
        let products = match joint.law {
            JointLaw::Kind(kind) => self.products.push_joint(kind, &joint.c, &joint.d),
            JointLaw::Motion(_) | JointLaw::Functions(_) => false,
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

    /// The row of a closed surface with its contents.
    pub fn push_volume(&mut self, surface: ClosedSurface, contents: Contents) {
        self.volumes.push(surface, contents);
        self.number();
    }

    /// Puts other contents into all closed surfaces, in the order of their rows, and the compliance of these rows into that of all.
    pub fn update_contents(
        &mut self,
        compliance: &mut [Compliance],
        mut contents: impl FnMut(&ClosedSurface) -> Contents,
    ) {
        for (source, row) in self.sources.iter().zip(compliance) {
            if let Source::Volume(k) = *source {
                let new = contents(self.volumes.surface(k));
                row.compliance = new.row_compliance();
                self.volumes.set_contents(k, new);
            }
        }
    }

    /// Volume [m³] inside of the closed surface of a row at positions `q` [m], and pressure [Pa] of its contents where the
    /// row has a force [N]; `None` for other rows.
    pub fn volume_and_pressure(&self, row: usize, q: &[Vec3], multiplier: f64) -> Option<[f64; 2]> {
        let Some(Source::Volume(k)) = self.sources.get(row) else { return None };
        let volume = self.volumes.surface(*k).volume(q);
        Some([volume, self.volumes.contents(*k).pressure(volume, multiplier)])
    }

    /// Hands every group of block rows whose forces depend on each other's motion to `visit`: of a closed surface the nodes of
    /// each face, of other rows all.
    pub fn visit_cliques(&self, visit: &mut dyn FnMut(&[u32])) {
        for (source, list) in self.sources.iter().zip(&self.lists) {
            match *source {
                Source::Product(_) | Source::Joint(_) | Source::Law(_) => visit(list),
                Source::Volume(k) => self.volumes.surface(k).visit_cliques(visit),
            }
        }
    }

    /// Numbers the rows that were pushed.
    fn number(&mut self) {
        let [products, joints, laws, volumes] = self.known;
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
        for k in volumes..self.volumes.count() {
            self.sources.push(Source::Volume(k));
            self.lists.push(self.volumes.surface(k).rows().to_vec());
        }
        let counts = [self.products.count(), self.joints.count(), self.laws.count()];
        self.known = [counts[0], counts[1], counts[2], self.volumes.count()];
    }

    /// True if second derivatives of some rows by time are not [known](RowReader::bending): of laws of users, and of volumes.
    pub fn has_laws(&self) -> bool {
        self.laws.count() + self.volumes.count() > 0
    }

    /// True if some rows are volumes inside of surfaces.
    pub fn has_volumes(&self) -> bool {
        self.volumes.count() > 0
    }

    /// Change of the vectors of a row that is a product where the placement changes by `change`
    /// ([`ProductRows::change_of_coefficients`]); false, and nothing done, for other rows.
    #[must_use]
    pub fn change_of_product(
        &self,
        row: usize,
        (at, change): (Placement, Placement),
        values: &mut [Vec3],
    ) -> bool {
        match self.sources[row] {
            Source::Product(k) => self.products.change_of_coefficients(k, (at, change), values),
            Source::Joint(_) | Source::Law(_) | Source::Volume(_) => return false,
        }
        true
    }

    /// The rows at a placement, to be read in order.
    pub fn at<'a>(&'a self, at: Placement<'a>) -> RowReader<'a> {
        RowReader::new(self, at)
    }

    /// Values of all rows at the end of a step, and their vectors half way, which with the mean velocities make the mean rates of
    /// the values exactly; `entries` are those of a row.
    pub(crate) fn update(
        &self,
        step: StepOfRows<'_>,
        entries: impl Fn(usize) -> Range<usize>,
        (values, vectors): (&mut [f64], &mut [Vec3]),
    ) {
        let (mut at_end, mut half_way) = (self.at(step.end), self.at(step.mean));
        for (row, value) in values.iter_mut().enumerate() {
            *value = at_end.value(row);
            let vectors = &mut vectors[entries(row)];
            half_way.coefficients(row, vectors);
            let rate = (*value - step.before[row]) / step.h;
            half_way.meet(row, (step.velocities, rate, step.h), vectors);
        }
    }

    /// Hands the blocks of the symmetric second derivative of the sum of all rows times `factors`, by displacements and
    /// turns of their carriers, to `visit` with their block rows. Of the laws of users nothing is known; iterations of
    /// a step converge without.
    pub fn curvature(&self, at: Placement, factors: &[f64], visit: &mut dyn FnMut(u32, u32, Mat3)) {
        let mut bending = None;
        for (source, &factor) in self.sources.iter().zip(factors).filter(|(_, l)| **l != 0.0) {
            match *source {
                Source::Product(k) => {
                    self.products.curvature(k, at, &mut |i, j, block| visit(i, j, block * factor));
                }
                Source::Joint(k) => self.joints.add_bending((k, factor), at, &mut bending, visit),
                Source::Law(_) => {}
                Source::Volume(k) => self.volumes.curvature((k, factor), at, visit),
            }
        }
        bending.iter().for_each(|bending: &Bending| bending.finish(visit));
    }

    /// Pattern of all rows in a system of `size` block rows.
    pub fn pattern(&self, size: usize) -> ConstraintPattern {
        ConstraintPattern::from_lists(&self.lists, size).expect("carriers are block rows")
    }
}
