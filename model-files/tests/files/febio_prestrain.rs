//! Strains at rest in documents of FEBio: gradients against FEBio's own, cubes at rest, fields, what is told and refused.

use sinew::prelude::*;

use super::febio::{ROLLERS, cube, good, refused, rigid, run, tissue, told};

/// A fibrous cube with a strain at rest, whose fibres are along `fibre`.
fn prestrained(kind: &str, prestrain: &str, fibre: &str) -> String {
    format!(
        "<material id=\"1\" name=\"m\" type=\"{kind}\"><elastic type=\"trans iso Mooney-Rivlin\"><density>1000</density>\
         <k>1e5</k><c1>1000</c1><c2>0</c2><c3>10</c3><c4>5</c4><c5>224.08445351690323</c5><lam_max>1.3</lam_max>\
         <fiber type=\"vector\">{fibre}</fiber></elastic>{prestrain}</material>"
    )
}

#[test]
fn strains_at_rest_are_those_of_febio_in_the_axes_of_the_material() {
    let a = Vec3::new(1.0, 2.0, 2.0) / 3.0;
    let along = a * a.transpose();
    let across = Mat3::identity() - along;
    let whole = Mat3::new(1.1, 0.02, 0.0, -0.01, 0.95, 0.03, 0.0, 0.0, 1.05);
    let rows = "1.1,0.02,0,-0.01,0.95,0.03,0,0,1.05";
    let cases = [
        ("<prestrain type=\"in-situ stretch\"><stretch>1.05</stretch></prestrain>".to_owned(), along * 1.05 + across / 1.05_f64.sqrt()),
        ("<prestrain type=\"in-situ stretch\"><stretch>1.05</stretch><isochoric>0</isochoric></prestrain>".to_owned(), along * 1.05 + across),
        (format!("<prestrain type=\"prestrain gradient\"><ramp>0.5</ramp><F0>{rows}</F0></prestrain>"), (Mat3::identity() + whole) * 0.5),
        (format!("<prestrain type=\"prestrain gradient\"><F0>{rows}</F0></prestrain>"), whole),
    ];
    for (prestrain, expected) in cases {
        for kind in ["prestrain elastic", "uncoupled prestrain elastic"] {
            let file = good(&cube("STATIC", &prestrained(kind, &prestrain, "1,2,2"), ROLLERS, ""));
            assert_eq!(told(&file), Vec::<String>::new());
            let fem = tissue(&file.model);
            let axes = fem.material_axes()[0];
            assert!((axes.column(0) - a).norm() < 1e-12);
            let found = axes * fem.rest.elastic() * axes.transpose();
            assert!((found - expected).norm() < 1e-12, "{prestrain}: {found} {expected}");
        }
    }
}

#[test]
fn a_cube_whose_fibres_are_stretched_at_rest_shortens_along_them() {
    // Free of stress at F F0 = 1: a stretch of 1/1.05 along x, and what keeps the volume across.
    let prestrain =
        "<prestrain type=\"in-situ stretch\"><stretch lc=\"1\">1.05</stretch></prestrain>";
    let material = prestrained("prestrain elastic", prestrain, "1,0,0");
    let file = good(&cube("STATIC", &material, ROLLERS, ""));
    let told = told(&file);
    assert!(told[0].contains("<stretch> acts from the start on"), "{told:?}");
    assert_eq!(told.len(), 1, "{told:?}");
    let places = run(file);
    let corner = places[6];
    let expected = Vec3::new(1.0 / 1.05, 1.05_f64.sqrt(), 1.05_f64.sqrt());
    assert!((corner - expected).norm() < 1e-6, "{corner} {expected}");
}

#[test]
fn strains_at_rest_that_differ_are_a_field_and_others_are_told_or_refused() {
    let two = prestrained(
        "prestrain elastic",
        "<prestrain type=\"in-situ stretch\"><stretch>1.1</stretch></prestrain>",
        "0,0,1",
    );
    let two = two.replace("id=\"1\" name=\"m\"", "id=\"2\" name=\"n\"");
    let text = rigid("", "").replace(
        "<SolidDomain name=\"lid\" mat=\"bone\"/>",
        "<SolidDomain name=\"lid\" mat=\"n\"/>",
    );
    let text =
        text.replace("<Material>", &format!("<Material>{two}")).replace("<Rigid></Rigid>", "");
    let file = good(&text);
    let fem = tissue(&file.model);
    assert_eq!(fem.fields["prestrain"], "{prestrain of materials}");
    let values = &fem.mesh.element_fields["prestrain of materials"].values;
    assert_eq!(values[..9], [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    // Along the fibres first.
    assert!((values[9] - 1.1).abs() < 1e-12 && (values[13] - 1.1_f64.powf(-0.5)).abs() < 1e-12);
    let of = |prestrain: &str| {
        cube("STATIC", &prestrained("prestrain elastic", prestrain, "1,0,0"), ROLLERS, "")
    };
    for (prestrain, words) in [
        (
            "<prestrain type=\"in-situ stretch\"><stretch type=\"map\">tension</stretch></prestrain>",
            "<stretch> by a map or a formula is not read",
        ),
        (
            "<prestrain type=\"other\"><x>1</x></prestrain>",
            "the prestrain of the type 'other' is not read",
        ),
    ] {
        let file = good(&of(prestrain));
        assert!(tissue(&file.model).rest.is_free());
        let told = told(&file);
        assert!(told.iter().any(|it| it.contains(words)), "{told:?}");
    }
    for (prestrain, words) in [
        (
            "<prestrain type=\"in-situ stretch\"><stretch>-1</stretch></prestrain>",
            "<stretch> must be > 0, got -1",
        ),
        (
            "<prestrain type=\"prestrain gradient\"><F0>1,0,0,0,1,0,0,0,-1</F0></prestrain>",
            "must have a determinant > 0",
        ),
    ] {
        let text = refused(&of(prestrain));
        assert!(text.contains(words), "{text}");
    }
}
