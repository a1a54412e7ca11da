//! Numbers and lists as bytes.

use sinew::Vec3;

use super::fault::CheckpointFault;

/// Appends to bytes.
#[derive(Default)]
pub(super) struct Writer(pub(super) Vec<u8>);

impl Writer {
    pub(super) fn raw(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    pub(super) fn u64(&mut self, x: u64) {
        self.raw(&x.to_le_bytes());
    }

    pub(super) fn f64(&mut self, x: f64) {
        self.raw(&x.to_le_bytes());
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.u64(bytes.len() as u64);
        self.raw(bytes);
    }

    pub(super) fn numbers(&mut self, numbers: &[f64]) {
        self.u64(numbers.len() as u64);
        numbers.iter().for_each(|x| self.f64(*x));
    }

    pub(super) fn vectors(&mut self, vectors: &[Vec3]) {
        self.u64(vectors.len() as u64);
        vectors.iter().flatten().for_each(|x| self.f64(*x));
    }
}

/// Takes from bytes.
pub(super) struct Reader<'b>(pub(super) &'b [u8]);

impl<'b> Reader<'b> {
    fn take(&mut self, count: usize) -> Result<&'b [u8], CheckpointFault> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(CheckpointFault::Ended)?;
        self.0 = rest;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], CheckpointFault> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub(super) fn u32(&mut self) -> Result<u32, CheckpointFault> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Result<u64, CheckpointFault> {
        self.array().map(u64::from_le_bytes)
    }

    pub(super) fn f64(&mut self) -> Result<f64, CheckpointFault> {
        self.array().map(f64::from_le_bytes)
    }

    /// Count of the following entries of at least `size` [bytes]: no more than there are bytes for.
    pub(super) fn count(&mut self, size: usize) -> Result<usize, CheckpointFault> {
        let count = self.u64()?;
        match usize::try_from(count) {
            Ok(count) if count <= self.0.len() / size => Ok(count),
            _ => Err(CheckpointFault::Count(count)),
        }
    }

    pub(super) fn bytes(&mut self) -> Result<&'b [u8], CheckpointFault> {
        let count = self.count(1)?;
        self.take(count)
    }

    pub(super) fn text(&mut self) -> Result<String, CheckpointFault> {
        let bytes = self.bytes()?.to_vec();
        String::from_utf8(bytes).map_err(|_| CheckpointFault::Text)
    }

    pub(super) fn numbers(&mut self) -> Result<Vec<f64>, CheckpointFault> {
        let count = self.count(8)?;
        (0..count).map(|_| self.f64()).collect()
    }

    pub(super) fn vector(&mut self) -> Result<Vec3, CheckpointFault> {
        Ok(Vec3::new(self.f64()?, self.f64()?, self.f64()?))
    }

    pub(super) fn vectors(&mut self) -> Result<Vec<Vec3>, CheckpointFault> {
        let count = self.count(24)?;
        (0..count).map(|_| self.vector()).collect()
    }
}
