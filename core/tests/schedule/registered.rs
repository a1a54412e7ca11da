//! Code of users that models have by name: made with declared parameters, saved, and refused where it is not registered.

use sinew::Vec3;
use sinew::component::{ComponentId, ComponentType, Handle};
use sinew::constraint::{ConstraintInput, RowSheet};
use sinew::force::PointMotion;
use sinew::model::{
    CodeFault, CodeRegistry, ControlCode, CustomConstrainer, CustomForce, Edit, Model, Particle,
    PropertyController,
};
use sinew::property::{Declaration, PropertyType, Value};
use sinew::schedule::Scheduler;

use super::scenes::{default_run, real, state, vector};

const STONE: &str = "/models/m/particles/stone";

/// A force along a vector that grows with the height.
fn wind(push: Vec3) -> impl Fn(PointMotion<'_>, &mut [Vec3]) + Send + Sync + 'static {
    move |motion, forces| {
        forces.iter_mut().zip(motion.positions).for_each(|(it, at)| *it += push * (1.0 + at.z));
    }
}

/// A distance from the origin.
fn rod(length: f64) -> impl Fn(ConstraintInput<'_>, &mut RowSheet<'_>) + Send + Sync + 'static {
    move |input, sheet| {
        let at = input.positions[0];
        sheet.set_value(0, at.norm() - length);
        sheet.set_point(0, 0, at.normalize());
    }
}

/// The sum of its inputs over time, and a factor.
struct Sum {
    factor: f64,
    sum: f64,
}

impl ControlCode for Sum {
    fn output(&mut self, input: f64, _: f64, step: f64) -> Result<f64, CodeFault> {
        self.sum += input * step;
        if self.sum.abs() > 1e3 {
            return Err("the sum ran away".into());
        }
        Ok(self.factor * self.sum)
    }

    fn save(&self, numbers: &mut Vec<f64>) {
        numbers.push(self.sum);
    }

    fn restore(&mut self, numbers: &[f64]) {
        self.sum = numbers.first().copied().unwrap_or_default();
    }
}

fn registry() -> CodeRegistry {
    let mut code = CodeRegistry::default();
    code.add_force("wind", |parameters| Ok(Box::new(wind(parameters.vector("push")?))));
    code.add_constraint("rod", |parameters| {
        let length = parameters.number("length")?;
        if length <= 0.0 {
            return Err(format!("length must be > 0, got {length}").into());
        }
        Ok(Box::new(rod(length)))
    });
    code.add_controller("sum", |parameters| {
        Ok(Box::new(Sum { factor: parameters.number("factor")?, sum: 0.0 }))
    });
    code
}

fn stone(model: &mut Model) -> Handle<Particle> {
    model.add(Particle::new(2.0, Vec3::new(0.6, 0.0, 0.8)).named("stone"))
}

fn declare(model: &mut Model, id: impl Into<ComponentId>, name: &str, value: Value) {
    let ty =
        if matches!(value, Value::Real(_)) { PropertyType::Real } else { PropertyType::Vector };
    model.edit(Edit::declare(id, Declaration::new(name, ty).default_value(value))).unwrap();
}

/// A stone on a rod in the wind, and a property that sums up where it is.
fn by_names() -> Model {
    let mut model = Model::new("m");
    model.set_code(registry());
    let stone = stone(&mut model);
    let push = Vec3::new(0.0, 3.0, 0.0);
    let force = model.add(CustomForce::registered("wind", vec![stone.into()]).named("wind"));
    declare(&mut model, force, "push", push.into());
    let rod = CustomConstrainer::registered("rod", vec![stone.into()], Vec::new(), 1).named("rod");
    let rod = model.add(rod);
    declare(&mut model, rod, "length", 1.0.into());
    declare(&mut model, stone, "total", 0.0.into());
    let input = format!("{{{STONE}:position.y}}");
    let sum = PropertyController::new(input, stone, "total").by_code("sum").named("sum");
    // Documents have no infinite numbers.
    let sum = PropertyController { lower: -1e9, upper: 1e9, ..sum };
    let sum = model.add(sum);
    declare(&mut model, sum, "factor", 2.0.into());
    model
}

fn text(model: &Model) -> String {
    serde_json::to_string(model).unwrap()
}

/// The model that a file has, with or without its code.
fn read(text: &str, code: Option<CodeRegistry>) -> Model {
    let mut model: Model = serde_json::from_str(text).unwrap();
    if let Some(code) = code {
        model.set_code(code);
    }
    model
}

