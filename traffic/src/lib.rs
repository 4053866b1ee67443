//! Real MPI traffic as one switch sees it: recorded logs in, packet arrivals out.
