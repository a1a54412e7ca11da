//! Settings of the compiler and options: units of angles, sequences of Euler's angles, folders, where inertia comes
//! from, gravity.

use sinew::Vec3;

use super::view::View;
use super::xml::Element;
use crate::diagnostic::{Diagnostic, Findings};

/// Flags that are followed.
const FLAGS: [&str; 8] =
    ["constraint", "equality", "limit", "contact", "gravity", "actuation", "spring", "damper"];

/// Source of the inertia of bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InertiaSource {
    /// The element `inertial` alone.
    Given,
    /// Geoms alone.
    Geoms,
    /// Geoms where there is no `inertial`.
    Automatic,
}

/// Settings that say how a document is read.
#[derive(Clone, Debug)]
pub(super) struct Compiler {
    /// Angle of a unit of the file [rad].
    pub(super) angle: f64,
    /// Axes of Euler's angles: x, y, z turn along, capital ones stay.
    pub(super) euler: [char; 3],
    /// True if what has a range is limited.
    pub(super) limits: bool,
    pub(super) inertia: InertiaSource,
    /// Least and greatest group of geoms with mass.
    pub(super) groups: [f64; 2],
    pub(super) balance: bool,
    /// Least mass [kg] and moment [kg m²] of bodies that have some.
    pub(super) least: [f64; 2],
    /// Mass of all [kg], where it is set.
    pub(super) total_mass: Option<f64>,
    pub(super) mesh_folder: String,
    /// True if folders in names of files are left out.
    pub(super) strip: bool,
    pub(super) gravity: Vec3,
    /// Flags that are turned off.
    disabled: Vec<&'static str>,
}

impl Default for Compiler {
    fn default() -> Self {
        Self {
            angle: 1f64.to_radians(),
            euler: ['x', 'y', 'z'],
            limits: true,
            inertia: InertiaSource::Automatic,
            groups: [0.0, 5.0],
            balance: false,
            least: [0.0; 2],
            total_mass: None,
            mesh_folder: String::new(),
            strip: false,
            gravity: Vec3::new(0.0, 0.0, -9.81),
            disabled: Vec::new(),
        }
    }
}

impl Compiler {
    /// Takes an element `compiler`; what it does not say stays.
    ///
    /// # Errors
    /// Values that are none, global coordinates.
    pub(super) fn read(&mut self, at: &Element) -> Result<(), Diagnostic> {
        let view = View::plain(at);
        match view.text("angle") {
            Some("radian") => self.angle = 1.0,
            Some("degree") => self.angle = 1f64.to_radians(),
            None => {}
            Some(other) => {
                let message = format!("angle must be degree or radian, got '{other}'");
                return Err(view.blamed("angle", message));
            }
        }
        if view.text("coordinate").is_some_and(|it| it != "local") {
            let message = "global coordinates are not read, nor are they by MuJoCo since 2.3.4";
            return Err(view.blamed("coordinate", message));
        }
        if let Some(sequence) = view.text("eulerseq") {
            let axes: Vec<char> = sequence.chars().filter(|c| "xyzXYZ".contains(*c)).collect();
            self.euler = axes.try_into().map_err(|_| {
                let message = format!("eulerseq must be three of x y z X Y Z, got '{sequence}'");
                view.blamed("eulerseq", message)
            })?;
        }
        self.read_masses(&view)?;
        self.limits = view.flag("autolimits")?.unwrap_or(self.limits);
        self.strip = view.flag("strippath")?.unwrap_or(self.strip);
        for folder in ["assetdir", "meshdir"] {
            if let Some(name) = view.text(folder) {
                self.mesh_folder = name.to_owned();
            }
        }
        Ok(())
    }

    fn read_masses(&mut self, view: &View<'_>) -> Result<(), Diagnostic> {
        self.inertia = match view.text("inertiafromgeom") {
            Some("auto") => InertiaSource::Automatic,
            Some(_) if view.flag("inertiafromgeom")? == Some(true) => InertiaSource::Geoms,
            Some(_) => InertiaSource::Given,
            None => self.inertia,
        };
        self.balance = view.flag("balanceinertia")?.unwrap_or(self.balance);
        self.groups = view.range("inertiagrouprange")?.unwrap_or(self.groups);
        self.least[0] = view.number("boundmass")?.unwrap_or(self.least[0]);
        self.least[1] = view.number("boundinertia")?.unwrap_or(self.least[1]);
        if let Some(mass) = view.number("settotalmass")? {
            self.total_mass = (mass > 0.0).then_some(mass);
        }
        Ok(())
    }

    /// Takes an element `option`: gravity. What concerns MuJoCo's solver is told.
    ///
    /// # Errors
    /// Values that are none.
    pub(super) fn read_option(
        &mut self,
        at: &Element,
        findings: &mut Findings,
    ) -> Result<(), Diagnostic> {
        let view = View::plain(at);
        self.gravity = view.vector("gravity")?.unwrap_or(self.gravity);
        if let Some(step) = view.number("timestep")? {
            let message = format!("timestep {step}: give it to a run as --step {step}");
            findings.note(view.blamed("timestep", "").span, message);
        }
        if let Some(integrator) = view.text("integrator") {
            let message = format!(
                "integrator '{integrator}' is MuJoCo's: runs choose theirs by --integrator"
            );
            findings.note(view.blamed("integrator", "").span, message);
        }
        for flag in at.all("flag").map(View::plain) {
            for name in FLAGS {
                if flag.flag(name)? == Some(false) {
                    self.disabled.push(name);
                }
            }
        }
        if self.is_off("gravity") {
            self.gravity = Vec3::zeros();
        }
        Ok(())
    }

    /// True for a part of the physics that a flag of the file turns off.
    pub(super) fn is_off(&self, flag: &str) -> bool {
        let constraint = matches!(flag, "equality" | "limit" | "contact");
        self.disabled.contains(&flag) || constraint && self.disabled.contains(&"constraint")
    }

    /// An angle of the file [rad].
    pub(super) fn radians(&self, angle: f64) -> f64 {
        angle * self.angle
    }
}
