//! Forces on coordinates: springs and dampers of joints, sums of coordinates, actuators of joints.

use sinew::constraint::Compliance;
use sinew::model::{
    CoordinateActuator, CoupledCoordinate, JointCoordinate, JointCoordinateCoupling,
};

use super::import::Import;
use super::lines::spring_of;
use super::records::{Actuator, JointType, Law, Transmission};
use crate::diagnostic::Diagnostic;
use crate::imported::plain_name;
use crate::tree::Span;

/// Stiffness beside a damper or an inertia alone, of one unit of it a second: a spring that is too soft to be seen.
const SOFT: f64 = 1e-6;

/// A spring, a damper and an inertia of a sum of coordinates.
struct SpringDamper {
    name: String,
    span: Span,
    terms: Vec<(JointCoordinate, f64)>,
    /// The sum where it has no force [m or rad].
    rest: f64,
    stiffness: f64,
    damping: f64,
    inertia: f64,
}

impl<'d> Import<'d> {
    /// Adds springs, dampers and armatures of joints.
    pub(super) fn add_joint_springs(&mut self) {
        let joints: Vec<_> = self.bodies.iter().flat_map(|body| body.joints.clone()).collect();
        for joint in joints {
            let mut spring = joint.spring;
            if self.compiler.is_off("spring") {
                spring.stiffness = 0.0;
            }
            if self.compiler.is_off("damper") {
                spring.damping = 0.0;
            }
            let none = spring.stiffness == 0.0 && spring.damping == 0.0 && spring.armature == 0.0;
            if none {
                continue;
            }
            let span = joint.view.at.span;
            let Some(of) = joint.coordinate.clone() else {
                let damped = joint.kind == JointType::Free && spring.damping > 0.0;
                if !damped || spring.stiffness > 0.0 || spring.armature > 0.0 {
                    let message = format!(
                        "stiffness, damping and armature of '{}' are not kept: they are those of hinges and slides, \
                         damping that of free joints too",
                        joint.name
                    );
                    self.findings.warn(span, message);
                }
                continue;
            };
            let made = SpringDamper {
                name: format!("{}_spring", joint.name),
                span,
                terms: vec![(of, 1.0)],
                rest: spring.rest,
                stiffness: spring.stiffness,
                damping: spring.damping,
                inertia: spring.armature,
            };
            self.add_spring(made);
        }
    }

    fn add_spring(&mut self, it: SpringDamper) {
        let soft = SOFT * it.damping.max(it.inertia);
        let compliance = 1.0 / if it.stiffness > 0.0 { it.stiffness } else { soft };
        let term = |(of, factor): (JointCoordinate, f64)| CoupledCoordinate {
            of,
            polynomial: vec![0.0, factor],
            curve: None,
        };
        let mut terms: Vec<CoupledCoordinate> = it.terms.into_iter().map(term).collect();
        terms[0].polynomial[0] = -it.rest;
        let made = JointCoordinateCoupling {
            name: plain_name(&it.name),
            terms,
            compliance: Compliance { compliance, damping: it.damping },
            inertia: it.inertia,
            enabled: true,
        };
        let handle = self.model.add(made);
        self.put(handle.id(), it.span);
    }

    /// Adds springs and actuators of sums of coordinates.
    pub(super) fn add_fixed_tendons(&mut self) {
        for tendon in self.tendons.fixed.clone() {
            let coordinate = |(joint, factor): &(String, f64)| {
                let joint = self.joint_named(joint)?;
                Some((joint.coordinate.clone()?, *factor, joint.reference))
            };
            let Some(terms) = tendon.terms.iter().map(coordinate).collect::<Option<Vec<_>>>()
            else {
                continue;
            };
            let at_reference: f64 = terms.iter().map(|(_, factor, q)| factor * q).sum();
            let terms: Vec<(JointCoordinate, f64)> =
                terms.into_iter().map(|(of, factor, _)| (of, factor)).collect();
            let spring = spring_of(&tendon.view);
            if let Some(spring) = self.findings.take(spring)
                && (spring.stiffness > 0.0 || spring.damping > 0.0)
            {
                if spring.rest.is_some_and(|[low, high]| low < high) {
                    let message = format!("tendon '{}' is slack nowhere here", tendon.name);
                    self.findings.warn(tendon.view.blamed("springlength", "").span, message);
                }
                self.add_spring(SpringDamper {
                    name: tendon.name.clone(),
                    span: tendon.view.at.span,
                    terms: terms.clone(),
                    rest: spring.rest.map_or(at_reference, |[_, high]| high),
                    stiffness: spring.stiffness,
                    damping: spring.damping,
                    inertia: 0.0,
                });
            }
            let wanted = Transmission::Tendon(tendon.name.clone());
            self.add_drives(&wanted, &terms);
        }
    }

