//! Contact of the generated head: the lower teeth with the upper ones, in the place of the bite planes, and the tongue with palate,
//! teeth and mandible. Numbers and sources: docs/theory/anatomy.md.

use nalgebra::Isometry3;
use sinew::component::{ComponentId, ComponentType, Handle};
use sinew::constraint::Compliance;
use sinew::contact::{ColliderShape, ContactLaw, HuntCrossley, NormalLaw};
use sinew::model::{
    Collider, CollisionBehavior, Edit, FemModel, FrameMarker, FrameSite, Model, OutputProbe,
    RenderMesh, RigidBody,
};
use sinew::property::Value;

use super::appearance::body;
use super::bolus::norm_of_force;
use super::resection::is_left;
use super::{JawParams, Mandible};
use crate::ParamError;
use crate::bones::sdf::Point;
use crate::bones::{MM, covered_maxilla, lower_tips};
use crate::jaw::muscles::Side;
use crate::skeleton::{hide, mesh_of, set};

/// Parts that touch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contacts {
    /// The lower teeth and the upper ones; planes stop the bite otherwise.
    pub teeth: bool,
    /// The tongue, and palate, teeth and mandible.
    pub tongue: bool,
}

/// The balls of the lower teeth against the surface of the upper ones: the modulus at which full clenching presses both
/// of a pair into their sockets by the published 74 um (key vanVuuren2023) [Pa].
const TOOTH_MODULUS: f64 = 7e8;
/// Power of the overlap: teeth yield less the deeper they are pressed (key Picton1963).
const TOOTH_EXPONENT: f64 = 1.5;
/// Dissipation of the ligaments [s/m]: our choice, some third of a closing velocity of 0.2 m/s comes back.
const TOOTH_DISSIPATION: f64 = 5.0;
/// Distance below which contacts are looked at, of teeth and of the tongue [mm].
const TOOTH_MARGIN: f64 = 0.2;
const TONGUE_MARGIN: f64 = 0.5;
/// Overlap that contact leaves [mm].
const TOOTH_TOLERANCE: f64 = 0.001;
const TONGUE_TOLERANCE: f64 = 0.02;
/// Compliance and damping of each node of the tongue that touches [m/N, N s/m]: 0.1 mm for a newton, far less than the tissue.
const TONGUE_COMPLIANCE: [f64; 2] = [1e-4, 1.0];
/// Density of bodies that do not move [kg/m³]; nothing depends on it.
const DENSITY: f64 = 2000.0;

