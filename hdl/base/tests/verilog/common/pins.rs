//! Setting the inputs of a block at random and reading its outputs, whatever their types.

use super::bench::Random;
use num_bigint::BigUint;
use num_traits::Num;
use rust_hdl::prelude::*;

/// A type a random value can be made of.
pub trait AnyValue: Synth {
    fn any(random: &mut Random) -> Self;
}

impl AnyValue for bool {
    fn any(random: &mut Random) -> Self {
        random.below(2) == 1
    }
}

impl<const N: usize> AnyValue for Bits<N> {
    /// Now and then an extreme, because wrap-around is where translations go wrong.
    fn any(random: &mut Random) -> Self {
        match random.below(8) {
            0 => Bits::default(),
            1 => !Bits::default(),
            _ => {
                let mut value = Bits::default();
                for bit in 0..N {
                    value = value.replace_bit_of_any_width(bit, random.below(2) == 1);
                }
                value
            }
        }
    }
}

/// `replace_bit` of rust-hdl stops at 64 bits.
trait ReplaceBit {
    fn replace_bit_of_any_width(self, position: usize, bit: bool) -> Self;
}

impl<const N: usize> ReplaceBit for Bits<N> {
    fn replace_bit_of_any_width(self, position: usize, bit: bool) -> Self {
        let one: Bits<N> = bits::<N>(1) << position as u64;
        if bit { self | one } else { self & !one }
    }
}

/// The bits of a value, lowest first.
pub fn bits_of<T: Synth>(value: T, out: &mut Vec<bool>) {
    let text = format!("{:x}", value.verilog());
    let digits = text.rsplit("'h").next().unwrap();
    let number = BigUint::from_str_radix(digits, 16).unwrap();
    out.extend((0..T::BITS).map(|bit| number.bit(bit as u64)));
}

pub trait InputPins {
    fn randomise(&mut self, random: &mut Random, bits: &mut Vec<bool>);
}

impl<T: AnyValue> InputPins for Signal<In, T> {
    fn randomise(&mut self, random: &mut Random, bits: &mut Vec<bool>) {
        self.next = T::any(random);
        bits_of(self.next, bits);
    }
}

impl<P: InputPins> InputPins for Vec<P> {
    fn randomise(&mut self, random: &mut Random, bits: &mut Vec<bool>) {
        self.iter_mut().for_each(|pin| pin.randomise(random, bits));
    }
}

impl<P: InputPins, const N: usize> InputPins for [P; N] {
    fn randomise(&mut self, random: &mut Random, bits: &mut Vec<bool>) {
        self.iter_mut().for_each(|pin| pin.randomise(random, bits));
    }
}

pub trait OutputPins {
    fn sample(&self, bits: &mut Vec<bool>);
}

impl<T: Synth> OutputPins for Signal<Out, T> {
    fn sample(&self, bits: &mut Vec<bool>) {
        bits_of(self.val(), bits);
    }
}

impl<P: OutputPins> OutputPins for Vec<P> {
    fn sample(&self, bits: &mut Vec<bool>) {
        self.iter().for_each(|pin| pin.sample(bits));
    }
}

impl<P: OutputPins, const N: usize> OutputPins for [P; N] {
    fn sample(&self, bits: &mut Vec<bool>) {
        self.iter().for_each(|pin| pin.sample(bits));
    }
}
