//! A wrong kernel does not pass for a right one: of every kernel, mutants with one changed number,
//! operator or comparison are told from the twin by its sample.

mod common;

use common::mutants::{Mutant, mutants};
use common::samples::Trial;
use rayon::prelude::*;
use sinew_gpu::Gpu;
use sinew_gpu::testing::test_device;
use sinew_shaders::samples::{Sample, samples};
use sinew_shaders::source::Precision;

/// Places, evenly spaced among all mutants, at which one is taken, for the first sample of a kernel, each further one, and
/// that of a further law, whose own lines are few: a software adapter compiles some ten a second, of large kernels two.
const OF_FIRST: &[usize] = &[0, 1, 3, 4, 6, 7];
const OF_FURTHER: &[usize] = &[0, 2];
const OF_LAW: &[usize] = &[1];

/// Places of a first sample, and of a further one.
const PLACES: [usize; 2] = [8, 3];

/// Lines of pieces that kernels share whose mutants are not to be seen, and why.
const UNSEEN: [(&str, &str); 13] = [
    (
        "var row = u32(0.5 * sqrt(8.0 * f32(k) + 1.0) - 0.5);",
        "what follows mends a root that is off by one",
    ),
    (
        "sum = sum + p.h2 * (p.curvatures.z * contract(p.h2, e));",
        "no point of the samples stretches its sheets; gpu/tests/elements compares points that do",
    ),
    ("let x = f * (1.0 / scale);", "the scale cancels"),
    ("let a = max(max(abs(m[0]), abs(m[1])), abs(m[2]));", "scales, and the scale cancels"),
    ("let scale = largest(f);", "the scale cancels"),
    ("if det(x) > 1e-3 * size * size * size {", "either way finds the same rotation"),
    ("let r = a - u * dot(u, a);", "but for matrices of rank one, both are orthogonal already"),
    ("let turn = 1.0 / (abs(zeta) + sqrt(zeta * zeta + 1.0));", "an iteration that mends itself"),
    ("let over_j = select(1.0 / j, 0.0, j == 0.0);", "no point has a volume of exactly zero"),
    (
        "let over_size = select(1.0 / size, 0.0, size == 0.0);",
        "no point has a volume of exactly zero",
    ),
    ("var series: real = 1.0 / 13.0;", "a term below the tolerance"),
    ("series = series * q + 1.0 / 11.0;", "a term below the tolerance"),
    ("series = series * q + 1.0 / 9.0;", "a term below the tolerance"),
];

/// Parts of lines that only a mutant has, and that compute the same: of the lanes of a workgroup that
/// all hold the sum another one writes it, and of workgroups there is but one.
const SAME: [&str; 6] = [
    "lane == 0u && own != 0u",
    "lane == 1u && group.x + group.y == 0u",
    "lane != 0u && group.x + group.y == 0u",
    "lane == 0u || group.x + group.y != 0u",
    "lane != 1u || group.x + group.y != 0u",
    "group.x - group.y",
];

/// Mutants that compute the same: kernel, the line as it stands after the change, why.
const EQUIVALENT: [(&str, &str, &str); 18] = [
    (
        "solve_begin",
        "let goes_on = flags[FLAG_CORRECTIONS] > 0u && residual * residual <= 1.5150000000000001 * scalars[SCALAR_RR];",
        "any bound between a recursion that holds and one that does not",
    ),
    ("cg_direction", "var sums = vec3<real>(0.0, 0.0, 0.01);", "the third sum is not used"),
    (
        "cg_rz",
        "let sum = triple_sum(vec3<real>(product, 0.0, 0.01), lane);",
        "the third sum is not used",
    ),
    (
        "pack",
        "let exponent = clamp(largest >> 23u, 15u, 255u) - 14u;",
        "no block has a number that is infinite",
    ),
    (
        "element_stress",
        "const VOIGT_ROW = array<u32, 6>(0u, 1u, 3u, 0u, 1u, 0u);",
        "an index beyond a vector is that of its last",
    ),
    (
        "element_stress",
        "const VOIGT_COLUMN = array<u32, 6>(0u, 1u, 3u, 1u, 2u, 2u);",
        "a stress has no use for the order of a tangent",
    ),
    (
        "element_points",
        "const VOIGT_COLUMN = array<u32, 6>(0u, 1u, 3u, 1u, 2u, 2u);",
        "an index beyond a vector is that of its last",
    ),
    (
        "element_stress",
        "const VOIGT_COLUMN = array<u32, 6>(0u, 1u, 2u, 1u, 3u, 2u);",
        "an index beyond a vector is that of its last",
    ),
    (
        "advance",
        "const LARGEST: f32 = 1.01e30;",
        "any bound between the motions of bodies and the largest number",
    ),
    ("element_points", "return !(volume_change(h) <= -1.01);", "all volumes are clear of zero"),
    ("element_stress", "return !(volume_change(h) <= -1.01);", "all volumes are clear of zero"),
    (
        "invert_diagonal",
        "row_1 = row_1 * inverse + vec2<f32>(0.01, 1.0 - free.y);",
        "small beside the largest inverse of the sample",
    ),
    (
        "galerkin_diagonal",
        "var range = vec2<u32>(0u, 1u);",
        "lanes without an aggregate write nothing",
    ),
    (
        "cg_product",
        "shares[lane] = vec3<num>(0.0, 0.0, 0.01);",
        "lanes without a row write nothing",
    ),
    (
        "power_quotient",
        "shares[lane] = vec3<num>(0.0, 0.01, 0.0);",
        "lanes without a row write nothing",
    ),
    (
        "dense_product",
        "if scalar < 4u * params.row_count {",
        "lanes beyond the matrix write nothing",
    ),
    (
        "dense_panel",
        "let row = min(first + k / PIVOT, params.size + 1u);",
        "rows beyond the matrix are read and not written",
    ),
    (
        "dense_panel",
        "if refused && first == 0u && lane != 0u {",
        "all lanes find the same, and one value is written",
    ),
];

