//! Muscles, joint, opening and excitations of the jaw model against published figures.

use std::collections::BTreeMap;

use sinew_datasets::jaw::Body;
use sinew_datasets::jaw::excitation::{CYCLE, Chewing, ExcitationTable};
use sinew_datasets::jaw::gape::{LOWER_INCISOR, Opening};
use sinew_datasets::jaw::joint::{BITE, CONDYLE, PlaneKind, fossa_path, guide_planes};
use sinew_datasets::jaw::muscles::{MuscleRecord, Side, muscles};

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[test]
fn every_muscle_has_a_mirror_image_and_a_source_that_is_listed() {
    let all: BTreeMap<_, _> = muscles().into_iter().map(|m| (m.name.clone(), m)).collect();
    assert_eq!(all.len(), 34);
    let references = include_str!("../../docs/reference/references.md");
    for left in all.values().filter(|m| m.side == Side::Left) {
        let right = &all[&format!("r{}", left.code)];
        assert_eq!(left.name, format!("l{}", left.code));
        for (l, r) in [(left.origin, right.origin), (left.insertion, right.insertion)] {
            assert_eq!(l.body, r.body);
            assert_eq!([l.point[0], -l.point[1], l.point[2]], r.point);
            assert!(l.point[1] > 0.0, "{}", left.name);
        }
        assert_eq!((left.max_force, left.lengths), (right.max_force, right.lengths));
        let keys: Vec<_> = left
            .source
            .split([' ', ':', ';'])
            .filter(|w| w.ends_with(|c: char| c.is_ascii_digit()) && w.len() > 6)
            .collect();
        assert!(!keys.is_empty());
        assert!(keys.iter().all(|key| references.contains(&format!("**{key}**"))), "{keys:?}");
    }
}

/// Cross-section [cm²] times 40 N/cm²: mylohyoid 1.77 in two halves, geniohyoid 0.80 (Buchaillard et al.
/// 2009), stylohyoid 0.39 (van Eijden et al. 1997); the superior head of the lateral pterygoid has 30 of
/// 100 parts (Peck et al. 2000).
#[test]
fn forces_follow_from_published_cross_sections() {
    let all: BTreeMap<_, _> =
        muscles().into_iter().map(|m| (m.name.clone(), m.max_force)).collect();
    let close = |name: &str, expected: f64| {
        assert!((all[name] - expected).abs() < 0.05, "{name}: {} N, {expected} N", all[name]);
    };
    close("lam", 1.77 / 2.0 * 40.0);
    close("rpm", 1.77 / 2.0 * 40.0);
    close("lgh", 0.80 * 40.0);
    close("rsh", 0.39 * 40.0);
    close("lsp", all["lip"] / 0.7 * 0.3);
}

/// Maximum force [N], optimal and maximal length [mm], tendon ratio (Hannam et al. 2008).
#[test]
fn published_figures_of_the_closers_and_pterygoids_are_kept() {
    let published = [
        ("at", [158.0, 75.54, 95.92, 0.50]),
        ("mt", [95.6, 65.81, 93.36, 0.48]),
        ("pt", [75.6, 77.11, 101.08, 0.51]),
        ("sm", [190.4, 51.46, 66.88, 0.46]),
        ("dm", [81.6, 29.07, 44.85, 0.29]),
        ("mp", [174.8, 40.51, 50.63, 0.64]),
        ("ip", [66.9, 31.5, 41.5, 0.0]),
        ("sp", [28.7, 27.7, 37.7, 0.0]),
    ];
    let all = muscles();
    for (code, expected) in published {
        for m in all.iter().filter(|m| m.code == code) {
            let (optimal, maximal) = (m.optimal_length() * 1e3, m.maximal_length() * 1e3);
            for (given, expected) in
                [m.max_force, optimal, maximal, m.tendon_ratio].iter().zip(expected)
            {
                assert!((given - expected).abs() < 1e-9, "{}: {given}, {expected}", m.name);
            }
        }
    }
}

