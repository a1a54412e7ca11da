//! Muscles, motors and springs along tendons: one line of the model for each of them.

use sinew::axial::active::{ConstantMuscle, MujocoMuscle};
use sinew::axial::passive::{ConstantTension, LinearSpring, UnidirectionalSpring};
use sinew::axial::{ActivationDynamics, ActivationModel, AxialLaw};
use sinew::model::MultiPointSpring;

use super::import::Import;
use super::lengths::Lengths;
use super::records::{Actuator, SpatialTendon, Transmission};
use super::view::View;
use crate::diagnostic::Diagnostic;
use crate::imported::plain_name;
use crate::tree::Span;

/// A line to add along a tendon.
struct Line {
    name: String,
    span: Span,
    law: AxialLaw,
    rest_length: f64,
    activation: ActivationDynamics,
}

/// Passive forces of a tendon.
pub(super) struct TendonSpring {
    pub(super) stiffness: f64,
    pub(super) damping: f64,
    /// Lengths between which it is slack; `None` for the length in the pose of the file.
    pub(super) rest: Option<[f64; 2]>,
}

/// Stiffness, damping and rest lengths of a tendon.
pub(super) fn spring_of(view: &View<'_>) -> Result<TendonSpring, Diagnostic> {
    let first = |name: &str| -> Result<f64, Diagnostic> {
        let mut list = [0.0; 3];
        view.put_numbers(name, &mut list)?;
        match list[0] >= 0.0 {
            true => Ok(list[0]),
            false => Err(view.blamed(name, format!("{name} must be >= 0, got {}", list[0]))),
        }
    };
    let mut rest = [-1.0; 2];
    let count = view.put_numbers("springlength", &mut rest)?;
    if count == 1 {
        rest[1] = rest[0];
    }
    let rest = (rest[0] >= 0.0).then_some(rest);
    Ok(TendonSpring { stiffness: first("stiffness")?, damping: first("damping")?, rest })
}

impl<'d> Import<'d> {
    /// Adds the lines of all spatial tendons. Of one without any force there is one that pulls nothing, for its
    /// length.
    pub(super) fn add_lines(&mut self, lengths: &mut Lengths) {
        for (number, tendon) in self.tendons.spatial.clone().into_iter().enumerate() {
            let mut lines = Vec::new();
            let spring = self.tendon_line(&tendon, number, lengths);
            lines.extend(self.findings.take(spring).flatten());
            let wanted = Transmission::Tendon(tendon.name.clone());
            let own = self.actuators.iter().filter(|it| it.transmission == wanted);
            for actuator in own.cloned().collect::<Vec<_>>() {
                let line = match actuator.law.gain.as_str() {
                    "muscle" => self.muscle(&actuator, number, lengths),
                    _ => self.motor(&actuator),
                };
                lines.extend(self.findings.take(line).flatten());
            }
            if lines.is_empty() {
                lines.push(Line {
                    name: tendon.name.clone(),
                    span: tendon.view.at.span,
                    law: AxialLaw::Constant(ConstantTension { force: 0.0 }),
                    rest_length: 0.0,
                    activation: ActivationDynamics::default(),
                });
            }
            lines.into_iter().for_each(|line| self.add_line(&tendon, line));
        }
        self.check_tendons();
    }

    /// Refuses actuators of tendons that are not there.
    fn check_tendons(&mut self) {
        let spatial = self.tendons.spatial.iter().map(|it| &it.name);
        let fixed = self.tendons.fixed.iter().map(|it| &it.name);
        let known: Vec<&str> =
            spatial.chain(fixed).chain(&self.tendons.left_out).map(String::as_str).collect();
        for actuator in &self.actuators {
            let Transmission::Tendon(name) = &actuator.transmission else { continue };
            if !known.contains(&name.as_str()) {
                let span = actuator.view.blamed("tendon", "").span;
                let message = format!("{}: there is no tendon '{name}'", actuator.view.at.label());
                let span = span.unwrap_or(actuator.view.at.span);
                let error = Diagnostic::unknown(span, message, name, known.iter().copied());
                self.findings.push(error);
            }
        }
    }

    fn add_line(&mut self, tendon: &SpatialTendon<'d>, line: Line) {
        let made = MultiPointSpring::new(
            tendon.points.clone().into_iter().map(Into::into).collect(),
            line.law,
        );
        let handle = self.model.add(MultiPointSpring {
            name: plain_name(&line.name),
            wraps: tendon.wraps.clone(),
            rest_length: line.rest_length,
            activation: line.activation,
            ..made
        });
        self.put(handle.id(), line.span);
    }

