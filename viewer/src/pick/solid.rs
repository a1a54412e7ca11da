//! Bodies of shapes: what is drawn of a shape that touches others stands for the body that it is on.

use std::collections::HashMap;

use sinew::component::{ComponentId, Kind};
use sinew::snapshot::{Item, Scene, Shape};

/// Bodies of a scene by their frames.
pub(crate) struct Solids(HashMap<u32, ComponentId>);

impl Solids {
    /// Bodies of a scene; it is gone through once.
    pub(crate) fn of(scene: &Scene) -> Self {
        let bodies = scene.items.iter().filter(|item| item.owner.kind() == Kind::RigidBody);
        let frames = bodies.filter_map(|item| match item.shape {
            Shape::Frame { frame, .. } => Some((frame, item.owner)),
            Shape::Rigid { .. }
            | Shape::Tissue { .. }
            | Shape::Fibres { .. }
            | Shape::Points(_)
            | Shape::Lines(_) => None,
        });
        Self(frames.collect())
    }

    /// The body that the shape of an item is of, where it has the frame of one; else the component that it shows.
    pub(crate) fn of_item(&self, item: &Item) -> ComponentId {
        match item.shape {
            Shape::Rigid { frame, .. } if item.owner.kind() == Kind::Collider => {
                self.0.get(&frame).copied().unwrap_or(item.owner)
            }
            Shape::Rigid { .. }
            | Shape::Tissue { .. }
            | Shape::Fibres { .. }
            | Shape::Points(_)
            | Shape::Lines(_)
            | Shape::Frame { .. } => item.owner,
        }
    }

    /// The same for a component: a shape that has its own frame stays what it is.
    pub(crate) fn of_component(&self, scene: &Scene, id: ComponentId) -> ComponentId {
        let own = scene.items.iter().filter(|item| item.owner == id);
        own.map(|item| self.of_item(item)).find(|&it| it != id).unwrap_or(id)
    }
}
