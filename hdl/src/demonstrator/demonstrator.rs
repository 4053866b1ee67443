//! One switch with a node at each port in one FPGA, all of it but clock, reset and pins.
//!
//! Use:      `rx` and `tx` are a serial line, 8N1, on which LiteX's UARTBone is spoken: window 0 of the bus, from byte address 0 on, has the
//!           registers of the switch, window 1, from 0x10000 on, those of the demonstrator. Node n is at port n, and stands for all behind it.
//! Traffic:  a node sends what its `traffic_generator` makes, and its `traffic_checker` looks at all that comes.
//! Clock:    `divider` cycles are a bit of the serial line, 4 or more; half a command is dropped after `timeout` cycles without a byte.
//! Range:    a switch of 2 to 60 ports of any network, flits of two words and more.
//! Reset:    nothing is sent; all blocks as they say.
//! Source:   docs/microarchitecture/demonstrator.md.

use super::{
    AxiLiteDecoder, DemonstratorRegisters, StatisticsReader, TrafficChecker, TrafficGenerator, UartBridge,
    UartReceiver, UartTransmitter,
};
use crate::block;
use crate::buffers::{HEADER_BITS, WHOLE_HEADER_BITS};
use crate::mechanisms;
use crate::network_interface::NetworkInterface;
use crate::rtl_block::RtlBlock;
use crate::switch::PowarSwitch;
use anyhow::Result;
use powar_config::Config;
use powar_config::registers::demonstrator::{INTERFACE_WORDS, NODE_BASE, NODE_STRIDE, Site, WINDOWS, check, of_switch};
use rust_hdl::prelude::*;

/// Name of its Verilog module.
pub const DEMONSTRATOR: &str = "powar_demonstrator";

/// The demonstrator of a configuration.
///
/// # Errors
/// There is none, or no RTL of its mechanism or of its routing.
pub fn demonstrator(config: &Config) -> Result<Box<dyn RtlBlock>> {
    mechanisms::check(config)?;
    Ok(match config.routing_sees().header {
        false => Box::new(Demonstrator::<HEADER_BITS, { HEADER_BITS + 1 }>::new(config)?),
        true => Box::new(Demonstrator::<WHOLE_HEADER_BITS, { WHOLE_HEADER_BITS + 1 }>::new(config)?),
    })
}

block! {
    pub struct Demonstrator<const H: usize, const E: usize>(DEMONSTRATOR, include_str!("demonstrator.rs"), clocked)
    fn new(config: &Config) -> Result<Self> {
        let topology = check(config)?;
        let site = Site::new(config)?;
        // The checkers of a plain site are not told.
        let told = if site.is_plain() { 0 } else { config.ports };
        let (in_order, out_of_order): (Vec<usize>, Vec<usize>) = (0..told).partition(|&node| site.ordered[node]);
        let (n, words) = (config.ports, config.switch.flit_words());
        let first = usize::from(NODE_BASE / NODE_STRIDE);
    }
    inputs {
        /// Serial line, in no step with the clock.
        rx: Bit,
        /// Cycles of a bit of the serial line.
        divider: Bits<16>,
        /// Cycles without a byte after which half a command is dropped.
        timeout: Bits<24>,
    }
    outputs {
        tx: Bit,
        /// The port is on: in the phase On or Draining.
        links_on[n]: Bit,
    }
    children {
        receiver: UartReceiver = UartReceiver::new(),
        transmitter: UartTransmitter = UartTransmitter::new(),
        bridge: UartBridge = UartBridge::new(),
        decoder: AxiLiteDecoder = AxiLiteDecoder::new(WINDOWS),
        registers: DemonstratorRegisters = DemonstratorRegisters::new(config),
        network: PowarSwitch<H, E> = PowarSwitch::new(mechanisms::of(config), &of_switch(config), topology)?,
        /// One per node.
        generator[n]: TrafficGenerator = TrafficGenerator::new(config),
        network_interface[n]: NetworkInterface = NetworkInterface::new(config),
        statistics_reader[n]: StatisticsReader = StatisticsReader::new(),
        packet_checker[n]: TrafficChecker = TrafficChecker::new(config),
    }
    locals {
        /// The word that is written, and the one that is asked for, is of this node.
        writes[n]: Bit,
        asks[n]: Bit,
        /// It is one of the generator's, or of the network interface's.
        writes_generator: Bit,
        asks_generator: Bit,
        asks_interface: Bit,
        /// Some node answers.
        read_done: Bit,
        read_data: Bits<32>,
    }
    sizes {
        ordered = in_order.len(),
        unordered = out_of_order.len(),
        n = n,
        words = words,
        bytes = 4 * words,
        user_bits = NetworkInterface::user_bits(config),
        statistics = INTERFACE_WORDS.len(),
    }
    tables {
        /// Number of each node's block of words in the window, in units of a block.
        place = (first..first + n).collect(),
        /// Position and stage of the switch.
        at = vec![site.position.into(), site.stage.into()],
        /// What stands for each node in the content of packets.
        exit = site.exits.iter().map(|&exit| exit.into()).collect(),
        /// Nodes to which packets come in order, and the others; none of either if all are.
        in_order = in_order,
        out_of_order = out_of_order,
    }
}

