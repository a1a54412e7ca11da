//! Joints and coordinates as the file has them: what each class turns about and moves along.

use sinew::Vec3;
use sinew::constraint::spatial::{Function, SpatialAxis, SpatialTransform};
use sinew::constraint::{EllipsoidNormal, EllipsoidShape};

use super::fields::refused;
use super::import::Import;
use super::records::{Base, Coordinate, Frame, JointRecord};
use super::xml::Element;
use crate::diagnostic::Diagnostic;

/// Classes of joints that are read, and their numbers of coordinates; a custom joint says its own.
const CLASSES: [(&str, usize); 11] = [
    ("CustomJoint", 0),
    ("WeldJoint", 0),
    ("PinJoint", 1),
    ("SliderJoint", 1),
    ("UniversalJoint", 2),
    ("BallJoint", 3),
    ("GimbalJoint", 3),
    ("PlanarJoint", 3),
    ("FreeJoint", 6),
    ("EllipsoidJoint", 3),
    ("ScapulothoracicJoint", 4),
];

impl<'d> Import<'d> {
    /// Reads all joints: those of a set, and those in bodies of old versions.
    pub(super) fn read_joints(&mut self, model: &'d Element) {
        for at in model.members("JointSet") {
            let joint = self.joint(at.mark()).and_then(|joint| self.parts(joint));
            let joint = self.findings.take(joint);
            self.joints.extend(joint.into_iter().flatten());
        }
        for number in 0..self.bodies.len() {
            let Some(holder) = self.bodies[number].at.child("Joint") else { continue };
            let Some(at) = holder.children.first() else { continue };
            let joint = self.inner_joint(at.mark(), number).and_then(|joint| self.parts(joint));
            let joint = self.findings.take(joint);
            self.joints.extend(joint.into_iter().flatten());
        }
        for (joint, record) in self.joints.iter().enumerate() {
            for (k, it) in record.coordinates.iter().enumerate() {
                if let Some([before, _]) = self.coordinate_places.get(&it.name) {
                    if *before == joint {
                        let message = format!("coordinate '{}' is there twice", it.name);
                        self.findings.push(Diagnostic::error(it.span, message));
                        continue;
                    }
                    let message = format!(
                        "coordinate '{}' is there twice: what names it means that of the first joint",
                        it.name
                    );
                    self.findings.warn(it.span, message);
                } else {
                    self.coordinate_places.insert(it.name.clone(), [joint, k]);
                }
            }
        }
    }

