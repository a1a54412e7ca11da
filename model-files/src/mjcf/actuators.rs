//! Actuators as the file has them: shortcuts and general ones, with the defaults of their classes.

use super::import::Import;
use super::records::{Actuator, Law, Transmission};
use super::view::View;
use super::xml::Element;
use crate::diagnostic::Diagnostic;

/// Tags of actuators. All share the defaults of their class.
const TAGS: [&str; 10] = [
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
    "plugin",
];

/// Range, force, scale, lmin, lmax, vmax, fpmax, fvmax of a muscle that says nothing.
const MUSCLE: [f64; 9] = [0.75, 1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2];
/// Numbers of a muscle by their names, with their places.
const NUMBERS: [(&str, usize); 7] =
    [("force", 2), ("scale", 3), ("lmin", 4), ("lmax", 5), ("vmax", 6), ("fpmax", 7), ("fvmax", 8)];

impl Law {
    /// Takes the laws and numbers of a general actuator.
    fn take_general(&mut self, view: &View<'_>) -> Result<(), Diagnostic> {
        let words = [
            ("gaintype", &mut self.gain),
            ("biastype", &mut self.bias),
            ("dyntype", &mut self.dynamics),
        ];
        for (name, word) in words {
            if let Some(said) = view.text(name) {
                *word = said.to_owned();
            }
        }
        view.put_numbers("gainprm", &mut self.gain_numbers)?;
        view.put_numbers("biasprm", &mut self.bias_numbers)?;
        view.put_numbers("dynprm", &mut self.dynamics_numbers)?;
        Ok(())
    }

    /// Takes what an element says, of a class or of the actuator itself; `false` for a kind that is not read.
    fn take(&mut self, at: &Element) -> Result<bool, Diagnostic> {
        let view = View::plain(at);
        let number = |name: &str, usual: f64| view.number(name).map(|it| it.unwrap_or(usual));
        let set = |law: &mut Self, words: [&str; 3]| {
            [law.gain, law.bias, law.dynamics] = words.map(str::to_owned);
        };
        match at.tag.as_str() {
            "general" => self.take_general(&view)?,
            "motor" => set(self, ["fixed", "none", "none"]),
            "position" => {
                set(self, ["fixed", "affine", "none"]);
                let stiffness = number("kp", self.gain_numbers[0])?;
                let damping = number("kv", -self.bias_numbers[2])?;
                self.gain_numbers[0] = stiffness;
                self.bias_numbers[..3].copy_from_slice(&[0.0, -stiffness, -damping]);
            }
            "velocity" => {
                set(self, ["fixed", "affine", "none"]);
                let damping = number("kv", self.gain_numbers[0])?;
                self.gain_numbers[0] = damping;
                self.bias_numbers[..3].copy_from_slice(&[0.0, 0.0, -damping]);
            }
            "muscle" => self.take_muscle(&view)?,
            _ => return Ok(false),
        }
        if self.dynamics == "none" && at.tag != "general" {
            self.dynamics_numbers[0] = 1.0;
        }
        Ok(true)
    }

    fn take_muscle(&mut self, view: &View<'_>) -> Result<(), Diagnostic> {
        if self.gain != "muscle" {
            self.gain_numbers[..9].copy_from_slice(&MUSCLE);
            self.dynamics_numbers[..3].copy_from_slice(&[0.01, 0.04, 0.0]);
        }
        [self.gain, self.bias, self.dynamics] = ["muscle"; 3].map(str::to_owned);
        view.put_numbers("range", &mut self.gain_numbers[..2])?;
        for (name, place) in NUMBERS {
            if let Some(value) = view.number(name)? {
                self.gain_numbers[place] = value;
            }
        }
        view.put_numbers("timeconst", &mut self.dynamics_numbers[..2])?;
        if let Some(width) = view.number("tausmooth")? {
            self.dynamics_numbers[2] = width;
        }
        self.bias_numbers = self.gain_numbers;
        Ok(())
    }
}

impl<'d> Import<'d> {
    /// Reads all actuators that there is a law for; the others are told.
    pub(super) fn read_actuators(&mut self, root: &'d Element) {
        if self.compiler.is_off("actuation") {
            return root.all("actuator").for_each(Element::mark_all);
        }
        for at in root.all("actuator").flat_map(|list| &list.mark().children) {
            let read = self.defaults.view(at, &TAGS, None);
            let read = read.and_then(|view| self.actuator(view));
            if let Some(Some(actuator)) = self.findings.take(read) {
                self.actuators.push(actuator);
            }
        }
    }

    /// Transmission of an actuator on a joint or a tendon; `None` for one on anything else.
    fn transmission(&self, view: &View<'d>) -> Result<Option<Transmission>, Diagnostic> {
        let joint = view.text("joint").or_else(|| view.text("jointinparent"));
        Ok(match (joint, view.text("tendon")) {
            (Some(joint), _) => {
                if self.joint_named(joint).filter(|it| it.kind.is_scalar()).is_none() {
                    return Err(self.no_joint(view, "joint", joint));
                }
                Some(Transmission::Joint(joint.to_owned()))
            }
            (None, Some(tendon)) => Some(Transmission::Tendon(tendon.to_owned())),
            (None, None) => None,
        })
    }

    fn actuator(&mut self, view: View<'d>) -> Result<Option<Actuator<'d>>, Diagnostic> {
        let at = view.at;
        let mut law = Law::default();
        let mut known = true;
        for element in view.defaults.iter().chain([&at]) {
            known = law.take(element)?;
        }
        let transmission = self.transmission(&view)?;
        let Some(transmission) = transmission.filter(|_| known) else {
            let message = format!(
                "{} is not read: neither on a joint nor on a tendon, or of a \
                                   kind without a law here",
                at.label()
            );
            self.findings.warn(at.span, message);
            at.mark_all();
            return Ok(None);
        };
        let mut gear = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        view.put_numbers("gear", &mut gear)?;
        let limited = view.limited("ctrllimited", "ctrlrange", self.compiler.limits)?;
        let control = view.range("ctrlrange")?.filter(|_| limited);
        let lengths = view.range("lengthrange")?.filter(|[low, high]| low < high);
        let name = match at.name() {
            "" => format!("actuator_{}", self.actuators.len() + 1),
            name => name.to_owned(),
        };
        let gear = gear[0];
        Ok(Some(Actuator { name, view, transmission, gear, law, control, lengths }))
    }
}
