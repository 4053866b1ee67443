//! The properties are part of the binary: a new file among them is a reason to build again.

fn main() {
    println!("cargo::rerun-if-changed=../hdl/properties");
}
