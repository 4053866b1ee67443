//! A mechanism that sees everything there is to see: it keeps it for a cycle, for a test to look at.

use powar_config::{Config, Draw, Mechanism, NodeHint, Phase, Residency, Routes, Sees};
use powar_hdl::block;
use powar_hdl::power::{Entry, MechanismPorts};
use rust_hdl::prelude::*;

pub static MECHANISM: Mechanism = Mechanism {
    name: "all_seeing",
    source: "none",
    sees: Sees {
        place: true,
        wanted: true,
        buffers: true,
        neighbours: true,
        ring: Some(&powar_config::mechanism::e_rapid::RING),
        // Rows of tables are the hints' to look at.
        routes: Routes::None,
    },
    residency: &[Residency { phase: Phase::On, level: 2, draw: Draw::Share(1.0), counter: "cycles", doc: "Cycles" }],
    node_hint: NodeHint::Waiting,
    level_gbps: &[],
    measures_queues: false,
    words: &[],
    policies: &[],
    options: &[],
    // It is given to switches by hand: no configuration names it.
    parse: |_| anyhow::bail!("all_seeing has no parameters"),
};

pub static ENTRY: Entry =
    Entry { mechanism: &MECHANISM, build: |config| Box::new(AllSeeing::new(config)), blocks: |_| vec![] };

block! {
    struct AllSeeing(MECHANISM.name, include_str!("all_seeing.rs"), MechanismPorts = MechanismPorts::new(n, MECHANISM.sees))
    fn new(config: &Config) -> Self {
        let n = config.ports;
    }
    registers {
        /// What was seen in the cycle before.
        position_r: Bits<16>,
        stage_r: Bits<4>,
        wanted_r = vec![false; n],
        arriving_r = vec![false; n],
        leaving_r = vec![false; n],
        fill_r[n]: Bits<13>,
        occupancy_r[n]: Bits<13>,
        neighbour_phase_r[n]: Bits<3>,
        hint_in_r = vec![false; n],
        ring_in_r: Bits<42>,
    }
    constants { only_level: Bits<3> = 2.into() }
    sizes { n = n }
}

impl Logic for AllSeeing {
    #[hdl_gen]
    fn update(&mut self) {
        self.position_r.d.next = self.ports.position[0].val();
        self.stage_r.d.next = self.ports.stage[0].val();
        self.ring_in_r.d.next = self.ports.ring_in[0].val();
        self.ports.ring_out[0].next = self.ring_in_r.q.val();
        self.ports.read_data.next = 0.into();
        for p in 0..self.n.get() {
            self.wanted_r.d[p].next = self.ports.wanted[p].val();
            self.arriving_r.d[p].next = self.ports.arriving[p].val();
            self.leaving_r.d[p].next = self.ports.leaving[p].val();
            self.fill_r[p].d.next = self.ports.fill[p].val();
            self.occupancy_r[p].d.next = self.ports.occupancy[p].val();
            self.neighbour_phase_r[p].d.next = self.ports.neighbour_phase[p].val();
            self.hint_in_r.d[p].next = self.ports.hint_in[p].val();
            self.ports.grantable[p].next = !self.ports.held[p].val();
            self.ports.preferred[p].next = true;
            self.ports.ready[p].next = true;
            self.ports.steady[p].next = true;
            self.ports.phase[p].next = 0.into();
            self.ports.level[p].next = self.only_level.val();
            self.ports.waking[p].next = false;
            self.ports.hint[p].next = self.ports.hint_in[p].val();
            self.ports.serves[p].next = true;
        }
    }
}
