//! Joints that the user's own code defines.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::component::{ComponentId, Invalidates, Reference, TransformRefusal};
use crate::constraint::{Compliance, CoordinateSettings, JointFunctions};
use crate::kinds::FrameSite;
use crate::property::{
    CheckError, Components, ModelComponent, OnePath, Pose, Problem, Put, Refusal, Transformation,
    properties,
};

/// A joint whose poses, errors and coordinates are functions of one's own (docs/reference/joints.md): a screw, a
/// knee along measured curves. Its functions are compared with each other, and their derivatives with
/// differences, when a model is compiled. It cannot be written to a file.
#[derive(Clone, Serialize, Deserialize)]
pub struct CustomJoint {
    /// Name in paths and reports; may be empty.
    pub name: String,
    /// Frame C.
    pub c: FrameSite,
    /// Frame D.
    pub d: FrameSite,
    /// Compliance of each row.
    pub rows: Vec<Compliance>,
    /// Range, lock and give of each coordinate.
    pub coordinates: Vec<CoordinateSettings>,
    /// True if it holds.
    pub enabled: bool,
    #[serde(skip, default = "JointFunctions::none")]
    pub(crate) functions: Arc<JointFunctions>,
}

impl CustomJoint {
    /// A rigid joint between frame C and frame D, with the ranges that its coordinates come with.
    pub fn new(functions: JointFunctions, c: FrameSite, d: FrameSite) -> Self {
        let rows = vec![Compliance::default(); functions.rows.len()];
        let free = |range| CoordinateSettings { range, ..CoordinateSettings::default() };
        let coordinates = functions.coordinates.iter().map(|spec| free(spec.range)).collect();
        let (name, functions) = (functions.name.clone(), Arc::new(functions));
        Self { name, c, d, rows, coordinates, enabled: true, functions }
    }

    /// Its functions.
    pub fn functions(&self) -> &JointFunctions {
        &self.functions
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

    fn check_counts(&self) -> Result<(), CheckError> {
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

    /// A frame on the ground moves; one on a body goes with that.
    fn transform(&mut self, transformation: &Transformation<'_>) -> Result<(), TransformRefusal> {
        let deforms = transformation.map.rigid().is_none();
        if deforms && [&self.c, &self.d].iter().any(|site| transformation.moves_site(site)) {
            return Err(TransformRefusal::Code);
        }
        transformation.put_site(&mut self.c, 2)?;
        transformation.put_site(&mut self.d, 2)?;
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
        "locked": Vec<f64> = Vec::new(), "", FINITE, STRUCTURE, "1 for each of its coordinates that is locked at its value, else 0",
            via (|it: &CustomJoint| Some(it.locks()), |it: &mut CustomJoint, list: Vec<f64>| it.put_locks(&list));
        "coordinates": Vec<f64> = Vec::new(), "m, rad", FINITE, NOTHING, "Its coordinates, in the order of its functions", simulated ();
        "multipliers": Vec<f64> = Vec::new(), "N, N m", FINITE, NOTHING, "Forces of its rows, then of its locked coordinates, mean over the last step", simulated ();
    } }
}
