//! The typed tree: what a text means once its names and types are known. Every node keeps its place.
//!
//! A position is one row of numbers: the state variables in order, then the player to move where the game is partizan,
//! then the parameters that the rules read. A variable is an offset into it.

mod brief;
mod compared;

pub use brief::{Brief, Operand, Step};
pub use compared::Compared;

use std::sync::Arc;

use super::source::Span;
use super::syntax::{Comparison, Operator};
use crate::value::{Class, Outcome};

/// The rows of a table.
pub type Rows = Arc<[Vec<i64>]>;

/// An expression with an integer value.
#[derive(Clone, Debug)]
pub struct Int {
    /// What it is.
    pub kind: IntKind,
    /// Where it stands.
    pub span: Span,
    /// What it comes to, where that is told in short.
    pub brief: Brief,
}

impl Int {
    /// An expression that stands there.
    #[must_use]
    pub fn new(kind: IntKind, span: Span) -> Self {
        Self { brief: Brief::of(&kind), kind, span }
    }
}

/// The integer expressions. The kind is a byte of its own, so that it is read at once.
#[derive(Clone, Debug)]
#[repr(u8)]
pub enum IntKind {
    /// A number, or an integer constant.
    Number(i64),
    /// A coordinate of the position, by its offset.
    Variable(usize),
    /// A parameter of the question, by its place in `given`.
    Parameter(usize),
    /// A loop variable, by its slot.
    Loop(usize),
    /// A cell of an array of the state.
    Cell(Array, Box<Int>),
    /// An entry of a list.
    Entry(Box<List>, Box<Int>),
    /// `-a`
    Negative(Box<Int>),
    /// `a + b` and the like.
    Binary(Operator, Box<Int>, Box<Int>),
    /// `a if c else b`, as condition, a, b.
    If(Box<Bool>, Box<Int>, Box<Int>),
    /// `abs`, `sign`, `isqrt`
    Function(Function, Box<Int>),
    /// `ceildiv(a, b)`
    CeilDiv(Box<Int>, Box<Int>),
    /// `min`, `max`, `gcd`, `xor` of two or more.
    Fold(Fold, Vec<Int>),
    /// `sum`, `product`, `min`, `max` of a list.
    FoldList(Fold, Box<List>),
    /// `sum`, `product`, `min`, `max` over a comprehension.
    FoldOver(Fold, Box<Over<Int>>),
    /// `count(c for …)`
    Count(Box<Over<Bool>>),
    /// `len` of a list.
    Length(Box<List>),
    /// `len` of a table.
    TableLength(Box<Table>),
    /// A value of the position; it may be missing.
    Value(Quantity),
}

/// Numbers that belong to a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// Plies to the end.
    Remoteness,
    /// The Grundy value.
    Grundy,
    /// The number of legal moves.
    Moves,
    /// In a puzzle: the least number of moves to the goal.
    Distance,
}

/// Functions of one integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// The absolute value.
    Abs,
    /// -1, 0 or 1.
    Sign,
    /// The square root rounded down.
    Isqrt,
}

/// Functions that fold many integers to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// The least.
    Min,
    /// The greatest.
    Max,
    /// The greatest common divisor.
    Gcd,
    /// The exclusive or: the nim-sum.
    Xor,
    /// The sum, 0 of nothing.
    Sum,
    /// The product, 1 of nothing.
    Product,
}

/// A condition.
#[derive(Clone, Debug)]
pub struct Bool {
    /// What it is.
    pub kind: BoolKind,
    /// Where it stands.
    pub span: Span,
    /// What it compares, where that is told in short.
    pub compared: Compared,
}

impl Bool {
    /// A condition that stands there.
    #[must_use]
    pub fn new(kind: BoolKind, span: Span) -> Self {
        Self { compared: Compared::of(&kind), kind, span }
    }
}

