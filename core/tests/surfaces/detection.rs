//! Contacts of two surfaces as the detector reports them.

use std::collections::BTreeMap;

use sinew::Vec3;
use sinew::contact::{ContactError, ContactPoint, Detector, Member, Motion, Pair, Surface, Travel};

use crate::scene::{block_mesh, pair_of, surface};

const THICKNESS: f64 = 2e-3;
const MARGIN: f64 = 0.02;

fn detect(detector: &mut Detector, q: &[Vec3]) -> Vec<ContactPoint> {
    let mut out = Vec::new();
    detector.detect(&[], q, &mut out);
    out
}

/// A direction for row k, the same in every run.
fn direction(k: usize) -> Vec3 {
    let k = k as f64 + 0.5;
    Vec3::new((12.9 * k).sin(), (78.2 * k).sin(), (37.7 * k).sin())
}

/// Two blocks whose faces are bumpy, turned against each other, with 1 cm between.
fn bumpy() -> (Detector, Vec<Vec3>) {
    let lower = block_mesh([4, 4, 2], [0.2, 0.2, 0.1], Vec3::new(0.0, 0.0, -0.05));
    let mut upper = block_mesh([3, 3, 2], [0.15, 0.15, 0.1], Vec3::new(0.003, 0.01, 0.06));
    for node in &mut upper.nodes {
        let (x, y) = (node.x, node.y);
        (node.x, node.y) = (x * 0.8 - y * 0.6, x * 0.6 + y * 0.8);
    }
    let (detector, mut q) = pair_of([&lower, &upper], MARGIN, THICKNESS);
    q.iter_mut().enumerate().for_each(|(k, p)| *p += direction(k) * 4e-3);
    (detector, q)
}

/// Two bars across each other, each with an edge towards the other.
fn crossed() -> (Detector, Vec<Vec3>) {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let mut along = block_mesh([1, 1, 1], [0.2, 0.02, 0.02], Vec3::zeros());
    let mut across = block_mesh([1, 1, 1], [0.02, 0.2, 0.02], Vec3::zeros());
    for p in &mut along.nodes {
        (p.y, p.z) = (half * (p.y - p.z), half * (p.y + p.z));
    }
    for p in &mut across.nodes {
        (p.x, p.z) = (half * (p.x - p.z), half * (p.x + p.z) + 0.03);
    }
    let (detector, mut q) = pair_of([&along, &across], MARGIN, THICKNESS);
    q.iter_mut().enumerate().for_each(|(k, p)| *p += direction(k) * 1e-3);
    (detector, q)
}

#[test]
fn vectors_of_contacts_are_the_derivatives_of_their_gaps() {
    let mut kinds: BTreeMap<u64, usize> = BTreeMap::new();
    for (mut detector, q) in [bumpy(), crossed()] {
        let contacts = detect(&mut detector, &q);
        let step = 1e-6;
        let moved = |side: f64| {
            let way = |k: usize| direction(k + 99) * (side * step);
            q.iter().enumerate().map(|(k, p)| p + way(k)).collect::<Vec<_>>()
        };
        let [after, before] = [1.0, -1.0].map(|side| detect(&mut detector, &moved(side)));
        let gap = |list: &[ContactPoint], key: u64| {
            list.iter().find(|it| it.key == key).unwrap_or_else(|| panic!("{key}")).gap
        };
        for contact in &contacts {
            *kinds.entry(contact.key >> 62).or_default() += 1;
            let stencil = contact.stencil.unwrap();
            let terms = stencil.rows.iter().zip(stencil.weights);
            let rate: f64 =
                terms.map(|(&row, w)| direction(row as usize + 99).dot(&contact.normal) * w).sum();
            let found = (gap(&after, contact.key) - gap(&before, contact.key)) / (2.0 * step);
            assert!((rate - found).abs() < 1e-5, "{rate} {found} of {contact:?}");
        }
    }
    assert_eq!(kinds.keys().copied().collect::<Vec<_>>(), [0, 1, 2], "{kinds:?}");
}

#[test]
fn forces_of_contacts_have_no_resultant_and_no_moment() {
    let (mut detector, q) = bumpy();
    for contact in detect(&mut detector, &q) {
        let stencil = contact.stencil.unwrap();
        let terms = || stencil.rows.iter().zip(stencil.weights);
        let force: f64 = terms().map(|(_, w)| w).sum();
        let moment: Vec3 =
            terms().map(|(&row, w)| q[row as usize].cross(&contact.normal) * w).sum();
        assert!(force.abs() < 1e-15 && moment.norm() < 1e-15, "{force} {moment:?} of {contact:?}");
        let between = (contact.point_a - contact.point_b).dot(&contact.normal);
        assert!((between - contact.gap).abs() < 1e-15, "{between} {contact:?}");
    }
}

