//! Asks about the start alone: `winner`, `class`, `remoteness`, `plays` and the like.

use super::read::Reading;
use super::{Answer, Ask, Fast, Naive, Shape, Topic, boxed};
use crate::engine::{Engine, Sought};
use crate::faults::{Wrong, planted};
use crate::lang::tree::Quantity;
use crate::lang::{Halt, Parsed};
use crate::value::{Class, Outcome, Plays};

/// The forms of this family.
pub(super) const FORMS: &[&str] = &[
    "winner",
    "class",
    "remoteness",
    "grundy",
    "moves",
    "plays",
    "shortest play",
    "longest play",
    "plays won by first",
    "plays won by second",
    "positions",
];

/// What is asked about the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// Who wins.
    Winner,
    /// The class.
    Class,
    /// The plies to the end.
    Remoteness,
    /// The Grundy value.
    Grundy,
    /// The number of moves.
    Moves,
    /// The number of complete plays.
    Plays,
    /// The plies of the shortest play.
    ShortestPlay,
    /// The plies of the longest play.
    LongestPlay,
    /// The number of complete plays that the first player wins.
    PlaysWonByFirst,
    /// The number of complete plays that the second player wins.
    PlaysWonBySecond,
    /// The number of positions that can be reached.
    Positions,
}

pub(super) fn read(reading: &mut Reading<'_, '_>) -> Option<Parsed<Box<dyn Ask>>> {
    // longer forms before the shorter ones that they begin with
    const WORDS: [(&str, About); 11] = [
        ("plays won by first", About::PlaysWonByFirst),
        ("plays won by second", About::PlaysWonBySecond),
        ("shortest play", About::ShortestPlay),
        ("longest play", About::LongestPlay),
        ("winner", About::Winner),
        ("class", About::Class),
        ("remoteness", About::Remoteness),
        ("grundy", About::Grundy),
        ("moves", About::Moves),
        ("plays", About::Plays),
        ("positions", About::Positions),
    ];
    let (span, words, about) = reading.one_of(&WORDS)?;
    let for_puzzles = [About::Moves, About::Plays, About::ShortestPlay, About::LongestPlay, About::Positions];
    if !for_puzzles.contains(&about)
        && let Err(noted) = reading.two_players(span, words)
    {
        return Some(Err(noted));
    }
    if about == About::Grundy
        && let Some(reason) = reading.no_grundy()
    {
        return Some(Err(reading.mistake(span, "`grundy` has no meaning in this game", reason)));
    }
    Some(Ok(boxed(about)))
}

impl Ask for About {
    fn solve(&self, rows: &mut Fast<'_>) -> Result<Answer, Halt> {
        rows.per_start(|rows, row| self.of(rows.engine(), row.start))
    }

    fn walk(&self, rows: &mut Naive<'_>) -> Result<Answer, Halt> {
        rows.per_start(|rows, row| {
            let walker = &mut *rows.walker;
            Ok(match self {
                Self::Winner => Answer::Word(
                    match walker.outcome(row.start)? {
                        Outcome::Win => "first",
                        Outcome::Loss => "second",
                        Outcome::Draw => "draw",
                    }
                    .to_owned(),
                ),
                Self::Class => {
                    Answer::Word(walker.class(row.start)?.as_ref().map_or("draw".to_owned(), Class::to_string))
                }
                Self::Remoteness => {
                    walker.quantity(row.start, Quantity::Remoteness)?.map_or_else(Answer::none, Answer::int)
                }
                Self::Grundy => walker.quantity(row.start, Quantity::Grundy)?.map_or_else(Answer::none, Answer::int),
                Self::Moves => Answer::int(walker.count_moves(row.start)?),
                Self::ShortestPlay => walker.shortest_play(row.start)?.map_or_else(Answer::infinite, Answer::int),
                Self::LongestPlay => walker.longest_play(row.start)?.map_or_else(Answer::infinite, Answer::int),
                Self::Positions => Answer::int(walker.positions(row.start)?),
                Self::Plays | Self::PlaysWonByFirst | Self::PlaysWonBySecond => match walker.plays(row.start)? {
                    None => Answer::infinite(),
                    Some(plays) => Answer::int(match self {
                        // whoever moves at the start is the first
                        Self::PlaysWonByFirst => plays.won,
                        Self::PlaysWonBySecond => plays.lost,
                        _ => plays.total,
                    }),
                },
            })
        })
    }

    fn topic(&self) -> Topic<'_> {
        Topic::Start(*self)
    }

    fn shape(&self) -> Shape {
        match self {
            Self::Winner => Shape::Words(&["first", "second", "draw"]),
            Self::Class => Shape::Class,
            Self::Remoteness | Self::Grundy => Shape::Number(&["none"]),
            Self::Moves => Shape::Number(&["none"]),
            Self::Plays | Self::ShortestPlay | Self::LongestPlay | Self::PlaysWonByFirst | Self::PlaysWonBySecond => {
                Shape::Number(&["infinite"])
            }
            Self::Positions => Shape::Number(&[]),
        }
    }

    fn about_start(&self) -> bool {
        true
    }

    fn sought(&self) -> Option<Sought> {
        match self {
            Self::Moves => None,
            Self::Winner => Some(Sought::Outcome),
            _ => Some(Sought::Everything),
        }
    }
}

impl About {
    /// The fast side.
    fn of(self, engine: &mut dyn Engine, start: &[i64]) -> Result<Answer, Halt> {
        let number = |value: Option<i64>| value.map_or_else(Answer::none, Answer::int);
        let plies = |value: Option<u32>| value.map_or_else(Answer::infinite, Answer::int);
        let count = |plays: Option<Plays>, pick: fn(Plays) -> dashu_int::UBig| match plays {
            Some(plays) => Answer::int(pick(plays)),
            None => Answer::infinite(),
        };
        Ok(match self {
            Self::Winner => {
                let outcome = engine.outcome(start)?;
                Answer::Word(String::from(
                    if outcome == Outcome::Win || outcome == Outcome::Draw && planted(Wrong::DrawIsTheFirst) {
                        "first"
                    } else if outcome == Outcome::Loss {
                        "second"
                    } else {
                        "draw"
                    },
                ))
            }
            Self::Class => match engine.class(start)? {
                Some(class) => Answer::Word(class.to_string()),
                None => Answer::Word(String::from("draw")),
            },
            Self::Remoteness => number(engine.quantity(start, Quantity::Remoteness)?),
            Self::Grundy => number(engine.quantity(start, Quantity::Grundy)?),
            Self::Moves => Answer::int(engine.count_moves(start)?),
            Self::Plays => count(engine.plays(start)?, |plays| plays.total),
            Self::PlaysWonByFirst => count(engine.plays(start)?, |plays| plays.won),
            Self::PlaysWonBySecond if planted(Wrong::PlaysOfFirst) => count(engine.plays(start)?, |plays| plays.won),
            Self::PlaysWonBySecond => count(engine.plays(start)?, |plays| plays.lost),
            Self::ShortestPlay => plies(engine.shortest_play(start)?),
            Self::LongestPlay => plies(engine.longest_play(start)?),
            Self::Positions => Answer::int(engine.positions(start)?),
        })
    }
}