/// The conditions.
#[derive(Clone, Debug)]
#[repr(u8)]
pub enum BoolKind {
    /// `true`, `false`
    Truth(bool),
    /// A loop variable over a list of conditions.
    Loop(usize),
    /// An entry of a list of conditions.
    Entry(Box<List>, Box<Int>),
    /// `not a`
    Not(Box<Bool>),
    /// `a and b`
    And(Box<Bool>, Box<Bool>),
    /// `a or b`
    Or(Box<Bool>, Box<Bool>),
    /// `a if c else b`, as condition, a, b.
    If(Box<Bool>, Box<Bool>, Box<Bool>),
    /// Two integers compared.
    Compare(Comparison, Box<Int>, Box<Int>),
    /// Two conditions equal, or unequal where the flag says so.
    SameTruth(bool, Box<Bool>, Box<Bool>),
    /// Two lists equal, or unequal where the flag says so.
    SameList(bool, Box<List>, Box<List>),
    /// `a in range`, or `not in` where the flag says so.
    In(bool, Box<Int>, Box<Range>),
    /// A condition in a list of conditions.
    TruthIn(bool, Box<Bool>, Box<List>),
    /// A row in a table.
    RowIn(bool, Box<List>, Box<Table>),
    /// `is_prime(a)`
    IsPrime(Box<Int>),
    /// `any(c for …)`
    Any(Box<Over<Bool>>),
    /// `all(c for …)`
    All(Box<Over<Bool>>),
    /// `end`: the position is terminal.
    End,
    /// In a puzzle: the position is a goal.
    Goal,
    /// In a puzzle: a goal can be reached.
    Solvable,
    /// `win`, `loss`, `draw`
    Outcome(Outcome),
    /// `W2`, `L1`
    Class(Class),
    /// `win in 2`, `loss in 2`: of this class or of one with fewer moves.
    Within(Class),
    /// `can`, `must`
    Moves(Box<OverMoves>),
    /// `F at (e1, e2)`
    At(Box<Bool>, Box<Coordinates>),
}

/// `can(F)` and `must(F)`.
#[derive(Clone, Debug)]
pub struct OverMoves {
    /// Every move, and there is one; else some move.
    pub must: bool,
    /// Which moves count, by their number; none means all.
    pub named: Option<Vec<bool>>,
    /// What is to hold after the move.
    pub formula: Bool,
}

/// A list of integers or conditions (as 0 and 1).
#[derive(Clone, Debug)]
pub struct List {
    /// What it is.
    pub kind: ListKind,
    /// Where it stands.
    pub span: Span,
}

/// The lists.
#[derive(Clone, Debug)]
pub enum ListKind {
    /// A constant.
    Constant(Arc<[i64]>),
    /// An array of the state.
    Array(Array),
    /// `[a, b, c]`
    Items(Vec<Scalar>),
    /// `[e for …]`
    Over(Box<Over<Scalar>>),
    /// `list * n`
    Repeated(Box<List>, Box<Int>),
    /// A row of a table, by its index.
    Row(Box<Table>, Box<Int>),
    /// A row that a loop goes over, by its slot.
    LoopRow(usize),
    /// `a if c else b`, as condition, a, b.
    If(Box<Bool>, Box<List>, Box<List>),
}

/// An entry of a list.
#[derive(Clone, Debug)]
pub enum Scalar {
    /// A number.
    Int(Int),
    /// A condition.
    Bool(Bool),
}

/// A list of lists.
#[derive(Clone, Debug)]
pub enum Table {
    /// A constant.
    Constant(Rows),
    /// `[[a, b], [c, d]]`
    Items(Vec<List>),
    /// `[[a, b] for …]`
    Over(Box<Over<List>>),
}

/// An array of the state: where its cells stand in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Array {
    /// The offset of its first cell.
    pub offset: usize,
    /// How many cells it has.
    pub length: usize,
}

/// What a loop goes over.
#[derive(Clone, Debug)]
pub enum Range {
    /// From `low` to `high`, with it where inclusive.
    Span {
        /// The first value.
        low: Int,
        /// The end.
        high: Int,
        /// Whether the end belongs to it.
        inclusive: bool,
    },
    /// The entries of a list.
    List(List),
    /// The rows of a table.
    Table(Table),
}