/// Lengths of the publication belong to its unrounded points: at rest every muscle is between 3/4 of its
/// optimal length and its maximal length, 1 mm for the rounding.
#[test]
fn muscles_rest_within_their_working_range() {
    for m in muscles() {
        let (rest, optimal, maximal) = (m.rest_length(), m.optimal_length(), m.maximal_length());
        assert!(optimal < maximal, "{}", m.name);
        assert!(
            rest > 0.75 * optimal && rest < maximal + 1e-3,
            "{}: {rest} of {optimal} m",
            m.name
        );
        assert!((0.0..1.0).contains(&m.tendon_ratio) && m.passive_fraction == 0.015);
        assert!(rest > m.tendon_ratio * optimal, "{} is all tendon", m.name);
    }
}

/// The published files have centimetres, x left, y rearward, z up; this frame lies 3 mm before and 6 mm
/// above theirs. Rounding to whole millimetres leaves at most 0.87 mm.
#[test]
fn attachments_are_the_published_landmarks_rounded() {
    let Some(folder) = crate::common::public_data("jaw") else { return };
    let mut worst: f64 = 0.0;
    for m in muscles().iter().filter(|m| m.side == Side::Left) {
        let text =
            std::fs::read_to_string(folder.join(format!("{}.landmarkAscii", m.name))).unwrap();
        let numbers: Vec<f64> = text
            .split("@1\n")
            .last()
            .unwrap()
            .split_whitespace()
            .map(|n| n.parse().unwrap())
            .collect();
        for end in [m.origin.point, m.insertion.point] {
            let off = numbers.chunks(3).map(|p| {
                let here = [-p[1] * 1e-2 - 3e-3, p[0] * 1e-2, p[2] * 1e-2 - 6e-3];
                let d = minus(here, end);
                dot(d, d).sqrt()
            });
            worst = worst.max(off.fold(f64::INFINITY, f64::min));
        }
    }
    println!("largest distance from a landmark {worst} m");
    assert!(worst < 0.87e-3, "{worst} m");
}

/// Moment about the axis through the condyles that a muscle exerts on the mandible [N m]; positive
/// closes.
fn closing_moment(m: &MuscleRecord) -> f64 {
    let (far, near) = match (m.origin.body, m.insertion.body) {
        (_, Body::Mandible) => (m.origin.point, m.insertion.point),
        (Body::Mandible, _) => (m.insertion.point, m.origin.point),
        _ => return 0.0,
    };
    let pull = minus(far, near).map(|x| x / m.rest_length() * m.max_force);
    let arm = minus(near, CONDYLE);
    arm[0] * pull[2] - arm[2] * pull[0]
}

#[test]
fn closers_close_and_the_floor_of_the_mouth_opens() {
    use sinew_datasets::jaw::muscles::MuscleGroup::FloorOfMouth;
    for m in muscles() {
        let moment = closing_moment(&m);
        if m.group.closes() {
            assert!(moment > 0.0, "{}: {moment} N m", m.name);
        }
        if m.group == FloorOfMouth {
            assert!(moment < 0.0, "{}: {moment} N m", m.name);
        }
    }
}

/// Bilateral molar bites of 81 subjects: 569 N with a standard deviation of 170 N (van der Bilt et al.
/// 2008). Here the closers at full force and optimal length, without load on the condyles' moment.
#[test]
fn the_largest_bite_is_that_of_a_strong_adult() {
    let moment: f64 = muscles().iter().filter(|m| m.group.closes()).map(closing_moment).sum();
    let normal = guide_planes().into_iter().find(|p| p.name == "lbite").unwrap().normal;
    let arm = minus(BITE, CONDYLE);
    let bite = moment / (arm[2] * normal[0] - arm[0] * normal[2]);
    println!("bite {bite} N");
    assert!((569.0 - 170.0..569.0 + 170.0).contains(&bite), "{bite} N");
}

