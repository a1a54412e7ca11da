// Residual of a step for the new velocity x, with the forces of the elements in `residual` already:
// r += M (u - x) - c_d C (x + s u) + c_f f_ext; fixed scalars become zero. And partial sums of r . r.
//
// One invocation updates one row. Lane 0 writes the sum of its group.
// Twin: src/cpu/step/residual_rows.rs.

@group(0) @binding(0) var<uniform> params: StepParams;
@group(0) @binding(1) var<storage, read> step: array<real>;
@group(0) @binding(2) var<storage, read> fixed: array<u32>;
@group(0) @binding(3) var<storage, read> loads: array<real>;
@group(0) @binding(4) var<storage, read> u: array<real>;
@group(0) @binding(5) var<storage, read> x: array<real>;
@group(0) @binding(6) var<storage, read_write> residual: array<real>;
@group(0) @binding(7) var<storage, read_write> partials: array<real>;

var<workgroup> lanes: array<real, WORKGROUP_SIZE>;

fn row_residual(i: u32) -> vec3<real> {
    let ui = vec3<real>(u[3u * i], u[3u * i + 1u], u[3u * i + 2u]);
    let xi = vec3<real>(x[3u * i], x[3u * i + 1u], x[3u * i + 2u]);
    let pushed = vec3<real>(loads[5u * i + 2u], loads[5u * i + 3u], loads[5u * i + 4u]);
    var r = vec3<real>(residual[3u * i], residual[3u * i + 1u], residual[3u * i + 2u]);
    r += loads[5u * i] * (ui - xi) + step[STEP_FORCE] * pushed;
    r -= step[STEP_DRAG] * loads[5u * i + 1u] * (xi + step[STEP_SHIFT] * ui);
    let bits = vec3<u32>(fixed[i], fixed[i] >> 1u, fixed[i] >> 2u) & vec3<u32>(1u);
    return select(r, vec3<real>(0.0, 0.0, 0.0), bits == vec3<u32>(1u));
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn residual_rows(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    var r = vec3<real>(0.0, 0.0, 0.0);
    if i < params.row_count {
        r = row_residual(i);
        residual[3u * i] = r.x;
        residual[3u * i + 1u] = r.y;
        residual[3u * i + 2u] = r.z;
    }
    lanes[lane] = dot(r, r);
    workgroupBarrier();
    for (var stride = WORKGROUP_SIZE / 2u; stride > 0u; stride /= 2u) {
        if lane < stride {
            lanes[lane] += lanes[lane + stride];
        }
        workgroupBarrier();
    }
    if lane == 0u && i < params.row_count {
        partials[i / WORKGROUP_SIZE] = lanes[0];
    }
}
