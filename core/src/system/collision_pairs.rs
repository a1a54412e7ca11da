//! Pairs of things that may touch, each with the last behaviour that speaks of both; pairs that
//! cannot touch at all are left out.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::collision_things::{Holder, Thing, What};
use super::flat::Flat;
use crate::component::{ComponentId, Kind};
use crate::model::{ColliderShape, CollisionBehavior};

/// Two things that may touch, A and B as their behaviour has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chosen {
    /// Numbers of the things.
    pub(super) a: u32,
    pub(super) b: u32,
    /// Place of the behaviour.
    pub(super) behavior: u32,
}

impl Chosen {
    fn pair(&self) -> [u32; 2] {
        [self.a.min(self.b), self.a.max(self.b)]
    }
}

/// All pairs that may touch, by rising numbers of the things.
pub(super) fn choose(flat: &Flat<'_>, things: &[Thing]) -> Vec<Chosen> {
    let joined = joined_bodies(flat);
    let mut chosen = Vec::new();
    for (k, behavior) in (0..).zip(&flat.collision_behaviors) {
        let [all_a, all_b] = [behavior.a, behavior.b].map(|side| side_of(flat, things, side));
        let what = |thing: &u32| things[*thing as usize].what;
        let solid = |thing: &u32| matches!(what(thing), What::Collider(_));
        let surface = |thing: &u32| matches!(what(thing), What::Collider(_) | What::Tissue(_));
        let solid_b = &all_b[..all_b.partition_point(solid)];
        let surface_b = &all_b[..all_b.partition_point(surface)];
        for &a in &all_a {
            let others = match what(&a) {
                What::Collider(_) => &all_b[..],
                What::Tissue(_) => surface_b,
                // Points do not touch points.
                What::Particle(_) => solid_b,
            };
            for &b in others {
                let two = [a, b].map(|thing| things[thing as usize]);
                let apart = behavior.enabled && is_joined(behavior, &joined, two);
                if (a != b || behavior.names_itself()) && !apart && can_touch(flat, two) {
                    chosen.push(Chosen { a, b, behavior: k });
                }
            }
        }
    }
    // The last behaviour first; of two ways round, the one whose B does not move, or is later.
    let moves = |thing: u32| things[thing as usize].moves;
    chosen.sort_unstable_by_key(|it| {
        (it.pair(), Reverse(it.behavior), !moves(it.a), moves(it.b), it.a)
    });
    chosen.dedup_by_key(|it| it.pair());
    chosen.retain(|it| touches(flat.collision_behaviors[it.behavior as usize]));
    chosen
}

/// True if the sides of a behaviour touch: not where they are tied.
fn touches(behavior: &CollisionBehavior) -> bool {
    behavior.enabled && !behavior.tied
}

/// Pairs of clouds of vertices, or of one and a tissue, that a behaviour says touch, and that pass through each
/// other since points of bodies touch solids alone; no more than `most`.
pub(super) fn pairs_of_points(flat: &Flat<'_>, things: &[Thing], most: usize) -> Vec<[u32; 2]> {
    let is_cloud = |thing: &u32| match things[*thing as usize].what {
        What::Tissue(_) => true,
        What::Collider(k) => flat.colliders[k].shape.is_cloud(),
        What::Particle(_) => false,
    };
    let mut found = BTreeSet::new();
    for behavior in flat.collision_behaviors.iter().filter(|behavior| touches(behavior)) {
        let mut sides = [behavior.a, behavior.b].map(|side| side_of(flat, things, side));
        sides.iter_mut().for_each(|side| side.retain(is_cloud));
        for &a in &sides[0] {
            let is_tissue = |thing: u32| matches!(things[thing as usize].what, What::Tissue(_));
            for &b in sides[1].iter().filter(|&&b| b != a && !(is_tissue(a) && is_tissue(b))) {
                if found.len() == most {
                    return found.into_iter().collect();
                }
                found.insert([a.min(b), a.max(b)]);
            }
        }
    }
    found.into_iter().collect()
}

/// Places of behaviours that are switched on, each with a side that names nothing which can touch: a body or a model
/// without colliders, tissues and particles; no more than `most`.
pub(super) fn empty_sides(
    flat: &Flat<'_>,
    things: &[Thing],
    most: usize,
) -> Vec<(usize, ComponentId)> {
    let enabled = flat.collision_behaviors.iter().enumerate().filter(|(_, it)| it.enabled);
    let sides = enabled.flat_map(|(k, it)| [it.a, it.b].into_iter().flatten().map(move |s| (k, s)));
    sides.filter(|(_, side)| side_of(flat, things, Some(*side)).is_empty()).take(most).collect()
}

/// Numbers of the things that one side of a behaviour speaks of, rising.
fn side_of(flat: &Flat<'_>, things: &[Thing], side: Option<ComponentId>) -> Vec<u32> {
    let numbers = (0..).zip(things);
    let Some(side) = side else { return numbers.map(|(number, _)| number).collect() };
    let body_of = |thing: &Thing| match (thing.what, thing.holder) {
        (What::Collider(_), Holder::Body(body)) => {
            Some(flat.places.bodies.handles()[body as usize].id())
        }
        _ => None,
    };
    let is_below = |id: ComponentId| flat.model.store.is_within(id, side);
    let spoken_of = |thing: &Thing| match side.kind() {
        Kind::RigidBody => body_of(thing) == Some(side),
        Kind::MechModel => is_below(thing.id) || body_of(thing).is_some_and(is_below),
        _ => thing.id == side,
    };
    numbers.filter(|(_, thing)| spoken_of(thing)).map(|(number, _)| number).collect()
}

/// Numbers of the bodies that enabled joints join, the lower one first.
fn joined_bodies(flat: &Flat<'_>) -> BTreeSet<[u32; 2]> {
    let joints = flat.joints.iter().filter(|joint| joint.enabled);
    let bodies = joints.filter_map(|joint| {
        let place = |body| flat.places.bodies.place(body).expect("references were checked") as u32;
        let [c, d] = [place(joint.c.body?), place(joint.d.body?)];
        Some([c.min(d), c.max(d)])
    });
    bodies.collect()
}

/// True if two colliders are on bodies that a joint joins, and the behaviour does not name both.
fn is_joined(behavior: &CollisionBehavior, joined: &BTreeSet<[u32; 2]>, two: [Thing; 2]) -> bool {
    match two.map(|thing| (thing.what, thing.holder)) {
        [(What::Collider(_), Holder::Body(a)), (What::Collider(_), Holder::Body(b))] => {
            joined.contains(&[a.min(b), a.max(b)]) && !behavior.names_both()
        }
        _ => false,
    }
}

/// True if they move against each other, and have a gap between them.
fn can_touch(flat: &Flat<'_>, two: [Thing; 2]) -> bool {
    let [a, b] = two;
    let together = a.holder == b.holder && a.holder != Holder::Free;
    let shape = |thing: Thing| match thing.what {
        What::Collider(k) => Some(flat.colliders[k].shape),
        What::Tissue(_) | What::Particle(_) => None,
    };
    let of_points = |shape: Option<ColliderShape>| shape.is_none_or(|shape| shape.is_cloud());
    let [first, second] = two.map(shape);
    let planes = [first, second].iter().all(|shape| shape.is_some_and(|shape| shape.is_plane()));
    let tissues = two.iter().all(|thing| matches!(thing.what, What::Tissue(_)));
    let has_gap = tissues || !(of_points(first) && of_points(second));
    !together && (a.moves || b.moves) && !planes && has_gap
}
