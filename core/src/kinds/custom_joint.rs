//! Joints along and about axes by functions of coordinates, and joints that the user's own code defines. Their coordinates:
//! `custom_coordinates.rs`.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::custom_coordinates::coordinate_table;
use super::images::SiteImage;
use crate::Vec3;
use crate::component::{ComponentId, Invalidates, Reference, TransformRefusal};
use crate::constraint::spatial::{JointMotion, MotionError, MotionLaw, SpatialTransform};
use crate::constraint::{Compliance, CoordinateSettings, JointFunctions, JointLaw};
use crate::kinds::FrameSite;
use crate::property::{
    CheckError, CodeKind, Components, JointImage, ModelComponent, OnePath, Pose, Problem, Put,
    Refusal, Transformation, properties,
};

/// A joint whose poses, errors and coordinates are functions (docs/reference/joints.md): of a motion about and along
/// axes that is data, such as a knee along measured curves; or of one's own code. A file has the motion, and code that goes
/// by a registered name, and no closures. They are compared with each other, and their derivatives with differences, when a model is compiled.
#[derive(Clone, Serialize, Deserialize)]
#[serde(from = "Written")]
pub struct CustomJoint {
    /// Name in paths and reports; may be empty.
    pub name: String,
    /// Frame C.
    pub c: FrameSite,
    /// Frame D.
    pub d: FrameSite,
    /// Compliance of each row; those that are left out at the end of joints of registered code are rigid.
    pub rows: Vec<Compliance>,
    /// Range, lock and compliance of each coordinate; those that are left out at the end of joints of registered code are
    /// free.
    pub coordinates: Vec<CoordinateSettings>,
    /// True if it holds.
    pub enabled: bool,
    /// The motion that its functions are made of; `None` where they are code.
    motion: Option<JointMotion>,
    /// Name that its code is registered under; empty for a motion and for functions of its own.
    #[serde(skip_serializing_if = "String::is_empty")]
    code: String,
    #[serde(skip)]
    functions: Arc<JointFunctions>,
    /// The law of the motion, where that has one.
    #[serde(skip)]
    law: Option<Arc<MotionLaw>>,
    /// Fault of the motion, which then has no functions.
    #[serde(skip)]
    fault: Option<MotionError>,
}

/// A custom joint as it is written.
#[derive(Deserialize)]
struct Written {
    name: String,
    c: FrameSite,
    d: FrameSite,
    rows: Vec<Compliance>,
    coordinates: Vec<CoordinateSettings>,
    enabled: bool,
    #[serde(default)]
    motion: Option<JointMotion>,
    #[serde(default)]
    code: String,
}

impl From<Written> for CustomJoint {
    fn from(written: Written) -> Self {
        let Written { name, c, d, rows, coordinates, enabled, motion, code } = written;
        let mut joint =
            Self { name, rows, coordinates, enabled, motion, ..Self::registered(code, c, d) };
        joint.update_functions();
        joint
    }
}

impl CustomJoint {
    /// A rigid joint between frame C and frame D, with the ranges that its coordinates come with.
    pub fn new(functions: JointFunctions, c: FrameSite, d: FrameSite) -> Self {
        let rows = vec![Compliance::default(); functions.rows.len()];
        let free = |range| CoordinateSettings { range, ..CoordinateSettings::default() };
        let coordinates = functions.coordinates.iter().map(|spec| free(spec.range)).collect();
        let (name, functions) = (functions.name.clone(), Arc::new(functions));
        Self { name, rows, coordinates, functions, ..Self::registered("", c, d) }
    }

    /// A rigid joint with free coordinates, of the functions that the code of this name makes; properties that are declared
    /// on it are the parameters of the code ([`CodeRegistry`](crate::model::CodeRegistry)).
    pub fn registered(code: impl Into<String>, c: FrameSite, d: FrameSite) -> Self {
        Self {
            name: String::new(),
            c,
            d,
            rows: Vec::new(),
            coordinates: Vec::new(),
            enabled: true,
            motion: None,
            code: code.into(),
            functions: JointFunctions::none(),
            law: None,
            fault: None,
        }
    }