#[test]
fn planes_hold_at_rest_and_lead_down_and_forward() {
    let planes = guide_planes();
    assert_eq!(planes.len(), 10);
    for plane in &planes {
        assert!((dot(plane.normal, plane.normal) - 1.0).abs() < 1e-12, "{}", plane.name);
        let gap = dot(plane.normal, minus(plane.contact, plane.point));
        assert!((0.0..=0.1e-3 + 1e-9).contains(&gap), "{}: {gap} m", plane.name);
        assert_eq!(plane.kind == PlaneKind::Guide, plane.name.ends_with("tmj"), "{}", plane.name);
        // 40 or 10 degrees down for each step forward, nothing sideways.
        let slope = match &plane.name[1..] {
            "tmj" => 40f64,
            "bite" => 10.0,
            _ => continue,
        };
        let forward = [slope.to_radians().cos(), 0.0, -slope.to_radians().sin()];
        assert!(
            dot(plane.normal, forward).abs() < 1e-12 && plane.normal[2] < 0.0,
            "{}",
            plane.name
        );
    }
    let normal = |name: &str| planes.iter().find(|p| p.name == name).unwrap().normal;
    assert!(normal("lpost")[0] > 0.0 && normal("lltrl")[1] < -0.99 && normal("rltrl")[1] > 0.99);
    assert!((dot(normal("lpost"), normal("ltmj"))).abs() < 1e-12);
    assert!((dot(normal("lltrl"), normal("lmed")) + 1.0).abs() < 1e-12);
}

#[test]
fn the_curved_fossa_follows_the_published_one_and_is_level_from_its_crest() {
    let tangent = |degrees: f64| degrees.to_radians().tan();
    let [height, slope] = fossa_path(0.0);
    assert!(height == 0.0 && (slope + tangent(40.0)).abs() < 1e-12);
    let [height, slope] = fossa_path(12e-3);
    assert!((height + 5e-3).abs() < 1e-12 && slope == 0.0);
    // The published one: a cubic from slope -40 to -10 degrees over 12 mm forward and 5 mm down.
    let published = |x: f64| {
        let (length, mean) = (12e-3, -5.0 / 12.0);
        let [from, to] = [-tangent(40.0), -tangent(10.0)];
        let square = (3.0 * mean - 2.0 * from - to) / length;
        let cube = (from + to - 2.0 * mean) / (length * length);
        x * (from + x * (square + x * cube))
    };
    for k in -40..200 {
        let x = 1e-4 * f64::from(k);
        let [[before, _], [height, slope], [after, _]] = [x - 1e-6, x, x + 1e-6].map(fossa_path);
        // Central differences; where arc and lines meet the curvature jumps by 220/m.
        assert!(((after - before) / 2e-6 - slope).abs() < 1e-3, "{x} m");
        assert!(slope <= 0.0, "the condyle never rises on its way forward");
        let off = height - published(x);
        assert!(!(0.0..12e-3).contains(&x) || off.abs() < 0.9e-3, "{off} m at {x} m");
    }
}

/// Women open 46.6 mm while the condyles move 11.9 mm (Travers et al. 2000), with 32 degrees of rotation
/// at 46 mm (Ferrario et al. 2005); healthy adults open 35 mm and more.
#[test]
fn forty_millimetres_of_gape_take_a_published_rotation_and_translation() {
    let open = Opening::with_gape(40e-3, 12e-3).unwrap();
    assert!((open.gape() - 40e-3).abs() < 1e-12);
    assert!(
        (12e-3..15e-3).contains(&open.condylar_translation()),
        "{}",
        open.condylar_translation()
    );
    let degrees = open.rotation.to_degrees();
    assert!((24.0..32.0).contains(&degrees), "{degrees} degrees");
    let [x, y, z] = open.moved(LOWER_INCISOR);
    assert!(
        y == 0.0 && x < LOWER_INCISOR[0] - 10e-3 && z < LOWER_INCISOR[2] - 30e-3,
        "back and down"
    );
    let wide = Opening::with_gape(46e-3, 11e-3).unwrap();
    assert!((wide.condylar_translation() - 11.9e-3).abs() < 0.3e-3);
    let degrees = wide.rotation.to_degrees();
    assert!((degrees - 32.0).abs() < 2.0, "{degrees} degrees");
    assert_eq!(Opening::with_gape(0.2, 0.0), None);
}

