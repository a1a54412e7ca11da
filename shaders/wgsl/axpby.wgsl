// Fused vector update: y = a x + b y.
//
// One invocation updates one scalar: it reads x[i] and y[i] and writes y[i], so that no two
// invocations meet. Twin: src/cpu/axpby.rs.

struct AxpbyParams {
    a: f32,
    b: f32,
    count: u32,
    padding: u32,
}

@group(0) @binding(0) var<uniform> params: AxpbyParams;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn axpby(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if i >= params.count {
        return;
    }
    y[i] = params.a * x[i] + params.b * y[i];
}
