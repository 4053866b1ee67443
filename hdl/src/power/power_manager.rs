//! What switch and controller have of power: the ports that are held, the power mechanism, and the counters of every port.
//!
//! Use:      `given` holds a port from the next cycle on, until `released` comes with a flit. A held port sends while it is `ready`.
//! Words:    `read_data` shows one cycle later what is at `read_address`: the mechanism's words and `clear_counters` below byte address
//!           0x1000, counters and status of the ports above; 0 elsewhere. A written `clear_counters` lasts one cycle.
//! Range:    2 to 64 ports. A port may be given in the cycle in which it is released: it stays held.
//! Reset:    no port is held, counters 0, the mechanism as it says.
//! Source:   docs/microarchitecture/power.md.

use crate::dff_setup;
use crate::power::mechanism::{Entry, PowerMechanism, if_seen};
use crate::power::{HeldPorts, PortCounters};
use crate::primitives::*;
use crate::rtl_signals;
use powar_config::{Config, Mechanism, registers};
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct PowerManager {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// Packed address of this switch.
    pub position: Vec<Signal<In, Bits<16>>>,
    /// Stage of this switch in a tree: 0 is the leaf stage.
    pub stage: Vec<Signal<In, Bits<4>>>,
    /// A packet in some route register could be given the port, by its destination and the room in the next buffer.
    pub wanted: Vec<Signal<In, Bit>>,
    /// A flit comes in at the port; one is read from its buffer.
    pub arriving: Vec<Signal<In, Bit>>,
    pub leaving: Vec<Signal<In, Bit>>,
    /// Flits in the input buffer of the port.
    pub fill: Vec<Signal<In, Bits<13>>>,
    /// Flits in the next buffer and on the way there and back.
    pub occupancy: Vec<Signal<In, Bits<13>>>,
    /// Phase of the port at the other end of the link, and its hint bit.
    pub neighbour_phase: Vec<Signal<In, Bits<3>>>,
    pub hint_in: Vec<Signal<In, Bit>>,
    /// The port is given to a packet in this cycle.
    pub given: Vec<Signal<In, Bit>>,
    /// A flit of the packet sets out for the port in this cycle.
    pub departing: Vec<Signal<In, Bit>>,
    /// With that flit the port is released.
    pub released: Vec<Signal<In, Bit>>,
    /// Errors of each port.
    pub error: Vec<Signal<In, Bit>>,
    /// Write `write_data` to the word at `write_address`, byte address / 4, at the end of this cycle.
    pub write_enable: Signal<In, Bit>,
    pub write_address: Signal<In, Bits<10>>,
    pub write_data: Signal<In, Bits<32>>,
    /// The word to be shown, likewise.
    pub read_address: Signal<In, Bits<14>>,
    /// The port is held by a packet.
    pub held: Vec<Signal<Out, Bit>>,
    /// It is not in the next cycle, if there is no reset.
    pub free_next: Vec<Signal<Out, Bit>>,
    /// The port may be given to a packet, once it is not held.
    pub grantable: Vec<Signal<Out, Bit>>,
    /// The port is taken before those that are not preferred.
    pub preferred: Vec<Signal<Out, Bit>>,
    /// The port may send in this cycle.
    pub ready: Vec<Signal<Out, Bit>>,
    /// If the port is held, it stays ready for the next four cycles.
    pub steady: Vec<Signal<Out, Bit>>,
    /// To the other end of the link.
    pub hint: Vec<Signal<Out, Bit>>,
    /// The port is to be counted on.
    pub serves: Vec<Signal<Out, Bit>>,
    /// Phase of the port: 0 On, 1 GoingOff, 2 Off, 3 ComingOn, 4 Refreshing, 5 Draining.
    pub phase: Vec<Signal<Out, Bits<3>>>,
    /// Rate and voltage of the port.
    pub level: Vec<Signal<Out, Bits<3>>>,
    /// The word that was at `read_address` in the cycle before.
    pub read_data: Signal<Out, Bits<32>>,
    read_data_r: Register<Bits<32>>,
    /// The counters are cleared in this cycle.
    clear_r: Register<Bit>,
    held_ports: Settled<HeldPorts>,
    mechanism: Settled<Box<dyn PowerMechanism>>,
    /// One per port.
    counters: Vec<Settled<PortCounters>>,
    /// The port at the address, and the place of the word in it.
    port: Signal<Local, Bits<14>>,
    place: Signal<Local, Bits<14>>,
    /// The address is one of this port; it is that of this counter; of the status.
    of_port: Vec<Signal<Local, Bit>>,
    of_counter: Vec<Signal<Local, Bit>>,
    of_status: Signal<Local, Bit>,
    /// The status of this port is shown.
    shows_status: Vec<Signal<Local, Bit>>,
    /// The word of a port, and of its status.
    port_word: Signal<Local, Bits<32>>,
    status: Signal<Local, Bits<32>>,
    /// The parts of the status.
    shown_phase: Signal<Local, Bits<3>>,
    shown_level: Signal<Local, Bits<3>>,
    shown_held: Signal<Local, Bit>,
    shown_grantable: Signal<Local, Bit>,
    shown_preferred: Signal<Local, Bit>,
    shown_ready: Signal<Local, Bit>,
    /// The word `clear_counters`, and where it is.
    clear_word: Signal<Local, Bits<32>>,
    clear_at: Constant<Bits<14>>,
    /// First word of port 0, address bits within a port, and how many they are.
    port_base: Constant<Bits<14>>,
    place_mask: Constant<Bits<14>>,
    place_bits: Constant<Bits<14>>,
    /// Lowest bits of the parts of the status.
    level_bit: Constant<Bits<32>>,
    held_bit: Size,
    grantable_bit: Size,
    preferred_bit: Size,
    ready_bit: Size,
    n: Size,
    /// Counters of a port, and the errors among them.
    port_counters: Size,
    errors: Size,
    /// Signals of each kind that the mechanism may see: ports (1 for the place), or 0.
    sees_place: Size,
    sees_wanted: Size,
    sees_buffers: Size,
    sees_neighbours: Size,
    info: BlockInfo,
}

