//! Pictures of the gallery: each command of `docs/tutorial/gallery.md` is run as it stands there, into `target/gallery`, and draws a picture
//! that the page shows.

use crate::process::{cargo, root, run};

/// A command of the page: its words after `sinew`.
type Words<'p> = Vec<&'p str>;

/// Draws all pictures anew.
///
/// # Errors
/// A command that fails, a picture without a command, a command whose picture is not shown.
pub(crate) fn draw() -> Result<(), String> {
    let path = root().join("docs/tutorial/gallery.md");
    let page = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let commands = commands(&page)?;
    let folder = root().join("target/gallery");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for words in commands {
        let mut command = cargo(&["run", "--release", "--"]);
        command.args(&words[..words.len() - 1]);
        command.arg(folder.join(words[words.len() - 1]));
        run(command)?;
    }
    Ok(())
}

/// Commands of a page, each of which ends with the name of its picture.
fn commands(page: &str) -> Result<Vec<Words<'_>>, String> {
    let lines = page.lines().filter_map(|line| line.strip_prefix("$ sinew "));
    let commands: Vec<Words<'_>> = lines.map(|line| line.split_whitespace().collect()).collect();
    let drawn: Vec<&str> = commands.iter().filter_map(|words| words.last().copied()).collect();
    let shown: Vec<&str> =
        page.split("](../images/gallery/").skip(1).filter_map(|it| it.split(')').next()).collect();
    if drawn != shown {
        return Err(format!("the page shows {shown:?}, and its commands draw {drawn:?}"));
    }
    let ends =
        |words: &&Words<'_>| words.iter().rev().nth(1) != Some(&"-o") || words[0] != "render";
    match commands.iter().find(ends) {
        Some(words) => Err(format!("`{}` is not `render ... -o NAME.png`", words.join(" "))),
        None => Ok(commands),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_picture_of_the_gallery_has_its_command_and_is_there() {
        let page = std::fs::read_to_string(root().join("docs/tutorial/gallery.md")).unwrap();
        let known = commands(&page).unwrap();
        assert!(known.len() >= 8);
        let folder = root().join("docs/images/gallery");
        assert!(known.iter().all(|words| folder.join(words[words.len() - 1]).is_file()));
        let without = page.replacen("$ sinew render", "$ sinew run", 1);
        assert!(commands(&without).unwrap_err().contains("is not `render"));
        let other = page.replacen("-o ", "-o other-", 1);
        assert!(commands(&other).unwrap_err().contains("other-"));
    }
}
