//! Lock-step checks of the RTL against the golden model, waves and traffic.
