//! Packets for the network, as software says: pattern, load, bursts, length.
//!
//! Use:      AXI4-Stream to a network interface. Word 0 of a packet has its source 31:26, beats 25:16 and number among those to its
//!           destination 15:0; word 1 is the time; all others are states of an LFSR, x^32 + x^22 + x^2 + x + 1, that starts from word 0 and
//!           the destination. `traffic_checker` verifies them.
//! Load:     in each cycle of a burst a flit is offered with probability `load` / 65536; a packet is sent once as many flits are offered as
//!           it has with its head flit.
//! Random:   xorshift of 32 bits (13, 17, 5). While the generator stands still it takes the seed, so that runs can be repeated.
//! Range:    2 to 60 nodes, beats of 2 words and more. What is written takes effect at once; a packet that has begun ends as it began.
//! Reset:    stands still; uniform, no load, packets of 7 beats.
//! Source:   Marsaglia, Xorshift RNGs (2003); Xilinx XAPP 052 for the polynomial; docs/microarchitecture/demonstrator.md.

use crate::{block, dff_setup};
use powar_config::Config;
use powar_config::registers::demonstrator::{NODE, Site, most_beats};
use rust_hdl::prelude::*;

block! {
    pub struct TrafficGenerator("traffic_generator", include_str!("traffic_generator.rs"), clocked)
    /// For a checked configuration with a demonstrator.
    pub fn new(config: &Config) -> Self {
        let (n, words) = (config.ports, config.switch.flit_words());
        let site = Site::of_block(config);
        let maps = usize::from(!site.is_plain());
        // Empty where addresses are the numbers of nodes.
        let mapped = || (0..n).filter(|_| maps == 1);
        let address = |port: usize| site.addresses[port].map(usize::from);
        let exit = |port: usize| usize::from(site.exits[port]);
        let reached: Vec<usize> = mapped().filter(|&port| address(port).is_some()).collect();
        let unreached: Vec<usize> = mapped().filter(|&port| address(port).is_none()).collect();
        let shared: Vec<usize> = mapped().filter(|&port| exit(port) != port).collect();
        let reset = |name: &str| {
            let word = NODE.iter().find(|word| word.name == name).expect("a word of a node");
            word.reset_value(config)
        };
    }
    inputs {
        /// This node.
        node: Bits<6>,
        /// The generators run; counters go to 0; the time.
        run: Bit,
        clear: Bit,
        cycles: Bits<32>,
        /// A word of this block is written, by its number.
        write_enable: Bit,
        write_address: Bits<4>,
        write_data: Bits<32>,
        /// A word of this block is asked for, until `read_done`.
        read: Bit,
        read_address: Bits<4>,
        m_axis_tready: Bit,
    }
    outputs {
        /// The word, for one cycle; 0 otherwise.
        read_done: Bit,
        read_data: Bits<32>,
        m_axis_tvalid: Bit,
        m_axis_tdata[words]: Bits<32>,
        m_axis_tkeep[4 * words]: Bit,
        m_axis_tlast: Bit,
        m_axis_tdest: Bits<16>,
    }
    registers {
        read_done_r: Bit,
        read_data_r: Bits<32>,
        m_axis_tvalid_r: Bit,
        m_axis_tdest_r: Bits<16>,
        pattern_r: Bits<2>,
        destination_r: Bits<6>,
        load_r: Bits<17>,
        burst_on_r: Bits<16>,
        burst_off_r: Bits<16>,
        length_r: Bits<10> = reset("length").to_bits(),
        seed_r: Bits<32> = reset("seed").to_bits(),
        enable_r: Bit = true,
        packets_r: Bits<32>,
        flits_offered_r: Bits<32>,
        flits_sent_r: Bits<32>,
        random_r: Bits<32> = 1.into(),
        /// In a burst; cycles of it, or of the pause, so far.
        bursting_r: Bit = true,
        burst_count_r: Bits<16>,
        /// Flits offered that are not yet those of a packet.
        backlog_r: Bits<16>,
        /// The beat that is offered is the first of its packet.
        first_r: Bit,
        /// Beats left with the one offered.
        remaining_r: Bits<10>,
        /// Words 0 and 1 of the packet, and the LFSR at the beat.
        header_r: Bits<32>,
        stamp_r: Bits<32>,
        content_r: Bits<32>,
        /// Packets to each destination.
        sequence_r[n]: Bits<16>,
    }
    locals {
        on: Bit,
        /// The three steps of xorshift.
        shifted_left: Bits<32>,
        shifted_right: Bits<32>,
        next_random: Bits<32>,
        offer: Bit,
        limit: Bits<16>,
        /// The burst or pause ends with this cycle.
        turn: Bit,
        candidate: Bits<6>,
        choice: Bits<6>,
        fits: Bit,
        beats: Bits<10>,
        flits: Bits<16>,
        start: Bit,
        taken: Bit,
        last_beat: Bit,
        /// Number of the packet among those to its destination.
        number: Bits<16>,
        word0: Bits<32>,
        first_content: Bits<32>,
        /// The LFSR at the beat, after so many steps.
        step[words + 1]: Bits<32>,
        word: Bits<32>,
        /// Unless addresses are the numbers of nodes: what stands for the destination in the content, as it is there.
        exit[maps]: Bits<32>,
    }
    constants {
        /// Bits that the number of a node has, and the last node.
        node_mask: Bits<6> = (n.next_power_of_two() - 1).to_bits(),
        last_node: Bits<6> = (n - 1).to_bits(),
        most_beats: Bits<10> = most_beats(config).to_bits(),
        polynomial: Bits<32> = 0x8020_0003u32.to_bits(),
        /// All bits of word 0 below the source.
        below_source: Bits<32> = 0x03ff_ffffu32.to_bits(),
    }
    sizes {
        maps = maps,
        addresses = reached.len(),
        gaps = unreached.len(),
        exits = shared.len(),
        n = n,
        words = words,
        bytes = 4 * words,
    }
    tables {
        /// Nodes with an address, and it; nodes without; nodes whose packets have another node's number in their content, and it.
        reached = reached.clone(),
        address = reached.iter().filter_map(|&port| address(port)).collect(),
        unreached = unreached,
        shared = shared.clone(),
        first_exit = shared.iter().map(|&port| exit(port) << 26).collect(),
    }
}

