//! Connectors and behaviours: values by hand, derivatives by central differences.

use sinew::interactive::{
    Behaviour, Bending, BlockFunction, ConstantForce, Damper, Difference, Distance, EnclosedVolume,
    Graph, InnerProduct, Motor, Norm, Objective, PlaneAngle, PolygonArea, PortMotion, Pull,
    Residuals, SpaceAngle, Spring, TriangleNormal,
};

use crate::random::Random;

/// Value of a function of some numbers.
fn value(function: impl BlockFunction + 'static, x: &[f64]) -> Vec<f64> {
    let mut graph = Graph::default();
    let names: Vec<String> = (0..x.len()).map(|k| format!("x{k}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let source = graph.add_variables("x", &names, x).expect("variables");
    let ports = graph.ports(source).expect("ports");
    let block = graph.add_code("f", function, &ports).expect("a block");
    let ports = graph.ports(block).expect("ports");
    ports.into_iter().map(|port| graph.value(port).expect("a value")).collect()
}

fn close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    let near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-14);
    assert!(near, "{found:?}, {expected:?}");
}

/// A tetrahedron with a right angle at the origin, faces seen from outside.
fn tetrahedron() -> EnclosedVolume {
    let triangles = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    assert!(EnclosedVolume::new(3, triangles.clone()).is_none());
    EnclosedVolume::new(4, triangles).expect("its corners are there")
}

#[test]
fn connectors_have_the_values_of_geometry() {
    close(&value(Difference(2), &[3.0, 1.0, 1.0, 4.0]), &[2.0, -3.0]);
    close(&value(Distance(3), &[1.0, 2.0, 3.0, 3.0, 5.0, 9.0]), &[7.0]);
    close(&value(InnerProduct(2), &[1.0, 2.0, 3.0, 4.0]), &[11.0]);
    let quarter = std::f64::consts::FRAC_PI_2;
    close(&value(PlaneAngle, &[2.0, 0.0, 0.0, 3.0]), &[quarter]);
    close(&value(PlaneAngle, &[0.0, 3.0, 2.0, 0.0]), &[-quarter]);
    close(&value(SpaceAngle, &[0.0, 0.0, 3.0, 1.0, 0.0, 1.0]), &[0.5 * quarter]);
    close(&value(PolygonArea(4), &[0.0, 0.0, 2.0, 0.0, 2.0, 3.0, 0.0, 3.0]), &[6.0]);
    let corners = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 3.0];
    close(&value(tetrahedron(), &corners), &[1.0]);
    let triangle = [0.0, 0.0, 1.0, 2.0, 0.0, 1.0, 0.0, 2.0, 1.0];
    close(&value(TriangleNormal, &triangle), &[2.0, 0.0, 0.0, 1.0]);
}

/// Compares the Jacobian of a function with differences at random places.
fn check(name: &str, function: impl BlockFunction + Clone + 'static, random: &mut Random) {
    let count = function.input_count();
    for _ in 0..20 {
        let x: Vec<f64> = (0..count).map(|_| random.range(-1.0, 1.0)).collect();
        let rows = function.output_count();
        let mut jacobian = vec![0.0; rows * count];
        function.jacobian(&x, &mut jacobian, &mut Default::default());
        for column in 0..count {
            let [before, after] = [-1e-6, 1e-6].map(|step| {
                let mut moved = x.clone();
                moved[column] += step;
                value(function.clone(), &moved)
            });
            for row in 0..rows {
                let difference = (after[row] - before[row]) / 2e-6;
                let slope = jacobian[row * count + column];
                let size = 1.0 + slope.abs().powi(3);
                assert!((slope - difference).abs() < 1e-8 * size, "{name}: {slope}, {difference}");
            }
        }
    }
}

#[test]
fn jacobians_of_connectors_are_central_differences() {
    let mut random = Random(2);
    check("difference", Difference(3), &mut random);
    check("distance", Distance(3), &mut random);
    check("product", InnerProduct(3), &mut random);
    check("angle", PlaneAngle, &mut random);
    check("angle in space", SpaceAngle, &mut random);
    check("area", PolygonArea(5), &mut random);
    check("volume", tetrahedron(), &mut random);
    check("normal", TriangleNormal, &mut random);
}

