//! Geoms that touch: by their bits, but for pairs that are excluded, and pairs by name.

use std::collections::BTreeSet;

use sinew::component::Handle;
use sinew::contact::ContactLaw;
use sinew::model::{Collider, ColliderShape, CollisionBehavior};
use sinew::prelude::Pose;

use super::import::Import;
use super::records::{Geom, Solid};
use super::view::View;
use super::xml::Element;
use crate::diagnostic::Diagnostic;
use crate::imported::plain_name;

/// Most pairs that are told apart.
const MOST_PAIRS: usize = 20_000;

/// Two geoms that touch.
struct Pair {
    geoms: [usize; 2],
    name: String,
    span: crate::tree::Span,
    friction: f64,
}

impl<'d> Import<'d> {
    /// Adds the shapes of geoms that touch, and how they do.
    pub(super) fn add_contacts(&mut self, root: &'d Element) {
        let pairs = self.pairs(root);
        let touching: BTreeSet<usize> = pairs.iter().flat_map(|it| it.geoms).collect();
        let mut colliders: Vec<Option<Handle<Collider>>> = vec![None; self.geoms.len()];
        for number in touching {
            colliders[number] = self.add_collider(number);
        }
        for Pair { geoms: [a, b], name, span, friction } in pairs {
            let (Some(a), Some(b)) = (colliders[a], colliders[b]) else { continue };
            let made = CollisionBehavior {
                name: plain_name(&name),
                ..CollisionBehavior::new(a, b, 0.0).with_law(ContactLaw::rough(friction))
            };
            let handle = self.model.add(made);
            self.put(handle.id(), span);
        }
    }

    /// Pairs of geoms by their bits, then those by name.
    fn pairs(&mut self, root: &'d Element) -> Vec<Pair> {
        let excluded = self.excluded(root);
        let mut pairs = Vec::new();
        let open: Vec<usize> =
            (0..self.geoms.len()).filter(|&k| self.geoms[k].bits != [0, 0]).collect();
        for (i, &a) in open.iter().enumerate() {
            for &b in &open[i + 1..] {
                let two = [a, b];
                let [x, y] = two.map(|k| &self.geoms[k]);
                let bits = x.bits[0] & y.bits[1] | y.bits[0] & x.bits[1];
                let bodies = [x.body.min(y.body), x.body.max(y.body)];
                if bits == 0 || self.is_one(bodies) || excluded.contains(&bodies) {
                    continue;
                }
                let (name, span) = (String::new(), x.view.at.span);
                pairs.push(Pair { geoms: two, name, span, friction: friction(x, y) });
            }
        }
        if pairs.len() > MOST_PAIRS {
            let message = format!(
                "{} pairs of geoms can touch, the first {MOST_PAIRS} do: exclude some, or give bits",
                pairs.len()
            );
            self.findings.warn(None, message);
            pairs.truncate(MOST_PAIRS);
        }
        for at in root.all("contact").flat_map(|list| list.mark().all("pair")) {
            let pair = self.defaults.view(at, &["pair"], None);
            let pair = pair.and_then(|view| self.pair(&view));
            pairs.extend(self.findings.take(pair));
        }
        pairs
    }

    /// True for bodies of which one carries the other, or that are one: they do not touch.
    fn is_one(&self, [a, b]: [usize; 2]) -> bool {
        let [x, y] = [a, b].map(|k| self.bodies[k].welded);
        let above = |k: usize| self.bodies[self.bodies[k].parent].welded;
        x == y || x != 0 && y != 0 && (above(x) == y || above(y) == x)
    }

    fn excluded(&mut self, root: &'d Element) -> BTreeSet<[usize; 2]> {
        let mut excluded = BTreeSet::new();
        for at in root.all("contact").flat_map(|list| list.mark().all("exclude")) {
            let view = View::plain(at);
            at.name();
            let both = self.body_number(&view, "body1");
            let both = both.and_then(|a| Ok([a, self.body_number(&view, "body2")?]));
            if let Some([a, b]) = self.findings.take(both) {
                excluded.insert([a.min(b), a.max(b)]);
            }
        }
        excluded
    }

    fn pair(&self, view: &View<'d>) -> Result<Pair, Diagnostic> {
        let geoms = [self.geom_number(view, "geom1")?, self.geom_number(view, "geom2")?];
        let [a, b] = geoms.map(|k| &self.geoms[k]);
        let usual = a.friction.max(b.friction);
        let mut list = [usual, usual, 0.0, 0.0, 0.0];
        view.put_numbers("friction", &mut list)?;
        let dimensions = view.number("condim")?.unwrap_or(a.dimensions.max(b.dimensions));
        let friction = if dimensions < 3.0 { 0.0 } else { list[0] };
        let (name, span) = (view.at.name().to_owned(), view.at.span);
        Ok(Pair { geoms, name, span, friction })
    }

    fn add_collider(&mut self, number: usize) -> Option<Handle<Collider>> {
        let geom = self.geoms[number].clone();
        let (label, span) = (geom.view.at.label(), geom.view.at.span);
        let meshes = |k: &&usize| {
            let it = &self.geoms[**k];
            matches!(it.solid, Solid::Mesh(_)) && it.bits != [0, 0]
        };
        let (shape, pose) = match &geom.solid {
            Solid::Plane if geom.body == 0 => (ColliderShape::HalfSpace, geom.pose),
            &Solid::Sphere(radius) => (ColliderShape::Sphere { radius }, geom.pose),
            &Solid::Capsule(radius, half_length) => {
                (ColliderShape::Capsule { radius, half_length }, geom.pose)
            }
            &Solid::Cylinder(radius, half_length) => {
                (ColliderShape::Cylinder { radius, half_length }, geom.pose)
            }
            &Solid::Box(half_extents) => (ColliderShape::Box { half_extents }, geom.pose),
            // The surface of the body stands for it, in the frame of that.
            Solid::Mesh(_)
                if geom.body != 0
                    && self.bodies[geom.body].geoms.iter().filter(meshes).count() == 1 =>
            {
                (ColliderShape::HULL, Pose::identity())
            }
            Solid::Plane | Solid::Ellipsoid(_) | Solid::Mesh(_) | Solid::Other(_) => {
                let message = format!(
                    "{label} touches nothing: shapes that touch are spheres, capsules, cylinders, boxes, planes of the \
                     world and one mesh a body"
                );
                self.findings.warn(span, message);
                return None;
            }
        };
        let name = plain_name(&geom.name);
        let made = Collider { name, ..Collider::new(shape, self.frame_site(geom.body, &pose)) };
        let handle = self.model.add(made);
        self.put(handle.id(), span);
        Some(handle)
    }
}

/// The friction of two geoms: that of the greater priority, or else the greater one.
fn friction(a: &Geom<'_>, b: &Geom<'_>) -> f64 {
    let of = |geom: &Geom<'_>| if geom.dimensions < 3.0 { 0.0 } else { geom.friction };
    if a.priority == b.priority {
        return if a.dimensions.max(b.dimensions) < 3.0 { 0.0 } else { a.friction.max(b.friction) };
    }
    of(if a.priority > b.priority { a } else { b })
}
