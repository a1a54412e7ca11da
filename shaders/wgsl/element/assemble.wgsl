// One invocation a matrix entry (i, j), i != j, that elements of the batch couple: adds factor K_ij,
// summed over its sources in their order, each a pair of corners of an element. Where i > j it
// computes K_ji from the same pairs in the same order and adds the transposed block, so that the
// matrix is symmetric to the last bit. `entries`: number of the entry, plus TRANSPOSED where i > j.
// Sources of entry k are offsets[k]..offsets[k + 1] of `sources`, each
// (e * NODE_COUNT + a) * NODE_COUNT + b. Race-free: an entry is listed once.

const TRANSPOSED: u32 = 0x80000000u;

struct AssembleParams {
    entry_count: u32,
    factor_place: u32,
    extra_0: u32,
    extra_1: u32,
}

@group(0) @binding(0) var<uniform> params: AssembleParams;
@group(0) @binding(1) var<storage, read> points: array<f32>;
@group(0) @binding(2) var<storage, read> table: array<f32>;
@group(0) @binding(3) var<storage, read> entries: array<u32>;
@group(0) @binding(4) var<storage, read> offsets: array<u32>;
@group(0) @binding(5) var<storage, read> sources: array<u32>;
@group(0) @binding(6) var<storage, read> factors: array<stored>;
@group(0) @binding(7) var<storage, read_write> blocks: array<f32>;

// Spatial gradient of node a at point p of an element, from the words at `first`. The table starts
// with 8 constants and the gradients at the centre.
fn gradient(first: u32, p: u32, a: u32) -> vec3<real> {
    let k = 8u + 3u * ((1u + p) * NODE_COUNT + a);
    var g = vec3<real>(points[first], points[first + 1u], points[first + 2u]) * table[k];
    g += vec3<real>(points[first + 3u], points[first + 4u], points[first + 5u]) * table[k + 1u];
    return g + vec3<real>(points[first + 6u], points[first + 7u], points[first + 8u]) * table[k + 2u];
}

// The symmetric tensor of components xx, yy, zz and xy, yz, xz.
fn symmetric(d: vec3<real>, s: vec3<real>) -> mat3x3<real> {
    return mat3x3<real>(d.x, s.x, s.z, s.x, d.y, s.y, s.z, s.y, d.z);
}

// Scalar (r, c) of the tangent whose upper rows start at `first`.
fn tangent(first: u32, r: u32, c: u32) -> real {
    let low = min(r, c);
    return points[first + low * (11u - low) / 2u + max(r, c)];
}

// Column c of the tangent as a tensor.
fn column(first: u32, c: u32) -> mat3x3<real> {
    let direct = vec3<real>(tangent(first, 0u, c), tangent(first, 1u, c), tangent(first, 2u, c));
    let shear = vec3<real>(tangent(first, 3u, c), tangent(first, 4u, c), tangent(first, 5u, c));
    return symmetric(direct, shear);
}

// K_ab of one point, its words at `first`, from the spatial gradients a and b: the law's part, then
// (a . sigma b) I.
fn block_of(first: u32, a: vec3<real>, b: vec3<real>) -> mat3x3<real> {
    var k: mat3x3<real>;
    if ISOTROPIC {
        let lambda = points[first + 15u];
        let mu = points[first + 16u];
        k = outer(a, b) * lambda + outer(b, a) * mu + IDENTITY * (mu * dot(a, b));
    } else {
        let t = first + 15u;
        let x = column(t, 0u) * b.x + column(t, 3u) * b.y + column(t, 5u) * b.z;
        let y = column(t, 3u) * b.x + column(t, 1u) * b.y + column(t, 4u) * b.z;
        let z = column(t, 5u) * b.x + column(t, 4u) * b.y + column(t, 2u) * b.z;
        k = mat3x3<real>(x * a, y * a, z * a);
    }
    if GEOMETRIC {
        let direct = vec3<real>(points[first + 9u], points[first + 10u], points[first + 11u]);
        let shear = vec3<real>(points[first + 12u], points[first + 13u], points[first + 14u]);
        k = k + IDENTITY * dot(a, symmetric(direct, shear) * b);
    }
    return k;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn assemble(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if i >= params.entry_count {
        return;
    }
    var sum = outer(vec3<real>(), vec3<real>());
    for (var s = offsets[i]; s < offsets[i + 1u]; s++) {
        let pair = sources[s];
        let a = pair / NODE_COUNT % NODE_COUNT;
        let b = pair % NODE_COUNT;
        var first = pair / (NODE_COUNT * NODE_COUNT) * POINT_COUNT * POINT_WORDS;
        for (var p = 0u; p < POINT_COUNT; p++) {
            sum = sum + block_of(first, gradient(first, p, a), gradient(first, p, b));
            first += POINT_WORDS;
        }
    }
    let entry = entries[i] & ~TRANSPOSED;
    if (entries[i] & TRANSPOSED) != 0u {
        sum = transpose(sum);
    }
    sum = sum * real(factors[params.factor_place]);
    // Scalar 3 row + column of an entry, SLICE entries side by side.
    let place = BLOCK * SLICE * (entry / SLICE) + entry % SLICE;
    for (var c = 0u; c < 3u; c++) {
        blocks[place + c * SLICE] += sum[c].x;
        blocks[place + (3u + c) * SLICE] += sum[c].y;
        blocks[place + (6u + c) * SLICE] += sum[c].z;
    }
}
