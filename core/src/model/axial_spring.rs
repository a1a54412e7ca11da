//! Springs along a line between two points.

use serde::{Deserialize, Serialize};

use super::{Affine, PointRef, TransformRefusal};
use crate::Vec3;
use crate::component::{ComponentId, Handle, Invalidates, ModelComponent, Reference};
use crate::property::{Simulated, properties};

/// A spring along the line between two points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AxialSpring {
    /// Name in paths and reports; may be empty.
    pub name: String,
    /// Its two ends.
    pub ends: [PointRef; 2],
    /// Its law.
    pub material: LinearAxial,
    /// Whether it pulls.
    pub enabled: bool,
}

/// Linear spring: tension = stiffness (l - rest_length) + damping dl/dt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LinearAxial {
    /// Stiffness [N/m].
    pub stiffness: f64,
    /// Damping [N s/m].
    pub damping: f64,
    /// Length without tension [m].
    pub rest_length: f64,
}

impl AxialSpring {
    /// A spring between two points that pulls by `material`.
    pub fn new(ends: [impl Into<PointRef>; 2], material: LinearAxial) -> Self {
        let ends = ends.map(Into::into);
        Self { name: String::new(), ends, material, enabled: true }
    }

    /// The law in force: nothing while it is not enabled.
    pub(crate) fn law(&self) -> LinearAxial {
        if self.enabled {
            self.material
        } else {
            LinearAxial { stiffness: 0.0, damping: 0.0, ..self.material }
        }
    }
}

/// Length [m], its rate [m/s], and tension [N].
fn now(s: &Simulated<'_>, spring: Handle<AxialSpring>) -> Option<[f64; 3]> {
    let spring = s.model.get(spring)?;
    let [a, b] = spring.ends.map(|end| s.motion(end));
    let ((qa, ua), (qb, ub)) = (a?, b?);
    let length = (qb - qa).norm();
    let direction = (qb - qa).try_normalize(0.0).unwrap_or_else(Vec3::zeros);
    let (law, rate) = (spring.law(), direction.dot(&(ub - ua)));
    let tension = law.stiffness * (length - law.rest_length) + law.damping * rate;
    Some([length, rate, tension])
}

impl ModelComponent for AxialSpring {
    const HOME: Option<&'static str> = Some("axial_springs");
    const MOVED: Invalidates = Invalidates::PARAMETER;

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        self.ends.iter().for_each(|end| visit(end.reference()));
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.ends.iter_mut().for_each(|end| end.redirect(map));
    }

    /// The rest length scales; it has no direction to be stretched along.
    fn transform(&mut self, map: &Affine) -> Result<(), TransformRefusal> {
        self.material.rest_length *= map.scale().ok_or(TransformRefusal::NotSimilar)?;
        Ok(())
    }

    properties! { AxialSpring {
        "enabled": bool = true, "", FINITE, PARAMETER, "Whether it pulls", own (enabled);
        "rest_length": f64 = 0.0, "m", NOT_NEGATIVE, PARAMETER, "Length without tension", own (material.rest_length);
        "material.stiffness": f64 = 0.0, "N/m", NOT_NEGATIVE, PARAMETER, "Tension per length beyond rest", own (material.stiffness);
        "material.damping": f64 = 0.0, "N s/m", NOT_NEGATIVE, PARAMETER, "Tension per rate of length", own (material.damping);
        "length": f64 = 0.0, "m", FINITE, NOTHING, "Length now", simulated (|s: &Simulated<'_>, h| now(s, h).map(|x| x[0]));
        "length_rate": f64 = 0.0, "m/s", FINITE, NOTHING, "Rate of its length", simulated (|s: &Simulated<'_>, h| now(s, h).map(|x| x[1]));
        "tension": f64 = 0.0, "N", FINITE, NOTHING, "Pull on its ends", simulated (|s: &Simulated<'_>, h| now(s, h).map(|x| x[2]));
    } }
}
