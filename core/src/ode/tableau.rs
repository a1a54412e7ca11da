//! Coefficients of embedded Runge-Kutta pairs: Fehlberg1969 (table II) and DormandPrince1980 (RK5(4)7M) with the
//! continuous extension of HairerNorsettWanner1993, section II.6.

/// An explicit pair: stages, weights, and weights of the error.
#[derive(Debug)]
pub(super) struct Tableau {
    /// Times of the stages over the step.
    pub(super) c: &'static [f64],
    /// Weights of the stages before, by stage.
    pub(super) a: &'static [&'static [f64]],
    /// Weights of the result.
    pub(super) b: &'static [f64],
    /// Weights of the result less those of the other of the pair.
    pub(super) e: &'static [f64],
    /// Weights of the highest coefficient of the continuous extension; empty where it takes an evaluation of its own.
    pub(super) dense: &'static [f64],
    /// True if the last stage is the rate at the end.
    pub(super) first_same_as_last: bool,
}

const FEHLBERG_A: [&[f64]; 6] = [
    &[],
    &[1.0 / 4.0],
    &[3.0 / 32.0, 9.0 / 32.0],
    &[1932.0 / 2197.0, -7200.0 / 2197.0, 7296.0 / 2197.0],
    &[439.0 / 216.0, -8.0, 3680.0 / 513.0, -845.0 / 4104.0],
    &[-8.0 / 27.0, 2.0, -3544.0 / 2565.0, 1859.0 / 4104.0, -11.0 / 40.0],
];
/// Weights of order four and five.
pub(super) const FEHLBERG_4: [f64; 6] =
    [25.0 / 216.0, 0.0, 1408.0 / 2565.0, 2197.0 / 4104.0, -1.0 / 5.0, 0.0];
pub(super) const FEHLBERG_5: [f64; 6] =
    [16.0 / 135.0, 0.0, 6656.0 / 12825.0, 28561.0 / 56430.0, -9.0 / 50.0, 2.0 / 55.0];

pub(super) const FEHLBERG: Tableau = Tableau {
    c: &[0.0, 1.0 / 4.0, 3.0 / 8.0, 12.0 / 13.0, 1.0, 1.0 / 2.0],
    a: &FEHLBERG_A,
    b: &FEHLBERG_5,
    e: &[1.0 / 360.0, 0.0, -128.0 / 4275.0, -2197.0 / 75240.0, 1.0 / 50.0, 2.0 / 55.0],
    dense: &[],
    first_same_as_last: false,
};

const DORMAND_PRINCE_B: [f64; 7] =
    [35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0, 0.0];

pub(super) const DORMAND_PRINCE: Tableau = Tableau {
    c: &[0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0],
    a: &[
        &[],
        &[1.0 / 5.0],
        &[3.0 / 40.0, 9.0 / 40.0],
        &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
        &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
        &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
        &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
    ],
    b: &DORMAND_PRINCE_B,
    e: &[
        71.0 / 57600.0,
        0.0,
        -71.0 / 16695.0,
        71.0 / 1920.0,
        -17253.0 / 339200.0,
        22.0 / 525.0,
        -1.0 / 40.0,
    ],
    dense: &[
        -12715105075.0 / 11282082432.0,
        0.0,
        87487479700.0 / 32700410799.0,
        -10690763975.0 / 1880347072.0,
        701980252875.0 / 199316789632.0,
        -1453857185.0 / 822651844.0,
        69997945.0 / 29380423.0,
    ],
    first_same_as_last: true,
};
