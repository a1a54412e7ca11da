//! The shortest path of a string between two points over several obstacles, in the order that they are listed in.

use nalgebra::Isometry3;

use super::Vec3;
use super::geodesic::Arc;
use super::path_errors::{Bend, Ends, FOLLOWED, PathState, Straight, improve};
use super::side::{Meeting, Side};
use super::surface::Surface;

/// Most curved parts of one strand. A torus takes two, since a line can pass through its tube twice.
pub(crate) const MOST_BENDS: usize = 8;

/// A surface where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Obstacle {
    pub(crate) surface: Surface,
    /// Its frame in the world.
    pub(crate) pose: Isometry3<f64>,
    /// The half of it that paths go round; either where there is none.
    pub(crate) side: Option<Side>,
}

/// Meeting of an obstacle that has a side with the line between two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Touch {
    /// It is free.
    Free,
    /// It goes through the obstacle.
    Through,
    /// It passes on the other side; the path round the obstacle is longer by this [m].
    Behind(f64),
}

/// A path over obstacles: straight, curved, straight, ...
pub(crate) struct Strand {
    pub(super) state: PathState,
    bends: [Option<Bend>; MOST_BENDS],
}

/// Sweeps over all obstacles, each between those beside it. Two that touch in turn converge by the square of the angle
/// between them; Newton's method ends it long before this many.
const MOST_SWEEPS: usize = 50;

/// Tangent points that move by less than this share of the size of their surface in a sweep are there.
const STILL: f64 = 1e-13;

impl Obstacle {
    /// Curved parts that a strand over it can have.
    pub(crate) fn bend_count(surface: &Surface) -> usize {
        match surface {
            Surface::Torus { .. } => 2,
            Surface::Sphere { .. }
            | Surface::Cylinder { .. }
            | Surface::Ellipsoid { .. }
            | Surface::Sections(_)
            | Surface::Sided(_) => 1,
        }
    }

    fn wrap(&self, beside: [Beside; 2]) -> Option<Arc> {
        let [from, to] = beside.map(|it| self.local(&it.point));
        match self.side {
            None => self.surface.wrap([&from, &to], beside.map(|it| it.touching)),
            Some(side) => self.surface.wrap_on(side, [&from, &to]),
        }
    }

    /// A point of the world in its frame.
    fn local(&self, point: &Vec3) -> Vec3 {
        self.pose.rotation.inverse() * (point - self.pose.translation.vector)
    }

    /// True if the line between two points plainly passes it; false does not say that they touch.
    pub(crate) fn is_clear_of(&self, points: [Vec3; 2]) -> bool {
        let [from, to] = points.map(|point| self.local(&point));
        self.side.is_none() && self.surface.is_clear_of([&from, &to])
    }

    /// Share of the way between two points where the line is nearest to its middle.
    pub(crate) fn nearest(&self, points: [Vec3; 2]) -> f64 {
        let [from, to] = points.map(|point| self.local(&point));
        self.surface.nearest([&from, &to])
    }

    /// Its meeting with the line between two points; of those without a side whether they are in the way.
    pub(crate) fn touch(&self, points: [Vec3; 2]) -> Touch {
        let [from, to] = points.map(|point| self.local(&point));
        let arc = match self.side {
            None => self.surface.wrap([&from, &to], [false; 2]),
            Some(side) => self.surface.wrap_on(side, [&from, &to]),
        };
        let Some(arc) = arc else { return Touch::Free };
        let meeting = self.side.map(|side| side.meeting(&self.surface, [&from, &to]));
        if meeting != Some(Meeting::Behind) {
            return Touch::Through;
        }
        let end = arc.end(&self.surface).frame.point;
        let whole = (arc.start - from).norm() + arc.length + (to - end).norm();
        Touch::Behind(whole - (to - from).norm())
    }
}

/// Neighbour of a slot along the path.
#[derive(Clone, Copy)]
struct Beside {
    point: Vec3,
    /// True if it is the end of an arc on the same obstacle.
    touching: bool,
}

