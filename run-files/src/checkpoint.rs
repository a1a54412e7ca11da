//! Checkpoints of runs: a heading with a version and the hash of the model, the numbers of a
//! waypoint, data of the run itself, and a checksum of all of it. Little-endian; lengths are
//! checked before memory is taken.

mod codec;
mod fault;

use std::path::Path;

use sha2::{Digest, Sha256};
use sinew::io::read_file;
use sinew::model::Model;
use sinew::property::{PropertyType, Setting, Value};
use sinew::schedule::Waypoint;
use sinew::system::{ContactForce, PrescribedMomentum, State};

use crate::RecordingError;
use crate::persist::write_whole;
use codec::{Reader, Writer};
pub use fault::{CheckpointFault, VERSION};

/// First bytes of a file.
const MAGIC: &[u8; 8] = b"SINEWCKP";
/// Largest file that is read [byte]: a state of some 80 million nodes.
const MAX_BYTES: u64 = 4 << 30;
/// Length of a SHA-256 [bytes].
const HASH: usize = 32;

/// A SHA-256 sum.
pub type Hash = [u8; HASH];

/// Everything that a run is resumed from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checkpoint {
    /// Hash of the model, and of the options that decide what is computed.
    pub model: Hash,
    /// State of the run.
    pub waypoint: Waypoint,
    /// Data of the program that runs the model, in a form of its own.
    pub extra: Vec<u8>,
}

/// Hash of a model as it is now, and of words that decide what is computed from it.
pub fn model_hash(model: &Model, words: &[String]) -> Hash {
    let mut hash = Sha256::new();
    // A model is made of maps with keys of text; writing to a hash cannot fail.
    let _ = serde_json::to_writer(&mut HashWriter(&mut hash), model);
    for word in words {
        hash.update((word.len() as u64).to_le_bytes());
        hash.update(word);
    }
    hash.finalize().into()
}

struct HashWriter<'h>(&'h mut Sha256);

impl std::io::Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Checkpoint {
    /// Writes it beside `path`, has the disk take it, and renames it: a checkpoint that was there stays
    /// until then.
    ///
    /// # Errors
    /// The system's refusal.
    pub fn save(&self, path: &Path) -> Result<(), RecordingError> {
        write_whole(path, &self.to_bytes())
    }

    /// Reads a file back.
    ///
    /// # Errors
    /// A file that is none, is cut off, was changed, or is of another version.
    pub fn load(path: &Path) -> Result<Self, RecordingError> {
        let bytes = read_file(path, MAX_BYTES).map_err(RecordingError::system("read", path))?;
        Self::from_bytes(&bytes)
            .map_err(|fault| RecordingError::Checkpoint { path: path.to_owned(), fault })
    }

    /// The bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.raw(MAGIC);
        out.raw(&VERSION.to_le_bytes());
        out.raw(&self.model);
        put_waypoint(&mut out, &self.waypoint);
        out.bytes(&self.extra);
        let sum = Sha256::digest(&out.0);
        out.raw(&sum);
        out.0
    }

    /// The checkpoint in the bytes of a file, or what is wrong with them.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CheckpointFault> {
        let Some((body, sum)) = bytes.split_last_chunk::<HASH>() else {
            return Err(CheckpointFault::Short);
        };
        let Some(rest) = body.strip_prefix(MAGIC) else {
            return Err(CheckpointFault::Foreign);
        };
        let mut reader = Reader(rest);
        let version = reader.u32()?;
        if version != VERSION {
            return Err(CheckpointFault::Version(version));
        }
        if Sha256::digest(body)[..] != sum[..] {
            return Err(CheckpointFault::Checksum);
        }
        let model = reader.array::<HASH>()?;
        let waypoint = waypoint(&mut reader)?;
        let extra = reader.bytes()?.to_vec();
        match reader.0 {
            [] => Ok(Self { model, waypoint, extra }),
            more => Err(CheckpointFault::Trailing(more.len())),
        }
    }
}

