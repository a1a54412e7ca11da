// Linear elasticity with any moduli along the axes of the material: constants the upper triangle of D,
// row by row, in Voigt order; then 1 where the frame turns with the element.

struct LawPoint {
    // Takes gradients in the rest shape to gradients in the frame of the stress.
    frame: mat3x3<real>,
    // Stress in space.
    stress: mat3x3<real>,
    // Volume over volume at rest, as the stress is weighted with.
    volume_ratio: real,
    // Axes of the material in space.
    axes: mat3x3<real>,
    // Blocks of D: direct, direct by shear, shear.
    direct: mat3x3<real>,
    mixed: mat3x3<real>,
    shear: mat3x3<real>,
}

// D : e.
fn tangent_times(p: LawPoint, e: mat3x3<real>) -> mat3x3<real> {
    let local = transpose(p.axes) * e * p.axes;
    let d = vec3<real>(local[0].x, local[1].y, local[2].z);
    let s = vec3<real>(local[1].x, local[2].y, local[2].x) * 2.0;
    let along = p.direct * d + p.mixed * s;
    let across = transpose(p.mixed) * d + p.shear * s;
    return p.axes * symmetric(along, across) * transpose(p.axes);
}

fn law(h: mat3x3<real>, centre: mat3x3<real>, axes: mat3x3<real>, c: array<real, LAW_CONSTANTS>) -> LawPoint {
    var r = IDENTITY;
    var strain = sym(h);
    if c[21] != 0.0 {
        r = polar_rotation(centre + IDENTITY);
        let turned = transpose(r) * (h + IDENTITY);
        let e = sym(turned) - IDENTITY;
        let w = (turned - transpose(turned)) * 0.5;
        strain = green_strain(h) - (e * e + e * w - w * e - w * w) * 0.5;
    }
    var point: LawPoint;
    point.frame = r;
    point.volume_ratio = 1.0;
    point.axes = r * axes;
    point.direct = symmetric(vec3<real>(c[0], c[6], c[11]), vec3<real>(c[1], c[7], c[2]));
    point.mixed = mat3x3<real>(c[3], c[8], c[12], c[4], c[9], c[13], c[5], c[10], c[14]);
    point.shear = symmetric(vec3<real>(c[15], c[18], c[20]), vec3<real>(c[16], c[19], c[17]));
    point.stress = tangent_times(point, r * strain * transpose(r));
    return point;
}
