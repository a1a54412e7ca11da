//! Compilation of contact: colliders, surfaces of tissues and particles, the pairs of them that
//! behaviours speak of, and the behaviour of each pair. Which pairs: `collision_pairs.rs`; their
//! shapes: `collision_shapes.rs`.

use std::collections::BTreeMap;

use super::check::CompileError;
use super::collision_laws::{Side, check_law};
use super::collision_layers::{has_layers, layer_of};
use super::collision_pairs::{Chosen, choose, empty_sides, pairs_of_points};
use super::collision_shapes::collider_of;
use super::collision_sizes::{MARGIN, TOLERANCE, margin_of, radius_of, radius_of_points};
use super::collision_surfaces::{Surfaces, surface_nodes_of};
use super::collision_things::{Holder, Source, Thing, What};
use super::flat::Flat;
use super::{ContactBehavior, ContactSetup};
use crate::component::ComponentId;
use crate::constraint::Compliance;
use crate::contact::{
    ContactLaw, ContactLayer, Member, NormalLaw, Pair, PointSet, PressureSurface,
};
use crate::geometry::boundary;
use crate::model::CollisionBehavior;
use crate::property::CheckError;

/// Distance at which surfaces of tissues touch over the tolerance [-]: what overlaps by the tolerance is still that
/// far apart.
const THICKNESS: f64 = 2.0;
/// Largest radius of the model, over the lesser of a pair, that the automatic tolerance of the pair is taken
/// of [-]: its margin is then no larger than what is to be touched, however far away something else is.
const LARGEST: f64 = 1.0 / (TOLERANCE * MARGIN);

/// Pairs without contact that are told at most.
const MOST_TOLD: usize = 20;

/// Components of the compiled pairs and colliders.
#[derive(Clone, Debug, Default)]
pub(super) struct ContactOwners {
    /// Place of the behaviour of each pair.
    pub(super) behaviors: Vec<u32>,
    /// Radius that the automatic numbers of each pair are taken of [m].
    pub(super) radii: Vec<f64>,
    /// Numbers of the compiled colliders.
    pub(super) colliders: BTreeMap<ComponentId, u32>,
    /// Paths of clouds of vertices and tissues that are to touch, and pass through each other.
    pub(super) without_contact: Vec<[String; 2]>,
    /// Paths of behaviours, each with that of a side on which nothing can touch.
    pub(super) empty_sides: Vec<[String; 2]>,
}

/// Compiled contact: setup of the detector, and the components behind it.
#[derive(Default)]
pub(super) struct Collisions {
    pub(super) setup: ContactSetup,
    pub(super) owners: ContactOwners,
}

/// Everything that may touch, of a model whose components were checked.
pub(super) fn compile(source: Source<'_>) -> Result<Collisions, CompileError> {
    let flat = source.flat;
    if flat.collision_behaviors.is_empty() {
        return Ok(Collisions::default());
    }
    check_adhesions(flat)?;
    let things = things_of(source);
    let mut builder = Builder {
        source,
        things: &things,
        members: vec![None; things.len()],
        paths: vec![None; things.len()],
        sets: BTreeMap::new(),
        surfaces: Surfaces::default(),
        result: Collisions::default(),
        radius: radius_of(flat),
        fem_radii: flat.fems.iter().map(|fem| radius_of_points(&fem.mesh.nodes)).collect(),
    };
    for chosen in choose(flat, &things) {
        builder.add(&chosen)?;
    }
    for [a, b] in pairs_of_points(flat, &things, MOST_TOLD) {
        let names = [builder.path(a), builder.path(b)];
        builder.result.owners.without_contact.push(names);
    }
    for (place, side) in empty_sides(flat, &things, MOST_TOLD) {
        let behavior = flat.places.collision_behaviors.handles()[place];
        let names = [flat.model.path(behavior), flat.model.path(side)];
        builder.result.owners.empty_sides.push(names);
    }
    Ok(builder.result)
}

/// Refuses adhesions without a range, and of tied sides.
fn check_adhesions(flat: &Flat<'_>) -> Result<(), CompileError> {
    let enabled = flat.collision_behaviors.iter().enumerate().filter(|it| it.1.enabled);
    for (place, behavior) in enabled {
        behavior.check_adhesion().map_err(|error| fault(flat, place, error))?;
    }
    Ok(())
}

