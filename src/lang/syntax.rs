//! What the parser makes of a text: expressions as written, names not yet looked up.
//!
//! All of it stands in one arena, and the words are those of the text.

use super::source::Span;

/// An expression as written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ast<'t> {
    pub(crate) kind: Kind<'t>,
    pub(crate) span: Span,
}

/// A name with its place.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) span: Span,
}

impl Named {
    /// The same, borrowed.
    pub(crate) fn borrowed(&self) -> Name<'_> {
        Name { name: &self.name, span: self.span }
    }
}

/// A name of a text, with its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name<'t> {
    pub(crate) name: &'t str,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind<'t> {
    Int(i64),
    Word(&'t str),
    List(&'t [Ast<'t>]),
    ListOver(&'t Ast<'t>, &'t [Clause<'t>]),
    Index(&'t Ast<'t>, &'t Ast<'t>),
    Negative(&'t Ast<'t>),
    Binary(Operator, &'t Ast<'t>, &'t Ast<'t>),
    /// `a < b <= c`: the first operand and the links.
    Compare(&'t Ast<'t>, &'t [Link<'t>]),
    Not(&'t Ast<'t>),
    And(&'t Ast<'t>, &'t Ast<'t>),
    Or(&'t Ast<'t>, &'t Ast<'t>),
    /// `a if c else b`, as condition, a, b.
    If(&'t Ast<'t>, &'t Ast<'t>, &'t Ast<'t>),
    Call(&'t Name<'t>, &'t [Ast<'t>]),
    /// `sum(e for v in r)`.
    CallOver(&'t Name<'t>, &'t Ast<'t>, &'t [Clause<'t>]),
    /// `can[names](F)`, `must[names](F)`.
    Moves {
        must: bool,
        names: Option<&'t [Name<'t>]>,
        formula: &'t Ast<'t>,
    },
    /// `F at (e1, e2)`.
    At(&'t Ast<'t>, &'t [Ast<'t>]),
    /// `win in k`, `loss in k`: whether it is a win, and k.
    Within(bool, &'t Ast<'t>),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Link<'t> {
    Order(Comparison, Ast<'t>),
    In { negated: bool, range: RangeAst<'t> },
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum RangeAst<'t> {
    Span { low: Ast<'t>, high: Ast<'t>, inclusive: bool },
    List(Ast<'t>),
}

impl RangeAst<'_> {
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::Span { low, high, .. } => low.span.to(high.span),
            Self::List(list) => list.span,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Clause<'t> {
    For { names: &'t [Name<'t>], row: bool, range: RangeAst<'t> },
    If(Ast<'t>),
}

/// The arithmetic operators of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `//`, rounded down
    FloorDiv,
    /// `/`, which must leave no remainder
    ExactDiv,
    /// `%`, with the sign of the divisor
    FloorMod,
    /// `**`
    Pow,
}

/// The comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `==`
    Equal,
    /// `!=`
    Unequal,
}

impl Comparison {
    /// Whether it holds, given how the first compares with the second.
    pub(crate) const fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Self::Less => order.is_lt(),
            Self::AtMost => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::AtLeast => order.is_ge(),
            Self::Equal => order.is_eq(),
            Self::Unequal => order.is_ne(),
        }
    }

    pub(crate) const fn sign(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Greater => ">",
            Self::AtLeast => ">=",
            Self::Equal => "==",
            Self::Unequal => "!=",
        }
    }
}

/// A move as written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveAst<'t> {
    /// One component, or several where the move splits.
    pub(crate) parts: &'t [&'t [Item<'t>]],
    pub(crate) clauses: &'t [Clause<'t>],
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Item<'t> {
    Value(Ast<'t>),
    Assign(&'t Assign<'t>),
}

/// `x = e`, `c[i] -= e` and the like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Assign<'t> {
    pub(crate) target: Name<'t>,
    pub(crate) index: Option<Ast<'t>>,
    pub(crate) operator: Option<Operator>,
    pub(crate) value: Ast<'t>,
}

impl Item<'_> {
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::Value(value) => value.span,
            Self::Assign(Assign { target, value, .. }) => target.span.to(value.span),
        }
    }
}

/// A state variable as written: `x`, or `c[33]`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StateAst<'t> {
    pub(crate) name: Name<'t>,
    pub(crate) length: Option<Ast<'t>>,
}

/// The range of a parameter as written, with its condition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GivenAst<'t> {
    pub(crate) range: RangeAst<'t>,
    pub(crate) conditions: &'t [Ast<'t>],
}

impl<'t> Ast<'t> {
    /// Calls `visit` with every word of the expression and its place, those of loops included.
    pub(crate) fn words(&self, visit: &mut dyn FnMut(&'t str, Span)) {
        match &self.kind {
            Kind::Int(_) => {}
            Kind::Word(word) => visit(word, self.span),
            Kind::List(items) => items.iter().for_each(|item| item.words(visit)),
            Kind::Call(_, arguments) => arguments.iter().for_each(|argument| argument.words(visit)),
            Kind::ListOver(body, clauses) | Kind::CallOver(_, body, clauses) => {
                body.words(visit);
                clauses.iter().for_each(|clause| clause.words(visit));
            }
            Kind::Negative(a) | Kind::Not(a) | Kind::Within(_, a) => a.words(visit),
            Kind::Index(a, b) | Kind::Binary(_, a, b) | Kind::And(a, b) | Kind::Or(a, b) => {
                a.words(visit);
                b.words(visit);
            }
            Kind::If(a, b, c) => [a, b, c].into_iter().for_each(|part| part.words(visit)),
            Kind::Compare(first, links) => {
                first.words(visit);
                for link in *links {
                    match link {
                        Link::Order(_, operand) => operand.words(visit),
                        Link::In { range, .. } => range.words(visit),
                    }
                }
            }
            Kind::Moves { formula, .. } => formula.words(visit),
            Kind::At(formula, coordinates) => {
                formula.words(visit);
                coordinates.iter().for_each(|coordinate| coordinate.words(visit));
            }
        }
    }
}

impl<'t> RangeAst<'t> {
    pub(crate) fn words(&self, visit: &mut dyn FnMut(&'t str, Span)) {
        match self {
            Self::Span { low, high, .. } => {
                low.words(visit);
                high.words(visit);
            }
            Self::List(list) => list.words(visit),
        }
    }
}

impl<'t> Clause<'t> {
    pub(crate) fn words(&self, visit: &mut dyn FnMut(&'t str, Span)) {
        match self {
            Self::For { range, .. } => range.words(visit),
            Self::If(condition) => condition.words(visit),
        }
    }
}

impl<'t> MoveAst<'t> {
    pub(crate) fn words(&self, visit: &mut dyn FnMut(&'t str, Span)) {
        for item in self.parts.iter().copied().flatten() {
            match item {
                Item::Value(value) => value.words(visit),
                Item::Assign(Assign { index, value, .. }) => {
                    index.iter().for_each(|index| index.words(visit));
                    value.words(visit);
                }
            }
        }
        self.clauses.iter().for_each(|clause| clause.words(visit));
    }
}
