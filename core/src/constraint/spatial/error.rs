//! Errors of functions and of motions that are made of them.

/// Errors of functions.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FunctionError {
    /// Too few points.
    #[error("it has {0} points, and must have more: two, or half its order")]
    Points(usize),
    /// Arguments that do not rise.
    #[error("its x must rise, and {} follows {}", .0[1], .0[0])]
    Falling([f64; 2]),
    /// Points without finite slopes between them.
    #[error("its {0} points lie too close together for finite slopes")]
    Close(usize),
    /// An order that is none.
    #[error("its half order must be 1 to 4, got {0}")]
    Order(usize),
    /// A text that names no function.
    #[error(
        "'{0}' is no function: write constant, linear, polynomial, spline, lines, sine, step, natural_spline, within or times, and its numbers"
    )]
    Kind(String),
    /// A number that is none.
    #[error("'{0}' is no finite number")]
    Number(String),
    /// Another number of numbers.
    #[error("{kind} takes {takes}, got {given} numbers")]
    Count {
        /// Name of the function.
        kind: &'static str,
        /// Numbers that it takes.
        takes: &'static str,
        /// Numbers that there are.
        given: usize,
    },
}

/// Errors of motions along and about axes.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MotionError {
    /// Axes that follow each other are parallel.
    #[error("axes of turns that follow each other are parallel")]
    Parallel,
    /// Axes of ways that do not span space.
    #[error("the axes of its translations lie in a plane")]
    Flat,
    /// A coordinate that no axis follows alone.
    #[error(
        "coordinate '{0}' cannot be read from poses: none of its axes rises or falls with it alone"
    )]
    Unread(String),
    /// An axis that is none.
    #[error(
        "'{0}' is no axis: write turn or way, x y z, and if it moves `of` numbers of coordinates `by` a function"
    )]
    Axis(String),
    /// Another number of axes than six.
    #[error("a motion has three turns and three ways, separated by ';', got {0} axes")]
    Axes(usize),
    /// A coordinate that is none.
    #[error(
        "'{0}' is no coordinate: write its name, 'at' and a number, and if it has a range 'from' a number 'to' a number"
    )]
    Variable(String),
    /// A function of coordinates that are not there, or of too many.
    #[error(
        "axis {axis} is a function of {given} coordinates, and the function or the joint has others"
    )]
    Arguments {
        /// Number of the axis, from 1.
        axis: usize,
        /// Coordinates that it names.
        given: usize,
    },
    /// A function that is none.
    #[error("axis {axis}: {error}")]
    Function {
        /// Number of the axis, from 1.
        axis: usize,
        /// Fault of the function.
        error: FunctionError,
    },
}
