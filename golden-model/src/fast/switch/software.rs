//! What software reads and writes of a switch, by way of its register bus.

use super::input_ports::InputPorts;
use super::output_ports::OutputPorts;
use super::{BusInputs, Payload, Switch};
use crate::reference::power::mechanism::Write;

/// Counters of errors of a port.
pub(super) fn errors<P>(input: &InputPorts<P>, output: &OutputPorts, port: usize) -> [u32; 5] {
    let [dropped, framing, overflow, closed] = input.errors[port].list();
    [dropped, framing, overflow, closed, output.errors[port]]
}

impl<P: Payload> Switch<P> {
    /// The bus's edge of cycle `now`, in which nothing else has moved yet. The write of a word, if there is one.
    #[cold]
    pub(super) fn clock_bus(&mut self, inputs: &BusInputs, now: u64) -> Option<Write> {
        let (read, done) = (self.bus.read, self.power.answer());
        let Switch { power, input, output, .. } = self;
        power.clock_read(now, &read, |port, error| errors(input, output, port)[error]);
        let table = input.router.table.as_deref_mut();
        // Of a word that is not its own, each owner answers 0.
        let of_table = table.as_ref().map_or(0, |table| table.loader.read_data);
        let write = self.bus.clock(inputs, &self.config, done.map(|word| word | of_table));
        self.bus_is_active = self.bus.is_active() | self.power.is_reading();
        if let Some(table) = table {
            table.clock(now, write, &read);
            self.bus_is_active |= table.is_active();
        }
        write
    }

    /// The rest of the edge that ends cycle `now`, if there is a write or a clear.
    #[cold]
    pub(super) fn write(&mut self, now: u64, write: Option<Write>) {
        if self.power.clear {
            self.input.clear_errors();
            self.output.errors = [0; 64];
        }
        self.power.write(now, write);
    }
}
