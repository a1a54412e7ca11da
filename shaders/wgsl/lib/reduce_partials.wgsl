// The sum over the buffer `partials`, by one workgroup; needs reduce.wgsl.

// The first `count` partial sums, by strides of a workgroup and a tree; all lanes get it.
fn partial_sum(lane: u32, count: u32) -> num {
    var sum = num(0.0);
    for (var k = lane; k < count; k += WORKGROUP_SIZE) {
        sum += partials[k];
    }
    return team_sum(sum, lane, WORKGROUP_SIZE);
}

// Neither infinite nor not a number: by its bits, since compilers may assume that comparisons see
// numbers only.
fn is_finite(x: num) -> bool {
    return (bitcast<u32>(f32(x)) & 0x7f800000u) != 0x7f800000u;
}

fn is_positive(x: num) -> bool {
    return is_finite(x) && x > 0.0;
}