fn put_waypoint(out: &mut Writer, waypoint: &Waypoint) {
    let State { time, q, u, memory, multipliers, contacts, range_forces, coordinates, prescribed } =
        &waypoint.state;
    out.f64(*time);
    out.u64(waypoint.steps);
    out.vectors(q);
    out.vectors(u);
    for numbers in [memory, multipliers, range_forces, coordinates] {
        out.numbers(numbers);
    }
    out.u64(contacts.len() as u64);
    for contact in contacts {
        out.u64(contact.pair.into());
        out.u64(contact.a.into());
        out.u64(contact.key);
        let vectors = [contact.point, contact.normal, contact.force];
        vectors.iter().flatten().for_each(|x| out.f64(*x));
        out.f64(contact.gap);
    }
    out.u64(prescribed.len() as u64);
    for it in prescribed {
        out.u64(it.row.into());
        [it.momentum, it.force].iter().flatten().for_each(|x| out.f64(*x));
    }
    out.u64(waypoint.settings.len() as u64);
    for (path, setting) in &waypoint.settings {
        out.bytes(path.as_bytes());
        put_setting(out, setting);
    }
    for lists in [&waypoint.memories, &waypoint.inputs, &waypoint.outputs] {
        out.u64(lists.len() as u64);
        lists.iter().for_each(|list| out.numbers(list));
    }
}

/// Numbers as they are, everything else as text.
fn put_setting(out: &mut Writer, setting: &Setting) {
    match setting {
        Setting::Inherited => out.bytes(b"inherited"),
        Setting::Explicit(value) => {
            out.bytes(value.type_name().as_bytes());
            out.numbers(&value.numbers().collect::<Vec<_>>());
            out.bytes(value.to_string().as_bytes());
        }
    }
}

fn waypoint(reader: &mut Reader<'_>) -> Result<Waypoint, CheckpointFault> {
    let (time, steps) = (reader.f64()?, reader.u64()?);
    let (q, u) = (reader.vectors()?, reader.vectors()?);
    let [memory, multipliers] = [reader.numbers()?, reader.numbers()?];
    let [range_forces, coordinates] = [reader.numbers()?, reader.numbers()?];
    // Three whole numbers, ten others.
    let count = reader.count(13 * 8)?;
    let contacts = (0..count).map(|_| contact(reader)).collect::<Result<_, _>>()?;
    // A whole number, six others.
    let count = reader.count(7 * 8)?;
    let prescribed = (0..count).map(|_| momentum(reader)).collect::<Result<_, _>>()?;
    let state =
        State { time, q, u, memory, multipliers, contacts, range_forces, coordinates, prescribed };
    let count = reader.count(16)?;
    let named = |reader: &mut Reader<'_>| Ok((reader.text()?, setting(reader)?));
    let settings = (0..count).map(|_| named(reader)).collect::<Result<_, CheckpointFault>>()?;
    let mut lists = || -> Result<Vec<Vec<f64>>, CheckpointFault> {
        let count = reader.count(8)?;
        (0..count).map(|_| reader.numbers()).collect()
    };
    let (memories, inputs, outputs) = (lists()?, lists()?, lists()?);
    Ok(Waypoint { state, steps, settings, memories, inputs, outputs })
}

fn contact(reader: &mut Reader<'_>) -> Result<ContactForce, CheckpointFault> {
    let small = |x: u64| u32::try_from(x).map_err(|_| CheckpointFault::ContactNumber(x));
    Ok(ContactForce {
        pair: small(reader.u64()?)?,
        a: small(reader.u64()?)?,
        key: reader.u64()?,
        point: reader.vector()?,
        normal: reader.vector()?,
        force: reader.vector()?,
        gap: reader.f64()?,
    })
}

fn momentum(reader: &mut Reader<'_>) -> Result<PrescribedMomentum, CheckpointFault> {
    let row = reader.u64()?;
    let row = u32::try_from(row).map_err(|_| CheckpointFault::ContactNumber(row))?;
    Ok(PrescribedMomentum { row, momentum: reader.vector()?, force: reader.vector()? })
}

fn setting(reader: &mut Reader<'_>) -> Result<Setting, CheckpointFault> {
    let name = reader.text()?;
    if name == "inherited" {
        return Ok(Setting::Inherited);
    }
    let (numbers, text) = (reader.numbers()?, reader.text()?);
    let of_numbers = [
        PropertyType::Bool,
        PropertyType::Int,
        PropertyType::Real,
        PropertyType::Vector,
        PropertyType::Matrix,
        PropertyType::Pose,
        PropertyType::Colour,
        PropertyType::List,
    ];
    if let Some(ty) = of_numbers.into_iter().find(|ty| ty.name() == name) {
        let value = Value::from_numbers(ty, &numbers);
        return value.map(Setting::Explicit).ok_or(CheckpointFault::Value { text, ty: name });
    }
    let value = match name.as_str() {
        "path" => Value::parse(PropertyType::Path, &text),
        "paths" => Value::parse(PropertyType::Paths, &text),
        // A choice is told by its word too.
        _ => Some(Value::Text(text)),
    };
    value.map(Setting::Explicit).ok_or(CheckpointFault::Type(name))
}
