//! Runs a program on the twins.

use crate::cpu::{Buffer, Call, Real};
use crate::kernel::{Access, Scalar};
use crate::program::{BufferId, Command, Data, Dispatch, ListId, Program};
use crate::source::Precision;

/// Runs the kernels that have no twin in this crate: those over elements.
pub trait ElementTwins<T: Real>: Send {
    /// Runs one call.
    fn run(&self, dispatch: &Dispatch, call: Call<'_, '_, T>);
}

/// Memory of a program, and its execution by the twins with `real` = T.
#[derive(Debug)]
pub struct Machine<T> {
    program: Program,
    memory: Vec<Memory<T>>,
}

#[derive(Clone, Debug)]
enum Memory<T> {
    Words(Vec<u32>),
    Floats(Vec<f32>),
    Reals(Vec<T>),
}

impl<T: Real> Machine<T> {
    /// Takes a program and fills its buffers.
    ///
    /// # Panics
    /// When the precision of the program is not that of `T`.
    pub fn new(program: Program) -> Self {
        let bytes = size_of::<T>() as u64;
        assert_eq!(program.precision.real_bytes(), bytes, "precision of the program");
        let memory = program.buffers.iter().map(|spec| match (&spec.contents, spec.scalar) {
            (Some(Data::Words(v)), _) => Memory::Words(v.clone()),
            (Some(Data::Floats(v)), _) => Memory::Floats(v.clone()),
            (Some(Data::Reals(v)), _) => Memory::Reals(v.iter().map(|&x| T::of(x)).collect()),
            (None, Scalar::Word) => Memory::Words(vec![0; spec.length]),
            (None, Scalar::Float) => Memory::Floats(vec![0.0; spec.length]),
            (None, Scalar::Real) => Memory::Reals(vec![T::default(); spec.length]),
        });
        Self { memory: memory.collect(), program }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Runs a list.
    pub fn run(&mut self, list: ListId, elements: &dyn ElementTwins<T>) {
        for k in 0..self.program.lists[list.0 as usize].len() {
            let command = self.program.lists[list.0 as usize][k].clone();
            self.execute(&command, elements);
        }
    }

    /// Runs one command.
    pub fn execute(&mut self, command: &Command, elements: &dyn ElementTwins<T>) {
        match command {
            Command::Clear(id) => match &mut self.memory[id.0 as usize] {
                Memory::Words(v) => v.fill(0),
                Memory::Floats(v) => v.fill(0.0),
                Memory::Reals(v) => v.fill(T::default()),
            },
            Command::Copy { from, to } => {
                self.memory[to.0 as usize] = self.memory[from.0 as usize].clone();
            }
            Command::Dispatch(dispatch) => self.dispatch(dispatch, elements),
        }
    }

    fn dispatch(&mut self, dispatch: &Dispatch, elements: &dyn ElementTwins<T>) {
        let written = |k: usize| {
            let access = dispatch.kernel.bindings[k + 1].access;
            matches!(access, Access::Write | Access::Update | Access::Atomic)
        };
        // What is written is taken out, so that the rest may be lent.
        let mut taken: Vec<Option<Memory<T>>> = (dispatch.bindings.iter().enumerate())
            .map(|(k, id)| {
                let empty = Memory::Words(Vec::new());
                written(k).then(|| std::mem::replace(&mut self.memory[id.0 as usize], empty))
            })
            .collect();
        let mut buffers: Vec<Buffer<'_, T>> = (dispatch.bindings.iter().zip(&mut taken))
            .map(|(id, taken)| match (taken, &self.memory[id.0 as usize]) {
                (Some(Memory::Words(v)), _) => Buffer::WordsMut(v),
                (Some(Memory::Floats(v)), _) => Buffer::FloatsMut(v),
                (Some(Memory::Reals(v)), _) => Buffer::RealsMut(v),
                (None, Memory::Words(v)) => Buffer::Words(v),
                (None, Memory::Floats(v)) => Buffer::Floats(v),
                (None, Memory::Reals(v)) => Buffer::Reals(v),
            })
            .collect();
        let call =
            Call { params: &dispatch.params, groups: dispatch.groups, buffers: &mut buffers };
        match dispatch.kernel.twin {
            Some(twin) => T::call(twin, call),
            None => elements.run(dispatch, call),
        }
        drop(buffers);
        for (id, taken) in dispatch.bindings.iter().zip(taken) {
            if let Some(memory) = taken {
                self.memory[id.0 as usize] = memory;
            }
        }
    }

    /// The bytes of a buffer, `real` in the precision of the program.
    pub fn bytes(&self, id: BufferId) -> &[u8] {
        match &self.memory[id.0 as usize] {
            Memory::Words(v) => bytemuck::cast_slice(v),
            Memory::Floats(v) => bytemuck::cast_slice(v),
            Memory::Reals(v) => bytemuck::cast_slice(v),
        }
    }

    /// The same, to be written.
    pub fn bytes_mut(&mut self, id: BufferId) -> &mut [u8] {
        match &mut self.memory[id.0 as usize] {
            Memory::Words(v) => bytemuck::cast_slice_mut(v),
            Memory::Floats(v) => bytemuck::cast_slice_mut(v),
            Memory::Reals(v) => bytemuck::cast_slice_mut(v),
        }
    }

    /// Precision of `real`.
    pub fn precision(&self) -> Precision {
        self.program.precision
    }
}
