//! Sensors: what is measured of a running model, with noise, delay and sampling by choice. How each quantity is computed
//! stands in `simulated/sensors.rs`, when it is sampled in `schedule/instruments/`.

use serde::{Deserialize, Serialize};

use crate::Vec3;
use crate::component::{Address, ComponentId, Kind, Reference};
use crate::kinds::PointRef;
use crate::property::{
    CheckError, Components, ModelComponent, Paths, Problem, Put, Refusal, choices, properties,
};

/// Quantity that a sensor measures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measurand {
    /// A property of a component: the force of a joint, the tension of a muscle, an activation.
    #[default]
    Property,
    /// Acceleration of a point, or of the origin of a body's frame, world axes, mean over the last step [m/s²].
    Acceleration,
    /// Angular acceleration of a body, world axes, mean over the last step [rad/s²].
    AngularAcceleration,
    /// Acceleration less that of free fall, in the axes of the body [m/s²]: the reading of an accelerometer.
    SpecificForce,
    /// Distance of two points or origins of bodies [m].
    Distance,
    /// Angle at the second of three points, between the directions to the others [rad].
    Angle,
    /// Mean place of the contacts of a collision behaviour, weighted by their normal forces [m].
    CenterOfPressure,
}

choices!(Measurand {
    Property => "property",
    Acceleration => "acceleration",
    AngularAcceleration => "angular_acceleration",
    SpecificForce => "specific_force",
    Distance => "distance",
    Angle => "angle",
    CenterOfPressure => "center_of_pressure",
});

/// Component or point that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measured {
    /// A particle, a marker or a node of a tissue.
    Point(PointRef),
    /// Any other component.
    Component(ComponentId),
}

impl Measured {
    fn at(address: Address) -> Result<Self, Refusal> {
        match (PointRef::at(address), address) {
            (Some(point), _) => Ok(Self::Point(point)),
            (None, Address::Component(id)) => Ok(Self::Component(id)),
            (None, _) => {
                Err(Refusal::Value("they must lead to components, or to nodes of tissues"))
            }
        }
    }

    /// The address of it.
    pub fn address(self) -> Address {
        match self {
            Self::Point(point) => point.address(),
            Self::Component(id) => id.into(),
        }
    }
}

/// Numbers of a reading: one, or a vector.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reading {
    /// One number.
    Scalar(f64),
    /// A vector.
    Vector(Vec3),
}

impl Reading {
    /// The number, or the length of the vector.
    pub fn value(self) -> f64 {
        match self {
            Self::Scalar(value) => value,
            Self::Vector(vector) => vector.norm(),
        }
    }

    /// The vector, if it is one.
    pub fn vector(self) -> Option<Vec3> {
        match self {
            Self::Scalar(_) => None,
            Self::Vector(vector) => Some(vector),
        }
    }
}

/// Measures one quantity of a running model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sensor {
    /// Name in paths and reports; may be empty.
    pub name: String,
    /// Its quantity.
    pub quantity: Measurand,
    /// Components or points that are measured: one, two for a distance, three for an angle.
    pub of: Vec<Measured>,
    /// Name of the property, for that quantity.
    pub property: String,
    /// Index of the number that is measured of a property with a list of numbers, from 0.
    pub part: u32,
    /// Standard deviation of normal noise on each number, in the unit of the quantity.
    pub noise: f64,
    /// Seed of the noise: the same seed gives the same noise.
    pub seed: u32,
    /// Time by which readings come late [s].
    pub delay: f64,
    /// Time between two samples [s]; 0 for one after every step. Between samples the last one holds.
    pub interval: f64,
    /// True if it is switched off.
    pub disabled: bool,
    /// The last reading in a run; no part of what is saved.
    #[serde(skip)]
    pub reading: Option<Reading>,
}

impl Sensor {
    /// A sensor of a property of a component, without noise and delay.
    pub fn of_property(id: impl Into<ComponentId>, property: impl Into<String>) -> Self {
        let of = vec![
            Measured::at(id.into().into()).unwrap_or(Measured::Component(crate::component::ROOT)),
        ];
        Self { of, property: property.into(), ..Self::default() }
    }

    /// A sensor of a quantity of components or points, without noise and delay.
    pub fn new(quantity: Measurand, of: Vec<Measured>) -> Self {
        Self { quantity, of, ..Self::default() }
    }

    fn put(&mut self, to: &[Address]) -> Put {
        self.of = to.iter().map(|&at| Measured::at(at)).collect::<Result<_, _>>()?;
        Ok(())
    }

