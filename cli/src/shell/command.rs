//! Commands as they are written: `run 0.5`, or in ArtiSynth's way `run(0.5)`, `addWayPoint(1)`.

use sinew::component::{PathError, did_you_mean, similar};
use sinew::editing::{EditCommand, EditCommandError};
use sinew::formula::PropertyFormulaError;
use sinew::property::PropertyError;
use sinew::schedule::ScheduleError;
use sinew_run_files::{ProbeError, RecordingError};

use super::script::is_name;
use super::time_command::TimeCommand;
use crate::console::StdoutError;
use crate::exit::{CliError, Exit, Failure};

/// Files that read each other.
pub(super) const MAX_DEPTH: usize = 16;

/// A command.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command {
    Load { model: String, params: Vec<String> },
    Reload,
    InTime(TimeCommand),
    Find(String),
    Get(String),
    Edit(EditCommand),
    Let { name: String, value: String },
    Echo(String),
    When { formula: String, crosses: String, command: String },
    Source(String),
    Probe { what: String, every: f64 },
    Input(String),
    Save(String),
    Restore(String),
    View,
    Help,
    Quit,
}

/// Result of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// The next command.
    Go,
    /// The end.
    Quit,
}

/// Name, other names, what follows it, what it does.
pub(super) const COMMANDS: [(&str, &[&str], &str, &str); 49] = [
    ("load", &["loadmodel", "open"], "MODEL [KEY=VALUE ..]", "load a model"),
    ("reload", &["reloadmodel"], "", "load it again if one of its files has changed"),
    ("run", &["play"], "[SECONDS]", "run, so long or until a breakpoint, pause or Ctrl-C"),
    ("step", &[], "[COUNT]", "take steps"),
    ("pause", &["stop"], "", "halt the run after its step"),
    (
        "wait",
        &["waitforstop"],
        "[SECONDS]",
        "wait until the run has halted, or so long by the clock",
    ),
    ("reset", &[], "", "go back to the start"),
    ("rewind", &[], "[TIME]", "go back to the last waypoint at or before a time"),
    ("find", &["findcomponent"], "PATH", "what is at a path, and below it"),
    ("get", &["getproperty"], "PATH:NAME", "the value of a property"),
    ("set", &["setproperty"], "PATH:NAME VALUE", "set a property"),
    ("inherit", &[], "PATH:NAME", "let a property be inherited"),
    (
        "declare",
        &[],
        "PATH:NAME TYPE [unit=UNIT] [default=VALUE] [doc=TEXT]",
        "give one component a property more: bool, int, number, vector, matrix, pose, text, colour or list",
    ),
    ("undeclare", &[], "PATH:NAME", "take a declared property away"),
    (
        "name_faces",
        &[],
        "PATH NAME [ELEMENT:FACE ..]",
        "give faces of a tissue a name that loads and shells take; none: take the name away",
    ),
    (
        "add_support",
        &[],
        "PATH NODE ..",
        "fix nodes of a tissue; axes and motion are properties of the new support",
    ),
    ("remove_support", &[], "PATH", "take a support of a tissue away, PATH/supports/N"),
    (
        "add",
        &["addcomponent"],
        "KIND PATH [NAME=VALUE ..]",
        "add a component, such as axial_spring",
    ),
    (
        "delete",
        &["removecomponent"],
        "PATH ..",
        "delete components and what cannot be without them, or supports of tissues",
    ),
    ("duplicate", &[], "PATH ..", "copy components; they refer to whom the first ones do"),
    (
        "duplicate_with_references",
        &[],
        "PATH ..",
        "copy components and what they cannot be without",
    ),
    ("rename", &[], "PATH NAME", "give a component another name"),
    ("move", &["reparent"], "PATH PARENT", "put a component under another"),
    ("translate", &[], "\"X Y Z\" PATH ..", "shift components [m]"),
    (
        "rotate",
        &[],
        "\"X Y Z\" \"X Y Z\" PATH ..",
        "turn components: axis times angle [rad], point on the axis [m]",
    ),
    (
        "scale",
        &[],
        "\"X Y Z\" \"X Y Z\" PATH ..",
        "scale components: factors, the point that stays [m]",
    ),
    (
        "transform",
        &["transformgeometry"],
        "\"MAP\" PATH ..",
        "deform components by a map: scale F, mirror X Y Z, affine .., landmarks ..",
    ),
    ("attach", &[], "PATH .. MASTER", "let points follow a body, a particle or a tissue"),
    ("detach", &[], "PATH ..", "let points follow nobody"),
    ("undo", &[], "", "take the last edit back"),
    ("redo", &[], "", "make it again"),
    (
        "when",
        &["addevent"],
        "FORMULA crosses VALUE: COMMAND",
        "do an edit, stop or waypoint after the step in which a formula crosses a value",
    ),
    ("source", &[], "FILE", "do the commands of a file"),
    ("let", &[], "NAME = VALUE", "keep a text or the value of a formula, which stands for $NAME"),
    ("for", &[], "NAME in VALUE ..", "do the lines up to `end` for each value, or for FIRST..LAST"),
    ("end", &[], "", "end of the lines of a `for`"),
    ("echo", &["print"], "TEXT", "print a text"),
    ("add_waypoint", &["addwaypoint"], "TIME [EVERY]", "save what is needed to go back to TIME"),
    ("add_breakpoint", &["addbreakpoint"], "TIME", "the same, and halt there"),
    ("remove_waypoint", &["removewaypoint", "removebreakpoint"], "TIME", "remove one"),
    ("waypoints", &["listwaypoints"], "", "list them"),
    ("probe", &["addoutputprobe"], "PATH:NAME[=FILE] EVERY", "record a property or a formula"),
    ("input", &["addinputprobe"], "[PATH:NAME,..=]FILE", "feed columns of a file"),
    ("save", &["savewaypoint"], "FILE", "save model (.toml, .json) or state (.sinew)"),
    ("restore", &["loadwaypoint"], "FILE", "go on from a saved state"),
    ("view", &[], "", "show a copy in a window; the shell ends when it is closed"),
    ("time", &["gettime"], "", "time and steps so far"),
    ("help", &[], "", "these lines"),
    ("quit", &["exit"], "", "end"),
];