/// Slots that can be touched: numbers of obstacles, and those that touch now.
struct Slots {
    obstacles: [usize; MOST_BENDS],
    arcs: [Option<Arc>; MOST_BENDS],
    /// Both ends of each arc in the world.
    ends: [[Vec3; 2]; MOST_BENDS],
    count: usize,
    /// The slots in the order in which the first sweep goes.
    first: [usize; MOST_BENDS],
}

impl Slots {
    fn new(obstacles: &[Obstacle], ranks: &[usize]) -> Self {
        let each = obstacles
            .iter()
            .enumerate()
            .flat_map(|(k, it)| std::iter::repeat_n(k, Obstacle::bend_count(&it.surface)));
        let mut slots = Self {
            obstacles: [0; MOST_BENDS],
            arcs: [None; MOST_BENDS],
            ends: [[Vec3::zeros(); 2]; MOST_BENDS],
            count: 0,
            first: std::array::from_fn(|k| k),
        };
        for obstacle in each.take(MOST_BENDS) {
            slots.obstacles[slots.count] = obstacle;
            slots.count += 1;
        }
        let numbers = slots.obstacles;
        let rank = |slot: &usize| ranks.get(numbers[*slot]).copied().unwrap_or(*slot);
        slots.first[..slots.count].sort_by_key(rank);
        slots
    }

    /// Neighbours of a slot along the path.
    fn beside(&self, slot: usize, [first, last]: [Vec3; 2]) -> [Beside; 2] {
        let active = |k: &usize| self.arcs[*k].is_some();
        let beside = |k: usize, end: usize| Beside {
            point: self.ends[k][end],
            touching: self.obstacles[k] == self.obstacles[slot],
        };
        let free = |point: Vec3| Beside { point, touching: false };
        let before = (0..slot).rev().find(active).map(|k| beside(k, 1));
        let after = (slot + 1..self.count).find(active).map(|k| beside(k, 0));
        [before.unwrap_or_else(|| free(first)), after.unwrap_or_else(|| free(last))]
    }

    /// Wraps every obstacle anew between those beside it, in an order of slots; true if none changed.
    fn sweep(
        &mut self,
        points: [Vec3; 2],
        obstacles: &[Obstacle],
        order: [usize; MOST_BENDS],
    ) -> bool {
        let mut still = true;
        for slot in order.into_iter().take(self.count) {
            let obstacle = &obstacles[self.obstacles[slot]];
            let arc = obstacle.wrap(self.beside(slot, points));
            still &= arc.is_some() == self.arcs[slot].is_some();
            self.arcs[slot] = arc;
            if let Some(arc) = arc {
                let ends = Bend { obstacle: self.obstacles[slot], arc }.ends(obstacles);
                let ends = [ends.a.point, ends.b.point];
                let moved = |k: usize| (ends[k] - self.ends[slot][k]).norm();
                still &= moved(0).max(moved(1)) <= STILL * obstacle.surface.size();
                self.ends[slot] = ends;
            }
        }
        still
    }

    fn bends(&self) -> impl Iterator<Item = Bend> {
        let bend = |k: usize| Some(Bend { obstacle: self.obstacles[k], arc: self.arcs[k]? });
        (0..self.count).filter_map(bend)
    }

    /// True if obstacles that nothing touches are free of a path with these bends.
    fn is_free(&self, points: [Vec3; 2], obstacles: &[Obstacle]) -> bool {
        (0..self.count)
            .filter(|&k| self.arcs[k].is_none())
            .all(|k| obstacles[self.obstacles[k]].wrap(self.beside(k, points)).is_none())
    }

