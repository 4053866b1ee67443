//! Faults of the demonstrator's golden models.

use super::{GoldenFault, spoilt};
use powar_golden::reference::demonstrator::uart_bridge::State;
use powar_golden::reference::demonstrator::*;

pub(super) const FAULTS: &[GoldenFault] = &[
    GoldenFault {
        name: "a byte that comes in late goes over the one that waits",
        block: "uart_receiver",
        build: |_| {
            spoilt(UartReceiver::new(), |before, after: &mut UartReceiver| {
                if before.valid && after.valid && before.busy && !after.busy && before.place == 9 {
                    after.data = before.shift;
                }
            })
        },
    },
    GoldenFault {
        name: "a byte has nine data bits",
        block: "uart_transmitter",
        build: |_| {
            spoilt(UartTransmitter::new(), |before, after: &mut UartTransmitter| {
                if before.place == 8 && after.place == 9 {
                    after.place = 8;
                }
            })
        },
    },
    GoldenFault {
        name: "the time-out leaves the place",
        block: "uart_bridge",
        build: |_| {
            spoilt(UartBridge::new(), |before, after: &mut UartBridge| {
                if after.state == State::Command
                    && matches!(before.state, State::Address | State::Data)
                    && before.place != 3
                {
                    after.place = before.place;
                }
            })
        },
    },
    GoldenFault {
        name: "a burst stays at its first word",
        block: "uart_bridge",
        build: |_| {
            spoilt(UartBridge::new(), |before, after: &mut UartBridge| {
                if after.words != before.words && before.state != State::Length {
                    after.address = before.address;
                }
            })
        },
    },
    GoldenFault {
        name: "a slave is offered the same write twice",
        block: "axi_lite_decoder",
        build: |_| {
            spoilt(AxiLiteDecoder::new(2), |before, after: &mut AxiLiteDecoder| {
                after.wvalid |= before.wvalid & before.awvalid;
            })
        },
    },
    GoldenFault {
        name: "the response of a write is that of the one before",
        block: "axi_lite_decoder",
        build: |_| {
            spoilt(AxiLiteDecoder::new(2), |before, after: &mut AxiLiteDecoder| {
                if before.write_window == 2 {
                    after.bresp = before.bresp;
                }
            })
        },
    },
    GoldenFault {
        name: "time stands still while a word is read",
        block: "demonstrator_registers",
        build: |config| {
            spoilt(DemonstratorRegisters::new(config), |before, after: &mut DemonstratorRegisters| {
                if before.read {
                    after.cycles = before.cycles;
                }
            })
        },
    },
    GoldenFault {
        name: "a stop does not last",
        block: "demonstrator_registers",
        build: |config| {
            spoilt(DemonstratorRegisters::new(config), |before, after: &mut DemonstratorRegisters| {
                after.run |= before.run;
            })
        },
    },
    GoldenFault {
        name: "the backlog forgets what is offered while a packet begins",
        block: "traffic_generator",
        build: |config| {
            spoilt(TrafficGenerator::new(config), |before, after: &mut TrafficGenerator| {
                if after.backlog < before.backlog && after.flits_offered == before.flits_offered.wrapping_add(1) {
                    after.backlog -= 1;
                }
            })
        },
    },
    GoldenFault {
        name: "the content stands still behind the first beat",
        block: "traffic_generator",
        build: |config| {
            spoilt(TrafficGenerator::new(config), |before, after: &mut TrafficGenerator| {
                if before.first && !after.first {
                    after.content = before.content;
                }
            })
        },
    },
    GoldenFault {
        name: "a lost packet counts again and again",
        block: "traffic_checker",
        build: |config| {
            spoilt(TrafficChecker::new(config), |before, after: &mut TrafficChecker| {
                if after.sequence_errors == before.sequence_errors.wrapping_add(1) {
                    after.expected = before.expected.clone();
                }
            })
        },
    },
    GoldenFault {
        name: "the largest latency is the last",
        block: "traffic_checker",
        build: |config| {
            spoilt(TrafficChecker::new(config), |before, after: &mut TrafficChecker| {
                if before.record {
                    after.latency_max = before.latency;
                }
            })
        },
    },
    GoldenFault {
        name: "the reset ends a cycle early",
        block: "reset_synchroniser",
        build: |_| {
            spoilt(ResetSynchroniser::new(), |_, after: &mut ResetSynchroniser| {
                if after.count == 14 {
                    after.count = 15;
                }
            })
        },
    },
];
