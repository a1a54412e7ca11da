//! Panes open and close, and come back where they were.

use super::*;

#[test]
fn an_arrangement_comes_back_from_its_text_and_one_without_a_pane_is_refused() {
    let mut dock = Dock::default();
    dock.set_open(Pane::Plots, true);
    dock.set_open(Pane::Tree, false);
    dock.set_open(Pane::Build, true);
    let layout = dock.layout().expect("it has panes");
    let text = serde_json::to_string(&layout).unwrap();
    let again: Layout = serde_json::from_str(&text).unwrap();
    assert_eq!(again, layout);
    let arranged = Dock::arranged(&again).expect("it has all panes");
    assert_eq!(arranged.seen(), dock.seen());
    assert_eq!(arranged.layout(), Some(layout));
    let pane = |title: &str, open| Layout::Pane { title: title.to_owned(), open };
    for wrong in [
        pane("Model", true),
        pane("No such pane", true),
        Layout::Tabs { parts: vec![pane("Model", true), pane("Model", true)], front: 0 },
        Layout::Row { parts: vec![(-1.0, again.clone())] },
        Layout::Tabs { parts: vec![again.clone(), again], front: 0 },
    ] {
        assert!(Dock::arranged(&wrong).is_none(), "{wrong:?}");
    }
}

#[test]
fn a_pane_that_is_closed_comes_back_and_one_behind_another_comes_before_it() {
    let mut dock = Dock::default();
    let first = [Pane::Tree, Pane::Properties, Pane::Picture(0), Pane::Controls];
    assert_eq!(dock.seen(), first);
    dock.toggle(Pane::View);
    assert!(dock.is_seen(Pane::View) && !dock.is_seen(Pane::Controls));
    assert!(dock.is_open(Pane::Controls), "it is behind the view");
    dock.toggle(Pane::Controls);
    assert_eq!(dock.seen(), first);
    for pane in [Pane::Tree, Pane::Properties, Pane::Controls] {
        dock.toggle(pane);
        assert!(!dock.is_open(pane));
        dock.toggle(pane);
        assert!(dock.is_seen(pane));
    }
    dock.set_open(Pane::Picture(2), true);
    assert!(dock.is_seen(Pane::Picture(2)) && dock.is_seen(Pane::Picture(0)));
    dock.set_open(Pane::Picture(2), false);
    dock.set_open(Pane::Plots, true);
    assert!(dock.is_seen(Pane::Plots));
}
