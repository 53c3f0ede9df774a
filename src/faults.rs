//! Faults planted on purpose in the code of the fast side, each a switch of one short expression.
//!
//! Only the feature `faults` has them: `tests/faults.rs` turns them on one by one, to show that the walker, a certificate
//! or a theorem finds each. Without the feature [`planted`] is the constant `false`, and nothing of them is compiled in.

/// Lists the faults: for each part of the program names, with a sentence that says what is wrong then.
macro_rules! faults {
    ($($part:literal { $($name:ident: $sentence:literal,)* })*) => {
        /// What is wrong.
        #[derive(Clone, Copy, PartialEq, Eq)]
        #[cfg_attr(feature = "faults", derive(Debug))]
        pub enum Wrong {
            $($(#[doc = $sentence] $name,)*)*
        }

        #[cfg(feature = "faults")]
        impl Wrong {
            /// All of them, in order.
            pub const ALL: &[Self] = &[$($(Self::$name,)*)*];

            /// The part of the program that it is in.
            #[must_use]
            pub const fn part(self) -> &'static str {
                match self {
                    $($(Self::$name => $part,)*)*
                }
            }

            /// What it does, in a sentence.
            #[must_use]
            pub const fn sentence(self) -> &'static str {
                match self {
                    $($(Self::$name => $sentence,)*)*
                }
            }
        }
    };
}

