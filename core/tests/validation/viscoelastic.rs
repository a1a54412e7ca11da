//! A bar whose stress relaxes by a Prony series: a ramp that is then held, and the relaxation after one step of stretch.

use std::sync::LazyLock;

use sinew::Vec3;
use sinew::fem::Incompressible;
use sinew::force::VelocityTerms;
use sinew::material::{MaterialSpec, PronyLaw, PronySeries, PronyStress};
use sinew::model::{Dirichlet, Model, Schedule};
use sinew::solve::{ImplicitMode, Integrator, MechSystemSolver, NewtonSettings, SolverSettings};
use sinew::system::{CompiledModel, LoadCase, MechSystem, Motion, State};
use sinew_datasets::beam::BeamElement;

use super::laws::mooney_rivlin;
use super::meshes::{grid, kind_name};
use super::problem::{close, fix, isotropic, nodes_where, tissue};
use super::table::{Group, Row};

/// Inertia that does not count: over h² it is 1e-9 of the stiffness [kg/m³].
const DENSITY: f64 = 1e-9;
/// Step [s].
const H: f64 = 0.01;

/// A unit cube stretched along x by a schedule of the stretch less one, its other faces free.
fn bar(element: BeamElement, law: MaterialSpec, prony: PronySeries, schedule: Schedule) -> Model {
    let mut model = tissue(grid(element, [1; 3], [1.0; 3]), law);
    model.fem_mut(0).density = DENSITY;
    model.fem_mut(0).prony = prony;
    // All of the stress relaxes, that of the volume included.
    model.fem_mut(0).incompressible = Incompressible::Off;
    for axis in 0..3 {
        let near = nodes_where(&model.fem(0).mesh, |x| close(x[axis], 0.0));
        fix(&mut model, near, std::array::from_fn(|a| a == axis));
    }
    let far = nodes_where(&model.fem(0).mesh, |x| close(x.x, 1.0));
    model.fem_mut(0).dirichlet.push(Dirichlet {
        axes: [true, false, false],
        displacement: vec![Vec3::x()],
        schedule,
        ..Dirichlet::fix(far)
    });
    model
}

/// A bar as it moves.
struct Run {
    compiled: CompiledModel,
    solver: MechSystemSolver,
    state: State,
}

impl Run {
    fn new(model: &Model) -> Self {
        let compiled = model.compile().expect("the model compiles");
        let newton = NewtonSettings { max_iterations: 100, tolerance: 1e-9 };
        let integrator = Integrator::BackwardEuler(ImplicitMode::Newton(newton));
        let settings = SolverSettings { integrator, ..SolverSettings::default() };
        let solver = MechSystemSolver::new(&compiled, settings).expect("a solver");
        let state = compiled.initial_state();
        Self { compiled, solver, state }
    }

    /// Takes steps up to a time [s].
    fn go_to(&mut self, time: f64) {
        while self.state.time < time - 0.5 * H {
            self.solver
                .step(&self.compiled, &mut self.state, H)
                .unwrap_or_else(|error| panic!("{} s: {error}", self.state.time));
        }
    }

    /// Cauchy stress along x [Pa], force on the face x = 1 over its area at rest [Pa], and the stretch along z.
    fn response(&self) -> [f64; 3] {
        let mut forces = vec![Vec3::zeros(); self.compiled.block_count()];
        let (load, motion) = (LoadCase::at(self.state.time), Motion::now(&self.state));
        let outcome = self.compiled.forces(load, motion, VelocityTerms::Excluded, &mut forces);
        outcome.expect("forces exist");
        let rest = self.compiled.rest_positions();
        let on_face = |axis: usize| (0..rest.len()).filter(move |&k| close(rest[k][axis], 1.0));
        let force: f64 = on_face(0).map(|row| -forces[row].x).sum();
        let heights = on_face(2).map(|row| self.state.q[row].z);
        let lateral = heights.sum::<f64>() / on_face(2).count() as f64;
        let element = self.compiled.at(&self.state).element_state(self.compiled.fems()[0], 0);
        [element.expect("an element").stress[(0, 0)], force, lateral]
    }
}

/// FEL-QLV-RAMP: time [s]; Cauchy stress and force over area [Pa], of the Cauchy stress and of the second Piola-Kirchhoff
/// stress that relax; lateral stretch.
const RAMP: [[f64; 6]; 9] = [
    [0.1, 6896.2773, 6529.1229, 6887.9089, 6521.2001, 0.97301619],
    [0.2, 13418.957, 12062.671, 13358.932, 12008.713, 0.94811793],
    [0.4, 25743.81, 21019.314, 25355.472, 20702.243, 0.903593],
    [0.5, 24522.836, 20022.413, 24200.716, 19759.408, 0.903593],
    [1.0, 20876.622, 17045.351, 20744.509, 16937.483, 0.903593],
    [2.0, 18545.35, 15141.913, 18511.795, 15114.517, 0.903593],
    [5.0, 16861.988, 13767.481, 16851.645, 13759.036, 0.903593],
    [10.0, 15762.722, 12869.952, 15758.931, 12866.857, 0.903593],
    [20.0, 15209.874, 12418.562, 15209.361, 12418.144, 0.903593],
];
/// Times [s] and shares of the terms.
const TERMS: [[f64; 2]; 2] = [[0.5, 0.6], [5.0, 0.3]];
/// Error that the reference problem allows.
const ALLOWED: f64 = 1e-4;

fn neo_hookean(youngs_modulus: f64) -> MaterialSpec {
    MaterialSpec::NeoHookean(isotropic(youngs_modulus, 0.45))
}

