//! The parameters, as users write them, and what stands in the control registers.

use super::{AlonsoValues, MECHANISM};
use crate::config::MAX_COUNT;
use crate::group::Group;
use crate::mechanism::control_values::ControlValues;
use crate::mechanism::{Mechanism, Parameters};
use crate::topology::{ADDRESS_BITS, FatTree, Torus, digit_bits};
use crate::units::Nanoseconds;
use crate::{Config, table};
use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

/// Alonso's parameters. Times are nanoseconds, thresholds fractions of a link's bandwidth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AlonsoParameters {
    /// Policy after reset, by name.
    pub policy: String,
    /// U_on, utilisation above which one more link is switched on.
    pub u_on: f64,
    /// U_off, utilisation below which one is switched off.
    pub u_off: f64,
    /// How often utilisation is compared with them; section 4.2: 2000 cycles.
    pub check_period: Nanoseconds,
    /// T_on; section 4.2: 1000 cycles.
    pub turn_on: Nanoseconds,
    /// T_off; section 4.2: 1000 cycles.
    pub turn_off: Nanoseconds,
    /// A message that waits at a node switches all links of its leaf switch on.
    pub litmus: bool,
    /// Begin with the Minimal Tree alone.
    pub start: bool,
}

impl Default for AlonsoParameters {
    /// The times of the paper at the cycle of 1.6 ns, thresholds in the middle of what it tries.
    fn default() -> Self {
        AlonsoParameters {
            policy: "alonso-dynamic".into(),
            u_on: 0.5,
            u_off: 0.25,
            check_period: Nanoseconds(3200.0),
            turn_on: Nanoseconds(1600.0),
            turn_off: Nanoseconds(1600.0),
            litmus: true,
            start: false,
        }
    }
}

impl AlonsoParameters {
    /// Reads a table; what is left out has its default.
    pub(super) fn parse(table: toml::Table) -> Result<Box<dyn Parameters>> {
        Ok(Box::new(table::read::<AlonsoParameters>(table)?))
    }

    /// What the control registers hold after reset, for parameters that have been checked; a cycle takes so many nanoseconds.
    pub fn values(&self, cycle_ns: f64) -> AlonsoValues {
        let cycles = |duration: Nanoseconds| duration.cycles(cycle_ns) as u32;
        let check_period = cycles(self.check_period) as u16;
        let flits = |fraction: f64| (fraction * f64::from(check_period)).round() as u16;
        AlonsoValues {
            policy: MECHANISM.policy_code(&self.policy).expect("checked") as u8,
            check_period,
            on_flits: flits(self.u_on),
            off_flits: flits(self.u_off),
            t_on: cycles(self.turn_on),
            t_off: cycles(self.turn_off),
            litmus: self.litmus,
            start: self.start,
        }
    }
}

impl Parameters for AlonsoParameters {
    fn mechanism(&self) -> &'static Mechanism {
        &MECHANISM
    }

    fn policy(&self) -> &str {
        &self.policy
    }

    fn set_policy(&mut self, name: &str) -> Result<()> {
        self.policy = MECHANISM.policy(name)?.name.into();
        Ok(())
    }

    fn check(&self, config: &Config) -> Result<()> {
        check_network(config)?;
        let policy = MECHANISM.policy(&self.policy)?;
        let AlonsoParameters { u_on, u_off, .. } = *self;
        ensure!(u_off > 0.0, "u_off: {u_off} is out of range, u_off > 0");
        // Of a policy without a constant U_off it would forbid a low U_on for a value that nothing reads.
        ensure!(
            policy.ignores.contains(&"u_off") || u_on >= 2.0 * u_off,
            "u_on: {u_on} is out of range, u_on >= 2 x u_off = {}",
            2.0 * u_off
        );
        ensure!(u_on > 0.0, "u_on: {u_on} is out of range, u_on > 0");
        ensure!(u_on <= 1.0, "u_on: {u_on} is out of range, u_on <= 1");
        let period = self.check_period.cycles_in(config.cycle_ns, 2..=65535).context("check_period")?;
        ensure!(
            (u_off * period as f64).round() >= 1.0,
            "check_period: {} is {period} cycles, too short for u_off = {u_off}: less than one flit",
            self.check_period
        );
        for (field, value) in [("turn_on", self.turn_on), ("turn_off", self.turn_off)] {
            value.cycles_in(config.cycle_ns, 1..=MAX_COUNT).context(field)?;
        }
        Ok(())
    }

    fn resets(&self, config: &Config) -> Vec<u32> {
        self.values(config.cycle_ns).words()
    }

    fn saves_when(&self) -> Option<String> {
        let policy = MECHANISM.policy(&self.policy).ok().filter(|policy| !policy.ignores.contains(&"u_on"))?;
        let below = match policy.ignores.contains(&"u_off") {
            true => format!("so little that fewer would stay below u_on = {}", self.u_on),
            false => format!("less than u_off = {}", self.u_off),
        };
        Some(format!("a link goes off when the links beside it carry {below} for check_period = {}", self.check_period))
    }

    /// A U_on that is not below U_max, where that is known (section 3.3).
    fn warning(&self, config: &Config) -> Option<String> {
        let u_max = config.known_u_max()?;
        let decides = MECHANISM.policy(&self.policy).is_ok_and(|policy| !policy.ignores.contains(&"u_on"));
        (decides && self.u_on >= u_max).then(|| {
            format!(
                "u_on: {} is not below U_max = {u_max} of {}, what its links carry of uniform traffic (Alonso, section 3.3)",
                self.u_on, config.name
            )
        })
    }

    fn table(&self) -> toml::Table {
        table::written(self)
    }
}

