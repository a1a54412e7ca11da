//! Snapshots cross from thread to thread whole, and neither side waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sinew::schedule::{Command, NoFiles, Session};
use sinew::snapshot::{NullSink, RecordSink, SnapshotSink, exchange};

use crate::scenes::{built, scheduler, wait};

/// Fills the back with `number` throughout.
fn fill(sink: &mut dyn SnapshotSink, number: u64) {
    let back = sink.back();
    (back.serial, back.time) = (number, number as f64);
    back.points.clear();
    back.points.resize(1000, [number as f32; 3]);
    sink.publish();
}

#[test]
fn no_snapshot_is_ever_torn_and_none_comes_out_of_order() {
    let (mut writer, mut reader) = exchange();
    let done = Arc::new(AtomicBool::new(false));
    let seen = done.clone();
    let thread = std::thread::spawn(move || {
        for number in 1..=20_000 {
            fill(&mut writer, number);
        }
        seen.store(true, Ordering::Release);
    });
    let (mut last, mut count) = (0, 0);
    loop {
        let over = done.load(Ordering::Acquire);
        if reader.update() {
            let front = reader.front();
            assert!(front.serial > last, "{} after {last}", front.serial);
            assert_eq!(front.points.len(), 1000);
            let number = front.serial as f32;
            assert!(front.points.iter().all(|p| *p == [number; 3]), "torn at {number}");
            (last, count) = (front.serial, count + 1);
        } else if over {
            break;
        }
    }
    thread.join().unwrap();
    assert_eq!(last, 20_000, "the last one arrives");
    assert!(count > 1, "{count}");
}

#[test]
fn the_front_stays_as_it_is_until_it_is_updated() {
    let (mut writer, mut reader) = exchange();
    fill(&mut writer, 1);
    assert!(!writer.was_read());
    assert!(reader.update() && writer.was_read());
    (2..10).for_each(|number| fill(&mut writer, number));
    assert_eq!(reader.front().serial, 1);
    assert!(reader.update() && !reader.update());
    assert_eq!(reader.front().serial, 9);
}

#[test]
fn a_record_keeps_them_all_and_a_null_sink_none() {
    let mut record = RecordSink::default();
    (1..4).for_each(|number| fill(&mut record, number));
    let serials: Vec<u64> = record.snapshots.iter().map(|it| it.serial).collect();
    assert_eq!(serials, [1, 2, 3]);
    fill(&mut NullSink::default(), 1);
}

#[test]
fn a_window_that_takes_no_snapshot_does_not_hold_the_simulation_up() {
    let session = Session::start(|| Ok(scheduler(built("boxes", &[]), 0.01)), Box::new(NoFiles));
    wait(&session, |status| status.loaded);
    session.send(Command::RunUntil(2.0));
    // Nothing is read: not one snapshot is taken, and the run comes to its end.
    std::thread::sleep(Duration::from_millis(50));
    wait(&session, |status| !status.playing && status.step_seconds > 0.0);
    let notes = session.take_notes();
    assert!(notes.iter().any(|note| (note.time - 2.0).abs() < 1e-9), "{notes:?}");
    session.finish();
}

#[test]
fn a_slow_simulation_does_not_hold_its_reader_up() {
    let make = || {
        let mut scheduler = scheduler(built("boxes", &[]), 0.01);
        scheduler.simulation_mut().add_monitor("slow", |_| {
            std::thread::sleep(Duration::from_millis(400));
            Ok(())
        });
        Ok(scheduler)
    };
    let mut session = Session::start(make, Box::new(NoFiles));
    wait(&session, |status| status.loaded);
    session.send(Command::Play);
    // A frame that waited for a step would take 400 ms; that of all hundred none does is no question of
    // a busy machine.
    let slow = (0..100).filter(|_| {
        let begun = std::time::Instant::now();
        session.reader().update();
        drop(session.status());
        std::thread::sleep(Duration::from_millis(1));
        begun.elapsed() > Duration::from_millis(300)
    });
    assert!(slow.count() < 5);
    session.finish();
}