impl Logic for TrafficGenerator {
    #[hdl_gen]
    fn update(&mut self) {
        // Random numbers and bursts.
        self.on.next = self.run.val() & self.enable_r.q.val();
        self.shifted_left.next = self.random_r.q.val() ^ (self.random_r.q.val() << 13);
        self.shifted_right.next = self.shifted_left.val() ^ (self.shifted_left.val() >> 17);
        self.next_random.next = self.shifted_right.val() ^ (self.shifted_right.val() << 5);
        if self.on.val() {
            self.random_r.d.next = self.next_random.val();
        } else if self.seed_r.q.val().any() {
            self.random_r.d.next = self.seed_r.q.val();
        } else {
            self.random_r.d.next = 1.into();
        }
        if self.bursting_r.q.val() {
            self.limit.next = self.burst_on_r.q.val();
        } else {
            self.limit.next = self.burst_off_r.q.val();
        }
        self.turn.next = (bit_cast::<17, 16>(self.burst_count_r.q.val()) + 1) >= bit_cast::<17, 16>(self.limit.val());
        if !self.on.val() {
            self.bursting_r.d.next = true;
        } else if self.turn.val() {
            self.bursting_r.d.next = !self.bursting_r.q.val() | !self.burst_off_r.q.val().any();
        }
        self.burst_count_r.d.next = self.burst_count_r.q.val() + 1;
        if !self.on.val() | self.turn.val() {
            self.burst_count_r.d.next = 0.into();
        }
        self.offer.next = self.on.val()
            & self.bursting_r.q.val()
            & (bit_cast::<17, 16>(self.random_r.q.val().get_bits::<16>(0)) < self.load_r.q.val());
        // Where a packet goes.
        self.candidate.next = self.random_r.q.val().get_bits::<6>(16) & self.node_mask.val();
        self.fits.next = true;
        match self.pattern_r.q.val().index() {
            0 => {
                self.choice.next = self.candidate.val();
                self.fits.next =
                    (self.candidate.val() <= self.last_node.val()) & (self.candidate.val() != self.node.val());
            }
            1 => self.choice.next = self.destination_r.q.val(),
            2 => self.choice.next = self.last_node.val() - self.node.val(),
            _ => {
                self.choice.next = self.node.val() + 1;
                if self.node.val() == self.last_node.val() {
                    self.choice.next = 0.into();
                }
            }
        }
        for m in 0..self.maps.get() {
            if self.choice.val() > self.last_node.val() {
                self.fits.next = false;
            }
            self.exit[m].next = bit_cast::<32, 6>(self.choice.val()) << 26;
        }
        for k in 0..self.gaps.get() {
            if self.choice.val() == self.unreached[k].to_bits() {
                self.fits.next = false;
            }
        }
        // When it goes.
        self.beats.next = self.length_r.q.val();
        if !self.length_r.q.val().any() {
            self.beats.next = 1.into();
        } else if self.length_r.q.val() > self.most_beats.val() {
            self.beats.next = self.most_beats.val();
        }
        self.flits.next = bit_cast::<16, 10>(self.beats.val()) + 1;
        self.start.next = self.on.val()
            & !self.m_axis_tvalid_r.q.val()
            & self.fits.val()
            & (self.backlog_r.q.val() >= self.flits.val());
        if !self.on.val() {
            self.backlog_r.d.next = 0.into();
        } else if self.start.val() {
            self.backlog_r.d.next = (self.backlog_r.q.val() - self.flits.val()) + self.offer.val();
        } else if self.offer.val() & !self.backlog_r.q.val().all() {
            self.backlog_r.d.next = self.backlog_r.q.val() + 1;
        }
        // Its words.
        self.number.next = 0.into();
        for d in 0..self.n.get() {
            dff_setup!(self, clk, sequence_r[d]);
            if self.choice.val() == d.to_bits() {
                self.number.next = self.sequence_r[d].q.val();
                if self.start.val() {
                    self.sequence_r[d].d.next = self.sequence_r[d].q.val() + 1;
                }
            }
        }
        self.word0.next = (bit_cast::<32, 6>(self.node.val()) << 26)
            | (bit_cast::<32, 10>(self.beats.val()) << 16)
            | bit_cast::<32, 16>(self.number.val());
        self.first_content.next =
            self.word0.val() ^ (bit_cast::<32, 6>(self.choice.val()) << 26) ^ self.below_source.val();
        for m in 0..self.maps.get() {
            for e in 0..self.exits.get() {
                if self.choice.val() == self.shared[e].to_bits() {
                    self.exit[m].next = self.first_exit[e].to_bits();
                }
            }
            self.first_content.next = self.word0.val() ^ self.exit[m].val() ^ self.below_source.val();
        }
        if !self.first_content.val().any() {
            self.first_content.next = 1.into();
        }
        self.step[0].next = self.content_r.q.val();
        for w in 0..self.words.get() {
            self.step[w + 1].next = self.step[w].val() >> 1;
            if self.step[w].val().get_bit(0) {
                self.step[w + 1].next = (self.step[w].val() >> 1) ^ self.polynomial.val();
            }
        }
        for w in 0..self.words.get() {
            self.m_axis_tdata[w].next = self.step[w].val();
        }
        if self.first_r.q.val() {
            self.m_axis_tdata[0].next = self.header_r.q.val();
            self.m_axis_tdata[1].next = self.stamp_r.q.val();
        }
        // The packet under way.
        self.last_beat.next = self.remaining_r.q.val() == 1;
        self.taken.next = self.m_axis_tvalid_r.q.val() & self.m_axis_tready.val();
        if self.taken.val() {
            self.first_r.d.next = false;
            self.remaining_r.d.next = self.remaining_r.q.val() - 1;
            self.content_r.d.next = self.step[self.words + 0].val();
            self.m_axis_tvalid_r.d.next = !self.last_beat.val();
        }
        if self.start.val() {
            self.m_axis_tvalid_r.d.next = true;
            self.first_r.d.next = true;
            self.remaining_r.d.next = self.beats.val();
            self.m_axis_tdest_r.d.next = bit_cast::<16, 6>(self.choice.val());
            self.header_r.d.next = self.word0.val();
            self.stamp_r.d.next = self.cycles.val();
            self.content_r.d.next = self.first_content.val();
        }
        for a in 0..self.addresses.get() {
            if self.start.val() & (self.choice.val() == self.reached[a].to_bits()) {
                self.m_axis_tdest_r.d.next = self.address[a].to_bits();
            }
        }
        // Counters.
        if self.taken.val() & self.last_beat.val() {
            self.packets_r.d.next = self.packets_r.q.val() + 1;
        }
        self.flits_offered_r.d.next = self.flits_offered_r.q.val() + self.offer.val();
        if self.taken.val() {
            self.flits_sent_r.d.next = self.flits_sent_r.q.val() + 1;
            if self.first_r.q.val() {
                self.flits_sent_r.d.next = self.flits_sent_r.q.val() + 2;
            }
        }
        if self.clear.val() {
            self.packets_r.d.next = 0.into();
            self.flits_offered_r.d.next = 0.into();
            self.flits_sent_r.d.next = 0.into();
        }
        // Words of software.
        if self.write_enable.val() {
            match self.write_address.val().index() {
                0 => self.pattern_r.d.next = self.write_data.val().get_bits::<2>(0),
                1 => self.destination_r.d.next = self.write_data.val().get_bits::<6>(0),
                2 => self.load_r.d.next = self.write_data.val().get_bits::<17>(0),
                3 => self.burst_on_r.d.next = self.write_data.val().get_bits::<16>(0),
                4 => self.burst_off_r.d.next = self.write_data.val().get_bits::<16>(0),
                5 => self.length_r.d.next = self.write_data.val().get_bits::<10>(0),
                6 => self.seed_r.d.next = self.write_data.val(),
                7 => self.enable_r.d.next = self.write_data.val().get_bit(0),
                _ => {}
            }
        }
        match self.read_address.val().index() {
            0 => self.word.next = bit_cast::<32, 2>(self.pattern_r.q.val()),
            1 => self.word.next = bit_cast::<32, 6>(self.destination_r.q.val()),
            2 => self.word.next = bit_cast::<32, 17>(self.load_r.q.val()),
            3 => self.word.next = bit_cast::<32, 16>(self.burst_on_r.q.val()),
            4 => self.word.next = bit_cast::<32, 16>(self.burst_off_r.q.val()),
            5 => self.word.next = bit_cast::<32, 10>(self.length_r.q.val()),
            6 => self.word.next = self.seed_r.q.val(),
            7 => self.word.next = bit_cast::<32, 1>(self.enable_r.q.val().into()),
            8 => self.word.next = self.packets_r.q.val(),
            9 => self.word.next = self.flits_offered_r.q.val(),
            10 => self.word.next = self.flits_sent_r.q.val(),
            _ => self.word.next = 0.into(),
        }
        self.read_done_r.d.next = self.read.val() & !self.read_done_r.q.val();
        self.read_data_r.d.next = 0.into();
        if self.read.val() & !self.read_done_r.q.val() {
            self.read_data_r.d.next = self.word.val();
        }
        self.read_done.next = self.read_done_r.q.val();
        self.read_data.next = self.read_data_r.q.val();
        self.m_axis_tvalid.next = self.m_axis_tvalid_r.q.val();
        self.m_axis_tlast.next = self.last_beat.val();
        self.m_axis_tdest.next = self.m_axis_tdest_r.q.val();
        for b in 0..self.bytes.get() {
            self.m_axis_tkeep[b].next = true;
        }
    }
}
