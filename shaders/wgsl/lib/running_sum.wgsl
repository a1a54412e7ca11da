// Sums over the lanes of a workgroup up to each, by doubling strides. Every lane must come here.

var<workgroup> counts: array<u32, WORKGROUP_SIZE>;

// The sum of `count` over the lanes up to this one, itself included, and over all.
fn running_sum(count: u32, lane: u32) -> vec2<u32> {
    counts[lane] = count;
    workgroupBarrier();
    for (var stride = 1u; stride < WORKGROUP_SIZE; stride *= 2u) {
        var before = 0u;
        if lane >= stride {
            before = counts[lane - stride];
        }
        workgroupBarrier();
        counts[lane] += before;
        workgroupBarrier();
    }
    let sums = vec2<u32>(counts[lane], counts[WORKGROUP_SIZE - 1u]);
    // Nobody overwrites what another has yet to read.
    workgroupBarrier();
    return sums;
}
