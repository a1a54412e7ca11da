//! Tables and drawings of plots, and their panel.

use std::sync::Arc;

use egui_kittest::{Harness, kittest::NodeT, kittest::Queryable};
use sinew::snapshot::Readings;

use super::*;
use crate::panels::Actions;

/// One number of `/a:x` and a vector of `/b:v`.
fn readings(x: f64) -> Readings {
    Readings {
        paths: Arc::new(vec!["/a:x".to_owned(), "/b:v".to_owned(), "/c:x".to_owned()]),
        offsets: vec![0, 1, 4, 5],
        numbers: vec![x, 1.0, 2.0, -3.0 * x, 9.0],
    }
}

/// A sample of them.
fn sample(time: f64, readings: Readings) -> Samples {
    Samples { times: vec![time], readings }
}

fn recorded() -> Plots {
    let mut plots = Plots::default();
    plots.follow([("/a:x", "m")]);
    plots.record(&sample(0.0, readings(5.0)));
    plots.follow([("/b:v", "N"), ("/a:x", "m"), ("/c:x", "m")]);
    plots.record(&sample(0.5, readings(6.5)));
    plots
}

fn open(plots: Plots) -> Harness<'static, (Plots, Actions)> {
    let show = |ui: &mut egui::Ui, it: &mut (Plots, Actions)| it.0.ui(ui, &mut it.1);
    let harness = Harness::builder().with_size([1000.0, 300.0]);
    let mut window = harness.build_ui_state(show, (plots, Actions::default()));
    window.run_steps(3);
    window
}

#[test]
fn what_is_asked_for_together_shares_a_plot_where_units_agree() {
    let mut plots = Plots::default();
    plots.follow([("/a:x", "m"), ("/b:x", "m"), ("/b:v", "N"), ("/c:x", "m")]);
    plots.follow([("/d:x", "m")]);
    plots.follow([("/e:x", ""), ("/f:x", "")]);
    let paths = |plot: &Joined| plot.histories.iter().map(|it| it.path.clone()).collect::<Vec<_>>();
    let all: Vec<Vec<String>> = plots.plots.iter().map(paths).collect();
    let expected: [&[&str]; 5] =
        [&["/a:x", "/b:x", "/c:x"], &["/b:v"], &["/d:x"], &["/e:x"], &["/f:x"]];
    assert_eq!(all, expected);
    let partners: Vec<_> = (0..5).map(|place| plots.partner(place)).collect();
    assert_eq!(partners, [None, None, Some(0), None, None], "no unit is known of the last ones");
}

#[test]
fn a_peak_between_two_frames_is_in_the_curve_and_in_the_table() {
    let mut plots = Plots::default();
    plots.follow([("/a:x", "m")]);
    // Nine steps that came with one frame.
    let numbers: Vec<f64> =
        (0..9).flat_map(|k| readings(if k == 4 { 7.5 } else { 1.0 }).numbers).collect();
    let times = (0..9).map(|k| f64::from(k) * 1e-3).collect();
    plots.record(&Samples { times, readings: Readings { numbers, ..readings(0.0) } });
    let curve = &plots.plots[0].histories[0].curves[0];
    assert_eq!((curve.times.len(), curve.values[4]), (9, 7.5));
    assert!(plots.to_csv().contains("0.004,7.5\n"), "{}", plots.to_csv());
}

#[test]
fn a_vector_is_three_curves_x_y_and_z_and_a_pose_seven() {
    let plots = recorded();
    let vector = &plots.plots[1].histories[0];
    assert_eq!(vector.path, "/b:v");
    let values: Vec<_> = vector.curves.iter().map(|it| it.values.clone()).collect();
    assert_eq!(values, [vec![1.0], vec![2.0], vec![-19.5]]);
    let names: Vec<_> = (0..3).map(|k| vector.name(k)).collect();
    assert_eq!(names, ["/b:v.x", "/b:v.y", "/b:v.z"]);
    let mut pose = History::new("/b:pose".to_owned());
    pose.record(0.0, &[0.0; 7]);
    assert_eq!((pose.name(3), pose.name(6)), ("/b:pose.i".to_owned(), "/b:pose.w".to_owned()));
}

