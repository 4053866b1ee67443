//! Tells the directions in which a packet may go on in a two-dimensional mesh or torus some of whose links are off.
//!
//! Rule:     `ways` are the directions that shorten the way, have a cable and serve; if there are none, all that have a cable and serve, but
//!           only for a packet that its last hop has brought nearer: where it came in is not in a direction that leads no farther
//!           away. Never the port at which it came in. `own` is the port of the destination, if it is at this switch.
//! Latency:  none (combinational).
//! Range:    dimensions of 2 to 256 switches, in a torus of 3 and more; a destination that does not exist is neither `routable` nor `away`,
//!           and all sets are empty. The ports are +x, -x, +y, -y and those of the nodes.
//! Source:   docs/microarchitecture/routing.md.

use crate::block;
use crate::power::mechanism::Builder;
use crate::rtl_block::RtlBlock;
use powar_config::topology::connectivity::Grid;
use powar_config::topology::digit_bits;
use powar_config::{Config, Topology};
use rust_hdl::prelude::*;

/// Name of its Verilog module.
pub(super) const NAME: &str = "grid_ways";

/// Directions of a grid of two dimensions: +x, -x, +y, -y.
pub(super) const DIRECTIONS: usize = 4;

/// The block alone, for the routings that have it in their units.
pub(super) fn blocks(config: &Config) -> Vec<(String, Builder<'_>)> {
    let build = || {
        let topology = config.topology.as_deref().expect("a routing has a topology");
        Box::new(GridWays::new(config, topology).expect("the routing is for it")) as Box<dyn RtlBlock>
    };
    vec![(NAME.into(), Box::new(build))]
}

block! {
    pub struct GridWays(NAME, include_str!("grid_ways.rs"), combinational)
    /// `None` if the topology has no connectivity graphs.
    pub fn new(config: &Config, topology: &dyn Topology) -> Option<Self> {
        let grid = Grid::of(topology).ok()?;
        let (n, sizes) = (config.ports, vec![grid.columns, grid.rows]);
        let node_ports = n - 4;
        let several: Vec<usize> = Some(node_ports).filter(|&nodes| nodes > 1).into_iter().collect();
        let node_bits: usize = several.iter().map(|&nodes| digit_bits(nodes)).sum();
        let widths = [digit_bits(grid.columns), digit_bits(grid.rows)];
        let bits = node_bits + widths[0] + widths[1];
        let rings = if grid.wraps { 2 } else { 0 };
    }
    inputs {
        /// Packed address of this switch.
        position: Bits<16>,
        /// Packed address of the packet's destination node.
        destination: Bits<16>,
        /// The port at which the packet came in.
        input_port: Bits<6>,
        /// Output ports to be counted on.
        serves[n]: Bit,
    }
    outputs {
        /// The destination exists.
        routable: Bit,
        /// It exists, and is at another switch.
        away: Bit,
        /// Coordinates of this switch and of the destination's: x, y.
        from[2]: Bits<9>,
        to[2]: Bits<9>,
        /// The port of the destination at this switch.
        own[n]: Bit,
        /// Directions in which the packet may go.
        ways[n]: Bit,
    }
    locals {
        /// Both addresses with room to take a digit at any place.
        wide_position: Bits<32>,
        wide_destination: Bits<32>,
        /// The node at its switch, if there are several.
        node[several.len()]: Bits<9>,
        /// Of a torus: hops to the destination in the plus and in the minus direction.
        up[rings]: Bits<9>,
        down[rings]: Bits<9>,
        /// Some dimension differs.
        differs: Bit,
        /// By direction: it shortens the way, it does not lengthen it, it has a cable.
        nearer[DIRECTIONS]: Bit,
        level[DIRECTIONS]: Bit,
        cable[DIRECTIONS]: Bit,
        /// By direction: its link is on and another than the one on which the packet came.
        open[DIRECTIONS]: Bit,
        /// Some open direction shortens the way.
        leads: Bit,
        /// The last hop has not brought the packet nearer.
        misrouted: Bit,
    }
    constants {
        /// Bits of the destination above all digits.
        above: Bits<16> = (0xFFFF_usize << bits & 0xFFFF).to_bits(),
    }
    sizes {
        dimensions = 2,
        /// Dimensions of a mesh, and of a torus; one of both is 0.
        lines = 2 - rings,
        rings = rings,
        directions = DIRECTIONS,
        /// Ports to nodes; digits that tell nodes apart (0 or 1), how many nodes there are, and the bits of the digit.
        node_ports = node_ports,
        node_digits = several.len(),
    }
    tables {
        /// Size of each dimension, its last coordinate, lowest bit of its digit, and the bits of the digit.
        size = sizes.clone(),
        last = sizes.iter().map(|size| size - 1).collect(),
        low = vec![node_bits, node_bits + widths[0]],
        mask = widths.iter().map(|&width| (1 << width) - 1).collect(),
        nodes = several.clone(),
        node_mask = several.iter().map(|_| (1 << node_bits) - 1).collect(),
    }
}

