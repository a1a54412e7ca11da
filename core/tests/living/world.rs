//! Random models and random edits, both made of plain numbers, so that a failing case shrinks; and
//! what is looked at from outside.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use sinew::component::{ComponentId, ComponentType, Kind, ROOT};
use sinew::fem::{ElementKind, VolumeMesh};
use sinew::force::VelocityTerms;
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{
    Affine, AxialSpring, BodyLoad, Component, ComponentList, Dirichlet, Edit, FemModel,
    FrameMarker, LinearAxial, MechModel, Model, Particle, PointLoad, PointRef, ReferenceList,
};
use sinew::property::{Declaration, PropertyInfo, PropertyType, Setting, Value};
use sinew::system::{LoadCase, MechSystem, Motion};
use sinew::{Mat3, Vec3};

use crate::multibody::{multibody, pose};

/// A request in numbers: what, and which of those that there are.
pub(crate) type Draw = [u32; 4];

/// Runs a property on the same cases each time.
pub(crate) fn check<S: Strategy>(cases: u32, strategy: S, test: impl Fn(S::Value)) {
    // A single case is a long one, which would take an hour to shrink.
    let max_shrink_iters = if cases == 1 { 0 } else { 1000 };
    let config = Config { cases, failure_persistence: None, max_shrink_iters, ..Config::default() };
    let numbers = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let run = TestRunner::new_with_rng(config, numbers).run(&strategy, |value| {
        test(value);
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
}

/// `count` draws.
pub(crate) fn draws(count: usize) -> impl Strategy<Value = Vec<Draw>> {
    prop::collection::vec(any::<Draw>(), count)
}

/// All components, by a walk over what is public.
pub(crate) fn walk(model: &Model) -> Vec<ComponentId> {
    let (mut all, mut open) = (Vec::new(), vec![ROOT]);
    while let Some(id) = open.pop() {
        all.push(id);
        open.extend(model.children(id));
    }
    all
}

/// The document as text.
pub(crate) fn text(model: &Model) -> String {
    serde_json::to_string(model).unwrap()
}

/// Components that hold others, or may.
pub(crate) fn holders(model: &Model) -> Vec<ComponentId> {
    let holds = |id: &ComponentId| {
        matches!(id.kind(), Kind::RootModel | Kind::MechModel | Kind::ComponentList)
    };
    walk(model).into_iter().filter(holds).collect()
}

pub(crate) fn pick<T: Copy>(list: &[T], draw: u32) -> Option<T> {
    list.get(draw as usize % list.len().max(1)).copied()
}

/// A few names, so that siblings clash, some of them odd, half of them none.
fn name(draw: u32) -> String {
    match draw % 24 {
        0..12 => String::new(),
        12 => "a/b".into(),
        13 => "7".into(),
        14 => "say \"it\"".into(),
        15 => "..".into(),
        16 => "größe:x".into(),
        k => format!("n{}", k + draw / 24 % 50),
    }
}

fn number(draw: u32) -> f64 {
    f64::from(draw % 1999) / 1000.0 - 0.999
}

pub(crate) fn vector(draw: u32) -> Vec3 {
    Vec3::new(number(draw), number(draw.rotate_left(9)), number(draw.rotate_left(18)))
}

/// A particle, a frame marker or a node.
pub(crate) fn point(model: &Model, draw: u32) -> Option<PointRef> {
    let particles: Vec<PointRef> = model.iter::<Particle>().map(|it| it.0.into()).collect();
    let fems: Vec<_> = model.iter::<FemModel>().collect();
    if draw.is_multiple_of(4) && !fems.is_empty() {
        let (fem, its) = pick(&fems, draw / 4)?;
        return Some(PointRef::FemNode(fem, draw % its.mesh.nodes.len() as u32));
    }
    let markers: Vec<PointRef> = model.iter::<FrameMarker>().map(|it| it.0.into()).collect();
    if draw % 4 == 1 && !markers.is_empty() {
        return pick(&markers, draw / 4);
    }
    pick(&particles, draw / 4)
}

/// One or two bricks, fixed at one end.
pub(crate) fn tissue(name: &str, bricks: u32, corner: Vec3) -> FemModel {
    let layers = 0..=bricks;
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let nodes = layers.flat_map(|z| square.map(|[x, y]| corner + Vec3::new(x, y, f64::from(z))));
    let mut mesh = VolumeMesh::new(nodes.collect());
    for k in 0..bricks {
        // The upper face first: docs/reference/conventions.md.
        let nodes: Vec<u32> = (4 * k + 4..4 * k + 8).chain(4 * k..4 * k + 4).collect();
        mesh.push_element(ElementKind::Hex8, &nodes).unwrap();
    }
    let material = MaterialSpec::Linear(Isotropic::default());
    let mut fem = FemModel::new(name, mesh, 1000.0, material);
    fem.dirichlet.push(Dirichlet::fix((0..4).collect()));
    fem
}

/// A new component of any kind but the root.
fn component(model: &Model, [what, a, b, c]: Draw) -> Option<Component> {
    let called = name(c);
    let ends = || Some([point(model, a)?, point(model, b)?]);
    Some(match what % 32 {
        16.. => return multibody(model, [what / 32, a, b, c], &called),
        0..5 => Particle::new(1.0 + number(a).abs(), vector(b)).named(called).into(),
        5..8 => {
            let law = LinearAxial { stiffness: 10.0, damping: 0.1, rest_length: 0.5 };
            AxialSpring::new(ends()?, law).named(called).into()
        }
        8 | 9 => PointLoad::new(point(model, a)?, vector(b)).named(called).into(),
        10 => {
            let fems: Vec<_> = model.iter::<FemModel>().map(|it| it.0).collect();
            BodyLoad::new(pick(&fems, a)?, vector(b)).named(called).into()
        }
        11 => tissue(&called, 1 + a % 2, vector(b)).into(),
        12 => MechModel::new(called).into(),
        13 => ComponentList::new(called).into(),
        _ => {
            let all = walk(model);
            let members = (0..a % 6).filter_map(|k| pick(&all, b.rotate_left(5 * k))).collect();
            ReferenceList::new(called, members).into()
        }
    })
}

/// A model of about `draws.len()` components, made of edits.
pub(crate) fn grown(draws: &[Draw]) -> Model {
    let mut model = Model::new("random");
    model.main();
    for &draw in draws {
        if let Some(edit) = addition(&model, draw, 8) {
            let _ = model.edit(edit);
        }
    }
    model
}

/// An addition; one in `wrong` to where it may have no place.
fn addition(model: &Model, [what, a, b, c]: Draw, wrong: u32) -> Option<Edit> {
    let parents = match c / 32 % wrong {
        0 => walk(model),
        // Lists take one kind each; a mechanical model has one for every kind.
        half if half < wrong / 2 => model.iter::<MechModel>().map(|it| it.0.id()).collect(),
        _ => holders(model),
    };
    let parent = pick(&parents, c.rotate_left(16) ^ a)?;
    Some(Edit::Add { parent, component: Box::new(component(model, [what, a, b, c])?) })
}

/// Those who are there, and now and then one who was.
fn somebody(model: &Model, gone: &[ComponentId], draw: u32) -> Option<ComponentId> {
    let all = walk(model);
    if draw.is_multiple_of(40) { pick(gone, draw / 40) } else { pick(&all, draw / 40) }
}

/// An edit of any kind; `None` where the draw comes to nothing.
pub(crate) fn edit(model: &Model, gone: &[ComponentId], draw: Draw) -> Option<Edit> {
    let [what, a, b, c] = draw;
    let one = |draw| somebody(model, gone, draw);
    // Grows below 1,000 components and shrinks above.
    let crowded = model.component_count() > 1000;
    Some(match what % 32 {
        0..4 if crowded => {
            Edit::Delete((0..1 + c % 6).filter_map(|k| one(a ^ b.rotate_left(7 * k))).collect())
        }
        0..6 => addition(model, [what / 32, a, b, c], 8)?,
        6..9 => {
            Edit::Delete((0..1 + c % 3).filter_map(|k| one(a ^ b.rotate_left(7 * k))).collect())
        }
        9..11 if crowded => return None,
        9..11 => {
            Edit::Duplicate((0..1 + c % 3).filter_map(|k| one(a ^ b.rotate_left(7 * k))).collect())
        }
        11..16 => Edit::reparent(one(a)?, pick(&holders(model), b)?),
        16..20 => Edit::rename(one(a)?, name(b)),
        20..26 => set(model, one(a)?, b, c)?,
        26 => declaration(model, one(a)?, b),
        27..29 => Edit::Transform { ids: vec![one(a)?], map: map(b) },
        29 if !crowded => Edit::import(pick(&holders(model), a)?, guest(b)),
        _ => {
            let parts = (0..3).filter_map(|k| {
                let turn = 11 * k;
                let what = [2, 12, 17, 22, 7][(c.rotate_left(turn) % 5) as usize];
                edit(model, gone, [what, a.rotate_left(turn), b.rotate_left(turn), c ^ turn])
            });
            Edit::Batch(parts.collect())
        }
    })
}

/// A small model of its own.
fn guest(draw: u32) -> Model {
    let mut guest = Model::new("guest");
    let ends = [0.0, 1.0].map(|x| guest.add(Particle::new(1.0, Vec3::x() * x).named(name(draw))));
    guest.add(AxialSpring::new(ends, LinearAxial::default()).named("spring"));
    guest.add(ReferenceList::new("ends", ends.map(|end| end.id()).to_vec()));
    guest
}

/// Mostly maps that have a meaning for all.
fn map(draw: u32) -> Affine {
    match draw % 8 {
        0..3 => Affine::translation(vector(draw)),
        3..5 => Affine::rotation(vector(draw), vector(draw.rotate_left(5))),
        5 => Affine::scaling(vector(draw), if draw % 16 < 8 { 2.0 } else { 0.5 }),
        6 => Affine::scaling(vector(draw), -1.0),
        _ => Affine::translation(Vec3::x() * f64::NAN),
    }
}

/// A property declared, or a declared one taken away.
fn declaration(model: &Model, id: ComponentId, draw: u32) -> Edit {
    let declared: Vec<_> = model.declared_properties(id).collect();
    match pick(&declared, draw / 3).filter(|_| draw.is_multiple_of(3)) {
        Some(property) => Edit::Undeclare(property),
        None => {
            let types = [PropertyType::Real, PropertyType::Text, PropertyType::List];
            let name = format!("own{}", draw / 9 % 4);
            Edit::declare(id, Declaration::new(name, types[draw as usize % 3]))
        }
    }
}

fn set(model: &Model, id: ComponentId, which: u32, how: u32) -> Option<Edit> {
    let properties = model.properties(id);
    let property = pick(&properties, which)?;
    if how.is_multiple_of(8) {
        return Some(Edit::inherit(property));
    }
    let (info, all) = (property.info(), walk(model));
    let somebody = |draw| Some(model.path(pick(&all, draw)?));
    let value = match info.value_type {
        // References to what is there, which may do or not.
        PropertyType::Path if how % 4 == 1 => Value::Path(somebody(how / 4)?),
        PropertyType::Paths => Value::Paths(
            (0..how % 3).map(|k| somebody(how.rotate_left(9 * k))).collect::<Option<_>>()?,
        ),
        _ => value(info, how / 8),
    };
    Some(Edit::Set { property, setting: Setting::Explicit(value) })
}

/// A value of the type of a property, or now and then of another; in its range, or not.
pub(crate) fn value(info: &PropertyInfo, draw: u32) -> Value {
    let real = [0.25, 0.25, 1.0, 0.125, 3.0, 0.1, -1.0, f64::NAN][draw as usize % 8];
    match info.value_type {
        _ if draw.is_multiple_of(32) => Value::Bool(draw.is_multiple_of(64)),
        PropertyType::Bool => Value::Bool(draw.is_multiple_of(2)),
        PropertyType::Int => Value::Int(i64::from(draw % 10)),
        PropertyType::Real => Value::Real(real),
        PropertyType::Vector => Value::Vector(vector(draw)),
        PropertyType::Choice(words) => Value::Choice(words[draw as usize % words.len()]),
        // A formula that cannot be read is refused when it is set, not when that is planned.
        PropertyType::Text if info.name.starts_with("field.") => Value::Text(String::new()),
        PropertyType::Text => Value::Text(name(draw)),
        PropertyType::Path => Value::Path(["/", ""][draw as usize % 2].into()),
        PropertyType::Pose => Value::Pose(pose(draw)),
        PropertyType::Matrix => {
            Value::Matrix(Mat3::from_diagonal(&(Vec3::repeat(3.0) + vector(draw))))
        }
        PropertyType::Colour => Value::Colour([real as f32, 0.5, 1.0]),
        PropertyType::List => Value::List((0..draw % 4).map(f64::from).collect()),
        _ => Value::Real(real),
    }
}

/// Results computed from a model: rows, masses, forces, or the error of its compilation.
pub(crate) fn compiled(model: &Model) -> Result<Vec<Vec<u64>>, String> {
    let compiled = model.compile().map_err(|error| error.to_string())?;
    let state = compiled.initial_state();
    let bits =
        |vectors: &[Vec3]| vectors.iter().flat_map(|v| v.map(f64::to_bits).data.0[0]).collect();
    let mut forces = vec![Vec3::zeros(); state.q.len()];
    let motion = Motion::at(&state.q, &state.u);
    compiled
        .forces(LoadCase::at(0.0), motion, VelocityTerms::Included, &mut forces)
        .map_err(|fault| format!("{fault:?}"))?;
    let masses = compiled.masses().iter().map(|m| m.to_bits()).collect();
    let fixed = compiled.fixed().iter().flatten().map(|&fixed| u64::from(fixed)).collect();
    Ok(vec![bits(&state.q), bits(&state.u), bits(&forces), masses, fixed])
}
