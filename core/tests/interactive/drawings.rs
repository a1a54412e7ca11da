//! Drawings of curves on a board: every type is pulled to where a hand goes, nails hold, edits are taken back.

use sinew::interactive::{
    CurveKind, CurvePoint, Drawing, DrawingBoard, DrawingError, DrawnCurve, Nail,
};

fn board(curves: Vec<DrawnCurve>) -> DrawingBoard {
    DrawingBoard::new(Drawing { curves, nails: Vec::new() }).unwrap()
}

fn run(board: &mut DrawingBoard, steps: usize) {
    for _ in 0..steps {
        let stepped = board.step(1.0 / 60.0);
        stepped.unwrap_or_else(|error| panic!("{error}: {:?}", board.drawing()));
    }
}

fn off([x, y]: [f64; 2], [a, b]: [f64; 2]) -> f64 {
    (x - a).hypot(y - b)
}

#[test]
fn every_type_of_curve_follows_the_hand_at_any_point_of_it() {
    for kind in CurveKind::ALL {
        let curve = DrawnCurve::new("c", kind, kind.drawn([0.0, 0.0], [1.0, 0.7]));
        let mut board = board(vec![curve]);
        let points = board.points(0);
        assert!(points.iter().flatten().all(|x| x.is_finite()), "{kind:?}: {points:?}");
        let near = board.nearest([1.0, 0.7], None).unwrap();
        assert!(
            near.distance < 0.5 || kind == CurveKind::Equation,
            "{kind:?} is drawn to {:?}",
            near.place
        );
        let target = [near.place[0] + 0.3, near.place[1] + 0.2];
        board.pull(&near.point, target).unwrap();
        run(&mut board, 60);
        let missed = off(board.place_of(&near.point).unwrap(), target);
        assert!(missed < 0.02, "{kind:?} is {missed} away");
        board.release().unwrap();
        let rest = board.drawing().clone();
        run(&mut board, 2);
        assert_eq!(*board.drawing(), rest, "{kind:?} rests when it is let go");
    }
}

/// A superellipse of exponent 2 is an ellipse, one of 4 has x⁴/a⁴ + y⁴/b⁴ = 1.
#[test]
fn points_of_superellipses_satisfy_their_equation() {
    for n in [2.0_f64, 4.0] {
        let curve = DrawnCurve::new("c", CurveKind::Superellipse, vec![0.5, -1.0, 2.0, 1.0]);
        for [x, y] in board(vec![DrawnCurve { exponent: Some(n), ..curve }]).points(0) {
            let sum = ((x - 0.5) / 2.0).abs().powf(n) + (y + 1.0).abs().powf(n);
            assert!((sum - 1.0).abs() < 1e-6, "{sum} at {x}, {y}");
        }
    }
}

#[test]
fn a_circle_that_is_nailed_to_a_line_keeps_to_it_when_it_is_pulled_and_comes_back() {
    let line = DrawnCurve::new("line", CurveKind::Line, vec![-2.0, 0.0, 2.0, 0.0]);
    let circle = DrawnCurve::new("circle", CurveKind::Circle, vec![0.0, 1.0, 1.0]);
    let mut board = board(vec![line, circle]);
    let start = board.drawing().clone();
    let bottom = board.nearest([0.0, 0.0], Some("line")).unwrap();
    let middle = board.nearest([0.0, 0.0], Some("circle")).unwrap();
    assert!(bottom.distance < 1e-6 && middle.distance < 1e-6);
    let left = board.nearest([-2.0, 0.0], None).unwrap();
    board.nail(left, None).unwrap();
    board.nail(bottom.clone(), Some(middle.point.clone())).unwrap();
    let top = board.nearest([0.0, 2.0], None).unwrap();
    board.pull(&top.point, [1.0, 3.0]).unwrap();
    run(&mut board, 120);
    let place = |board: &DrawingBoard, point: &CurvePoint| board.place_of(point).unwrap();
    let gap = off(place(&board, &bottom.point), place(&board, &middle.point));
    assert!(gap < 1e-3, "the nail gives by {gap}");
    let fixed = board.drawing().nails[0].point.clone();
    assert!(off(place(&board, &fixed), [-2.0, 0.0]) < 1e-3);
    assert!(off(place(&board, &top.point), [1.0, 3.0]) < 0.05);
    board.release().unwrap();
    let svg = board.to_svg();
    assert_eq!((svg.matches("<path").count(), svg.matches("<circle").count()), (2, 2));
    while board.undo().unwrap() {}
    assert_eq!(*board.drawing(), start);
    while board.redo().unwrap() {}
    assert_eq!(board.drawing().nails.len(), 2);
    board.remove("circle").unwrap();
    assert_eq!(board.drawing().nails.len(), 1, "its nail went with it");
}

#[test]
fn what_does_not_fit_names_the_curve_or_the_nail() {
    let circle = |name: &str| DrawnCurve::new(name, CurveKind::Circle, vec![0.0, 0.0, 1.0]);
    let short = DrawnCurve { parameters: vec![1.0], ..circle("c") };
    let wild = DrawnCurve { equation: "x + ; y".to_owned(), ..circle("c") };
    let endless = DrawnCurve { range: Some([1.0, 1.0]), ..circle("c") };
    let point = |curve: &str| CurvePoint { curve: curve.to_owned(), s: 0.0 };
    let flat = DrawnCurve { exponent: Some(0.0), ..circle("c") };
    let lost = Nail { point: point("d"), to: None, at: Some([0.0; 2]) };
    let loose = Nail { point: point("c"), to: None, at: None };
    let drawing = |curves: Vec<DrawnCurve>, nails: Vec<Nail>| Drawing { curves, nails };
    for (drawing, told) in [
        (drawing(vec![short], vec![]), "takes 3 finite parameters (x, y, r)"),
        (drawing(vec![wild], vec![]), "curve 'c'"),
        (drawing(vec![flat], vec![]), "the exponent must be from 1 to 20, got 0"),
        (drawing(vec![endless], vec![]), "the range of s must rise"),
        (drawing(vec![circle("c"), circle("c")], vec![]), "two curves are named 'c'"),
        (drawing(vec![circle("c")], vec![lost]), "nail 1: there is no curve 'd'"),
        (drawing(vec![circle("c")], vec![loose]), "nail 1 is to have either"),
    ] {
        let error: DrawingError = drawing.check().unwrap_err();
        assert!(error.to_string().contains(told), "{error}");
    }
}
