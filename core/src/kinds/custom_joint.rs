//! Joints along and about axes by functions of coordinates, and joints that the user's own code defines.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::images::SiteImage;
use crate::component::{ComponentId, Invalidates, Reference, TransformRefusal};
use crate::constraint::spatial::{JointMotion, MotionError, MotionLaw, SpatialTransform};
use crate::constraint::{
    Compliance, CoordinateSettings, JointFunctions, JointLaw, Range as Limits,
};
use crate::kinds::FrameSite;
use crate::property::{
    CheckError, Components, ModelComponent, OnePath, Pose, Problem, Put, Refusal, Transformation,
    properties,
};

/// A joint whose poses, errors and coordinates are functions (docs/reference/joints.md): of a motion about and along
/// axes that is data and can be written to a file, such as a knee along measured curves; or of one's own code, which
/// cannot. They are compared with each other, and their derivatives with differences, when a model is compiled.
#[derive(Clone, Serialize, Deserialize)]
#[serde(from = "Written")]
pub struct CustomJoint {
    /// Name in paths and reports; may be empty.
    pub name: String,
    /// Frame C.
    pub c: FrameSite,
    /// Frame D.
    pub d: FrameSite,
    /// Compliance of each row.
    pub rows: Vec<Compliance>,
    /// Range, lock and compliance of each coordinate.
    pub coordinates: Vec<CoordinateSettings>,
    /// True if it holds.
    pub enabled: bool,
    /// The motion that its functions are made of; `None` where they are code.
    motion: Option<JointMotion>,
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
}

impl From<Written> for CustomJoint {
    fn from(written: Written) -> Self {
        let Written { name, c, d, rows, coordinates, enabled, motion } = written;
        let (functions, law, fault) = (JointFunctions::none(), None, None);
        let mut joint =
            Self { name, c, d, rows, coordinates, enabled, motion, functions, law, fault };
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
        let (enabled, motion, law, fault) = (true, None, None, None);
        Self { name, c, d, rows, coordinates, enabled, motion, functions, law, fault }
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
        let (motion, functions) = (Some(JointMotion::default()), JointFunctions::none());
        let (rows, coordinates, enabled) = (Vec::new(), Vec::new(), true);
        let (name, c, d, law, fault) = (String::new(), site, site, None, None);
        let mut joint =
            Self { name, c, d, rows, coordinates, enabled, motion, functions, law, fault };
        joint.update_functions();
        joint
    }

    /// Its functions.
    pub fn functions(&self) -> &JointFunctions {
        &self.functions
    }

    /// Its kinematics in a system.
    pub(crate) fn law(&self) -> JointLaw {
        match &self.law {
            Some(law) => JointLaw::Motion(law.clone()),
            None => JointLaw::Functions(self.functions.clone()),
        }
    }

    /// The motion that its functions are made of; `None` where they are code.
    pub fn motion(&self) -> Option<&JointMotion> {
        self.motion.as_ref()
    }

    /// True if its functions are code, which no file has.
    pub fn is_code(&self) -> bool {
        self.motion.is_none()
    }