    /// A joint between frames.
    fn joint(&self, at: &'d Element) -> Result<JointRecord<'d>, Diagnostic> {
        check_class(at)?;
        let side = |name: &str| {
            let socket = self.socket(at, name);
            let socket = socket
                .ok_or_else(|| refused(at, format!("{} has no <socket_{name}>", at.label())))?;
            self.frame(socket, at.title(), at)
        };
        let (d, c) = (side("parent_frame")?, side("child_frame")?);
        at.child("frames").iter().for_each(|frames| {
            frames.children.iter().for_each(|frame| {
                frame.mark();
            });
        });
        let listed = match at.child("coordinates") {
            Some(list) => &list.children,
            None => at.members("CoordinateSet"),
        };
        self.record(at, [d, c], listed)
    }

    /// A joint that stands in the body that it moves.
    fn inner_joint(&self, at: &'d Element, body: usize) -> Result<JointRecord<'d>, Diagnostic> {
        check_class(at)?;
        let parent = self.text(at, "parent_body");
        let parent =
            parent.ok_or_else(|| refused(at, format!("{} has no <parent_body>", at.label())))?;
        let in_parent = self.pose(at, ["location_in_parent", "orientation_in_parent"])?;
        let d = self.frame(parent, "", at)?.with(&in_parent);
        let c = Frame::of(Base::Body(body)).with(&self.pose(at, ["location", "orientation"])?);
        let mut record = self.record(at, [d, c], at.members("CoordinateSet"))?;
        if self.flag(at, "reverse")?.unwrap_or(false) {
            (record.c, record.d, record.reversed) = (d, c, true);
        }
        Ok(record)
    }

    fn record(
        &self,
        at: &'d Element,
        [d, c]: [Frame; 2],
        listed: &'d [Element],
    ) -> Result<JointRecord<'d>, Diagnostic> {
        if d.base == c.base {
            return Err(refused(at, format!("{} joins a body to itself", at.label())));
        }
        let listed = listed.iter().filter(|it| it.tag == "Coordinate");
        let mut coordinates: Vec<Coordinate> =
            listed.map(|it| self.coordinate(it.mark())).collect::<Result<_, _>>()?;
        let count = CLASSES.iter().find(|class| class.0 == at.tag).map_or(0, |class| class.1);
        if at.tag != "CustomJoint" {
            for k in coordinates.len()..count {
                coordinates.push(unnamed(at, k));
            }
            if coordinates.len() != count {
                let message = format!(
                    "{} has {} coordinates, its class has {count}",
                    at.label(),
                    coordinates.len()
                );
                return Err(refused(at, message));
            }
        }
        if coordinates.len() > 6 {
            return Err(refused(at, format!("{} has more than six coordinates", at.label())));
        }
        let transform = match at.tag.as_str() {
            "CustomJoint" => self.spatial_transform(at, &coordinates)?,
            class => class_transform(class),
        };
        let is_on_ellipsoid = at.tag == "EllipsoidJoint";
        let ellipsoid = is_on_ellipsoid.then(|| self.ellipsoid(at, "radii_x_y_z")).transpose()?;
        let name = at.title().to_owned();
        Ok(JointRecord { name, at, d, c, reversed: false, transform, ellipsoid, coordinates })
    }

    /// The surface of a joint on an ellipsoid, whose z axis follows (x/a, y/b, z/c) in the source.
    pub(super) fn ellipsoid(&self, at: &Element, tag: &str) -> Result<EllipsoidShape, Diagnostic> {
        at.child("Appearance").into_iter().for_each(Element::mark_all);
        let radii = self.vector(at, tag)?.filter(|radii| radii.min() > 0.0);
        let radii = radii.ok_or_else(|| {
            let message = format!("<{tag}> of {} must be three numbers > 0", at.label());
            self.blamed(at, tag, message)
        })?;
        let normal = EllipsoidNormal::Scaled;
        Ok(EllipsoidShape { semi_axes: radii.into(), normal, ..EllipsoidShape::default() })
    }

    fn coordinate(&self, at: &Element) -> Result<Coordinate, Diagnostic> {
        let number = |tag: &str| self.number(at, tag);
        let value = number("default_value")?.unwrap_or(0.0);
        let rate = number("default_speed_value")?.unwrap_or(0.0);
        let endless = self.text(at, "range").is_some_and(|text| {
            text.split_whitespace().all(|word| word.parse::<f64>().is_ok_and(f64::is_infinite))
        });
        let range = if endless { None } else { self.numbers(at, "range")? };
        let range = match range.as_deref() {
            None | Some([]) => None,
            Some(&[low, high]) if low <= high => Some([low, high]),
            Some(list) => {
                let message =
                    format!("<range> of {} must be two rising numbers, got {list:?}", at.label());
                return Err(self.blamed(at, "range", message));
            }
        };
        // Of use where values are set.
        self.flag(at, "clamped")?;
        let locked = self.flag(at, "locked")?.unwrap_or(false);
        if !self.flag(at, "prescribed")?.unwrap_or(false) {
            // A function that is not in force.
            at.child("prescribed_function").into_iter().for_each(Element::mark_all);
        }
        Ok(Coordinate { name: at.title().to_owned(), span: at.span, value, rate, range, locked })
    }

    /// The six axes of a custom joint.
    fn spatial_transform(
        &self,
        at: &Element,
        coordinates: &[Coordinate],
    ) -> Result<SpatialTransform, Diagnostic> {
        let within = at.child("SpatialTransform");
        let within = within
            .ok_or_else(|| refused(at, format!("{} has no <SpatialTransform>", at.label())))?;
        let axes: Vec<&Element> =
            within.children.iter().filter(|it| it.tag == "TransformAxis").collect();
        let mut transform = SpatialTransform::rest();
        for k in 0..3 {
            let at = |kind: &str, number: usize| {
                let name = format!("{kind}{}", k + 1);
                let unnamed = axes.len() == 6 && axes.iter().all(|it| it.title().is_empty());
                let by_place = axes.get(number).filter(|_| unnamed);
                axes.iter().find(|it| it.title() == name).or(by_place).copied()
            };
            if let Some(axis) = at("rotation", k) {
                transform.turns[k] = self.axis(axis.mark(), coordinates)?;
            }
            if let Some(axis) = at("translation", k + 3) {
                transform.ways[k] = self.axis(axis.mark(), coordinates)?;
            }
        }
        Ok(transform)
    }

    fn axis(&self, at: &Element, coordinates: &[Coordinate]) -> Result<SpatialAxis, Diagnostic> {
        let direction = self.vector(at, "axis")?;
        let direction = direction.and_then(|axis| axis.try_normalize(1e-9));
        let direction = direction
            .ok_or_else(|| self.blamed(at, "axis", format!("{} has no axis", at.label())))?;
        let mut of = Vec::new();
        for name in self.words(at, "coordinates") {
            let found = coordinates.iter().position(|it| it.name == name);
            of.push(found.ok_or_else(|| {
                let names = coordinates.iter().map(|it| it.name.as_str());
                let message = format!("{}: the joint has no coordinate '{name}'", at.label());
                Diagnostic::unknown(at.span, message, &name, names)
            })?);
        }
        let bare = at.children.iter().all(|it| matches!(it.tag.as_str(), "axis" | "coordinates"));
        let function = match (bare || at.child("function").is_some_and(Element::is_void), of.len())
        {
            (true, 0) => Function::Constant(0.0),
            (true, 1) => Function::Linear(vec![1.0], 0.0),
            _ => self.function(at)?,
        };
        if of.is_empty() && !function.is_constant() {
            let message = format!("{} has a function and no coordinate", at.label());
            return Err(refused(at, message));
        }
        let arguments = vec![0.0; of.len()];
        if function.of(&arguments).is_none() {
            let message =
                format!("{}: its function does not take {} coordinates", at.label(), of.len());
            return Err(refused(at, message));
        }
        Ok(SpatialAxis { direction, function, of })
    }
}

/// Refuses what is no joint that is read.
fn check_class(at: &Element) -> Result<(), Diagnostic> {
    let classes = CLASSES.iter().map(|class| class.0);
    if classes.clone().any(|class| class == at.tag) {
        return Ok(());
    }
    let message = format!("{} is no kind of joint that is read", at.label());
    Err(Diagnostic::unknown(at.span, message, &at.tag, classes))
}

/// A coordinate that the file leaves out.
fn unnamed(at: &Element, k: usize) -> Coordinate {
    let (name, span) = (format!("{}_coord_{k}", at.title()), at.span);
    Coordinate { name, span, value: 0.0, rate: 0.0, range: None, locked: false }
}

/// Axes of the classes without axes of their own: turns about x, then y, then z, and ways along them.
pub(super) fn class_transform(class: &str) -> SpatialTransform {
    let mut it = SpatialTransform::rest();
    let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
    let plain = |axis: usize, coordinate: usize| SpatialAxis::plain(axes[axis], coordinate);
    match class {
        "PinJoint" => it.turns[2] = plain(2, 0),
        "SliderJoint" => it.ways[0] = plain(0, 0),
        "UniversalJoint" => (0..2).for_each(|k| it.turns[k] = plain(k, k)),
        "BallJoint" | "GimbalJoint" | "EllipsoidJoint" => {
            (0..3).for_each(|k| it.turns[k] = plain(k, k));
        }
        "PlanarJoint" => {
            it.turns[2] = plain(2, 0);
            (0..2).for_each(|k| it.ways[k] = plain(k, k + 1));
        }
        "FreeJoint" => (0..3).for_each(|k| {
            it.turns[k] = plain(k, k);
            it.ways[k] = plain(k, k + 3);
        }),
        _ => {}
    }
    it
}
