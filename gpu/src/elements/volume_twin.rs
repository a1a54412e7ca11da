//! The kernel of the volumes of elements on the CPU.

use nalgebra::{Matrix4, Vector4};
use sinew::fem::PointGuard;
use sinew::material::Bulk;
use sinew::{Real as CoreReal, lit};
use sinew_shaders::cpu::{Buffer, Call, Real};
use sinew_shaders::params::VolumeParams;
use sinew_shaders::source::ElementVariant;

use super::point::Shape;
use super::twin::reals;

pub(super) fn element_volume<T: Real + CoreReal>(variant: ElementVariant, call: Call<'_, '_, T>) {
    let params: VolumeParams = call.params();
    let [d, field, Buffer::Words(rows), table, Buffer::RealsMut(geometry)] = call.buffers else {
        panic!("bindings of element_volume");
    };
    let (count, table) = (params.element_count as usize, reals(table));
    let shape = Shape { variant, count, rows, geometry, table, activation: T::default() };
    let of = |e| Volume::of(&shape, (reals(d), reals(field)), e).scalars(&shape);
    let scalars: Vec<T> = (0..count).flat_map(of).collect();
    let points = count * variant.point_count as usize;
    let pressures = &mut geometry[variant.geometry_places().pressures as usize * count..];
    for (i, own) in scalars.chunks_exact(variant.pressure_scalars() as usize).enumerate() {
        own.iter().enumerate().for_each(|(k, scalar)| pressures[k * points + i] = *scalar);
    }
}

/// Volume of an element and its resistance.
struct Volume<T: CoreReal> {
    element: usize,
    /// Change of volume of each point, and its rate.
    points: Vec<[T; 2]>,
    guard: PointGuard<T>,
    /// Sums over the points of modes times volumes and pressures, and what a field changes these by.
    pressure: Vector4<T>,
    rate: Vector4<T>,
    /// Moduli of the modes.
    moduli: Matrix4<T>,
}

impl<T: Real + CoreReal> Volume<T> {
    fn of(shape: &Shape<'_, T>, (d, field): (&[T], &[T]), e: usize) -> Self {
        let places = e * shape.points()..(e + 1) * shape.points();
        let points: Vec<[T; 2]> =
            places.clone().map(|i| shape.dilatation::<T>((d, field), i)).collect();
        let [mut change, mut change_rate] = [Vector4::zeros(); 2];
        for (i, [own, rate]) in places.clone().zip(&points) {
            let weighted = modes_of(shape, i) * shape.rest_volume::<T>(i);
            change += weighted * *own;
            change_rate += weighted * *rate;
        }
        let [modulus, logarithmic, guard, flat] = shape.bulk(e);
        let bulk = Bulk::<T>::unpack(modulus, logarithmic);
        let [mut pressure, mut rate] = [Vector4::zeros(); 2];
        let mut moduli = Matrix4::zeros();
        for i in places {
            let modes = modes_of(shape, i);
            let (first, second) = bulk.slopes(modes.dot(&change));
            let weighted = modes * shape.rest_volume::<T>(i);
            pressure += weighted * first;
            rate += weighted * (second * modes.dot(&change_rate));
            moduli += weighted * modes.transpose() * second;
        }
        let guard = PointGuard::unpack([guard, flat]);
        Self { element: e, points, guard, pressure, rate, moduli }
    }

    /// The scalars of its points, side by side.
    fn scalars(&self, shape: &Shape<'_, T>) -> Vec<T> {
        let mut scalars = Vec::new();
        for (p, [change, rate]) in self.points.iter().enumerate() {
            let modes = modes_of(shape, self.element * shape.points() + p);
            let j = lit::<T>(1.0) + *change;
            let [first, second] = self.guard.slopes(j);
            scalars.push(modes.dot(&self.pressure) + first);
            scalars.push(modes.dot(&self.rate) + second * *rate);
            scalars.push(second * j);
            let resistance = self.moduli * modes;
            scalars.extend(resistance.iter().take(shape.variant.pressures.modes() as usize));
        }
        scalars
    }
}

/// Modes at point `i`, none beyond those that there are.
fn modes_of<T: Real + CoreReal>(shape: &Shape<'_, T>, i: usize) -> Vector4<T> {
    let count = shape.variant.pressures.modes() as usize;
    Vector4::from_fn(|k, _| if k < count { shape.mode::<T>(k as u32, i)[0] } else { T::default() })
}