/// Law and series of the same tissue, its constants those of the long run or those at once.
fn described(by: PronyLaw, stress: PronyStress) -> (MaterialSpec, PronySeries) {
    let relaxing: f64 = TERMS.iter().map(|[_, share]| share).sum();
    let whole = match by {
        PronyLaw::LongTerm => 1.0,
        PronyLaw::Instantaneous => 1.0 + relaxing,
    };
    let terms = TERMS.map(|[time, share]| [time, share / whole]);
    (neo_hookean(6e4 * whole), PronySeries { law: by, stress, ..PronySeries::new(terms) })
}

/// The worst of all times, the end of the ramp shown.
fn ramp_rows(element: BeamElement, by: PronyLaw, stress: PronyStress) -> Vec<Row> {
    let (law, prony) = described(by, stress);
    let schedule = Schedule::Table(vec![[0.0, 0.0], [0.4, 0.25], [1e3, 0.25]]);
    let mut run = Run::new(&bar(element, law, prony, schedule));
    let first = if stress == PronyStress::Cauchy { 1 } else { 3 };
    let relaxing = if first == 1 { "Cauchy's stress" } else { "second Piola-Kirchhoff stress" };
    let of = if by == PronyLaw::LongTerm { "in the long run" } else { "at once" };
    let kind = kind_name(element);
    let case = format!("ramp, {relaxing} relaxes, constants of the response {of}, {kind}");
    let mut found: Vec<([f64; 3], [f64; 3])> = Vec::new();
    for row in RAMP {
        run.go_to(row[0]);
        found.push(([row[first], row[first + 1], row[5]], run.response()));
    }
    let metrics = ["Cauchy stress [Pa]", "force over area at rest [Pa]", "stretch along z"];
    let row = |(k, metric): (usize, &str)| {
        let errors = found.iter().map(|(reference, ours)| (ours[k] / reference[k] - 1.0).abs());
        let metric = format!("{metric} at t = 0.4 s; error: worst of 9 times");
        Row::new(case.clone(), metric, (found[2].0[k], found[2].1[k]), ALLOWED)
            .with_error(errors.fold(0.0, f64::max))
    };
    metrics.into_iter().enumerate().map(row).collect()
}

/// Force over area of a bar that one step of `H` stretches, as it relaxes: that of the law times
/// `1 + sum g a exp(-(t - H)/tau)`, a = (1 - exp(-H/tau)) tau/H.
fn relaxation_row(law: MaterialSpec, stretch: f64) -> Row {
    let name = law.name();
    let schedule = Schedule::Table(vec![[0.0, 0.0], [H, stretch - 1.0], [1e3, stretch - 1.0]]);
    let mut elastic =
        Run::new(&bar(BeamElement::Hex, law, PronySeries::default(), schedule.clone()));
    elastic.go_to(H);
    let long = elastic.response()[1];
    let mut run = Run::new(&bar(BeamElement::Hex, law, PronySeries::new(TERMS), schedule));
    let (mut worst, mut shown) = (0f64, (0.0, 0.0));
    for time in [H, 0.1, 0.5, 1.0, 5.0, 20.0] {
        run.go_to(time);
        let left = |[tau, share]: [f64; 2]| {
            let change = (1.0 - (-H / tau).exp()) * tau / H;
            share * change * (-(time - H) / tau).exp()
        };
        let exact = long * (1.0 + TERMS.map(left).iter().sum::<f64>());
        let ours = run.response()[1];
        worst = worst.max((ours / exact - 1.0).abs());
        if time == 1.0 {
            shown = (exact, ours);
        }
    }
    let case = format!("relaxation at a stretch of {stretch}, {name}");
    let metric = "force over area at rest [Pa] at t = 1 s; error: worst of 6 times";
    Row::new(case, metric, shown, 1e-6).with_error(worst)
}

fn all_rows() -> Vec<Row> {
    let stresses = [PronyStress::SecondPiolaKirchhoff, PronyStress::Cauchy];
    let long = |stress| ramp_rows(BeamElement::Hex, PronyLaw::LongTerm, stress);
    let mut rows: Vec<Row> = stresses.into_iter().flat_map(long).collect();
    rows.extend(ramp_rows(BeamElement::Hex, PronyLaw::Instantaneous, stresses[0]));
    rows.extend(ramp_rows(BeamElement::QuadTet, PronyLaw::LongTerm, stresses[0]));
    let corotated = MaterialSpec::Corotated(isotropic(6e4, 0.45));
    for (law, stretch) in [
        (corotated, 1.001),
        (neo_hookean(6e4), 1.001),
        (neo_hookean(6e4), 1.3),
        (mooney_rivlin([1e4, 2e3, 0.0, 0.0, 0.0, 1e5]), 1.3),
        (MaterialSpec::from_name("holzapfel_gasser_ogden").expect("a law"), 1.1),
    ] {
        rows.push(relaxation_row(law, stretch));
    }
    rows
}

pub(crate) fn groups() -> Vec<Group> {
    // Wanted by the test below and by the table, and not cheap.
    static ROWS: LazyLock<Vec<Row>> = LazyLock::new(all_rows);
    vec![Group {
        title: "A bar whose stress relaxes",
        text: "FEL-QLV-RAMP: neo-Hookean, E = 60 kPa, nu = 0.45, stretched to 1.25 in 0.4 s and held; terms of 0.6 with 0.5 s \
               and 0.3 with 5 s over the response of the long run, and the same tissue by that at once. Backward Euler by \
               Newton's method, h = 10 ms, without inertia. Below: one step of stretch, against the closed form of the \
               series.",
        rows: ROWS.clone(),
    }]
}

#[test]
fn a_bar_relaxes_by_its_series() {
    groups().iter().for_each(Group::check);
}
