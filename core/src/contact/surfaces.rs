//! The surfaces of tissues of a detector: where they are in a call, contacts of two of them or of one with itself,
//! and whether they pass through each other.

use sinew_mesh::tree::Bounds;

use super::candidates::{CandidateFinder, Candidates, NearFeatures, Ways};
use super::surface::Skin;
use super::surface_crossing::{Crossing, Guard};
use super::surface_pair::{Near, Search, add};
use super::{ContactPoint, Surface};
use crate::Vec3;

/// Surfaces, and work space of one vertex.
#[derive(Debug, Default)]
pub(super) struct Surfaces {
    skins: Vec<Skin>,
    /// Lists candidates in the place of hierarchies.
    pub(super) finder: Option<Box<dyn CandidateFinder>>,
    /// Those of the last sweep, if it listed them.
    candidates: Candidates,
    is_listed: bool,
    near: Vec<Near>,
    /// Crossings in motions that were refused.
    crossings: Vec<Crossing>,
}

impl Surfaces {
    pub(super) fn new(surfaces: Vec<Surface>) -> Self {
        Self { skins: surfaces.into_iter().map(Skin::new).collect(), ..Self::default() }
    }

    pub(super) fn list(&self) -> impl Iterator<Item = &Surface> {
        self.skins.iter().map(|skin| &skin.surface)
    }

    /// Adds the contacts of a pair, by rising keys, at the positions `q` of all rows and how far these go [m].
    pub(super) fn add_contacts(
        &mut self,
        members: [u32; 2],
        (q, steps): (&[Vec3], &[Vec3]),
        search: &Search,
        out: &mut Vec<ContactPoint>,
    ) {
        let sag = if search.is_smooth { self.sag(members, q) } else { 0.0 };
        let border = 0.5 * (search.thickness + search.margin) + sag;
        if self.sweep((search.pair, members), (q, steps), border) {
            let Self { skins, candidates, is_listed, near, crossings, .. } = self;
            let skins = members.map(|member| &skins[member as usize]);
            let features = NearFeatures { skins, listed: is_listed.then_some(&*candidates) };
            add(search, &features, (near, crossings), out);
        }
    }

    /// True if features of two surfaces that begin farther apart than `least` [m] come nearer on their way. They are
    /// kept: contacts of the pair are those of these features as well until they are forgotten.
    pub(super) fn cross(
        &mut self,
        (pair, members): (u32, [u32; 2]),
        (q, steps): (&[Vec3], &[Vec3]),
        least: f64,
    ) -> bool {
        let before = self.crossings.len();
        if self.sweep((pair, members), (q, steps), 0.5 * least) {
            let Self { skins, candidates, is_listed, crossings, .. } = self;
            let skins = members.map(|member| &skins[member as usize]);
            let near = NearFeatures { skins, listed: is_listed.then_some(&*candidates) };
            let is_self = members[0] == members[1];
            Guard { pair, near, is_self, least }.add_crossings(crossings);
        }
        self.crossings.len() > before
    }

    /// Forgets features that would have passed each other.
    pub(super) fn forget_crossings(&mut self) {
        self.crossings.clear();
    }

    /// Greatest distance of the smooth surfaces of two members from their triangles [m].
    fn sag(&mut self, members: [u32; 2], q: &[Vec3]) -> f64 {
        let sags = members.map(|member| {
            let skin = &mut self.skins[member as usize];
            skin.place(q, &[]);
            skin.sag()
        });
        sags[0].max(sags[1])
    }

    /// Places two surfaces and, where the boxes around their ways are near, finds candidates. Ways are those in the
    /// frame of their mean motion.
    fn sweep(
        &mut self,
        (pair, [a, b]): (u32, [u32; 2]),
        (q, steps): (&[Vec3], &[Vec3]),
        border: f64,
    ) -> bool {
        let both = [a, b];
        let members = if a == b { &both[..1] } else { &both[..] };
        for &member in members {
            self.skins[member as usize].place(q, steps);
        }
        let mean = both.map(|member| self.skins[member as usize].mean_step());
        let frame = (mean[0] + mean[1]) * 0.5;
        for &member in members {
            let skin = &mut self.skins[member as usize];
            skin.seen_from(&frame);
            skin.set_border(border);
        }
        let [first, second] = both.map(|member| self.skins[member as usize].way(border));
        let is_near = Bounds::overlaps(&first, &second);
        if is_near {
            self.is_listed = self.list_candidates(pair, both, border);
        }
        if is_near && !self.is_listed {
            members.iter().for_each(|&member| self.skins[member as usize].sweep());
        }
        is_near
    }

    /// Asks the finder for candidates; true if it listed them.
    fn list_candidates(&mut self, pair: u32, members: [u32; 2], border: f64) -> bool {
        let Self { skins, finder: Some(finder), candidates, .. } = self else { return false };
        candidates.clear();
        let [a, b] = members.map(|member| &skins[member as usize]);
        let (points, steps) = ([&a.points[..], &b.points], [&a.steps[..], &b.steps]);
        let is_listed = finder.find(&Ways { pair, points, steps, border }, candidates);
        if is_listed {
            candidates.sort([a.points.len(), b.points.len(), a.edges.len()]);
        }
        is_listed
    }
}
