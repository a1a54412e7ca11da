//! Compilation of forces on bodies alone: springs between frames, and drag in proportion to momentum.

use super::flat::Flat;
use super::multibody::BodyRows;
use super::numbering::Numbering;
use crate::force::{BodyDrag, Bushing, ForceEffector, FrameSide, FrameSprings, InertialDrag};
use crate::model::{FrameSite, FrameSpring};

/// A frame with the row of its body, seen from the centre of mass.
pub(super) fn side_of(
    flat: &Flat<'_>,
    points: &Numbering,
    bodies: &[BodyRows],
    site: &FrameSite,
) -> FrameSide {
    match site.body {
        None => FrameSide { row: None, frame: site.pose },
        Some(body) => {
            let body = flat.places.bodies.place(body).expect("references were checked");
            let mut frame = site.pose;
            frame.translation.vector -= bodies[body].inertia.center_of_mass();
            FrameSide { row: Some(points.body_rows[body]), frame }
        }
    }
}

/// Springs between frames, and drag on bodies in proportion to their momentum.
pub(super) fn add(
    flat: &Flat<'_>,
    points: &Numbering,
    bodies: &[BodyRows],
    others: &mut Vec<Box<dyn ForceEffector>>,
) {
    let side = |site: &FrameSite| side_of(flat, points, bodies, site);
    let bushing = |spring: &&FrameSpring| Bushing {
        c: side(&spring.c),
        d: side(&spring.d),
        stiffness: spring.stiffness,
        rotary_stiffness: spring.rotary_stiffness,
        damping: spring.damping,
        rotary_damping: spring.rotary_damping,
        enabled: spring.enabled,
    };
    if !flat.frame_springs.is_empty() {
        let springs = flat.frame_springs.iter().map(bushing).collect();
        others.push(Box::new(FrameSprings::new(springs)));
    }
    let drag = |(k, rows): (usize, &BodyRows)| {
        let rate = flat.damping_of(k).inertial;
        let (mass, inertia) = (rows.inertia.mass(), rows.inertia.rotational());
        (rate != 0.0).then_some(BodyDrag { row: rows.row, rate, mass, inertia })
    };
    let drags: Vec<BodyDrag> = bodies.iter().enumerate().filter_map(drag).collect();
    if !drags.is_empty() {
        others.push(Box::new(InertialDrag::new(drags)));
    }
}
