//! Faults of the demonstrator's golden models.

use super::{GoldenFault, golden_fault, spoilt};
use powar_golden::reference::demonstrator::uart_bridge::State;
use powar_golden::reference::demonstrator::*;

pub(super) const FAULTS: &[GoldenFault] = &[
    golden_fault("uart_receiver", "a byte that comes in late goes over the one that waits", |_| {
        spoilt(UartReceiver::new(), |before, after: &mut UartReceiver| {
            if before.valid && after.valid && before.busy && !after.busy && before.place == 9 {
                after.data = before.shift;
            }
        })
    }),
    golden_fault("uart_transmitter", "a byte has nine data bits", |_| {
        spoilt(UartTransmitter::new(), |before, after: &mut UartTransmitter| {
            if before.place == 8 && after.place == 9 {
                after.place = 8;
            }
        })
    }),
    golden_fault("uart_bridge", "the time-out leaves the place", |_| {
        spoilt(UartBridge::new(), |before, after: &mut UartBridge| {
            if after.state == State::Command
                && matches!(before.state, State::Address | State::Data)
                && before.place != 3
            {
                after.place = before.place;
            }
        })
    }),
    golden_fault("uart_bridge", "a burst stays at its first word", |_| {
        spoilt(UartBridge::new(), |before, after: &mut UartBridge| {
            if after.words != before.words && before.state != State::Length {
                after.address = before.address;
            }
        })
    }),
    golden_fault("axi_lite_decoder", "a slave is offered the same write twice", |_| {
        spoilt(AxiLiteDecoder::new(2), |before, after: &mut AxiLiteDecoder| {
            after.wvalid |= before.wvalid & before.awvalid;
        })
    }),
    golden_fault("axi_lite_decoder", "the response of a write is that of the one before", |_| {
        spoilt(AxiLiteDecoder::new(2), |before, after: &mut AxiLiteDecoder| {
            if before.write_window == 2 {
                after.bresp = before.bresp;
            }
        })
    }),
    golden_fault("demonstrator_registers", "time stands still while a word is read", |config| {
        spoilt(DemonstratorRegisters::new(config), |before, after: &mut DemonstratorRegisters| {
            if before.read {
                after.cycles = before.cycles;
            }
        })
    }),
    golden_fault("demonstrator_registers", "a stop does not last", |config| {
        spoilt(DemonstratorRegisters::new(config), |before, after: &mut DemonstratorRegisters| {
            after.run |= before.run;
        })
    }),
    golden_fault("traffic_generator", "the backlog forgets what is offered while a packet begins", |config| {
        spoilt(TrafficGenerator::new(config), |before, after: &mut TrafficGenerator| {
            if after.backlog < before.backlog && after.flits_offered == before.flits_offered.wrapping_add(1) {
                after.backlog -= 1;
            }
        })
    }),
    golden_fault("traffic_generator", "the content stands still behind the first beat", |config| {
        spoilt(TrafficGenerator::new(config), |before, after: &mut TrafficGenerator| {
            if before.first && !after.first {
                after.content = before.content;
            }
        })
    }),
    golden_fault("traffic_checker", "a lost packet counts again and again", |config| {
        spoilt(TrafficChecker::new(config), |before, after: &mut TrafficChecker| {
            if after.sequence_errors == before.sequence_errors.wrapping_add(1) {
                after.expected = before.expected.clone();
            }
        })
    }),
    golden_fault("traffic_checker", "the largest latency is the last", |config| {
        spoilt(TrafficChecker::new(config), |before, after: &mut TrafficChecker| {
            if before.record {
                after.latency_max = before.latency;
            }
        })
    }),
    golden_fault("reset_synchroniser", "the reset ends a cycle early", |_| {
        spoilt(ResetSynchroniser::new(), |_, after: &mut ResetSynchroniser| {
            if after.count == 14 {
                after.count = 15;
            }
        })
    }),
];