impl<const H: usize, const E: usize> Logic for Demonstrator<H, E> {
    #[hdl_gen]
    fn update(&mut self) {
        // The serial line.
        self.receiver.rx.next = self.rx.val();
        self.receiver.divider.next = self.divider.val();
        self.receiver.ready.next = self.bridge.rx_ready.val();
        self.transmitter.valid.next = self.bridge.tx_valid.val();
        self.transmitter.data.next = self.bridge.tx_data.val();
        self.transmitter.divider.next = self.divider.val();
        self.tx.next = self.transmitter.tx.val();
        self.bridge.rx_valid.next = self.receiver.valid.val();
        self.bridge.rx_data.next = self.receiver.data.val();
        self.bridge.tx_ready.next = self.transmitter.ready.val();
        self.bridge.timeout.next = self.timeout.val();
        // The bus.
        self.bridge.m_axi_awready.next = self.decoder.s_axi_awready.val();
        self.bridge.m_axi_wready.next = self.decoder.s_axi_wready.val();
        self.bridge.m_axi_bvalid.next = self.decoder.s_axi_bvalid.val();
        self.bridge.m_axi_bresp.next = self.decoder.s_axi_bresp.val();
        self.bridge.m_axi_arready.next = self.decoder.s_axi_arready.val();
        self.bridge.m_axi_rvalid.next = self.decoder.s_axi_rvalid.val();
        self.bridge.m_axi_rdata.next = self.decoder.s_axi_rdata.val();
        self.bridge.m_axi_rresp.next = self.decoder.s_axi_rresp.val();
        self.decoder.s_axi_awvalid.next = self.bridge.m_axi_awvalid.val();
        self.decoder.s_axi_awaddr.next = self.bridge.m_axi_awaddr.val();
        self.decoder.s_axi_wvalid.next = self.bridge.m_axi_wvalid.val();
        self.decoder.s_axi_wdata.next = self.bridge.m_axi_wdata.val();
        self.decoder.s_axi_wstrb.next = self.bridge.m_axi_wstrb.val();
        self.decoder.s_axi_bready.next = self.bridge.m_axi_bready.val();
        self.decoder.s_axi_arvalid.next = self.bridge.m_axi_arvalid.val();
        self.decoder.s_axi_araddr.next = self.bridge.m_axi_araddr.val();
        self.decoder.s_axi_rready.next = self.bridge.m_axi_rready.val();
        // Window 0: the switch.
        self.decoder.m_axi_awready[0].next = self.network.s_axi_awready.val();
        self.decoder.m_axi_wready[0].next = self.network.s_axi_wready.val();
        self.decoder.m_axi_bvalid[0].next = self.network.s_axi_bvalid.val();
        self.decoder.m_axi_bresp[0].next = self.network.s_axi_bresp.val();
        self.decoder.m_axi_arready[0].next = self.network.s_axi_arready.val();
        self.decoder.m_axi_rvalid[0].next = self.network.s_axi_rvalid.val();
        self.decoder.m_axi_rresp[0].next = self.network.s_axi_rresp.val();
        self.decoder.m_axi_rdata[0].next = self.network.s_axi_rdata.val();
        self.network.position.next = self.at[0].to_bits();
        self.network.stage.next = self.at[1].to_bits();
        self.network.s_axi_awvalid.next = self.decoder.m_axi_awvalid[0].val();
        self.network.s_axi_awaddr.next = self.decoder.m_axi_awaddr.val();
        self.network.s_axi_wvalid.next = self.decoder.m_axi_wvalid[0].val();
        self.network.s_axi_wdata.next = self.decoder.m_axi_wdata.val();
        self.network.s_axi_wstrb.next = self.decoder.m_axi_wstrb.val();
        self.network.s_axi_bready.next = self.decoder.m_axi_bready[0].val();
        self.network.s_axi_arvalid.next = self.decoder.m_axi_arvalid[0].val();
        self.network.s_axi_araddr.next = self.decoder.m_axi_araddr.val();
        self.network.s_axi_rready.next = self.decoder.m_axi_rready[0].val();
        // Window 1: all the rest.
        self.decoder.m_axi_awready[1].next = self.registers.s_axi_awready.val();
        self.decoder.m_axi_wready[1].next = self.registers.s_axi_wready.val();
        self.decoder.m_axi_bvalid[1].next = self.registers.s_axi_bvalid.val();
        self.decoder.m_axi_bresp[1].next = self.registers.s_axi_bresp.val();
        self.decoder.m_axi_arready[1].next = self.registers.s_axi_arready.val();
        self.decoder.m_axi_rvalid[1].next = self.registers.s_axi_rvalid.val();
        self.decoder.m_axi_rresp[1].next = self.registers.s_axi_rresp.val();
        self.decoder.m_axi_rdata[1].next = self.registers.s_axi_rdata.val();
        self.registers.s_axi_awvalid.next = self.decoder.m_axi_awvalid[1].val();
        self.registers.s_axi_awaddr.next = self.decoder.m_axi_awaddr.val();
        self.registers.s_axi_wvalid.next = self.decoder.m_axi_wvalid[1].val();
        self.registers.s_axi_wdata.next = self.decoder.m_axi_wdata.val();
        self.registers.s_axi_wstrb.next = self.decoder.m_axi_wstrb.val();
        self.registers.s_axi_bready.next = self.decoder.m_axi_bready[1].val();
        self.registers.s_axi_arvalid.next = self.decoder.m_axi_arvalid[1].val();
        self.registers.s_axi_araddr.next = self.decoder.m_axi_araddr.val();
        self.registers.s_axi_rready.next = self.decoder.m_axi_rready[1].val();
        self.registers.bus_error.next = self.bridge.bus_error.val();
        self.registers.serial_error.next = self.receiver.framing_error.val() | self.receiver.overrun.val();
        // Which node a word is of.
        self.writes_generator.next = self.registers.write_address.val().get_bits::<3>(4) == 0;
        self.asks_generator.next = self.registers.read_address.val().get_bits::<3>(4) == 0;
        self.asks_interface.next = self.registers.read_address.val().get_bit(6);
        self.read_done.next = false;
        self.read_data.next = 0.into();
        for i in 0..self.n.get() {
            self.writes[i].next = self.registers.write_enable.val()
                & (self.registers.write_address.val().get_bits::<7>(7) == self.place[i].to_bits());
            self.asks[i].next = self.registers.read.val()
                & (self.registers.read_address.val().get_bits::<7>(7) == self.place[i].to_bits());
            self.read_done.next = self.read_done.val()
                | self.generator[i].read_done.val()
                | self.packet_checker[i].read_done.val()
                | self.statistics_reader[i].read_done.val();
            self.read_data.next = self.read_data.val()
                | self.generator[i].read_data.val()
                | self.packet_checker[i].read_data.val()
                | self.statistics_reader[i].read_data.val();
        }
        self.registers.read_done.next = self.read_done.val();
        self.registers.read_data.next = self.read_data.val();
        // The nodes: control.
        for i in 0..self.n.get() {
            self.generator[i].node.next = i.to_bits();
            self.generator[i].run.next = self.registers.run.val();
            self.generator[i].clear.next = self.registers.clear.val();
            self.generator[i].cycles.next = self.registers.cycles.val();
            self.generator[i].write_enable.next = self.writes[i].val() & self.writes_generator.val();
            self.generator[i].write_address.next = self.registers.write_address.val().get_bits::<4>(0);
            self.generator[i].write_data.next = self.registers.write_data.val();
            self.generator[i].read.next = self.asks[i].val() & self.asks_generator.val();
            self.generator[i].read_address.next = self.registers.read_address.val().get_bits::<4>(0);
            self.network_interface[i].address.next = i.to_bits();
            self.network_interface[i].clear.next = self.registers.clear.val();
            self.packet_checker[i].node.next = self.exit[i].to_bits();
            self.packet_checker[i].clear.next = self.registers.clear.val();
            self.packet_checker[i].cycles.next = self.registers.cycles.val();
            self.packet_checker[i].read.next =
                self.asks[i].val() & !self.asks_generator.val() & !self.asks_interface.val();
            self.packet_checker[i].read_address.next = self.registers.read_address.val().get_bits::<6>(0);
            self.statistics_reader[i].read.next = self.asks[i].val() & self.asks_interface.val();
            self.statistics_reader[i].read_address.next = self.registers.read_address.val().get_bits::<4>(0);
            for k in 0..self.statistics.get() {
                self.statistics_reader[i].statistics[k].next = self.network_interface[i].statistics[k].val();
            }
        }
        for o in 0..self.ordered.get() {
            self.packet_checker[self.in_order[o]].ordered[0].next = true;
        }
        for u in 0..self.unordered.get() {
            self.packet_checker[self.out_of_order[u]].ordered[0].next = false;
        }
        // The nodes: streams and links.
        for i in 0..self.n.get() {
            self.network_interface[i].s_axis_tvalid.next = self.generator[i].m_axis_tvalid.val();
            self.network_interface[i].s_axis_tlast.next = self.generator[i].m_axis_tlast.val();
            self.network_interface[i].s_axis_tdest.next = self.generator[i].m_axis_tdest.val();
            self.generator[i].m_axis_tready.next = self.network_interface[i].s_axis_tready.val();
            self.packet_checker[i].s_axis_tvalid.next = self.network_interface[i].m_axis_tvalid.val();
            self.packet_checker[i].s_axis_tlast.next = self.network_interface[i].m_axis_tlast.val();
            self.packet_checker[i].s_axis_tid.next = self.network_interface[i].m_axis_tid.val();
            self.network_interface[i].m_axis_tready.next = self.packet_checker[i].s_axis_tready.val();
            self.network.in_valid[i].next = self.network_interface[i].out_valid.val();
            self.network.in_head[i].next = self.network_interface[i].out_head.val();
            self.network.in_vc[i].next = self.network_interface[i].out_vc.val();
            self.network.in_phase[i].next = self.network_interface[i].out_phase.val();
            self.network.in_hint[i].next = self.network_interface[i].out_hint.val();
            self.network.out_credit_valid[i].next = self.network_interface[i].in_credit_valid.val();
            self.network.out_credit_vc[i].next = self.network_interface[i].in_credit_vc.val();
            self.network_interface[i].in_valid.next = self.network.out_valid[i].val();
            self.network_interface[i].in_head.next = self.network.out_head[i].val();
            self.network_interface[i].in_vc.next = self.network.out_vc[i].val();
            self.network_interface[i].out_credit_valid.next = self.network.in_credit_valid[i].val();
            self.network_interface[i].out_credit_vc.next = self.network.in_credit_vc[i].val();
            for w in 0..self.words.get() {
                self.network_interface[i].s_axis_tdata[w].next = self.generator[i].m_axis_tdata[w].val();
                self.packet_checker[i].s_axis_tdata[w].next = self.network_interface[i].m_axis_tdata[w].val();
                self.network.in_flit[i * self.words + w].next = self.network_interface[i].out_flit[w].val();
                self.network_interface[i].in_flit[w].next = self.network.out_flit[i * self.words + w].val();
            }
            for b in 0..self.user_bits.get() {
                // A generator announces nothing.
                self.network_interface[i].s_axis_tuser[b].next = false;
            }
            for b in 0..self.bytes.get() {
                self.network_interface[i].s_axis_tkeep[b].next = self.generator[i].m_axis_tkeep[b].val();
                self.packet_checker[i].s_axis_tkeep[b].next = self.network_interface[i].m_axis_tkeep[b].val();
            }
            self.links_on[i].next = (self.network.phase[i].val() == 0) | (self.network.phase[i].val() == 5);
        }
    }
}
