//! Control panels are components: what they show is found under its name of now, and goes with its component.

use sinew::Vec3;
use sinew::component::{ComponentType, Handle};
use sinew::model::{
    ControlPanel, ControlWidget, Edit, History, Model, MuscleExciter, PanelItem, Particle,
};
use sinew::property::{Declaration, NamedProperty, PropertyType, Value};
use sinew::schedule::{
    ControlItem, PanelEdit, PanelError, ScheduleError, Scheduler, SchedulerSettings, Simulation,
};
use sinew::solve::SolverSettings;

use crate::world::text;

const PANEL: &str = "/models/m/panels/Points";

/// Two particles, whose masses are on a panel.
fn points() -> (Model, [Handle<Particle>; 2]) {
    let mut model = Model::new("m");
    let both = ["a", "b"].map(|name| model.add(Particle::new(1.0, Vec3::zeros()).named(name)));
    let item = |it: Handle<Particle>| PanelItem {
        label: Some(format!("mass; {}", it.id().kind().name())),
        ..PanelItem::new(NamedProperty::new(it, "mass"))
    };
    model.add(ControlPanel::new("Points", both.map(item).to_vec()));
    (model, both)
}

fn paths(model: &Model) -> Vec<String> {
    let (_, panel) = model.iter::<ControlPanel>().next().unwrap();
    panel.items.iter().map(|it| it.property.path(model)).collect()
}

#[test]
fn a_property_is_shown_under_its_name_of_now_and_goes_with_its_component() {
    let (mut model, [a, b]) = points();
    let (before, mut history) = (text(&model), History::default());
    history.apply(&mut model, Edit::rename(a, "other")).unwrap();
    let [first, second] = ["/models/m/particles/other:mass", "/models/m/particles/b:mass"];
    assert_eq!(paths(&model), [first, second]);
    let panel = model.find(PANEL).unwrap().component();
    history.apply(&mut model, Edit::duplicate(panel)).unwrap();
    assert_eq!(model.iter::<ControlPanel>().count(), 2);
    history.apply(&mut model, Edit::delete(a)).unwrap();
    for (_, panel) in model.iter::<ControlPanel>() {
        let shown: Vec<_> = panel.items.iter().map(|it| it.property.path(&model)).collect();
        assert_eq!(shown, [second], "{}", panel.name);
    }
    model.compile().unwrap();
    history.apply(&mut model, Edit::delete(b)).unwrap();
    assert_eq!(paths(&model), [""; 0]);
    while history.undo(&mut model).unwrap() {}
    assert_eq!(text(&model), before);
}

#[test]
fn a_property_that_is_not_declared_any_more_is_missing_and_no_error() {
    let (mut model, [a, _]) = points();
    let declaration = Declaration::new("age", PropertyType::Real);
    model.edit(Edit::declare(a, declaration)).unwrap();
    let panel = format!("{PANEL}:properties");
    model.set_text(&panel, "/models/m/particles/a:age /models/m/particles/b:mass").unwrap();
    let age = model.property("/models/m/particles/a:age").unwrap();
    model.edit(Edit::Undeclare(age)).unwrap();
    model.compile().unwrap();
    let mut scheduler = run(model);
    assert_eq!(scheduler.panels()[0].items[0].property, "/models/m/particles/a:age");
    // It goes with the next edit of the panel.
    let add = |property: &str| PanelEdit::Add {
        panel: "Points".to_owned(),
        item: ControlItem { property: property.to_owned(), ..ControlItem::default() },
    };
    scheduler.edit_panel(&add("/models/m/particles/a:mass")).unwrap();
    let shown = scheduler.panels().remove(0).items.into_iter().map(|it| it.property);
    let expected = ["/models/m/particles/b:mass", "/models/m/particles/a:mass"];
    assert_eq!(shown.collect::<Vec<_>>(), expected);
}

