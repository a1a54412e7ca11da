//! `sinew serve`: a model that is controlled over a socket. Sensors go out, excitations or moments come in, and the
//! simulation waits for every answer. The protocol: docs/howto/serve.md.

mod args;
mod error;
mod line;

use std::net::TcpListener;

use serde_json::{Value, json};
use sinew::inverse::TrackedExcitation;
use sinew::model::{Model, Sensor};
use sinew::property::{PropertyRef, Value as Property};
use sinew::schedule::{ScheduleError, Scheduler};

use crate::compute::Live;
use crate::compute::live::feed;
use crate::console;
use crate::exit::{CliError, Exit};
use crate::load::ModelSource;

pub(crate) use args::{AFTER_HELP, ServeArgs};
use error::ServeError;
use line::Line;

/// Version of the protocol.
const VERSION: u32 = 1;
/// Part of a step by which an interval may miss a whole number of steps.
const ROUNDING: f64 = 1e-6;

/// A property under its name in the protocol.
struct Named {
    name: String,
    property: PropertyRef,
}

/// Serves a model to one controller.
///
/// # Errors
/// A model or an option that does not do, a step that fails, a controller that is silent, gone or wrong.
pub(crate) fn run(args: &ServeArgs) -> Result<Exit, CliError> {
    let live = Live::new(&args.live)?;
    let source = ModelSource::load(&args.model.name, &args.model.edits)?;
    let probes = live.probes(&source, true)?;
    let mut scheduler = live.scheduler(&source, &probes)?;
    feed(&mut scheduler, &probes)?;
    let sensors = sensors(&mut scheduler, args)?;
    let inputs = inputs(&mut scheduler, args)?;
    let every = every(&scheduler, args)?;

    let refused = |why| ServeError::Listen { address: args.listen.clone(), why };
    let listener = TcpListener::bind(&args.listen).map_err(refused)?;
    let address = listener.local_addr().map_err(refused)?;
    console::print(&format!("listening at {address}\n"))?;
    let mut line = Line::accept(&listener, args.timeout)?;
    let step = scheduler.settings().step;
    line.send(
        &json!({
            "sinew": "serve", "version": VERSION, "model": source.name,
            "step": step, "interval": step * every as f64,
            "sensors": names(&sensors), "inputs": names(&inputs),
        }),
        0.0,
    )?;
    let done = exchange(&mut scheduler, &mut line, (&sensors, &inputs), (args.time, every));
    let time = scheduler.time();
    let end = match &done {
        Ok(why) => json!({ "end": why, "time": time }),
        Err(error) => json!({ "error": error.to_string(), "time": time }),
    };
    // A controller that is gone does not hear it, which is no fault of its own.
    let _ = line.send(&end, time);
    console::print(&format!("{} at t = {time:.6} s\n", done?))?;
    Ok(Exit::Done)
}

/// Steps until the time is over or the controller stops; why it ended.
fn exchange(
    scheduler: &mut Scheduler,
    line: &mut Line,
    (sensors, inputs): (&[Named], &[Named]),
    (end, every): (f64, usize),
) -> Result<&'static str, CliError> {
    let step = scheduler.settings().step;
    let mut count = 0_usize;
    while scheduler.time() < end - 0.5 * step {
        if count.is_multiple_of(every) {
            let time = scheduler.time();
            line.send(&json!({ "time": time, "sensors": read(scheduler, sensors)? }), time)?;
            let answer = line.receive(time)?;
            if answer.get("stop").and_then(Value::as_bool) == Some(true) {
                return Ok("stopped by the controller");
            }
            for (k, value) in numbers(&answer, inputs, time)? {
                let set = scheduler.simulation_mut().set(&inputs[k].property, value);
                set.map_err(ScheduleError::from)?;
            }
        }
        scheduler.step()?;
        count += 1;
    }
    Ok("time is over")
}

/// The value of a property now.
fn get(scheduler: &mut Scheduler, property: &PropertyRef) -> Result<Property, ScheduleError> {
    Ok(scheduler.simulation_mut().get(property)?)
}

/// Values of the sensors: a number, or a list of them.
fn read(scheduler: &mut Scheduler, sensors: &[Named]) -> Result<Vec<Value>, CliError> {
    let mut values = Vec::with_capacity(sensors.len());
    for sensor in sensors {
        values.push(match get(scheduler, &sensor.property)? {
            Property::Real(value) => json!(value),
            other => json!(other.numbers().collect::<Vec<f64>>()),
        });
    }
    Ok(values)
}

