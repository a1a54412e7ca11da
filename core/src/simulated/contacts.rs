//! Colliders and pairs that touch, over the last step of a simulation.

use super::view::{Simulated, readers};
use crate::Vec3;
use crate::component::Handle;
use crate::model::{Collider, CollisionBehavior};
use crate::system::Contacts;

/// Sums over contacts.
#[derive(Clone, Copy, Debug, Default)]
struct Touch {
    count: i64,
    /// On side A [N].
    force: Vec3,
    /// Largest overlap [m].
    depth: f64,
}

/// Contacts of a collider that were active in the last step; `force` is that on it.
fn collider_touch(s: &Simulated<'_>, collider: Handle<Collider>) -> Option<Touch> {
    let contacts = s.compiled.contacts_on(collider, s.state)?;
    Some(contacts.fold(Touch::default(), |sum, force| Touch {
        count: sum.count + 1,
        force: sum.force + force,
        ..sum
    }))
}

/// Contacts of a pair over the last step.
fn pair_touch(s: &Simulated<'_>, behavior: Handle<CollisionBehavior>) -> Option<Touch> {
    let contacts = s.compiled.contacts_of(behavior, s.state)?;
    Some(contacts.fold(Touch::default(), |sum, contact| Touch {
        count: sum.count + 1,
        force: sum.force + contact.force,
        depth: sum.depth.max(-contact.gap),
    }))
}

readers! { pub(super) COLLIDER: Collider {
    "contact_count": i64 = |s, h| Some(collider_touch(s, h)?.count);
    "force": Vec3 = |s, h| Some(collider_touch(s, h)?.force);
} }

readers! { pub(super) COLLISION_BEHAVIOR: CollisionBehavior {
    "contact_count": i64 = |s, h| Some(pair_touch(s, h)?.count);
    "force": Vec3 = |s, h| Some(pair_touch(s, h)?.force);
    "max_penetration": f64 = |s, h| Some(pair_touch(s, h)?.depth);
    "contact_area": f64 = |s, h| Some(Contacts::of(s.compiled, s.state, h)?.patch().area);
    "max_pressure": f64 = |s, h| Some(Contacts::of(s.compiled, s.state, h)?.patch().max_pressure);
    "center_of_pressure": Vec3 = |s, h| Some(Contacts::of(s.compiled, s.state, h)?.center());
} }
