// Partial sums of A v . D^-1 A v and of v . A v, whose ratio is an eigenvalue of D^-1 A where v is an
// eigenvector, and never above the largest.
//
// `parts` lanes compute one row; lane 0 writes the two sums of its group, at a place that the row
// decides. Twin: src/cpu/multigrid/power_quotient.rs.

@group(0) @binding(0) var<uniform> params: SmoothParams;
@group(0) @binding(1) var<storage, read> structure: array<u32>;
@group(0) @binding(2) var<storage, read> packed: array<u32>;
@group(0) @binding(3) var<storage, read> diagonal: array<f32>;
@group(0) @binding(4) var<storage, read> vectors: array<f32>;
@group(0) @binding(5) var<storage, read_write> partials: array<f32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn power_quotient(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let local = row_of(group.y * groups.x + group.x, lane);
    let i = params.first_row + local;
    let product = sliced_row(local, lane);
    var above = 0.0;
    var below = 0.0;
    if lane < rows_of_group() && local < params.row_count {
        above = dot(product, inverse_product(BLOCK * params.matrix_rows, i, product));
        below = dot(product, vector_at(i));
    }
    above = team_sum(above, lane, WORKGROUP_SIZE);
    below = team_sum(below, lane, WORKGROUP_SIZE);
    if lane == 0u && local < params.row_count {
        partials[2u * (i / rows_of_group())] = above;
        partials[2u * (i / rows_of_group()) + 1u] = below;
    }
}
