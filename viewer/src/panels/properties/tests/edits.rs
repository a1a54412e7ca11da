//! Entries into widgets of values.

use super::*;

#[test]
fn a_slider_spans_its_range_sets_its_property_once_and_does_not_jump_back() {
    let mut window = one();
    let slider = window.get_by_role_and_label(Role::Slider, "render.alpha");
    let node = slider.accesskit_node();
    assert_eq!((node.min_numeric_value(), node.max_numeric_value()), (Some(0.0), Some(1.0)));
    slider.set_value_accesskit(0.25);
    window.run_steps(3);
    assert_eq!(commands(&window), [set([("/p0:render.alpha", Some("0.25"))])]);
    // The sheet still says 1.
    assert_eq!(shown(&window, Role::Slider, "render.alpha"), Some(0.25));
    window.state_mut().sheets[0].rows[6].value = Value::Real(0.25);
    window.run();
    window.state_mut().sheets[0].rows[6].value = Value::Real(0.75);
    window.run();
    let now = shown(&window, Role::Slider, "render.alpha");
    assert_eq!(now, Some(0.75), "what the model has is shown again");
}

#[test]
fn what_was_refused_is_shown_no_longer_than_a_command_takes() {
    let mut window = one();
    window.get_by_role_and_label(Role::Slider, "render.alpha").set_value_accesskit(0.25);
    window.run_steps(2);
    assert_eq!(shown(&window, Role::Slider, "render.alpha"), Some(0.25));
    // A step of the window is a quarter of a second.
    window.run_steps((4.0 * crate::panels::draft::PATIENCE) as usize + 2);
    assert_eq!(shown(&window, Role::Slider, "render.alpha"), Some(1.0));
}

#[test]
fn values_that_differ_are_shown_as_mixed_and_set_for_all_at_once() {
    let mut window = open(sheets());
    assert!(window.query_by_label("2 components").is_some());
    let mass = window.get_by_role_and_label(Role::SpinButton, "mass");
    assert_eq!(mass.value().as_deref(), Some("mixed"));
    mass.set_value_accesskit(4.0);
    window.run();
    assert_eq!(commands(&window), [set([("/p0:mass", Some("4")), ("/p1:mass", Some("4"))])]);
}

#[test]
fn a_part_of_a_vector_is_set_and_the_others_stay_as_each_has_them() {
    let mut window = open(sheets());
    window.get_by_role_and_label(Role::SpinButton, "position x").set_value_accesskit(9.0);
    window.run();
    let both = [("/p0:position", Some("9 0 3")), ("/p1:position", Some("9 1 3"))];
    assert_eq!(commands(&window), [set(both)]);
}

#[test]
fn a_pose_is_edited_as_place_and_angles_and_each_keeps_the_others() {
    let pose = |k: f64| whole(PropertyType::Pose, &[k, 2.0, 3.0, 10.0 * k, -20.0, 30.0]).unwrap();
    let mut window = open(two(|k| vec![row(Kind::RigidBody, "pose", pose(k), Source::Own)]));
    let value = |label| window.get_by_role_and_label(Role::SpinButton, label).value();
    assert_eq!(value("pose x").as_deref(), Some("mixed"));
    assert_eq!(value("pose pitch").as_deref(), Some("-20°"));
    window.get_by_role_and_label(Role::SpinButton, "pose yaw").set_value_accesskit(45.0);
    window.run();
    let [Command::Set { assignments: both, .. }] = &commands(&window)[..] else {
        panic!("{:?}", commands(&window))
    };
    assert_eq!(both.len(), 2);
    for (k, assignment) in both.iter().enumerate() {
        let text = assignment.value.as_deref().unwrap();
        let set = parts(&Value::parse(PropertyType::Pose, text).expect(text));
        let expected = [k as f64, 2.0, 3.0, 10.0 * k as f64, -20.0, 45.0];
        let off = set.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off < 1e-9, "{} is {set:?}", assignment.path);
    }
}

#[test]
fn no_angle_of_a_pose_is_bounded_by_the_range_of_places() {
    let pose = Value::Pose(Pose::identity());
    let mut window = open(two(|_| vec![row(Kind::RigidBody, "pose", pose.clone(), Source::Own)]));
    let error = parts(&whole(PropertyType::Pose, &[0.0, 0.0, 0.0, 170.0, 0.0, -170.0]).unwrap());
    assert!((error[3] - 170.0).abs() < 1e-9 && (error[5] + 170.0).abs() < 1e-9, "{error:?}");
    window.get_by_role_and_label(Role::SpinButton, "pose roll").set_value_accesskit(170.0);
    window.run();
    let roll = shown(&window, Role::SpinButton, "pose roll");
    assert!(roll.is_some_and(|roll| (roll - 170.0).abs() < 1e-9), "{roll:?}");
}

#[test]
fn a_text_is_sent_when_it_is_entered_and_not_overwritten_while_it_is_typed() {
    let mut window = one();
    window.get_by_role_and_label(Role::TextInput, "name").click();
    window.run();
    window.get_by_role_and_label(Role::TextInput, "name").type_text("x");
    window.run();
    window.state_mut().sheets[0].rows[0].value = Value::Text("other".to_owned());
    window.run_steps(20);
    let field = window.get_by_role_and_label(Role::TextInput, "name");
    let typed = field.value().expect("a text");
    assert!(typed.contains('x') && typed.contains("tip0"), "{typed}");
    assert!(commands(&window).is_empty());
    window.key_press(Key::Enter);
    window.run();
    assert_eq!(commands(&window), [set([("/p0:name", Some(typed.as_str()))])]);
}

#[test]
fn a_number_that_is_typed_is_set_when_it_is_entered_and_one_that_is_left_alone_is_not() {
    let mut window = one();
    let click = |window: &mut Harness<'_, Window>| {
        window.get_by_role_and_label(Role::SpinButton, "mass").click();
        window.run();
    };
    click(&mut window);
    for digit in ["1", "2"] {
        window.event(egui::Event::Text(digit.to_owned()));
        window.run();
    }
    assert_eq!(commands(&window), []);
    window.key_press(Key::Enter);
    window.run();
    assert_eq!(commands(&window), [set([("/p0:mass", Some("12"))])]);
    // More digits than are shown.
    window.state_mut().sheets[0].rows[2].value = Value::Real(1.234_567_891);
    window.run_steps(20);
    click(&mut window);
    window.key_press(Key::Enter);
    window.run();
    assert_eq!(commands(&window).len(), 1);
}

#[test]
fn a_number_out_of_range_is_refused_in_words_and_nothing_is_set() {
    let mut window = one();
    window.get_by_role_and_label(Role::SpinButton, "mass").set_value_accesskit(-1.0);
    window.run();
    assert_eq!(commands(&window), []);
    let refusals = &window.state().actions.refusals;
    assert_eq!(*refusals, ["`mass` must be > 0, got -1 kg"]);
}
