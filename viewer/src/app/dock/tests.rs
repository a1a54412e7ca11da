//! Panes open and close, and come back where they were.

use super::*;

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
