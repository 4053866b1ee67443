//! Digilent Arty A7-100T.

use super::{Board, Maker};
use crate::Target;

#[derive(Debug)]
pub(super) struct ArtyA7100t;

pub(super) static ARTY_A7_100T: ArtyA7100t = ArtyA7100t;

impl Board for ArtyA7100t {
    fn name(&self) -> &'static str {
        "arty-a7-100t"
    }

    fn target(&self) -> Target {
        Target::named("xc7a100t").expect("this chip is one of the targets")
    }

    fn constraints(&self) -> (&'static str, &'static str) {
        ("arty-a7-100t.xdc", include_str!("../../../constraints/arty-a7-100t.xdc"))
    }

    fn clock(&self) -> (&'static str, f64) {
        ("clk_100mhz", 100.0)
    }

    fn load(&self, file: &str) -> String {
        format!("openFPGALoader -b arty_a7_100t {file}")
    }

    fn maker(&self) -> Maker {
        Maker::Vivado
    }
}
