//! Sticky interfaces in documents of FEBio.

use sinew::model::CollisionBehavior;
use sinew::prelude::*;

use super::febio::good;
use super::febio_contact::{Block, PAIR, document, load, places, run, told};

#[test]
fn what_sticks_moves_as_one_piece_below_the_largest_tension() {
    let sticky = |numbers: &str, load: &str| {
        let contact = format!(
            "<Contact><contact type=\"sticky\" name=\"glue\" surface_pair=\"both\">{numbers}</contact></Contact>{load}"
        );
        let base = "<bc type=\"zero displacement\" node_set=\"z0\"><x_dof>1</x_dof><y_dof>1</y_dof><z_dof>1</z_dof></bc>";
        let text = document(&[Block::LOWER, Block::UPPER], PAIR, base, &contact);
        good(&text.replace("<v>0.3</v>", "<v>0</v>"))
    };
    let numbers = "<max_traction>100</max_traction><penalty>10000</penalty><laugon>0</laugon>";
    // Strength 100 Pa; springs of 0.01 m at the end, whose energy is 0.5 J/m².
    let file = sticky(numbers, "");
    let told_of = told(&file);
    assert!(
        told_of.iter().any(|it| it.contains("'glue' is an adhesion of its max_traction")),
        "{told_of:?}"
    );
    assert_eq!(told_of.len(), 1, "{told_of:?}");
    let law = file.model.iter::<CollisionBehavior>().next().unwrap().1.law;
    assert!((law.adhesion.strength() / 100.0 - 1.0).abs() < 1e-12, "{law:?}");
    assert!((law.adhesion.work / 0.5 - 1.0).abs() < 1e-12, "{law:?}");
    // Pulled along and across, with a tension of 58 Pa where they bend most, they move as one: their corners stay together.
    let mut simulation = run(sticky(numbers, &load("upper_high", "3,0,40")));
    let ends = |simulation: &mut Simulation, name: &str| -> Vec<Vec3> {
        let all = places(simulation, name).into_iter();
        let at = |rest: Vec3| rest.xy().norm() < 1e-9 && (rest.z - 1.0).abs() < 1e-9;
        all.filter(|[rest, _]| at(*rest)).map(|[_, now]| now).collect()
    };
    let [upper, lower] = ["upper", "lower"].map(|name| ends(&mut simulation, name)[0]);
    assert!((upper - lower).norm() < 2e-3, "{upper} {lower}");
    assert!(upper.x > 0.005 && upper.z > 1.03, "{upper}");
    // Without a largest tension it never lets go, and is told; so are springs that are longer than the mesh.
    let never = told(&sticky("<penalty>10</penalty>", ""));
    assert!(
        never.iter().any(|it| it.contains("of type 'sticky' in <Contact> is not read")),
        "{never:?}"
    );
    let long = told(&sticky("<max_traction>100</max_traction>", ""));
    assert!(
        long.iter().any(|it| it.contains("springs of max_traction are 100 m long")),
        "{long:?}"
    );
}