/// Errors of a command.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommandError {
    /// There is no such command.
    #[error("unknown command '{name}'{}; `help` lists all", did_you_mean(near))]
    Unknown { name: String, near: Vec<String> },
    /// A word that does not take the arguments that follow it.
    #[error("{name} takes {expected}, not '{given}'")]
    Arguments { name: &'static str, expected: &'static str, given: String },
    #[error(
        "no edit as JSON, such as {{\"command\": \"delete\", \"paths\": [\"/models/m/particles/p\"]}}: {0}"
    )]
    Json(serde_json::Error),
    #[error("there is no variable '{name}'{}; `let NAME = VALUE` makes one", did_you_mean(near))]
    Variable { name: String, near: Vec<String> },
    #[error("{0}")]
    Loop(&'static str),
    #[error("there is no model: `load` one")]
    NoModel,
    #[error("a run in a script needs a time, a breakpoint or a 'pause' to halt at")]
    Endless,
    #[error("it is running: pause it, or wait, first")]
    Running,
    #[error("interrupted at t = {0} s")]
    Interrupted(f64),
    #[error("{0}: a name that ends in .toml, .json or .osim (model) or .sinew (state) is expected")]
    Ending(String),
    #[error("cannot open a window: {0}")]
    Window(String),
    #[error("cannot create {path}: {why}; give another --out")]
    Directory { path: String, why: String },
    #[error("the saved state is of another model")]
    OtherModel,
    #[error("{name}, line {line}: {source}")]
    Sourced { name: String, line: usize, source: Box<CommandError> },
    #[error("{0} is read by itself: files may read others {MAX_DEPTH} deep")]
    TooDeep(String),
    #[error("cannot read {name}: {why}")]
    Read { name: String, why: String },
    #[error(transparent)]
    Formula(#[from] PropertyFormulaError),
    #[error(transparent)]
    Edit(Box<EditCommandError>),
    #[error(transparent)]
    Path(#[from] PathError),
    #[error(transparent)]
    Property(#[from] PropertyError),
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    #[error(transparent)]
    Recording(#[from] RecordingError),
    #[error(transparent)]
    Probe(#[from] ProbeError),
    #[error(transparent)]
    Other(Box<CliError>),
}

impl From<CliError> for CommandError {
    fn from(error: CliError) -> Self {
        Self::Other(Box::new(error))
    }
}

impl From<StdoutError> for CommandError {
    fn from(error: StdoutError) -> Self {
        CliError::from(error).into()
    }
}

impl CommandError {
    /// The exit code of a script that ends with it.
    pub(super) fn exit(&self) -> Exit {
        match self {
            Self::Unknown { .. }
            | Self::Arguments { .. }
            | Self::Variable { .. }
            | Self::Loop(_)
            | Self::Json(_) => Exit::Usage,
            Self::Interrupted(_) => Exit::Interrupted,
            Self::Schedule(error) => error.exit(),
            Self::Other(error) => error.exit(),
            Self::Sourced { source, .. } => source.exit(),
            Self::Directory { .. } => Exit::Output,
            Self::Recording(RecordingError::System { action: "write" | "create", .. }) => {
                Exit::Output
            }
            _ => Exit::Input,
        }
    }
}

impl Command {
    /// Reads a line; `None` for one without a command.
    ///
    /// # Errors
    /// [`CommandError::Unknown`], [`CommandError::Arguments`], [`CommandError::Json`].
    pub(super) fn parse(text: &str) -> Result<Option<Self>, CommandError> {
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            return Ok(None);
        }
        if text.starts_with('{') {
            let edit = serde_json::from_str(text).map_err(CommandError::Json)?;
            return Ok(Some(Self::Edit(edit)));
        }
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        let rest = rest.trim();
        let inner = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let given = inner.unwrap_or(rest).trim();
        let lower = word.to_ascii_lowercase();
        let known = COMMANDS.iter().find(|(name, others, ..)| {
            *name == lower || others.contains(&lower.replace('_', "").as_str())
        });
        let Some(&(name, _, expected, _)) = known else {
            let near = similar(&lower, COMMANDS.iter().map(|it| it.0));
            return Err(CommandError::Unknown { name: word.to_owned(), near });
        };
        let wrong = || CommandError::Arguments {
            name,
            expected: if expected.is_empty() { "nothing" } else { expected },
            given: given.to_owned(),
        };
        Self::of(name, given).ok_or_else(wrong).map(Some)
    }

    fn of(name: &str, given: &str) -> Option<Self> {
        if EditCommand::form(name).is_some() {
            return format!("{name} {given}").parse().ok().map(Self::Edit);
        }
        match name {
            "when" => return Self::when(given),
            "let" => return Self::variable(given),
            "echo" => return Some(Self::Echo(given.to_owned())),
            _ => {}
        }
        let words = words(given);
        match (name, &words[..]) {
            ("load", [model, params @ ..]) => {
                Some(Self::Load { model: model.clone(), params: params.to_vec() })
            }
            ("find", [path]) => Some(Self::Find(path.clone())),
            ("get", [property]) => Some(Self::Get(property.clone())),
            ("source", [file]) => Some(Self::Source(file.clone())),
            ("probe", [what, every]) => {
                let every = every.parse::<f64>().ok().filter(|x| x.is_finite() && *x >= 0.0)?;
                Some(Self::Probe { what: what.clone(), every })
            }
            // Commas are between its properties.
            ("input", [_, ..]) => Some(Self::Input(given.trim_matches(['\'', '"']).to_owned())),
            ("save", [file]) => Some(Self::Save(file.clone())),
            ("restore", [file]) => Some(Self::Restore(file.clone())),
            ("reload", []) => Some(Self::Reload),
            ("view", []) => Some(Self::View),
            ("help", []) => Some(Self::Help),
            ("quit", []) => Some(Self::Quit),
            _ => TimeCommand::of(name, &words).map(Self::InTime),
        }
    }

    /// `FORMULA crosses VALUE: COMMAND`.
    fn when(given: &str) -> Option<Self> {
        let (formula, rest) = given.split_once(" crosses ")?;
        let (value, command) = rest.split_once(':')?;
        let (formula, crosses, command) = (formula.trim(), value.trim(), command.trim());
        crosses.parse::<f64>().ok().filter(|x| x.is_finite())?;
        let sound = !formula.is_empty() && !command.is_empty();
        let [formula, crosses, command] = [formula, crosses, command].map(str::to_owned);
        sound.then_some(Self::When { formula, crosses, command })
    }

    /// `NAME = VALUE`.
    fn variable(given: &str) -> Option<Self> {
        let (name, value) = given.split_once('=')?;
        let [name, value] = [name, value].map(|it| it.trim().to_owned());
        (is_name(&name) && !value.is_empty()).then_some(Self::Let { name, value })
    }
}

/// Words between blanks or commas. Quotes around a word are taken off; double ones inside a path stay.
pub(super) fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut any) = (Vec::new(), String::new(), false);
    let mut quote: Option<(char, bool)> = None;
    for c in text.chars() {
        match (quote, c) {
            (Some((open, stays)), c) if c == open => {
                quote = None;
                word.extend(stays.then_some(c));
            }
            (None, '\'' | '"') => {
                let stays = c == '"' && !word.is_empty();
                quote = Some((c, stays));
                any = true;
                word.extend(stays.then_some(c));
            }
            (None, ' ' | '\t' | ',') => {
                if any || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                any = false;
            }
            (_, c) => word.push(c),
        }
    }
    if any || !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Command {
        Command::parse(text).unwrap().unwrap()
    }

    #[test]
    fn an_edit_may_be_an_object_of_json() {
        let object = r#"{"command": "rename", "path": "/models/m/particles/p", "name": "q"}"#;
        assert_eq!(parsed(object), parsed("rename /models/m/particles/p q"));
        for wrong in [r#"{"command": "rename"}"#, r#"{"command": "fly"}"#, "{"] {
            assert!(matches!(Command::parse(wrong), Err(CommandError::Json(_))), "{wrong}");
        }
    }

    #[test]
    fn commands_are_written_with_blanks_or_as_calls() {
        let of_time = |text: &str, command| {
            assert_eq!(parsed(text), Command::InTime(command), "{text}");
        };
        of_time("run 0.5", TimeCommand::Run(Some(0.5)));
        assert_eq!(parsed("run(0.5)"), parsed(" RUN ( 0.5 ) "));
        assert_eq!(parsed("addWayPoint(1)"), parsed("add_waypoint 1"));
        of_time("addBreakPoint (2)", TimeCommand::AddBreakpoint(2.0));
        of_time("waitForStop()", TimeCommand::Wait(None));
        of_time("wait(0.5)", TimeCommand::Wait(Some(0.5)));
        assert_eq!(parsed("loadModel('beam')"), parsed("load beam"));
        assert_eq!(
            parsed("set /models/m:gravity 0 0 -1"),
            Command::Edit(EditCommand::Set {
                property: "/models/m:gravity".into(),
                value: "0 0 -1".into()
            })
        );
        assert_eq!(parsed("get /models/\"a b\":mass"), Command::Get("/models/\"a b\":mass".into()));
        let formula = Command::Probe { what: "{/:a} + {/b:c}".into(), every: 0.1 };
        assert_eq!(parsed("probe \"{/:a} + {/b:c}\" 0.1"), formula);
        assert_eq!(parsed("input /a:b,/c:d=x.csv"), Command::Input("/a:b,/c:d=x.csv".into()));
        assert_eq!(Command::parse("  # a remark").unwrap(), None);
    }

    #[test]
    fn what_is_wrong_with_a_command_is_told() {
        let error = Command::parse("rum 1").unwrap_err().to_string();
        assert!(error.contains("did you mean 'run'"), "{error}");
        for (text, expected) in [
            ("run -1", "[SECONDS]"),
            ("step 0.5", "[COUNT]"),
            ("get", "PATH:NAME"),
            ("quit now", "nothing"),
            ("when {/:time} crosses it: stop", "FORMULA crosses VALUE: COMMAND"),
            ("when {/:time} crosses 1", "FORMULA crosses VALUE: COMMAND"),
            ("add_waypoint 1 0", "TIME [EVERY]"),
        ] {
            let error = Command::parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn every_edit_is_a_command_that_takes_what_the_library_says() {
        for name in EditCommand::names() {
            let known = COMMANDS.iter().find(|command| command.0 == name);
            assert_eq!(known.map(|command| command.2), EditCommand::form(name), "{name}");
        }
    }

    #[test]
    fn every_command_has_a_line_of_help_and_is_known_by_it() {
        // Lines are put together into loops before commands are read: script.rs.
        let of_loops = |name: &str| ["for", "end"].contains(&name);
        for (name, others, takes, _) in COMMANDS.into_iter().filter(|it| !of_loops(it.0)) {
            let arguments = takes.replace("[SECONDS]", "1").replace("[COUNT]", "1");
            let arguments = arguments.replace("TIME", "1").replace("EVERY", "1");
            let arguments = arguments.replace(['[', ']'], "").replace(" ..", "");
            let arguments = arguments.replace("X Y Z", "1 1 1").replace("MAP", "scale 2");
            let arguments = arguments.replace("crosses VALUE", "crosses 1");
            let arguments = arguments.replace("ELEMENT:FACE", "0:1").replace("NODE", "0");
            for name in others.iter().chain([&name]) {
                assert!(
                    Command::parse(&format!("{name} {arguments}")).is_ok(),
                    "{name} {arguments}"
                );
            }
        }
    }
}