    /// A rigid joint of a motion that is data, with free coordinates.
    ///
    /// # Errors
    /// [`MotionError`]: axes that leave no coordinates, a coordinate that no axis follows alone.
    pub fn moving(
        name: impl Into<String>,
        motion: JointMotion,
        c: FrameSite,
        d: FrameSite,
    ) -> Result<Self, MotionError> {
        let name = name.into();
        let law = Arc::new(motion.law()?);
        let made = Self::new(law.clone().functions(&name), c, d);
        Ok(Self { motion: Some(motion), law: Some(law), ..made })
    }

    /// One without a motion, to set.
    pub(crate) fn blank(site: FrameSite) -> Self {
        let motion = Some(JointMotion::default());
        let mut joint = Self { motion, ..Self::registered("", site, site) };
        joint.update_functions();
        joint
    }

    /// Functions of its own, of a motion or a closure; those of registered code are found by
    /// [`Model::joint_functions`](crate::property::Components::joint_functions).
    pub fn functions(&self) -> &JointFunctions {
        &self.functions
    }

    pub(crate) fn own_functions(&self) -> &Arc<JointFunctions> {
        &self.functions
    }

    /// Its kinematics in a system, with these functions.
    pub(crate) fn law(&self, functions: Arc<JointFunctions>) -> JointLaw {
        match &self.law {
            Some(law) => JointLaw::Motion(law.clone()),
            None => JointLaw::Functions(functions),
        }
    }

    /// The motion that its functions are made of; `None` where they are code.
    pub fn motion(&self) -> Option<&JointMotion> {
        self.motion.as_ref()
    }

    /// True if its functions are code, registered or not.
    pub fn is_code(&self) -> bool {
        self.motion.is_none()
    }

    /// True if its functions are code without a name, which no file has.
    pub fn is_closure(&self) -> bool {
        self.is_code() && self.code.is_empty()
    }

    /// True if its functions are those of registered code.
    pub fn is_registered(&self) -> bool {
        !self.code.is_empty()
    }

    /// Name that its code is registered under; empty where there is none.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// Coordinates at the start [m and rad] by these functions: of those that describe the same pose, the smallest.
    pub(crate) fn start(
        &self,
        functions: &JointFunctions,
        model: &dyn Components,
    ) -> Option<Vec<f64>> {
        let pose = self.d.world_pose(model)?.inv_mul(&self.c.world_pose(model)?);
        let zeros = vec![0.0; functions.coordinates.len()];
        let mut values = zeros.clone();
        functions.calc_coordinates(&pose, &zeros, &mut values);
        Some(values)
    }

    /// Goes by registered code from now on; by a motion where the name is empty.
    fn put_code(&mut self, code: String) -> Put {
        if self.is_closure() {
            return match code.is_empty() {
                true => Ok(()),
                false => Err(Refusal::Value("its functions are a closure, which has no name")),
            };
        }
        if code.is_empty() != self.code.is_empty() {
            let motion = code.is_empty().then(JointMotion::default);
            let (name, enabled) = (std::mem::take(&mut self.name), self.enabled);
            *self = Self { name, enabled, motion, ..Self::registered("", self.c, self.d) };
        }
        self.code = code;
        self.update_functions();
        Ok(())
    }

    fn check_code(&self, model: &dyn Components) -> Result<(), CheckError> {
        match self.is_registered() {
            true => model.check_code(CodeKind::Joint, &self.code),
            false => Ok(()),
        }
    }

    /// Image of its code under a transformation that scales or mirrors both of its sides; `None` where there is none to
    /// make.
    pub(crate) fn code_image(
        &self,
        transformation: &Transformation<'_>,
    ) -> Result<Option<JointImage>, TransformRefusal> {
        let deforms = transformation.map.rigid().is_none();
        let moves = [&self.c, &self.d].map(|site| transformation.moves_site(site));
        if !self.is_code() || !deforms || moves == [false, false] {
            return Ok(None);
        }
        let Some(image) = transformation.site(&self.d, 2)? else {
            return Err(TransformRefusal::Code);
        };
        if !self.is_registered() || moves != [true, true] {
            return Err(TransformRefusal::Code);
        }
        transformation.joint_image(&self.code, &image.linear).map(Some)
    }