#[test]
fn opening_by_forty_millimetres_stretches_every_closer_into_its_passive_range() {
    let open = Opening::with_gape(40e-3, 12e-3).unwrap();
    for m in muscles().into_iter().filter(|m| m.group.closes()) {
        let mut opened = m.clone();
        opened.insertion.point = open.moved(m.insertion.point);
        let length = opened.rest_length();
        assert!(length > m.rest_length() && length > m.optimal_length(), "{}: {length} m", m.name);
        // Past the maximal length the passive force is 1.5 % of the full one, whatever the length.
        assert!(length < 1.2 * m.maximal_length(), "{}: {length} m", m.name);
    }
}

fn peak(table: &ExcitationTable) -> [f64; 2] {
    let most = table.rows.iter().map(|row| row[1]).fold(0.0, f64::max);
    let times = || table.rows.iter().filter(move |row| row[1] == most).map(|row| row[0]);
    [0.5 * (times().next().unwrap() + times().next_back().unwrap()), most]
}

#[test]
fn excitations_are_smooth_bursts_of_openers_then_closers() {
    let tables = Chewing::default().tables();
    for (table, m) in tables.iter().zip(muscles()) {
        assert_eq!(table.muscle, m.name);
        assert_eq!([table.rows[0], table.rows[table.rows.len() - 1]], [[0.0, 0.0], [CYCLE, 0.0]]);
        for pair in table.rows.windows(2) {
            assert!(pair[1][0] > pair[0][0] && (0.0..0.2).contains(&pair[1][1]));
            // A smooth rise of 0.16 in 0.14 s changes by at most 1.5 * 0.16 / 14 a row.
            assert!((pair[1][1] - pair[0][1]).abs() < 0.018, "{} jumps", m.name);
        }
        let [time, most] = peak(table);
        assert!(most > 0.03, "{}", m.name);
        let late = m.group.closes() || m.code == "sp";
        assert!(if late { (0.55..0.75).contains(&time) } else { (0.1..0.35).contains(&time) });
    }
}

#[test]
fn chewing_on_the_other_side_mirrors_the_excitations() {
    let tables = |working| -> BTreeMap<String, Vec<[f64; 2]>> {
        let chewing = Chewing { working, ..Chewing::default() };
        chewing.tables().into_iter().map(|t| (t.muscle, t.rows)).collect()
    };
    let (left, right) = (tables(Side::Left), tables(Side::Right));
    for m in muscles().iter().filter(|m| m.side == Side::Left) {
        let mirror = format!("r{}", m.code);
        assert_eq!((&left[&m.name], &left[&mirror]), (&right[&mirror], &right[&m.name]));
    }
    let sum = |name: &str| right[name].iter().map(|row| row[1]).sum::<f64>();
    assert!(sum("rat") > sum("lat") && sum("rsm") > sum("lsm"), "working closers are stronger");
    assert!(sum("lip") > sum("rip"), "the balancing side's condyle goes farther forward");
    let half = Chewing { opening: 0.5, ..Chewing::default() }.tables();
    let whole = Chewing::default().tables();
    for (half, whole) in half.iter().zip(&whole).filter(|(t, _)| t.muscle.ends_with("ad")) {
        assert!((peak(half)[1] - 0.5 * peak(whole)[1]).abs() < 1e-12);
    }
}
