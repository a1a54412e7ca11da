//! Errors of windows.

/// Packages of Debian and Ubuntu that a window under X11 needs.
const LIBRARIES: &str = "libx11-6 libx11-xcb1 libxcursor1 libxi6 libxrandr2 libxkbcommon-x11-0";

/// Errors of windows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WindowError {
    /// There is no screen to open it on.
    #[error(
        "there is no display to open a window on ({0}): log in at a desktop, use `ssh -X`, or make \
         pictures without a window by `sinew render`"
    )]
    NoDisplay(String),
    /// A library of the display is missing.
    #[error(
        "a library for windows is missing ({0}): sudo apt-get install {LIBRARIES}; pictures without a \
         window are made by `sinew render`"
    )]
    NoLibrary(String),
    /// No adapter draws on this display.
    #[error(
        "no graphics adapter draws on this display ({0}): install a Vulkan driver and loader (without \
         a graphics card, a software one: sudo apt-get install mesa-vulkan-drivers libvulkan1)"
    )]
    NoAdapter(String),
    /// The window system refused.
    #[error("the window system refused the window: {0}")]
    System(String),
}