    /// All that touch solved for together; `None` where that does not converge, lifts off or touches others.
    fn together(&self, points: [Vec3; 2], obstacles: &[Obstacle]) -> Option<Self> {
        let filler = Bend {
            obstacle: 0,
            arc: Arc { start: Vec3::zeros(), direction: Vec3::zeros(), length: 0.0, end: None },
        };
        let (mut bends, mut count) = ([filler; MOST_BENDS], 0);
        for bend in self.bends() {
            bends[count] = bend;
            count += 1;
        }
        improve(points, &mut bends[..count], obstacles, FOLLOWED)?;
        let mut found = Self { ends: self.ends, arcs: self.arcs, ..*self };
        let touching = (0..self.count).filter(|&k| self.arcs[k].is_some());
        for (slot, bend) in touching.zip(&bends[..count]) {
            let ends = bend.ends(obstacles);
            found.arcs[slot] = Some(bend.arc);
            found.ends[slot] = [ends.a.point, ends.b.point];
        }
        let touch = bends[..count].iter().all(|bend| bend.arc.length >= 0.0);
        (touch && found.is_free(points, obstacles)).then_some(found)
    }

    fn solve(mut self, points: [Vec3; 2], obstacles: &[Obstacle]) -> Self {
        // Sections are no geodesics.
        let has_sections = obstacles.iter().any(|it| matches!(it.surface, Surface::Sections(_)));
        let mut touched = usize::MAX;
        for sweep in 0..MOST_SWEEPS {
            let order = if sweep == 0 { self.first } else { std::array::from_fn(|k| k) };
            let still = self.sweep(points, obstacles, order);
            let count = self.bends().count();
            if still || self.count == 1 || (count == 0 && sweep > 0) {
                break;
            }
            if count == touched
                && count > 1
                && !has_sections
                && let Some(found) = self.together(points, obstacles)
            {
                return found;
            }
            touched = count;
        }
        self
    }
}

impl Strand {
    /// The path between two points [m] over obstacles that are looked at in their order.
    #[cfg(test)]
    pub(crate) fn between(points: [Vec3; 2], obstacles: &[Obstacle]) -> Self {
        Self::ranked(points, obstacles, &[])
    }

    /// The path between two points [m] over the first [`MOST_BENDS`] of these obstacles. That of the least rank is looked at first:
    /// where it leads the line away from others, these are not touched.
    pub(crate) fn ranked(points: [Vec3; 2], obstacles: &[Obstacle], ranks: &[usize]) -> Self {
        let slots = Slots::new(obstacles, ranks).solve(points, obstacles);
        let (mut bends, mut count) = ([None; MOST_BENDS], 0);
        for bend in slots.bends() {
            bends[count] = Some(bend);
            count += 1;
        }
        let mut known = [Bend {
            obstacle: 0,
            arc: Arc { start: Vec3::zeros(), direction: Vec3::zeros(), length: 0.0, end: None },
        }; MOST_BENDS];
        known.iter_mut().zip(bends.iter().flatten()).for_each(|(to, from)| *to = *from);
        Self { state: PathState::new(points, &known[..count], obstacles), bends }
    }

    /// Its length [m].
    pub(crate) fn length(&self) -> f64 {
        let straight: f64 = self.straights().iter().map(|part| part.length).sum();
        straight + self.state.bends().map(|ends| ends.length).sum::<f64>()
    }

    pub(super) fn straights(&self) -> &[Straight] {
        &self.state.straights[..=self.state.count]
    }

    /// Numbers of the obstacles that it touches, in order.
    pub(crate) fn touched(&self) -> impl Iterator<Item = usize> {
        self.bends.iter().flatten().map(|bend| bend.obstacle)
    }

    pub(super) fn ends(&self) -> impl Iterator<Item = &Ends> {
        self.state.bends()
    }

    /// Points along its curved parts in order, `count` intervals each [m].
    pub(crate) fn curve(&self, obstacles: &[Obstacle], count: usize) -> impl Iterator<Item = Vec3> {
        self.bends.iter().flatten().flat_map(move |bend| {
            let Obstacle { surface, pose, .. } = obstacles[bend.obstacle];
            let to_world = move |p: Vec3| pose.rotation * p + pose.translation.vector;
            bend.arc.points(&surface, count).map(to_world)
        })
    }
}
