//! Faults of the controller around the power manager.

use super::{VerilogFault, fault};

pub(super) const FAULTS: &[VerilogFault] = &[
    fault(
        "power_controller",
        "a grant of the last port is not noticed",
        "accepted[r] = |grant[r*8 +: 8];",
        "grant[r*8 +: 8]",
        "grant[r*8 +: 7]",
    ),
    fault(
        "power_controller",
        "requesters and ports are mixed up",
        "arbiter_request[p*8 + r] = selector_choice[r*8 + p];",
        "selector_choice[r*8 + p]",
        "selector_choice[p*8 + r]",
    ),
    fault("power_controller", "a held port is given again", "assign arbiter_free = ~held;", "~held", "8'hff"),
    fault(
        "power_controller",
        "the requester holds the port's place",
        ".given         (given),",
        "(given)",
        "(accepted)",
    ),
    fault("power_controller", "every flit frees its port", ".released      (flit_tail),", "flit_tail", "flit_valid"),
    fault(
        "power_controller",
        "a port that is not ready may send",
        "assign transmit = held & ready;",
        "held & ready",
        "held",
    ),
    fault("power_controller", "a free port may send", "assign transmit = held & ready;", "held & ready", "ready"),
    fault(
        "power_controller",
        "the selectors see no port that is preferred",
        ".preferred        (preferred),",
        "(preferred)",
        "(8'd0)",
    ),
    fault(
        "power_controller",
        "the selectors see which ports are ready, not grantable",
        "assign open = grantable & ~held;",
        "grantable",
        "ready",
    ),
    fault(
        "power_controller",
        "a port that is held may be chosen",
        "assign open = grantable & ~held;",
        "grantable & ~held",
        "grantable",
    ),
    fault(
        "power_controller",
        "a choice is never one of P",
        ".granted_adaptive (selector_choice_adaptive[i]),",
        "selector_choice_adaptive[i]",
        "1'b0",
    ),
];
