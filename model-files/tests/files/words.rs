//! Spellings of the command line in files, the order of errors, and what must not reach a terminal.

use sinew::ode::Method;
use sinew::solve::{BodyCoordinates, Integrator, LinearSolver, Preconditioning, SolverSettings};
use sinew_model_files::{LoadOptions, Severity, check};

use crate::{errors_of, folder, read};

fn settings(solver: &str) -> SolverSettings {
    let file = read(&format!("version = 1\n[solver]\n{solver}\n[[particle]]\n"));
    let file = file.unwrap_or_else(|report| panic!("{solver}: {}", report.render(false)));
    file.solver.settings(SolverSettings::default())
}

#[test]
fn words_and_keys_of_the_command_line_are_taken_in_files() {
    for (ours, other) in [
        ("integrator = \"backward_euler\"", "integrator = \"backward-euler\""),
        ("integrator = \"runge_kutta_4\"", "integrator = \"runge-kutta-4\""),
        ("integrator = \"runge_kutta_4\"", "integrator = \"runge_kutta4\""),
        ("linear_solver = \"conjugate_gradients\"", "solver = \"cg\""),
        ("preconditioner = \"block_jacobi\"", "preconditioner = \"jacobi\""),
        ("friction_method = \"post_hoc\"", "friction_method = \"posthoc\""),
        ("contact_method = \"sparse\"", "contact_solver = \"sparse\""),
    ] {
        assert_eq!(settings(ours), settings(other), "{other}");
    }
    let solved = settings("solver = \"cg\"\npreconditioner = \"jacobi\"");
    assert_eq!(solved.linear_solver, LinearSolver::ConjugateGradients);
    assert_eq!(solved.preconditioner, Preconditioning::BlockJacobi);
    let twice = errors_of("version = 1\n[solver]\nsolver = \"cg\"\nlinear_solver = \"cg\"\n");
    assert_eq!(twice.len(), 1, "{twice:?}");
}

fn is_variable(integrator: &Integrator, method: Method) -> bool {
    matches!(integrator, Integrator::Variable(step) if step.method == method)
}

#[test]
fn tolerances_belong_to_integrators_of_variable_step() {
    let text = "integrator = \"radau\"\ntolerance = 1e-5\nabsolute_tolerance = 1e-7";
    let Integrator::Variable(step) = settings(text).integrator else { panic!("not variable") };
    assert_eq!((step.relative, step.absolute), (1e-5, 1e-7));
    assert_eq!(step.coordinates, BodyCoordinates::Quaternions);
    let text = "integrator = \"adams\"\ncoordinates = \"natural\"";
    let Integrator::Variable(step) = settings(text).integrator else { panic!("not variable") };
    assert_eq!(step.coordinates, BodyCoordinates::Natural);
    for wrong in [
        "tolerance = 1e-5",
        "integrator = \"trapezoidal\"\nabsolute_tolerance = 1e-5",
        "integrator = \"adams\"\ntolerance = 1.5",
        "coordinates = \"natural\"",
        "integrator = \"adams\"\ncoordinates = \"euler\"",
        "integrator = \"adams\"\nabsolute_tolerance = 0",
    ] {
        let errors = errors_of(&format!("version = 1\n[solver]\n{wrong}\n"));
        assert_eq!(errors.len(), 1, "{wrong}: {errors:?}");
    }
}

#[test]
fn a_file_may_ask_for_every_integrator() {
    type IsIt = fn(&Integrator) -> bool;
    let known: [(&str, IsIt); 10] = [
        ("backward_euler", |it| matches!(it, Integrator::BackwardEuler(_))),
        ("trapezoidal", |it| matches!(it, Integrator::Trapezoidal(_))),
        ("midpoint", |it| matches!(it, Integrator::Midpoint(_))),
        ("symplectic_euler", |it| matches!(it, Integrator::SymplecticEuler)),
        ("runge_kutta_4", |it| matches!(it, Integrator::RungeKutta4)),
        ("runge_kutta_fehlberg", |it| is_variable(it, Method::RungeKuttaFehlberg)),
        ("dormand_prince", |it| is_variable(it, Method::DormandPrince)),
        ("adams", |it| is_variable(it, Method::Adams)),
        ("radau", |it| is_variable(it, Method::Radau)),
        ("static", |it| matches!(it, Integrator::Static(_))),
    ];
    for (word, is_it) in known {
        let found = settings(&format!("integrator = \"{word}\"")).integrator;
        assert!(is_it(&found), "{word}: {found:?}");
        // A new integrator does not compile here before it has a word.
        match found {
            Integrator::BackwardEuler(_)
            | Integrator::Trapezoidal(_)
            | Integrator::Midpoint(_)
            | Integrator::SymplecticEuler
            | Integrator::RungeKutta4
            | Integrator::Variable(_)
            | Integrator::Static(_) => {}
        }
    }
}

