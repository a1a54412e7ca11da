//! Numbers in a row, from a seed or from bytes.

/// A source of numbers that are the same for the same seed or bytes.
#[derive(Clone, Debug)]
pub enum Draws {
    /// SplitMix64 (Steele2014) from this state.
    Seed(u64),
    /// Two bytes a number, then zeros.
    Bytes(std::vec::IntoIter<u8>),
}

impl Draws {
    /// Numbers of a seed.
    pub fn from_seed(seed: u64) -> Self {
        Self::Seed(seed)
    }

    /// Numbers of some bytes; zeros when these have come to their end.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self::Bytes(Vec::from(bytes).into_iter())
    }

    /// A number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        match self {
            Self::Seed(state) => {
                *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let mut z = *state;
                z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                (z ^ (z >> 31)) as f64 / 2f64.powi(64)
            }
            Self::Bytes(bytes) => {
                let mut byte = || f64::from(bytes.next().unwrap_or(0));
                (byte() * 256.0 + byte()) / 65536.0
            }
        }
    }

    /// A number in [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A whole number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        ((self.unit() * count as f64) as usize).min(count - 1)
    }

    /// True as often as that.
    pub fn chance(&mut self, share: f64) -> bool {
        self.unit() < share
    }

    /// One of a list.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// A vector with components in [-most, most).
    pub fn vector(&mut self, most: f64) -> sinew::Vec3 {
        sinew::Vec3::from_fn(|_, _| self.between(-most, most))
    }
}
