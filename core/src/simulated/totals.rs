//! Totals of everything below a component: mass, energies, momentum, extent.

use super::bodies::BodyNow;
use super::springs::{frame_spring_energy, line_energy, spring_energy};
use super::view::{Simulated, readers};
use crate::Vec3;
use crate::component::ComponentId;
use crate::model::{
    AxialSpring, DEFAULT_GRAVITY, FemModel, FrameSpring, MechModel, Model, MultiPointSpring,
    MuscleBundle, PointRef, RootModel, Shell,
};

/// Sums over the particles, nodes and bodies below a component.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    /// [kg]
    mass: f64,
    /// Sum of m q [kg m].
    moment: Vec3,
    /// The same two of what forces move.
    moving: (f64, Vec3),
    /// Sum of m u [kg m/s].
    momentum: Vec3,
    /// Sum of q x m u [kg m²/s].
    angular_momentum: Vec3,
    /// [J]
    kinetic: f64,
    /// Zero at the origin [J].
    gravitational: f64,
    /// Least and greatest coordinates [m].
    bounds: Option<[Vec3; 2]>,
}

impl Sums {
    fn of(s: &Simulated<'_>, id: ComponentId) -> Option<Self> {
        let mut sums = s.model.contains(id).then(Self::default)?;
        let below = |part: ComponentId| s.model.store.is_within(part, id);
        for &particle in s.compiled.particles() {
            if below(particle.id()) {
                let moves = s.model.get(particle).is_some_and(|it| !it.fixed);
                let gravity = gravity_at(s.model, particle.id());
                sums.add(s, PointRef::Particle(particle), (gravity, moves));
            }
        }
        for &fem in s.compiled.fems() {
            if below(fem.id()) {
                let gravity = gravity_at(s.model, fem.id());
                let count = s.model.get(fem).map_or(0, |fem| fem.mesh.nodes.len());
                let mut add = |n| sums.add(s, PointRef::FemNode(fem, n), (gravity, true));
                (0..count as u32).for_each(&mut add);
            }
        }
        for &body in s.compiled.bodies().iter().filter(|body| below(body.id())) {
            if let Some(now) = BodyNow::of(s, body) {
                let moves = s.model.get(body).is_some_and(|it| it.dynamic);
                sums.add_body(&now, (gravity_at(s.model, body.id()), moves));
            }
        }
        Some(sums)
    }

    fn add_body(&mut self, now: &BodyNow, (gravity, moves): (Vec3, bool)) {
        self.add_mass(now.mass, now.center, moves);
        self.momentum += now.momentum();
        self.angular_momentum += now.center.cross(&now.momentum()) + now.angular_momentum;
        self.kinetic += now.kinetic_energy();
        self.gravitational -= now.mass * gravity.dot(&now.center);
        self.reach(now.center);
    }

    fn add_mass(&mut self, mass: f64, at: Vec3, moves: bool) {
        self.mass += mass;
        self.moment += at * mass;
        if moves {
            self.moving = (self.moving.0 + mass, self.moving.1 + at * mass);
        }
    }

    /// Centre of mass of what forces move, of everything where they move nothing; `None` without mass.
    fn center(&self) -> Option<Vec3> {
        let (mass, moment) =
            if self.moving.0 > 0.0 { self.moving } else { (self.mass, self.moment) };
        (mass > 0.0).then(|| moment / mass)
    }

    fn reach(&mut self, q: Vec3) {
        let [low, high] = self.bounds.unwrap_or([q, q]);
        self.bounds = Some([low.inf(&q), high.sup(&q)]);
    }

    fn add(&mut self, s: &Simulated<'_>, point: PointRef, (gravity, moves): (Vec3, bool)) {
        let Some(row) = s.row(point) else { return };
        let (m, q, u) = (s.mass(row), s.state.q[row], s.state.u[row]);
        self.add_mass(m, q, moves);
        self.momentum += u * m;
        self.angular_momentum += q.cross(&u) * m;
        self.kinetic += 0.5 * m * u.norm_squared();
        self.gravitational -= m * gravity.dot(&q);
        self.reach(q);
    }
}

