//! Pulls on outputs: those of a mouse on a point, and of a slider on an output. A pull is a spring whose stiffness is over
//! the mobility of what it pulls, so that light and heavy things follow alike.

use super::command::WorldPoint;
use super::error::LiveError;
use crate::interactive::graph::{BlockId, Port};
use crate::interactive::{BehaviourId, Order, Pull, World, WorldError};

/// Largest rate with which outputs of first order follow \[1/s\], and frequency of those of second order, which is damped
/// critically \[rad/s\]: quicker than a hand, and as stiff as the springs of light things.
const RATE: f64 = 40.0;
/// Largest rate times a step: explicit steps are stable up to 2.
const PART: f64 = 0.3;
/// Mobilities below this are those of what no force moves, rounded.
const IMMOBILE: f64 = 1e-12;

/// A pull in a world.
#[derive(Debug)]
pub(super) struct OutputPull {
    behaviour: BehaviourId,
    ports: Vec<Port>,
    target: Vec<f64>,
    /// The block that was made for the pull.
    block: Option<BlockId>,
}

impl OutputPull {
    /// Begins to pull outputs.
    pub(super) fn new(
        world: &mut World,
        ports: Vec<Port>,
        target: &[f64],
    ) -> Result<Self, WorldError> {
        let target = target[..ports.len().min(target.len())].to_vec();
        let pull = Pull { target: target.clone(), stiffness: 0.0, damping: 0.0 };
        let mut names = (1u32..).map(|k| format!("pull_{k}"));
        let name = names.find(|name| world.find_behaviour(name).is_none()).unwrap_or_default();
        let behaviour = world.add_behaviour(&name, pull, &ports)?;
        Ok(Self { behaviour, ports, target, block: None })
    }

    /// Begins to pull a point of an object.
    pub(super) fn of_point(
        world: &mut World,
        point: &WorldPoint,
        target: [f64; 3],
    ) -> Result<Self, LiveError> {
        let object = world.find_object(&point.object);
        let object = object.ok_or_else(|| LiveError::NoObject(point.object.clone()))?;
        let name = world.graph().free_name("pulled_point");
        // Objects take as many coordinates as they have dimensions.
        let sizes = (1..=point.coordinates.len()).rev();
        let mut block = world.add_point(&name, object, &point.coordinates);
        for size in sizes {
            if block.is_ok() {
                break;
            }
            block = world.add_point(&name, object, &point.coordinates[..size]);
        }
        let block = block?;
        let ports = world.graph().ports(block)?;
        let pull = Self::new(world, ports, &target);
        if pull.is_err() {
            world.graph_mut().remove(block)?;
        }
        Ok(Self { block: Some(block), ..pull? })
    }

    /// Pulls towards another value or place.
    pub(super) fn set_target(
        &mut self,
        world: &mut World,
        target: &[f64],
    ) -> Result<(), WorldError> {
        self.target.iter_mut().zip(target).for_each(|(own, target)| *own = *target);
        world.behaviour_mut::<Pull>(self.behaviour)?.target.copy_from_slice(&self.target);
        Ok(())
    }

    /// The values that it pulls to.
    pub(super) fn target(&self) -> &[f64] {
        &self.target
    }

    /// The outputs.
    pub(super) fn ports(&self) -> &[Port] {
        &self.ports
    }

    /// Sets stiffness and damping for where the world is now, and steps of `h` \[s\].
    pub(super) fn update(&self, world: &mut World, h: f64) -> Result<(), WorldError> {
        let (mut value, mut order) = (0.0_f64, Order::First);
        for port in &self.ports {
            let mobility = world.mobility(*port)?;
            value = value.max(mobility.value);
            if mobility.order == Order::Second {
                order = Order::Second;
            }
        }
        let pull = world.behaviour_mut::<Pull>(self.behaviour)?;
        let (rate, is_mobile) = ((PART / h).min(RATE), value.is_finite() && value > IMMOBILE);
        (pull.stiffness, pull.damping) = match order {
            _ if !is_mobile => (0.0, 0.0),
            Order::First => (rate / value, 0.0),
            Order::Second => (rate * rate / value, 2.0 * rate / value),
        };
        Ok(())
    }

    /// Ends it.
    pub(super) fn remove(self, world: &mut World) -> Result<(), WorldError> {
        world.remove_behaviour(self.behaviour)?;
        if let Some(block) = self.block {
            world.graph_mut().remove(block)?;
        }
        Ok(())
    }
}
