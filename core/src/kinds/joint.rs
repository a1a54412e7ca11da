//! Joints between two bodies, or a body and the ground.

use serde::{Deserialize, Serialize};

use super::images::SiteImage;
use super::joint_properties::{kind_table, row_table};
use super::joint_state::joint_table;
use crate::component::{ComponentId, Invalidates, Reference, TransformRefusal};
use crate::constraint::{CoordinateSpec, JointKind, JointSettings, Quantity};
use crate::kinds::{FrameSite, texts};
use crate::property::{
    CheckError, Components, ModelComponent, OnePath, Pose, Problem, Put, Transformation, properties,
};

/// A joint: which poses of frame C, on one body, are possible against frame D, on another or on the
/// ground. docs/reference/joints.md has the frames of every kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Joint {
    /// Name in paths and reports; may be empty.
    pub name: String,
    /// Kind, and the compliance of its rows.
    pub settings: JointSettings,
    /// Other names of its coordinates, in the order of its kind: those of the document that it comes from. Empty for none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coordinate_names: Vec<String>,
    /// Frame C.
    pub c: FrameSite,
    /// Frame D.
    pub d: FrameSite,
    /// True if it holds.
    pub enabled: bool,
}

impl Joint {
    /// A rigid joint of a kind between frame C and frame D.
    pub fn new(kind: JointKind, c: FrameSite, d: FrameSite) -> Self {
        let (name, settings, coordinate_names) =
            (String::new(), JointSettings::new(kind), Vec::new());
        Self { name, settings, coordinate_names, c, d, enabled: true }
    }
}

impl Joint {
    /// Number of the coordinate of a name: that of its kind, or its other one.
    pub fn coordinate_index(&self, name: &str) -> Option<usize> {
        let mut specs = self.settings.kind.coordinate_specs().iter();
        let own = specs.position(|spec| spec.name == name);
        let others = self.coordinate_names.iter().take(self.settings.coordinates.len());
        own.or_else(|| others.into_iter().position(|known| known == name))
    }

    /// Pose of frame C seen from frame D at the start [m]; `None` when a body is not there.
    fn relative_pose(&self, model: &dyn Components) -> Option<Pose> {
        Some(self.d.world_pose(model)?.inv_mul(&self.c.world_pose(model)?))
    }

    /// Coordinates at the start [m and rad]: of those that describe the same pose, the smallest.
    pub(crate) fn coordinates(&self, model: &dyn Components) -> Option<Vec<f64>> {
        let (pose, kind) = (self.relative_pose(model)?, &self.settings.kind);
        let zeros = vec![0.0; kind.coordinate_count()];
        let mut coordinates = zeros.clone();
        kind.calc_coordinates(&pose, &zeros, &mut coordinates);
        Some(coordinates)
    }

    /// Errors of the rows at the start [m and rad].
    fn errors(&self, model: &dyn Components) -> Option<Vec<f64>> {
        let (pose, kind) = (self.relative_pose(model)?, &self.settings.kind);
        let mut errors = vec![0.0; kind.row_count()];
        kind.calc_errors(&pose, &mut errors);
        Some(errors)
    }

    /// Factors of its coordinates under a transformation [-]: of lengths along their axes, negative for those that are
    /// mirrored.
    pub(super) fn coordinate_factors(
        &self,
        transformation: &Transformation<'_>,
    ) -> Result<Vec<f64>, TransformRefusal> {
        let (kind, specs) = (&self.settings.kind, self.settings.kind.coordinate_specs());
        let mirror = kind.mirror();
        let [c, d] = [&self.c, &self.d].map(|site| transformation.site(site, mirror.axis));
        let (c, d) = (c?, d?);
        let is_mirrored =
            |image: &Option<SiteImage>| image.as_ref().is_some_and(SiteImage::is_mirrored);
        if is_mirrored(&c) != is_mirrored(&d) {
            return Err(TransformRefusal::HalfMirrored);
        }
        let (Some(_), Some(image)) = (c, d) else { return Ok(vec![1.0; specs.len()]) };
        let factor = |(spec, sign): (&CoordinateSpec, &f64)| {
            let sign = if image.is_mirrored() { *sign } else { 1.0 };
            let axis = ["x", "y", "z"].iter().position(|axis| *axis == spec.name);
            match (spec.quantity, axis) {
                (Quantity::Length, Some(axis)) => sign * image.along(axis),
                (Quantity::Length, None) => sign * image.mean(),
                (Quantity::Angle, _) => sign,
            }
        };
        Ok(specs.iter().zip(&mirror.signs).map(factor).collect())
    }

