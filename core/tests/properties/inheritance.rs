//! ArtiSynth's rule (its UI guide, figure 5): a property is explicit, or has the value of the nearest
//! ancestor with an explicit property of that name, or the default.

use sinew::Vec3;
use sinew::component::{ComponentId, ROOT};
use sinew::force::VelocityTerms;
use sinew::model::{ComponentList, MechModel, Model, Particle};
use sinew::property::{PropertyRef, Setting, Source, Value};
use sinew::system::{CompiledModel, LoadCase, MechSystem, Motion, State};

/// Three mechanical models, one in the other, with a particle in the innermost.
struct Nested {
    model: Model,
    gravity: [PropertyRef; 3],
    damping: [PropertyRef; 4],
    compiled: CompiledModel,
    state: State,
}

impl Nested {
    fn new() -> Self {
        let mut model = Model::new("nested");
        let a = model.add(MechModel::new("a"));
        let b = model.add_to(a, MechModel::new("b")).unwrap();
        let c = model.add_to(b, MechModel::new("c")).unwrap();
        let moving = Particle::new(2.0, Vec3::zeros()).velocity(Vec3::x());
        let particle = model.add_to(c, moving).unwrap();
        let of = |id: ComponentId, name: &str| model.property_of(id, name).unwrap();
        let gravity = [a, b, c].map(|mech| of(mech.id(), "gravity"));
        let damping = [a.id(), b.id(), c.id(), particle.id()].map(|id| of(id, "point_damping"));
        let compiled = model.compile().unwrap();
        let state = compiled.initial_state();
        Self { model, gravity, damping, compiled, state }
    }

    /// Checks the gravity of the innermost model and the drag of the particle, by property and by
    /// force.
    fn assert_felt(&mut self, gravity: Vec3, damping: f64) {
        let (innermost, own) = (&self.gravity[2], &self.damping[3]);
        assert_eq!(self.model.get_property(innermost).unwrap(), Value::Vector(gravity));
        assert_eq!(self.model.get_real(own).unwrap(), damping);
        self.model.refresh(&mut self.compiled, &mut self.state).unwrap();
        let mut forces = [Vec3::zeros()];
        let motion = Motion::at(&self.state.q, &self.state.u);
        let load = LoadCase::at(0.0);
        self.compiled.forces(load, motion, VelocityTerms::Included, &mut forces).unwrap();
        // 2 kg at 1 m/s along x; two roundings.
        let expected = gravity * 2.0 - Vec3::x() * damping;
        assert!((forces[0] - expected).norm() < 1e-14, "{} for {expected}", forces[0]);
    }
}

#[test]
fn the_nearest_explicit_value_above_is_seen_below_and_felt_when_compiled() {
    let mut n = Nested::new();
    let (g1, g2, g3) = (Vec3::x(), Vec3::y() * 3.0, Vec3::z() * -5.0);
    n.assert_felt(Vec3::new(0.0, 0.0, -9.8), 0.0);
    n.model.set_property(&n.gravity[0], g1).unwrap();
    n.model.set_property(&n.damping[0], 0.5).unwrap();
    n.assert_felt(g1, 0.5);
    // The middle one becomes explicit: the outer one is no longer seen below it.
    n.model.set_property(&n.gravity[1], g2).unwrap();
    n.model.set_property(&n.damping[1], 0.25).unwrap();
    n.assert_felt(g2, 0.25);
    n.model.set_property(&n.gravity[0], g3).unwrap();
    n.assert_felt(g2, 0.25);
    assert_eq!(n.model.get_property(&n.gravity[0]).unwrap(), Value::Vector(g3));
    // Inherited again: the outer value of now is seen.
    n.model.inherit_property(&n.gravity[1]).unwrap();
    n.model.inherit_property(&n.damping[1]).unwrap();
    n.assert_felt(g3, 0.5);
    // The particle's own drag wins over all.
    n.model.set_property(&n.damping[3], 4.0).unwrap();
    n.assert_felt(g3, 4.0);
    n.model.inherit_property(&n.damping[3]).unwrap();
    n.model.inherit_property(&n.damping[0]).unwrap();
    n.model.inherit_property(&n.gravity[0]).unwrap();
    n.assert_felt(Vec3::new(0.0, 0.0, -9.8), 0.0);
}

#[test]
fn an_explicit_value_that_equals_the_inherited_one_is_explicit_still() {
    let mut n = Nested::new();
    n.model.set_property(&n.damping[0], 0.5).unwrap();
    n.model.set_property(&n.damping[2], 0.5).unwrap();
    n.model.set_property(&n.damping[0], 0.75).unwrap();
    n.assert_felt(Vec3::new(0.0, 0.0, -9.8), 0.5);
    assert_eq!(n.model.setting(&n.damping[2]).unwrap(), Setting::Explicit(Value::Real(0.5)));
}

#[test]
fn a_property_tells_where_its_value_comes_from() {
    let mut n = Nested::new();
    let source = |n: &Nested, p: &PropertyRef| n.model.property_source(p).unwrap();
    assert_eq!(source(&n, &n.gravity[2]), Source::Default);
    n.model.set_property(&n.gravity[0], Vec3::x()).unwrap();
    assert_eq!(source(&n, &n.gravity[0]), Source::Explicit);
    let a = n.gravity[0].host().component();
    assert_eq!(source(&n, &n.gravity[2]), Source::Inherited(a));
    let mass = n.model.property_of(n.damping[3].host(), "mass").unwrap();
    assert_eq!(source(&n, &mass), Source::Own);
    let size = n.model.property("/models:size").unwrap();
    assert_eq!(source(&n, &size), Source::Computed);
}

#[test]
fn the_look_is_inherited_through_lists_and_containers_of_the_users_own() {
    let mut model = Model::new("look");
    let main = model.main();
    let mine = model.add_to(main, ComponentList::new("mine")).unwrap();
    let particle = model.add_to(mine, Particle::default()).unwrap();
    let of = |id: ComponentId| model.property_of(id, "render.face_color").unwrap();
    let (root, list, own) = (of(ROOT), of(mine.id()), of(particle.id()));
    let colour = |model: &Model| model.render_props(particle).face_color.unwrap();
    assert_eq!(colour(&model), [0.5; 3]);
    model.set_property(&root, [1.0f32, 0.0, 0.0]).unwrap();
    assert_eq!(colour(&model), [1.0, 0.0, 0.0]);
    model.set_property(&list, [0.0f32, 1.0, 0.0]).unwrap();
    assert_eq!(colour(&model), [0.0, 1.0, 0.0]);
    assert_eq!(model.get_property(&own).unwrap(), Value::Colour([0.0, 1.0, 0.0]));
    model.set_property(&own, [0.0f32, 0.0, 1.0]).unwrap();
    assert_eq!(colour(&model), [0.0, 0.0, 1.0]);
    model.inherit_property(&own).unwrap();
    model.inherit_property(&list).unwrap();
    assert_eq!(model.get_property(&own).unwrap(), Value::Colour([1.0, 0.0, 0.0]));
    model.inherit_property(&root).unwrap();
    assert_eq!(colour(&model), [0.5; 3]);
}
