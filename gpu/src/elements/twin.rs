//! The kernels over elements on the CPU, from the laws of the core in the same precision.

use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};
use sinew::material::{KernelPoint, to_voigt, voigt_isotropic};
use sinew::{Real as CoreReal, lit};
use sinew_shaders::cpu::{Buffer, Call, Real};
use sinew_shaders::layout::STRESS_SIZE;
use sinew_shaders::layout::status::INVERTED;
use sinew_shaders::machine::ElementTwins;
use sinew_shaders::matrix::block_place;
use sinew_shaders::params::{AssembleParams, MemoryParams, NodalParams, PointParams, StressParams};
use sinew_shaders::program::Dispatch;
use sinew_shaders::source::{ElementVariant, Pressures, Relaxing};
use sinew_shaders::table::{LAW_CONSTANTS, TRANSPOSED};

use super::nodal_twin::{assemble_nodes, corner_volumes, node_pressures, node_slopes};
use super::point::{LawPoint, Shape, as_remembered, left_tangent, left_tangent_times, point_slope};
use super::volume_twin::element_volume;

/// Runs the kernels over elements.
#[derive(Clone, Copy, Debug, Default)]
pub struct Twins;

impl<T: Real + CoreReal> ElementTwins<T> for Twins {
    fn run(&self, dispatch: &Dispatch, call: Call<'_, '_, T>) {
        let Some(variant) = dispatch.variant.element else { panic!("no variant of an element") };
        match dispatch.kernel.name {
            "element_volume" => element_volume(variant, call),
            "corner_volumes" => corner_volumes(variant, call),
            "node_pressures" => node_pressures(call),
            "node_slopes" => node_slopes(variant, call),
            "assemble_nodes" => assemble_nodes(call),
            "element_points" => element_points(variant, call),
            "assemble" => assemble(variant, call),
            "element_stress" => element_stress(variant, call),
            "remember_stress" => remember_stress(variant, call),
            "element_forces" => element_forces(variant, call),
            other => panic!("'{other}' is no kernel over elements"),
        }
    }
}

fn element_points<T: Real>(variant: ElementVariant, call: Call<'_, '_, T>) {
    let params: PointParams = call.params();
    let [d, Buffer::Words(rows), geometry, table, factors, Buffer::FloatsMut(points)] =
        call.buffers
    else {
        panic!("bindings of element_points");
    };
    let (count, factors) = (params.element_count as usize, reals(factors));
    let factor = |place: u32| factors[place as usize];
    let (geometry, table) = (reals(geometry), reals(table));
    let activation = factor(params.activation_place);
    let shape = Shape { variant, count, rows, geometry, table, activation };
    let words = variant.point_words() as usize;
    for (i, words) in points.chunks_mut(words).take(count * shape.points()).enumerate() {
        let at = shape.evaluate::<f32>(reals(d), i);
        let mut left = shape.left_in_space(&at, i);
        let share = |place: u32| (factor(place) / factor(params.product_place)).to_f32();
        let (turned, whole) =
            (share(params.left_product_place), share(params.volume_product_place));
        if variant.relaxing != Relaxing::Nothing {
            left *= turned;
        }
        let [pressure, _, own] = shape.pressures::<f32>(i);
        let pressure = if variant.law.has_stress_in_tangent() { pressure * turned } else { 0.0 };
        write_point(variant, (&at, &left), [pressure, own * whole], words);
        if variant.pressures == Pressures::Nodes {
            words[variant.mode_words() as usize] = at.volume;
        }
        for k in 0..variant.pressures.modes() {
            let ([mode, resistance], places) = (shape.mode::<f32>(k, i), mode_places(variant, k));
            words[places[0]] = mode * at.volume;
            words[places[1]] = resistance * at.volume * whole;
        }
    }
}

/// Places of mode `k` of the volume among the words of a point: alone, and times moduli.
fn mode_places(variant: ElementVariant, k: u32) -> [usize; 2] {
    [k, variant.pressures.modes() + k].map(|k| (variant.mode_words() + k) as usize)
}

/// Words of a point with that part of stresses of earlier steps in its stiffness, with the pressure of its element, and what it
/// resists with alone.
fn write_point(
    variant: ElementVariant,
    (at, left): (&LawPoint<f32>, &Matrix3<f32>),
    [pressure, own]: [f32; 2],
    words: &mut [f32],
) {
    words[..9].copy_from_slice(at.to_space.as_slice());
    if at.at.geometric {
        let stress = at.at.stress + left + Matrix3::from_diagonal_element(pressure);
        words[9..15].copy_from_slice(to_voigt(&(stress * at.volume)).as_slice());
    }
    let of_volume = voigt_isotropic(pressure + own, -pressure);
    let law = at.at.tangent + left_tangent(variant.relaxing, left);
    let tangent = (law + of_volume) * at.volume;
    if variant.is_isotropic() {
        (words[15], words[16]) = (tangent[(0, 1)], tangent[(3, 3)]);
    } else {
        let upper = (0..6).flat_map(|r| (r..6).map(move |c| (r, c)));
        words[15..36].iter_mut().zip(upper).for_each(|(word, place)| *word = tangent[place]);
    }
}

