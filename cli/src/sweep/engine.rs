//! Scripts that hand the cases of a sweep to an engine that runs them elsewhere.

use std::path::Path;

/// A script of Slurm's `sbatch`, one job of an array a case.
pub(super) fn slurm(
    (program, sweep, out): (&Path, &Path, &Path),
    (count, threads): (usize, usize),
) -> String {
    let [program, sweep, out] =
        [program, sweep, out].map(|path| quoted(&path.display().to_string()));
    format!(
        "#!/bin/bash\n\
         # Cases that are done are not run again: submit it once more after an interruption.\n\
         # A cluster may allow shorter arrays: sbatch --array=1-1000 .., then 1001-2000, ..\n\
         #SBATCH --job-name=sinew-sweep\n\
         #SBATCH --array=1-{count}\n\
         #SBATCH --cpus-per-task={threads}\n\
         exec {program} sweep {sweep} --out {out} --case \"$SLURM_ARRAY_TASK_ID\" --quiet\n"
    )
}

/// A Python program that runs each case as a task of Ray, and writes the table at the end.
pub(super) fn ray(
    (program, sweep, out): (&Path, &Path, &Path),
    (count, threads): (usize, usize),
) -> String {
    // A string of JSON is one of Python.
    let [program, sweep, out] = [program, sweep, out]
        .map(|path| serde_json::Value::from(path.display().to_string()).to_string());
    format!(
        "\"\"\"Runs the cases of a sweep as tasks of Ray; folders must be those of all nodes.\"\"\"\n\
         import subprocess\n\
         import sys\n\n\
         import ray\n\n\
         SWEEP = [{program}, \"sweep\", {sweep}, \"--out\", {out}, \"--quiet\"]\n\n\n\
         @ray.remote(num_cpus={threads})\n\
         def run_case(number):\n    \
             return subprocess.run([*SWEEP, \"--case\", str(number)], check=False).returncode\n\n\n\
         ray.init()\n\
         codes = ray.get([run_case.remote(number) for number in range(1, {count} + 1)])\n\
         sys.exit(subprocess.run([*SWEEP, \"--collect\"], check=False).returncode or max(codes))\n"
    )
}

/// As one word of a POSIX shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