    /// Coordinates at the start [m and rad]: of those that describe the same pose, the smallest.
    pub(crate) fn start(&self, model: &dyn Components) -> Option<Vec<f64>> {
        let pose = self.d.world_pose(model)?.inv_mul(&self.c.world_pose(model)?);
        let zeros = vec![0.0; self.functions.coordinates.len()];
        let mut values = zeros.clone();
        self.functions.calc_coordinates(&pose, &zeros, &mut values);
        Some(values)
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

    /// Ends of the ranges of its coordinates; a pair that falls is no range. Empty where all are free.
    fn ranges(&self) -> Vec<f64> {
        let ends = |it: &CoordinateSettings| match (it.range.lower, it.range.upper) {
            (None, None) => [1.0, -1.0],
            (low, high) => [low.unwrap_or(-FAR), high.unwrap_or(FAR)],
        };
        let free = self.coordinates.iter().all(|it| it.range == Limits::FREE);
        if free { Vec::new() } else { self.coordinates.iter().flat_map(ends).collect() }
    }

    fn put_ranges(&mut self, list: &[f64]) -> Put {
        if !list.is_empty() && list.len() != 2 * self.coordinates.len() {
            return Err(Refusal::Value("it must be two numbers for each of its coordinates"));
        }
        self.coordinates.iter_mut().for_each(|it| it.range = Limits::FREE);
        for (it, ends) in self.coordinates.iter_mut().zip(list.chunks_exact(2)) {
            let [low, high] = [ends[0], ends[1]];
            if low <= high {
                it.range.lower = Some(low).filter(|low| *low > -FAR);
                it.range.upper = Some(high).filter(|high| *high < FAR);
            }
        }
        Ok(())
    }

    /// Locks of the coordinates: 1 for a locked one, 0 else.
    fn locks(&self) -> Vec<f64> {
        self.coordinates.iter().map(|it| f64::from(u8::from(it.locked))).collect()
    }

    fn put_locks(&mut self, list: &[f64]) -> Put {
        if list.len() != self.coordinates.len() || list.iter().any(|x| ![0.0, 1.0].contains(x)) {
            return Err(Refusal::Value("it must be 0 or 1 for each of its coordinates"));
        }
        self.coordinates.iter_mut().zip(list).for_each(|(it, x)| it.locked = *x == 1.0);
        Ok(())
    }

    fn check_sides(&self, model: &dyn Components) -> Result<(), CheckError> {
        model.check_sides(&self.c, &self.d)
    }

    fn check_motion(&self, _: &dyn Components) -> Result<(), CheckError> {
        self.check_counts()
    }

    fn check_counts(&self) -> Result<(), CheckError> {
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

/// Ends of ranges that are as good as none [m or rad].
const FAR: f64 = 1e300;

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

    /// Frames move with what they are on, and a motion with frame D; functions that are code are neither mirrored nor made longer.
    fn transform(&mut self, transformation: &Transformation<'_>) -> Result<(), TransformRefusal> {
        let deforms = transformation.map.rigid().is_none();
        let moves = [&self.c, &self.d].iter().any(|site| transformation.moves_site(site));
        if self.is_code() && deforms && moves {
            return Err(TransformRefusal::Code);
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
        self.check_counts()
    }

    properties! { CustomJoint {
        "enabled": bool = true, "", FINITE, STRUCTURE, "True if it is in force", own (enabled);
        "body_c": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "The rigid body that frame C is on; empty for the ground",
            reference (|joint| joint.c.addresses(), |joint, to| joint.c.put(to)), check CustomJoint::check_sides;
        "body_d": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "The rigid body that frame D is on; empty for the ground",
            reference (|joint| joint.d.addresses(), |joint, to| joint.d.put(to)), check CustomJoint::check_sides;
        "frame_c": Pose = Pose::identity(), "m, -", FINITE, GEOMETRY, "Frame C, in that of its body or of the world: position, then the quaternion i j k w", own (c.pose);
        "frame_d": Pose = Pose::identity(), "m, -", FINITE, GEOMETRY, "Frame D, in that of its body or of the world", own (d.pose);
        "variables": String = String::new(), "", FINITE, STRUCTURE, "Its coordinates: the name, a value that is to be read from poses, and a range: 'knee at 0 from -2 to 0.2'; parted by ';' (docs/reference/joints.md)",
            via (|it: &CustomJoint| Some(it.motion.as_ref()?.variables_text()), |it: &mut CustomJoint, text: String| it.put_variables(&text));
        "motion": String = SpatialTransform::rest().text(), "", FINITE, STRUCTURE, "The pose of C seen from D: three turns and three ways, parted by ';', each an axis with a function of coordinates by their numbers: 'turn 0 0 1 of 0 by linear 0 1'",
            via (|it: &CustomJoint| Some(it.motion.as_ref()?.transform.text()), |it: &mut CustomJoint, text: String| it.put_motion(&text)), check CustomJoint::check_motion;
        "ranges": Vec<f64> = Vec::new(), "m, rad", FINITE, STRUCTURE, "Least and largest value of each of its coordinates; a pair that falls is no range, and an empty list none for all",
            via (|it: &CustomJoint| Some(it.ranges()), |it: &mut CustomJoint, list: Vec<f64>| it.put_ranges(&list));
        "locked": Vec<f64> = Vec::new(), "", FINITE, STRUCTURE, "1 for each of its coordinates that is locked at its value, else 0",
            via (|it: &CustomJoint| Some(it.locks()), |it: &mut CustomJoint, list: Vec<f64>| it.put_locks(&list));
        "coordinates": Vec<f64> = Vec::new(), "m, rad", FINITE, NOTHING, "Its coordinates, in the order of its functions", simulated ();
        "multipliers": Vec<f64> = Vec::new(), "N, N m", FINITE, NOTHING, "Forces of its rows, then of its locked coordinates, mean over the last step", simulated ();
    } }
}