/// Checks that the network is one with a Minimal Tree, and that every group is of links between the same two switches, or of a tree's
/// up-links: one link of a group that stays on is all that keeps the network connected.
fn check_network(config: &Config) -> Result<()> {
    let topology = config.topology.as_ref();
    let (tree, torus) = (topology.and_then(|any| any.of::<FatTree>()), topology.and_then(|any| any.of::<Torus>()));
    // It keeps one link of a group on. Other routings offer all of a group.
    ensure!(
        !config.routing_sees().table,
        "kind: alonso brings no link on that a packet waits for, and a routing table may offer it that one alone; routing must not be table"
    );
    match (tree, torus) {
        (Some(FatTree { k, n, folded }), _) => {
            ensure!(!folded, "kind: alonso is out of range in a fat-tree with folded roots; they must not be folded");
            let bits = n * digit_bits(*k);
            ensure!(
                bits <= ADDRESS_BITS,
                "kind: alonso needs node addresses of 1..={ADDRESS_BITS} bits, but those of the topology have {bits}"
            );
            let up_ports = [Group { first: *k, size: *k }];
            ensure!(
                config.groups == up_ports,
                "kind: alonso needs one group, of the up-ports: groups = [{{ first = {k}, size = {k} }}]"
            );
        }
        (_, Some(torus @ Torus { trunk: trunk @ 2.., .. })) => {
            // Ports to several nodes are no trunk.
            let ports = if torus.nodes == 1 { config.ports } else { torus.first_node_port() };
            let split = |group: &Group| {
                let last = group.first + group.size - 1;
                group.first / trunk != last / trunk || last >= ports
            };
            if let Some(index) = config.groups.iter().position(split) {
                bail!("kind: alonso needs groups within a trunk of {trunk} ports, but groups[{index}] is in several");
            }
        }
        _ => bail!(
            "kind: alonso must be in a fat-tree, or in a torus with trunks of 2 links or more; topology is another"
        ),
    }
    Ok(())
}

impl Config {
    /// The parameters of a configuration whose mechanism is Alonso's.
    ///
    /// # Errors
    /// Its mechanism is another.
    pub fn alonso(&self) -> Result<&AlonsoParameters> {
        let name = self.mechanism().name;
        self.mechanism.of().with_context(|| format!("mechanism.kind: {name}, expected alonso"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presets;

    fn with_alonso(preset: &str) -> Config {
        let mut config = presets::by_name(preset).expect("a preset");
        config.mechanism = crate::mechanism::Chosen(MECHANISM.defaults());
        config
    }

    fn error(config: &Config) -> String {
        format!("{:#}", config.check().expect_err("out of range"))
    }

    #[test]
    fn it_is_for_trees_and_tori_with_trunks() {
        for preset in ["fat-tree-4", "fat-tree-8", "torus-28"] {
            with_alonso(preset).check().expect(preset);
        }
        assert!(error(&with_alonso("star-16")).contains("mechanism.kind: alonso must be in a fat-tree"));
        let mut config = with_alonso("fat-tree-4");
        config.topology = Some(Box::new(FatTree { k: 4, n: 4, folded: true }));
        assert!(error(&config).contains("folded"));
        config.topology = Some(Box::new(FatTree { k: 4, n: 9, folded: false }));
        assert!(error(&config).starts_with("topology.n: 9 is out of range"));
        config = with_alonso("fat-tree-18");
        config.topology = Some(Box::new(FatTree { k: 18, n: 4, folded: false }));
        assert!(error(&config).contains("node addresses of 1..=16 bits, but those of the topology have 20"));
        config.topology = None;
        assert!(error(&config).contains("mechanism.kind: alonso must be in a fat-tree"));
        config = with_alonso("fat-tree-4");
        config.route_by(&crate::routing::table::ROUTING);
        assert!(error(&config).contains("mechanism.kind: alonso brings no link on that a packet waits for"));
    }

    #[test]
    fn a_low_u_on_is_for_dynamic_thresholds() {
        let mut config = with_alonso("fat-tree-4");
        config.mechanism.of_mut::<AlonsoParameters>().unwrap().u_on = 0.1;
        config.check().expect("its U_off follows from U_on");
        config.mechanism.of_mut::<AlonsoParameters>().unwrap().set_policy("alonso-static").unwrap();
        assert!(error(&config).contains("mechanism.u_on: 0.1 is out of range, u_on >= 2 x u_off = 0.5"));
        config.mechanism.of_mut::<AlonsoParameters>().unwrap().set_policy("alonso-dynamic").unwrap();
        config.mechanism.of_mut::<AlonsoParameters>().unwrap().u_on = 0.0;
        assert!(error(&config).contains("mechanism.u_on: 0 is out of range, u_on > 0"));
    }

    #[test]
    fn its_groups_are_up_ports_or_links_of_a_trunk() {
        let mut config = with_alonso("fat-tree-4");
        config.groups[0].size = 3;
        assert!(error(&config).contains("groups = [{ first = 4, size = 4 }]"));
        let mut config = with_alonso("torus-28");
        config.groups = vec![Group { first: 0, size: 2 }, Group { first: 3, size: 2 }];
        assert!(error(&config).contains("trunk of 4 ports, but groups[1] is in several"), "{}", error(&config));
        config.groups[1].first = 2;
        config.check().expect("within trunks");
    }
}
