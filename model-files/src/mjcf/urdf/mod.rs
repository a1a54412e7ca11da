//! URDF: robots of links and joints (ROS), as the elements of MuJoCo that say the same, with the places of what they were.

mod joints;
mod shapes;

use std::collections::{BTreeMap, BTreeSet};

use super::include::Files;
use super::xml::{DEEPEST, Element};
use crate::diagnostic::{Diagnostic, Findings};
use crate::unread::{Effect, Unread};

/// Parameter that says whether the root link is on the ground.
pub(super) const BASE: &str = "base";

/// Elements and attributes that are for drawing and for what drives a robot.
const NO_EFFECT: [&str; 8] = [
    "material",
    "name",
    "type",
    "version",
    "effort",
    "velocity",
    "safety_controller",
    "calibration",
];

/// A robot being translated.
struct Robot<'d> {
    files: &'d Files,
    links: BTreeMap<&'d str, &'d Element>,
    /// Joints by the names of their parent links, in the order of the file.
    below: BTreeMap<&'d str, Vec<&'d Element>>,
    /// Names of meshes by their files and scales.
    meshes: BTreeMap<[String; 2], String>,
    asset: Element,
    equality: Element,
    is_free: bool,
}

/// The document of MuJoCo that says what a robot says.
///
/// # Errors
/// Links and joints that are no tree, parts without what they must have.
pub(super) fn translated(
    robot: &Element,
    files: &Files,
    base: Option<&str>,
    findings: &mut Findings,
) -> Result<Element, Diagnostic> {
    let (made, span) = (|tag: &str| Element::made(tag, robot.span), robot.span);
    let mut document = made("mujoco").with("model", robot.name(), span);
    let compiler = made("compiler").with("angle", "radian", span).with("eulerseq", "XYZ", span);
    document.children.push(compiler);
    // Settings of MuJoCo, where a robot has some.
    let own = robot.all("mujoco").flat_map(|it| it.mark().children.iter());
    document.children.extend(own.inspect(|it| it.mark_all()).cloned().map(unread_again));
    let mut all = Robot {
        files,
        links: BTreeMap::new(),
        below: BTreeMap::new(),
        meshes: BTreeMap::new(),
        asset: made("asset"),
        equality: made("equality"),
        is_free: is_free(base)?,
    };
    let root = all.root(robot)?;
    let mut world = made("worldbody");
    match root.title() {
        "world" if root.children.is_empty() => all.add_joints(root, 1, &mut world)?,
        _ => world.children.push(all.body(root, None, 1)?),
    }
    document.children.extend([all.asset, world, all.equality]);
    let mut unread = Unread::default();
    collect(robot, &mut unread);
    unread.tell(findings);
    Ok(document)
}

/// An element whose parts the reader of MuJoCo's documents marks anew.
fn unread_again(at: Element) -> Element {
    let mut made = Element::made(&at.tag, at.span);
    for it in &at.attributes {
        made = made.with(&it.name, &it.value, it.span);
    }
    made.children = at.children.into_iter().map(unread_again).collect();
    made
}

fn is_free(base: Option<&str>) -> Result<bool, Diagnostic> {
    match base {
        None | Some("fixed") => Ok(false),
        Some("free") => Ok(true),
        Some(other) => {
            let message = format!("parameter {BASE} must be fixed or free, got '{other}'");
            Err(Diagnostic::error(None, message))
        }
    }
}

/// The name that an attribute of a child says, as `link` of `<parent>`.
fn named<'d>(at: &'d Element, tag: &str, attribute: &str) -> Result<&'d str, Diagnostic> {
    let found = at.child(tag).and_then(|it| it.attribute(attribute));
    let missing = || at.refused(format!("{} has no <{tag} {attribute}=\"..\">", at.label()));
    found.map(|it| it.value.as_str()).ok_or_else(missing)
}

