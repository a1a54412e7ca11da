// The rigid motions of an aggregate about its centre, made orthonormal by a team of TEAM lanes, each
// with rows of its own. `rigid` gets 40 scalars an aggregate: the columns of R with old = new R, and
// the centre. Needs reduce.wgsl with sums of vec3<f32>, and modes.wgsl.

// A column that keeps less than this share of the norm of its kind is no direction of its own.
const DEPENDENT = 1e-4;

// Columns of row i for translations m0, m1, m2 at a point d from the centre, and rotations after.
fn write_modes(i: u32, m: array<vec3<f32>, 6>, d: vec3<f32>) {
    write_mode(i, 0u, m[0]);
    write_mode(i, 1u, m[1]);
    write_mode(i, 2u, m[2]);
    write_mode(i, 3u, m[3] + m[2] * d.y - m[1] * d.z);
    write_mode(i, 4u, m[4] + m[0] * d.z - m[2] * d.x);
    write_mode(i, 5u, m[5] + m[1] * d.x - m[0] * d.y);
}

fn write_mode(i: u32, column: u32, value: vec3<f32>) {
    let at = mode_place(i, column);
    modes[at] = value.x;
    modes[at + SLICE] = value.y;
    modes[at + 2u * SLICE] = value.z;
}

// Row of member k of all aggregates.
fn member(k: u32) -> u32 {
    return maps[params.aggregate_count + 1u + k];
}

// Products of column `column` with columns p, p + 1, p + 2 over the rows range.x .. range.y.
fn products(range: vec2<u32>, lane: u32, column: u32, p: u32) -> vec3<f32> {
    var sum = vec3<f32>(0.0, 0.0, 0.0);
    for (var k = range.x + lane % TEAM; k < range.y; k += TEAM) {
        let i = member(k);
        let own = mode(i, column);
        sum += vec3<f32>(dot(mode(i, p), own), dot(mode(i, p + 1u), own), dot(mode(i, p + 2u), own));
    }
    return team_sum(sum, lane, TEAM);
}

// Squares of the norms of columns p, p + 1, p + 2.
fn squares(range: vec2<u32>, lane: u32, p: u32) -> vec3<f32> {
    var sum = vec3<f32>(0.0, 0.0, 0.0);
    for (var k = range.x + lane % TEAM; k < range.y; k += TEAM) {
        let i = member(k);
        let a = mode(i, p);
        let b = mode(i, p + 1u);
        let c = mode(i, p + 2u);
        sum += vec3<f32>(dot(a, a), dot(b, b), dot(c, c));
    }
    return team_sum(sum, lane, TEAM);
}

// Takes the shares of columns p, p + 1, p + 2 off column `column`; returns them.
fn take_off(range: vec2<u32>, lane: u32, column: u32, p: u32) -> vec3<f32> {
    let before = vec3<u32>(p, p + 1u, p + 2u) < vec3<u32>(column, column, column);
    let shares = select(vec3<f32>(0.0, 0.0, 0.0), products(range, lane, column, p), before);
    for (var k = range.x + lane % TEAM; k < range.y; k += TEAM) {
        let i = member(k);
        let share = mode(i, p) * shares.x + mode(i, p + 1u) * shares.y + mode(i, p + 2u) * shares.z;
        write_mode(i, column, mode(i, column) - share);
    }
    return shares;
}

// Gram-Schmidt, twice. Lane 0 of a team writes R; teams past the last aggregate have an empty range.
fn orthonormalize(aggregate: u32, range: vec2<u32>, lane: u32) {
    let translations = squares(range, lane, 0u);
    let rotations = squares(range, lane, 3u);
    let sizes = vec2<f32>(
        max(translations.x, max(translations.y, translations.z)),
        max(rotations.x, max(rotations.y, rotations.z)),
    );
    for (var column = 0u; column < 6u; column++) {
        var shares = take_off(range, lane, column, 0u);
        var rest = take_off(range, lane, column, 3u);
        shares += take_off(range, lane, column, 0u);
        rest += take_off(range, lane, column, 3u);
        let kind = 3u * (column / 3u);
        let norm = sqrt(squares(range, lane, kind)[column % 3u]);
        var factor = 0.0;
        if norm > DEPENDENT * sqrt(sizes[column / 3u]) {
            factor = 1.0 / norm;
        }
        for (var k = range.x + lane % TEAM; k < range.y; k += TEAM) {
            write_mode(member(k), column, mode(member(k), column) * factor);
        }
        if range.x < range.y && lane % TEAM == 0u {
            let at = 40u * aggregate + 6u * column;
            rigid[at] = shares.x;
            rigid[at + 1u] = shares.y;
            rigid[at + 2u] = shares.z;
            rigid[at + 3u] = rest.x;
            rigid[at + 4u] = rest.y;
            rigid[at + 5u] = rest.z;
            rigid[at + column] = select(0.0, norm, factor > 0.0);
        }
    }
}

fn aggregate_range(aggregate: u32) -> vec2<u32> {
    if aggregate < params.aggregate_count {
        return vec2<u32>(maps[aggregate], maps[aggregate + 1u]);
    }
    return vec2<u32>(0u, 0u);
}

// Sum of `point_of` the rows over their number, for all lanes of a team; lane 0 keeps it in `rigid`.
fn centre_of(aggregate: u32, range: vec2<u32>, lane: u32) -> vec3<f32> {
    var sum = vec3<f32>(0.0, 0.0, 0.0);
    for (var k = range.x + lane % TEAM; k < range.y; k += TEAM) {
        sum += point_of(member(k));
    }
    let centre = team_sum(sum, lane, TEAM) / f32(max(range.y - range.x, 1u));
    if range.x < range.y && lane % TEAM == 0u {
        let at = 40u * aggregate + 36u;
        rigid[at] = centre.x;
        rigid[at + 1u] = centre.y;
        rigid[at + 2u] = centre.z;
    }
    return centre;
}
