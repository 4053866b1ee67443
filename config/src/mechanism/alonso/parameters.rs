//! The parameters, as users write them, and what stands in the control registers.

use super::MECHANISM;
use crate::config::MAX_COUNT;
use crate::group::Group;
use crate::mechanism::Rules;
use crate::mechanism::control_values::control_values;
use crate::mechanism::parameter_table::{ParameterTable, parameters};
use crate::topology::{ADDRESS_BITS, FatTree, Torus, digit_bits};
use crate::{Config, Setting};
use anyhow::{Context, Result, bail, ensure};

parameters! {
    /// Alonso's parameters: the times of the paper at the cycle of 1.6 ns (section 4.2: 2000 and 1000 cycles), thresholds in the middle
    /// of what it tries, fractions of a link's bandwidth.
    pub struct AlonsoParameters of MECHANISM, policy "alonso-dynamic" {
        u_on: Number = 0.5, "Utilisation of the up-links, or of a trunk, above which one more is switched on";
        u_off: Number = 0.25, "Utilisation below which one is switched off; at most half of it";
        check_period: Time = 3200.0, in 2..=65535, "How often utilisation is compared with them, 2 to 65535 cycles";
        turn_on: Time = 1600.0, in 1..=MAX_COUNT, "Time from the decision to switch a link on until it is usable";
        turn_off: Time = 1600.0, in 1..=MAX_COUNT, "Time at full power after a link has gone off";
        litmus: Flag = true, "A message that waits at a node switches all links of its leaf switch on";
        start: Flag = false, "Begin with the Minimal Tree alone instead of with all links";
    }
}

control_values! {
    /// What the control registers of Alonso's mechanism hold (`docs/microarchitecture/mechanisms/alonso.md`).
    pub struct AlonsoValues of AlonsoParameters, policy 2 bits, rows alonso_words {
        check_period: u16 = Duration, 16, "Check period, cycles";
        on_flits: u16 = Count, 16, "U_on, flits per link and check period",
            from |of, cycle_ns| of.check_period.share(of.u_on, cycle_ns);
        off_flits: u16 = Count, 16, "U_off, likewise", from |of, cycle_ns| of.check_period.share(of.u_off, cycle_ns);
        turn_on: u32 = Duration, 24, "Cycles until a link that comes on is usable";
        turn_off: u32 = Duration, 24, "Cycles at full power of a link that goes off";
        litmus: bool = Flag, 1, "Hints of nodes switch all links on";
        start: bool = Flag, 1, "Only the Minimal Tree is on after a reset";
    }
}

impl Rules for AlonsoParameters {
    fn check_rules(&self, setting: &Setting) -> Result<()> {
        check_network(setting)?;
        let AlonsoParameters { u_on, u_off, .. } = *self;
        ensure!(u_off > 0.0, "u_off: {u_off} is out of range, u_off > 0");
        // Of a policy without a constant U_off it would forbid a low U_on for a value that nothing reads.
        ensure!(
            !self.heeds("u_off") || u_on >= 2.0 * u_off,
            "u_on: {u_on} is out of range, u_on >= 2 x u_off = {}",
            2.0 * u_off
        );
        ensure!(u_on > 0.0, "u_on: {u_on} is out of range, u_on > 0");
        ensure!(u_on <= 1.0, "u_on: {u_on} is out of range, u_on <= 1");
        ensure!(
            self.check_period.share(u_off, setting.cycle_ns) >= 1,
            "check_period: {} is {} cycles, too short for u_off = {u_off}: less than one flit",
            self.check_period,
            self.check_period.cycles(setting.cycle_ns)
        );
        Ok(())
    }

    fn saves_when(&self) -> Option<String> {
        let below = match self.heeds("u_off") {
            true => format!("less than u_off = {}", self.u_off),
            false => format!("so little that fewer would stay below u_on = {}", self.u_on),
        };
        let when = || {
            format!("a link goes off when the links beside it carry {below} for check_period = {}", self.check_period)
        };
        self.heeds("u_on").then(when)
    }

    /// A U_on that is not below U_max, where that is known (section 3.3).
    fn warnings(&self, setting: &Setting) -> Vec<String> {
        let Some(u_max) = setting.known_u_max() else { return vec![] };
        let warns = (self.heeds("u_on") && self.u_on >= u_max).then(|| {
            format!(
                "u_on: {} is not below U_max = {u_max} of {}, what its links carry of uniform traffic (Alonso, section 3.3)",
                self.u_on, setting.name
            )
        });
        warns.into_iter().collect()
    }
}

/// Checks that the network is one with a Minimal Tree, and that every group is of links between the same two switches, or of a tree's
/// up-links: one link of a group that stays on is all that keeps the network connected.
fn check_network(setting: &Setting) -> Result<()> {
    let topology = setting.shape.topology;
    let (tree, torus) = (topology.and_then(|any| any.of::<FatTree>()), topology.and_then(|any| any.of::<Torus>()));
    // It keeps one link of a group on. Other routings offer all of a group.
    ensure!(
        !setting.routing_sees().table,
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
                setting.shape.groups == up_ports,
                "kind: alonso needs one group, of the up-ports: groups = [{{ first = {k}, size = {k} }}]"
            );
        }
        (_, Some(torus @ Torus { trunk: trunk @ 2.., .. })) => {
            // Ports to several nodes are no trunk.
            let ports = if torus.nodes == 1 { setting.shape.ports } else { torus.first_node_port() };
            let split = |group: &Group| {
                let last = group.first + group.size - 1;
                group.first / trunk != last / trunk || last >= ports
            };
            if let Some(index) = setting.shape.groups.iter().position(split) {
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
    use crate::mechanism::Parameters;
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
