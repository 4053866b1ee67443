//! Functions in which nothing is changed.

use syn::visit::{self, Visit};
use syn::{Attribute, FnArg, PathSegment, ReturnType, Signature, Type};

/// Whether it is compiled for tests alone.
pub fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let is_cfg_test = attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"));
        is_cfg_test || attribute.path().is_ident("test")
    })
}

/// Whether a function must be known to the compiler, or declares a block's signals: what it says then is compared before any cycle.
/// A block's outputs are listed with what they are made of, which is worth an error.
pub fn is_skipped(signature: &Signature) -> bool {
    let gives = match &signature.output {
        ReturnType::Default => false,
        ReturnType::Type(_, gives) => contains(gives, &["SignalDecl", "SignalSpec"]),
    };
    let lists = signature.inputs.iter().any(|input| match input {
        FnArg::Receiver(_) => false,
        FnArg::Typed(typed) => contains(&typed.ty, &["RegisterRows"]),
    });
    signature.constness.is_some() || gives || lists && signature.ident != "outputs"
}

struct Named<'a> {
    names: &'a [&'a str],
    found: bool,
}

impl<'ast> Visit<'ast> for Named<'_> {
    fn visit_path_segment(&mut self, segment: &'ast PathSegment) {
        self.found |= self.names.iter().any(|name| segment.ident == name);
        visit::visit_path_segment(self, segment);
    }
}

/// Whether one of these names occurs in a type.
fn contains(of: &Type, names: &[&str]) -> bool {
    let mut named = Named { names, found: false };
    named.visit_type(of);
    named.found
}
