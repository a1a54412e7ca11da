//! Rows written by a thread of their own while the simulation goes on. A wide row takes longer to be put
//! into words than to be handed over.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use sinew::schedule::{CallbackError, Sink};

/// Numbers that may wait to be written: 4 MB.
const MOST_WAITING: usize = 1 << 19;
/// More rows than this do not make a disk faster.
const MOST_ROWS: usize = 64;

/// Task of the thread.
enum Job {
    /// A time and values.
    Write(Vec<f64>),
    /// Tell the place.
    Position,
    GoBack(u64),
    Finish,
}

/// A sink in a thread. What fails is told by the next call.
pub(super) struct Background {
    /// `None` only while it is dropped.
    jobs: Option<SyncSender<Job>>,
    /// Places, and zeros for what has none.
    done: Receiver<Result<u64, CallbackError>>,
    /// Rows to be filled again.
    spare: Receiver<Vec<f64>>,
    /// Error of a row that was not written; rows behind it are not written either.
    failure: Arc<Mutex<Option<CallbackError>>>,
    thread: Option<JoinHandle<()>>,
}

impl Background {
    /// Takes `sink` for rows of `width` values to a thread.
    ///
    /// # Errors
    /// A system that has no more threads.
    pub(super) fn new(sink: Box<dyn Sink>, width: usize) -> std::io::Result<Self> {
        let depth = (MOST_WAITING / (width + 1)).clamp(2, MOST_ROWS);
        let (jobs, todo) = sync_channel(depth);
        let (tell, done) = sync_channel(1);
        let (give_back, spare) = sync_channel(depth);
        let failure = Arc::new(Mutex::new(None));
        let worker = Worker { sink, tell, give_back, failure: Arc::clone(&failure) };
        let named = std::thread::Builder::new().name("probe".into());
        let thread = Some(named.spawn(move || worker.work(&todo))?);
        Ok(Self { jobs: Some(jobs), done, spare, failure, thread })
    }

    fn send(&self, job: Job) -> Result<(), CallbackError> {
        let sent = self.jobs.as_ref().and_then(|jobs| jobs.send(job).ok());
        sent.ok_or_else(|| "the thread that writes has ended".into())
    }

    /// Has a job done behind all rows.
    fn ask(&self, job: Job) -> Result<u64, CallbackError> {
        self.send(job)?;
        self.done.recv().unwrap_or_else(|_| Err("the thread that writes has ended".into()))
    }
}

impl Sink for Background {
    fn write(&mut self, time: f64, values: &[f64]) -> Result<(), CallbackError> {
        if let Some(failure) = take(&self.failure) {
            return Err(failure);
        }
        let mut row = self.spare.try_recv().unwrap_or_default();
        row.clear();
        row.push(time);
        row.extend_from_slice(values);
        self.send(Job::Write(row))
    }

    fn place(&mut self) -> Result<u64, CallbackError> {
        self.ask(Job::Position)
    }

    fn go_back(&mut self, place: u64) -> Result<(), CallbackError> {
        self.ask(Job::GoBack(place)).map(|_| ())
    }

    fn finish(&mut self) -> Result<(), CallbackError> {
        self.ask(Job::Finish).map(|_| ())
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // Without jobs to come the thread writes those that wait, and ends.
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // What it panicked with was printed.
            let _ = thread.join();
        }
    }
}

struct Worker {
    sink: Box<dyn Sink>,
    tell: SyncSender<Result<u64, CallbackError>>,
    give_back: SyncSender<Vec<f64>>,
    failure: Arc<Mutex<Option<CallbackError>>>,
}

impl Worker {
    fn work(mut self, todo: &Receiver<Job>) {
        while let Ok(job) = todo.recv() {
            let row = match job {
                Job::Write(row) => row,
                other => {
                    let done = self.answer(&other);
                    if self.tell.send(done).is_err() {
                        return;
                    }
                    continue;
                }
            };
            if let (false, [time, values @ ..]) = (self.has_failed(), &row[..])
                && let Err(error) = self.sink.write(*time, values)
            {
                *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            }
            // As many wait to be filled as can be used.
            let _ = self.give_back.try_send(row);
        }
    }

    fn has_failed(&self) -> bool {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    fn answer(&mut self, job: &Job) -> Result<u64, CallbackError> {
        if let Some(failure) = take(&self.failure) {
            return Err(failure);
        }
        match job {
            Job::Position => self.sink.place(),
            Job::GoBack(place) => self.sink.go_back(*place).map(|()| 0),
            Job::Finish | Job::Write(_) => self.sink.finish().map(|()| 0),
        }
    }
}

fn take(failure: &Mutex<Option<CallbackError>>) -> Option<CallbackError> {
    failure.lock().unwrap_or_else(PoisonError::into_inner).take()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows in memory, of which one cannot be taken while `is_full`.
    struct Small {
        rows: Arc<Mutex<Vec<Vec<f64>>>>,
        is_full: Arc<Mutex<bool>>,
    }

    impl Sink for Small {
        fn write(&mut self, time: f64, values: &[f64]) -> Result<(), CallbackError> {
            if *self.is_full.lock().unwrap() {
                return Err("it is full".into());
            }
            self.rows.lock().unwrap().push([&[time], values].concat());
            Ok(())
        }

        fn place(&mut self) -> Result<u64, CallbackError> {
            Ok(self.rows.lock().unwrap().len() as u64)
        }

        fn go_back(&mut self, place: u64) -> Result<(), CallbackError> {
            self.rows.lock().unwrap().truncate(place as usize);
            Ok(())
        }
    }

    type Shared<T> = Arc<Mutex<T>>;

    fn small() -> (Background, Shared<Vec<Vec<f64>>>, Shared<bool>) {
        let (rows, is_full) = (Shared::default(), Shared::default());
        let sink = Small { rows: Arc::clone(&rows), is_full: Arc::clone(&is_full) };
        (Background::new(Box::new(sink), 2).unwrap(), rows, is_full)
    }

    #[test]
    fn rows_are_written_in_their_order_and_all_of_them_at_a_place() {
        let (mut sink, rows, _) = small();
        for k in 0..1000 {
            sink.write(f64::from(k), &[1.0, 2.0]).unwrap();
        }
        assert_eq!(sink.place().unwrap(), 1000);
        assert!((0..1000).all(|k| rows.lock().unwrap()[k] == [k as f64, 1.0, 2.0]));
        sink.go_back(3).unwrap();
        sink.write(7.0, &[0.0, 0.0]).unwrap();
        drop(sink);
        assert_eq!(rows.lock().unwrap().len(), 4);
        assert_eq!(rows.lock().unwrap()[3][0], 7.0);
    }

    #[test]
    fn a_failure_is_told_once_and_no_row_behind_it_is_written() {
        let (mut sink, rows, is_full) = small();
        sink.write(0.0, &[1.0, 1.0]).unwrap();
        sink.place().unwrap();
        *is_full.lock().unwrap() = true;
        let failed = (0..MOST_ROWS + 2).find_map(|k| sink.write(k as f64, &[2.0, 2.0]).err());
        let failed = failed.or_else(|| sink.place().err()).unwrap();
        assert_eq!(failed.to_string(), "it is full");
        *is_full.lock().unwrap() = false;
        let _ = sink.place();
        let written = rows.lock().unwrap().len();
        sink.write(9.0, &[3.0, 3.0]).unwrap();
        sink.finish().unwrap();
        let rows = rows.lock().unwrap();
        assert_eq!((rows[0][0], rows[written][0], rows.len()), (0.0, 9.0, written + 1));
    }
}