/// A fault of the behaviour of a place.
fn fault(flat: &Flat<'_>, place: usize, error: CheckError) -> CompileError {
    let path = flat.model.path(flat.places.collision_behaviors.handles()[place]);
    CompileError::Component { path, error }
}

/// Enabled colliders, then tissues, then particles, each in the order of the tree.
fn things_of(source: Source<'_>) -> Vec<Thing> {
    let Source { flat, points, fixation, .. } = source;
    let mut things = Vec::new();
    let handles = &flat.places;
    for (k, collider) in flat.colliders.iter().enumerate().filter(|(_, it)| it.enabled) {
        let body = collider
            .site
            .body
            .map(|body| flat.places.bodies.place(body).expect("references were checked"));
        let holder = body.map_or(Holder::Ground, |body| Holder::Body(body as u32));
        let moves = body.is_some_and(|body| flat.bodies[body].dynamic);
        let id = handles.colliders.handles()[k].id();
        things.push(Thing { what: What::Collider(k), id, holder, moves });
    }
    for (k, handle) in handles.fems.handles().iter().enumerate() {
        let (what, id, holder) = (What::Tissue(k), handle.id(), Holder::Free);
        things.push(Thing { what, id, holder, moves: true });
    }
    for (k, handle) in handles.particles.handles().iter().enumerate() {
        let row = points.particle_rows[k] as usize;
        let holder = fixation.body[row].map_or(Holder::Free, Holder::Body);
        let (what, id, moves) = (What::Particle(k), handle.id(), !fixation.still[row]);
        things.push(Thing { what, id, holder, moves });
    }
    things
}

/// Nodes of a tissue that a collider does not meet: those that its body carries, or those that
/// cannot move where it cannot either.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Without {
    fem: usize,
    body: Option<u32>,
    still: bool,
}

/// Contact as compiled so far.
struct Builder<'a> {
    source: Source<'a>,
    things: &'a [Thing],
    /// Number of each thing that is in use, among its like.
    members: Vec<Option<Member>>,
    paths: Vec<Option<String>>,
    /// Sets of nodes: `None` where no node is left.
    sets: BTreeMap<Without, Option<u32>>,
    surfaces: Surfaces,
    result: Collisions,
    /// Of the model at the start [m].
    radius: f64,
    /// Of each tissue at rest [m].
    fem_radii: Vec<f64>,
}