#[test]
fn mutants_of_every_kernel_are_told_from_its_twin() {
    let gpu = test_device();
    let all: Vec<Sample> = samples().collect();
    let wanted = |k: usize| match all[..k].iter().any(|earlier| earlier.kernel == all[k].kernel) {
        true if all[k].is_of_law() => (OF_LAW, PLACES[1]),
        true => (OF_FURTHER, PLACES[1]),
        false => (OF_FIRST, PLACES[0]),
    };
    let results: Vec<_> =
        (0..all.len()).into_par_iter().map(|k| survivors(gpu, &all[k], wanted(k))).collect();
    let (mut alive, mut tried) = (Vec::new(), 0);
    for (count, survivors) in results {
        tried += count;
        alive.extend(survivors);
    }
    println!("{tried} mutants of {} samples", all.len());
    assert!(alive.is_empty(), "mutants that nothing noticed:\n{}", alive.join("\n"));
}

/// The number of mutants tried, and those that the sample takes for the kernel.
fn survivors(
    gpu: &Gpu,
    sample: &Sample,
    (taken, places): (&[usize], usize),
) -> (usize, Vec<String>) {
    let trial = Trial::new(sample, Precision::Single);
    let dispatch = trial.dispatch();
    let text = dispatch.kernel.source(dispatch.variant);
    let all = mutants(&text);
    let (mut tried, mut alive) = (0, Vec::new());
    // From evenly spaced places on, the first that compiles.
    for &k in taken {
        let range = k * all.len() / places..(k + 1) * all.len() / places;
        let valid = all[range].iter().find(|mutant| compiles(&mutant.text));
        let Some(mutant) = valid else { continue };
        tried += 1;
        let unnoticed = || trial.on_device(gpu, &|_, _| mutant.text.clone()).is_ok();
        if !is_known(sample, mutant) && unnoticed() && !is_noticed_elsewhere(gpu, sample, mutant) {
            alive.push(format!("{}: {} -> {}", sample.kernel, mutant.before, mutant.after));
        }
    }
    (tried, alive)
}

/// True if another sample of a text with the same line tells a mutant: what one kernel takes from a
/// shared piece may not matter to it. Where the device has f64, that tells smaller changes.
fn is_noticed_elsewhere(gpu: &Gpu, of: &Sample, mutant: &Mutant) -> bool {
    let precisions = common::precisions(gpu);
    let mut trials = samples()
        .flat_map(|sample| precisions.iter().map(move |&precision| Trial::new(&sample, precision)));
    trials.any(|trial| {
        let dispatch = trial.dispatch();
        let shares =
            dispatch.kernel.name == of.kernel || !dispatch.kernel.body.contains(&mutant.before);
        let text = dispatch.kernel.source(dispatch.variant);
        let wrong = text.replacen(&mutant.before, &mutant.after, 1);
        shares && wrong != text && trial.on_device(gpu, &|_, _| wrong.clone()).is_err()
    })
}

fn is_known(sample: &Sample, mutant: &Mutant) -> bool {
    let is_unseen = UNSEEN.iter().any(|(line, _)| mutant.before == *line);
    if is_unseen || SAME.iter().any(|part| mutant.after.contains(part)) {
        return true;
    }
    EQUIVALENT.iter().any(|(kernel, line, _)| *kernel == sample.kernel && mutant.after == *line)
}

/// True if a text is a kernel at all; a device would refuse it otherwise, and that proves nothing.
fn compiles(text: &str) -> bool {
    let Ok(module) = wgpu::naga::front::wgsl::parse_str(text) else { return false };
    let flags = wgpu::naga::valid::ValidationFlags::all();
    let capabilities = wgpu::naga::valid::Capabilities::empty();
    wgpu::naga::valid::Validator::new(flags, capabilities).validate(&module).is_ok()
}

#[test]
fn mutants_change_one_thing_each_that_the_kernel_comes_to() {
    let text = "alias real = f32;
const A: u32 = 3u;

// 1.0 + 2.0
fn unused(x: f32) -> f32 {
    return 3.0 * x;
}

fn used(x: f32) -> f32 {
    for (var k = 0u; k < 3u; k += 1u) { }
    return 2.0 * x + 0.0; // 1.5
}

@compute @workgroup_size(1)
fn entry() {
    let y = used(x);
}
";
    let found: Vec<_> = mutants(text).into_iter().map(|mutant| mutant.after).collect();
    let expected = [
        "return 2.02 * x + 0.0;",
        "return 2.0 + x + 0.0;",
        "return 2.0 * x - 0.0;",
        "return 2.0 * x + 0.01;",
    ];
    assert_eq!(found, expected);
}