#[test]
fn code_by_name_does_what_the_same_closures_do_and_comes_back_from_a_file() {
    let mut closures = Model::new("m");
    let stone = stone(&mut closures);
    closures.add(CustomForce::new(vec![stone.into()], wind(Vec3::new(0.0, 3.0, 0.0))));
    closures.add(CustomConstrainer::new(vec![stone.into()], Vec::new(), 1, rod(1.0)));
    let named = by_names();
    let saved = text(&named);
    let again = read(&saved, Some(registry()));
    assert_eq!(text(&again), saved);
    let [mut first, mut second, mut third] =
        [closures, named, again].map(|it| default_run(it, 0.01));
    for _ in 0..30 {
        for run in [&mut first, &mut second, &mut third] {
            run.step().unwrap();
        }
        let expected = state(&mut first);
        assert_eq!((&expected.q, &expected.u), (&state(&mut second).q, &state(&mut second).u));
        assert_eq!((&expected.q, &expected.u), (&state(&mut third).q, &state(&mut third).u));
    }
    let at = vector(&mut first, &format!("{STONE}:position"));
    assert!(at.y > 0.01 && (at.norm() - 1.0).abs() < 1e-6, "{at}");
}

#[test]
fn a_controller_of_code_remembers_and_comes_the_same_way_again() {
    let mut run = default_run(by_names(), 0.01);
    let total = |run: &mut Scheduler| real(run, &format!("{STONE}:total"));
    run.add_waypoint(0.1, false).unwrap();
    let mut expected = 0.0;
    for _ in 0..20 {
        expected += vector(&mut run, &format!("{STONE}:position")).y * 0.01;
        run.step().unwrap();
        assert_eq!(total(&mut run), 2.0 * expected);
    }
    run.rewind(0.1).unwrap();
    run.advance(0.2).unwrap();
    assert_eq!(total(&mut run), 2.0 * expected);
    // Another factor from here on; what was summed up stays.
    let factor = run.simulation_mut().property("/models/m/controllers/sum:factor").unwrap();
    run.simulation_mut().set(&factor, -1.0).unwrap();
    expected += vector(&mut run, &format!("{STONE}:position")).y * 0.01;
    run.step().unwrap();
    assert_eq!(total(&mut run), -expected);
}

#[test]
fn a_parameter_that_is_set_acts_from_the_next_step_on_and_is_undone() {
    let mut model = by_names();
    model.set_text("/models/m/force_effectors/wind:push", "0 0 0").unwrap();
    let mut run = default_run(model, 0.01);
    run.advance(0.05).unwrap();
    assert_eq!(vector(&mut run, &format!("{STONE}:position")).y, 0.0);
    let command = "set /models/m/force_effectors/wind:push \"0 3 0\"".parse().unwrap();
    run.simulation_mut().apply(&command).unwrap();
    run.step().unwrap();
    let pushed = vector(&mut run, &format!("{STONE}:velocity")).y;
    assert!(pushed > 0.01, "{pushed}");
    run.simulation_mut().undo().unwrap();
    run.step().unwrap();
    let later = vector(&mut run, &format!("{STONE}:velocity")).y;
    // The rod turns it, by less than a hundredth in a step.
    assert!((later - pushed).abs() < 1e-2 * pushed, "nothing pushes: {later} {pushed}");
}

#[test]
fn what_is_not_registered_or_lacks_a_parameter_is_named() {
    let saved = text(&by_names());
    let refused = |model: &Model| model.compile().err().expect("a refusal").to_string();
    let error = refused(&read(&saved, None));
    assert!(
        error.contains("constrainers/rod:code is 'rod', and no constraint of that name"),
        "{error}"
    );
    let mut near = CodeRegistry::default();
    near.add_constraint("rod", |_| Ok(Box::new(rod(1.0))));
    near.add_force("winds", |_| Ok(Box::new(|_, _: &mut [Vec3]| {})));
    let error = refused(&read(&saved, Some(near)));
    assert!(error.contains("did you mean 'winds'"), "{error}");
    let mut model = by_names();
    let push = model.property("/models/m/force_effectors/wind:push").unwrap();
    model.edit(Edit::Undeclare(push)).unwrap();
    let error = refused(&model);
    assert!(error.contains("wind:code needs the parameter 'push', a vector"), "{error}");
    let mut model = by_names();
    model.set_text("/models/m/constrainers/rod:length", "-2").unwrap();
    let error = refused(&model);
    assert!(error.contains("rod:code 'rod' is refused by its code: length must be > 0"), "{error}");
    let mut model = by_names();
    model.set_text("/models/m/controllers/sum:factor", "1").unwrap();
    let factor = model.property("/models/m/controllers/sum:factor").unwrap();
    model.edit(Edit::Undeclare(factor)).unwrap();
    let error = default_run(model, 0.01).step().unwrap_err().to_string();
    assert!(error.contains("controllers/sum") && error.contains("parameter 'factor'"), "{error}");
    let mut model = by_names();
    let error = model.set_text("/models/m/force_effectors/wind:code", "storm").unwrap_err();
    assert!(error.to_string().contains("no force of that name"), "{error}");
}
