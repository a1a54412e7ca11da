// Eigenvectors of a symmetric matrix by Jacobi's method: columns of the result, and eigenvalues on the
// diagonal of what was the matrix.

fn jacobi_turn(
    a: ptr<function, mat3x3<real>>,
    v: ptr<function, mat3x3<real>>,
    p: u32,
    q: u32,
) {
    let off = (*a)[q][p];
    if off == 0.0 {
        return;
    }
    let theta = ((*a)[q][q] - (*a)[p][p]) / (off + off);
    let size = 1.0 / (abs(theta) + sqrt(theta * theta + 1.0));
    let tangent = select(size, -size, theta < 0.0);
    let cosine = 1.0 / sqrt(tangent * tangent + 1.0);
    let sine = tangent * cosine;
    var turn = IDENTITY;
    turn[p][p] = cosine;
    turn[q][q] = cosine;
    turn[q][p] = sine;
    turn[p][q] = -sine;
    *a = transpose(turn) * (*a) * turn;
    (*a)[q][p] = 0.0;
    (*a)[p][q] = 0.0;
    *v = (*v) * turn;
}

fn symmetric_eigen(a: ptr<function, mat3x3<real>>) -> mat3x3<real> {
    var v = IDENTITY;
    // 3 x 3 matrices need six sweeps or fewer; the bound is for NaN.
    for (var sweep = 0u; sweep < 12u; sweep++) {
        let off = vec3<real>((*a)[1].x, (*a)[2].x, (*a)[2].y);
        if dot(off, off) == 0.0 {
            break;
        }
        jacobi_turn(a, &v, 0u, 1u);
        jacobi_turn(a, &v, 0u, 2u);
        jacobi_turn(a, &v, 1u, 2u);
    }
    return v;
}