/// Lowest bit of a part of the status.
fn status_bit(mechanism: &Mechanism, part: &str) -> usize {
    let words = registers::port_words(mechanism);
    let status = words.last().expect("the status of a port");
    status.fields.iter().find(|field| field.name == part).expect("a part of the status").low as usize
}

impl PowerManager {
    /// For a checked configuration, with this mechanism and so many kinds of error of a port.
    pub fn new(entry: &Entry, config: &Config, errors: usize) -> Self {
        let (n, mechanism) = (config.ports, entry.mechanism);
        let sees = mechanism.sees;
        let port_counters = || PortCounters::new(mechanism.residency, errors);
        let counters = port_counters().counters();
        let clear =
            registers::SWITCH.iter().find(|word| word.name == "clear_counters").expect("a word of every switch");
        let word = |byte_address: u16| usize::from(byte_address / registers::WORD_BYTES);
        let places = word(registers::port_stride(mechanism));
        build!(PowerManager {
            (
                clk, rst, write_enable, write_address, write_data, read_address, read_data, read_data_r, clear_r, port, place,
                of_status, port_word, status, shown_phase, shown_level, shown_held, shown_grantable, shown_preferred,
                shown_ready, clear_word,
            )
            [if_seen(sees.place, 1) => position, stage]
            [if_seen(sees.wanted, n) => wanted]
            [if_seen(sees.buffers, n) => arriving, leaving, fill, occupancy]
            [if_seen(sees.neighbours, n) => neighbour_phase, hint_in]
            [n => given, departing, released, held, free_next, grantable, preferred, ready, steady, hint, serves, phase, level, of_port, shows_status]
            [n * errors => error]
            [counters => of_counter]
            held_ports: HeldPorts::new(n).into(),
            mechanism: (entry.build)(config).into(),
            counters: (0..n).map(|_| port_counters().into()).collect(),
            clear_at: Constant::new(word(clear.offset).to_bits()),
            port_base: Constant::new(word(registers::PORT_BASE).to_bits()),
            place_mask: Constant::new((places - 1).to_bits()),
            place_bits: Constant::new(u64::from(places.ilog2()).to_bits()),
            level_bit: Constant::new(status_bit(mechanism, "level").to_bits()),
            held_bit: status_bit(mechanism, "held").into(),
            grantable_bit: status_bit(mechanism, "grantable").into(),
            preferred_bit: status_bit(mechanism, "preferred").into(),
            ready_bit: status_bit(mechanism, "ready").into(),
            n: n.into(),
            port_counters: counters.into(),
            errors: errors.into(),
            sees_place: if_seen(sees.place, 1).into(),
            sees_wanted: if_seen(sees.wanted, n).into(),
            sees_buffers: if_seen(sees.buffers, n).into(),
            sees_neighbours: if_seen(sees.neighbours, n).into(),
            info: BlockInfo::new("power_manager", include_str!("power_manager.rs")),
        })
    }
}

