//! The model of what was read: bodies with their inertia and surfaces, joints.

use sinew::component::Handle;
use sinew::constraint::spatial::{
    Function, JointMotion, MotionError, MotionVariable, SpatialAxis, SpatialTransform,
};
use sinew::constraint::{CoordinateSettings, JointKind, JointSettings, Pose, Range};
use sinew::dynamics::SpatialInertia;
use sinew::geometry::SurfaceMesh;
use sinew::model::{
    CustomJoint, FrameSite, Inertia, Joint, JointCoordinate, RenderMesh, RigidBody,
};
use sinew::{Mat3, Vec3};

use super::import::Import;
use super::pose::Moving;
use super::records::{self, JointType, Solid};
use super::tree::shifted;
use crate::built_in::{BuiltIn, built_in};
use crate::diagnostic::Diagnostic;
use crate::imported::plain_name;

/// Share of the inertia of a heavy body that each body without mass gets that is one with it: both together are as
/// before.
const SHARE: f64 = 0.01;
/// Share of the inertia of a body that the bodies between its joints get: little enough to change the motion by no
/// more than that.
const NEGLIGIBLE: f64 = 1e-6;

impl<'d> Import<'d> {
    /// Adds the bodies where they are at the start.
    pub(super) fn add_bodies(&mut self) {
        self.handles = vec![None];
        let inertias = self.shared_inertias();
        for number in 1..self.bodies.len() {
            let Some(&inertia) = inertias.get(number) else { return };
            let surface = self.surface(number);
            let body = &self.bodies[number];
            let (span, fixed) = (body.view.at.span, body.welded == 0);
            let mut made = RigidBody::new(plain_name(&body.name), Inertia::Explicit(inertia));
            made = made.at(body.placed);
            made.velocity = body.motion.velocity;
            made.angular_velocity = body.motion.angular_velocity;
            (made.dynamic, made.mesh) = (!fixed, surface);
            if let Some(free) = body.joints.iter().find(|it| it.kind == JointType::Free) {
                let damping = free.spring.damping;
                if damping > 0.0 {
                    (made.frame_damping, made.rotary_damping) = (Some(damping), Some(damping));
                }
            }
            let handle = self.model.add(made);
            self.put(handle.id(), span);
            self.handles.push(Some(handle));
        }
        self.add_scenery();
    }

    /// Inertias of all bodies; those without mass share that of the heaviest which they are one with.
    fn shared_inertias(&mut self) -> Vec<SpatialInertia> {
        let unit = SpatialInertia::new(1.0, Vec3::zeros(), Mat3::identity());
        let Some(unit) =
            self.findings.take(unit.map_err(|it| Diagnostic::error(None, it.to_string())))
        else {
            return Vec::new();
        };
        let factor = self.mass_factor();
        let own: Vec<Option<SpatialInertia>> =
            (0..self.bodies.len()).map(|number| self.own_inertia(number, factor)).collect();
        let mut all: Vec<SpatialInertia> = own.iter().map(|it| it.unwrap_or(unit)).collect();
        for root in 1..self.bodies.len() {
            if self.bodies[root].welded != root {
                continue;
            }
            let members: Vec<usize> =
                (root..self.bodies.len()).filter(|&k| self.bodies[k].welded == root).collect();
            let mass = |k: &usize| own[*k].map_or(0.0, |it| it.mass());
            let heaviest = members.iter().copied().max_by(|a, b| mass(a).total_cmp(&mass(b)));
            let Some((heavy, inertia)) = heaviest.and_then(|k| Some((k, own[k]?))) else {
                let (at, name) = (self.bodies[root].view.at, &self.bodies[root].name);
                let message = format!("body '{name}' moves and has no mass");
                self.findings.push(at.refused(message).help("give it an <inertial> or a geom"));
                continue;
            };
            let light: Vec<usize> = members.into_iter().filter(|&k| own[k].is_none()).collect();
            let share = SHARE / light.len().max(1) as f64;
            let left = 1.0 - share * light.len() as f64;
            for &k in &light {
                let seen = self.bodies[k].placed.inv_mul(&self.bodies[heavy].placed);
                let moved = inertia.transformed(&seen.rotation, &seen.translation.vector);
                all[k] = moved.scaled(share).unwrap_or(moved);
            }
            all[heavy] = inertia.scaled(left).unwrap_or(inertia);
        }
        all
    }

