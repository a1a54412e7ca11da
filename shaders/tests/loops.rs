//! Every loop of every kernel ends: it counts a variable of its own towards a bound, by a step that is not zero, and
//! nothing else in it writes that variable. So devices need not count loops along (`gpu/src/module.rs`).

mod common;

use common::{parsed, variants};
use naga::{
    BinaryOperator, Block, Expression, Function, Handle, Literal, LocalVariable, Statement,
};
use sinew_shaders::table::kernels;

/// The local variable that `pointer` is, if it is one.
fn local(function: &Function, pointer: Handle<Expression>) -> Option<Handle<LocalVariable>> {
    match function.expressions[pointer] {
        Expression::LocalVariable(variable) => Some(variable),
        _ => None,
    }
}

/// The local variable whose value an expression is, but for what is added to it.
fn counted(function: &Function, value: Handle<Expression>) -> Option<Handle<LocalVariable>> {
    match function.expressions[value] {
        Expression::Load { pointer } => local(function, pointer),
        Expression::Binary { op: BinaryOperator::Add, left, .. } => counted(function, left),
        _ => None,
    }
}

/// True for a number that is not zero, and for a parameter of the call, which the host makes so.
fn is_step(module: &naga::Module, function: &Function, value: Handle<Expression>) -> bool {
    match function.expressions[value] {
        Expression::Literal(Literal::U32(step)) => step > 0,
        Expression::Literal(Literal::I32(step)) => step > 0,
        Expression::Constant(constant) => {
            let init = &module.global_expressions[module.constants[constant].init];
            matches!(*init, Expression::Literal(Literal::U32(step)) if step > 0)
        }
        Expression::Binary { op: BinaryOperator::Multiply, left, right } => {
            is_step(module, function, left) && is_step(module, function, right)
        }
        Expression::Load { pointer } => {
            let mut base = pointer;
            while let Expression::AccessIndex { base: next, .. } = function.expressions[base] {
                base = next;
            }
            let Expression::GlobalVariable(global) = function.expressions[base] else {
                return false;
            };
            module.global_variables[global].space == naga::AddressSpace::Uniform
        }
        _ => false,
    }
}

/// True if all that is stored in `variable` is more than zero, but for products of itself.
fn stays_positive(function: &Function, variable: Handle<LocalVariable>) -> bool {
    let positive = |value: Handle<Expression>| match function.expressions[value] {
        Expression::Literal(Literal::U32(start)) => start > 0,
        Expression::Binary { op: BinaryOperator::Multiply, left, .. } => {
            counted(function, left) == Some(variable)
        }
        _ => false,
    };
    let start = function.local_variables[variable].init;
    start.is_none_or(positive) && stored(function, &function.body, variable).all(positive)
}

/// Values that a block stores in `variable`.
fn stored<'a>(
    function: &'a Function,
    block: &'a Block,
    variable: Handle<LocalVariable>,
) -> Box<dyn Iterator<Item = Handle<Expression>> + 'a> {
    let own = block.iter().filter_map(move |statement| match statement {
        Statement::Store { pointer, value } => {
            (local(function, *pointer) == Some(variable)).then_some(*value)
        }
        _ => None,
    });
    let within = block.iter().flat_map(inner);
    Box::new(own.chain(within.flat_map(move |block| stored(function, block, variable))))
}

/// Blocks within a statement.
fn inner(statement: &Statement) -> Vec<&Block> {
    match statement {
        Statement::Block(block) => vec![block],
        Statement::If { accept, reject, .. } => vec![accept, reject],
        Statement::Switch { cases, .. } => cases.iter().map(|case| &case.body).collect(),
        Statement::Loop { body, continuing, .. } => vec![body, continuing],
        _ => Vec::new(),
    }
}

/// True if a block stores to `variable`, or hands it on.
fn writes(function: &Function, block: &Block, variable: Handle<LocalVariable>) -> bool {
    let is_it = |pointer: &Handle<Expression>| local(function, *pointer) == Some(variable);
    block.iter().any(|statement| match statement {
        Statement::Store { pointer, .. } => is_it(pointer),
        Statement::Call { arguments, .. } => arguments.iter().any(is_it),
        other => inner(other).into_iter().any(|block| writes(function, block, variable)),
    })
}

