//! Tied sides of collision behaviours: nodes on the surface of a tissue that begin near another tissue or a body follow it as
//! attached points do (docs/theory/contact.md, "Tied surfaces").

use super::check::CompileError;
use super::collision_sizes::{margin_of, radius_of};
use super::flat::Flat;
use super::multibody::Weight;
use super::numbering::Numbering;
use crate::Vec3;
use crate::component::{ComponentId, Handle, Kind};
use crate::constraint::Pose;
use crate::contact::{Collider, Detector, Member, Pair, PointSet};
use crate::fem::{surface_nodes, tie};
use crate::model::{CollisionBehavior, FemModel};
use crate::property::Problem;

/// A row that follows others.
pub(super) struct Tie {
    pub(super) row: u32,
    pub(super) masters: Vec<u32>,
    pub(super) weights: Vec<Weight>,
    /// Its position less the weighted sum of those of its masters [m].
    pub(super) offset: Vec3,
}

/// The side of a tied behaviour that follows, and the one that it follows; `None` where the sides are others.
fn sides_of(behavior: &CollisionBehavior) -> Option<(Handle<FemModel>, ComponentId)> {
    let (a, b) = (behavior.a?, behavior.b?);
    let leads = |side: ComponentId| {
        matches!(side.kind(), Kind::FemModel | Kind::RigidBody | Kind::Collider)
    };
    let follows = |side: ComponentId, other: ComponentId| {
        Some((side.typed()?, other)).filter(|_| side != other && leads(other))
    };
    follows(a, b).or_else(|| follows(b, a))
}

/// All rows that tied behaviours attach, in the order of these.
pub(super) fn ties_of(flat: &Flat<'_>, points: &Numbering) -> Result<Vec<Tie>, CompileError> {
    let tied = |behavior: &&CollisionBehavior| behavior.enabled && behavior.tied;
    let mut all = Vec::new();
    for (k, behavior) in flat.collision_behaviors.iter().enumerate().filter(|(_, it)| tied(it)) {
        let reach = margin_of(behavior, radius_of(flat));
        let fault = |problem: Problem| {
            let path = flat.model.path(flat.places.collision_behaviors.handles()[k]);
            CompileError::Component { path, error: problem.at("tied") }
        };
        let (tissue, other) = sides_of(behavior).ok_or_else(|| fault(Problem::NotTied))?;
        let place = flat.places.fems.place(tissue).expect("references were checked");
        let before = all.len();
        match other.typed::<FemModel>() {
            Some(other) => {
                add_to_tissue(flat, points, [place, place_of(flat, other)], reach, &mut all)
            }
            None => add_to_body(flat, points, (place, other), reach, &mut all)?,
        }
        if all.len() == before {
            let names = [flat.model.path(tissue), flat.model.path(other)];
            return Err(fault(Problem::NothingTied { names, reach }));
        }
    }
    Ok(all)
}

fn place_of(flat: &Flat<'_>, fem: Handle<FemModel>) -> usize {
    flat.places.fems.place(fem).expect("references were checked")
}

/// Nodes of a tissue that follow another one.
fn add_to_tissue(
    flat: &Flat<'_>,
    points: &Numbering,
    [own, other]: [usize; 2],
    reach: f64,
    all: &mut Vec<Tie>,
) {
    let [mesh, to] = [own, other].map(|place| &flat.fems[place].mesh);
    let [rows, masters] = [own, other].map(|place| &points.fem_rows[place]);
    all.extend(tie(mesh, to, reach).into_iter().map(|(node, placed)| Tie {
        row: rows[node as usize],
        masters: placed.nodes.iter().map(|&node| masters[node as usize]).collect(),
        weights: placed.weights.into_iter().map(Weight::Share).collect(),
        offset: placed.offset,
    }));
}

/// Nodes of a tissue that follow a body: those that its colliders, or the one named, find within reach.
fn add_to_body(
    flat: &Flat<'_>,
    points: &Numbering,
    (fem, other): (usize, ComponentId),
    reach: f64,
    all: &mut Vec<Tie>,
) -> Result<(), CompileError> {
    let nodes = surface_nodes(&flat.fems[fem].mesh);
    let mut near = vec![None; nodes.len()];
    for (k, collider) in flat.colliders.iter().enumerate() {
        let id = flat.places.colliders.handles()[k].id();
        let Some(body) = collider.site.body else { continue };
        let is_named =
            if other.kind() == Kind::Collider { other == id } else { other == body.id() };
        // Points touch no points.
        if !(collider.enabled && is_named) || collider.shape.is_cloud() || nodes.is_empty() {
            continue;
        }
        let body = flat.places.bodies.place(body).expect("references were checked");
        for node in near_collider(flat, (k, body), (fem, &nodes), reach)? {
            near[node].get_or_insert(body);
        }
    }
    all.extend(nodes.iter().zip(near).filter_map(|(&node, body)| {
        let body = body?;
        let row = points.body_rows[body];
        Some(Tie {
            row: points.fem_rows[fem][node as usize],
            masters: vec![row, row + 1],
            // Arms are set where those of attached points are.
            weights: vec![Weight::Centre, Weight::Turned(body as u32, Vec3::zeros())],
            offset: Vec3::zeros(),
        })
    }));
    Ok(())
}

/// Places among some nodes of a tissue of those that are within reach of a collider on a body.
fn near_collider(
    flat: &Flat<'_>,
    (collider, body): (usize, usize),
    (fem, nodes): (usize, &[u32]),
    reach: f64,
) -> Result<Vec<usize>, CompileError> {
    let (own, body) = (flat.colliders[collider], flat.bodies[body]);
    let surface = body.mesh.clone().unwrap_or_default();
    let fault = |error| {
        let path = flat.model.path(flat.places.colliders.handles()[collider]);
        CompileError::Component { path, error: Problem::Shape(Box::new(error)).at("shape") }
    };
    let shape = own.shape.on_surface(&surface).map_err(fault)?;
    let solid = Collider { shape, frame: 0, pose: own.site.pose };
    let rows = (0..nodes.len() as u32).collect();
    let (a, b) = (Member::Points(0), Member::Collider(0));
    let pair = Pair { a, b, margin: reach, thickness: 0.0 };
    let set = PointSet::new(rows, 0.0);
    let mut detector = Detector::new(vec![solid], vec![set], vec![pair]).map_err(fault)?;
    let mesh = &flat.fems[fem].mesh;
    let at: Vec<Vec3> = nodes.iter().map(|&node| mesh.nodes[node as usize]).collect();
    let poses: [Pose; 1] = [body.pose];
    let mut found = Vec::new();
    detector.detect(&poses, &at, &mut found);
    Ok(found.into_iter().map(|contact| contact.a as usize).collect())
}
