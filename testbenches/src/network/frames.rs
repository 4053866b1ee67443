//! Links of a network as the frames of the switch's signals, and back.

use crate::link_slots::LinkSlots;
use anyhow::Result;
use powar_config::topology::wiring::Place;
use powar_config::{Config, Layout, Phase};
use powar_golden::bits::{is_set, ones};
use powar_golden::fast::power::{Sideband, Signal};
use powar_golden::fast::switch::{Credit, Inputs, LinkFlit, Outputs};
use powar_golden::network::NetFlit;
use powar_golden::network::stream::flit_word;

/// Word `word`, from 2 on, of a flit of which the network carries words 0 and 1, and which is the switch's so-and-so-many-th.
pub(super) type UpperWord = fn(flit: &LinkFlit<NetFlit>, number: u32, word: usize) -> u64;

/// Of nodes whose flits are what they are by their packet: so that no two flits look alike.
pub(super) fn by_place_in_time(_: &LinkFlit<NetFlit>, number: u32, word: usize) -> u64 {
    number.wrapping_mul(0x9e37_79b9).rotate_left(word as u32).into()
}

/// Of nodes with network interfaces: what these send and expect.
pub(super) fn of_stream(flit: &LinkFlit<NetFlit>, _: u32, word: usize) -> u64 {
    flit_word(&flit.payload, flit.head, word)
}

/// Turns links into frames and back. Words 0 and 1 of a flit are those of [`NetFlit`].
pub(super) struct Frames {
    place: Place,
    ports: usize,
    words: usize,
    slots: LinkSlots,
    /// What the other ends of the links show, flit or not.
    neighbours: Sideband,
    flits: u32,
    upper: UpperWord,
}

impl Frames {
    pub fn new(layout: &Layout, config: &Config, place: Place, upper: UpperWord) -> Result<Frames> {
        Ok(Frames {
            place,
            ports: config.ports,
            words: config.switch.flit_words(),
            slots: LinkSlots::new(layout)?,
            neighbours: Sideband::default(),
            flits: 0,
            upper,
        })
    }

    /// The input frame of a cycle.
    pub fn fill(&mut self, inputs: &Inputs<NetFlit>, frame: &mut [u64]) {
        frame.fill(0);
        frame[self.slots.position] = self.place.position.into();
        frame[self.slots.stage] = self.place.stage.into();
        inputs.neighbours.iter().for_each(|signal| self.neighbours.set(signal));
        frame[self.slots.in_hint] = self.neighbours.hint;
        for port in 0..self.ports {
            frame[self.slots.in_phase + port] = self.neighbours.phase.get(port).into();
        }
        for flit in inputs.flits {
            let port = usize::from(flit.port);
            frame[self.slots.in_valid] |= 1 << port;
            frame[self.slots.in_head] |= u64::from(flit.head) << port;
            frame[self.slots.in_vc + port] = flit.vc.into();
            frame[self.slots.in_phase + port] = flit.phase as u64;
            self.flits = self.flits.wrapping_add(1);
            for word in 0..self.words {
                frame[self.slots.in_flit + port * self.words + word] = match word {
                    0 => flit.payload.header.into(),
                    1 => flit.payload.packet.into(),
                    _ => (self.upper)(flit, self.flits, word),
                };
            }
        }
        for credit in inputs.credits {
            frame[self.slots.out_credit_valid] |= 1 << credit.port;
            frame[self.slots.out_credit_vc + usize::from(credit.port)] = credit.vc.into();
        }
    }

    /// What the links show in an observed frame.
    pub fn read(&self, frame: &[u64], outputs: &mut Outputs<NetFlit>) {
        outputs.flits.clear();
        outputs.credits.clear();
        for port in ones(frame[self.slots.out_valid]) {
            let words = &frame[self.slots.out_flit + port * self.words..][..self.words];
            outputs.flits.push(LinkFlit {
                port: port as u8,
                vc: frame[self.slots.out_vc + port] as u8,
                head: frame[self.slots.out_head] >> port & 1 == 1,
                // A code that is no phase does not send either.
                phase: Phase::by_code(frame[self.slots.out_phase + port] as u8).unwrap_or(Phase::Off),
                payload: NetFlit { header: words[0] as u32, packet: words.get(1).map_or(0, |&word| word as u32) },
            });
        }
        for port in 0..self.ports {
            let phase = frame[self.slots.out_phase + port] as u8;
            let hint = is_set(frame[self.slots.out_hint], port);
            outputs.sideband.set(&Signal { port: port as u8, phase, hint });
        }
        for port in ones(frame[self.slots.in_credit_valid]) {
            outputs.credits.push(Credit { port: port as u8, vc: frame[self.slots.in_credit_vc + port] as u8 });
        }
    }
}