/// A body with its loops and guards.
#[derive(Clone, Debug)]
pub struct Over<T> {
    /// Nested from left to right.
    pub clauses: Vec<Clause>,
    /// What is evaluated inside.
    pub body: T,
}

/// A loop or a guard.
#[derive(Clone, Debug)]
pub enum Clause {
    /// `for v in range`
    For {
        /// Where the value goes.
        binding: Binding,
        /// What the loop goes over.
        range: Range,
        /// Where the loop stands.
        span: Span,
    },
    /// `if condition`
    If(Bool),
}

/// Where the values of a loop go.
#[derive(Clone, Debug)]
pub enum Binding {
    /// One value to one slot.
    Value(usize),
    /// A whole row to a slot for rows.
    Row(usize),
    /// The entries of a row to slots.
    Entries(Vec<usize>),
}

/// A position written out: one entry for each state variable.
#[derive(Clone, Debug)]
pub struct Coordinates {
    /// The entries in state order.
    pub entries: Vec<Coordinate>,
}

/// An entry of a position.
#[derive(Clone, Debug)]
pub enum Coordinate {
    /// The value of a variable.
    Int(Int),
    /// The values of an array, with the number of its cells.
    List(List, usize),
}

/// A state variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateVariable {
    /// Its name.
    pub name: String,
    /// The offset of its value, or of its first cell.
    pub offset: usize,
    /// How many cells, for an array.
    pub length: Option<usize>,
}

/// The rules of a game for two players, or of a puzzle.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Whether it is a puzzle, which has one player and no winner.
    pub puzzle: bool,
    /// The state variables in order.
    pub state: Vec<StateVariable>,
    /// How many numbers the state has.
    pub state_width: usize,
    /// The offset of the player to move, where the game is partizan.
    pub turn: Option<usize>,
    /// The parameters that the rules read; their values stand at the end of each position.
    pub parameters: Vec<String>,
    /// The moves in order.
    pub moves: Vec<Move>,
    /// Whether the game is over.
    pub end: Option<Bool>,
    /// Whether the goal of a puzzle is reached.
    pub goal: Option<Bool>,
    /// Whether a position may be moved to.
    pub legal: Option<Bool>,
    /// Who wins at a terminal position.
    pub winner: Winner,
    /// How many loop slots the texts need, for values and for rows.
    pub slots: Slots,
    /// Heaps whose values have a theory of their own, where the game was given as such.
    pub heaps: Option<Heaps>,
}

/// The game forms of heaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heaps {
    /// Any number is taken from one heap.
    Nim,
    /// An octal code.
    Octal(OctalCode),
}

/// An octal code: for each number of counters taken, in how many heaps the rest of a heap may be left.
///
/// Source: R. Guy, C. Smith, "The G-values of various games", 1956.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OctalCode {
    /// The digit for each number taken, from 0: the sum of 1 for no heap left, 2 for one, 4 for two.
    pub digits: Vec<u8>,
}

impl Rules {
    /// How many numbers a position has that is no sum.
    #[must_use]
    pub fn width(&self) -> usize {
        self.state_width + self.tail()
    }

    /// How many numbers stand in a position after the state, or after the last component.
    #[must_use]
    pub fn tail(&self) -> usize {
        usize::from(self.turn.is_some()) + self.parameters.len()
    }

