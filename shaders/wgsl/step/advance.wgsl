// The state at the end of a step: d + h ((1 - w) u + w x), and x. Motion beyond any body's size is
// reported as not finite (NaN fails the comparison too).
//
// One invocation computes one row and writes it alone; `status` keeps the lowest row in trouble, by
// an atomic minimum, which does not depend on the order. Twin: src/cpu/step/advance.rs.

const LARGEST: f32 = 1e30;

@group(0) @binding(0) var<uniform> params: StepParams;
@group(0) @binding(1) var<storage, read> step: array<real>;
@group(0) @binding(2) var<storage, read> d: array<real>;
@group(0) @binding(3) var<storage, read> u: array<real>;
@group(0) @binding(4) var<storage, read> x: array<real>;
@group(0) @binding(5) var<storage, read_write> d_next: array<real>;
@group(0) @binding(6) var<storage, read_write> u_next: array<real>;
@group(0) @binding(7) var<storage, read_write> status: array<atomic<u32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn advance(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if i >= params.row_count {
        return;
    }
    let h = step[STEP_H];
    let w = step[STEP_END_WEIGHT];
    var good = true;
    for (var at = 3u * i; at < 3u * i + 3u; at++) {
        let moved = d[at] + h * ((1.0 - w) * u[at] + w * x[at]);
        d_next[at] = moved;
        u_next[at] = x[at];
        good = good && abs(moved) <= real(LARGEST) && abs(x[at]) <= real(LARGEST);
    }
    if !good {
        atomicMin(&status[STATUS_NOT_FINITE], i);
    }
}
