// Sums of three reals in a fixed order within a workgroup. Every lane of the workgroup must come here.

var<workgroup> triples: array<vec3<real>, WORKGROUP_SIZE>;

// The sum of `value` over the workgroup, by a tree; all lanes get it.
fn triple_sum(value: vec3<real>, lane: u32) -> vec3<real> {
    triples[lane] = value;
    workgroupBarrier();
    for (var stride = WORKGROUP_SIZE / 2u; stride > 0u; stride /= 2u) {
        if lane < stride {
            triples[lane] += triples[lane + stride];
        }
        workgroupBarrier();
    }
    let total = triples[0];
    // Nobody overwrites what another has yet to read.
    workgroupBarrier();
    return total;
}
