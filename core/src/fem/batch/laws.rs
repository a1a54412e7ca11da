//! Laws that elements of a batch compute with: one for all, or one for each where constants of their law vary.

/// A law, or a part of one, of every element of a batch.
#[derive(Clone, Debug)]
pub(super) struct Each<T> {
    all: T,
    /// One an element; empty where they are alike.
    own: Vec<T>,
}

impl<T> Each<T> {
    /// `all` where `own` is empty.
    pub(super) fn new(all: T, own: Vec<T>) -> Self {
        Self { all, own }
    }

    /// That of element `e`.
    #[inline(always)]
    pub(super) fn of(&self, e: usize) -> &T {
        if self.own.is_empty() { &self.all } else { &self.own[e] }
    }

    /// That of all, where they do not differ.
    pub(super) fn all(&self) -> &T {
        &self.all
    }

    /// One an element; empty where they are alike.
    pub(super) fn own(&self) -> &[T] {
        &self.own
    }

    /// True if elements differ.
    pub(super) fn varies(&self) -> bool {
        !self.own.is_empty()
    }

    /// Numbers that follow from each.
    pub(super) fn map<U>(&self, f: impl Fn(&T) -> U) -> Each<U> {
        Each { all: f(&self.all), own: self.own.iter().map(f).collect() }
    }
}