#[test]
fn errors_come_in_the_order_of_their_lines() {
    let errors = errors_of(
        "version = 1\nnmae = \"m\"\n[[particle]]\nmas = 1\n[solver]\nstep = 0.0\n[[axial_spring]]\nfirst = \"x\"\n",
    );
    let lines = errors.iter().filter_map(|error| error.split(':').next()?.parse::<u32>().ok());
    let lines: Vec<u32> = lines.collect();
    assert!(lines.len() > 3 && lines.is_sorted(), "{errors:#?}");
}

#[test]
fn no_character_of_a_file_commands_the_terminal() {
    let evil = "version = 1\n\"\\u001b[2Jkey\" = 1\nname = \"\\u001b]0;pwned\\u0007\"\n# \u{1b}[31m\n[[particle]]\nmas = \"\\u009b1m\"\n";
    let folder = folder(&[("evil.toml", evil)]);
    let report = check(&folder.path().join("evil.toml"), &LoadOptions::default());
    let lines: String = report.diagnostics().iter().map(|it| report.line(it)).collect();
    assert!(report.diagnostics().iter().any(|it| it.severity == Severity::Error));
    for text in [report.render(false), lines] {
        let control = text.chars().find(|c| c.is_control() && *c != '\n');
        assert_eq!(control, None, "{text:?}");
        assert!(text.contains("\\u001b"), "{text}");
    }
}

/// A hexahedron of 200 m, or of 200 mm.
const LARGE: &str = "# vtk DataFile Version 3.0
large
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 4 double
0 0 0  200 0 0  0 200 0  0 0 200
CELLS 1 5
4 0 1 2 3
CELL_TYPES 1
10
";

#[test]
fn a_mesh_far_too_large_in_metres_is_refused_until_somebody_says_its_unit() {
    let check = |head: &str, mesh: &str| {
        let model = format!(
            "version = 1\n{head}[[fem_model]]\nmesh = {mesh}\ndensity = 1.0\nmaterial = \"neohook\"\n"
        );
        let folder = folder(&[("m.toml", &model), ("liver.vtk", LARGE)]);
        let report = check(&folder.path().join("m.toml"), &LoadOptions::default());
        crate::errors(&report)
    };
    for mesh in ["\"liver.vtk\"", "{ file = \"liver.vtk\" }"] {
        let errors = check("", mesh);
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert!(errors[0].contains("200.0000 m long"), "{errors:?}");
        assert!(
            errors[0].contains("{ file = \"liver.vtk\", unit = \"mm\" } for 0.2000 m"),
            "{errors:?}"
        );
    }
    for unit in ["mm", "m"] {
        let errors = check("", &format!("{{ file = \"liver.vtk\", unit = \"{unit}\" }}"));
        assert!(errors.is_empty(), "{errors:?}");
    }
    let errors = check("[units]\nlength = \"mm\"\n", "\"liver.vtk\"");
    assert!(errors.is_empty(), "{errors:?}");
}

#[test]
fn a_mesh_larger_than_a_person_is_noted_until_somebody_says_its_unit() {
    let notes = |mesh: &str| -> Vec<String> {
        let model = format!(
            "version = 1\n[[fem_model]]\nmesh = {mesh}\ndensity = 1.0\nmaterial = \"neohook\"\n"
        );
        let liver = LARGE.replace("200", "6.5");
        let folder = folder(&[("m.toml", &model), ("liver.vtk", &liver)]);
        let report = check(&folder.path().join("m.toml"), &LoadOptions::default());
        assert!(crate::errors(&report).is_empty(), "{}", report.render(false));
        let all = report.diagnostics().iter().map(|it| it.message.clone());
        all.filter(|it| it.contains("m long if its unit is the metre")).collect()
    };
    let told = notes("\"liver.vtk\"");
    assert!(told.len() == 1 && told[0].contains("makes it 0.0065 m"), "{told:?}");
    assert!(notes("{ file = \"liver.vtk\", unit = \"m\" }").is_empty());
}

