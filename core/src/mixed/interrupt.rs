//! Requests to stop, which reach solutions that take long.

use std::sync::Arc;

use crate::mixed::MixedError;

/// Asks whether a solution is to be given up, between two of its iterations; it goes on where nobody asks.
#[derive(Clone, Default)]
pub(super) struct Interrupt(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Interrupt {
    pub(super) fn when(asks: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(asks)))
    }

    /// # Errors
    /// [`MixedError::Stopped`].
    pub(super) fn go_on(&self) -> Result<(), MixedError> {
        match &self.0 {
            Some(asks) if asks() => Err(MixedError::Stopped),
            _ => Ok(()),
        }
    }
}
