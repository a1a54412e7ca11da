// ap = S p over the free scalars of one segment of the matrix, and partial sums of p . ap, r . ap and ap . ap.
//
// `parts` lanes compute one row, the first of them writes it; lane 0 writes the sums of its group, at a
// place that the row decides, whatever segment it is in. `both` holds p, then ap; `rest` e, then r.
// Twin: src/cpu/solve/cg_product.rs.

alias num = real;

@group(0) @binding(0) var<uniform> params: ProductParams;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
@group(0) @binding(2) var<storage, read> structure: array<u32>;
@group(0) @binding(3) var<storage, read> blocks: array<f32>;
@group(0) @binding(4) var<storage, read> diagonal: array<f32>;
@group(0) @binding(5) var<storage, read> rest: array<real>;
@group(0) @binding(6) var<storage, read_write> both: array<real>;
@group(0) @binding(7) var<storage, read_write> partials: array<real>;

fn vector_at(i: u32) -> vec3<real> {
    return vec3<real>(both[3u * i], both[3u * i + 1u], both[3u * i + 2u]);
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
    let local = row_of(group.y * groups.x + group.x, lane);
    let i = params.first_row + local;
    var y = sliced_row(local, lane);
    var products = vec3<real>(0.0, 0.0, 0.0);
    if lane < rows_of_group() && local < params.row_count {
        y = without_fixed(local, y);
        let at = 3u * (params.matrix_rows + i);
        both[at] = y.x;
        both[at + 1u] = y.y;
        both[at + 2u] = y.z;
        let r = vec3<real>(rest[at], rest[at + 1u], rest[at + 2u]);
        products = vec3<real>(dot(vector_at(i), y), dot(r, y), dot(y, y));
    }
    products = triple_sum(products, lane);
    if lane == 0u && local < params.row_count {
        let place = 3u * (i / rows_of_group());
        partials[place] = products.x;
        partials[place + 1u] = products.y;
        partials[place + 2u] = products.z;
    }
}
