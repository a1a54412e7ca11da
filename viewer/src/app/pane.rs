//! The panes of the window.

/// A pane of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pane {
    /// The tree of components.
    Tree,
    /// Properties of what is selected.
    Properties,
    /// A picture of the model, by its number.
    Picture(usize),
    /// Curves over time.
    Plots,
    /// Control panels of the model.
    Controls,
    /// Options of the picture.
    View,
    /// Tools that build.
    Build,
    /// Drawings of curves.
    Curves,
    /// A world that runs.
    World,
    /// Inverse control.
    Inverse,
}

impl Pane {
    /// All of them.
    pub(super) const ALL: [Self; 13] = [
        Self::Tree,
        Self::Properties,
        Self::Picture(0),
        Self::Plots,
        Self::Controls,
        Self::View,
        Self::Build,
        Self::Curves,
        Self::World,
        Self::Picture(1),
        Self::Picture(2),
        Self::Picture(3),
        Self::Inverse,
    ];

    /// Title of its tab.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Tree => "Tree",
            Self::Properties => "Properties",
            Self::Picture(number) => ["Model", "Model 2", "Model 3", "Model 4"][number],
            Self::Plots => "Plots",
            Self::Controls => "Controls",
            Self::View => "View",
            Self::Build => "Build",
            Self::Curves => "Curves",
            Self::World => "World",
            Self::Inverse => "Inverse",
        }
    }
}
