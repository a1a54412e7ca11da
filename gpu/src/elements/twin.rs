//! The kernels over elements on the CPU, from the laws of the core in the same precision.

use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};
use sinew::material::{AnyLaw, Deformation, KernelPoint, to_voigt};
use sinew::{Real as CoreReal, lit};
use sinew_shaders::cpu::{Buffer, Call, Real};
use sinew_shaders::layout::status::INVERTED;
use sinew_shaders::machine::ElementTwins;
use sinew_shaders::matrix::block_place;
use sinew_shaders::params::{AssembleParams, NodalParams, PointParams, StressParams};
use sinew_shaders::program::Dispatch;
use sinew_shaders::source::{Axes, Constants, ElementVariant, Law};
use sinew_shaders::table::{LAW_CONSTANTS, TRANSPOSED};

/// Runs the kernels over elements.
#[derive(Clone, Copy, Debug, Default)]
pub struct Twins;

impl<T: Real + CoreReal> ElementTwins<T> for Twins {
    fn run(&self, dispatch: &Dispatch, call: Call<'_, '_, T>) {
        let Some(variant) = dispatch.variant.element else { panic!("no variant of an element") };
        match dispatch.kernel.name {
            "element_points" => element_points(variant, call),
            "assemble" => assemble(variant, call),
            "element_stress" => element_stress(variant, call),
            "element_forces" => element_forces(variant, call),
            other => panic!("'{other}' is no kernel over elements"),
        }
    }
}

/// Input from a batch, with buffers in `T` and arithmetic in `A`.
struct Shape<'a, T> {
    variant: ElementVariant,
    count: usize,
    rows: &'a [u32],
    geometry: &'a [T],
    table: &'a [T],
    /// Activation of the fibres.
    activation: T,
}

fn convert<T: Real, A: CoreReal>(x: T) -> A {
    lit(x.to_f64())
}

fn vector<T: Real, A: CoreReal>(at: &[T]) -> Vector3<A> {
    Vector3::new(convert(at[0]), convert(at[1]), convert(at[2]))
}

impl<T: Real> Shape<'_, T> {
    fn nodes(&self) -> usize {
        self.variant.node_count as usize
    }

    fn points(&self) -> usize {
        self.variant.point_count as usize
    }

    fn slope<A: CoreReal>(&self, slot: usize, a: usize) -> Vector3<A> {
        vector(&self.table[LAW_CONSTANTS + 3 * (slot * self.nodes() + a)..])
    }

    fn to_reference<A: CoreReal>(&self, first: usize, stride: usize) -> Matrix3<A> {
        Matrix3::from_fn(|r, c| convert(self.geometry[first + (3 * c + r) * stride]))
    }

    /// Gradient of a field by reference coordinates, from differences in `T`.
    fn field_slope<A: CoreReal>(&self, field: &[T], slot: usize, e: usize) -> Matrix3<A> {
        let at = |a: usize| {
            let row = 3 * self.rows[a * self.count + e] as usize;
            [field[row], field[row + 1], field[row + 2]]
        };
        let (origin, mut sum) = (at(0), Matrix3::zeros());
        for a in 1..self.nodes() {
            let x = at(a);
            let difference = [x[0] - origin[0], x[1] - origin[1], x[2] - origin[2]];
            sum += vector::<T, A>(&difference) * self.slope::<A>(slot, a).transpose();
        }
        sum
    }

    /// Constants of the law of an element, whose first own one is at `own`.
    fn constants(&self, own: usize) -> [f64; LAW_CONSTANTS] {
        std::array::from_fn(|k| match self.variant.constants {
            Constants::OfBatch => self.table[k].to_f64(),
            Constants::OfElements => self.geometry[own + k * self.count].to_f64(),
        })
    }

    /// The law at point `i`. Where it has no value, the state at rest times no volume.
    fn evaluate<A: CoreReal>(&self, displacement: &[T], i: usize) -> LawPoint<A> {
        let (e, n, law) = (i / self.points(), self.count * self.points(), self.variant.law);
        let inverse = self.to_reference::<A>(i, n);
        let mut h = self.field_slope::<A>(displacement, 1 + i % self.points(), e) * inverse;
        let centre = if self.points() == 1 || !law.has_centre() {
            h
        } else {
            self.field_slope::<A>(displacement, 0, e) * self.to_reference(10 * n + e, self.count)
        };
        let known = !(law.needs_volume() && Deformation::new(h).volume_change() <= -A::one());
        if !known {
            h = Matrix3::zeros();
        }
        let mut d = Deformation::new(h);
        let centres = if self.points() > 1 { 9 * self.count } else { 0 };
        let axes = match self.variant.axes {
            _ if !law.has_axes() => 0,
            Axes::OfElements => {
                d = d.with_axes(self.to_reference(10 * n + centres + e, self.count));
                9 * self.count
            }
            Axes::OfPoints => {
                d = d.with_axes(self.to_reference(10 * n + centres + i, n));
                9 * n
            }
        };
        let own = 10 * n + centres + axes + e;
        d = d.with_activation(convert(self.activation));
        let Some(core_law) = AnyLaw::of_kernel(law.name(), &self.constants(own)) else {
            panic!("no law computes what '{}' does", law.name());
        };
        let mut at = core_law.at_point(&d, &centre);
        at.frame *= inverse.transpose();
        let volume = if known { convert(self.geometry[9 * n + i]) } else { A::zero() };
        LawPoint { volume: at.volume_ratio * volume, at, known }
    }
}