    fn put_names(&mut self, text: &str) -> Put {
        self.coordinate_names = texts::parted(text);
        Ok(())
    }

    fn check_sides(&self, model: &dyn Components) -> Result<(), CheckError> {
        model.check_sides(&self.c, &self.d)
    }

    /// Checks that other names are words, each of one coordinate.
    fn check_names(&self, _: &dyn Components) -> Result<(), CheckError> {
        for (k, name) in self.coordinate_names.iter().enumerate() {
            if name.contains(['.', ':', ' ']) {
                let must = "words without dots, colons and blanks";
                return Err(Problem::Unfit { target: name.clone(), must }.at("coordinate_names"));
            }
            if !name.is_empty() && self.coordinate_names[..k].contains(name) {
                return Err(Problem::Twice(name.clone()).at("coordinate_names"));
            }
        }
        Ok(())
    }

    /// Checks that the parameters of the kind, its rows and coordinates make a joint.
    pub(super) fn check_settings(&self, _: &dyn Components) -> Result<(), CheckError> {
        self.settings.check().map_err(|error| Problem::Joint(Box::new(error)).at("kind"))
    }
}

impl ModelComponent for Joint {
    const HOME: Option<&'static str> = Some("connectors");
    const MOVED: Invalidates = Invalidates::GEOMETRY;

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        [self.c, self.d].iter().for_each(|site| site.visit(visit));
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.c.redirect(map);
        self.d.redirect(map);
    }

    /// Frames move with what they are on; ranges of lengths change, and signs where it is mirrored.
    fn transform(&mut self, transformation: &Transformation<'_>) -> Result<(), TransformRefusal> {
        let mirror = self.settings.kind.mirror();
        let factors = self.coordinate_factors(transformation)?;
        let images = [
            transformation.put_site(&mut self.c, mirror.axis)?,
            transformation.put_site(&mut self.d, mirror.axis)?,
        ];
        for (coordinate, factor) in self.settings.coordinates.iter_mut().zip(factors) {
            coordinate.scale(factor);
        }
        if let [Some(_), Some(image)] = images {
            let along = [0, 1, 2].map(|k| image.along(k));
            self.settings.kind.deform(along, image.is_mirrored());
        }
        Ok(())
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_sides(model)?;
        self.check_settings(model)?;
        self.check_names(model)
    }

    properties! { Joint {
        "enabled": bool = true, "", FINITE, STRUCTURE, "True if it is in force", own (enabled);
        "body_c": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "The rigid body that frame C is on; empty for the ground",
            reference (|joint| joint.c.addresses(), |joint, to| joint.c.put(to)), check Joint::check_sides;
        "body_d": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "The rigid body that frame D is on; empty for the ground",
            reference (|joint| joint.d.addresses(), |joint, to| joint.d.put(to)), check Joint::check_sides;
        "frame_c": Pose = Pose::identity(), "m, -", FINITE, GEOMETRY, "Frame C, in that of its body or of the world: position, then the quaternion i j k w", own (c.pose);
        "frame_d": Pose = Pose::identity(), "m, -", FINITE, GEOMETRY, "Frame D, in that of its body or of the world", own (d.pose);
        ..kind_table();
        ..row_table();
        "coordinate_names": String = String::new(), "", FINITE, STRUCTURE, "Other names of its coordinates, in the order of its kind, parted by ';', as a document of OpenSim has them; they stand for those of the kind in paths, and those beyond its coordinates for nothing",
            via (|joint: &Joint| Some(texts::joined(&joint.coordinate_names)), |joint: &mut Joint, text: String| joint.put_names(&text)), check Joint::check_names;
        "coordinates": Vec<f64> = Vec::new(), "m, rad", FINITE, NOTHING, "Its coordinates, in the order of its kind (docs/reference/joints.md); of a model, those at the start", derived (|model: &dyn Components, joint| model.get(joint)?.coordinates(model));
        "errors": Vec<f64> = Vec::new(), "m, rad", FINITE, NOTHING, "Errors of its rows; of a model, those at the start, all zero where it is assembled", derived (|model: &dyn Components, joint| model.get(joint)?.errors(model));
        ..joint_table();
    } }
}
