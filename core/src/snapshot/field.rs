//! What tissues are coloured by.

/// A quantity at the points of tissues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// None: the colours of the styles.
    #[default]
    None,
    /// Von Mises norm of the Cauchy stress [Pa].
    VonMises,
    /// Strain energy per rest volume [J/m³].
    EnergyDensity,
    /// Largest principal Green-Lagrange strain [-].
    Strain,
    /// Distance from rest [m].
    Displacement,
    /// Speed [m/s].
    Speed,
    /// Mean normal Cauchy stress, positive in compression [Pa].
    Pressure,
}

impl Quantity {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::None,
        Self::VonMises,
        Self::EnergyDensity,
        Self::Strain,
        Self::Displacement,
        Self::Speed,
        Self::Pressure,
    ];

    /// Name on the command line: `von_mises`.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::VonMises => "von_mises",
            Self::EnergyDensity => "energy_density",
            Self::Strain => "strain",
            Self::Displacement => "displacement",
            Self::Speed => "speed",
            Self::Pressure => "pressure",
        }
    }

    /// Unit of its numbers.
    pub fn unit(self) -> &'static str {
        match self {
            Self::None => "",
            Self::VonMises | Self::Pressure => "Pa",
            Self::EnergyDensity => "J/m³",
            Self::Strain => "-",
            Self::Displacement => "m",
            Self::Speed => "m/s",
        }
    }
}

/// A quantity at every point.
#[derive(Clone, Debug, Default)]
pub struct Field {
    /// Which one.
    pub quantity: Quantity,
    /// Its value at each point; NaN at points of no tissue. Empty for [`Quantity::None`].
    pub values: Vec<f32>,
    /// Least and greatest value over all tissues; both 0 where there is none.
    pub range: [f32; 2],
}
