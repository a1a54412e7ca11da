//! Sensors: what is measured of a running model, with noise, delay and sampling by choice. How each quantity is computed
//! stands in `simulated/sensors.rs`, when it is sampled in `schedule/instruments/`.

use serde::{Deserialize, Serialize};

use super::fibre_lengths::fibre_lengths;
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
    /// Angular velocity of a body about `axis` as a semicircular canal tells it, a torsion pendulum (Fernandez1971) [rad/s].
    SemicircularCanal,
    /// Specific force as otoliths tell it, in the axes of the body (Telban2005) [m/s²].
    Otolith,
    /// Rate of the Ia afferents of a muscle spindle (Prochazka1999) [1/s].
    MuscleSpindle,
    /// Rate of the Ib afferents of a Golgi tendon organ (Lin2002) [1/s].
    TendonOrgan,
}

choices!(Measurand {
    Property => "property",
    Acceleration => "acceleration",
    AngularAcceleration => "angular_acceleration",
    SpecificForce => "specific_force",
    Distance => "distance",
    Angle => "angle",
    CenterOfPressure => "center_of_pressure",
    SemicircularCanal => "semicircular_canal",
    Otolith => "otolith",
    MuscleSpindle => "muscle_spindle",
    TendonOrgan => "tendon_organ",
});

impl Measurand {
    /// Published constants of a receptor, in the order of docs/howto/sensors.md; none for what is no receptor.
    pub fn published_constants(self) -> &'static [f64] {
        match self {
            Self::SemicircularCanal => &[5.73, 0.003],
            Self::Otolith => &[0.4, 10.0, 5.0, 0.016],
            Self::TendonOrgan => &[60.0, 4.0],
            Self::MuscleSpindle => &[65.0, 0.5, 200.0, 10.0],
            Self::Property
            | Self::Acceleration
            | Self::AngularAcceleration
            | Self::SpecificForce
            | Self::Distance
            | Self::Angle
            | Self::CenterOfPressure => &[],
        }
    }
}

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
    /// Axis of a semicircular canal in the frame of its body; its length does not matter.
    pub axis: Vec3,
    /// Constants of a receptor, in the order of docs/howto/sensors.md; none for the published ones.
    pub constants: Vec<f64>,
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
        self.check_receptor(model)?;
        let (Measurand::Property, [of]) = (self.quantity, self.of.as_slice()) else {
            return Ok(());
        };
        let property = model.property_info(of.address(), &self.property);
        property.map(|_| ()).map_err(|error| Problem::Property(error.to_string()).at("property"))
    }

    /// A receptor has as many constants as its model, of which it can be made.
    fn check_constants(&self) -> Result<(), CheckError> {
        let (given, expected) = (self.constants.len(), self.quantity.published_constants().len());
        if given == 0 || expected == 0 {
            return Ok(());
        }
        if given != expected {
            return Err(Problem::Length { given, expected }.at("constants"));
        }
        let entry = |value, must| Problem::Entry { what: "constant", value, must }.at("constants");
        if let Some(&value) = self.constants.iter().find(|it| !(it.is_finite() && **it >= 0.0)) {
            return Err(entry(value, ">= 0"));
        }
        match (self.quantity, self.constants.as_slice()) {
            (Measurand::SemicircularCanal, &[slow, fast]) if slow != 0.0 && slow <= fast => {
                Err(entry(slow, "larger than the one behind it, or 0 for none"))
            }
            (Measurand::TendonOrgan, &[_, force]) if force <= 0.0 => Err(entry(force, "> 0")),
            _ => Ok(()),
        }
    }

    /// A canal has an axis, a spindle a muscle with lengths.
    fn check_receptor(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_constants()?;
        let length = self.axis.norm();
        match (self.quantity, self.of.first()) {
            (Measurand::SemicircularCanal, _) if !(length.is_finite() && length > 0.0) => {
                Err(Problem::Entry { what: "length", value: length, must: "> 0" }.at("axis"))
            }
            (Measurand::MuscleSpindle, Some(&Measured::Component(id)))
                if fibre_lengths(model, id).is_none() =>
            {
                let must = "a muscle with a fibre, or a line with a rest length";
                Err(Problem::Unfit { target: model.path(id), must }.at("of"))
            }
            _ => Ok(()),
        }
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
            (Measurand::SemicircularCanal, Some(Kind::RigidBody)) => None,
            (Measurand::AngularAcceleration | Measurand::SemicircularCanal, _) => {
                Some("a rigid body")
            }
            (
                Measurand::MuscleSpindle | Measurand::TendonOrgan,
                Some(Kind::AxialSpring | Kind::MultiPointSpring),
            ) => None,
            (Measurand::MuscleSpindle | Measurand::TendonOrgan, _) => {
                Some("a spring or a muscle along a line")
            }
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
        "quantity": Measurand = Measurand::Property, "", FINITE, NOTHING, "What it measures: a property of a component, an acceleration, an angular acceleration, a specific force (the reading of an accelerometer, in the axes of its body), a distance of two, an angle at the second of three, the centre of pressure of a collision behaviour, the angular velocity that a semicircular canal tells, the specific force that otoliths tell, the rates of a muscle spindle and of a tendon organ", own (quantity), check Sensor::check_measured;
        "of": Paths = Paths::default(), "", FINITE, STRUCTURE, "What is measured: one component or point, two for a distance, three for an angle",
            reference (|it| it.of.iter().map(|measured| measured.address()).collect(), |it, to| it.put(to)), check Sensor::check_measured;
        "property": String = String::new(), "", FINITE, NOTHING, "Name of the property, for that quantity", own (property), check Sensor::check_measured;
        "part": i64 = 0, "-", NOT_NEGATIVE, NOTHING, "Index of the number of a property that is a list",
            via (|it: &Sensor| Some(i64::from(it.part)), |it: &mut Sensor, part: i64| -> Put { it.part = u32::try_from(part).map_err(|_| TOO_LARGE)?; Ok(()) });
        "axis": Vec3 = Vec3::zeros(), "-", FINITE, NOTHING, "Axis of a semicircular canal in the frame of its body; its length does not matter", own (axis), check Sensor::check_measured;
        "constants": Vec<f64> = Vec::new(), "by quantity", FINITE, NOTHING, "Constants of a receptor: of a canal two times [s], the first 0 for no decay; of otoliths gain, lead, two lags [s]; of a spindle rate by velocity [1/s], power, rate by length, rate at rest; of a tendon organ rate [1/s] and force [N]; none for the published ones", own (constants), check Sensor::check_measured;
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