#[test]
fn contacts_keep_their_keys_while_surfaces_slide() {
    let lower = block_mesh([5, 5, 1], [0.5, 0.5, 0.1], Vec3::new(0.0, 0.0, -0.05));
    let upper = block_mesh([2, 2, 1], [0.1, 0.1, 0.1], Vec3::new(-0.13, 0.01, 0.052));
    let (mut detector, mut q) = pair_of([&lower, &upper], 1e-3, THICKNESS);
    let second = lower.nodes.len();
    let keys = |list: &[ContactPoint]| {
        let of_upper = list.iter().filter(|it| it.key >> 62 == 1);
        of_upper.map(|it| it.key).collect::<Vec<_>>()
    };
    let first = keys(&detect(&mut detector, &q));
    assert_eq!(first.len(), 9, "{first:?}");
    for _ in 0..50 {
        q[second..].iter_mut().for_each(|p| *p += Vec3::new(5.3e-3, 3e-4, 0.0));
        let contacts = detect(&mut detector, &q);
        assert_eq!(keys(&contacts), first);
        for it in contacts.iter().filter(|it| it.key >> 62 == 1) {
            let level = (it.normal + Vec3::z()).norm() < 1e-9 && it.gap.abs() < 1e-12;
            assert!(level, "{it:?}");
        }
    }
}

#[test]
fn what_approaches_within_a_step_is_reported_and_what_moves_along_is_not() {
    let lower = block_mesh([2, 2, 1], [0.2, 0.2, 0.1], Vec3::new(0.0, 0.0, -0.05));
    let upper = block_mesh([3, 3, 1], [0.2, 0.2, 0.1], Vec3::new(0.0, 0.0, 0.15));
    let (mut detector, q) = pair_of([&lower, &upper], 1e-3, THICKNESS);
    let second = lower.nodes.len();
    let mut count = |up: f64, down: f64| {
        let step = |k: usize| Vec3::z() * if k < second { up } else { -down };
        let rows: Vec<Vec3> = (0..q.len()).map(step).collect();
        let mut out = Vec::new();
        detector.detect_ahead(&[], &q, Travel { rows: &rows, ..Travel::default() }, &mut out);
        out.len()
    };
    assert_eq!(count(0.0, 0.0), 0);
    assert_eq!(count(5.0, -5.0), 0, "both go up by 5 m");
    assert!(count(0.05, 0.06) >= 16, "{}", count(0.05, 0.06));
}

#[test]
fn a_vertex_through_a_face_and_an_edge_through_an_edge_are_seen() {
    // A needle upside down over a plate, and two bars across each other.
    let plate = || block_mesh([1, 1, 1], [0.2, 0.2, 1e-3], Vec3::zeros());
    let mut needle = block_mesh([1, 1, 1], [1e-3, 1e-3, 0.1], Vec3::new(0.03, 0.01, 0.1));
    needle.nodes.iter_mut().for_each(|p| p.z += p.x * 3.0 + p.y);
    let bar = |size, at| block_mesh([1, 1, 1], size, at);
    let along = bar([0.2, 1e-3, 1e-3], Vec3::zeros());
    let across = bar([1e-3, 0.2, 1e-3], Vec3::z() * 0.1);
    for [lower, upper] in [[plate(), needle], [along, across]] {
        let (mut detector, q) = pair_of([&lower, &upper], 1e-3, 1e-4);
        let second = lower.nodes.len();
        let mut crosses = |way: Vec3| {
            let step = |(k, p): (usize, &Vec3)| if k < second { *p } else { p + way };
            let to: Vec<Vec3> = q.iter().enumerate().map(step).collect();
            let motion = Motion { poses: [&[], &[]], q: [&q, &to] };
            detector.crossing(motion, &|_| true).is_some()
        };
        // To the other side, as far above it as it began below.
        assert!(crosses(Vec3::z() * -1.0));
        assert!(!crosses(Vec3::z() * -0.03));
        assert!(!crosses(Vec3::z()));
        assert!(!crosses(Vec3::new(1.0, 1.0, -0.04)));
    }
}

#[test]
fn surfaces_that_do_not_fit_are_refused() {
    let mesh = block_mesh([1, 1, 1], [0.1; 3], Vec3::zeros());
    let pair =
        |thickness| Pair { a: Member::Surface(0), b: Member::Surface(0), margin: 0.0, thickness };
    let made = |surface: Surface, pair| {
        Detector::with_surfaces(vec![], vec![], vec![surface], vec![pair]).map(|_| ())
    };
    let sound = surface(&mesh, 0);
    assert_eq!(made(sound.clone(), pair(1e-3)), Ok(()));
    let thin = made(sound.clone(), pair(0.0));
    assert_eq!(thin, Err(ContactError::Thickness { pair: 0, thickness: 0.0 }));
    let torn = Surface { holders: vec![], ..sound };
    assert_eq!(made(torn, pair(1e-3)), Err(ContactError::Surface { surface: 0 }));
}
