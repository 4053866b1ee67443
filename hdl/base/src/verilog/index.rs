//! Integer arithmetic over loop variables: bit positions, loop tests and loop counters used as values.

use std::collections::BTreeMap;

/// A loop variable with the value it has in the iteration under consideration.
pub(crate) type Bindings = Vec<(String, i128)>;

/// An integer expression over loop variables.
///
/// Sums of multiples of variables are kept in a normal form, so that two spellings of one position are equal and the coefficient of a
/// variable can be read off; everything else stays a tree.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Index {
    Affine(Affine),
    Operation(IndexOperator, Box<Index>, Box<Index>),
    /// An entry of a table of numbers.
    Entry(Vec<i128>, Box<Index>),
}

/// `constant + sum of coefficient * variable`; no coefficient is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Affine {
    pub constant: i128,
    pub terms: BTreeMap<String, i128>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum IndexOperator {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
}

impl IndexOperator {
    fn apply(self, left: i128, right: i128) -> Option<i128> {
        match self {
            IndexOperator::Add => left.checked_add(right),
            IndexOperator::Sub => left.checked_sub(right),
            IndexOperator::Mul => left.checked_mul(right),
            IndexOperator::Div => left.checked_div(right),
            IndexOperator::Rem => left.checked_rem(right),
            IndexOperator::Shl => left.checked_mul(1i128.checked_shl(u32::try_from(right).ok()?)?),
            IndexOperator::Shr => left.checked_shr(u32::try_from(right).ok()?),
        }
    }

    pub(crate) fn symbol(self) -> &'static str {
        match self {
            IndexOperator::Add => "+",
            IndexOperator::Sub => "-",
            IndexOperator::Mul => "*",
            IndexOperator::Div => "/",
            IndexOperator::Rem => "%",
            IndexOperator::Shl => "<<",
            IndexOperator::Shr => ">>",
        }
    }
}

impl Affine {
    fn combine(&self, factor: i128, other: &Affine) -> Option<Affine> {
        let mut sum = self.clone();
        sum.constant = sum.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (variable, coefficient) in &other.terms {
            let entry = sum.terms.entry(variable.clone()).or_insert(0);
            *entry = entry.checked_add(coefficient.checked_mul(factor)?)?;
        }
        sum.terms.retain(|_, coefficient| *coefficient != 0);
        Some(sum)
    }
}

impl Index {
    pub(crate) fn number(value: i128) -> Self {
        Index::Affine(Affine { constant: value, terms: BTreeMap::new() })
    }

    pub(crate) fn variable(name: &str) -> Self {
        Index::Affine(Affine { constant: 0, terms: BTreeMap::from([(name.to_string(), 1)]) })
    }

    /// `left operator right`, simplified.
    pub(crate) fn operation(operator: IndexOperator, left: Index, right: Index) -> Self {
        let simple = match (operator, &left, &right) {
            (IndexOperator::Add, Index::Affine(l), Index::Affine(r)) => l.combine(1, r),
            (IndexOperator::Sub, Index::Affine(l), Index::Affine(r)) => l.combine(-1, r),
            (IndexOperator::Mul, Index::Affine(l), Index::Affine(r)) => {
                let product = |factor: i128, affine| Affine::default().combine(factor, affine);
                if r.terms.is_empty() {
                    product(r.constant, l)
                } else if l.terms.is_empty() {
                    product(l.constant, r)
                } else {
                    None
                }
            }
            _ => None,
        };
        if let Some(affine) = simple {
            return Index::Affine(affine);
        }
        if let (Some(l), Some(r)) = (left.constant(), right.constant())
            && let Some(value) = operator.apply(l, r)
        {
            return Index::number(value);
        }
        Index::Operation(operator, Box::new(left), Box::new(right))
    }

    pub(crate) fn plus(&self, offset: i128) -> Self {
        Index::operation(IndexOperator::Add, self.clone(), Index::number(offset))
    }

    pub(crate) fn add(&self, other: &Index) -> Self {
        Index::operation(IndexOperator::Add, self.clone(), other.clone())
    }

    pub(crate) fn times(&self, factor: i128) -> Self {
        Index::operation(IndexOperator::Mul, self.clone(), Index::number(factor))
    }

    /// The value, if no variable is left.
    pub(crate) fn constant(&self) -> Option<i128> {
        match self {
            Index::Affine(affine) => affine.terms.is_empty().then_some(affine.constant),
            Index::Operation(..) | Index::Entry(..) => None,
        }
    }

    /// An entry of `table`; a number if the position is one.
    pub(crate) fn entry(table: &[i128], position: Index) -> Self {
        let known = position.constant().and_then(|value| table.get(usize::try_from(value).ok()?));
        match known {
            Some(value) => Index::number(*value),
            None => Index::Entry(table.to_vec(), Box::new(position)),
        }
    }

    /// The value with the variables bound; `None` if a variable is unbound or the arithmetic has no result.
    pub(crate) fn evaluate(&self, bindings: &Bindings) -> Option<i128> {
        match self {
            Index::Affine(affine) => {
                let mut value = affine.constant;
                for (variable, coefficient) in &affine.terms {
                    let (_, bound) = bindings.iter().rev().find(|(name, _)| name == variable)?;
                    value = value.checked_add(coefficient.checked_mul(*bound)?)?;
                }
                Some(value)
            }
            Index::Operation(operator, left, right) => {
                operator.apply(left.evaluate(bindings)?, right.evaluate(bindings)?)
            }
            Index::Entry(table, position) => table.get(usize::try_from(position.evaluate(bindings)?).ok()?).copied(),
        }
    }

    /// The expression with one variable replaced by a number.
    pub(crate) fn substitute(&self, variable: &str, value: i128) -> Self {
        match self {
            Index::Affine(affine) => {
                let mut rest = affine.clone();
                if let Some(coefficient) = rest.terms.remove(variable) {
                    rest.constant += coefficient * value;
                }
                Index::Affine(rest)
            }
            Index::Entry(table, position) => Index::entry(table, position.substitute(variable, value)),
            Index::Operation(operator, left, right) => {
                Index::operation(*operator, left.substitute(variable, value), right.substitute(variable, value))
            }
        }
    }

    pub(crate) fn uses(&self, variable: &str) -> bool {
        match self {
            Index::Affine(affine) => affine.terms.contains_key(variable),
            Index::Operation(_, left, right) => left.uses(variable) || right.uses(variable),
            Index::Entry(_, position) => position.uses(variable),
        }
    }

    /// Whether a table occurs.
    pub(crate) fn has_entry(&self) -> bool {
        match self {
            Index::Affine(_) => false,
            Index::Operation(_, left, right) => left.has_entry() || right.has_entry(),
            Index::Entry(..) => true,
        }
    }

    /// The factor of `variable`, zero if it does not occur; `None` if the expression is not a sum of multiples.
    pub(crate) fn coefficient(&self, variable: &str) -> Option<i128> {
        match self {
            Index::Affine(affine) => Some(affine.terms.get(variable).copied().unwrap_or(0)),
            Index::Operation(..) | Index::Entry(..) => (!self.uses(variable)).then_some(0),
        }
    }
}

/// The indices of element number `position` of an array of arrays with lengths `dims`, outermost first.
pub(crate) fn digits(dims: &[usize], position: usize) -> Vec<usize> {
    let mut rest = position;
    let mut digits = vec![];
    for &length in dims.iter().rev() {
        digits.push(rest % length);
        rest /= length;
    }
    digits.reverse();
    digits
}
