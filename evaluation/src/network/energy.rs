//! Energy for each bit that came in.

use super::simulation::Interfaces;
use powar_config::units::FLIT_BYTES;

/// Bits of payload in so many flits of so many packets: 128 in each flit (POWAR, section 4.1). Of nodes with a stream the head flit of a packet carries
/// none. Of MPI programs packets are not full, and what they carry is in their trace.
pub fn payload_bits(interfaces: Interfaces, flits: u64, packets: u64) -> u64 {
    let heads = match interfaces {
        Interfaces::Messages => 0,
        Interfaces::AxiStream => packets,
    };
    flits.saturating_sub(heads) * 8 * FLIT_BYTES
}

/// The bits that came in with `measured` flits. Where packets are of several lengths, flits of the measured cycles have as many heads as those of the
/// whole run, of `flits` in `packets`.
pub(super) fn measured_bits(interfaces: Interfaces, measured: u64, (flits, packets): (u64, u64)) -> u64 {
    let heads = packets as f64 / flits.max(1) as f64 * measured as f64;
    payload_bits(interfaces, measured, heads.round() as u64)
}

/// The energy `joules` for each of these bits; none of no bit.
pub(super) fn per_bit(bits: Option<u64>, joules: f64) -> Option<f64> {
    bits.filter(|&bits| bits > 0).map(|bits| joules / bits as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_streams_carry_nothing() {
        assert_eq!(payload_bits(Interfaces::Messages, 8, 1), 1024);
        assert_eq!(payload_bits(Interfaces::AxiStream, 8, 1), 896);
        let bits = measured_bits(Interfaces::AxiStream, 40, (80, 10));
        assert_eq!((bits, per_bit(Some(bits), 4480.0)), (35 * 128, Some(1.0)));
        assert_eq!(measured_bits(Interfaces::AxiStream, 0, (0, 0)), 0);
        assert_eq!((per_bit(Some(0), 1.0), per_bit(None, 1.0)), (None, None));
    }
}
