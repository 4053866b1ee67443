//! Every block with its golden twin: what the harness compares.

use crate::dut::Dut;
use crate::dut::rust_hdl::RustHdl;
use crate::dut::verilator::{LoopedVerilator, Verilator};
use anyhow::{Context, Result};
use powar_config::nearest::is_unknown;
use powar_config::{Config, CycleModel, Layout, Prefix};
use powar_hdl::registry;
use powar_hdl::verilog::{Design, EmitOptions, emit};
use powar_tools::{Progress, Tools};
use std::path::PathBuf;

/// The whole controller's block name.
pub const CONTROLLER: &str = powar_hdl::controller::CONTROLLER;
/// The whole switch's block name.
pub const SWITCH: &str = powar_hdl::switch::SWITCH;
/// Block name of a node's network interface.
pub const NETWORK_INTERFACE: &str = "network_interface";
/// Block name of a whole demonstrator.
pub const DEMONSTRATOR: &str = powar_hdl::demonstrator::DEMONSTRATOR;

/// A fresh golden twin of a block.
///
/// # Errors
/// An unknown block name: the known ones are listed. A configuration that is not one of a switch, for the switch. A mechanism that
/// there is no golden model, no RTL or no entry of the harness of.
pub fn golden(config: &Config, block: &str) -> Result<Box<dyn CycleModel + Send>> {
    powar_golden::twins::check_models(config)?;
    powar_hdl::mechanisms::check(config)?;
    crate::mechanisms::check(config)?;
    match block {
        CONTROLLER => return Ok(Box::new(powar_golden::fast::controller::PowerController::new(config))),
        SWITCH => return powar_golden::fast::switch::twin(config),
        _ => (),
    }
    let twins = powar_golden::twins::blocks(config);
    let names: Vec<String> = twins.iter().map(|(name, _)| name.to_string()).collect();
    let twin = twins.into_iter().find(|(name, _)| name == block);
    let unknown = || match registry::names(config).iter().any(|name| name == block) {
        true => {
            format!("block: `{block}` is no part of this configuration, whose mechanism is {}", config.mechanism().name)
        }
        false => format!("block: {}", is_unknown(block, names.iter().map(|name| &**name))),
    };
    Ok(twin.with_context(unknown)?.1)
}

/// The Verilog of a block at a configuration, under the names of the pages: what the harness runs and spoils.
///
/// # Errors
/// As of [`prefixed_design`].
pub fn design(config: &Config, block: &str) -> Result<Design> {
    prefixed_design(config, block, Prefix::NONE)
}

/// The same with a prefix before the names, for a project that has other designs.
///
/// # Errors
/// An unknown block: the known ones are listed. A mechanism that there is no RTL of.
pub fn prefixed_design(config: &Config, block: &str, prefix: Prefix) -> Result<Design> {
    let mut rtl = registry::by_name(config, block)?;
    rtl.connect_all();
    let configuration = format!("Configuration:\n{}", config.to_toml());
    emit(&*rtl, &EmitOptions { configuration, prefix }).with_context(|| format!("writing {block} as Verilog"))
}

/// A block in rust-hdl's simulation.
pub fn rust_hdl(config: &Config, block: &str, layout: &Layout) -> Result<Box<dyn Dut>> {
    Ok(Box::new(RustHdl::new(registry::by_name(config, block)?, layout)?))
}

/// A block's emitted Verilog in Verilator.
pub fn verilator(
    config: &Config,
    block: &str,
    layout: &Layout,
    tools: &Tools,
    progress: &Progress,
) -> Result<Box<dyn Dut>> {
    Ok(Box::new(Verilator::new(&design(config, block)?, layout, tools, progress)?))
}

/// The compiled Verilog of a block, to be loaded as often as wanted with [`Verilator::load`]: writing it takes longer than many a run.
///
/// # Errors
/// As of [`verilator`].
pub fn verilated(config: &Config, block: &str, layout: &Layout, tools: &Tools, progress: &Progress) -> Result<PathBuf> {
    Ok(Verilator::library(&design(config, block)?, layout, false)?.build(tools, progress)?)
}

/// The same for RTL in the loop, to be loaded with [`LoopedVerilator::load`].
///
/// # Errors
/// As of [`verilator`].
pub fn looped(config: &Config, block: &str, layout: &Layout, tools: &Tools, progress: &Progress) -> Result<PathBuf> {
    Ok(LoopedVerilator::library(&design(config, block)?, layout, false)?.build(tools, progress)?)
}
