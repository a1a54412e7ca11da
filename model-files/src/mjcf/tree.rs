//! The tree of the world: bodies with joints, geoms and sites, frames between them.

use nalgebra::{Isometry3, UnitQuaternion};
use sinew::constraint::Pose;
use sinew::dynamics::SpatialInertia;
use sinew::{Mat3, Vec3};

use super::import::{AT_REST, Import};
use super::records::{Body, Joint, JointType, Site, Spring};
use super::view::View;
use super::xml::Element;
use crate::diagnostic::Diagnostic;

/// Types of joints.
const JOINT_TYPES: [&str; 4] = ["hinge", "slide", "ball", "free"];

/// Surroundings of an element in the tree.
#[derive(Clone, Copy)]
struct Around<'d> {
    body: usize,
    /// Frames between the body and the element.
    frame: Pose,
    childclass: Option<&'d str>,
}

impl<'d> Import<'d> {
    /// Reads all of a `worldbody`.
    pub(super) fn read_world(&mut self, at: &'d Element) {
        let childclass = at.mark().attribute("childclass").map(|it| it.value.as_str());
        if self.bodies.is_empty() {
            self.bodies.push(Body {
                name: "world".to_owned(),
                view: View::plain(at),
                parent: 0,
                pose: Pose::identity(),
                inertia: None,
                joints: Vec::new(),
                geoms: Vec::new(),
                welded: 0,
                placed: Pose::identity(),
                motion: AT_REST,
            });
        }
        self.read_children(at, Around { body: 0, frame: Pose::identity(), childclass });
    }

    fn read_children(&mut self, at: &'d Element, around: Around<'d>) {
        for child in &at.children {
            let read = match child.tag.as_str() {
                "body" => self.read_body(child, around),
                "frame" => self.read_frame(child, around),
                "geom" => self.read_geom(child, around),
                "site" => self.read_site(child, around),
                "joint" | "freejoint" => self.read_joint(child, around),
                _ => Ok(()),
            };
            self.findings.take(read);
        }
    }

    fn read_frame(&mut self, at: &'d Element, around: Around<'d>) -> Result<(), Diagnostic> {
        let view = View::plain(at);
        let frame = around.frame * self.compiler.pose(&view)?;
        let childclass = at.attribute("childclass").map(|it| it.value.as_str());
        let childclass = childclass.or(around.childclass);
        self.read_children(at, Around { frame, childclass, ..around });
        Ok(())
    }

    fn read_body(&mut self, at: &'d Element, around: Around<'d>) -> Result<(), Diagnostic> {
        let childclass = at.mark().attribute("childclass").map(|it| it.value.as_str());
        let childclass = childclass.or(around.childclass);
        let view = View::plain(at);
        let pose = around.frame * self.compiler.pose(&view)?;
        let number = self.bodies.len();
        let name = match at.name() {
            "" => format!("body_{number}"),
            name => name.to_owned(),
        };
        if self.bodies.iter().any(|it| it.name == name) {
            let message = format!("body '{name}' is there twice");
            self.findings.push(view.blamed("name", message).help("give one another name"));
        }
        let (parent, joints, geoms) = (around.body, Vec::new(), Vec::new());
        let (placed, motion) = (Pose::identity(), AT_REST);
        let body = Body {
            name,
            view,
            parent,
            pose,
            inertia: None,
            joints,
            geoms,
            welded: 0,
            placed,
            motion,
        };
        self.bodies.push(body);
        self.read_children(at, Around { body: number, frame: Pose::identity(), childclass });
        let given = at.children.iter().find(|it| it.tag == "inertial");
        let given = given.map(|it| self.inertial(&View::plain(it))).transpose()?;
        self.bodies[number].inertia = self.inertia_of(number, given.flatten())?;
        Ok(())
    }