/// Forces of a behaviour at a place.
fn forces(behaviour: &dyn Behaviour, x: &[f64], v: &[f64]) -> Vec<f64> {
    let mut forces = vec![0.0; x.len()];
    behaviour.add_forces(PortMotion { time: 0.0, x, v }, &mut forces);
    forces
}

/// Central difference of forces by one number.
fn difference(by: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
    let [before, after] = [-1e-6, 1e-6].map(by);
    before.iter().zip(after).map(|(before, after)| (after - before) / 2e-6).collect()
}

fn moved(x: &[f64], k: usize, step: f64) -> Vec<f64> {
    let mut moved = x.to_vec();
    moved[k] += step;
    moved
}

#[test]
fn forces_are_slopes_of_energies_and_matrices_slopes_of_forces() {
    // Springs are stretched and angles small, so that all of the stiffness is semidefinite.
    let spring = Spring { dimensions: 2, stiffness: 3.0, damping: 0.7, rest_length: 0.5 };
    let bending = Bending { dimensions: 2, stiffness: 2.0 }.behaviour();
    let behaviours: [(Box<dyn Behaviour>, bool); 7] = [
        (Box::new(spring), true),
        (Box::new(Pull { target: vec![0.3, -0.2], stiffness: 4.0, damping: 0.5 }), true),
        (Box::new(bending), true),
        (Box::new(Residuals { ports: 2, stiffness: 2.0, norm: Norm::Square }), true),
        (Box::new(ConstantForce(vec![1.0, -2.0])), true),
        (Box::new(Damper { ports: 2, damping: 0.4 }), false),
        (Box::new(Objective { gain: -1.5 }), true),
    ];
    let mut random = Random(4);
    for (case, (behaviour, has_energy)) in behaviours.iter().enumerate() {
        let count = behaviour.port_count();
        let x: Vec<f64> = (0..count).map(|k| k as f64 + random.range(-0.2, 0.2)).collect();
        let (v, still): (Vec<f64>, _) =
            ((0..count).map(|_| random.range(-1.0, 1.0)).collect(), vec![0.0; count]);
        let at = PortMotion { time: 0.0, x: &x, v: &still };
        let (mut stiffness, mut damping) = (vec![0.0; count * count], vec![0.0; count * count]);
        behaviour.add_stiffness(at, &mut stiffness);
        behaviour.add_damping(PortMotion { v: &v, ..at }, &mut damping);
        let own = forces(behaviour.as_ref(), &x, &still);
        for k in 0..count {
            let energy =
                |step: f64| vec![behaviour.energy(PortMotion { x: &moved(&x, k, step), ..at })];
            let slope = difference(energy)[0];
            assert!(!has_energy || (own[k] + slope).abs() < 1e-7, "{case}: {own:?}, {slope}");
            let by_place =
                difference(|step| forces(behaviour.as_ref(), &moved(&x, k, step), &still));
            let by_speed = difference(|step| forces(behaviour.as_ref(), &x, &moved(&v, k, step)));
            for row in 0..count {
                let (a, b) = (stiffness[row * count + k], damping[row * count + k]);
                assert!((a + by_place[row]).abs() < 1e-7, "{case}: {a}, {}", by_place[row]);
                assert!((b + by_speed[row]).abs() < 1e-7, "{case}: {b}, {}", by_speed[row]);
            }
        }
    }
}

#[test]
fn a_motor_drives_with_its_largest_torque_at_most() {
    let motor = Motor { speed: 3.0, gain: 2.0, max_torque: 4.0 };
    let torque = |speed: f64| forces(&motor, &[0.0], &[speed])[0];
    assert_eq!([torque(2.5), torque(3.0), torque(0.0), torque(9.0)], [1.0, 0.0, 4.0, -4.0]);
    let damping = |speed: f64| {
        let mut damping = [0.0];
        motor.add_damping(PortMotion { time: 0.0, x: &[0.0], v: &[speed] }, &mut damping);
        damping[0]
    };
    assert_eq!([damping(2.5), damping(0.0)], [2.0, 0.0]);
}
