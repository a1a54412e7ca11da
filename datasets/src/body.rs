//! A human body of any stature, mass and subset of segments and muscles, from the tables of `datasets/body`: rigid
//! bodies with bones, joints with ranges, muscles along paths. The tables: `tables.rs`; the page: docs/reference/body.md.

mod bones;
mod error;
mod joints;
mod muscles;
mod select;
mod skeleton;
mod tables;

pub use error::BodyError;
pub use select::Patterns;
pub use skeleton::{Build, MassRule, Person, Placed, Sex, Side, placed_segments};
pub use tables::{
    BoneSection, InertiaRow, JointRow, MuscleRow, PathRow, SegmentRow, Tables, WrapRow, tables,
};

use std::collections::BTreeMap;

use sinew::Vec3;
use sinew::component::{ComponentType, Handle};
use sinew::model::{FrameMarker, Model, MultiPointSpring, RigidBody};

use crate::{Builtin, ParamError, ParamInfo, Params, Range};
use muscles::Lengths;

/// Base of the body: segments without a joint to another one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Base {
    /// Fixed where they are: the body hangs from its pelvis.
    #[default]
    Fixed,
    /// They move freely.
    Free,
}

/// A body.
#[derive(Clone, Debug)]
pub struct BodyParams {
    /// The person.
    pub person: Person,
    /// Segments that are made, by their names.
    pub segments: Patterns,
    /// Muscles that are made, by their names, where all of their segments are.
    pub muscles: Patterns,
    /// Segments without a joint to another one.
    pub base: Base,
    /// Bones as surfaces of the bodies, to be drawn.
    pub bones: bool,
    /// Gravity along -z [m/s²].
    pub gravity: f64,
}

impl Default for BodyParams {
    /// All of a man of 1.78 m and 74 kg, without muscles.
    fn default() -> Self {
        Self {
            person: Person::default(),
            segments: Patterns::all(),
            muscles: Patterns::none(),
            base: Base::Fixed,
            bones: true,
            gravity: 9.81,
        }
    }
}

/// Shortest and tallest person [m].
const STATURES: [f64; 2] = [0.5, 2.6];
/// Lightest and heaviest person [kg].
const MASSES: [f64; 2] = [5.0, 400.0];

impl BodyParams {
    /// Reads the parameters of [`BUILTIN`].
    ///
    /// # Errors
    /// Values out of range, patterns that cannot be read, unknown keys.
    pub fn read(params: &mut Params) -> Result<Self, ParamError> {
        let default = Self::default();
        let pattern = |text: Option<&str>, default: Patterns| match text {
            Some(text) => Patterns::parse([text]),
            None => Ok(default),
        };
        let [shortest, tallest] = STATURES;
        let [lightest, heaviest] = MASSES;
        let person = Person {
            stature: params.f64(
                "stature",
                default.person.stature,
                Range::Closed(shortest, tallest),
            )?,
            mass: params.f64("mass", default.person.mass, Range::Closed(lightest, heaviest))?,
            sex: params.choice("sex", default.person.sex, Sex::NAMED)?,
            masses: params.choice("masses", default.person.masses, MassRule::NAMED)?,
        };
        let body = Self {
            person,
            segments: pattern(params.get("segments"), default.segments)?,
            muscles: pattern(params.get("muscles"), default.muscles)?,
            base: params.choice(
                "base",
                default.base,
                &[("fixed", Base::Fixed), ("free", Base::Free)],
            )?,
            bones: params.choice("bones", default.bones, &[("yes", true), ("no", false)])?,
            gravity: params.f64("g", default.gravity, Range::ANY)?,
        };
        params.finish()?;
        Ok(body)
    }
}

/// A body as a model, and what of the tables it left out.
#[derive(Debug)]
pub struct Body {
    /// The model.
    pub model: Model,
    /// Muscles that the patterns name and that are left out, for their segments are.
    pub left_out: Vec<String>,
}

