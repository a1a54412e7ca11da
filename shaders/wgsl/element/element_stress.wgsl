// One invocation a quadrature point i = e * POINT_COUNT + p: writes
// (force sigma + product (D : sym l + l sigma)) to_space * volume, with l the spatial gradient of the
// vectors `field`, so that its products with dN_a/dr sum to force * (minus the nodal force) + product
// * (K field); pressures of elements, and where stresses relax what is left of earlier ones, are added with factors of
// their own. Scalar k of the result (columns) is at k * n + i, n points in all. Where the law has no
// value it is zero, and the lowest number of such an element goes to `status`. Race-free: an
// invocation writes its own scalars; the minimum of integers does not depend on the order.

struct StressParams {
    element_count: u32,
    // Number of the first element among all of the model.
    first_element: u32,
    // Places in `factors` of force and product.
    force_place: u32,
    product_place: u32,
    // Place in `factors` of the activation of the fibres.
    activation_place: u32,
    // Places in `factors` of those of pressures, and of stresses that are left of earlier steps.
    left_force_place: u32,
    left_product_place: u32,
    // Place in `factors` of the resistance of volumes to change.
    volume_product_place: u32,
}

@group(0) @binding(0) var<uniform> params: StressParams;
@group(0) @binding(1) var<storage, read> displacement: array<stored>;
@group(0) @binding(2) var<storage, read> field: array<real>;
@group(0) @binding(3) var<storage, read> rows: array<u32>;
@group(0) @binding(4) var<storage, read> geometry: array<real>;
@group(0) @binding(5) var<storage, read> table: array<real>;
@group(0) @binding(6) var<storage, read> factors: array<real>;
@group(0) @binding(7) var<storage, read_write> stress: array<real>;
@group(0) @binding(8) var<storage, read_write> status: array<atomic<u32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn element_stress(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    let count = params.element_count * POINT_COUNT;
    if i >= count {
        return;
    }
    let e = i / POINT_COUNT;
    let inverse = to_reference(i, count);
    let h = elastic_slope(displacement_slope(1u + i % POINT_COUNT, e) * inverse, i);
    let valid = has_value(h);
    if !valid {
        flag_inverted(e);
    }
    // Without a value, the state at rest times no volume.
    let known = select(real(0.0), real(1.0), valid);
    let at = law(h * known, centre_gradient(e, h), material_axes(i), constants(e));
    let to_space = at.frame * transpose(inverse);
    let l = field_slope(1u + i % POINT_COUNT, e) * transpose(to_space);
    let rate = tangent_times(at, sym(l)) + turned_stress(l, at.stress);
    let own = at.stress * factors[params.force_place] + rate * factors[params.product_place];
    let sum = add_pressure(add_left(own, i, at, h * known, l), i, l);
    let whole = sum * to_space * (geometry[9u * count + i] * at.volume_ratio * known);
    for (var c = 0u; c < 3u; c++) {
        stress[3u * c * count + i] = whole[c].x;
        stress[(3u * c + 1u) * count + i] = whole[c].y;
        stress[(3u * c + 2u) * count + i] = whole[c].z;
    }
}