    /// The inertia that an element `inertial` says; `None` without mass.
    fn inertial(&self, view: &View<'d>) -> Result<Option<SpatialInertia>, Diagnostic> {
        let number = |name: &str| self.required(view, name);
        let mass = number("mass")?;
        let pose = self.compiler.pose(view)?;
        let moments = match view.array::<6>("fullinertia")? {
            Some([xx, yy, zz, xy, xz, yz]) => Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz),
            None => {
                let [x, y, z] = view.array("diaginertia")?.unwrap_or_default();
                Mat3::from_diagonal(&Vec3::new(x, y, z))
            }
        };
        if mass == 0.0 && moments.amax() == 0.0 {
            return Ok(None);
        }
        let inertia = SpatialInertia::new(mass, Vec3::zeros(), self.bounded(moments));
        let inertia = inertia.map_err(|error| {
            let message = format!("inertial: {error}");
            view.at.refused(message).help("or set balanceinertia=\"true\" of the compiler")
        })?;
        Ok(Some(inertia.transformed(&pose.rotation, &pose.translation.vector)))
    }

    /// Rotational inertia with principal moments of the least one of the compiler or more, all the mean of them where those
    /// of no solid are to be balanced.
    fn bounded(&self, rotational: Mat3) -> Mat3 {
        let (given, axes) = match rotational == Mat3::from_diagonal(&rotational.diagonal()) {
            true => (rotational.diagonal(), Mat3::identity()),
            false => {
                let eigen = rotational.symmetric_eigen();
                (eigen.eigenvalues, eigen.eigenvectors)
            }
        };
        let mut moments = given.map(|moment| moment.max(self.compiler.least[1]));
        let sum = moments.sum();
        if self.compiler.balance && 2.0 * moments.max() > sum {
            moments = Vec3::repeat(sum / 3.0);
        }
        match moments == given {
            true => rotational,
            false => axes * Mat3::from_diagonal(&moments) * axes.transpose(),
        }
    }

    fn required(&self, view: &View<'d>, name: &str) -> Result<f64, Diagnostic> {
        let missing = || view.at.refused(format!("{} has no {name}", view.at.label()));
        view.number(name)?.ok_or_else(missing)
    }

    fn read_site(&mut self, at: &'d Element, around: Around<'d>) -> Result<(), Diagnostic> {
        let view = self.defaults.view(at, &["site"], around.childclass)?;
        let mut pose = self.compiler.pose(&view)?;
        if let Some([a, b, c, d, e, f]) = view.array("fromto")? {
            pose.translation.vector = Vec3::new(a + d, b + e, c + f) * 0.5;
        }
        let (name, pose) = (at.name().to_owned(), around.frame * pose);
        if !name.is_empty() && self.site_numbers.insert(name.clone(), self.sites.len()).is_some() {
            let message = format!("site '{name}' is there twice");
            self.findings.push(view.blamed("name", message));
        }
        self.sites.push(Site { name, view, body: around.body, pose });
        Ok(())
    }

    fn read_geom(&mut self, at: &'d Element, around: Around<'d>) -> Result<(), Diagnostic> {
        let view = self.defaults.view(at, &["geom"], around.childclass)?;
        let mut geom = self.geom(view, around.body)?;
        geom.pose = around.frame * geom.pose;
        let number = self.geoms.len();
        if !geom.name.is_empty() && self.geom_numbers.insert(geom.name.clone(), number).is_some() {
            let message = format!("geom '{}' is there twice", geom.name);
            self.findings.push(geom.view.blamed("name", message));
        }
        self.bodies[around.body].geoms.push(number);
        self.geoms.push(geom);
        Ok(())
    }

    fn read_joint(&mut self, at: &'d Element, around: Around<'d>) -> Result<(), Diagnostic> {
        let free = at.tag == "freejoint";
        let view = match free {
            true => View::plain(at),
            false => self.defaults.view(at, &["joint"], around.childclass)?,
        };
        let kind = match view.text("type") {
            _ if free => JointType::Free,
            None | Some("hinge") => JointType::Hinge,
            Some("slide") => JointType::Slide,
            Some("ball") => JointType::Ball,
            Some("free") => JointType::Free,
            Some(other) => return Err(view.unknown_type("joint", other, &JOINT_TYPES)),
        };
        if around.body == 0 {
            return Err(at.refused(format!("{}: the world has no joints", at.label())));
        }
        let mut joint = self.joint(view, kind)?;
        joint.anchor = around.frame.transform_point(&joint.anchor.into()).coords;
        joint.axis = around.frame.rotation * joint.axis;
        let body = &mut self.bodies[around.body];
        if body.joints.iter().any(|it| it.kind == JointType::Free || kind == JointType::Free) {
            return Err(
                at.refused(format!("body '{}' has other joints beside a free one", body.name))
            );
        }
        if joint.name.is_empty() {
            joint.name = format!("{}_joint_{}", body.name, body.joints.len() + 1);
        }
        let place = [around.body, body.joints.len()];
        if self.joint_places.insert(joint.name.clone(), place).is_some() {
            let message = format!("joint '{}' is there twice", joint.name);
            self.findings.push(at.refused(message));
        }
        self.bodies[around.body].joints.push(joint);
        Ok(())
    }

    fn joint(&self, view: View<'d>, kind: JointType) -> Result<Joint<'d>, Diagnostic> {
        let at = view.at;
        let unit = match kind {
            JointType::Hinge | JointType::Ball => self.compiler.angle,
            JointType::Slide | JointType::Free => 1.0,
        };
        let axis = view.vector("axis")?.unwrap_or(Vec3::z());
        let axis = axis.try_normalize(1e-15);
        let none = || view.blamed("axis", format!("axis of {} has no length", at.label()));
        let axis = axis.ok_or_else(none)?;
        let limited = view.limited("limited", "range", self.compiler.limits)?;
        let range = view.range("range")?.filter(|_| limited).map(|range| range.map(|x| x * unit));
        let reference = view.number("ref")?.unwrap_or(0.0) * unit;
        let spring = spring(&view, unit)?;
        let anchor = view.vector("pos")?.unwrap_or_default();
        let (turn, angular_velocity) = (UnitQuaternion::identity(), Vec3::zeros());
        let (name, value, rate, places) = (at.name().to_owned(), reference, 0.0, [0; 2]);
        let coordinate = None;
        Ok(Joint {
            name,
            view,
            kind,
            anchor,
            axis,
            range,
            reference,
            spring,
            value,
            rate,
            turn,
            angular_velocity,
            places,
            coordinate,
        })
    }
}

/// Passive forces of a joint, whose angles are in a unit [rad].
fn spring(view: &View<'_>, unit: f64) -> Result<Spring, Diagnostic> {
    let first = |name: &str| -> Result<f64, Diagnostic> {
        let mut list = [0.0; 3];
        view.put_numbers(name, &mut list)?;
        Ok(list[0])
    };
    let spring = Spring {
        stiffness: first("stiffness")?,
        rest: view.number("springref")?.unwrap_or(0.0) * unit,
        damping: first("damping")?,
        armature: view.number("armature")?.unwrap_or(0.0),
    };
    for (name, value) in [
        ("stiffness", spring.stiffness),
        ("damping", spring.damping),
        ("armature", spring.armature),
    ] {
        if value < 0.0 {
            let message = format!("{name} of {} must be >= 0, got {value}", view.at.label());
            return Err(view.blamed(name, message));
        }
    }
    Ok(spring)
}

/// The pose that is a translation.
pub(super) fn shifted(by: Vec3) -> Pose {
    Isometry3::from_parts(by.into(), UnitQuaternion::identity())
}
