//! Energy for each bit that came in.

use super::simulation::{Interfaces, Simulation};
use powar_config::units::FLIT_BYTES;

/// Bits of payload in so many flits of so many packets: 128 in each flit (POWAR, section 4.1). Of nodes with a stream the head flit of a packet carries
/// none. Packets of messages that don't fill their last flit count it whole.
pub fn payload_bits(interfaces: Interfaces, flits: u64, packets: u64) -> u64 {
    let heads = match interfaces {
        Interfaces::Messages => 0,
        Interfaces::AxiStream => packets,
    };
    flits.saturating_sub(heads) * 8 * FLIT_BYTES
}

/// The bits that came in with `measured` flits, and the energy `joules` for each of them. Where packets are of several lengths, flits of the measured cycles
/// have as many heads as those of the whole run, of `flits` in `packets`.
pub(super) fn per_bit(
    simulation: &Simulation,
    measured: u64,
    (flits, packets): (u64, u64),
    joules: f64,
) -> (Option<u64>, Option<f64>) {
    let heads = packets as f64 / flits.max(1) as f64 * measured as f64;
    let bits = payload_bits(simulation.interfaces, measured, heads.round() as u64);
    (Some(bits), (bits > 0).then(|| joules / bits as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_streams_carry_nothing() {
        assert_eq!(payload_bits(Interfaces::Messages, 8, 1), 1024);
        assert_eq!(payload_bits(Interfaces::AxiStream, 8, 1), 896);
        let stream = Simulation { interfaces: Interfaces::AxiStream, ..Simulation::default() };
        assert_eq!(per_bit(&stream, 40, (80, 10), 4480.0), (Some(35 * 128), Some(1.0)));
        assert_eq!(per_bit(&stream, 0, (0, 0), 1.0), (Some(0), None));
    }
}
