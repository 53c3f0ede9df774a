//! The rule language: text to typed tree, and the two ways to run it.
//!
//! `source` places, `token` and `parse` read, `resolve` types. `eval` is the reference evaluator, which the walker and
//! the checker use; `compile` makes the closures that the fast engines call. They share `number`, the arithmetic.

mod bounds;
mod columns;
mod compile;
mod eval;
pub mod number;
mod parse;
mod resolve;
mod sight;
mod source;
mod straight;
mod syntax;
mod takes;
mod token;
pub mod tree;

pub use bounds::{
    Interval, Order, Others, along, closed, closed_by_sums, orders, orders_by_sums, others, over_beyond,
    reached_at_least, start_bounds, with_options, within_plies,
};
pub use columns::{ColumnSight, Columns, Fit, Ints, Line, NoSight, Places, Quotient, Truth, Unfit, is_straight};
pub use compile::{BoolProgram, IntProgram, OnWords, PositionProgram, RangeProgram, RulesProgram, Scratch};
pub use eval::{Evaluator, Reading, at_goal, look, look_at_end, look_at_more, look_at_some, within};
pub use parse::{NESTING_LIMIT, TEXT_LIMIT};
pub(crate) use parse::{Noted, Parsed, Parser};
pub use resolve::{Constant, Constants, FUNCTIONS, RESERVED, reserved};
pub(crate) use resolve::{ConstantTree, Resolver, Scope, Values, parameter};
pub use sight::{Blind, Halt, Options, RuleError, Sight, Stop};
pub use source::{Mistake, Piece, Source, Span, Text, latin, nearest};
pub use straight::{Straight, Sum, Way, not_negative};
pub(crate) use syntax::{Ast, GivenAst, Kind, MoveAst, Name, Named, StateAst};
pub use syntax::{Comparison, Operator};
pub use takes::{Takes, takes};
pub(crate) use token::{Token, Tokens};
