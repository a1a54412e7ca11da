//! The planes of a view as tests and sections need them: what is cut away, which sections are drawn, and what of those the
//! other planes leave.

use sinew::Vec3;

use crate::{SliceKind, ViewOptions};

/// A plane: points p relative to the origin of the scene with n . p = d.
pub(crate) type Plane = (Vec3, f64);

/// The planes of a view that cut, relative to the origin of a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Cuts {
    /// All of them.
    pub(crate) planes: Vec<Plane>,
    /// True if of tissues only sections are drawn.
    pub(crate) sections_alone: bool,
    kinds: Vec<SliceKind>,
}

impl Cuts {
    /// The planes of a view; one without a direction and one that is a grid cut nothing.
    pub(crate) fn of(options: &ViewOptions, origin: Vec3) -> Self {
        let cutting = options.slices().filter(|slice| slice.kind != SliceKind::Grid);
        let planes = cutting.filter_map(|slice| Some((slice.plane(origin)?, slice.kind)));
        let (planes, kinds): (Vec<_>, Vec<_>) = planes.unzip();
        let sections_alone = kinds.contains(&SliceKind::Slice);
        Self { planes, kinds, sections_alone }
    }

    /// True if a point lies on the side of a plane that is cut away.
    pub(crate) fn is_cut(&self, point: Vec3) -> bool {
        self.planes.iter().any(|(n, d)| n.dot(&point) > *d)
    }

    /// Planes whose sections of tissues are drawn, each with those that cut them: where only sections are drawn, they do
    /// not cut each other.
    pub(crate) fn sections(&self) -> impl Iterator<Item = (Plane, Vec<Plane>)> + '_ {
        let is_clip = |k: usize| self.kinds[k] == SliceKind::Clip;
        let drawn = move |&k: &usize| is_clip(k) != self.sections_alone;
        (0..self.planes.len()).filter(drawn).map(move |k| {
            let others = (0..self.planes.len()).filter(|&j| j != k && is_clip(j));
            (self.planes[k], others.map(|j| self.planes[j]).collect())
        })
    }
}