/// The acceleration of free fall of a particle, body or tissue [m/s²], by the rule of inheritance.
pub(super) fn gravity_at(model: &Model, id: ComponentId) -> Vec3 {
    let own = |id: ComponentId| match (id.typed::<FemModel>(), id.typed::<MechModel>()) {
        (Some(fem), _) => model.get(fem)?.gravity,
        (_, Some(mech)) => model.get(mech)?.gravity,
        _ => None,
    };
    let mut line = std::iter::once(id).chain(model.store.ancestors(id));
    line.find_map(own).unwrap_or(DEFAULT_GRAVITY)
}

/// Energy of deformation of the tissues, their passive fibres, shells and springs below a component [J].
fn strain_energy(s: &Simulated<'_>, id: ComponentId) -> Option<f64> {
    let below = |part: ComponentId| s.model.store.is_within(part, id);
    let fems = s.compiled.fems().iter().filter(|fem| below(fem.id()));
    let tissues: f64 =
        fems.filter_map(|&fem| Some(s.compiled.at(s.state).tissue_sums(fem)?.strain_energy)).sum();
    let axial = s.model.iter::<AxialSpring>().filter(|(spring, _)| below(spring.id()));
    let axial = axial.filter_map(|(spring, _)| spring_energy(s, spring));
    let lines = s.model.iter::<MultiPointSpring>().filter(|(line, _)| below(line.id()));
    let lines = lines.filter_map(|(line, _)| line_energy(s, line));
    let frames = s.model.iter::<FrameSpring>().filter(|(spring, _)| below(spring.id()));
    let frames = frames.filter_map(|(spring, _)| frame_spring_energy(s, spring));
    let bundles = s.model.iter::<MuscleBundle>().filter(|(bundle, _)| below(bundle.id()));
    let bundles = bundles.filter_map(|(bundle, _)| s.compiled.passive_energy_of(bundle, s.state));
    let shells = s.model.iter::<Shell>().filter(|(shell, _)| below(shell.id()));
    let shells = shells.filter_map(|(shell, _)| s.compiled.energy_of_shell(shell, s.state));
    let lines = axial.chain(lines).chain(frames).chain(bundles).chain(shells);
    s.model.contains(id).then_some(tissues + lines.sum::<f64>())
}

/// Volume of the tissues below a component [m³].
fn volume(s: &Simulated<'_>, id: ComponentId) -> Option<f64> {
    let fems = s.compiled.fems().iter().filter(|fem| s.model.store.is_within(fem.id(), id));
    let sum = fems.filter_map(|&fem| Some(s.compiled.at(s.state).tissue_sums(fem)?.volume)).sum();
    s.model.contains(id).then_some(sum)
}

readers! { pub(super) TOTALS: ComponentId {
    "mass": f64 = |s, h| Some(Sums::of(s, h)?.mass);
    "volume": f64 = |s, h| volume(s, h);
    "kinetic_energy": f64 = |s, h| Some(Sums::of(s, h)?.kinetic);
    "gravitational_energy": f64 = |s, h| Some(Sums::of(s, h)?.gravitational);
    "strain_energy": f64 = |s, h| strain_energy(s, h);
    "energy": f64 = |s, h| {
            let sums = Sums::of(s, h)?;
            Some(sums.kinetic + sums.gravitational + strain_energy(s, h)?)
        };
    "center_of_mass": Vec3 = |s, h| Sums::of(s, h)?.center();
    "momentum": Vec3 = |s, h| Some(Sums::of(s, h)?.momentum);
    "angular_momentum": Vec3 = |s, h| Some(Sums::of(s, h)?.angular_momentum);
    "bounds.low": Vec3 = |s, h| Some(Sums::of(s, h)?.bounds?[0]);
    "bounds.high": Vec3 = |s, h| Some(Sums::of(s, h)?.bounds?[1]);
} }

readers! { pub(super) ROOT_MODEL: RootModel {
    "time": f64 = |s, _| Some(s.state.time);
    "dof_count": i64 = |s, _| i64::try_from(s.compiled.dof_count()).ok();
} }
