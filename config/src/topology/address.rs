//! How the number of a node stands in a packet header: digits side by side.

/// Bits of a packed node address in the header (`docs/microarchitecture/switch.md`).
pub const ADDRESS_BITS: usize = 16;

/// Bits of a digit of this base.
#[inline]
pub fn digit_bits(base: usize) -> usize {
    (base.max(2) - 1).ilog2() as usize + 1
}

/// Packs a node (or switch) number, counted in mixed radix with digit 0 lowest.
pub fn pack_address(bases: &[usize], node: usize) -> u16 {
    let (mut rest, mut low, mut packed) = (node, 0, 0);
    for &base in bases {
        packed |= (rest % base) << low;
        rest /= base;
        low += digit_bits(base);
    }
    packed as u16
}

/// The node number of a packed address; `None` if there is no such node.
pub fn unpack_address(bases: &[usize], address: u16) -> Option<usize> {
    let (mut rest, mut weight, mut node) = (usize::from(address), 1, 0);
    for &base in bases {
        let digit = rest & ((1 << digit_bits(base)) - 1);
        if digit >= base {
            return None;
        }
        node += digit * weight;
        weight *= base;
        rest >>= digit_bits(base);
    }
    (rest == 0).then_some(node)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_digits_side_by_side() {
        assert_eq!((digit_bits(1), digit_bits(2), digit_bits(4), digit_bits(5), digit_bits(18)), (1, 1, 2, 3, 5));
        assert_eq!(pack_address(&[18, 18], 18 * 3 + 17), 3 << 5 | 17);
        for bases in [&[18, 18][..], &[8, 8], &[4, 4, 4], &[5, 3, 7], &[28]] {
            let nodes = bases.iter().product();
            let packed: Vec<u16> = (0..nodes).map(|node| pack_address(bases, node)).collect();
            assert!(packed.iter().enumerate().all(|(node, &address)| unpack_address(bases, address) == Some(node)));
            let known = (0..=u16::MAX).filter(|&address| unpack_address(bases, address).is_some()).count();
            assert_eq!(known, nodes);
        }
    }
}
