//! Troubles of a session: a state that is no good, a device that is lost.

use sinew::Vec3;
use sinew::schedule::ScheduleError;
use sinew::system::StepError;

use super::args::OnDeviceLossArg;
use super::session::{Session, step_error};
use crate::compute::{Kind, on_cpu};
use crate::console;
use crate::exit::CliError;

impl Session<'_> {
    /// Error of a state without finite energy, as the next step would find it; then goes back to
    /// the last good state. A step looks at its start only, so its end may be such a state.
    pub(super) fn diagnose(&mut self) -> Result<Result<(), StepError>, CliError> {
        let time = self.state.time;
        let next = self.scheduler.simulation_mut().step(self.plan.step);
        self.state.clone_from(&self.good);
        self.steps = self.seen;
        let written = self.scheduler.simulation_mut().set_state(&self.good);
        match next.err().or(written.err()) {
            Some(error) => step_error(error),
            None => {
                let point = "the model as a whole (its energy)".to_owned();
                Ok(Err(StepError::NotFinite { point, time }))
            }
        }
    }

    /// True if the CPU is to take over after this error.
    pub(super) fn may_go_on(&self, error: &StepError) -> bool {
        matches!(error, StepError::Device { .. })
            && self.kind == Kind::Gpu
            && self.on_loss == OnDeviceLossArg::Cpu
    }

    /// Goes on, on the CPU, from the last state that the device gave.
    pub(super) fn go_on_without_device(&mut self, error: &StepError) -> Result<(), CliError> {
        let simulation = self.scheduler.simulation_mut();
        let is_finite = |v: &Vec3| v.iter().all(|x| x.is_finite());
        let read = simulation.state().ok().cloned();
        let good = read.filter(|state| state.q.iter().chain(&state.u).all(is_finite));
        if good.is_none() {
            self.steps = self.seen;
        }
        let state = good.unwrap_or_else(|| self.state.clone());
        simulation
            .replace_backend(on_cpu(self.plan.settings), &state)
            .map_err(ScheduleError::from)?;
        self.kind = Kind::Cpu;
        self.why = None;
        console::complain(&format!("warning: {error} (from t = {} s)", state.time));
        self.loss = Some(error.to_string());
        Ok(())
    }
}
