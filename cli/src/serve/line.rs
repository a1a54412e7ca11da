//! The connection to a controller: lines of JSON, one sent and one awaited.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::error::ServeError;

/// Longest line of a controller [bytes].
const LONGEST: u64 = 1 << 20;
/// Pause between two looks for a connection.
const PAUSE: Duration = Duration::from_millis(5);

/// A controller.
pub(super) struct Line {
    from: BufReader<TcpStream>,
    to: TcpStream,
    timeout: f64,
}

impl Line {
    /// Waits for a controller.
    pub(super) fn accept(listener: &TcpListener, timeout: f64) -> Result<Self, ServeError> {
        let address = listener.local_addr().map_or_else(|_| "?".to_owned(), |it| it.to_string());
        let failed = |why| ServeError::Listen { address: address.clone(), why };
        listener.set_nonblocking(true).map_err(failed)?;
        let end = Instant::now() + Duration::from_secs_f64(timeout.min(1e9));
        let stream = loop {
            match listener.accept() {
                Ok((stream, _)) => break stream,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(failed(error)),
            }
            if Instant::now() > end {
                return Err(ServeError::Nobody { address, timeout });
            }
            std::thread::sleep(PAUSE);
        };
        stream.set_nonblocking(false).map_err(failed)?;
        stream.set_nodelay(true).map_err(failed)?;
        stream.set_read_timeout(Some(Duration::from_secs_f64(timeout.min(1e9)))).map_err(failed)?;
        let from = BufReader::new(stream.try_clone().map_err(failed)?);
        Ok(Self { from, to: stream, timeout })
    }

    /// Sends a line at a simulated time [s].
    pub(super) fn send(&mut self, message: &Value, time: f64) -> Result<(), ServeError> {
        let sent = self.to.write_all(format!("{message}\n").as_bytes());
        sent.map_err(|error| ServeError::Gone { time, why: error.to_string() })
    }

    /// The answer to the last line.
    pub(super) fn receive(&mut self, time: f64) -> Result<Value, ServeError> {
        let mut text = Vec::new();
        let read = self.from.by_ref().take(LONGEST).read_until(b'\n', &mut text);
        match read {
            Ok(0) => Err(ServeError::Gone { time, why: "the connection was closed".to_owned() }),
            Ok(count) if count as u64 == LONGEST => {
                let why = format!("it is longer than {LONGEST} bytes; send one line an exchange");
                Err(ServeError::Answer { time, why })
            }
            Ok(_) => serde_json::from_slice(&text).map_err(|error| {
                let why = format!("{error}; send one object of JSON a line");
                ServeError::Answer { time, why }
            }),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                Err(ServeError::Silent { time, timeout: self.timeout })
            }
            Err(error) => Err(ServeError::Gone { time, why: error.to_string() }),
        }
    }
}
