//! Optimization by dynamics (Witkin1990, section 5.3): objectives, sliders, snakes, fits.