/// The body: bodies under the names of their segments, joints and muscles under theirs (`_l` and `_r` for those of a
/// side), the soles at z = 0. Its tendons are slack in the neutral pose, in which it stands.
///
/// # Errors
/// Patterns that name nothing; tables that cannot be read.
pub fn body(params: &BodyParams) -> Result<Body, BodyError> {
    let tables = tables()?;
    // Without muscles nothing needs lengths of paths.
    let lengths = match params.muscles.is_none() {
        true => Lengths::new(),
        false => lengths(tables, params)?,
    };
    assemble(tables, params, Some(&lengths))
}

/// Lengths of all paths in the neutral pose [m], with what they wrap over: of a body without bones.
fn lengths(tables: &Tables, params: &BodyParams) -> Result<Lengths, BodyError> {
    let bare = BodyParams { bones: false, ..params.clone() };
    let model = assemble(tables, &bare, None)?.model;
    let compiled = model.compile().map_err(|error| BodyError::Model(error.to_string()))?;
    let state = compiled.initial_state();
    let length = |(handle, line): (Handle<MultiPointSpring>, &MultiPointSpring)| {
        Some((line.name.clone(), compiled.stretch_of_line(handle, &state)?[0]))
    };
    Ok(model.iter::<MultiPointSpring>().filter_map(length).collect())
}

fn assemble(
    tables: &Tables,
    params: &BodyParams,
    lengths: Option<&Lengths>,
) -> Result<Body, BodyError> {
    let mut model = Model::new("body");
    model.set_gravity(Vec3::new(0.0, 0.0, -params.gravity));
    let placed = placed_segments(tables, &params.person)?;
    let names: Vec<&str> = placed.iter().map(|it| it.name.as_str()).collect();
    params.segments.check("segments", &names)?;
    let mut build = Build { model, bodies: BTreeMap::new(), person: params.person };
    for segment in placed.into_iter().filter(|it| params.segments.matches(&it.name)) {
        let rooted = joints::parent_of(tables, &segment)
            .is_some_and(|parent| params.segments.matches(&parent));
        let mut made = segment.body()?;
        made.dynamic = rooted || params.base == Base::Free;
        if params.bones {
            made.mesh = bones::surface(tables, &segment)?;
        }
        let handle = build.model.add(made);
        build.bodies.insert(segment.name.clone(), (handle, segment));
    }
    joints::add(&mut build, tables)?;
    let left_out = muscles::add(&mut build, tables, params, lengths)?;
    Ok(Body { model: build.model, left_out })
}

/// Adds a marker to a body.
fn mark(model: &mut Model, body: Handle<RigidBody>, at: Vec3, name: String) -> Handle<FrameMarker> {
    model.add(FrameMarker::new(body, at).named(name))
}

/// `body` in the list of built-ins.
pub const BUILTIN: Builtin = Builtin {
    name: "body",
    summary: "human body of any stature and mass, of segments, joints and muscles by their names; it hangs from its pelvis",
    params: &[
        ParamInfo::new("stature", "1.78", "m", "stature, 0.5 to 2.6"),
        ParamInfo::new("mass", "74", "kg", "mass, 5 to 400"),
        ParamInfo::new("sex", "male", "-", "proportions of: male, female"),
        ParamInfo::new(
            "masses",
            "fractions",
            "-",
            "of segments: fractions (of the mass), regression (of stature and mass)",
        ),
        ParamInfo::new(
            "segments",
            ".*",
            "-",
            "pattern of names, as in pelvis|thigh.*|shank_l (see docs/reference/body.md)",
        ),
        ParamInfo::new("muscles", "none", "-", "pattern of names, as in .*soleus.*; none for none"),
        ParamInfo::new("base", "fixed", "-", "segments without a joint to another: fixed, free"),
        ParamInfo::new("bones", "yes", "-", "surfaces of bones: yes, no"),
        ParamInfo::new("g", "9.81", "m/s^2", "gravity along -z"),
    ],
    build: |params| Ok(body(&BodyParams::read(params)?)?.model),
};