    /// Factor of all masses that makes their sum what the compiler wants.
    fn mass_factor(&self) -> f64 {
        let sum: f64 = self.bodies.iter().filter_map(|it| Some(it.inertia?.mass())).sum();
        self.compiler.total_mass.filter(|_| sum > 0.0).map_or(1.0, |wanted| wanted / sum)
    }

    /// The inertia of a body by itself, within the bounds of the compiler.
    fn own_inertia(&self, number: usize, factor: f64) -> Option<SpatialInertia> {
        let inertia = self.bodies[number].inertia?.scaled(factor).ok()?;
        let [least_mass, least_moment] = self.compiler.least;
        let (moments, axes) = inertia.principal();
        if inertia.mass() >= least_mass && moments.min() >= least_moment {
            return Some(inertia);
        }
        let moments = Mat3::from_diagonal(&moments.map(|x| x.max(least_moment)));
        let axes = axes.to_rotation_matrix().into_inner();
        let rotational = axes * moments * axes.transpose();
        SpatialInertia::new(inertia.mass().max(least_mass), inertia.center_of_mass(), rotational)
            .ok()
    }

    /// The meshes of a body in its frame: those that touch, or else all.
    fn surface(&mut self, number: usize) -> Option<SurfaceMesh> {
        let geoms: Vec<usize> = self.bodies[number].geoms.clone();
        let is_mesh = |k: &usize| matches!(self.geoms[*k].solid, Solid::Mesh(_));
        let meshes: Vec<usize> = geoms.into_iter().filter(is_mesh).collect();
        let touching: Vec<usize> =
            meshes.iter().copied().filter(|&k| self.geoms[k].bits != [0, 0]).collect();
        self.joined(if touching.is_empty() { &meshes } else { &touching })
    }

    /// Meshes of geoms as one, in the frame of their body; one that is missing is told.
    fn joined(&mut self, geoms: &[usize]) -> Option<SurfaceMesh> {
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for &number in geoms {
            let geom = self.geoms[number].clone();
            let Solid::Mesh(name) = &geom.solid else { continue };
            let mesh = match self.mesh(name, geom.view.at.span) {
                Ok(mesh) => mesh,
                Err(error) => {
                    let message =
                        format!("{} is not drawn: {}", geom.view.at.label(), error.message);
                    self.findings.warn(error.span, message);
                    continue;
                }
            };
            let base = vertices.len() as u32;
            let moved = |v: &Vec3| geom.pose.transform_point(&(*v).into()).coords;
            vertices.extend(mesh.vertices().iter().map(moved));
            triangles.extend(mesh.triangles().iter().map(|t| t.map(|corner| corner + base)));
        }
        if triangles.is_empty() { None } else { SurfaceMesh::new(vertices, triangles).ok() }
    }

    /// Meshes of the world.
    fn add_scenery(&mut self) {
        let geoms = self.bodies[0].geoms.clone();
        if let Some(mesh) = self.joined(&geoms) {
            let handle = self.model.add(RenderMesh::new("world", mesh));
            let span = self.bodies[0].view.at.span;
            self.put(handle.id(), span);
        }
    }

    /// Adds the joints of all bodies, and learns their coordinates.
    pub(super) fn add_joints(&mut self) {
        for number in 1..self.bodies.len() {
            let body = &self.bodies[number];
            let free = body.joints.iter().any(|it| it.kind == JointType::Free);
            let built = match body.joints.is_empty() {
                _ if free => Ok(()),
                true if body.welded == 0 => Ok(()),
                true => self.add_weld(number),
                false => self.add_chain(number),
            };
            self.findings.take(built);
        }
    }

    fn add_weld(&mut self, number: usize) -> Result<(), Diagnostic> {
        let body = &self.bodies[number];
        let d = self.frame_site(body.parent, &body.pose);
        let c = self.frame_site(number, &Pose::identity());
        let (name, span) = (plain_name(&body.name), body.view.at.span);
        let handle = self.model.add(Joint { name, ..Joint::new(JointKind::Solid, c, d) });
        self.put(handle.id(), span);
        Ok(())
    }

