//! ULX3S with the LFE5U-85F.

use super::{Board, Maker};
use crate::Target;

#[derive(Debug)]
pub(super) struct Ulx3s85f;

pub(super) static ULX3S_85F: Ulx3s85f = Ulx3s85f;

impl Board for Ulx3s85f {
    fn name(&self) -> &'static str {
        "ulx3s-85f"
    }

    fn target(&self) -> Target {
        let target = Target::named("ecp5-85f").and_then(|target| target.package("CABGA381")?.speed(6));
        target.expect("this chip comes in this package and speed grade")
    }

    fn constraints(&self) -> (&'static str, &'static str) {
        ("ulx3s-85f.lpf", include_str!("../../../constraints/ulx3s-85f.lpf"))
    }

    fn clock(&self) -> (&'static str, f64) {
        ("clk_25mhz", 25.0)
    }

    fn load(&self, file: &str) -> String {
        format!("openFPGALoader -b ulx3s {file}")
    }

    fn maker(&self) -> Maker {
        Maker::Trellis
    }
}