impl<'d> Robot<'d> {
    /// Learns links and joints; the link that is below no joint.
    fn root(&mut self, robot: &'d Element) -> Result<&'d Element, Diagnostic> {
        for link in robot.mark().all("link") {
            if self.links.insert(link.mark().name(), link).is_some() {
                return Err(link.refused(format!("{} is there twice", link.label())));
            }
        }
        let mut children = BTreeSet::new();
        for joint in robot.all("joint") {
            joint.mark();
            let [parent, child] = [named(joint, "parent", "link")?, named(joint, "child", "link")?];
            for name in [parent, child] {
                if !self.links.contains_key(name) {
                    let message = format!("{}: there is no link '{name}'", joint.label());
                    let known = self.links.keys().copied();
                    return Err(Diagnostic::unknown(joint.span, message, name, known));
                }
            }
            if !children.insert(child) {
                let message = format!("link '{child}' is the child of two joints");
                let help = "a robot is a tree: close loops in a model file that includes it";
                return Err(joint.refused(message).help(help));
            }
            self.below.entry(parent).or_default().push(joint);
        }
        let mut roots = self.links.iter().filter(|(name, _)| !children.contains(*name));
        match (roots.next(), roots.next()) {
            (Some((_, &root)), None) => self.check_reached(root).map(|()| root),
            (Some((first, _)), Some((other, at))) => {
                let message = format!("links '{first}' and '{other}' are both below no joint");
                Err(at.refused(message).help("a robot has one root link"))
            }
            (None, _) => Err(robot.refused("the robot has no link that is below no joint")),
        }
    }

    /// Refuses links in circles, which the root does not reach.
    fn check_reached(&self, root: &'d Element) -> Result<(), Diagnostic> {
        let (mut open, mut reached) = (vec![root.title()], BTreeSet::new());
        while let Some(link) = open.pop() {
            reached.insert(link);
            let joints = self.below.get(link).into_iter().flatten();
            open.extend(joints.filter_map(|it| named(it, "child", "link").ok()));
        }
        match self.links.iter().find(|(name, _)| !reached.contains(*name)) {
            Some((name, at)) => Err(at.refused(format!("link '{name}' is below itself"))),
            None => Ok(()),
        }
    }

    /// The body of a link at the joint that it is below.
    fn body(
        &mut self,
        link: &'d Element,
        by: Option<&'d Element>,
        depth: usize,
    ) -> Result<Element, Diagnostic> {
        if depth > DEEPEST {
            return Err(link.refused(format!("more than {DEEPEST} links below each other")));
        }
        let mut body = Element::made("body", link.span).with("name", link.title(), link.span);
        match by {
            Some(joint) => {
                body = placed(body, joint);
                body.children.extend(joints::of(joint)?);
                self.equality.children.extend(joints::mimic(joint)?);
            }
            None if self.is_free => body.children.push(Element::made("freejoint", link.span)),
            None => {}
        }
        body.children.extend(inertial(link)?);
        for at in link.children.iter().filter(|it| matches!(&*it.tag, "visual" | "collision")) {
            body.children.push(self.geom(at.mark())?);
        }
        self.add_joints(link, depth, &mut body)?;
        Ok(body)
    }

    /// Adds the bodies below a link.
    fn add_joints(
        &mut self,
        link: &'d Element,
        depth: usize,
        to: &mut Element,
    ) -> Result<(), Diagnostic> {
        for joint in self.below.get(link.title()).cloned().unwrap_or_default() {
            let child = self.links[named(joint, "child", "link")?];
            if joint.kind() == "floating" && to.tag != "worldbody" {
                let message = format!("{} floats, and its parent is not 'world'", joint.label());
                return Err(joint.refused(message).help("a free link has a root link 'world'"));
            }
            to.children.push(self.body(child, Some(joint), depth + 1)?);
        }
        Ok(())
    }
}

/// The same element at the `<origin>` of another.
fn placed(mut made: Element, at: &Element) -> Element {
    let Some(origin) = at.child("origin") else { return made };
    for (theirs, ours) in [("xyz", "pos"), ("rpy", "euler")] {
        if let Some(it) = origin.attribute(theirs) {
            made = made.with(ours, &it.value, it.span);
        }
    }
    made
}

/// Mass and moments of a link.
fn inertial(link: &Element) -> Result<Option<Element>, Diagnostic> {
    let Some(at) = link.child("inertial") else { return Ok(None) };
    let mass = at.child("mass").and_then(|it| it.attribute("value"));
    let mass = mass
        .ok_or_else(|| at.refused(format!("<inertial> of {} has no <mass value>", link.label())))?;
    let mut made = placed(Element::made("inertial", at.span), at);
    made = made.with("mass", &mass.value, mass.span);
    if let Some(inertia) = at.child("inertia") {
        let moment = |name: &str| inertia.attribute(name).map_or("0", |it| &it.value);
        let list = ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"].map(moment);
        made = made.with("fullinertia", list.join(" "), inertia.span);
    }
    Ok(Some(made))
}

fn collect(at: &Element, unread: &mut Unread) {
    let effect = |name: &str| match NO_EFFECT.contains(&name) {
        true => Effect::None,
        false => Effect::Possible,
    };
    for attribute in at.attributes.iter().filter(|it| !it.is_read()) {
        let kind = format!("{} of <{}>", attribute.name, at.tag);
        unread.add(kind, attribute.span, effect(&attribute.name));
    }
    for child in &at.children {
        match child.is_read() {
            true => collect(child, unread),
            false => {
                let kind = format!("<{}> in <{}>", child.tag, at.tag);
                unread.add(kind, child.span, effect(&child.tag));
            }
        }
    }
}
