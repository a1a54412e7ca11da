//! Requirements of the tests of the GPU on a bare machine: a Vulkan loader and Mesa's software
//! driver.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{run, succeeds};

/// Debian's and Ubuntu's packages.
const PACKAGES: [&str; 2] = ["mesa-vulkan-drivers", "libvulkan1"];

/// Folders in which loaders look for the manifests of drivers.
const MANIFESTS: [&str; 3] =
    ["/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/etc/vulkan/icd.d"];

/// Properties of this machine that decide.
#[derive(Clone, Copy, Debug)]
struct Machine {
    /// Tests run on a device that somebody chose, or the system brings one: nothing is looked for.
    chosen: bool,
    loader: bool,
    software_driver: bool,
    may_install: bool,
}

/// Action to take.
#[derive(Debug, PartialEq, Eq)]
enum Action {
    Nothing,
    Install,
    Fail(String),
}

/// Installs the driver where it is missing and that may be done.
///
/// # Errors
/// With the command to run, where it may not.
pub(crate) fn ensure() -> Result<(), String> {
    match decide(&this_machine()) {
        Action::Nothing => Ok(()),
        Action::Fail(what) => Err(what),
        Action::Install => {
            println!("tests of the GPU need a software adapter: installing {}", PACKAGES.join(" "));
            apt_get(&["update", "-qq"])?;
            apt_get(&["install", "-y", "-qq", "--no-install-recommends", PACKAGES[0], PACKAGES[1]])
        }
    }
}

fn decide(machine: &Machine) -> Action {
    let there = machine.loader && machine.software_driver;
    match (machine.chosen || there, machine.may_install) {
        (true, _) => Action::Nothing,
        (false, true) => Action::Install,
        (false, false) => Action::Fail(format!(
            "tests of the GPU need a software adapter, and this task may not install one; run: sudo \
             apt-get install {}",
            PACKAGES.join(" ")
        )),
    }
}

fn this_machine() -> Machine {
    let device = std::env::var("SINEW_TEST_DEVICE").unwrap_or_default();
    Machine {
        chosen: !cfg!(target_os = "linux") || !["", "software"].contains(&device.as_str()),
        loader: has_loader(),
        software_driver: manifests().iter().any(|path| is_software(path)),
        may_install: is_root() && succeeds(with("apt-get", &["--version"])),
    }
}

/// True if the dynamic linker finds Vulkan's loader.
fn has_loader() -> bool {
    let cache = ["ldconfig", "/sbin/ldconfig"].iter().find_map(|program| {
        with(program, &["-p"]).output().ok().filter(|output| output.status.success())
    });
    let listed = |output: &std::process::Output| {
        String::from_utf8_lossy(&output.stdout).contains("libvulkan.so.1")
    };
    cache.as_ref().is_some_and(listed) || Path::new("/usr/lib/libvulkan.so.1").exists()
}

/// Manifests of all drivers: those that the environment names, or those that are installed.
fn manifests() -> Vec<PathBuf> {
    for variable in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] {
        if let Some(list) = std::env::var_os(variable).filter(|list| !list.is_empty()) {
            return std::env::split_paths(&list).collect();
        }
    }
    let entries = MANIFESTS.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
    entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect()
}

/// Mesa's lavapipe, or SwiftShader.
fn is_software(manifest: &Path) -> bool {
    let name = manifest.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    name.starts_with("lvp_icd") || name.contains("swiftshader")
}

/// True if packages may be installed.
pub(crate) fn is_root() -> bool {
    let output = with("id", &["-u"]).output();
    output.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// Runs the package manager, which asks nothing.
///
/// # Errors
/// What failed.
pub(crate) fn apt_get(arguments: &[&str]) -> Result<(), String> {
    let mut command = with("apt-get", arguments);
    command.env("DEBIAN_FRONTEND", "noninteractive");
    run(command)
}

fn with(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    const BARE: Machine =
        Machine { chosen: false, loader: false, software_driver: false, may_install: false };

    #[test]
    fn a_machine_with_the_driver_or_a_chosen_device_is_left_alone() {
        let whole = Machine { loader: true, software_driver: true, may_install: true, ..BARE };
        assert_eq!(decide(&whole), Action::Nothing);
        assert_eq!(decide(&Machine { chosen: true, ..BARE }), Action::Nothing);
    }

    #[test]
    fn half_of_what_is_needed_is_completed_where_that_may_be_done() {
        let bare = Machine { may_install: true, ..BARE };
        assert_eq!(decide(&bare), Action::Install);
        assert_eq!(decide(&Machine { loader: true, ..bare }), Action::Install);
        assert_eq!(decide(&Machine { software_driver: true, ..bare }), Action::Install);
    }

    #[test]
    fn where_nothing_may_be_installed_the_one_command_is_named() {
        let Action::Fail(what) = decide(&Machine { loader: true, ..BARE }) else {
            panic!("it went on without a driver");
        };
        assert!(what.contains("sudo apt-get install mesa-vulkan-drivers libvulkan1"), "{what}");
    }

    #[test]
    fn software_drivers_are_known_by_their_manifests() {
        assert!(is_software(Path::new("/usr/share/vulkan/icd.d/lvp_icd.x86_64.json")));
        assert!(!is_software(Path::new("/usr/share/vulkan/icd.d/nvidia_icd.json")));
    }
}
