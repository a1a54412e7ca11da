//! Several programs that are alike as one, whose commands work for all of them at once. Each is an instance of it.

use crate::instances::{Apart, MOST_INSTANCES};
use crate::kernel::Access;
use crate::program::{BufferId, Command, Data, LEAST_ENTRIES, Program};

/// Entries of a table of reals, constants of materials and the like, of which each instance has its own at once, so that one may be
/// given other numbers.
const FEW: usize = 4_096;

/// The programs as instances of one, in their order. They share the buffers that nothing writes and that hold the same in all of
/// them, but for small tables of reals. Beside each stands how many instances in a row it is. `None` where there are none or more than
/// [`MOST_INSTANCES`], or where they are not alike ([`Program::is_like`]).
///
/// # Errors
/// The first of the programs.
pub fn joined<E>(
    programs: impl IntoIterator<Item = Result<(Program, usize), E>>,
) -> Result<Option<Program>, E> {
    let mut programs = programs.into_iter();
    let Some((mut whole, mut count)) = programs.next().transpose()? else { return Ok(None) };
    let mut apart: Vec<Option<Vec<Data>>> = vec![None; whole.buffers.len()];
    for program in programs {
        let (program, own) = program?;
        if !whole.is_like(&program) {
            return Ok(None);
        }
        let specs = program.buffers.into_iter().zip(&whole.buffers).zip(&mut apart);
        for ((spec, first), apart) in specs {
            if let (Some(contents), Some(first)) = (spec.contents, &first.contents) {
                take(apart, (contents, own), (first, count));
            }
        }
        count += own;
    }
    if count > 1 && count <= MOST_INSTANCES {
        join(&mut whole, apart, count);
    }
    Ok((1..=MOST_INSTANCES).contains(&count).then_some(whole))
}

/// Takes the contents that so many more instances have for a buffer; those of the `count` before them are that of the first where
/// `apart` has none yet.
fn take(
    apart: &mut Option<Vec<Data>>,
    (contents, own): (Data, usize),
    (first, count): (&Data, usize),
) {
    if apart.is_none() && contents.bytes() == first.bytes() {
        return;
    }
    let all = apart.get_or_insert_with(|| vec![first.clone(); count]);
    all.extend(std::iter::repeat_n(contents, own));
}

fn join(whole: &mut Program, apart: Vec<Option<Vec<Data>>>, count: usize) {
    let written = written(whole);
    whole.instances = count as u32;
    for ((spec, apart), written) in whole.buffers.iter_mut().zip(apart).zip(written) {
        let is_table = matches!(&spec.contents, Some(Data::Reals(reals)) if reals.len() <= FEW);
        spec.is_apart = written || is_table || apart.is_some() || spec.contents.is_none();
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

    /// Each program as one instance.
    fn all(programs: impl IntoIterator<Item = Program>) -> Option<Program> {
        joined(programs.into_iter().map(|program| Ok::<_, ()>((program, 1)))).expect("programs")
    }

    /// Two tables and a vector that is cleared.
    fn program(constant: f32) -> Program {
        let mut program = Program::new(Precision::Double);
        program.add_data("numbers", Data::Words(vec![7; 9]));
        program.add_data("constants", Data::Floats(vec![constant, 2.0, 3.0]));
        let vector = program.add_zeros("vector", Scalar::Real, 5);
        program.add_list(vec![Command::Clear(vector)]);
        program
    }

    #[test]
    fn instances_share_what_nothing_writes_and_all_have() {
        let whole = all([1.0, 1.0, 4.0].map(program)).expect("alike");
        assert_eq!(whole.instances, 3);
        let is_apart: Vec<bool> = whole.buffers.iter().map(|spec| spec.is_apart).collect();
        assert_eq!(is_apart, [false, true, true]);
        let [numbers, constants, vector] = [0, 1, 2].map(BufferId);
        assert_eq!([whole.stride(numbers), whole.bytes(numbers)], [0, 36]);
        // Three entries, filled up to four.
        assert_eq!([whole.stride(constants), whole.bytes(constants)], [16, 48]);
        assert_eq!([whole.stride(vector), whole.bytes(vector)], [40, 120]);
        let expected = [1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0, 0.0, 4.0, 2.0, 3.0, 0.0];
        assert_eq!(whole.buffers[1].contents, Some(Data::Floats(expected.to_vec())));
        let rows = [(program(1.0), 2), (program(4.0), 1)].map(Ok::<_, ()>);
        let of_rows = joined(rows).expect("programs").expect("alike");
        assert_eq!(of_rows.buffers, whole.buffers);
    }

    #[test]
    fn small_tables_of_reals_are_apart_at_once_and_large_ones_shared() {
        let program = || {
            let mut program = Program::new(Precision::Double);
            program.add_data("few", Data::Reals(vec![1.0; FEW]));
            program.add_data("many", Data::Reals(vec![1.0; FEW + 1]));
            program
        };
        let whole = all([program(), program()]).expect("alike");
        assert_eq!([0, 1].map(|k: usize| whole.buffers[k].is_apart), [true, false]);
    }

    #[test]
    fn a_zero_of_the_other_sign_is_another_content() {
        let whole = all([0.0, -0.0].map(program)).expect("alike");
        assert!(whole.buffers[1].is_apart);
    }

    #[test]
    fn one_program_stays_as_it_is_and_others_are_refused() {
        let one = all([program(1.0)]).expect("one");
        assert_eq!(one.instances, 1);
        assert!(one.buffers.iter().all(|spec| !spec.is_apart));
        let mut other = program(1.0);
        other.add_zeros("more", Scalar::Word, 1);
        assert!(all([program(1.0), other]).is_none());
        assert!(all([]).is_none());
        let many = |count| joined([Ok::<_, ()>((program(1.0), count))]).expect("a program");
        assert!(many(MOST_INSTANCES).is_some() && many(MOST_INSTANCES + 1).is_none());
        assert_eq!(joined([Err::<(Program, usize), _>("refused")]).err(), Some("refused"));
    }
}
