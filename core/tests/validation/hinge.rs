//! Static optimization of a hinge with two or three muscles, INV-static-opt-hinge of the reference data.

/// Moment arms [m], largest forces [N], moment [N m], excitations of least squares.
pub(crate) type HingeCase = (&'static [f64], &'static [f64], f64, &'static [f64]);
/// INV-static-opt-hinge of the reference data.
pub(crate) const HINGE: [HingeCase; 5] = [
    (&[0.04, 0.03], &[1000.0, 800.0], 20.0, &[0.3676470588235293, 0.2205882352941176]),
    (&[0.04, 0.03], &[1000.0, 800.0], 60.0, &[1.0, 0.8333333333333334]),
    (
        &[0.04, 0.03, -0.025],
        &[1000.0, 800.0, 600.0],
        30.0,
        &[0.5514705882352942, 0.33088235294117646, 0.0],
    ),
    (&[0.04, 0.03, -0.025], &[1000.0, 800.0, 600.0], -8.0, &[0.0, 0.0, 0.5333333333333332]),
    (
        &[0.05, 0.04, 0.02],
        &[500.0, 700.0, 900.0],
        60.0,
        &[0.8655510675129832, 0.9694171956145412, 0.6231967686093479],
    ),
];