impl Logic for GridWays {
    #[hdl_gen]
    fn update(&mut self) {
        self.wide_position.next = bit_cast::<32, 16>(self.position.val());
        self.wide_destination.next = bit_cast::<32, 16>(self.destination.val());
        self.routable.next = (self.destination.val() & self.above.val()) == 0;
        for k in 0..self.node_digits.get() {
            self.node[k].next = self.wide_destination.val().get_bits::<9>(0) & self.node_mask[k].to_bits();
            self.routable.next = self.routable.val() & (self.node[k].val() < self.nodes[k].to_bits());
        }
        self.differs.next = false;
        for i in 0..self.dimensions.get() {
            self.from[i].next = self.wide_position.val().get_bits::<9>(self.low[i]) & self.mask[i].to_bits();
            self.to[i].next = self.wide_destination.val().get_bits::<9>(self.low[i]) & self.mask[i].to_bits();
            self.routable.next = self.routable.val() & (self.to[i].val() < self.size[i].to_bits());
            self.differs.next = self.differs.val() | (self.to[i].val() != self.from[i].val());
        }
        self.away.next = self.routable.val() & self.differs.val();
        for i in 0..self.lines.get() {
            self.nearer[2 * i].next = self.to[i].val() > self.from[i].val();
            self.nearer[2 * i + 1].next = self.to[i].val() < self.from[i].val();
            self.level[2 * i].next = self.nearer[2 * i].val();
            self.level[2 * i + 1].next = self.nearer[2 * i + 1].val();
            self.cable[2 * i].next = self.from[i].val() != self.last[i].to_bits();
            self.cable[2 * i + 1].next = self.from[i].val() != 0;
        }
        for i in 0..self.rings.get() {
            // Hops modulo the size of the ring.
            self.up[i].next = self.to[i].val() - self.from[i].val();
            if self.to[i].val() < self.from[i].val() {
                self.up[i].next = self.up[i].val() + self.size[i].to_bits();
            }
            self.down[i].next = self.from[i].val() - self.to[i].val();
            if self.from[i].val() < self.to[i].val() {
                self.down[i].next = self.down[i].val() + self.size[i].to_bits();
            }
            self.nearer[2 * i].next = self.up[i].val().any() & (self.up[i].val() <= self.down[i].val());
            self.nearer[2 * i + 1].next = self.up[i].val().any() & (self.down[i].val() <= self.up[i].val());
            self.level[2 * i].next = self.up[i].val().any() & (self.up[i].val() <= self.down[i].val() + 1);
            self.level[2 * i + 1].next = self.up[i].val().any() & (self.down[i].val() <= self.up[i].val() + 1);
            self.cable[2 * i].next = true;
            self.cable[2 * i + 1].next = true;
        }
        self.leads.next = false;
        self.misrouted.next = false;
        for g in 0..self.directions.get() {
            self.open[g].next = self.cable[g].val() & self.serves[g].val() & (self.input_port.val() != g.to_bits());
            self.leads.next = self.leads.val() | (self.nearer[g].val() & self.open[g].val());
            self.misrouted.next = self.misrouted.val() | (self.level[g].val() & (self.input_port.val() == g.to_bits()));
        }
        for g in 0..self.directions.get() {
            self.ways[g].next = self.away.val()
                & self.open[g].val()
                & (self.nearer[g].val() | (!self.leads.val() & !self.misrouted.val()));
            self.own[g].next = false;
        }
        for l in 0..self.node_ports.get() {
            self.ways[self.directions + l].next = false;
            self.own[self.directions + l].next = self.routable.val() & !self.differs.val();
            for k in 0..self.node_digits.get() {
                self.own[self.directions + l].next =
                    self.routable.val() & !self.differs.val() & (self.node[k].val() == l.to_bits());
            }
        }
    }
}
