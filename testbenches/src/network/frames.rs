//! Links of a network as the frames of the switch's signals, and back.

use anyhow::{Context, Result};
use powar_config::{Config, Layout, PowerState, Role};
use powar_golden::bits::ones;
use powar_golden::network::NetFlit;
use powar_golden::network::wiring::Place;
use powar_golden::switch::{Credit, Inputs, LinkFlit, Outputs};

/// Where the links lie in the frames. Word 0 of a flit is its header, word 1 (if there is one) the number of its packet; the other words
/// tell the flit's place in time, so that no two flits look alike.
pub(super) struct Frames {
    place: Place,
    words: usize,
    position: usize,
    stage: usize,
    in_valid: usize,
    in_head: usize,
    in_vc: usize,
    in_power_state: usize,
    in_flit: usize,
    out_credit_valid: usize,
    out_credit_vc: usize,
    out_valid: usize,
    out_head: usize,
    out_vc: usize,
    out_power_state: usize,
    out_flit: usize,
    in_credit_valid: usize,
    in_credit_vc: usize,
    flits: u32,
}

impl Frames {
    pub fn new(layout: &Layout, config: &Config, place: Place) -> Result<Frames> {
        let input = |name: &str| layout.input(name).with_context(|| format!("there is no input {name}"));
        let output =
            |name: &str| layout.observed(Role::Output, name).with_context(|| format!("there is no output {name}"));
        Ok(Frames {
            place,
            words: config.switch.flit_words(),
            position: input("position")?,
            stage: input("stage")?,
            in_valid: input("in_valid")?,
            in_head: input("in_head")?,
            in_vc: input("in_vc")?,
            in_power_state: input("in_power_state")?,
            in_flit: input("in_flit")?,
            out_credit_valid: input("out_credit_valid")?,
            out_credit_vc: input("out_credit_vc")?,
            out_valid: output("out_valid")?,
            out_head: output("out_head")?,
            out_vc: output("out_vc")?,
            out_power_state: output("out_power_state")?,
            out_flit: output("out_flit")?,
            in_credit_valid: output("in_credit_valid")?,
            in_credit_vc: output("in_credit_vc")?,
            flits: 0,
        })
    }

    /// The input frame of a cycle.
    pub fn fill(&mut self, inputs: &Inputs<NetFlit>, frame: &mut [u64]) {
        frame.fill(0);
        frame[self.position] = self.place.position.into();
        frame[self.stage] = self.place.stage.into();
        for flit in inputs.flits {
            let port = usize::from(flit.port);
            frame[self.in_valid] |= 1 << port;
            frame[self.in_head] |= u64::from(flit.head) << port;
            frame[self.in_vc + port] = flit.vc.into();
            frame[self.in_power_state + port] = flit.power_state as u64;
            self.flits = self.flits.wrapping_add(1);
            for word in 0..self.words {
                frame[self.in_flit + port * self.words + word] = match word {
                    0 => flit.payload.header.into(),
                    1 => flit.payload.packet.into(),
                    _ => self.flits.wrapping_mul(0x9e37_79b9).rotate_left(word as u32).into(),
                };
            }
        }
        for credit in inputs.credits {
            frame[self.out_credit_valid] |= 1 << credit.port;
            frame[self.out_credit_vc + usize::from(credit.port)] = credit.vc.into();
        }
    }

    /// What the links show in an observed frame.
    pub fn read(&self, frame: &[u64], outputs: &mut Outputs<NetFlit>) {
        outputs.flits.clear();
        outputs.credits.clear();
        for port in ones(frame[self.out_valid]) {
            let words = &frame[self.out_flit + port * self.words..][..self.words];
            outputs.flits.push(LinkFlit {
                port: port as u8,
                vc: frame[self.out_vc + port] as u8,
                head: frame[self.out_head] >> port & 1 == 1,
                power_state: PowerState::ALL[frame[self.out_power_state + port] as usize & 3],
                payload: NetFlit { header: words[0] as u32, packet: words.get(1).map_or(0, |&word| word as u32) },
            });
        }
        for port in ones(frame[self.in_credit_valid]) {
            outputs.credits.push(Credit { port: port as u8, vc: frame[self.in_credit_vc + port] as u8 });
        }
    }
}