impl Contacts {
    /// The names of `contact=`.
    pub(super) const NAMED: [(&'static str, Self); 4] = [
        ("none", Self { teeth: false, tongue: false }),
        ("teeth", Self { teeth: true, tongue: false }),
        ("tongue", Self { teeth: false, tongue: true }),
        ("all", Self { teeth: true, tongue: true }),
    ];
}

/// Adds the contacts to the generated model, and probes of their forces.
///
/// # Errors
/// A cell size out of range.
pub(super) fn add(model: &mut Model, params: &JawParams) -> Result<(), ParamError> {
    if params.contacts.tongue {
        let upper_jaw = add_covered_jaw(model, params.cell)?;
        add_tongue(model, upper_jaw);
    }
    if params.contacts.teeth {
        remove_bite_planes(model);
        add_teeth(model, params.mandible);
    }
    Ok(())
}

/// A body of the upper jaw with the mucosa of its palate, which is not drawn.
fn add_covered_jaw(model: &mut Model, cell: f64) -> Result<Handle<RigidBody>, ParamError> {
    let mesh = mesh_of(covered_maxilla(cell)?)?;
    let body = model.add(RigidBody::from_mesh("covered_maxilla", mesh, DENSITY).fixed());
    hide(model, body.id());
    Ok(body)
}

/// The tongue against a body of the upper jaw and the mandible.
pub(super) fn add_tongue(model: &mut Model, upper_jaw: Handle<RigidBody>) {
    let tongue = model.nth::<FemModel>(0);
    let mandible = body(model, "mandible");
    for (bone, name) in [(upper_jaw, "upper_jaw"), (mandible, "lower_jaw")] {
        let collider = model.add(Collider::on(bone, ColliderShape::MESH).named(name));
        hide(model, collider.id());
        model.add(CollisionBehavior {
            law: tongue_law(),
            tolerance: Some(TONGUE_TOLERANCE * MM),
            margin: Some(TONGUE_MARGIN * MM),
            name: format!("tongue_on_{name}"),
            ..CollisionBehavior::new(tongue, collider, 0.0)
        });
    }
    let path = path_of(model, "tongue_on_upper_jaw");
    let force = norm_of_force(&path);
    record(
        model,
        "palate",
        format!(
            "force = {force}; pressure = {{{path}:max_pressure}}; area = {{{path}:contact_area}}"
        ),
    );
}

/// Balls in the lower teeth against the surface of the crowns of the upper ones.
fn add_teeth(model: &mut Model, state: Mandible) {
    let upper = add_crowns(model);
    let mandible = body(model, "mandible");
    let others = colliders_of(model, mandible);
    for (k, ball) in lower_tips().into_iter().enumerate() {
        for side in Side::BOTH {
            let center = side.of(ball.center);
            if is_left(state, center) {
                let name = format!("{}tooth{k}", side.prefix());
                add_ball(model, mandible, (center, ball.radius), name);
            }
        }
    }
    model.add(CollisionBehavior {
        law: tooth_law(),
        tolerance: Some(TOOTH_TOLERANCE * MM),
        margin: Some(TOOTH_MARGIN * MM),
        name: TEETH.into(),
        ..CollisionBehavior::new(mandible, upper, 0.0)
    });
    // Other shapes of the mandible stand for the same teeth against something else.
    for (other, name) in others {
        model.add(CollisionBehavior {
            enabled: false,
            name: format!("{name}_off_upper_crowns"),
            ..CollisionBehavior::new(other, upper, 0.0)
        });
    }
    let path = path_of(model, TEETH);
    let force = norm_of_force(&path);
    record(model, "teeth", format!("force = {force}; overlap = {{{path}:max_penetration}}"));
}

/// A ball on a body, by its centre and its radius [mm].
fn add_ball(
    model: &mut Model,
    body: Handle<RigidBody>,
    (center, radius): (Point, f64),
    name: String,
) {
    let [x, y, z] = center.map(|x| x * MM);
    let site = FrameSite::on(body, Isometry3::translation(x, y, z));
    let shape = ColliderShape::Sphere { radius: radius * MM };
    let ball = model.add(Collider::new(shape, site).named(name));
    hide(model, ball.id());
}

/// Takes away the stops that stand for teeth, with their points.
fn remove_bite_planes(model: &mut Model) {
    let markers = model.iter::<FrameMarker>().filter(|(_, it)| {
        let name = it.name.strip_prefix(['l', 'r']);
        name == Some("bite_point") || name == Some("bite_anchor")
    });
    let markers: Vec<_> = markers.map(|(marker, _)| marker.id()).collect();
    model.edit(Edit::Delete(markers)).expect("only the stops hang on them");
}

/// Name of the behaviour of the teeth.
const TEETH: &str = "teeth_on_teeth";

fn tooth_law() -> ContactLaw {
    ContactLaw {
        normal: NormalLaw::HuntCrossley,
        hunt_crossley: HuntCrossley {
            effective_modulus: TOOTH_MODULUS,
            exponent: TOOTH_EXPONENT,
            // That of each ball.
            radius: 0.0,
        },
        dissipation: TOOTH_DISSIPATION,
        ..ContactLaw::default()
    }
}

/// Nodes give way a little: rigid ones take steps in many parts where they slide over edges of teeth.
fn tongue_law() -> ContactLaw {
    let [compliance, damping] = TONGUE_COMPLIANCE;
    ContactLaw { compliance: Compliance { compliance, damping }, ..ContactLaw::default() }
}

/// A body of the crowns that are drawn over the upper teeth, which are finer than those of the upper jaw.
fn add_crowns(model: &mut Model) -> Handle<RigidBody> {
    let drawn = model.iter::<RenderMesh>().find(|(_, mesh)| mesh.name == "upper_teeth");
    let mesh = drawn.expect("the head was dressed").1.mesh.clone();
    let body = model.add(RigidBody::from_mesh("upper_crowns", mesh, DENSITY).fixed());
    let collider = Collider::on(body, ColliderShape::MESH).named("upper_crowns");
    let collider = model.add(collider);
    hide(model, body.id());
    hide(model, collider.id());
    body
}

fn colliders_of(model: &Model, body: Handle<RigidBody>) -> Vec<(ComponentId, String)> {
    let own = model.iter::<Collider>().filter(|(_, it)| it.site.body == Some(body));
    own.map(|(handle, it)| (handle.id(), it.name.clone())).collect()
}

fn path_of(model: &Model, name: &str) -> String {
    let found = model.iter::<CollisionBehavior>().find(|(_, it)| it.name == name);
    found.map_or_else(String::new, |(handle, _)| model.path(handle))
}

/// Adds a probe of formulas.
fn record(model: &mut Model, name: &str, formulas: String) {
    let probe = model.add(OutputProbe { name: name.into(), ..OutputProbe::default() });
    set(model, probe.id(), "expressions", Value::Text(formulas));
}