    fn check_measured(&self, model: &dyn Components) -> Result<(), CheckError> {
        for measured in &self.of {
            let address = measured.address();
            match measured {
                Measured::Point(point) => model.check_point("of", *point)?,
                Measured::Component(id) if !model.contains(*id) => {
                    return Err(Problem::Missing(model.path(address)).at("of"));
                }
                Measured::Component(_) => {}
            }
            if let Some(must) = self.unfit(*measured) {
                return Err(Problem::Unfit { target: model.path(address), must }.at("of"));
            }
        }
        let expected = match self.quantity {
            Measurand::Distance => 2,
            Measurand::Angle => 3,
            _ => 1,
        };
        if self.of.len() != expected {
            return Err(Problem::Length { given: self.of.len(), expected }.at("of"));
        }
        let (Measurand::Property, [of]) = (self.quantity, self.of.as_slice()) else {
            return Ok(());
        };
        let property = model.property_type(of.address(), &self.property);
        property.map(|_| ()).map_err(|error| Problem::Property(error.to_string()).at("property"))
    }

    /// Kind that the quantity is of, where a component is of another.
    fn unfit(&self, measured: Measured) -> Option<&'static str> {
        let kind = match measured {
            Measured::Point(_) => None,
            Measured::Component(id) => Some(id.kind()),
        };
        match (self.quantity, kind) {
            (Measurand::Property, _) => None,
            (Measurand::CenterOfPressure, Some(Kind::CollisionBehavior)) => None,
            (Measurand::CenterOfPressure, _) => Some("a collision behaviour"),
            (Measurand::AngularAcceleration, Some(Kind::RigidBody)) => None,
            (Measurand::AngularAcceleration, _) => Some("a rigid body"),
            (_, None | Some(Kind::RigidBody)) => None,
            (_, Some(_)) => Some("a rigid body, a particle, a frame marker or a node"),
        }
    }
}

impl ModelComponent for Sensor {
    const HOME: Option<&'static str> = Some("sensors");

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        for measured in &self.of {
            match measured {
                Measured::Point(point) => visit(point.reference()),
                Measured::Component(id) => visit(Reference::hard(*id)),
            }
        }
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        for measured in &mut self.of {
            match measured {
                Measured::Point(point) => point.redirect(map),
                Measured::Component(id) => *id = map(*id).unwrap_or(*id),
            }
        }
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_measured(model)
    }

    properties! { Sensor {
        "enabled": bool = true, "", FINITE, NOTHING, "True if it measures",
            via (|it: &Sensor| Some(!it.disabled), |it: &mut Sensor, enabled: bool| -> Put { it.disabled = !enabled; Ok(()) });
        "quantity": Measurand = Measurand::Property, "", FINITE, NOTHING, "What it measures: a property of a component, an acceleration, an angular acceleration, a specific force (the reading of an accelerometer, in the axes of its body), a distance of two, an angle at the second of three, the centre of pressure of a collision behaviour", own (quantity), check Sensor::check_measured;
        "of": Paths = Paths::default(), "", FINITE, STRUCTURE, "What is measured: one component or point, two for a distance, three for an angle",
            reference (|it| it.of.iter().map(|measured| measured.address()).collect(), |it, to| it.put(to)), check Sensor::check_measured;
        "property": String = String::new(), "", FINITE, NOTHING, "Name of the property, for that quantity", own (property), check Sensor::check_measured;
        "part": i64 = 0, "-", NOT_NEGATIVE, NOTHING, "Index of the number of a property that is a list",
            via (|it: &Sensor| Some(i64::from(it.part)), |it: &mut Sensor, part: i64| -> Put { it.part = u32::try_from(part).map_err(|_| TOO_LARGE)?; Ok(()) });
        "noise": f64 = 0.0, "by quantity", NOT_NEGATIVE, NOTHING, "Standard deviation of normal noise on each number, in SI units", own (noise);
        "seed": i64 = 0, "-", NOT_NEGATIVE, NOTHING, "Seed of the noise",
            via (|it: &Sensor| Some(i64::from(it.seed)), |it: &mut Sensor, seed: i64| -> Put { it.seed = u32::try_from(seed).map_err(|_| TOO_LARGE)?; Ok(()) });
        "delay": f64 = 0.0, "s", NOT_NEGATIVE, NOTHING, "Time by which readings come late", own (delay);
        "interval": f64 = 0.0, "s", NOT_NEGATIVE, NOTHING, "Time between two samples, between which the last one holds; 0 for one after every step", own (interval);
        "value": f64 = 0.0, "by quantity", FINITE, NOTHING, "Last reading: the number, or the length of the vector", simulated ();
        "vector": Vec3 = Vec3::zeros(), "by quantity", FINITE, NOTHING, "Last reading of a vector", simulated ();
    } }
}

const TOO_LARGE: Refusal = Refusal::Value("it must be below 2^32");
