//! Blank components, which models are read into.

use sinew::component::{Kind, ROOT};
use sinew::model::{Component, Draft, DraftError, EditError, MechModel};
use sinew::property::{PropertyType, Setting};

#[test]
fn a_blank_component_has_the_defaults_of_its_table() {
    let mut looked = 0;
    for kind in Kind::ALL {
        let Some(blank) = Component::blank(kind) else { continue };
        let mut draft = Draft::new("blank");
        let main = draft.add(ROOT, MechModel::new("main"), None).unwrap();
        let parent = if kind == Kind::MechModel { ROOT } else { main };
        let id = draft.add(parent, blank, None).unwrap();
        for property in draft.model().properties(id) {
            let info = property.info();
            let path = matches!(info.value_type, PropertyType::Path | PropertyType::Paths);
            // The inertia of a body follows from what is given of it, rows of a joint from its kind.
            let own = ["inertia_method", "density", "compliance", "damping"].contains(&info.name);
            if info.read_only || path || own {
                continue;
            }
            if let Ok(Setting::Explicit(value)) = draft.model().setting(&property) {
                looked += 1;
                assert_eq!(value, info.default, "{kind:?} {}", info.name);
            }
        }
    }
    assert!(looked > 100, "{looked} properties");
}

#[test]
fn what_lacks_a_reference_is_no_model() {
    let mut draft = Draft::new("loose");
    let main = draft.add(ROOT, MechModel::new("loose"), None).unwrap();
    let marker = || Component::blank(Kind::FrameMarker).unwrap();
    let tip = draft.add(main, marker().with_name("tip"), Some(3)).unwrap();
    let body = draft.model().property_of(tip, "body").unwrap();
    assert!(draft.lacks(&body));
    let taken = draft.add(main, marker(), Some(3));
    assert!(matches!(taken, Err(EditError::NameTaken { .. })), "{taken:?}");
    assert_eq!(draft.model().number(tip), Some(3));
    assert!(matches!(draft.finish(), Err(DraftError::Dangling(_))));
}
