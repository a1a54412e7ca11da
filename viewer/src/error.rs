//! Errors of pictures.

/// Errors of pictures.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ViewerError {
    /// No driver offers an adapter.
    #[error(
        "no graphics adapter was found: install a Vulkan driver and loader (without a graphics card, \
         a software one: {INSTALL})"
    )]
    NoAdapter,
    /// A driver does not open its device.
    #[error(
        "the adapter {adapter} cannot be opened: {detail}; update its driver, or use a software one \
         ({INSTALL}) with VK_DRIVER_FILES=/usr/share/vulkan/icd.d/lvp_icd.x86_64.json"
    )]
    Device {
        /// Its name.
        adapter: String,
        /// Message of the driver.
        detail: String,
    },
    /// A picture that no adapter draws.
    #[error("a picture of {} x {} pixels cannot be drawn: both must be from 1 to {most}", .size[0], .size[1])]
    Size {
        /// Width and height [pixel].
        size: [u32; 2],
        /// Most of either [pixel].
        most: u32,
    },
    /// The device failed while it drew.
    #[error("the device is lost: {detail}; draw again, or use a software adapter ({INSTALL})")]
    Lost {
        /// Message of the driver.
        detail: String,
    },
    /// A picture that cannot be encoded.
    #[error("the picture cannot be written as PNG: {0}")]
    Encoding(String),
}

/// The command that installs Mesa's software Vulkan on Debian and Ubuntu.
const INSTALL: &str = "sudo apt-get install mesa-vulkan-drivers libvulkan1";