impl Logic for PowerManager {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, read_data_r, clear_r);
        self.held_ports.clk.next = self.clk.val();
        self.held_ports.rst.next = self.rst.val();
        for p in 0..self.n.get() {
            self.held_ports.given[p].next = self.given[p].val();
            self.held_ports.departing[p].next = self.departing[p].val();
            self.held_ports.released[p].next = self.released[p].val();
            self.held[p].next = self.held_ports.held[p].val();
            self.free_next[p].next = self.held_ports.free_next[p].val();
        }
        // The mechanism, and what it sees.
        self.mechanism.clk.next = self.clk.val();
        self.mechanism.rst.next = self.rst.val();
        self.mechanism.write_enable.next = self.write_enable.val();
        self.mechanism.write_address.next = self.write_address.val();
        self.mechanism.write_data.next = self.write_data.val();
        self.mechanism.read_address.next = self.read_address.val().get_bits::<10>(0);
        for k in 0..self.sees_place.get() {
            self.mechanism.position[k].next = self.position[k].val();
            self.mechanism.stage[k].next = self.stage[k].val();
        }
        for p in 0..self.sees_wanted.get() {
            self.mechanism.wanted[p].next = self.wanted[p].val();
        }
        for p in 0..self.sees_buffers.get() {
            self.mechanism.arriving[p].next = self.arriving[p].val();
            self.mechanism.leaving[p].next = self.leaving[p].val();
            self.mechanism.fill[p].next = self.fill[p].val();
            self.mechanism.occupancy[p].next = self.occupancy[p].val();
        }
        for p in 0..self.sees_neighbours.get() {
            self.mechanism.neighbour_phase[p].next = self.neighbour_phase[p].val();
            self.mechanism.hint_in[p].next = self.hint_in[p].val();
        }
        for p in 0..self.n.get() {
            self.mechanism.held[p].next = self.held_ports.held[p].val();
            self.mechanism.given[p].next = self.given[p].val();
            self.mechanism.departing[p].next = self.departing[p].val();
            self.grantable[p].next = self.mechanism.grantable[p].val();
            self.preferred[p].next = self.mechanism.preferred[p].val();
            self.ready[p].next = self.mechanism.ready[p].val();
            self.steady[p].next = self.mechanism.steady[p].val();
            self.hint[p].next = self.mechanism.hint[p].val();
            self.serves[p].next = self.mechanism.serves[p].val();
            self.phase[p].next = self.mechanism.phase[p].val();
            self.level[p].next = self.mechanism.level[p].val();
        }
        // The counters.
        self.port.next = (self.read_address.val() - self.port_base.val()) >> self.place_bits.val();
        self.place.next = self.read_address.val() & self.place_mask.val();
        for p in 0..self.n.get() {
            self.of_port[p].next = self.port.val() == p.to_bits();
        }
        for c in 0..self.port_counters.get() {
            self.of_counter[c].next = self.place.val() == c.to_bits();
        }
        self.of_status.next = self.place.val() == self.port_counters.val().to_bits();
        for p in 0..self.n.get() {
            self.counters[p].clk.next = self.clk.val();
            self.counters[p].rst.next = self.rst.val();
            self.counters[p].phase.next = self.mechanism.phase[p].val();
            self.counters[p].level.next = self.mechanism.level[p].val();
            self.counters[p].waking.next = self.mechanism.waking[p].val();
            self.counters[p].departing.next = self.departing[p].val();
            self.counters[p].clear.next = self.clear_r.q.val();
            for e in 0..self.errors.get() {
                self.counters[p].error[e].next = self.error[p * self.errors + e].val();
            }
            for c in 0..self.port_counters.get() {
                self.counters[p].select[c].next = self.of_port[p].val() & self.of_counter[c].val();
            }
        }
        self.clear_r.d.next = self.write_enable.val()
            & (bit_cast::<14, 10>(self.write_address.val()) == self.clear_at.val())
            & self.write_data.val().get_bit(0);
        // The word at the address. Only one port has one to show.
        self.port_word.next = 0.into();
        self.shown_phase.next = 0.into();
        self.shown_level.next = 0.into();
        self.shown_held.next = false;
        self.shown_grantable.next = false;
        self.shown_preferred.next = false;
        self.shown_ready.next = false;
        for p in 0..self.n.get() {
            self.port_word.next = self.port_word.val() | self.counters[p].word.val();
        }
        for p in 0..self.n.get() {
            self.shows_status[p].next = self.of_port[p].val() & self.of_status.val();
            self.shown_held.next = self.shown_held.val() | (self.shows_status[p].val() & self.held_ports.held[p].val());
            self.shown_grantable.next =
                self.shown_grantable.val() | (self.shows_status[p].val() & self.mechanism.grantable[p].val());
            self.shown_preferred.next =
                self.shown_preferred.val() | (self.shows_status[p].val() & self.mechanism.preferred[p].val());
            self.shown_ready.next =
                self.shown_ready.val() | (self.shows_status[p].val() & self.mechanism.ready[p].val());
            if self.shows_status[p].val() {
                self.shown_phase.next = self.shown_phase.val() | self.mechanism.phase[p].val();
                self.shown_level.next = self.shown_level.val() | self.mechanism.level[p].val();
            }
        }
        self.status.next = bit_cast::<32, 3>(self.shown_phase.val())
            | (bit_cast::<32, 3>(self.shown_level.val()) << self.level_bit.val());
        self.status.next = self.status.val().replace_bit(self.held_bit.into(), self.shown_held.val());
        self.status.next = self.status.val().replace_bit(self.grantable_bit.into(), self.shown_grantable.val());
        self.status.next = self.status.val().replace_bit(self.preferred_bit.into(), self.shown_preferred.val());
        self.status.next = self.status.val().replace_bit(self.ready_bit.into(), self.shown_ready.val());
        self.clear_word.next = 0.into();
        self.clear_word.next = self.clear_word.val().replace_bit(0, self.clear_r.q.val());
        if self.read_address.val() >= self.port_base.val() {
            self.read_data_r.d.next = self.port_word.val() | self.status.val();
        } else if self.read_address.val() == self.clear_at.val() {
            self.read_data_r.d.next = self.clear_word.val();
        } else {
            self.read_data_r.d.next = self.mechanism.read_data.val();
        }
        self.read_data.next = self.read_data_r.q.val();
    }
}

rtl_signals!(
    PowerManager,
    clocked,
    inputs(
        position,
        stage,
        wanted,
        arriving,
        leaving,
        fill,
        occupancy,
        neighbour_phase,
        hint_in,
        given,
        departing,
        released,
        error / errors,
        write_enable,
        write_address,
        write_data,
        read_address,
    ),
    outputs(held, free_next, grantable, preferred, ready, steady, hint, serves, phase, level, read_data),
    registers(read_data_r as "read_data", clear_r as "clear"),
    children(held_ports, mechanism, counters),
);
