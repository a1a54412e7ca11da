//! Scripts that hand the cases of a sweep to an engine that runs them elsewhere.

use std::path::Path;

/// A script of Slurm's `sbatch`, one job of an array a case.
pub(super) fn slurm(
    (program, sweep, out): (&Path, &Path, &Path),
    (count, threads): (usize, usize),
) -> String {
    let log = option(&out.join("cases").display().to_string());
    let [program, sweep, out] =
        [program, sweep, out].map(|path| quoted(&path.display().to_string()));
    format!(
        "#!/bin/bash\n\
         # Cases that are done are not run again: submit it once more after an interruption. Those that failed\n\
         # are run again by sbatch sweep.sbatch --retry\n\
         # A cluster may allow shorter arrays: sbatch --array=1-1000 .., then 1001-2000, ..\n\
         #SBATCH --job-name=sinew-sweep\n\
         #SBATCH --array=1-{count}\n\
         #SBATCH --cpus-per-task={threads}\n\
         #SBATCH --output={log}/%a.slurm\n\
         #SBATCH --open-mode=append\n\
         exec {program} sweep {sweep} --out {out} --case \"$SLURM_ARRAY_TASK_ID\" --quiet \"$@\"\n"
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

/// As a part of the value of an option of Slurm: blanks and quotes are escaped, and its own sign is doubled.
fn option(text: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-+=:@".contains(letter);
    let escaped = |letter: char| match letter {
        '%' => "%%".to_owned(),
        letter if is_plain(letter) => letter.to_string(),
        letter => format!("\\{letter}"),
    };
    text.chars().map(escaped).collect()
}

/// As one word of a POSIX shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