    /// The state, or all components one after the other: a position without its tail.
    #[must_use]
    pub fn state_of<'p>(&self, position: &'p [i64]) -> &'p [i64] {
        &position[..position.len().saturating_sub(self.tail())]
    }

    /// The components of a position; one, where it is no sum.
    pub fn components<'p>(&self, position: &'p [i64]) -> impl Iterator<Item = &'p [i64]> {
        // a state without numbers is one component
        let all = self.state_of(position);
        all.chunks(self.state_width.max(1)).chain((all.is_empty()).then_some(all))
    }

    /// Whether a move may split a component: then every question is about a sum.
    #[must_use]
    pub fn splits(&self) -> bool {
        self.moves.iter().any(|made| made.parts.len() > 1)
    }

    /// How many plies after a position decide whether it is of this class, or of one of its side with fewer moves.
    #[must_use]
    pub fn plies(&self, class: Class) -> u32 {
        // whose every move loses at once is lost, and that is seen a ply later
        let later = u32::from(self.winner.same_for_all() != Some(Outcome::Loss));
        let plies = class.moves().saturating_mul(2).saturating_add(later);
        plies.saturating_sub(u32::from(matches!(class, Class::Win(_))))
    }

    /// Whether a position that is not over by `end` always has a move.
    #[must_use]
    pub fn always_has_move(&self) -> bool {
        self.legal.is_none() && self.moves.iter().any(|made| made.clauses.is_empty())
    }

    /// Whether the last mover always wins, in plain words.
    #[must_use]
    pub const fn last_mover_wins(&self) -> bool {
        matches!(self.winner, Winner::Word(WinnerWord::Last))
    }
}

/// How many slots loops need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slots {
    /// For values.
    pub values: usize,
    /// For rows.
    pub rows: usize,
}

impl Slots {
    /// Enough for both.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self { values: self.values.max(other.values), rows: self.rows.max(other.rows) }
    }
}

/// A move text: it may stand for many moves, which share its name.
#[derive(Clone, Debug)]
pub struct Move {
    /// Its name.
    pub name: String,
    /// The position reached; in a sum a component may split into several.
    pub parts: Vec<MoveBody>,
    /// Loops and guards, nested from left to right.
    pub clauses: Vec<Clause>,
    /// Where it stands.
    pub span: Span,
}

/// How a move makes the next position.
#[derive(Clone, Debug)]
pub enum MoveBody {
    /// Written out.
    Position(Coordinates),
    /// By simultaneous assignments; what is not assigned stays.
    Assign(Vec<Assignment>),
}

/// One assignment; compound ones are spelled out.
#[derive(Clone, Debug)]
pub enum Assignment {
    /// To a variable.
    Variable(usize, Int),
    /// To a cell of an array.
    Cell(Array, Int, Int),
    /// To a whole array.
    Array(Array, List),
}

/// Who wins at a terminal position.
#[derive(Clone, Debug)]
pub enum Winner {
    /// Always the same.
    Word(WinnerWord),
    /// It depends on the position.
    If(Box<Bool>, Box<Winner>, Box<Winner>),
}

impl Winner {
    /// Whether it may be a draw.
    #[must_use]
    pub fn may_draw(&self) -> bool {
        match self {
            Self::Word(word) => *word == WinnerWord::Draw,
            Self::If(_, yes, no) => yes.may_draw() || no.may_draw(),
        }
    }

    /// What it means for the player to move, where that is the same at all positions.
    #[must_use]
    pub const fn same_for_all(&self) -> Option<Outcome> {
        match self {
            Self::Word(word @ (WinnerWord::Last | WinnerWord::Other | WinnerWord::Draw)) => Some(word.outcome(1)),
            _ => None,
        }
    }
}

/// The words for the winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WinnerWord {
    /// The player who made the last move.
    Last,
    /// The other one.
    Other,
    /// The player who moves at the start.
    First,
    /// The other one of the two.
    Second,
    /// Nobody.
    Draw,
}

impl WinnerWord {
    /// What it means for the player to move, who is `player` (1 or 2) where the game is partizan.
    #[must_use]
    pub const fn outcome(self, player: i64) -> Outcome {
        match self {
            Self::Last => Outcome::Loss,
            Self::Other => Outcome::Win,
            Self::Draw => Outcome::Draw,
            Self::First if player == 1 => Outcome::Win,
            Self::Second if player != 1 => Outcome::Win,
            Self::First | Self::Second => Outcome::Loss,
        }
    }
}

/// One parameter with its range.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// The values it takes; it may read earlier parameters.
    pub range: Range,
    /// Which of them are left out.
    pub conditions: Vec<Bool>,
    /// Where the range stands.
    pub span: Span,
}