fn told_of(behavior: &str) -> (usize, String) {
    let tissue = |name: &str| {
        format!(
            "[[fem_model]]\nname = \"{name}\"\nmesh = {{ box = [0.1, 0.1, 0.1], cells = [1, 1, 1] }}\n"
        )
    };
    let bone = "[[rigid_body]]\nname = \"bone\"\nmesh = { vertices = [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], triangles = [[0,2,1],[0,1,3],[0,3,2],[1,2,3]] }\n\
        [[collider]]\nname = \"bone\"\nbody = \"rigid_bodies/bone\"\nshape = \"vertices\"\n";
    let (a, b) = (tissue("tongue"), tissue("palate"));
    let text = format!("version = 1\n{bone}{a}{b}[[collision_behavior]]\n{behavior}");
    let folder = folder(&[("model.toml", &text)]);
    let report = check(&folder.path().join("model.toml"), &LoadOptions::default());
    (report.error_count(), report.render(false))
}

#[test]
fn a_pair_that_passes_through_each_other_is_warned_of_and_two_tissues_are_not() {
    let (errors, told) = told_of("");
    assert_eq!(errors, 0, "{told}");
    assert!(told.contains("pass through each other") && told.contains("tongue"), "{told}");
    for sides in [
        "a = \"fem_models/tongue\"\nb = \"fem_models/palate\"\n",
        "a = \"fem_models/tongue\"\nb = \"fem_models/tongue\"\n",
    ] {
        let (errors, told) = told_of(sides);
        assert!(errors == 0 && !told.contains("pass through"), "{told}");
        // The two stand at the same place.
        let overlap = told.contains("palate overlap") && told.contains("1.00e-3 m³");
        assert_eq!(overlap, sides.contains("palate"), "{told}");
    }
}

/// Two particles with a spring between them, and what a case adds.
fn told_of_particles(spring: &str, more: &str) -> (usize, String) {
    let points: String = ["p", "q"]
        .map(|name| {
            format!(
                "[[particle]]\nname = \"{name}\"\nmass = 1.0\nposition = [{}, 0, 0]\n",
                u8::from(name == "q")
            )
        })
        .concat();
    let text = format!("version = 1\n{points}[[axial_spring]]\nname = \"s\"\n{spring}\n{more}");
    let folder = folder(&[("model.toml", &text)]);
    let report = check(&folder.path().join("model.toml"), &LoadOptions::default());
    (report.error_count(), report.render(false))
}

const BETWEEN: &str = "first = \"particles/p\"\nsecond = \"particles/q\"\n";

#[test]
fn a_spring_between_a_point_and_itself_is_warned_of() {
    let (errors, told) = told_of_particles("first = \"particles/p\"\nsecond = \"particles/p\"", "");
    assert_eq!(errors, 0, "{told}");
    assert!(
        told.contains("axial_springs/s has no effect") && told.contains("particles/p is both"),
        "{told}"
    );
    assert_eq!(told_of_particles(BETWEEN, ""), (0, String::new()));
}

#[test]
fn an_excitation_without_a_muscle_is_warned_of() {
    let (errors, told) = told_of_particles(&format!("{BETWEEN}excitation = 0.5"), "");
    assert_eq!(errors, 0, "{told}");
    assert!(told.contains("the excitation of") && told.contains("linear is no muscle"), "{told}");
    let muscle = format!("{BETWEEN}excitation = 0.5\nmaterial = {{ type = \"constant_muscle\" }}");
    assert_eq!(told_of_particles(&muscle, ""), (0, String::new()));
}

#[test]
fn two_probes_that_feed_one_property_at_a_time_are_warned_of() {
    let probe = |name: &str, span: &str| {
        format!(
            "[[input_probes]]\nname = \"{name}\"\nproperties = [\"particles/p:mass\"]\ndata = [[0, 1], [1, 2]]\n{span}\n"
        )
    };
    let told = |a: &str, b: &str| told_of_particles(BETWEEN, &(probe("a", a) + &probe("b", b)));
    let (errors, text) = told("", "");
    assert_eq!(errors, 0, "{text}");
    assert!(text.contains("mass is fed by") && text.contains("probes/a"), "{text}");
    assert_eq!(told("stop = 0.5", "start = 0.5"), (0, String::new()));
    assert_eq!(told("disabled = true", ""), (0, String::new()));
}