/// The tangent of a point from its words.
fn read_tangent(variant: ElementVariant, words: &[f32]) -> Matrix6<f32> {
    let upper = |r: usize, c: usize| r * (11 - r) / 2 + c;
    let (lambda, mu) = (words[0], words[1]);
    Matrix6::from_fn(|r, c| match (variant.is_isotropic(), r < 3, c < 3) {
        (false, ..) => words[upper(r.min(c), r.max(c))],
        (true, true, true) => lambda + if r == c { 2.0 * mu } else { 0.0 },
        (true, false, false) if r == c => mu,
        _ => 0.0,
    })
}

fn assemble<T: Real>(variant: ElementVariant, call: Call<'_, '_, T>) {
    let params: AssembleParams = call.params();
    let [
        Buffer::Floats(points),
        Buffer::Floats(table),
        Buffer::Words(entries),
        Buffer::Words(offsets),
        Buffer::Words(sources),
        factors,
        Buffer::FloatsMut(blocks),
    ] = call.buffers
    else {
        panic!("bindings of assemble");
    };
    let factor = reals(factors)[params.factor_place as usize].to_f32();
    for i in 0..params.entry_count as usize {
        let mut sum = Matrix3::zeros();
        for &pair in &sources[offsets[i] as usize..offsets[i + 1] as usize] {
            sum += pair_block(variant, points, table, pair as usize);
        }
        if entries[i] & TRANSPOSED != 0 {
            sum = sum.transpose();
        }
        let entry = (entries[i] & !TRANSPOSED) as usize;
        for (r, c) in (0..3).flat_map(|r| (0..3).map(move |c| (r, c))) {
            blocks[block_place(entry, 3 * r + c)] += sum[(r, c)] * factor;
        }
    }
}

/// K of a pair of corners, summed over the points of their element.
fn pair_block(variant: ElementVariant, points: &[f32], table: &[f32], pair: usize) -> Matrix3<f32> {
    let (n, p) = (variant.node_count as usize, variant.point_count as usize);
    let size = variant.point_words() as usize;
    let (a, b) = (pair / n % n, pair % n);
    let mut sum = Matrix3::zeros();
    let mut slopes = [[Vector3::zeros(); 4]; 2];
    for k in 0..p {
        let words = &points[(pair / (n * n) * p + k) * size..][..size];
        let [a, b] = [a, b].map(|node| point_slope(variant, (words, table), k, node));
        let s = &words[9..15];
        let stress = Matrix3::new(s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2]);
        let tangent = read_tangent(variant, &words[15..]);
        sum += strains(&a).transpose() * tangent * strains(&b);
        if variant.law.has_stress_in_tangent() {
            sum += Matrix3::identity() * a.dot(&(stress * b));
        }
        for mode in 0..variant.pressures.modes() {
            let [alone, times_moduli] = mode_places(variant, mode);
            slopes[0][mode as usize] += a * words[alone];
            slopes[1][mode as usize] += b * words[times_moduli];
        }
    }
    let [a, b] = slopes;
    a.iter().zip(&b).fold(sum, |sum, (a, b)| sum + a * b.transpose())
}

/// B: strains, shears whole, of a unit displacement of a node with gradient `g`.
fn strains(g: &Vector3<f32>) -> nalgebra::Matrix6x3<f32> {
    let (x, y, z, o) = (g.x, g.y, g.z, 0.0);
    nalgebra::Matrix6x3::new(x, o, o, o, y, o, o, o, z, y, x, o, o, z, y, z, o, x)
}

fn element_stress<T: Real + CoreReal>(variant: ElementVariant, call: Call<'_, '_, T>) {
    let params: StressParams = call.params();
    let [
        d,
        field,
        Buffer::Words(rows),
        geometry,
        table,
        factors,
        Buffer::RealsMut(stress),
        Buffer::WordsMut(status),
    ] = call.buffers
    else {
        panic!("bindings of element_stress");
    };
    let count = params.element_count as usize;
    let (geometry, table, factors) = (reals(geometry), reals(table), reals(factors));
    let activation = factors[params.activation_place as usize];
    let shape = Shape { variant, count, rows, geometry, table, activation };
    let factors = StressFactors::at_places(factors, &params);
    let n = count * shape.points();
    for i in 0..n {
        let (at, e) = (shape.evaluate::<T>(reals(d), i), i / shape.points());
        if !at.known {
            let lowest = &mut status[INVERTED as usize];
            *lowest = (*lowest).min(params.first_element + e as u32);
        }
        let slope = shape.field_slope::<T>(reals(field), 1 + i % shape.points(), e);
        let l = slope * at.to_space.transpose();
        let whole = factors.stress(&shape, (i, &at), &l) * at.to_space * at.volume;
        (0..9).for_each(|k| stress[k * n + i] = whole.as_slice()[k]);
    }
}

/// Factors of forces and of products.
struct StressFactors<T> {
    law: [T; 2],
    /// Of pressures, and of stresses that are left of earlier steps.
    left: [T; 2],
    /// Of the resistance of volumes to change, in products.
    volume: T,
}

