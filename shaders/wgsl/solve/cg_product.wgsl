// ap = S p over the free scalars of one segment of the matrix, and partial sums of p . ap.
//
// `parts` lanes compute one row, the first of them writes it; lane 0 writes the sum of its group, at a
// place that the row decides, whatever segment it is in. Twin: src/cpu/solve/cg_product.rs.

alias num = real;

@group(0) @binding(0) var<uniform> params: ProductParams;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
@group(0) @binding(2) var<storage, read> structure: array<u32>;
@group(0) @binding(3) var<storage, read> blocks: array<f32>;
@group(0) @binding(4) var<storage, read> diagonal: array<f32>;
@group(0) @binding(5) var<storage, read> p: array<real>;
@group(0) @binding(6) var<storage, read_write> ap: array<real>;
@group(0) @binding(7) var<storage, read_write> partials: array<real>;

fn vector_at(i: u32) -> vec3<real> {
    return vec3<real>(p[3u * i], p[3u * i + 1u], p[3u * i + 2u]);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn cg_product(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    if flags[FLAG_DONE] != 0u {
        return;
    }
    let rows = WORKGROUP_SIZE / params.parts;
    let local = (group.y * groups.x + group.x) * rows + lane % rows;
    let i = params.first_row + local;
    var y = sliced_row(local, lane);
    var product = real(0.0);
    if lane < rows && local < params.row_count {
        y = without_fixed(local, y);
        ap[3u * i] = y.x;
        ap[3u * i + 1u] = y.y;
        ap[3u * i + 2u] = y.z;
        product = dot(vector_at(i), y);
    }
    let sum = team_sum(product, lane, WORKGROUP_SIZE);
    if lane == 0u && local < params.row_count {
        partials[i / rows] = sum;
    }
}