    /// The joints of a body, one after the other: as many as one joint can be, with light bodies between them.
    fn add_chain(&mut self, number: usize) -> Result<(), Diagnostic> {
        let body = self.bodies[number].clone();
        let parts = parts(&body.joints);
        let mut at = self.before_joints(number);
        let mut d = self.frame_site(body.parent, &body.pose);
        for (k, &[first, end]) in parts.iter().enumerate() {
            let joints = &body.joints[first..end];
            at = joints.iter().fold(at, |at, joint| at.after(joint));
            let last = end == body.joints.len();
            let c = if last {
                self.frame_site(number, &Pose::identity())
            } else {
                let link = self.add_link(&body, (k, &at))?;
                FrameSite::on(link, Pose::identity())
            };
            self.add_part(number, [first, end], (c, d))?;
            d = c;
        }
        Ok(())
    }

    /// A light body between joints of a body.
    fn add_link(
        &mut self,
        body: &records::Body<'d>,
        (k, at): (usize, &Moving),
    ) -> Result<Handle<RigidBody>, Diagnostic> {
        let own = body
            .inertia
            .map_or_else(|| SpatialInertia::new(1.0, Vec3::zeros(), Mat3::identity()), Ok);
        let inertia = own.and_then(|it| it.scaled(NEGLIGIBLE));
        let inertia = inertia.map_err(|error| body.view.at.refused(error.to_string()))?;
        let name = format!("{}_link_{}", plain_name(&body.name), k + 1);
        let message = format!(
            "the joints of body '{}' are no single joint here: '{name}' between them has a millionth of its \
             inertia",
            body.name
        );
        self.findings.note(body.view.at.span, message);
        let mut made = RigidBody::new(name, Inertia::Explicit(inertia)).at(at.pose);
        made.velocity = at.motion.velocity;
        made.angular_velocity = at.motion.angular_velocity;
        let handle = self.model.add(made);
        self.put(handle.id(), body.view.at.span);
        Ok(handle)
    }

    /// One joint of the model for some of a body's, between frames of which C is fixed to D in the pose of the file.
    fn add_part(
        &mut self,
        number: usize,
        [first, end]: [usize; 2],
        (c, d): (FrameSite, FrameSite),
    ) -> Result<(), Diagnostic> {
        let joints = self.bodies[number].joints[first..end].to_vec();
        let (span, name) = (joints[0].view.at.span, plain_name(&joints[0].name));
        let anchor = shifted(anchor(&joints));
        let [c, d] = [c, d].map(|site| FrameSite { pose: site.pose * anchor, ..site });
        if joints[0].kind == JointType::Ball {
            let handle = self.model.add(Joint { name, ..Joint::new(JointKind::Spherical, c, d) });
            self.put(handle.id(), span);
            return Ok(());
        }
        let settings: Vec<CoordinateSettings> = joints.iter().map(|it| self.settings(it)).collect();
        let (id, names) = match built_in(&transform(&joints), joints.len()) {
            Some(found) => {
                let made = Joint { name, ..joint_of(&found, (c, d), settings) };
                let specs = found.kind.coordinate_specs();
                let names = specs.iter().map(|spec| spec.name.to_string()).collect();
                (self.model.add(made).id(), names)
            }
            None => {
                let mut made = custom(&name, &joints, (c, d)).map_err(|why| {
                    let label = &self.bodies[number].name;
                    joints[0].view.at.refused(format!("joints of body '{label}': {why}"))
                })?;
                made.coordinates = settings;
                (self.model.add(made).id(), joints.iter().map(|it| it.name.clone()).collect())
            }
        };
        self.put(id, span);
        self.learn_coordinates((number, first), id, names);
        Ok(())
    }

    fn learn_coordinates(
        &mut self,
        (number, first): (usize, usize),
        id: sinew::component::ComponentId,
        names: Vec<String>,
    ) {
        let joints = self.bodies[number].joints.iter_mut().skip(first);
        for (joint, name) in joints.zip(names) {
            joint.coordinate = Some(JointCoordinate::new(id, name));
        }
    }

    /// The range, where it is kept: one that follows others stays where these are.
    fn settings(&self, joint: &records::Joint<'_>) -> CoordinateSettings {
        let range = match joint.range {
            Some([low, high]) if !self.follows(&joint.name) && !self.compiler.is_off("limit") => {
                Range::new(low, high)
            }
            _ => Range::FREE,
        };
        CoordinateSettings { range, ..CoordinateSettings::default() }
    }
}

/// A joint of functions with the coordinates of the file.
fn custom(
    name: &str,
    joints: &[records::Joint<'_>],
    (c, d): (FrameSite, FrameSite),
) -> Result<CustomJoint, MotionError> {
    let variable = |it: &records::Joint<'_>| MotionVariable {
        name: it.name.clone(),
        value: it.value,
        range: it.range,
    };
    let variables = joints.iter().map(variable).collect();
    let motion = JointMotion { variables, transform: transform(joints) };
    CustomJoint::moving(name, motion, c, d)
}

