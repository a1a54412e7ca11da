// The sum over the buffer `partials`, by one workgroup; needs reduce.wgsl.

// The first `count` partial sums, by strides of a workgroup and a tree; all lanes get it.
fn partial_sum(lane: u32, count: u32) -> num {
    var sum = num(0.0);
    for (var k = lane; k < count; k += WORKGROUP_SIZE) {
        sum += partials[k];
    }
    return team_sum(sum, lane, WORKGROUP_SIZE);
}