#[test]
fn a_table_reads_back_with_a_column_a_number_and_gaps_where_nothing_is_known() {
    let csv = recorded().to_csv();
    let mut table = csv::Reader::from_reader(csv.as_bytes());
    let heading: Vec<String> = table.headers().unwrap().iter().map(str::to_owned).collect();
    assert_eq!(heading, ["time", "/a:x", "/b:v.x", "/b:v.y", "/b:v.z", "/c:x"]);
    let rows: Vec<Vec<String>> =
        table.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
    let expected = [["0", "5", "", "", "", ""], ["0.5", "6.5", "1", "2", "-19.5", "9"]];
    assert_eq!(rows, expected);
}

#[test]
fn a_drawing_is_xml_with_a_curve_a_number_from_corner_to_corner() {
    let mut plots = Plots::default();
    plots.follow([("/a<&:x", "m")]);
    let paths = Arc::new(vec!["/a<&:x".to_owned()]);
    for (time, x) in [(0.0, 5.0), (0.25, 5.5), (0.5, 6.0)] {
        let (paths, offsets) = (paths.clone(), vec![0, 1]);
        plots.record(&sample(time, Readings { paths, offsets, numbers: vec![x] }));
    }
    let svg = plots.to_svg([800.0, 320.0]);
    let document = roxmltree::Document::parse(&svg).expect("it is XML");
    let all = |tag: &'static str| document.descendants().filter(move |it| it.has_tag_name(tag));
    let lines: Vec<_> = all("polyline").collect();
    assert_eq!(lines.len(), 1);
    let points: Vec<f64> = lines[0]
        .attribute("points")
        .unwrap()
        .split([',', ' '])
        .filter(|it| !it.is_empty())
        .map(|it| it.parse().unwrap())
        .collect();
    // The axes are from 70 to 784 and from 280 up to 18.
    assert_eq!(points, [70.0, 280.0, 427.0, 149.0, 784.0, 18.0]);
    let texts: Vec<_> = all("text").filter_map(|it| it.text()).collect();
    for expected in ["/a<&:x", "[m]", "time [s]", "5.6", "0.2"] {
        assert!(texts.contains(&expected), "{expected} is not in {texts:?}");
    }
    assert_eq!(recorded().to_svg([800.0, 320.0]).matches("<polyline").count(), 5);
}

#[test]
fn buttons_of_plots_save_join_remove_and_close() {
    let mut window = open(recorded());
    window.get_by_label("Save CSV").click();
    window.run_steps(2);
    window.get_by_label("Save SVG").click();
    window.run_steps(2);
    let files = &window.state().1.files;
    assert_eq!(files[0], ("plots.csv".to_owned(), recorded().to_csv()));
    assert_eq!(files[1], ("plots.svg".to_owned(), recorded().to_svg(SAVED)));
    let joins: Vec<_> = window.get_all_by_label("Join").collect();
    let enabled: Vec<_> = joins.iter().map(|it| !it.accesskit_node().is_disabled()).collect();
    assert_eq!(enabled, [false, false, true], "newtons are not joined to metres");
    joins[2].click();
    window.run_steps(2);
    assert_eq!(window.state().0.paths(), ["/a:x", "/c:x", "/b:v"]);
    assert_eq!(window.state().0.plots.len(), 2);
    window.get_by_label("a:x ×").click();
    window.run_steps(2);
    assert_eq!(window.state().0.paths(), ["/c:x", "/b:v"]);
    window.get_by_label("c:x ×").click();
    window.run_steps(2);
    assert_eq!((window.state().0.paths().len(), window.state().0.plots.len()), (1, 1));
    window.get_by_label("Close").click();
    window.run_steps(2);
    assert!(window.state().0.paths().is_empty());
    window.state_mut().0 = recorded();
    window.run_steps(2);
    window.get_by_label("Clear").click();
    window.run_steps(2);
    assert!(window.query_by_label_contains("right-click").is_some());
}

#[test]
fn the_values_at_the_pointer_are_told_and_else_the_last_ones() {
    let mut plots = Plots::default();
    plots.follow([("/a:x", "m")]);
    for k in 0..=10 {
        plots.record(&sample(f64::from(k), readings(2.0 * f64::from(k))));
    }
    let mut window = open(plots);
    assert!(window.query_by_label("20 m").is_some());
    assert_eq!(window.state().0.cursor, None);
    window.hover_at(egui::pos2(500.0, 150.0));
    window.run_steps(3);
    let time = window.state().0.cursor.expect("the pointer is in the plot");
    assert!((3.0..7.0).contains(&time), "{time}");
    let told = format!("{} m", 2.0 * time.floor());
    assert!(window.query_by_label(&told).is_some(), "{told} at {time}");
    window.remove_cursor();
    window.run_steps(2);
    assert!(window.query_by_label("20 m").is_some());
}