/// Numbers of an answer, with the inputs that they are for: a list of all, or an object of some by their names.
fn numbers(answer: &Value, inputs: &[Named], time: f64) -> Result<Vec<(usize, f64)>, ServeError> {
    let wrong = |why: String| ServeError::Answer { time, why };
    let number = |value: &Value, name: &str| {
        let number = value.as_f64().filter(|it| it.is_finite());
        number.ok_or_else(|| wrong(format!("the input {name} is {value}; send a finite number")))
    };
    let Some(object) = answer.as_object() else {
        return Err(wrong("it is no object; send {\"inputs\": [..]}".to_owned()));
    };
    if let Some(key) = object.keys().find(|key| !["inputs", "stop"].contains(&key.as_str())) {
        return Err(wrong(format!("it has the key '{key}'; there are \"inputs\" and \"stop\"")));
    }
    match object.get("inputs") {
        // The last ones stay.
        None => Ok(Vec::new()),
        Some(Value::Array(list)) if list.len() == inputs.len() => {
            let each = list.iter().enumerate();
            each.map(|(k, value)| Ok((k, number(value, &inputs[k].name)?))).collect()
        }
        Some(Value::Array(list)) => {
            let (given, expected) = (list.len(), inputs.len());
            Err(wrong(format!(
                "it has {given} inputs; send {expected}, in the order of the first line"
            )))
        }
        Some(Value::Object(some)) => {
            let each = some.iter().map(|(name, value)| {
                let found = inputs.iter().position(|it| it.name == *name);
                let absent = || wrong(format!("there is no input '{name}'; see the first line"));
                Ok((found.ok_or_else(absent)?, number(value, name)?))
            });
            each.collect()
        }
        Some(other) => Err(wrong(format!("\"inputs\" is {other}; send a list or an object"))),
    }
}

fn names(list: &[Named]) -> Vec<&str> {
    list.iter().map(|it| it.name.as_str()).collect()
}

/// Properties of paths.
fn named(model: &Model, paths: Vec<String>) -> Result<Vec<Named>, CliError> {
    let mut list = Vec::with_capacity(paths.len());
    for name in paths {
        let property = model.property(&name)?;
        list.push(Named { name, property });
    }
    Ok(list)
}

/// The sensors that are sent: those named, or all of the model.
fn sensors(scheduler: &mut Scheduler, args: &ServeArgs) -> Result<Vec<Named>, CliError> {
    let model = scheduler.simulation().model();
    if !args.sensors.is_empty() {
        return named(model, args.sensors.clone());
    }
    let paths: Vec<String> = model.iter::<Sensor>().map(|(handle, _)| model.path(handle)).collect();
    if paths.is_empty() {
        return Err(ServeError::Nothing { what: "sensors", option: "sensors" }.into());
    }
    let mut list = Vec::with_capacity(paths.len());
    for path in paths {
        let name = format!("{path}:vector");
        let property = scheduler.simulation().property(&name)?;
        // One that reads a number has no vector.
        match get(scheduler, &property) {
            Ok(_) => list.push(Named { name, property }),
            Err(_) => {
                list.extend(named(scheduler.simulation().model(), vec![format!("{path}:value")])?)
            }
        }
    }
    Ok(list)
}

/// The properties that the controller sets: those named, or all excitations.
fn inputs(scheduler: &mut Scheduler, args: &ServeArgs) -> Result<Vec<Named>, CliError> {
    let model = scheduler.simulation().model();
    let paths = if args.controls.is_empty() {
        let muscles = TrackedExcitation::muscles(model);
        muscles.iter().map(|it| format!("{}:excitation", model.path(it.component))).collect()
    } else {
        args.controls.clone()
    };
    let list = named(model, paths)?;
    if list.is_empty() {
        return Err(
            ServeError::Nothing { what: "muscles and actuators", option: "controls" }.into()
        );
    }
    for input in &list {
        let value = get(scheduler, &input.property)?;
        if !matches!(value, Property::Real(_)) {
            return Err(ServeError::NoNumber(input.name.clone()).into());
        }
    }
    Ok(list)
}

/// Steps between two exchanges.
fn every(scheduler: &Scheduler, args: &ServeArgs) -> Result<usize, ServeError> {
    let step = scheduler.settings().step;
    let interval = args.interval.unwrap_or(step);
    let count = (interval / step).round();
    if count < 1.0 || (count * step - interval).abs() > ROUNDING * interval {
        return Err(ServeError::Interval { interval, step });
    }
    Ok(count as usize)
}
