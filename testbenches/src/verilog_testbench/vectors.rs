//! The vector file: what the golden model was given and what it showed, cycle by cycle.

use crate::stimulus::Stimulus;
use powar_config::{CycleModel, Layout, Meaning, Role, SignalDecl};
use std::fmt::Write;

/// First digit of a line: the cycle is driven only, since registers have no value yet.
pub const DRIVE: char = '1';
/// First digit of a line: the cycle is driven and compared.
pub const COMPARE: char = '2';

/// A signal in a line of the file. It takes whole hexadecimal digits, so that a line can be read by eye.
pub struct Field {
    pub signal: SignalDecl,
    /// First slot in its frame.
    pub slot: usize,
    /// Lowest bit in the line.
    pub low: usize,
}

impl Field {
    /// Bits of the Verilog port.
    pub fn bits(&self) -> usize {
        self.signal.rows * self.signal.width
    }

    fn digits(&self) -> usize {
        self.bits().div_ceil(4)
    }

    /// Writes the rows of a frame as one number: row i at `[i*width +: width]`.
    fn write(&self, frame: &[u64], text: &mut String) {
        let SignalDecl { rows, width, .. } = self.signal;
        let bit = |place: usize| {
            (place < self.bits()) as u64 & (frame[self.slot + (place / width).min(rows - 1)] >> (place % width))
        };
        for digit in (0..self.digits()).rev() {
            let value = (0..4).fold(0, |value, place| value | (bit(4 * digit + place) & 1) << place);
            text.push(char::from_digit(value as u32, 16).expect("four bits"));
        }
    }
}

/// What a line holds: the first digit ([`DRIVE`] or [`COMPARE`]), the inputs, the outputs expected.
pub struct Fields {
    pub inputs: Vec<Field>,
    pub outputs: Vec<Field>,
    /// Bits of a line.
    pub bits: usize,
}

impl Fields {
    /// In the order of the layout; registers are inside the design and no part of the bench.
    pub fn new(layout: &Layout) -> Fields {
        let placed = |signals: &[SignalDecl]| {
            let mut slot = 0;
            let mut fields = vec![];
            for signal in signals {
                if signal.role != Role::Register {
                    fields.push(Field { signal: signal.clone(), slot, low: 0 });
                }
                slot += signal.rows;
            }
            fields
        };
        let (mut inputs, mut outputs) = (placed(&layout.inputs), placed(&layout.observed));
        let mut low = 0;
        // The first field of a line is the most significant.
        for field in inputs.iter_mut().chain(&mut outputs).rev() {
            field.low = low;
            low += 4 * field.digits();
        }
        Fields { inputs, outputs, bits: low + 4 }
    }

    /// The place of the first digit.
    pub fn mark_low(&self) -> usize {
        self.bits - 4
    }
}

/// A recorded run.
pub struct Vectors {
    pub text: String,
}

impl Vectors {
    /// Runs the golden model, which must be in its state after power-up.
    pub fn record(
        golden: &mut dyn CycleModel,
        stimulus: &mut dyn Stimulus,
        fields: &Fields,
        cycles: u64,
        about: &str,
    ) -> Vectors {
        let layout = golden.layout().clone();
        let slots_of = |meaning: Meaning| -> Vec<usize> {
            let of_meaning = layout.inputs.iter().filter(|signal| signal.meaning == meaning);
            of_meaning.map(|signal| layout.input(&signal.name).expect("an input")).collect()
        };
        let (resets, edges) = (slots_of(Meaning::Reset), slots_of(Meaning::ClockEdge));
        // Clocks that have not risen yet with all resets at once: what they drive has no value.
        let mut waiting = edges;
        let mut inputs = vec![0; layout.input_slots()];
        let mut observed = vec![0; layout.observed_slots()];
        let names = |fields: &[Field]| fields.iter().map(|field| field.signal.name.clone()).collect::<Vec<_>>();
        let mut text = format!("// {about}\n// One line a cycle: {DRIVE} (drive) or {COMPARE} (drive and compare),\n");
        for (what, fields) in [("inputs", &fields.inputs), ("outputs expected", &fields.outputs)] {
            writeln!(text, "//   {what}: {}", names(fields).join(" ")).expect("strings take everything");
        }
        let mut was_reset = false;
        for cycle in 0..cycles {
            stimulus.drive(cycle, &observed, &mut inputs);
            golden.cycle(&inputs, &mut observed);
            text.push(if was_reset { COMPARE } else { DRIVE });
            for (frame, fields) in [(&inputs, &fields.inputs), (&observed, &fields.outputs)] {
                for field in fields {
                    text.push('_');
                    field.write(frame, &mut text);
                }
            }
            text.push('\n');
            if resets.iter().all(|&reset| inputs[reset] == 1) {
                waiting.retain(|&edge| inputs[edge] == 0);
                was_reset |= waiting.is_empty();
            }
        }
        Vectors { text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts, and shows the count and its input.
    struct Counter(Layout, u64);

    impl CycleModel for Counter {
        fn layout(&self) -> &Layout {
            &self.0
        }
        fn cycle(&mut self, inputs: &[u64], observed: &mut [u64]) {
            observed.copy_from_slice(&[self.1, inputs[1], inputs[2], inputs[3]]);
            self.1 = if inputs[0] == 1 { 0 } else { self.1 + 1 };
        }
    }

    struct Rows;

    impl Stimulus for Rows {
        fn drive(&mut self, cycle: u64, _last: &[u64], inputs: &mut [u64]) {
            inputs.copy_from_slice(&[u64::from(cycle < 2), 1, 2 + cycle, 4]);
        }
    }

    #[test]
    fn a_line_holds_whole_digits_and_is_compared_from_the_first_reset_on() {
        let layout = Layout::new([
            SignalDecl { meaning: Meaning::Reset, ..SignalDecl::new(Role::Input, "rst", 1, 1) },
            SignalDecl::new(Role::Input, "row", 3, 3),
            SignalDecl::new(Role::Register, "count", 1, 8),
            SignalDecl::new(Role::Output, "row_again", 3, 3),
        ]);
        let fields = Fields::new(&layout);
        // Mark, rst, 9 bits in 3 digits, and once more.
        assert_eq!(fields.bits, 4 + 4 + 12 + 12);
        assert_eq!(
            (fields.mark_low(), fields.inputs[0].low, fields.inputs[1].low, fields.outputs[0].low),
            (28, 24, 12, 0)
        );
        let vectors = Vectors::record(&mut Counter(layout, 7), &mut Rows, &fields, 4, "A test");
        let lines: Vec<&str> = vectors.text.lines().filter(|line| !line.starts_with("//")).collect();
        // Rows 1, 2 + cycle, 4 at bits 0, 3 and 6.
        assert_eq!(lines, ["1_1_111_111", "2_1_119_119", "2_0_121_121", "2_0_129_129"]);
        assert!(vectors.text.starts_with("// A test\n"), "{}", vectors.text);
    }
}
