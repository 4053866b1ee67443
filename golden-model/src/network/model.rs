//! The switches of a network, whatever simulates them.

use super::net_packet::NetPacket;
use crate::fast::switch::{Credits, Inputs, Outputs, Switch};

/// A switch that shows the registers of `powar_switch` (`docs/microarchitecture/switch.md`) in the same cycles as the golden one.
pub trait SwitchModel {
    /// The cycle `now`, to the clock edge that ends it. Nothing has come in since the cycle that was stepped before; if there were any
    /// in between, [`SwitchModel::next_event`] said that nothing would begin in them.
    fn step(&mut self, now: u64, inputs: &Inputs<NetPacket>) -> &Outputs<NetPacket>;

    /// The cycle `now`, before [`SwitchModel::next_event`], with nothing but credits beginning to come in: true if that is done, and all that
    /// may have changed is the next event. False: nothing is done, it is to be stepped.
    #[inline]
    fn credits_come(&mut self, _now: u64, _credits: &[Credits]) -> bool {
        false
    }

    /// The first cycle from the one under way on in which something happens even if nothing else comes in than what has begun to.
    fn next_event(&self) -> u64;

    /// Flits of trains that it has told of and that are not on a link before cycle `now`.
    fn to_send(&self, now: u64) -> u64 {
        self.golden().to_send(now)
    }

    /// What steps may need is not in the cache, and is about to be needed.
    fn touch(&self) {
        self.golden().touch();
    }

    /// The golden switch in the same state: it has the counters.
    fn golden(&self) -> &Switch<NetPacket>;

    /// The same, to let its time pass and to write its registers.
    fn golden_mut(&mut self) -> &mut Switch<NetPacket>;
}

impl SwitchModel for Switch<NetPacket> {
    #[inline]
    fn step(&mut self, now: u64, inputs: &Inputs<NetPacket>) -> &Outputs<NetPacket> {
        if self.now() < now {
            self.skip(now - self.now());
        }
        Switch::step(self, inputs)
    }

    #[inline]
    fn credits_come(&mut self, now: u64, credits: &[Credits]) -> bool {
        Switch::credits_come(self, now, credits)
    }

    #[inline]
    fn next_event(&self) -> u64 {
        Switch::next_event(self)
    }

    fn golden(&self) -> &Switch<NetPacket> {
        self
    }

    fn golden_mut(&mut self) -> &mut Switch<NetPacket> {
        self
    }
}