impl Builder<'_> {
    fn add(&mut self, chosen: &Chosen) -> Result<(), CompileError> {
        let Some(a) = self.member(chosen.a, chosen.b)? else { return Ok(()) };
        let Some(b) = self.member(chosen.b, chosen.a)? else { return Ok(()) };
        let names = [self.path(chosen.a), self.path(chosen.b)];
        let (flat, place) = (self.source.flat, chosen.behavior as usize);
        let behavior = flat.collision_behaviors[place];
        let radii = [(chosen.a, a), (chosen.b, b)].map(|(thing, member)| self.size(thing, member));
        let radius = radii.into_iter().fold(self.radius, |least, own| least.min(LARGEST * own));
        let lesser = radii.into_iter().fold(self.radius, f64::min);
        behavior.check_reach(&names, lesser).map_err(|error| fault(flat, place, error))?;
        let members = [(chosen.a, a), (chosen.b, b)];
        self.check_law(members, chosen.behavior)?;
        let tissues = [chosen.a, chosen.b].map(|thing| self.pressure_surface(thing));
        let layer = match has_layers(behavior.law.normal) {
            true => layer_of(self.source.flat, tissues)?,
            false => None,
        };
        let (behavior, margin) = numbers_of(behavior, (radius, layer));
        let thickness = THICKNESS * behavior.tolerance;
        let Collisions { setup, owners } = &mut self.result;
        setup.pairs.push(Pair { a, b, margin, thickness });
        setup.behaviors.push(behavior);
        setup.names.push(names);
        setup.tissues.push(tissues);
        setup.layers.push(layer);
        owners.behaviors.push(chosen.behavior);
        owners.radii.push(radius);
        Ok(())
    }

    /// Refuses a law that the pair has no areas or no curvature for; lists the areas of clouds of vertices.
    fn check_law(&mut self, sides: [(u32, Member); 2], place: u32) -> Result<(), CompileError> {
        let Source { flat, .. } = self.source;
        let law = flat.collision_behaviors[place as usize].law;
        let side = |(thing, member)| Side::of(self.source, self.things[thing as usize], member);
        let [a, b] = sides.map(side);
        let problem = check_law(&mut self.result.setup, &law, [&a, &b]);
        let Some((at, problem)) = problem else { return Ok(()) };
        let names = sides.map(|(thing, _)| self.path(thing));
        Err(fault(flat, place as usize, problem(names).at(at)))
    }

    /// Place of the tissue that a thing is, whose surface pressures are spread over.
    fn pressure_surface(&mut self, thing: u32) -> Option<u32> {
        let What::Tissue(fem) = self.things[thing as usize].what else { return None };
        let Source { flat, points, .. } = self.source;
        let surface = || {
            let mesh = &flat.fems[fem].mesh;
            PressureSurface::new(mesh, &boundary(mesh), &points.fem_rows[fem])
        };
        let place = fem as u32;
        self.result.setup.pressure_surfaces.entry(place).or_insert_with(surface);
        Some(place)
    }

    /// Radius of something that is touched [m]; infinite for what has no end, or no extent.
    fn size(&self, thing: u32, member: Member) -> f64 {
        let own = match (member, self.things[thing as usize].what) {
            (Member::Collider(k), _) => self.result.setup.colliders[k as usize].shape.extent(),
            (Member::Points(_) | Member::Surface(_), What::Tissue(fem)) => self.fem_radii[fem],
            (Member::Points(_) | Member::Surface(_), What::Collider(_) | What::Particle(_)) => 0.0,
        };
        if own > 0.0 { own } else { f64::INFINITY }
    }

    /// Path of a thing: of a collider on a body, that of the body.
    fn path(&mut self, thing: u32) -> String {
        let Thing { what, id, .. } = self.things[thing as usize];
        let flat = self.source.flat;
        let path = || match what {
            What::Collider(k) => match flat.colliders[k].site.body {
                Some(body) => flat.model.path(body),
                None => flat.model.path(id),
            },
            What::Tissue(_) | What::Particle(_) => flat.model.path(id),
        };
        self.paths[thing as usize].get_or_insert_with(path).clone()
    }

    /// The member that a thing is against another one; `None` where nothing is left of it.
    fn member(&mut self, thing: u32, other: u32) -> Result<Option<Member>, CompileError> {
        let thing = thing as usize;
        if let Some(known) = self.members[thing] {
            return Ok(Some(known));
        }
        let setup = &mut self.result.setup;
        let member = match self.things[thing].what {
            What::Tissue(fem) => {
                let other = self.things[other as usize];
                return Ok(match other.what {
                    What::Tissue(other) => {
                        let surface = self.surfaces.of(self.source, [fem, other], setup);
                        surface.map(Member::Surface)
                    }
                    What::Collider(_) | What::Particle(_) => {
                        let set = self.nodes(fem, other);
                        set.inspect(|&set| self.give_faces(set, fem, other)).map(Member::Points)
                    }
                });
            }
            What::Particle(k) => {
                let rows = vec![self.source.points.particle_rows[k]];
                setup.points.push(PointSet::new(rows, 0.0));
                Member::Points(setup.points.len() as u32 - 1)
            }
            What::Collider(k) => {
                let number = setup.colliders.len() as u32;
                setup.colliders.push(collider_of(self.source, k)?);
                self.result.owners.colliders.insert(self.things[thing].id, number);
                Member::Collider(number)
            }
        };
        self.members[thing] = Some(member);
        Ok(Some(member))
    }

    /// Gives a set of nodes the faces between them that a collider meets, if it can be between nodes: those of which it
    /// carries no node, and some node moves against it.
    fn give_faces(&mut self, set: u32, fem: usize, collider: Thing) {
        let Source { flat, points, fixation, .. } = self.source;
        let is_plane = match collider.what {
            What::Collider(k) => flat.colliders[k].shape.is_plane(),
            What::Tissue(_) | What::Particle(_) => true,
        };
        let has_some = !self.result.setup.points[set as usize].surface.triangles.is_empty();
        if is_plane || has_some {
            return;
        }
        let body = collider.body();
        let meets = |nodes: &[u32; 3]| {
            let rows = nodes.map(|node| points.fem_rows[fem][node as usize] as usize);
            let is_attached = |row: &usize| body.is_some() && fixation.body[*row] == body;
            let moves = |row: &usize| collider.moves || !fixation.still[*row];
            !rows.iter().any(is_attached) && rows.iter().any(moves)
        };
        let surface = self.surfaces.part(self.source, fem, &meets);
        self.result.setup.points[set as usize].surface = surface;
    }

    /// The set of the nodes of the surface of a tissue that a collider meets.
    fn nodes(&mut self, fem: usize, collider: Thing) -> Option<u32> {
        let body = collider.body();
        let key = Without { fem, body, still: !collider.moves };
        if let Some(known) = self.sets.get(&key) {
            return *known;
        }
        let Source { flat, points, fixation, .. } = self.source;
        let of_node = |node: u32| points.fem_rows[fem][node as usize];
        let all: Vec<u32> = surface_nodes_of(flat, fem).into_iter().map(of_node).collect();
        let meets = |row: &u32| {
            let row = *row as usize;
            let stuck = body.is_some() && fixation.body[row] == body;
            !(stuck || fixation.still[row] && key.still)
        };
        let rows: Vec<u32> = all.iter().copied().filter(meets).collect();
        let whole = Without { fem, body: None, still: false };
        if rows.len() == all.len() && key != whole {
            // It meets all of them, as others do.
            let set = self.sets.get(&whole).copied().unwrap_or_else(|| self.add_set(rows));
            self.sets.insert(whole, set);
            self.sets.insert(key, set);
            return set;
        }
        let set = self.add_set(rows);
        self.sets.insert(key, set);
        set
    }

    fn add_set(&mut self, rows: Vec<u32>) -> Option<u32> {
        if rows.is_empty() {
            return None;
        }
        let sets = &mut self.result.setup.points;
        sets.push(PointSet::new(rows, 0.0));
        Some(sets.len() as u32 - 1)
    }
}