/// The anchor of the turns of a joint of the model.
fn anchor(joints: &[records::Joint<'_>]) -> Vec3 {
    let turning = joints.iter().find(|it| it.kind != JointType::Slide);
    turning.map_or(Vec3::zeros(), |it| it.anchor)
}

/// Joints of a body in parts that are one joint of the model each: ways along three axes at most, then turns about three
/// at most through one point; a ball is one by itself.
fn parts(joints: &[records::Joint<'_>]) -> Vec<[usize; 2]> {
    let mut parts: Vec<[usize; 2]> = Vec::new();
    for (k, joint) in joints.iter().enumerate() {
        let fits = parts.last().is_some_and(|&[first, _]| fits(&joints[first..k], joint));
        match parts.last_mut() {
            Some(part) if fits => part[1] = k + 1,
            _ => parts.push([k, k + 1]),
        }
    }
    parts
}

/// Sine of the angle between axes below which they are taken for parallel.
const PARALLEL: f64 = 1e-4;

fn fits(part: &[records::Joint<'_>], next: &records::Joint<'_>) -> bool {
    let turns: Vec<_> = part.iter().filter(|it| it.kind == JointType::Hinge).collect();
    let ways: Vec<Vec3> =
        part.iter().filter(|it| it.kind == JointType::Slide).map(|it| it.axis).collect();
    match next.kind {
        _ if part.iter().any(|it| it.kind == JointType::Ball) => false,
        JointType::Ball | JointType::Free => false,
        JointType::Slide if !turns.is_empty() => false,
        JointType::Slide => match ways[..] {
            [a] => a.cross(&next.axis).norm() > PARALLEL,
            [a, b] => a.cross(&b).dot(&next.axis).abs() > PARALLEL,
            _ => ways.is_empty(),
        },
        JointType::Hinge => {
            let last = turns.last();
            let apart = |it: &&records::Joint<'_>| it.axis.cross(&next.axis).norm() > PARALLEL;
            let meet = turns.iter().all(|it| (it.anchor - next.anchor).norm() < 1e-12);
            turns.len() < 3 && meet && last.is_none_or(apart)
        }
    }
}

/// The motion of a part: turns about and ways along the axes of its joints.
fn transform(joints: &[records::Joint<'_>]) -> SpatialTransform {
    let mut made = SpatialTransform::rest();
    let line = |joint: &records::Joint<'_>, coordinate: usize| SpatialAxis {
        direction: joint.axis,
        function: Function::Linear(vec![1.0], -joint.reference),
        of: vec![coordinate],
    };
    let (mut turns, mut ways) = (0, Vec::new());
    for (k, joint) in joints.iter().enumerate() {
        if joint.kind == JointType::Slide {
            ways.push(line(joint, k));
        } else {
            made.turns[turns] = line(joint, k);
            turns += 1;
        }
    }
    // Axes that nothing moves along fill the space with the others.
    let known: Vec<Vec3> = ways.iter().map(|it| it.direction).collect();
    let free = complement(&known);
    ways.extend(free.into_iter().map(|direction| SpatialAxis::constant(direction, 0.0)));
    for (to, way) in made.ways.iter_mut().zip(ways) {
        *to = way;
    }
    made
}

/// Directions that make three with those that are known.
fn complement(known: &[Vec3]) -> Vec<Vec3> {
    match known {
        [] => vec![Vec3::x(), Vec3::y(), Vec3::z()],
        [a] => {
            let other = if a.x.abs() < 0.6 { Vec3::x() } else { Vec3::y() };
            let b = a.cross(&other).normalize();
            vec![b, a.cross(&b)]
        }
        [a, b] => vec![a.cross(b).normalize()],
        _ => Vec::new(),
    }
}

/// A joint of a built-in kind between frames in which the file says it.
fn joint_of(
    found: &BuiltIn,
    (c, d): (FrameSite, FrameSite),
    coordinates: Vec<CoordinateSettings>,
) -> Joint {
    let at = |site: FrameSite, pose: &Pose| FrameSite { pose: site.pose * pose, ..site };
    let made = Joint::new(found.kind, at(c, &found.in_c), at(d, &found.in_d));
    Joint { settings: JointSettings { coordinates, ..JointSettings::new(found.kind) }, ..made }
}