faults! {
    "compiled rules" {
        DivisionInBlockRoundsUp: "`//` in a block of moves rounds up.",
        ThirdMoveIsSecond: "The third of three moves that only add leads where the second leads.",
        OverflowInBlock: "A block of moves goes on where a sum overflows.",
        FactWithoutItsEnd: "What a guard asks of a cell leaves out the last number of a range.",
        OneFactIsEnough: "Of the facts that a guard asks for, one is enough.",
        EndAboveItsBound: "An end `>=` is taken for `>`.",
        SidesExchanged: "A comparison whose number stands before the cell keeps its sign when the sides are exchanged.",
        LoopThatRunsEndsEarly: "A loop that runs leaves out its last value.",
        LoopWrittenOutBeginsLate: "A loop that is written out leaves out its first value.",
        LegalForgotten: "`legal` is not asked of a move that the machine makes.",
        IllegalMoveKept: "The machine keeps a move that is not legal as the one before it.",
        AndAsOr: "The machine reads `and` as `or`.",
        DifferenceIsSum: "The machine adds a cell that is to be subtracted.",
        RemainderOfDividend: "`%` takes the sign of the dividend.",
        DivisionTowardsZero: "`//` rounds towards zero.",
        LeastIsGreatest: "The machine takes `min` for `max`.",
        AtMostIsLess: "The machine takes `<=` for `<`.",
        ArrayFromItsEnd: "An array is read from its end.",
        TurnStays: "The same player moves again after a move in a block.",
        ErrorOutOfNothing: "A move is said to be in error that is none.",
        WinnerBehindElse: "A conditional winner is always the first one.",
    }
    "formulas" {
        LessIsAtMost: "`<` in a formula is taken for `<=`.",
        AnyLooksAtFirst: "`any` and `all` look at the first value alone.",
        MustOfNothing: "`must` holds where no such move is legal.",
        NamesOfMovesForgotten: "`can` and `must` with names look at all moves.",
        ClassIsBound: "`W2` is read as `win in 2`.",
        NotInIsIn: "`not in` a range is read as `in`.",
        LastOfRangeLeftOut: "A range leaves out its last value where it is to be in.",
        MissingIsZero: "A missing value counts as 0.",
    }
    "columns" {
        LineLessIsAtMost: "`<` along a line is taken for `<=`.",
        LineLeavesRowEarly: "A line is thought to leave a row one place early.",
        NotFromSecond: "`not` leaves the first place of a stretch as it was.",
        OrWithoutSecond: "What stands behind `or` is not looked at.",
        RankBelowBound: "`win in k` leaves out k.",
        DrawIsWin: "A draw counts as a win.",
        LineDivisionRoundsUp: "`//` along a line rounds up.",
        SecondDivisionAlone: "A quotient of a quotient is divided by the second number alone.",
        GreatestIsLast: "The greatest of some places of a line is the last.",
        LineLegalForgotten: "`legal` is not asked along a line.",
        CanByLastMove: "`can` looks at the last move alone.",
        LineLoopEndsEarly: "A loop along a line leaves out its last value.",
        OverIsDrawn: "What lies off the table is a loss, whoever has won there.",
    }
    "straight rules" {
        RoundedGuard: "Where a multiple is asked to be large enough, it may be one too small.",
        RowEndsEarly: "A row ends one place early.",
        StraightLessIsAtMost: "`<` is taken down as `<=`.",
        WayLeftOut: "The way to make a move with the last value of its loop is left out.",
        StraightLegalForgotten: "`legal` is not taken down.",
        StraightDifferenceIsSum: "A difference is taken down as a sum.",
    }
    "bounds" {
        BoundsTooNarrow: "What a comparison says of a bound is one too much.",
        BoundsWithoutOptions: "Bounds of the options leave out all but the first move.",
        BoundsOfFirstRound: "Bounds are taken to be closed before they are.",
    }
    "table" {
        WorstOptionTaken: "Of options in rows filled before, the worst is taken.",
        SecondCaseLeftOut: "Of two cases of a `min` or `max` in a move the second is left out.",
        LastPieceWithoutMoves: "In the last piece of a row in several pieces straight moves are left out.",
        FirstScatteredForgotten: "Where a row leads to several rows, the option of its first place is left out.",
        SkippedRowsNotCounted: "Rows without positions are not counted in the sums that are kept from row to row.",
        WinsAndLossesSwapped: "A move that wins at once is taken for one that loses.",
        SecondSourceLeftOut: "Of the rows filled before, only the first is read.",
        PiecesTheWrongWay: "The pieces of a row are gone through the wrong way.",
        NothingCarried: "What is carried along a row is lost where a piece begins.",
        RestForgotten: "An option that follows at a fraction of the pace forgets its rest where a piece begins.",
        StuckIsNotOver: "A position that is over for want of a move gets no value.",
        RanksTooGreat: "Ranks that do not fit are not seen.",
        GapBeginsEarly: "Keys that are not kept are thought to be one more than they are.",
        PlaceOneEarly: "An option in a row filled before is looked for one place early.",
        OrderNotSeen: "An option that is not filled yet is read all the same.",
        GuardOfWayForgotten: "The last guard of a straight way is not held.",
        HolesNotSeen: "Positions within a row that are over are not seen to be.",
        LineReadEarly: "A line of starts is read one place early.",
        OneRowFurther: "The row of a position is the one before.",
        RankNotCounted: "Ranks do not grow.",
        LoserCounts: "The loser's moves count among the winner's own.",
        DrawIsLost: "A draw is counted among the lost.",
        ExtremesSwapped: "The greatest remoteness of a line is told as the least.",
        BulkTooLong: "One place too many is worked on in bulk.",
        FarTurnForgotten: "Sums that are kept from row to row miss one step of the first axis.",
        WonOneEarlier: "A move is thought to win at once from one place more.",
        EndOffRowsForgotten: "Positions off the rows are not taken to be over.",
        StateOverAtOnce: "A position off the table is won, whoever has won there.",
        LastPlyLeftOut: "Rows that the last ply meets are not cut where the table goes as far as questions look.",
        NearbyOverTooEarly: "A table of what lies near the starts ends before the question looks no further.",
        NearbyWithoutFirstMove: "What lies near the starts is told without the first move.",
        LaneOneShort: "Where rows are filled abreast a move is made from one value less.",
        HorizonOneShort: "Where the table goes as far as questions look a row is filled one place short.",
        TwoPliesTakenForOne: "Where the table looks two plies ahead it tells only whether a move wins at once.",
        StuckAtHorizonForgotten: "Where nothing is looked ahead a position without a move gets no value.",
    }
    "positions" {
        FieldsOverlap: "The fields of a word overlap by a bit.",
        LowestBitForgotten: "Words that differ in the lowest bit alone are taken for one.",
        LastCellForgotten: "Positions whose hashes are alike and that differ in the last number alone are taken for one.",
        BitsForgotten: "Positions of zeros and ones that differ in the first alone are taken for one.",
        TableGrowsLossy: "A word is lost when its table grows.",
    }
    "memo" {
        LastOptionLeftOut: "Positions that are packed in words lose their last option.",
        LoopNotJoined: "A position that closes a loop does not lower the line.",
        LineNotLowered: "What a position has found does not lower the one before it.",
        SweepBeginsLate: "A sweep leaves out the first position that it is to value.",
        AllReachable: "All positions that are known are taken to be reachable.",
        FarthestTooFar: "The farthest position is one move farther.",
        LoserHurries: "The loser does not delay.",
        DrawNotSeen: "A draw among the options is not seen.",
        LostTooEarly: "In a loop a position is lost while one option is undecided.",
        OptionOutsideForgotten: "In a loop an option outside that is lost does not win.",
        FirstOptionOfMex: "The mex leaves out the first option.",
        PlaysOfOther: "Plays won and lost do not change sides.",
        PlaysCountedTwice: "A complete play counts twice.",
        ShortestIsLongest: "The shortest play goes by the longest option.",
        LongestEndsEarly: "The longest play does not count its first move.",
        LayerLeftOut: "A class is decided one ply short.",
        SlowestWin: "The winner does not hurry where only some plies are looked at.",
    }
    "puzzles" {
        GoalCountsTwice: "A goal counts as two solutions.",
        DistanceToWorst: "The distance of a position off all loops goes by the last option.",
        GoalOneRingLate: "The goal is found one ring further.",
        GoalsAfterFirst: "Of several goals in the last ring, only the last counts.",
        WayToNowhere: "Every position of a ring is taken to be on a shortest way.",
        RingSkipsOption: "The rings leave out the first option of a position.",
        SolutionTooLong: "A shown solution may take one move more.",
    }
    "sums" {
        OrForNimSum: "The nim-sum is `|` instead of exclusive or.",
        FirstComponentLeftOut: "The first component of a sum is left out.",
        OrForNim: "The nim-sum of heaps is `|` instead of exclusive or.",
        MisereOfTwos: "In misère Nim heaps of two count as heaps of one.",
        MoveThatTakesNothing: "A winning move may take nothing.",
        ValueOfLargeHeap: "A heap of Nim above 32 bits loses its high digits.",
        MexTooGreat: "The mex of a component is one too great.",
        PartsNotJoined: "Of the parts that a move leaves, only the last counts.",
        DigitMisread: "The octal digit 4 is read where 2 stands.",
        WholeHeapLeft: "The octal digit 1 leaves heaps too.",
        PeriodTooEarly: "A period of an octal code is accepted too early.",
        RunTooLong: "A loop over heaps goes on where its guard says less.",
        RunWithoutItsEnd: "A loop over heaps leaves out its last value.",
        SplitNotLookedFor: "What the sample of splits leaves open is not looked for.",
        UnreachedHeapTold: "A heap whose moves are not told counts as one without moves.",
        LastComponentStays: "Nobody moves in the last component of a sum.",
    }
    "answers" {
        ExistsIsEvery: "`exists` is read as `every`.",
        EveryIsExists: "`every` is read as `exists`.",
        OneOfTheOthers: "`one of` forgets all but the last value.",
        MinIsMax: "`min` is read as `max`.",
        CountTooGreat: "A count is one too great.",
        OneTooFew: "`smallest` leaves out one value.",
        LargestIsSmallest: "`largest` keeps the least values.",
        ProductOfOneMore: "A product takes its first value twice.",
        LastStartLeftOut: "The last start of a line is left out.",
        SecondMovesFirst: "The second player moves at the start.",
        ConditionForgotten: "The condition on a parameter is forgotten.",
        GridTransposed: "The cells of a grid are read across.",
        ColumnOfGridLost: "A value that no row comes of has no place in a grid.",
        DrawingMoveWins: "A move to a draw counts as a winning one.",
        WinningMoveNotCounted: "A count of winning moves counts them all.",
        DrawIsTheFirst: "A drawn game is told to be the first player's.",
        PlaysOfFirst: "Plays won by the second player are told as those of the first.",
        WindowOfPeriod: "A period is accepted after fewer heaps than the theorem asks for.",
    }
}

/// Whether this is to go wrong: never.
#[cfg(not(feature = "faults"))]
#[inline(always)]
#[must_use]
pub const fn planted(_: Wrong) -> bool {
    false
}

#[cfg(feature = "faults")]
pub use turned_on::{plant, planted};

#[cfg(feature = "faults")]
mod turned_on {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::Wrong;

    /// One more than the place of what is wrong in the whole process; 0 where nothing is.
    static PLANTED: AtomicUsize = AtomicUsize::new(0);

    /// Lets this go wrong from now on in the whole process, and nothing else.
    pub fn plant(wrong: Option<Wrong>) {
        let place = wrong.and_then(|wrong| Wrong::ALL.iter().position(|one| *one == wrong));
        PLANTED.store(place.map_or(0, |place| place + 1), Ordering::SeqCst);
    }

    /// Whether this is to go wrong.
    #[must_use]
    pub fn planted(wrong: Wrong) -> bool {
        let now = PLANTED.load(Ordering::Relaxed);
        now > 0 && Wrong::ALL.get(now - 1) == Some(&wrong)
    }
}
