// A walk through trees of boxes. All trees have the same number of levels; boxes of a level stand together, the leaves
// first, the roots last, and the children of box k of a level are boxes BRANCHES k, BRANCHES k + 1, ... of the level below.

// A vertex (twice) or the ends of an edge, the first leaf that counts, and the roots of its tree.
struct Query {
    ends: vec2<u32>,
    first_leaf: u32,
    root: u32,
    end_root: u32,
}

// A box: its level, its number within that, the number of the first box of the level, and how many there are.
struct Cursor {
    level: u32,
    node: u32,
    first: u32,
    size: u32,
}

fn begin_walk(query: Query) -> Cursor {
    let first = params.box_count - params.root_count;
    return Cursor(params.level_count, query.root, first, params.root_count);
}

fn overlap(a: Bounds, b: Bounds) -> bool {
    return all(a.low <= b.high) && all(b.low <= a.high);
}

// True if a leaf counts for a query: it comes late enough and shares no vertex.
fn is_candidate(leaf: u32, query: Query) -> bool {
    var apart = leaf >= query.first_leaf;
    for (var k = 0u; k < 3u; k++) {
        let corner = corners[3u * leaf + k];
        apart = apart && corner != query.ends.x && corner != query.ends.y;
    }
    return apart;
}

// To the next box that is not below this one.
fn step_past(at: Cursor) -> Cursor {
    var next = at;
    next.node += 1u;
    for (var k = at.level; k < params.level_count; k++) {
        if next.node % BRANCHES != 0u {
            break;
        }
        next = Cursor(next.level + 1u, next.node / BRANCHES, next.first + next.size, next.size / BRANCHES);
    }
    return next;
}

// The next candidate from a box on, whose box overlaps `bounds`; NONE after the last. `at` is left behind it.
fn next_candidate(at: ptr<function, Cursor>, query: Query, bounds: Bounds) -> u32 {
    for (var visit = 0u; visit < params.box_count; visit++) {
        let here = *at;
        if here.level == params.level_count && here.node >= query.end_root {
            break;
        }
        let meets = overlap(load_box(here.first + here.node), bounds);
        if meets && here.level > 0u {
            let size = BRANCHES * here.size;
            *at = Cursor(here.level - 1u, BRANCHES * here.node, here.first - size, size);
        } else {
            *at = step_past(here);
            if meets && is_candidate(here.node, query) {
                return here.node;
            }
        }
    }
    return NONE;
}