/// The variable that the condition of a loop compares, where the loop starts with one.
fn bounded(function: &Function, body: &Block) -> Option<(Handle<LocalVariable>, BinaryOperator)> {
    body.iter().find_map(|statement| {
        let Statement::If { condition, accept, reject } = statement else { return None };
        let ends = accept.is_empty() && matches!(reject.first(), Some(Statement::Break));
        let Expression::Binary { op, left, .. } = function.expressions[*condition] else {
            return None;
        };
        ends.then_some(()).and(counted(function, left)).map(|variable| (variable, op))
    })
}

/// True if `continuing` moves `variable` towards a bound that it is compared with by `op`.
fn advances(
    (module, function): (&naga::Module, &Function),
    continuing: &Block,
    (variable, op): (Handle<LocalVariable>, BinaryOperator),
) -> bool {
    let mut stores = continuing.iter().filter_map(|statement| match statement {
        Statement::Store { pointer, value } => {
            (local(function, *pointer) == Some(variable)).then_some(*value)
        }
        _ => None,
    });
    let (Some(value), None) = (stores.next(), stores.next()) else { return false };
    let Expression::Binary { op: change, left, right } = function.expressions[value] else {
        return false;
    };
    use BinaryOperator::{Add, Divide, Greater, GreaterEqual, Less, LessEqual, Multiply, Subtract};
    let one = matches!(function.expressions[right], Expression::Literal(Literal::U32(1)));
    let towards = match op {
        Less | LessEqual => {
            change == Add || (change == Multiply && stays_positive(function, variable))
        }
        // By one, which cannot pass zero.
        Greater => change == Divide || (change == Subtract && one),
        GreaterEqual => change == Divide,
        _ => false,
    };
    let factor = matches!(change, Multiply | Divide);
    towards
        && counted(function, left) == Some(variable)
        && is_step(module, function, right)
        && !(factor && one)
}

/// Loops of a block that cannot be seen to end, and all of them.
fn loops(of: (&naga::Module, &Function), block: &Block) -> (usize, usize) {
    let (mut open, mut all) = (0, 0);
    for statement in block.iter() {
        if let Statement::Loop { body, continuing, break_if: None } = statement {
            let ends = bounded(of.1, body).is_some_and(|(variable, op)| {
                !writes(of.1, body, variable) && advances(of, continuing, (variable, op))
            });
            (open, all) = (open + usize::from(!ends), all + 1);
        }
        for block in inner(statement) {
            let (more, count) = loops(of, block);
            (open, all) = (open + more, all + count);
        }
    }
    (open, all)
}

/// Loops of a module that cannot be seen to end, and all of them.
fn loops_of(module: &naga::Module) -> (usize, usize) {
    let functions = module.functions.iter().map(|(_, function)| function);
    let entries = module.entry_points.iter().map(|entry| &entry.function);
    let counts = functions.chain(entries).map(|f| loops((module, f), &f.body));
    counts.fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1))
}

#[test]
fn every_loop_of_every_kernel_ends() {
    let mut total = 0;
    for kernel in kernels() {
        for variant in variants(kernel) {
            let (open, all) = loops_of(&parsed(kernel, variant));
            assert_eq!(open, 0, "{} {variant:?}: of {all} loops", kernel.name);
            total += all;
        }
    }
    assert!(total > 100, "{total}");
}

#[test]
fn a_loop_that_may_not_end_is_seen() {
    let of = |text: &str| {
        let text = format!("@compute @workgroup_size(1) fn main() {{ var n = 8u; {text} }}");
        loops_of(&naga::front::wgsl::parse_str(&text).expect("a text"))
    };
    assert_eq!(of("for (var k = 0u; k < n; k++) { }"), (0, 1));
    assert_eq!(of("for (var k = 8u; k > 0u; k /= 2u) { }"), (0, 1));
    assert_eq!(of("for (var k = 8u; k > 0u; k--) { }"), (0, 1));
    assert_eq!(of("for (var k = 1u; k < n; k *= 2u) { }"), (0, 1));
    for open in [
        "loop { }",
        "while n > 0u { }",
        "for (var k = 0u; k < n; k += 0u) { }",
        "for (var k = 0u; k < n; k--) { }",
        "for (var k = 0u; k != n; k += 3u) { }",
        "for (var k = 0u; k < n; k *= 2u) { }",
        "for (var k = 8u; k > 0u; k /= 1u) { }",
        "for (var k = 8u; k > 0u; k -= 3u) { }",
        "for (var k = 8u; k >= 0u; k--) { }",
        "for (var k = 0u; k < n; k++) { k = 0u; }",
        "for (var k = 0u; k < n; k++) { while n > 0u { k--; } }",
    ] {
        assert!(of(open).0 > 0, "{open}");
    }
}
