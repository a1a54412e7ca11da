//! A text on a picture.

/// A text at a place of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Text.
    pub text: String,
    /// Position of its anchor [pixel].
    pub pixel: [f32; 2],
    /// Part of the text that is at its place.
    pub anchor: Anchor,
    /// Height of the letters [pixel].
    pub height: f32,
    /// Their colour, sRGB.
    pub color: [f32; 3],
    /// Colour of the plate behind them, sRGB; `None` for none.
    pub plate: Option<[f32; 3]>,
    /// Depth, where it is written only if nothing of the model lies before it: its distance along the line of sight
    /// [m]; `None` for what belongs to the picture rather than to the model.
    pub depth: Option<f64>,
}

/// Part of a text that is at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its middle.
    Center,
    /// The middle of its left edge.
    Left,
    /// The middle of its right edge.
    Right,
}
