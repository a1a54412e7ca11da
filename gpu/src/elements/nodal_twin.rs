//! The kernels of volumes around nodes on the CPU.

use nalgebra::{Matrix3, Vector3};
use sinew::fem::PointGuard;
use sinew::material::Bulk;
use sinew::{Real as CoreReal, lit};
use sinew_shaders::cpu::{Buffer, Call, Real};
use sinew_shaders::matrix::block_place;
use sinew_shaders::params::{AssembleParams, NodeParams, SlopeParams, VolumeParams};
use sinew_shaders::source::ElementVariant;

use super::point::{Shape, point_slope};
use super::twin::reals;

pub(super) fn corner_volumes<T: Real + CoreReal>(variant: ElementVariant, call: Call<'_, '_, T>) {
    let params: VolumeParams = call.params();
    let [d, field, Buffer::Words(rows), table, Buffer::RealsMut(geometry)] = call.buffers else {
        panic!("bindings of corner_volumes");
    };
    let (count, table) = (params.element_count as usize, reals(table));
    let shape = Shape { variant, count, rows, geometry, table, activation: T::default() };
    let of = |e| Corners::of(&shape, (reals(d), reals(field)), e);
    let found: Vec<Corners<T>> = (0..count).map(of).collect();
    let (places, n) = (variant.geometry_places(), variant.node_count as usize);
    let p = variant.point_count as usize;
    let (nodal, own) = (places.nodal as usize * count, places.pressures as usize * count);
    for (e, element) in found.iter().enumerate() {
        for (a, [change, rate]) in element.corners.iter().enumerate() {
            geometry[nodal + a * count + e] = *change;
            geometry[nodal + (n + a) * count + e] = *rate;
        }
        for (i, scalars) in (e * p..).zip(&element.guards) {
            (0..3).for_each(|k| geometry[own + k * count * p + i] = scalars[k]);
        }
    }
}

/// Volume of an element as its corners see it.
struct Corners<T> {
    /// Of each corner the sum over the points of N_a V (J - 1), and its rate.
    corners: Vec<[T; 2]>,
    /// Of each point what it resists with alone: pressure, its rate, and J U''.
    guards: Vec<[T; 3]>,
}

impl<T: Real + CoreReal> Corners<T> {
    fn of(shape: &Shape<'_, T>, at: (&[T], &[T]), e: usize) -> Self {
        let nodes = shape.variant.node_count as usize;
        let [_, _, guard, flat] = shape.bulk(e);
        let guard = PointGuard::unpack([guard, flat]);
        let mut corners = vec![[T::default(); 2]; nodes];
        let mut guards = Vec::new();
        for p in 0..shape.points() {
            let i = e * shape.points() + p;
            let [change, rate] = shape.dilatation::<T>(at, i);
            let volume = shape.rest_volume::<T>(i);
            for (a, corner) in corners.iter_mut().enumerate() {
                let share = shape.shape_function::<T>(p, a) * volume;
                corner[0] += share * change;
                corner[1] += share * rate;
            }
            let j = lit::<T>(1.0) + change;
            let [first, second] = guard.slopes(j);
            guards.push([first, second * rate, second * j]);
        }
        Self { corners, guards }
    }
}

pub(super) fn node_pressures<T: Real + CoreReal>(call: Call<'_, '_, T>) {
    let params: NodeParams = call.params();
    let [Buffer::Words(corners), nodes, Buffer::RealsMut(geometry), Buffer::FloatsMut(weights)] =
        call.buffers
    else {
        panic!("bindings of node_pressures");
    };
    let (nodes, count) = (reals(nodes), params.node_count as usize);
    let (offsets, list) = corners.split_at(count + 1);
    let stride = params.rate_stride as usize;
    for n in 0..count {
        let own = &list[offsets[n] as usize..offsets[n + 1] as usize];
        let places = || own.iter().map(|&corner| (params.first_corner + corner) as usize);
        let (mut change, mut rate) = (T::default(), T::default());
        for place in places() {
            change += geometry[place];
            rate += geometry[place + stride];
        }
        let volume = nodes[3 * n];
        let bulk = Bulk::<T>::unpack(nodes[3 * n + 1].to_f64(), nodes[3 * n + 2].to_f64());
        let (pressure, stiffness) = bulk.slopes(change / volume);
        let weight = stiffness / volume;
        for place in places() {
            geometry[place] = pressure;
            geometry[place + stride] = weight * rate;
        }
        weights[n] = weight.to_f32();
    }
}

pub(super) fn node_slopes<T: Real>(variant: ElementVariant, call: Call<'_, '_, T>) {
    let params: SlopeParams = call.params();
    let [
        Buffer::Floats(points),
        Buffer::Floats(table),
        Buffer::Words(nodes),
        Buffer::Words(offsets),
        Buffer::Words(sources),
        Buffer::Floats(weights),
        Buffer::FloatsMut(slopes),
    ] = call.buffers
    else {
        panic!("bindings of node_slopes");
    };
    let (n, p) = (variant.node_count as usize, variant.point_count as usize);
    let (size, volume) = (variant.point_words() as usize, variant.mode_words() as usize);
    let shapes = &table[variant.shape_place() as usize..];
    for k in 0..params.slope_count as usize {
        let mut sum = Vector3::zeros();
        for &pair in &sources[offsets[k] as usize..offsets[k + 1] as usize] {
            let (e, a, b) = (pair as usize / (n * n), pair as usize / n % n, pair as usize % n);
            for at in 0..p {
                let words = &points[(e * p + at) * size..][..size];
                let share = shapes[at * n + a] * words[volume];
                sum += point_slope(variant, (words, table), at, b) * share;
            }
        }
        slopes[4 * k..4 * k + 3].copy_from_slice(sum.as_slice());
        slopes[4 * k + 3] = weights[nodes[k] as usize];
    }
}

pub(super) fn assemble_nodes<T: Real>(call: Call<'_, '_, T>) {
    let params: AssembleParams = call.params();
    let [
        Buffer::Floats(slopes),
        Buffer::Words(entries),
        Buffer::Words(offsets),
        Buffer::Words(sources),
        factors,
        Buffer::FloatsMut(blocks),
    ] = call.buffers
    else {
        panic!("bindings of assemble_nodes");
    };
    let factor = reals(factors)[params.factor_place as usize].to_f32();
    for i in 0..params.entry_count as usize {
        let mut sum = Matrix3::zeros();
        let own = 2 * offsets[i] as usize..2 * offsets[i + 1] as usize;
        for pair in sources[own].chunks_exact(2) {
            let [a, b] = [pair[0], pair[1]].map(|k| &slopes[4 * k as usize..][..4]);
            let slope = Vector3::from_column_slice;
            sum += slope(&a[..3]) * slope(&b[..3]).transpose() * a[3];
        }
        for (r, c) in (0..3).flat_map(|r| (0..3).map(move |c| (r, c))) {
            blocks[block_place(entries[i] as usize, 3 * r + c)] += sum[(r, c)] * factor;
        }
    }
}
