//! References between components: hard ones, without which a component cannot be, and soft ones.

use crate::component::ComponentId;

/// Strength of a reference: a component can live without its target, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// It cannot: it is deleted along, and what it refers to is duplicated along.
    Hard,
    /// It can: it forgets.
    Soft,
}

/// One reference of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The component that it refers to.
    pub target: ComponentId,
    /// Its strength.
    pub strength: Strength,
}

impl Reference {
    /// One that the component needs.
    pub fn hard(target: impl Into<ComponentId>) -> Self {
        Self { target: target.into(), strength: Strength::Hard }
    }

    /// One that it can lose.
    pub fn soft(target: impl Into<ComponentId>) -> Self {
        Self { target: target.into(), strength: Strength::Soft }
    }
}
