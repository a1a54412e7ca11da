// Ogden: constants mu and alpha of six terms, then those of the volume. Stress and modulus by principal
// directions (Holzapfel, section 6.6).

const TERMS: u32 = 6u;

struct Isochoric {
    shape: mat3x3<real>,
    trace: real,
    // Principal directions, columns, and what strains along them are multiplied with.
    directions: mat3x3<real>,
    factors: mat3x3<real>,
}

fn modulus_times(p: Isochoric, e: mat3x3<real>) -> mat3x3<real> {
    let local = transpose(p.directions) * e * p.directions;
    let scaled = mat3x3<real>(local[0] * p.factors[0], local[1] * p.factors[1], local[2] * p.factors[2]);
    return p.directions * scaled * transpose(p.directions);
}

// mu / alpha; nothing where there is no term.
fn term_factor(mu: real, alpha: real) -> real {
    if mu == 0.0 {
        return 0.0;
    }
    return mu / alpha;
}

// Twice the sum of mu/alpha exp(alpha l_j) (r - 1), r = (exp(alpha gap) - 1) / (exp(2 gap) - 1).
fn shear_factor(c: ptr<function, array<real, LAW_CONSTANTS>>, gap: real, log_j: real) -> real {
    var sum: real = 0.0;
    for (var n = 0u; n < TERMS; n++) {
        let alpha = (*c)[2u * n + 1u];
        var ratio = 0.5 * alpha;
        if gap != 0.0 {
            ratio = exp_m1(alpha * gap) / exp_m1(gap + gap);
        }
        let stretch = 1.0 + exp_m1(alpha * log_j);
        sum += term_factor((*c)[2u * n], alpha) * stretch * (ratio - 1.0);
    }
    return sum + sum;
}

fn isochoric(k: Kinematics, constants: array<real, LAW_CONSTANTS>) -> Isochoric {
    var c = constants;
    var strain = k.left;
    let v = symmetric_eigen(&strain);
    // ln J / 3 from J^(-2/3).
    let shift = -0.5 * ln_1p(k.shrink);
    var logs: vec3<real>;
    for (var i = 0u; i < 3u; i++) {
        logs[i] = 0.5 * ln_1p(strain[i][i]) - shift;
    }
    var excess: vec3<real>;
    var normal: vec3<real>;
    var offset: real = 0.0;
    for (var n = 0u; n < TERMS; n++) {
        let alpha = c[2u * n + 1u];
        let factor = term_factor(c[2u * n], alpha);
        offset += factor;
        for (var i = 0u; i < 3u; i++) {
            let stretch = exp_m1(alpha * logs[i]);
            excess[i] += factor * stretch;
            normal[i] += factor * (alpha - 2.0) * (1.0 + stretch);
        }
    }
    let xy = shear_factor(&c, logs.x - logs.y, logs.y);
    let yz = shear_factor(&c, logs.y - logs.z, logs.z);
    let xz = shear_factor(&c, logs.x - logs.z, logs.z);
    let middle = symmetric(excess, vec3<real>());
    let trace = excess.x + excess.y + excess.z + 3.0 * offset;
    return Isochoric(v * middle * transpose(v), trace, v, symmetric(normal, vec3<real>(xy, yz, xz)));
}

fn bulk(c: array<real, LAW_CONSTANTS>) -> vec2<real> {
    return vec2<real>(c[12], c[13]);
}
