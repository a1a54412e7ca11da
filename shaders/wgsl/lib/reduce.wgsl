// Sums in a fixed order within a workgroup. The text that imports this declares `num`, the type of
// the terms. Every lane of the workgroup must come here.

var<workgroup> sums: array<num, WORKGROUP_SIZE>;

// The sum of `value` over each team of `width` lanes (a power of two), by a tree; all lanes get it.
fn team_sum(value: num, lane: u32, width: u32) -> num {
    sums[lane] = value;
    workgroupBarrier();
    for (var stride = width / 2u; stride > 0u; stride /= 2u) {
        if lane % width < stride {
            sums[lane] += sums[lane + stride];
        }
        workgroupBarrier();
    }
    let total = sums[lane - lane % width];
    // Nobody overwrites what another has yet to read.
    workgroupBarrier();
    return total;
}