impl<T: Real + CoreReal> StressFactors<T> {
    fn at_places(factors: &[T], params: &StressParams) -> Self {
        let at = |places: [u32; 2]| places.map(|place| factors[place as usize]);
        Self {
            law: at([params.force_place, params.product_place]),
            left: at([params.left_force_place, params.left_product_place]),
            volume: factors[params.volume_product_place as usize],
        }
    }

    /// Stress of a point and its change with the spatial gradient `l` of a field, times their factors.
    fn stress(
        &self,
        shape: &Shape<'_, T>,
        (i, at): (usize, &LawPoint<T>),
        l: &Matrix3<T>,
    ) -> Matrix3<T> {
        let relaxing = shape.variant.relaxing;
        let mut sum = law_stress(at, l, self.law);
        if relaxing != Relaxing::Nothing {
            let left = shape.left_in_space(at, i);
            sum += left * self.left[0] + left_rate(relaxing, at, (&left, l)) * self.left[1];
        }
        // force p I + product (p (tr l I - l^T) + the change of p).
        let [pressure, change, _] = shape.pressures::<T>(i);
        sum += Matrix3::from_diagonal_element(pressure * self.left[0] + change * self.volume);
        if at.at.geometric {
            let turned = Matrix3::from_diagonal_element(l.trace()) - l.transpose();
            sum += turned * (pressure * self.left[1]);
        }
        sum
    }
}

/// Change of a stress that is left of earlier steps with the spatial gradient `l` of a field.
fn left_rate<T: CoreReal>(
    relaxing: Relaxing,
    at: &LawPoint<T>,
    (left, l): (&Matrix3<T>, &Matrix3<T>),
) -> Matrix3<T> {
    let sym = (l + l.transpose()) * lit::<T>(0.5);
    let rate = left_tangent_times(relaxing, left, &sym);
    if at.at.geometric { rate + l * left } else { rate }
}

/// force sigma + product (D : sym l + l sigma).
fn law_stress<T: CoreReal>(at: &LawPoint<T>, l: &Matrix3<T>, factors: [T; 2]) -> Matrix3<T> {
    let rate = to_voigt(&(l + l.transpose())).component_mul(&Vector6::new(
        lit(0.5),
        lit(0.5),
        lit(0.5),
        T::one(),
        T::one(),
        T::one(),
    ));
    let KernelPoint { stress, tangent, geometric, .. } = at.at;
    let mut rate = sinew::material::from_voigt(&(tangent * rate));
    if geometric {
        rate += l * stress;
    }
    stress * factors[0] + rate * factors[1]
}

fn remember_stress<T: Real + CoreReal>(variant: ElementVariant, call: Call<'_, '_, T>) {
    let params: MemoryParams = call.params();
    let [d, Buffer::Words(rows), geometry, table, factors, Buffer::RealsMut(memory)] = call.buffers
    else {
        panic!("bindings of remember_stress");
    };
    let count = params.element_count as usize;
    let (geometry, table, factors) = (reals(geometry), reals(table), reals(factors));
    let activation = factors[params.activation_place as usize];
    let shape = Shape { variant, count, rows, geometry, table, activation };
    let weights = &factors[params.weight_place as usize..];
    let size = STRESS_SIZE as usize;
    let points = memory.chunks_exact_mut(params.stress_count as usize * size);
    for (i, point) in points.take(count * shape.points()).enumerate() {
        let at = shape.evaluate::<T>(reals(d), i);
        let now = to_voigt(&as_remembered(variant.relaxing, &at));
        let (start, delayed) = point.split_at_mut(size);
        for (delayed, w) in delayed.chunks_exact_mut(size).zip(weights.chunks(3)) {
            for k in 0..size {
                delayed[k] = w[0] * now[k] + (w[1] * start[k] + w[2] * delayed[k]);
            }
        }
        start.copy_from_slice(now.as_slice());
    }
}

fn element_forces<T: Real>(variant: ElementVariant, call: Call<'_, '_, T>) {
    let params: NodalParams = call.params();
    let [stress, table, Buffer::RealsMut(nodal)] = call.buffers else {
        panic!("bindings of element_forces");
    };
    let (stress, table) = (reals(stress), reals(table));
    let (n, p) = (variant.node_count as usize, variant.point_count as usize);
    let points = params.element_count as usize * p;
    for i in 0..params.element_count as usize * n {
        let mut sum = [T::default(); 3];
        for k in 0..p {
            let s = i / n * p + k;
            let slope = &table[LAW_CONSTANTS + 3 * ((1 + k) * n + i % n)..];
            for (c, axis) in (0..3).flat_map(|c| (0..3).map(move |axis| (c, axis))) {
                sum[axis] += stress[(3 * c + axis) * points + s] * slope[c];
            }
        }
        let place = 3 * (params.first_nodal as usize + i);
        nodal[place..place + 3].copy_from_slice(&sum);
    }
}

/// The scalars of a buffer that is read.
pub(super) fn reals<'a, T>(buffer: &'a Buffer<'_, T>) -> &'a [T] {
    let Buffer::Reals(scalars) = buffer else { panic!("not a buffer of reals that is read") };
    scalars
}
