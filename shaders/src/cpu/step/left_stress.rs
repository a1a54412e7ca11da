//! Twin of wgsl/step/left_stress.wgsl.

use crate::cpu::{Buffer, Call, Real};
use crate::layout::STRESS_SIZE;
use crate::params::LeftParams;

/// The stress that earlier steps left at each point, into the geometry of its elements.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn left_stress<T: Real>(call: Call<'_, '_, T>) {
    let params: LeftParams = call.params();
    let [Buffer::Reals(step), Buffer::Reals(memory), Buffer::RealsMut(geometry)] = call.buffers
    else {
        panic!("left_stress takes step, memory, geometry");
    };
    let [points, stresses, size] =
        [params.point_count, params.stress_count, STRESS_SIZE].map(|count| count as usize);
    let weights = &step[params.weight_place as usize..][..stresses];
    for i in 0..points {
        for k in 0..size {
            let mut sum = T::default();
            for (t, &weight) in weights.iter().enumerate() {
                sum += weight * memory[(i * stresses + t) * size + k];
            }
            geometry[params.first_left as usize + k * points + i] = sum;
        }
    }
}
