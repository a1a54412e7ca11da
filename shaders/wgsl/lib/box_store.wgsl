// The same, to be written.

struct TreeParams {
    // Boxes to compute.
    count: u32,
    // Number of the first of them.
    first: u32,
    // Number of the first box of the level below.
    below: u32,
    // Fills 16 bytes.
    padding: u32,
}

fn store_box(number: u32, bounds: Bounds) {
    let at = 6u * number;
    for (var axis = 0u; axis < 3u; axis++) {
        boxes[at + axis] = bounds.low[axis];
        boxes[at + 3u + axis] = bounds.high[axis];
    }
}
