//! Errors of bodies from tables.

/// Errors of a body.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BodyError {
    /// A pattern that is no regular expression.
    #[error(
        "the pattern '{pattern}' cannot be read: {why}; write a regular expression, as in thigh.* or pelvis|thigh_l"
    )]
    Pattern {
        /// The pattern as given.
        pattern: String,
        /// Reason.
        why: String,
    },
    /// A pattern that matches no name.
    #[error("no name of {table} matches '{pattern}'; there are: {names}")]
    NoMatch {
        /// The table: segments or muscles.
        table: &'static str,
        /// The pattern as given.
        pattern: String,
        /// Names of the table.
        names: String,
    },
    /// A row that cannot be read.
    #[error("datasets/body/{table}.csv: {why}")]
    Table {
        /// Name of the table.
        table: &'static str,
        /// Fault, with its line.
        why: String,
    },
    /// A row names one of another table that is not there.
    #[error(
        "datasets/body/{table}.csv: '{row}' names {what} '{name}', which is not there; add it to its table"
    )]
    Unknown {
        /// Name of the table.
        table: &'static str,
        /// The row.
        row: String,
        /// Kind of what is named.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// Fibres longer than the path of their muscle.
    #[error(
        "muscle '{muscle}': its fibres take {fibre} m of a path of {path} m, which leaves nothing for the tendon; lower its fibre_length or neutral in datasets/body/muscles.csv, or move its points"
    )]
    NoTendon {
        /// Name of the muscle.
        muscle: String,
        /// Length of the fibre along the path [m].
        fibre: f64,
        /// Length of the path [m].
        path: f64,
    },
    /// The numbers make no solid.
    #[error("segment '{segment}': {source}")]
    Inertia {
        /// Name of the segment.
        segment: String,
        /// Fault.
        source: sinew::dynamics::InertiaError,
    },
    /// A surface that is none.
    #[error(transparent)]
    Geometry(#[from] sinew::geometry::GeometryError),
    /// The model cannot be compiled.
    #[error("the body cannot be compiled: {0}")]
    Model(String),
}
