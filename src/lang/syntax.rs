//! What the parser makes of a text: expressions as written, names not yet looked up.

use super::source::Span;

/// An expression as written.
#[derive(Clone, Debug)]
pub(crate) struct Ast {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

/// A name with its place.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Int(i64),
    Word(String),
    List(Vec<Ast>),
    ListOver(Box<Ast>, Vec<Clause>),
    Index(Box<Ast>, Box<Ast>),
    Negative(Box<Ast>),
    Binary(Operator, Box<Ast>, Box<Ast>),
    /// `a < b <= c`: the first operand and the links.
    Compare(Box<Ast>, Vec<Link>),
    Not(Box<Ast>),
    And(Box<Ast>, Box<Ast>),
    Or(Box<Ast>, Box<Ast>),
    /// `a if c else b`, as condition, a, b.
    If(Box<Ast>, Box<Ast>, Box<Ast>),
    Call(Named, Vec<Ast>),
    /// `sum(e for v in r)`.
    CallOver(Named, Box<Ast>, Vec<Clause>),
    /// `can[names](F)`, `must[names](F)`.
    Moves {
        must: bool,
        names: Option<Vec<Named>>,
        formula: Box<Ast>,
    },
    /// `F at (e1, e2)`.
    At(Box<Ast>, Vec<Ast>),
    /// `win in k`, `loss in k`: whether it is a win, and k.
    Within(bool, Box<Ast>),
}

#[derive(Clone, Debug)]
pub(crate) enum Link {
    Order(Comparison, Ast),
    In { negated: bool, range: RangeAst },
}

#[derive(Clone, Debug)]
pub(crate) enum RangeAst {
    Span { low: Ast, high: Ast, inclusive: bool },
    List(Ast),
}

impl RangeAst {
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::Span { low, high, .. } => low.span.to(high.span),
            Self::List(list) => list.span,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Clause {
    For { names: Vec<Named>, row: bool, range: RangeAst },
    If(Ast),
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
#[derive(Clone, Debug)]
pub(crate) struct MoveAst {
    /// One component, or several where the move splits.
    pub(crate) parts: Vec<Vec<Item>>,
    pub(crate) clauses: Vec<Clause>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum Item {
    Value(Ast),
    Assign { target: Named, index: Option<Ast>, operator: Option<Operator>, value: Ast },
}

impl Item {
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::Value(value) => value.span,
            Self::Assign { target, value, .. } => target.span.to(value.span),
        }
    }
}

/// A state variable as written: `x`, or `c[33]`.
#[derive(Clone, Debug)]
pub(crate) struct StateAst {
    pub(crate) name: Named,
    pub(crate) length: Option<Ast>,
}

/// The range of a parameter as written, with its condition.
#[derive(Clone, Debug)]
pub(crate) struct GivenAst {
    pub(crate) range: RangeAst,
    pub(crate) conditions: Vec<Ast>,
}

impl Ast {
    /// Calls `visit` with every word of the expression and its place, those of loops included.
    pub(crate) fn words(&self, visit: &mut dyn FnMut(&str, Span)) {
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
                for link in links {
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

impl RangeAst {
    pub(crate) fn words(&self, visit: &mut dyn FnMut(&str, Span)) {
        match self {
            Self::Span { low, high, .. } => {
                low.words(visit);
                high.words(visit);
            }
            Self::List(list) => list.words(visit),
        }
    }
}

impl Clause {
    pub(crate) fn words(&self, visit: &mut dyn FnMut(&str, Span)) {
        match self {
            Self::For { range, .. } => range.words(visit),
            Self::If(condition) => condition.words(visit),
        }
    }
}

impl MoveAst {
    pub(crate) fn words(&self, visit: &mut dyn FnMut(&str, Span)) {
        for item in self.parts.iter().flatten() {
            match item {
                Item::Value(value) => value.words(visit),
                Item::Assign { index, value, .. } => {
                    index.iter().for_each(|index| index.words(visit));
                    value.words(visit);
                }
            }
        }
        self.clauses.iter().for_each(|clause| clause.words(visit));
    }
}
