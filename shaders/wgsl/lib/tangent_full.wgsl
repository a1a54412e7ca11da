// Tangent times volume of a point as 21 words from `first` on: the upper rows of the 6 x 6 matrix in
// Voigt order. `left` is the part of stresses that are left of earlier steps, `volume_part` two moduli, lambda and mu, that
// come from the volume of the element.

// Rows and columns of the components in Voigt order.
const VOIGT_ROW = array<u32, 6>(0u, 1u, 2u, 0u, 1u, 0u);
const VOIGT_COLUMN = array<u32, 6>(0u, 1u, 2u, 1u, 2u, 2u);

fn write_tangent(
    first: u32,
    at: LawPoint,
    left: mat3x3<real>,
    volume_part: vec2<real>,
    volume: real,
) {
    var row_of = VOIGT_ROW;
    var column_of = VOIGT_COLUMN;
    var axes = IDENTITY;
    var k = first;
    for (var r = 0u; r < 6u; r++) {
        // A strain of this component alone: 1, or two halves.
        let unit = sym(outer(axes[row_of[r]], axes[column_of[r]]));
        let law = tangent_times(at, unit) + left_tangent_times(left, unit);
        let response = law + hooke(unit, volume_part.x, volume_part.y);
        for (var c = r; c < 6u; c++) {
            points[k] = dot(axes[row_of[c]], response * axes[column_of[c]]) * volume;
            k++;
        }
    }
}

// Scalar (r, c) of the tangent.
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

// B_a^T D B_b with the spatial gradients a and b.
fn tangent_block(first: u32, a: vec3<real>, b: vec3<real>) -> mat3x3<real> {
    let xy = column(first, 3u);
    let yz = column(first, 4u);
    let xz = column(first, 5u);
    let x = column(first, 0u) * b.x + xy * b.y + xz * b.z;
    let y = xy * b.x + column(first, 1u) * b.y + yz * b.z;
    let z = xz * b.x + yz * b.y + column(first, 2u) * b.z;
    return mat3x3<real>(x * a, y * a, z * a);
}
