//! Links of a network as the frames of the switch's signals, and back.

use crate::link_slots::LinkSlots;
use anyhow::Result;
use powar_config::topology::wiring::Place;
use powar_config::{Config, Layout, Phase};
use powar_golden::bits::{is_set, ones};
use powar_golden::fast::power::{Sideband, Signal};
use powar_golden::fast::switch::{Credits, Inputs, LinkFlit, Outputs, Train, Unrolled};
use powar_golden::network::NetPacket;
use powar_golden::network::stream::flit_word;

/// Words 2 and up of a flit, of which the network carries words 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UpperWords {
    /// By the flit's place in time at this switch, so that no two flits look alike, of nodes that give all flits of a packet the same words.
    ByPlaceInTime,
    /// What nodes with network interfaces send and get.
    OfStream,
}

/// Turns links into frames and back. Words 0 and 1 of a flit are those of [`NetPacket`].
pub(super) struct Frames {
    place: Place,
    ports: usize,
    words: usize,
    slots: LinkSlots,
    /// What the other ends of the links show, flit or not.
    neighbours: Sideband,
    flits: u32,
    upper: UpperWords,
    /// What comes in, in trains.
    coming: Unrolled<NetPacket>,
}

impl Frames {
    pub fn new(layout: &Layout, config: &Config, place: Place, upper: UpperWords) -> Result<Frames> {
        Ok(Frames {
            place,
            ports: config.ports,
            words: config.switch.flit_words(),
            slots: LinkSlots::new(layout)?,
            neighbours: Sideband::default(),
            flits: 0,
            upper,
            coming: Unrolled::default(),
        })
    }

    /// The input frame of cycle `now`; it is made for every cycle.
    pub fn fill(&mut self, now: u64, inputs: &Inputs<NetPacket>, frame: &mut [u64]) {
        frame.fill(0);
        frame[self.slots.position] = self.place.position.into();
        frame[self.slots.stage] = self.place.stage.into();
        inputs.neighbours.iter().for_each(|signal| self.neighbours.set(signal));
        frame[self.slots.in_hint] = self.neighbours.hint;
        for port in 0..self.ports {
            frame[self.slots.in_phase + port] = self.neighbours.phase.get(port).into();
        }
        if let Some(ring) = self.slots.ring {
            frame[ring.ring_in] = inputs.ring;
        }
        self.coming.add(now, inputs.trains, inputs.credits);
        for flit in self.coming.flits(now) {
            let port = usize::from(flit.port);
            frame[self.slots.in_valid] |= 1 << port;
            frame[self.slots.in_head] |= u64::from(flit.head) << port;
            frame[self.slots.in_vc + port] = flit.vc.into();
            // Trains of golden switches don't say that their port drains.
            let drains = self.neighbours.phase.get(port) == Phase::Draining as u8 && flit.phase == Phase::On;
            frame[self.slots.in_phase + port] = if drains { Phase::Draining } else { flit.phase } as u64;
            self.flits = self.flits.wrapping_add(1);
            for word in 0..self.words {
                frame[self.slots.in_flit + port * self.words + word] = match word {
                    0 => flit.payload.header.into(),
                    1 => flit.payload.packet.into(),
                    _ if self.upper == UpperWords::OfStream => flit_word(&flit.payload, flit.head, word),
                    _ => self.flits.wrapping_mul(0x9e37_79b9).rotate_left(word as u32).into(),
                };
            }
        }
        for credit in self.coming.credits(now) {
            frame[self.slots.out_credit_valid] |= 1 << credit.port;
            frame[self.slots.out_credit_vc + usize::from(credit.port)] = credit.vc.into();
        }
    }

    /// What the links show in an observed frame. True: so far as is known, the words that the network does not carry are those that the
    /// other ends get.
    pub fn read(&self, frame: &[u64], outputs: &mut Outputs<NetPacket>) -> bool {
        outputs.trains.clear();
        outputs.credits.clear();
        let mut sound = true;
        for port in ones(frame[self.slots.out_valid]) {
            let words = &frame[self.slots.out_flit + port * self.words..][..self.words];
            let flit = LinkFlit {
                port: port as u8,
                vc: frame[self.slots.out_vc + port] as u8,
                head: frame[self.slots.out_head] >> port & 1 == 1,
                // A code that is no phase does not send either.
                phase: Phase::by_code(frame[self.slots.out_phase + port] as u8).unwrap_or(Phase::Off),
                payload: NetPacket { header: words[0] as u32, packet: words.get(1).map_or(0, |&word| word as u32) },
            };
            let carried = |(word, &shown): (usize, &u64)| shown == flit_word(&flit.payload, flit.head, word);
            sound &= self.upper == UpperWords::ByPlaceInTime || words.iter().enumerate().skip(2).all(carried);
            outputs.trains.push(Train::of(flit));
        }
        for port in 0..self.ports {
            let phase = frame[self.slots.out_phase + port] as u8;
            let hint = is_set(frame[self.slots.out_hint], port);
            outputs.sideband.set(&Signal { port: port as u8, phase, hint });
        }
        outputs.ring = self.slots.ring.map_or(0, |ring| frame[ring.ring_out]);
        for port in ones(frame[self.slots.in_credit_valid]) {
            let vc = frame[self.slots.in_credit_vc + port] as u8;
            outputs.credits.push(Credits { port: port as u8, vc, credits: 1 });
        }
        sound
    }
}