    /// Makes the functions of the motion, and rows and coordinates of their number.
    fn update_functions(&mut self) {
        let Some(motion) = &self.motion else { return };
        let made = motion.law();
        self.fault = made.as_ref().err().cloned();
        self.law = made.ok().map(Arc::new);
        self.functions = match &self.law {
            Some(law) => Arc::new(law.clone().functions(&self.name)),
            None => JointFunctions::none(),
        };
        if self.fault.is_none() {
            self.rows.resize_with(self.functions.rows.len(), Compliance::default);
        }
        // Lists over coordinates are as long as the motion says, whatever its fault.
        self.coordinates.resize_with(motion.variables.len(), CoordinateSettings::default);
    }

    fn put_variables(&mut self, text: &str) -> Put {
        let Some(motion) = &mut self.motion else { return Err(CODE) };
        let found = JointMotion::variables_from_text(text)
            .map_err(|_| Refusal::Value("it must be like 'knee at 0 from -2 to 0.2; beta at 0'"))?;
        motion.variables = found;
        self.update_functions();
        Ok(())
    }

    fn put_motion(&mut self, text: &str) -> Put {
        let Some(motion) = &mut self.motion else { return Err(CODE) };
        motion.transform = SpatialTransform::from_text(text).map_err(|_| {
            Refusal::Value(
                "it must be three turns and three ways, each like 'turn 0 0 1 of 0 by linear 0 1' (docs/reference/joints.md)",
            )
        })?;
        self.update_functions();
        Ok(())
    }

    fn check_sides(&self, model: &dyn Components) -> Result<(), CheckError> {
        model.check_sides(&self.c, &self.d)
    }

    pub(super) fn check_motion(&self, _: &dyn Components) -> Result<(), CheckError> {
        self.check_counts()
    }

    fn check_counts(&self) -> Result<(), CheckError> {
        for (k, settings) in self.coordinates.iter().enumerate() {
            let checked = settings.check("custom", &k.to_string());
            checked.map_err(|error| Problem::Joint(Box::new(error)).at("coordinates"))?;
        }
        if self.is_registered() {
            return Ok(());
        }
        if let Some(fault) = &self.fault {
            return Err(Problem::Motion(Box::new(fault.clone())).at("motion"));
        }
        let functions = &self.functions;
        let counts = [
            ("rows", self.rows.len(), functions.rows.len()),
            ("coordinates", self.coordinates.len(), functions.coordinates.len()),
        ];
        for (at, given, expected) in counts {
            if given != expected {
                return Err(Problem::Length { given, expected }.at(at));
            }
        }
        Ok(())
    }
}

const CODE: Refusal = Refusal::Value("its functions are code: it has no motion as text");

impl fmt::Debug for CustomJoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct("CustomJoint");
        text.field("name", &self.name).field("c", &self.c).field("d", &self.d);
        text.finish_non_exhaustive()
    }
}