#[test]
fn what_a_panel_shows_is_set_by_its_properties_and_refused_with_a_reason() {
    let (mut model, _) = points();
    let set = |model: &mut Model, name: &str, value: &str| {
        model.set_text(&format!("{PANEL}:{name}"), value).map_err(|error| error.to_string())
    };
    let get = |model: &Model, name: &str| {
        let property = model.property(&format!("{PANEL}:{name}")).unwrap();
        model.get_property(&property).unwrap()
    };
    assert_eq!(get(&model, "labels").to_string(), r"mass\; Particle; mass\; Particle");
    let swapped =
        "/models/m/particles/b:mass /models/m/particles/a:velocity /models/m/particles/a:mass";
    for (name, value) in [
        ("labels", "first; second"),
        ("widgets", "slider; number"),
        ("low", "0.5 0"),
        ("high", "2"),
        ("properties", swapped),
    ] {
        set(&mut model, name, value).unwrap();
    }
    // Those that were there keep what they had.
    assert_eq!(get(&model, "labels"), Value::Text("second; ; first".to_owned()));
    assert_eq!(get(&model, "widgets"), Value::Text("number; auto; slider".to_owned()));
    let none = f64::NEG_INFINITY;
    assert_eq!(get(&model, "low"), Value::List(vec![0.0, none, 0.5]));
    let (_, panel) = model.iter::<ControlPanel>().next().unwrap();
    let last = &panel.items[2];
    assert_eq!((last.widget, last.high), (ControlWidget::Slider, Some(2.0)));
    let before = text(&model);
    for (name, value, why) in [
        ("labels", "a; b; c; d", "one label a property"),
        ("widgets", "lever", "auto, slider"),
        ("high", "1 1 0.5", "above the low one"),
        ("low", "0 0 0 0", "one number a property"),
        ("properties", "/models/m/particles/a:mas", "mas"),
        ("properties", "/models/m/particles/c:mass", "has no 'c'"),
    ] {
        let property = model.property(&format!("{PANEL}:{name}")).unwrap();
        let given = Value::parse(property.info().value_type, value).unwrap();
        assert!(model.plan(Edit::set(property, given)).is_err(), "{name} {value} is planned");
        let told = set(&mut model, name, value).unwrap_err();
        assert!(told.contains(why), "{name}: {told}");
        assert_eq!(text(&model), before, "{name}");
    }
}

fn run(model: Model) -> Scheduler {
    let simulation = Simulation::new(model, SolverSettings::default()).unwrap();
    Scheduler::new(simulation, SchedulerSettings::with_step(0.01)).unwrap()
}

#[test]
fn panels_of_muscles_are_shown_where_there_are_none_and_become_components_when_they_are_edited() {
    let mut model = Model::new("m");
    model.add(Particle::new(1.0, Vec3::zeros()).named("a"));
    model.add(MuscleExciter { name: "jaw".to_owned(), ..MuscleExciter::default() });
    let mut scheduler = run(model);
    let count =
        |scheduler: &Scheduler| scheduler.simulation().model().iter::<ControlPanel>().count();
    let shown = scheduler.panels();
    assert_eq!((shown[0].name.as_str(), shown[0].path.as_deref()), ("Exciters", None));
    assert_eq!(
        (shown[0].items[0].property.as_str(), count(&scheduler)),
        ("/models/m/exciters/jaw:excitation", 0)
    );
    let mass = "/models/m/particles/a:mass".to_owned();
    let item = ControlItem { property: mass, ..ControlItem::default() };
    let add = PanelEdit::Add { panel: "Mine".to_owned(), item };
    scheduler.edit_panel(&add).unwrap();
    let names: Vec<_> = scheduler.panels().into_iter().map(|it| (it.name, it.path)).collect();
    let [first, mine] = ["Exciters", "Mine"]
        .map(|name| (name.to_owned(), Some(format!("/models/m/panels/{name}"))));
    assert_eq!(names, [first, mine]);
    assert_eq!(scheduler.panels()[0].items, shown[0].items);
    // Twice is refused, and a place where nothing is.
    for (edit, why) in [(add, "already"), (PanelEdit::Remove { panel: 0, item: 9 }, "no item 9")] {
        let told = scheduler.edit_panel(&edit).unwrap_err();
        assert!(
            matches!(told, ScheduleError::Panel(_)) && told.to_string().contains(why),
            "{told}"
        );
    }
    let unknown = PanelEdit::Rename { panel: 7, name: "x".to_owned() };
    let told = scheduler.edit_panel(&unknown).unwrap_err();
    assert!(matches!(told, ScheduleError::Panel(PanelError::NoPanel(7))), "{told}");
    // A name that is taken is refused by the model.
    assert!(
        scheduler.edit_panel(&PanelEdit::Rename { panel: 1, name: "Exciters".to_owned() }).is_err()
    );
    scheduler.edit_panel(&PanelEdit::Remove { panel: 0, item: 0 }).unwrap();
    assert_eq!(scheduler.panels()[0].items.len(), 0);
    assert!(scheduler.undo().unwrap() && scheduler.undo().unwrap());
    assert_eq!((scheduler.panels(), count(&scheduler)), (shown, 0));
    assert!(!scheduler.undo().unwrap());
}
