//! What both models share: configuration, port-level types and units.