/// Behaviour of a pair, and its margin [m], with the automatic numbers of a radius [m] and of layers: without any, nothing
/// gives way.
fn numbers_of(
    behavior: &CollisionBehavior,
    (radius, layer): (f64, Option<ContactLayer>),
) -> (ContactBehavior, f64) {
    let tolerance = behavior.tolerance.unwrap_or(TOLERANCE * radius);
    let rigid = || ContactLaw {
        normal: NormalLaw::Linear,
        compliance: Compliance::default(),
        ..behavior.law
    };
    let gives_way = layer.is_some() || !has_layers(behavior.law.normal);
    let numbers = ContactBehavior {
        law: if gives_way { behavior.law } else { rigid() },
        tolerance,
        limit: behavior.penetration_limit.unwrap_or(f64::INFINITY),
    };
    (numbers, margin_of(behavior, radius))
}

fn put_numbers(setup: &mut ContactSetup, pair: usize, (numbers, margin): (ContactBehavior, f64)) {
    setup.behaviors[pair] = numbers;
    setup.pairs[pair].margin = margin;
    setup.pairs[pair].thickness = THICKNESS * numbers.tolerance;
}

impl ContactOwners {
    /// Puts the numbers of behaviour number `place` into all its pairs.
    pub(super) fn put(&self, place: usize, behavior: &CollisionBehavior, setup: &mut ContactSetup) {
        for (pair, _) in
            self.behaviors.iter().enumerate().filter(|(_, owner)| **owner as usize == place)
        {
            let (numbers, margin) = numbers_of(behavior, (self.radii[pair], setup.layers[pair]));
            put_numbers(setup, pair, (numbers, margin));
        }
    }

    /// Puts the numbers of all behaviours into all pairs.
    pub(super) fn put_all(&self, behaviors: &[&CollisionBehavior], setup: &mut ContactSetup) {
        for (pair, &owner) in self.behaviors.iter().enumerate() {
            let automatic = (self.radii[pair], setup.layers[pair]);
            let (numbers, margin) = numbers_of(behaviors[owner as usize], automatic);
            put_numbers(setup, pair, (numbers, margin));
        }
    }
}