/// Values of a law at a point.
struct LawPoint<A: CoreReal> {
    /// Its frame takes derivatives by reference coordinates to space.
    at: KernelPoint<A>,
    volume: A,
    /// True if the law has a value.
    known: bool,
}

fn element_points<T: Real>(variant: ElementVariant, call: Call<'_, '_, T>) {
    let params: PointParams = call.params();
    let [d, Buffer::Words(rows), geometry, table, factors, Buffer::FloatsMut(points)] =
        call.buffers
    else {
        panic!("bindings of element_points");
    };
    let count = params.element_count as usize;
    let activation = reals(factors)[params.activation_place as usize];
    let (geometry, table) = (reals(geometry), reals(table));
    let shape = Shape { variant, count, rows, geometry, table, activation };
    let words = variant.law.point_words() as usize;
    for (i, words) in points.chunks_mut(words).take(count * shape.points()).enumerate() {
        write_point(variant.law, &shape.evaluate::<f32>(reals(d), i), words);
    }
}

fn write_point(law: Law, at: &LawPoint<f32>, words: &mut [f32]) {
    words[..9].copy_from_slice(at.at.frame.as_slice());
    if at.at.geometric {
        words[9..15].copy_from_slice(to_voigt(&(at.at.stress * at.volume)).as_slice());
    }
    let tangent = at.at.tangent * at.volume;
    if law.is_isotropic() {
        (words[15], words[16]) = (tangent[(0, 1)], tangent[(3, 3)]);
    } else {
        let upper = (0..6).flat_map(|r| (r..6).map(move |c| (r, c)));
        words[15..].iter_mut().zip(upper).for_each(|(word, place)| *word = tangent[place]);
    }
}

/// The tangent of a point from its words.
fn read_tangent(law: Law, words: &[f32]) -> Matrix6<f32> {
    let upper = |r: usize, c: usize| r * (11 - r) / 2 + c;
    let (lambda, mu) = (words[0], words[1]);
    Matrix6::from_fn(|r, c| match (law.is_isotropic(), r < 3, c < 3) {
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
    let size = variant.law.point_words() as usize;
    let (a, b) = (pair / n % n, pair % n);
    let mut sum = Matrix3::zeros();
    for k in 0..p {
        let words = &points[(pair / (n * n) * p + k) * size..][..size];
        let to_space = Matrix3::from_column_slice(&words[..9]);
        let slope = |a: usize| {
            let place = LAW_CONSTANTS + 3 * ((1 + k) * n + a);
            to_space * Vector3::from_column_slice(&table[place..place + 3])
        };
        let (a, b) = (slope(a), slope(b));
        let s = &words[9..15];
        let stress = Matrix3::new(s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2]);
        let tangent = read_tangent(variant.law, &words[15..]);
        sum += strains(&a).transpose() * tangent * strains(&b);
        if variant.law.has_stress_in_tangent() {
            sum += Matrix3::identity() * a.dot(&(stress * b));
        }
    }
    sum
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
    let factors = [params.force_place, params.product_place].map(|k| factors[k as usize]);
    let n = count * shape.points();
    for i in 0..n {
        let (at, e) = (shape.evaluate::<T>(reals(d), i), i / shape.points());
        if !at.known {
            let lowest = &mut status[INVERTED as usize];
            *lowest = (*lowest).min(params.first_element + e as u32);
        }
        let slope = shape.field_slope::<T>(reals(field), 1 + i % shape.points(), e);
        let whole = whole_stress(&at, &(slope * at.at.frame.transpose()), factors);
        (0..9).for_each(|k| stress[k * n + i] = whole.as_slice()[k]);
    }
}

/// (force sigma + product (D : sym l + l sigma)) to_space volume.
fn whole_stress<T: CoreReal>(at: &LawPoint<T>, l: &Matrix3<T>, factors: [T; 2]) -> Matrix3<T> {
    let rate = to_voigt(&(l + l.transpose())).component_mul(&Vector6::new(
        lit(0.5),
        lit(0.5),
        lit(0.5),
        T::one(),
        T::one(),
        T::one(),
    ));
    let KernelPoint { frame, stress, tangent, geometric, .. } = at.at;
    let mut rate = sinew::material::from_voigt(&(tangent * rate));
    if geometric {
        rate += l * stress;
    }
    (stress * factors[0] + rate * factors[1]) * frame * at.volume
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
fn reals<'a, T>(buffer: &'a Buffer<'_, T>) -> &'a [T] {
    let Buffer::Reals(scalars) = buffer else { panic!("not a buffer of reals that is read") };
    scalars
}
