//! Instructions of this thread, where the system counts them.

/// Counts from its start on.
#[cfg(target_os = "linux")]
pub(super) struct Instructions(perf_event::Counter);

#[cfg(target_os = "linux")]
impl Instructions {
    /// `None` where there is no counter, as in many virtual machines, or it may not be used.
    pub fn start() -> Option<Instructions> {
        let mut counter = perf_event::Builder::new().kind(perf_event::events::Hardware::INSTRUCTIONS).build().ok()?;
        counter.enable().ok()?;
        Some(Instructions(counter))
    }

    pub fn count(mut self) -> Option<u64> {
        self.0.read().ok()
    }
}

/// Other systems have none that needs no special rights.
#[cfg(not(target_os = "linux"))]
pub(super) struct Instructions;

#[cfg(not(target_os = "linux"))]
impl Instructions {
    pub fn start() -> Option<Instructions> {
        None
    }

    pub fn count(self) -> Option<u64> {
        None
    }
}
