//! `sinew man`: man pages of the command and of each subcommand, from the definition of the command line.

use std::path::Path;

use crate::output::OutputError;

/// Writes `sinew.1`, `sinew-run.1` and so on into a folder, which is made where it is not there.
///
/// # Errors
/// A folder that cannot be made or written to.
pub(crate) fn write(command: clap::Command, folder: &Path) -> Result<(), OutputError> {
    std::fs::create_dir_all(folder).map_err(OutputError::system("create", folder))?;
    clap_mangen::generate_to(command, folder).map_err(OutputError::system("write into", folder))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::command_line::Cli;

    #[test]
    fn every_subcommand_has_a_page_with_its_options() {
        let folder = tempfile::tempdir().unwrap();
        let pages = folder.path().join("man1");
        write(Cli::command(), &pages).unwrap();
        let read = |name: &str| std::fs::read_to_string(pages.join(name)).unwrap_or_default();
        for command in Cli::command().get_subcommands() {
            let page = read(&format!("sinew-{}.1", command.get_name()));
            for option in command.get_arguments().filter_map(|argument| argument.get_long()) {
                let option = option.replace('-', "\\-");
                assert!(page.contains(&option), "{}: {option}", command.get_name());
            }
        }
        assert!(read("sinew.1").contains("sinew\\-run(1)"), "{}", read("sinew.1"));
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let error = write(Cli::command(), &file.join("man1")).unwrap_err().to_string();
        assert!(error.contains("file/man1"), "{error}");
    }
}