    /// Adds the actuators of joints.
    pub(super) fn add_joint_actuators(&mut self) {
        let names: Vec<String> = self.joint_places.keys().cloned().collect();
        for name in names {
            let of = self.joint_named(&name).and_then(|it| it.coordinate.clone());
            if let Some(of) = of {
                self.add_drives(&Transmission::Joint(name), &[(of, 1.0)]);
            }
        }
    }

    /// Adds the actuators of a transmission along a sum of coordinates.
    fn add_drives(&mut self, wanted: &Transmission, terms: &[(JointCoordinate, f64)]) {
        let own = self.actuators.iter().filter(|it| it.transmission == *wanted);
        for actuator in own.cloned().collect::<Vec<_>>() {
            let driven = self.drive(&actuator, terms);
            self.findings.take(driven);
        }
    }

    /// Force gear (gain control + b0 + b1 gear x + b2 gear dx/dt) on a sum x of coordinates: a spring and a damper of
    /// that, and a drive on each of them.
    fn drive(
        &mut self,
        actuator: &Actuator<'d>,
        terms: &[(JointCoordinate, f64)],
    ) -> Result<(), Diagnostic> {
        let (at, law, gear) = (actuator.view.at, &actuator.law, actuator.gear);
        let [b0, b1, b2] = match law.bias.as_str() {
            "none" => [0.0; 3],
            _ => [0, 1, 2].map(|k| law.bias_numbers[k]),
        };
        if !is_drive(law, [b0, b1, b2]) {
            let message = format!(
                "{} is not read: on joints and sums of coordinates there are forces of a control, with a spring and \
                 a damper, without dynamics",
                at.label()
            );
            self.findings.warn(at.span, message);
            return Ok(());
        }
        if (b1 < 0.0 || b2 < 0.0) && gear != 0.0 {
            self.add_spring(SpringDamper {
                name: format!("{}_servo", actuator.name),
                span: at.span,
                terms: terms.to_vec(),
                rest: if b1 < 0.0 { -b0 / (b1 * gear) } else { 0.0 },
                stiffness: -b1 * gear * gear,
                damping: -b2 * gear * gear,
                inertia: 0.0,
            });
        }
        self.add_forces(actuator, terms);
        Ok(())
    }

    /// Adds the forces of an actuator on coordinates: gear gain control, times the factor of each coordinate.
    fn add_forces(&mut self, actuator: &Actuator<'d>, terms: &[(JointCoordinate, f64)]) {
        let largest = actuator.control.map_or(1.0, |[low, high]| low.abs().max(high.abs()));
        for (k, (of, factor)) in terms.iter().enumerate() {
            let force = actuator.gear * actuator.law.gain_numbers[0] * largest * factor;
            let name = match terms.len() {
                1 => actuator.name.clone(),
                _ => format!("{}_{}", actuator.name, k + 1),
            };
            let made = CoordinateActuator::new(of.clone(), force);
            let handle = self.model.add(CoordinateActuator { name: plain_name(&name), ..made });
            self.put(handle.id(), actuator.view.at.span);
        }
    }
}

/// True for a law of a control with a stable spring and damper [b0, b1, b2], which can be a drive.
fn is_drive(law: &Law, [b0, b1, b2]: [f64; 3]) -> bool {
    let fixed = law.gain == "fixed" || law.gain == "affine" && law.gain_numbers[1..3] == [0.0; 2];
    let known = matches!(law.bias.as_str(), "none" | "affine") && law.dynamics == "none";
    fixed && known && b1 <= 0.0 && b2 <= 0.0 && (b1 != 0.0 || b0 == 0.0)
}
