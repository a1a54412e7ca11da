//! Messages of drivers that tell nothing of a run. Mesa's layer of device selection looks for a Wayland display when Vulkan is
//! opened, and writes `error: XDG_RUNTIME_DIR is invalid or not set` to the terminal where a server has no session. Devices are
//! chosen here by `--device`, so that the layer is not missed there.

/// Environment variable that switches the layer off.
#[cfg(target_os = "linux")]
const SWITCH: &str = "NODEVICE_SELECT";

/// Starts the command anew with the layer switched off, in the same process, where the layer would write its message. A process
/// may set variables of its own environment only before it has threads, and only by unsafe code.
pub(crate) fn start_without_device_selection() {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::process::CommandExt;
        use std::path::Path;

        let session = std::env::var_os("XDG_RUNTIME_DIR");
        let has_session = session.is_some_and(|path| Path::new(&path).is_absolute());
        let (Ok(program), false) = (std::env::current_exe(), has_session) else { return };
        if std::env::var_os(SWITCH).is_some() {
            return;
        }
        let mut arguments = std::env::args_os();
        let mut command = std::process::Command::new(program);
        if let Some(name) = arguments.next() {
            command.arg0(name);
        }
        // Returns only where it failed: the message is then the lesser evil.
        let _ = command.args(arguments).env(SWITCH, "1").exec();
    }
}
