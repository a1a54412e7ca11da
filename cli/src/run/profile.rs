//! `--profile`: where the time of a step went.

use std::fmt::Write;

use sinew::backend::KernelTime;

use super::session::Session;
use super::statistics::Statistics;
use super::summary::Summary;

/// Appends where the time of a step went: by phases, and by kernels where a device has them.
pub(super) fn add(text: &mut String, summary: &Summary, session: &mut Session<'_>) {
    add_phases(text, summary, &session.statistics);
    let kernels = session.backend().kernel_times();
    if !kernels.is_empty() {
        let bandwidth = session.scheduler.simulation_mut().backend_mut().copy_bandwidth();
        add_kernels(text, kernels, bandwidth);
    }
}

fn add_phases(text: &mut String, summary: &Summary, statistics: &Statistics) {
    let rows = summary.phases_ms.rows();
    let named: f64 = rows.iter().map(|(_, ms)| ms).sum();
    let output = summary.phases_ms.output;
    let other = (summary.step_ms.mean + output - named).max(0.0);
    let whole = named + other;
    let _ = writeln!(text, "\nphase           ms a step   share");
    for (name, ms) in rows.into_iter().chain([("other", other)]) {
        let _ = writeln!(text, "{name:<14} {ms:>10.4} {:>6.1} %", 100.0 * ms / whole);
    }
    let Statistics { linear_solves, factorizations, cg_iterations, last, .. } = statistics;
    let _ = writeln!(
        text,
        "\n{linear_solves} linear solves, {factorizations} factorizations, {cg_iterations} iterations of conjugate gradients;\n{} blocks in the matrix, {} entries in the factor, last residual {:.1e}",
        last.matrix_blocks, last.factor_nnz, last.residual
    );
}

/// Appends a row a kernel, the longest first: calls, time, rates, and the part of the measured copy
/// bandwidth [bytes/s] that it reaches.
pub(crate) fn add_kernels(text: &mut String, mut kernels: Vec<KernelTime>, bandwidth: Option<f64>) {
    kernels.sort_by(|a, b| b.seconds.total_cmp(&a.seconds).then_with(|| a.name.cmp(&b.name)));
    let width = kernels.iter().map(|k| k.name.len()).max().unwrap_or(0).max("kernel".len());
    let _ = writeln!(
        text,
        "\n{:<width$} {:>9} {:>11} {:>9} {:>10} {:>8}",
        "kernel", "calls", "ms", "GB/s", "Gflop/s", "of copy"
    );
    for KernelTime { name, calls, seconds, bytes, flops } in kernels {
        let rate = |amount: u64| amount as f64 / seconds;
        let share = bandwidth.map(|b| format!("{:.0} %", 100.0 * rate(bytes) / b));
        let _ = writeln!(
            text,
            "{name:<width$} {calls:>9} {:>11.4} {:>9.1} {:>10.1} {:>8}",
            1e3 * seconds,
            1e-9 * rate(bytes),
            1e-9 * rate(flops),
            share.unwrap_or_else(|| "-".to_owned()),
        );
    }
    if let Some(bandwidth) = bandwidth {
        let _ = writeln!(text, "copy, measured: {:.1} GB/s read and written", 1e-9 * bandwidth);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_come_longest_first_with_their_rates_and_their_part_of_the_bandwidth() {
        let kernel = |name: &str, seconds| KernelTime {
            name: name.to_owned(),
            calls: 3,
            seconds,
            bytes: 2_000_000_000,
            flops: 500_000_000,
        };
        let mut text = String::new();
        add_kernels(&mut text, vec![kernel("short", 0.5), kernel("long", 2.0)], Some(8e9));
        let rows: Vec<Vec<&str>> =
            text.lines().map(|line| line.split_whitespace().collect()).collect();
        // 2 GB in 2 s is 1 GB/s, an eighth of 8 GB/s; in 0.5 s it is 4 GB/s, half of them.
        assert_eq!(rows[2], ["long", "3", "2000.0000", "1.0", "0.2", "12", "%"]);
        assert_eq!(rows[3], ["short", "3", "500.0000", "4.0", "1.0", "50", "%"]);
        let mut text = String::new();
        add_kernels(&mut text, vec![kernel("alone", 1.0)], None);
        assert!(text.trim_end().ends_with(" -"), "{text}");
    }
}