    /// The passive forces of a tendon; `None` where it has none.
    fn tendon_line(
        &mut self,
        tendon: &SpatialTendon<'d>,
        number: usize,
        lengths: &mut Lengths,
    ) -> Result<Option<Line>, Diagnostic> {
        let TendonSpring { stiffness, damping, rest } = spring_of(&tendon.view)?;
        if stiffness == 0.0 && damping == 0.0 {
            return Ok(None);
        }
        let at = tendon.view.at;
        let [low, high] = match rest {
            Some(rest) => rest,
            None => [lengths.at_reference(self, number)?; 2],
        };
        if low > 0.0 && low < high {
            let message = format!(
                "{} is slack from {low} to {high} m: here below {high} m, it does not push",
                at.label()
            );
            self.findings.warn(tendon.view.blamed("springlength", "").span, message);
        }
        let law = match low < high {
            true => AxialLaw::UnidirectionalLinear(UnidirectionalSpring { stiffness, damping }),
            false => AxialLaw::Linear(LinearSpring { stiffness, damping }),
        };
        let (name, activation) = (tendon.name.clone(), ActivationDynamics::default());
        Ok(Some(Line { name, span: at.span, law, rest_length: high, activation }))
    }

    /// Refuses a muscle without a gear, and tells of numbers that are not used.
    fn check_muscle(&mut self, actuator: &Actuator<'d>) -> Result<(), Diagnostic> {
        let at = actuator.view.at;
        if actuator.gear <= 0.0 {
            let message =
                format!("gear of muscle {} must be > 0, got {}", at.label(), actuator.gear);
            return Err(actuator.view.blamed("gear", message));
        }
        if actuator.law.bias == "muscle"
            && actuator.law.bias_numbers[..9] != actuator.law.gain_numbers[..9]
        {
            let message =
                format!("{}: gainprm and biasprm differ, gainprm holds for both", at.label());
            self.findings.warn(actuator.view.blamed("biasprm", "").span, message);
        }
        Ok(())
    }

    /// A muscle along a tendon, in lengths of that.
    fn muscle(
        &mut self,
        actuator: &Actuator<'d>,
        tendon: usize,
        lengths: &mut Lengths,
    ) -> Result<Option<Line>, Diagnostic> {
        let at = actuator.view.at;
        let prm = actuator.law.gain_numbers;
        let gear = actuator.gear;
        self.check_muscle(actuator)?;
        let [short, long] = match actuator.lengths {
            Some(range) => range.map(|length| length / gear),
            None => lengths.range(self, tendon, actuator)?,
        };
        let force = match prm[2] < 0.0 {
            true => prm[3] / (gear * lengths.acceleration(self, tendon, actuator)?).max(1e-15),
            false => prm[2],
        };
        let passive = if actuator.law.bias == "muscle" { prm[7] } else { 0.0 };
        let law = MujocoMuscle {
            max_force: force * gear,
            short_length: short,
            long_length: long,
            short_fibre: prm[0],
            long_fibre: prm[1],
            least_fibre: prm[4],
            greatest_fibre: prm[5],
            max_velocity: prm[6],
            passive_factor: passive,
            lengthening_factor: prm[8],
        };
        let activation = self.activation(actuator)?;
        let law = AxialLaw::MujocoMuscle(law);
        let name = actuator.name.clone();
        Ok(Some(Line { name, span: at.span, law, rest_length: 0.0, activation }))
    }

    fn activation(&mut self, actuator: &Actuator<'d>) -> Result<ActivationDynamics, Diagnostic> {
        let [rise, fall, width, ..] = actuator.law.dynamics_numbers;
        let usual = ActivationDynamics::default();
        match actuator.law.dynamics.as_str() {
            "none" => Ok(usual),
            "muscle" => {
                if width != 0.0 {
                    let message = format!(
                        "{}: smoothing of its time constants is not here: they change at once",
                        actuator.view.at.label()
                    );
                    self.findings.warn(actuator.view.blamed("tausmooth", "").span, message);
                }
                let model = ActivationModel::Bilinear;
                Ok(ActivationDynamics {
                    model,
                    activation_time: rise,
                    deactivation_time: fall,
                    least: 0.0,
                })
            }
            other => {
                let message =
                    format!("{}: dynamics '{other}' is not read", actuator.view.at.label());
                Err(actuator.view.blamed("dyntype", message))
            }
        }
    }

    /// A motor that pulls along a tendon; `None`, with a warning, for what would push or holds a length.
    fn motor(&mut self, actuator: &Actuator<'d>) -> Result<Option<Line>, Diagnostic> {
        let at = actuator.view.at;
        let strength = -actuator.gear * actuator.law.gain_numbers[0];
        let [low, high] = actuator.control.unwrap_or([0.0, 1.0]);
        let largest = (strength * low).max(strength * high);
        let pulls = actuator.law.gain == "fixed" && actuator.law.bias == "none";
        if !pulls || actuator.law.dynamics != "none" || largest <= 0.0 {
            let message = format!(
                "{} is not read: along a tendon there are muscles, and motors that pull",
                at.label()
            );
            self.findings.warn(at.span, message);
            return Ok(None);
        }
        let law = ConstantMuscle { max_force: largest, ..ConstantMuscle::default() };
        let (name, law) = (actuator.name.clone(), AxialLaw::ConstantMuscle(law));
        let activation = ActivationDynamics::default();
        Ok(Some(Line { name, span: at.span, law, rest_length: 0.0, activation }))
    }
}
