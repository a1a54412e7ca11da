//! States of instances, to the device and back.

use sinew::system::{State, StepError};

use super::instance::PendingRead;
use super::plan::Buffers;
use super::resident::Resident;
use super::stresses;
use crate::{GpuError, ReadPart};

impl Resident {
    /// Puts displacements, velocities and remembered stresses of an instance on the device.
    pub(super) fn write_vectors(&mut self, instance: usize, state: &State) {
        let own = &self.instances[instance];
        let [d, u] = own.vectors(state);
        let (plan, system) = (own.plan.clone(), own.system.clone());
        self.write_reals(instance, plan.buffers.d, &d);
        self.write_reals(instance, plan.buffers.u, &u);
        stresses::write(&plan.remembered, (&system, state), |id, values| {
            self.write_reals(instance, id, values);
        });
        self.instances[instance].pending = false;
    }

    /// Copies the state of an instance.
    ///
    /// # Errors
    /// [`StepError::Device`].
    pub(super) fn read_state(&mut self, k: usize, state: &mut State) -> Result<(), StepError> {
        let read = self.request_state(k)?;
        self.fetch_state(k, read, state)
    }

    /// Asks for copies of the state of now of an instance.
    ///
    /// # Errors
    /// [`StepError::Device`].
    pub(super) fn request_state(&mut self, k: usize) -> Result<PendingRead, StepError> {
        let (parts, own) = (self.state_parts(k), &self.instances[k]);
        let ticket = self.executor.start_read_parts(&parts).map_err(|e| own.device_error(&e))?;
        Ok(own.pending_read(ticket))
    }

    /// Waits for the copies that were asked for.
    ///
    /// # Errors
    /// [`StepError::Device`].
    pub(super) fn fetch_state(
        &mut self,
        k: usize,
        read: PendingRead,
        state: &mut State,
    ) -> Result<(), StepError> {
        let own = &mut self.instances[k];
        let parts = self.executor.finish_read(read.ticket).map_err(|e| own.device_error(&e))?;
        own.take_read(read, (&parts, self.executor.program().precision), state);
        Ok(())
    }

    /// Waits for copies that nobody wants any more: their staging buffer goes back.
    ///
    /// # Errors
    /// [`StepError::Device`].
    pub(super) fn drop_read(&mut self, k: usize, read: &PendingRead) -> Result<(), StepError> {
        let dropped = self.executor.finish_read(read.ticket);
        dropped.map(|_| ()).map_err(|e| self.instances[k].device_error(&e))
    }

    /// Has an instance go on from a state.
    pub(super) fn write_state(&mut self, k: usize, state: &State) {
        self.write_vectors(k, state);
        self.instances[k].host.go_on_from(state);
    }

    /// Takes the state of an instance over from instances of programs that are alike, bit by bit. Its next step makes its
    /// preconditioner anew.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    pub(super) fn take_over(&mut self, from: &mut Self, k: usize) -> Result<(), GpuError> {
        let (parts, Buffers { d, u, .. }) = (from.state_parts(k), from.instances[k].plan.buffers);
        let ticket = from.executor.start_read_parts(&parts)?;
        let read = from.executor.finish_read(ticket)?;
        let remembered = from.instances[k].plan.remembered.iter().map(|it| it.buffer);
        for (id, bytes) in [d, u].into_iter().chain(remembered).zip(&read) {
            self.write(k, id, bytes);
        }
        let (old, new) = (&from.instances[k], &mut self.instances[k]);
        (new.pending, new.solving) = (false, old.solving);
        new.host.take_over(&old.host);
        self.forget(k);
        Ok(())
    }

    /// The parts of buffers that hold the state of an instance: displacements, velocities, remembered stresses.
    fn state_parts(&self, k: usize) -> Vec<ReadPart> {
        let own = &self.instances[k];
        let Buffers { d, d_next, u, u_next, .. } = own.plan.buffers;
        let mut ids = if own.pending { vec![d_next, u_next] } else { vec![d, u] };
        ids.extend(own.plan.remembered.iter().map(|it| it.buffer));
        let program = self.executor.program();
        let part = |id| {
            let start = k as u64 * program.stride(id);
            (id, start..start + program.bytes_of_one(id))
        };
        ids.into_iter().map(part).collect()
    }
}