impl ModelComponent for CustomJoint {
    const HOME: Option<&'static str> = Some("connectors");
    const MOVED: Invalidates = Invalidates::GEOMETRY;

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        [self.c, self.d].iter().for_each(|site| site.visit(visit));
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.c.redirect(map);
        self.d.redirect(map);
    }

    /// Frames move with what they are on, and a motion with frame D. Coordinates of code go by its image, and its parameters
    /// too, which are not here.
    fn transform(&mut self, transformation: &Transformation<'_>) -> Result<(), TransformRefusal> {
        let factors = self.code_image(transformation)?.unwrap_or_default().factors;
        for (coordinate, factor) in self.coordinates.iter_mut().zip(factors) {
            coordinate.scale(factor);
        }
        let images = [transformation.site(&self.c, 2)?, transformation.site(&self.d, 2)?];
        let [is_c, is_d] = [0, 1].map(|k| images[k].as_ref().is_some_and(SiteImage::is_mirrored));
        if is_c != is_d {
            return Err(TransformRefusal::HalfMirrored);
        }
        if let [Some(_), Some(image)] = &images
            && let Some(motion) = &mut self.motion
        {
            motion.transform = motion.transform.mapped(&image.linear);
        }
        for (site, image) in [&mut self.c, &mut self.d].into_iter().zip(images) {
            site.pose = image.map_or(site.pose, |image| image.pose);
        }
        self.update_functions();
        Ok(())
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_sides(model)?;
        self.check_counts()?;
        self.check_code(model)
    }

    properties! { CustomJoint {
        "enabled": bool = true, "", FINITE, STRUCTURE, "True if it is in force", own (enabled);
        "body_c": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "The rigid body that frame C is on; empty for the ground",
            reference (|joint| joint.c.addresses(), |joint, to| joint.c.put(to)), check CustomJoint::check_sides;
        "body_d": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "The rigid body that frame D is on; empty for the ground",
            reference (|joint| joint.d.addresses(), |joint, to| joint.d.put(to)), check CustomJoint::check_sides;
        "frame_c": Pose = Pose::identity(), "m, -", FINITE, GEOMETRY, "Frame C, in that of its body or of the world: position, then the quaternion i j k w", own (c.pose);
        "frame_d": Pose = Pose::identity(), "m, -", FINITE, GEOMETRY, "Frame D, in that of its body or of the world", own (d.pose);
        "code": String = String::new(), "", FINITE, STRUCTURE, "Name that its code is registered under, in place of a motion; declared properties are the parameters of the code",
            replacing (|it: &CustomJoint| Some(it.code.clone()), |it: &mut CustomJoint, code| it.put_code(code)), check CustomJoint::check_code;
        "variables": String = String::new(), "", FINITE, STRUCTURE, "Its coordinates: the name, a value that is to be read from poses, and a range: 'knee at 0 from -2 to 0.2'; parted by ';' (docs/reference/joints.md)",
            via (|it: &CustomJoint| Some(it.motion.as_ref()?.variables_text()), |it: &mut CustomJoint, text: String| it.put_variables(&text));
        "motion": String = SpatialTransform::rest().text(), "", FINITE, STRUCTURE, "The pose of C seen from D: three turns and three ways, parted by ';', each an axis with a function of coordinates by their numbers: 'turn 0 0 1 of 0 by linear 0 1'",
            via (|it: &CustomJoint| Some(it.motion.as_ref()?.transform.text()), |it: &mut CustomJoint, text: String| it.put_motion(&text)), check CustomJoint::check_motion;
        "ranges": Vec<f64> = Vec::new(), "m, rad", FINITE, STRUCTURE, "Least and largest value of each of its coordinates; a pair that falls is no range, and an empty list none for all",
            via (|it: &CustomJoint| Some(it.ranges()), |it: &mut CustomJoint, list: Vec<f64>| it.put_ranges(&list));
        "locked": Vec<f64> = Vec::new(), "", FINITE, STRUCTURE, "1 for each of its coordinates that is locked at its value, else 0",
            via (|it: &CustomJoint| Some(it.locks()), |it: &mut CustomJoint, list: Vec<f64>| it.put_locks(&list));
        ..coordinate_table();
        "coordinates": Vec<f64> = Vec::new(), "m, rad", FINITE, NOTHING, "Its coordinates, in the order of its functions", simulated ();
        "force": Vec3 = Vec3::zeros(), "N", FINITE, NOTHING, "Force on the body of frame C at the origin of C, mean over the last step; zero before the first", simulated ();
        "moment": Vec3 = Vec3::zeros(), "N m", FINITE, NOTHING, "Moment on the body of frame C about the origin of C, world axes, mean over the last step", simulated ();
        "multipliers": Vec<f64> = Vec::new(), "N, N m", FINITE, NOTHING, "Forces of its rows, then of its locked coordinates, mean over the last step", simulated ();
    } }
}
