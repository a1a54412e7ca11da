//! Several programs that are alike as one, whose commands work for all of them at once. Each is an instance of it.

use crate::instances::{Apart, MOST_INSTANCES};
use crate::kernel::Access;
use crate::program::{BufferId, Command, Data, LEAST_ENTRIES, Program};

/// The programs as instances of one, in their order. They share the buffers that nothing writes and that hold the same in all of
/// them. `None` where there are none or more than [`MOST_INSTANCES`], or where they are not alike
/// ([`Program::is_like`]).
pub fn joined(programs: impl IntoIterator<Item = Program>) -> Option<Program> {
    let mut programs = programs.into_iter();
    let mut whole = programs.next()?;
    let mut apart: Vec<Option<Vec<Data>>> = vec![None; whole.buffers.len()];
    let mut count = 1;
    for program in programs {
        if count == MOST_INSTANCES || !whole.is_like(&program) {
            return None;
        }
        let specs = program.buffers.into_iter().zip(&whole.buffers).zip(&mut apart);
        for ((spec, first), apart) in specs {
            if let (Some(own), Some(first)) = (spec.contents, &first.contents) {
                take(apart, own, (first, count));
            }
        }
        count += 1;
    }
    if count > 1 {
        join(&mut whole, apart, count);
    }
    Some(whole)
}

/// Takes the contents that one more instance has for a buffer; those of the `count` before it are that of the first where
/// `apart` has none yet.
fn take(apart: &mut Option<Vec<Data>>, own: Data, (first, count): (&Data, usize)) {
    match apart {
        Some(all) => all.push(own),
        None if own.bytes() == first.bytes() => {}
        None => {
            let mut all = vec![first.clone(); count];
            all.push(own);
            *apart = Some(all);
        }
    }
}

fn join(whole: &mut Program, apart: Vec<Option<Vec<Data>>>, count: usize) {
    let written = written(whole);
    whole.instances = count as u32;
    for ((spec, apart), written) in whole.buffers.iter_mut().zip(apart).zip(written) {
        spec.is_apart = written || apart.is_some() || spec.contents.is_none();
        if let (true, Some(first)) = (spec.is_apart, &spec.contents) {
            let all = apart.unwrap_or_else(|| vec![first.clone(); count]);
            spec.contents = Some(one_after_another(&all));
        }
    }
    let Program { buffers, lists, .. } = whole;
    for command in lists.iter_mut().flatten() {
        if let Command::Dispatch(call) = command {
            let own = |id: &BufferId| buffers[id.0 as usize].is_apart;
            let bindings = call.bindings.iter().enumerate();
            let own = bindings.filter(|(_, id)| own(id)).map(|(place, _)| place + 1);
            call.variant.instances = Some(Apart::of(own));
            call.cost.bytes *= count as u64;
            call.cost.flops *= count as u64;
        }
    }
}

/// True for each buffer that a command writes.
fn written(program: &Program) -> Vec<bool> {
    let mut written = vec![false; program.buffers.len()];
    for command in program.lists.iter().flatten() {
        match command {
            Command::Clear(id) | Command::Copy { to: id, .. } => written[id.0 as usize] = true,
            Command::Dispatch(call) => {
                for (binding, id) in call.kernel.bindings[1..].iter().zip(&call.bindings) {
                    written[id.0 as usize] |= binding.access != Access::Read;
                }
            }
        }
    }
    written
}

/// Contents that are as long as each other, each filled up to the fewest entries of an instance.
fn one_after_another(all: &[Data]) -> Data {
    fn joined<'a, T: Copy + Default + 'a>(parts: impl Iterator<Item = &'a Vec<T>>) -> Vec<T> {
        let mut whole = Vec::new();
        for part in parts {
            whole.extend_from_slice(part);
            whole.resize(whole.len() + LEAST_ENTRIES.saturating_sub(part.len()), T::default());
        }
        whole
    }
    match &all[0] {
        Data::Words(_) => Data::Words(joined(all.iter().filter_map(|data| match data {
            Data::Words(part) => Some(part),
            Data::Floats(_) | Data::Reals(_) => None,
        }))),
        Data::Floats(_) => Data::Floats(joined(all.iter().filter_map(|data| match data {
            Data::Floats(part) => Some(part),
            Data::Words(_) | Data::Reals(_) => None,
        }))),
        Data::Reals(_) => Data::Reals(joined(all.iter().filter_map(|data| match data {
            Data::Reals(part) => Some(part),
            Data::Words(_) | Data::Floats(_) => None,
        }))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Scalar;
    use crate::source::Precision;

    /// Two tables and a vector that is cleared.
    fn program(constant: f64) -> Program {
        let mut program = Program::new(Precision::Double);
        program.add_data("numbers", Data::Words(vec![7; 9]));
        program.add_data("constants", Data::Reals(vec![constant, 2.0, 3.0]));
        let vector = program.add_zeros("vector", Scalar::Real, 5);
        program.add_list(vec![Command::Clear(vector)]);
        program
    }

    #[test]
    fn instances_share_what_nothing_writes_and_all_have() {
        let whole = joined([1.0, 1.0, 4.0].map(program)).expect("alike");
        assert_eq!(whole.instances, 3);
        let is_apart: Vec<bool> = whole.buffers.iter().map(|spec| spec.is_apart).collect();
        assert_eq!(is_apart, [false, true, true]);
        let [numbers, constants, vector] = [0, 1, 2].map(BufferId);
        assert_eq!([whole.stride(numbers), whole.bytes(numbers)], [0, 36]);
        // Three entries, filled up to four.
        assert_eq!([whole.stride(constants), whole.bytes(constants)], [32, 96]);
        assert_eq!([whole.stride(vector), whole.bytes(vector)], [40, 120]);
        let expected = [1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0, 0.0, 4.0, 2.0, 3.0, 0.0];
        assert_eq!(whole.buffers[1].contents, Some(Data::Reals(expected.to_vec())));
    }

    #[test]
    fn a_zero_of_the_other_sign_is_another_content() {
        let whole = joined([0.0, -0.0].map(program)).expect("alike");
        assert!(whole.buffers[1].is_apart);
    }

    #[test]
    fn one_program_stays_as_it_is_and_others_are_refused() {
        let one = joined([program(1.0)]).expect("one");
        assert_eq!(one.instances, 1);
        assert!(one.buffers.iter().all(|spec| !spec.is_apart));
        let mut other = program(1.0);
        other.add_zeros("more", Scalar::Word, 1);
        assert!(joined([program(1.0), other]).is_none());
        assert!(joined([]).is_none());
        assert!(joined((0..=MOST_INSTANCES).map(|_| program(1.0))).is_none());
    }
}
