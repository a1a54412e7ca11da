//! Reference of a component to the tissue that it acts on.

use super::fem_model::FemModel;
use crate::component::{Address, Handle};
use crate::property::{Put, Refusal};

/// Puts the tissue that a component acts on.
pub(super) fn put_tissue(fem: &mut Handle<FemModel>, to: &[Address]) -> Put {
    let refusal = Refusal::Value("it must lead to a tissue");
    let [Address::Component(id)] = to else { return Err(refusal) };
    *fem = id.typed().ok_or(refusal)?;
    Ok(())
}
