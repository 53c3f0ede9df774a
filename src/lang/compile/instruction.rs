//! The instructions that rules become. Each stands for what rules do most, some for two or three such things at once.

use super::blocks::Affine;
use super::number;
use super::{Comparison, WinnerWord};
use crate::faults::{Wrong, planted};

/// One instruction. `to` is the place in the list where it goes on if a condition fails.
#[derive(Clone, Copy, Debug)]
pub(super) enum Instruction {
    /// A number into the register.
    Number(i64),
    /// A cell of the position.
    Cell(u32),
    /// A slot.
    Slot(u32),
    /// The register into a slot.
    Keep(u32),
    AddNumber(i64),
    AddCell(u32),
    AddSlot(u32),
    SubCell(u32),
    SubSlot(u32),
    MulNumber(i64),
    MulCell(u32),
    MulSlot(u32),
    Square,
    Negate,
    /// Any operation with the register before a number.
    With(Operation, i64),
    /// Any operation with the register before a slot.
    WithSlot(Operation, u32),
    Abs,
    Sign,
    Isqrt,
    /// The cell of an array whose index is in the register.
    CellAt {
        offset: u32,
        length: u32,
    },
    /// The entry of a list whose index is in the register.
    EntryAt(u32),
    Jump(u32),
    /// Goes on here if the register compares so with the number, else at `to`.
    If {
        holds: Comparison,
        to: u32,
        number: i64,
    },
    IfCell {
        holds: Comparison,
        to: u32,
        cell: u32,
    },
    IfSlot {
        holds: Comparison,
        to: u32,
        slot: u32,
    },
    /// The same for a cell, which need not be in the register.
    CellIf {
        holds: Comparison,
        cell: u16,
        to: u32,
        number: i64,
    },
    /// The same for a cell and a number more.
    SumIf {
        holds: Comparison,
        cell: u16,
        to: u32,
        plus: i64,
        number: i64,
    },
    /// The same for a slot.
    SlotIf {
        holds: Comparison,
        slot: u16,
        to: u32,
        number: i64,
    },
    /// Goes on here if the register is in the list, or is not where `wanted` says so.
    IfListed {
        wanted: bool,
        to: u32,
        list: u32,
    },
    IfPrime {
        wanted: bool,
        to: u32,
    },
    /// A loop begins with the value in its slot, unless that is past the last one.
    Begin {
        slot: u32,
        last: u32,
        to: u32,
    },
    /// The loop goes on at `to` with the next value, unless this was the last one.
    Next {
        slot: u32,
        last: u32,
        to: u32,
    },
    /// Loops that are written out take steps too.
    Steps(u32),
    /// Adds a copy of the position to the options, for a move of this number.
    Copy(u32),
    /// The register into a cell of the option.
    Put(u32),
    PutNumber {
        cell: u32,
        number: i64,
    },
    PutCell {
        cell: u32,
        from: u32,
    },
    /// A cell of the position times a number plus a number.
    PutAffine {
        cell: u16,
        affine: Affine,
    },
    /// A cell of the position and a slot.
    PutPlus {
        cell: u32,
        from: u32,
        slot: u32,
    },
    PutMinus {
        cell: u32,
        from: u32,
        slot: u32,
    },
    /// The register into the cell of an array whose index is in the slot.
    PutAt {
        offset: u32,
        length: u32,
        slot: u16,
    },
    /// In doubt if the slot holds what the register holds.
    Differs(u32),
    /// In doubt if the slot holds this number.
    DiffersFrom {
        slot: u32,
        number: i64,
    },
    /// Another part of a move that splits the position, behind the parts before it.
    Split,
    /// The option, which has so many parts, is taken back if it is not legal.
    Legal(u32),
    /// What is reached here has no value.
    Doubt,
    /// A block of moves written side by side.
    Spread(u32),
    Patches(u32),
    /// A move that the closures make.
    Exact(u32),
    Holds,
    Fails,
    Word(WinnerWord),
    End,
}

/// The rarer operations on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Sub,
    FloorDiv,
    ExactDiv,
    FloorMod,
    CeilDiv,
    Pow,
    Min,
    Max,
    Gcd,
    Xor,
}

impl Operation {
    pub(super) fn apply(self, a: i64, b: i64) -> Option<i64> {
        match self {
            Self::Sub => a.checked_sub(b),
            Self::FloorDiv if planted(Wrong::DivisionTowardsZero) => a.checked_div(b),
            Self::FloorDiv => number::floor_div(a, b).ok(),
            Self::ExactDiv => number::exact_div(a, b).ok(),
            Self::FloorMod if planted(Wrong::RemainderOfDividend) => a.checked_rem(b),
            Self::FloorMod => number::floor_mod(a, b).ok(),
            Self::CeilDiv => number::ceil_div(a, b).ok(),
            Self::Pow => number::pow(a, b).ok(),
            Self::Min if planted(Wrong::LeastIsGreatest) => Some(a.max(b)),
            Self::Min => Some(a.min(b)),
            Self::Max => Some(a.max(b)),
            Self::Gcd => number::gcd(&[a, b]).ok(),
            Self::Xor => Some(a ^ b),
        }
    }
}
