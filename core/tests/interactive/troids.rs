//! Troids (Witkin1990, section 5.4).
