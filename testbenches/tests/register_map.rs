//! The register map in SystemRDL, as PeakRDL's compiler understands it: every register at its address, with its fields, access and
//! reset values, for every mechanism.

use powar_config::registers::{self, Access, Register, RegisterOwner, WORD_BYTES};
use powar_config::{Chosen, Config, Prefix, mechanism, presets};
use powar_tools::{RdlField, RdlRegister, compile_systemrdl, pinned_tools_or_skip};

/// A switch of every preset, and of every mechanism where it is for that network.
fn configs() -> Vec<Config> {
    let with = |config: Config| {
        mechanism::ALL.map(|mechanism| Config { mechanism: Chosen(mechanism.defaults()), ..config.clone() })
    };
    let all = presets::ALL.iter().flat_map(|preset| with(preset.config()));
    all.filter(|config| config.check().is_ok() && config.check_switch().is_ok()).collect()
}

fn expected(config: &Config, register: &Register) -> RdlRegister {
    let word = &register.word;
    let path = match register.owner {
        RegisterOwner::Switch(_) | RegisterOwner::Routing(_) | RegisterOwner::Mechanism(_) => word.name.to_owned(),
        RegisterOwner::Counter { port, .. } | RegisterOwner::Status { port } => format!("port[{port}].{}", word.name),
    };
    let reset = word.reset_value(config);
    let field = |name: &str, low: u32, width: u32| RdlField {
        name: name.into(),
        low,
        width,
        software: if word.access == Access::Read { "r" } else { "rw" }.into(),
        reset: Some(u64::from(reset >> low) & (u64::MAX >> (64 - width))),
    };
    let mut fields: Vec<RdlField> = word.fields.iter().map(|part| field(part.name, part.low, part.bits)).collect();
    if fields.is_empty() {
        fields.push(field("value", 0, word.bits));
    }
    RdlRegister { path, address: register.address.into(), bytes: WORD_BYTES.into(), fields }
}

#[test]
fn peakrdl_understands_every_register() {
    let Some(tools) = pinned_tools_or_skip("peakrdl_understands_every_register") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let configs = configs();
    assert!(configs.len() > presets::ALL.len(), "there is more than one mechanism");
    for config in configs {
        let file = folder.path().join("powar_registers.rdl");
        std::fs::write(&file, registers::systemrdl(&config, &Prefix::of(&config).expect("a prefix"))).expect("written");
        let found = compile_systemrdl(&tools, &file).expect("sound SystemRDL");
        let wanted: Vec<_> = registers::registers(&config).iter().map(|register| expected(&config, register)).collect();
        assert_eq!(found, wanted, "{}, {}", config.name, config.mechanism().name);
    }
}
