//! The compiled form in columns against the reference evaluator and the closures, place by place; and bounds against
//! the positions that are reached. The texts are those of random dense games.
//!
//! `GAMEPROOF_SEED=N` replays one game, `GAMEPROOF_GAMES=N` plays so many.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use gameproof::budget::Budget;
use gameproof::engine::Memo;
use gameproof::game::{Compiled, Game, Reference};
use gameproof::lang::tree::{Quantity, Rules};
use gameproof::lang::{
    BoolProgram, ColumnSight, Columns, Evaluator, Fit, Halt, IntProgram, Ints, NoSight, Options, Scratch, Sight,
    Source, Stop, Truth, Unfit, closed,
};
use gameproof::problem::{Changes, Problem, load};
use gameproof::question::{Fast, Pick, Topic};
use gameproof::random::dense_problem;
use gameproof::value::{Class, Outcome, Ranked, Ranking};

const GAMES: u64 = 400;

fn seeds() -> Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    match number("GAMEPROOF_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("GAMEPROOF_GAMES").unwrap_or(GAMES),
    }
}

fn problem(seed: u64, text: &str) -> Problem {
    let source = Arc::new(Source { name: format!("seed {seed}"), text: text.to_owned() });
    let loaded = load(&source, &Changes::default());
    let loaded = loaded.unwrap_or_else(|mistakes| panic!("seed {seed}: {:?}\n{text}", mistakes[0].one_line()));
    loaded.problems.into_iter().next().expect("a file has a problem").0
}

/// A random line.
struct Line {
    len: usize,
    position: Vec<Ints>,
    parameters: Vec<Ints>,
    when: Truth,
}

impl Line {
    fn new(random: &mut fastrand::Rng, problem: &Problem, parameters: usize, wild: bool) -> Self {
        let number =
            |name: &str| problem.numbers.iter().find(|(other, _)| other == name).map_or(0, |(_, value)| *value);
        let (low, high) = (number("low"), number("n"));
        let len = [1, 2, 7, 40][random.usize(0..4)];
        let width = problem.rules.width();
        let mut position: Vec<Ints> = (0..width).map(|_| ints(random, low, high, len, wild)).collect();
        if let Some(turn) = problem.rules.turn {
            position[turn] = Ints::constant(random.i64(1..=2));
        }
        // loops go up to a parameter of the rules
        for parameter in &mut position[width - problem.rules.parameters.len()..] {
            *parameter = Ints::constant(random.i64(0..=3));
        }
        let parameters = (0..parameters).map(|_| ints(random, low, high, len, wild)).collect();
        let when = match random.u32(0..4) {
            0 | 1 => Truth::constant(true, len),
            2 => Truth::span(random.usize(0..len), random.usize(0..=len)),
            _ => Truth::mask((0..len).map(|_| random.bool()).collect()),
        };
        Self { len, position, parameters, when }
    }

    fn position(&self, place: usize) -> Vec<i64> {
        self.position.iter().map(|ints| ints.at(place)).collect()
    }

    fn parameters(&self, place: usize) -> Vec<i64> {
        self.parameters.iter().map(|ints| ints.at(place)).collect()
    }

    fn columns<'a>(
        &self,
        rules: &'a Rules,
        slots: gameproof::lang::tree::Slots,
        sight: &'a mut dyn ColumnSight,
    ) -> Columns<'a> {
        let mut columns = Columns::new(rules, slots, sight);
        columns.begin(self.len);
        columns.position.clone_from(&self.position);
        columns.parameters.clone_from(&self.parameters);
        columns
    }

    fn places(&self) -> Vec<usize> {
        (0..self.len).filter(|place| self.when.at(*place)).collect()
    }
}

/// Whether a loop goes up to a pile, and so on and on where that is of any size.
fn loops_far(text: &str) -> bool {
    ["x", "y", "z", "c[0]", "c[1]"].iter().any(|pile| text.contains(&format!("..={pile} - low")))
}

/// Mostly numbers between bounds; wild ones may be of any size.
fn ints(random: &mut fastrand::Rng, low: i64, high: i64, len: usize, wild: bool) -> Ints {
    const ENDS: [i64; 9] =
        [i64::MIN, i64::MIN + 1, -(1 << 62), -(1 << 31), 0, 1 << 31, 3_037_000_500, i64::MAX - 1, i64::MAX];
    let wild = wild && random.u32(0..5) == 0;
    let high = high.min(low + 30);
    let one = |random: &mut fastrand::Rng| if wild { ENDS[random.usize(0..9)] } else { random.i64(low - 2..=high + 2) };
    match random.u32(0..3) {
        0 => Ints::constant(one(random)),
        1 => {
            let step = if wild { ENDS[random.usize(0..9)] } else { random.i64(-2..=2) };
            Ints::line(one(random).into(), step.into(), len).unwrap_or(Ints::constant(low))
        }
        _ => {
            let values: Vec<i64> = (0..len).map(|_| one(random)).collect();
            let (least, most) = (values.iter().min().copied(), values.iter().max().copied());
            Ints::values(values, least.unwrap_or(0), most.unwrap_or(0).saturating_add(random.i64(0..2)))
        }
    }
}

/// Numbers lie within the bounds that they are said to have, everywhere on the line.
fn check_bounds(ints: &Ints, len: usize, about: &str) {
    let (low, high) = ints.bounds(len);
    for place in 0..len {
        assert!((low..=high).contains(&ints.at(place)), "{} is not between {low} and {high}\n{about}", ints.at(place));
    }
}

/// What there is at a position: over, or the options in order.
type Looked = Result<(Option<Outcome>, Vec<(usize, Vec<i64>)>), Halt>;

fn looked(game: &mut dyn Game, position: &[i64]) -> Looked {
    let mut options = Options::default();
    let over = game.look(position, &mut options)?;
    let options = options.iter().map(|(made, option)| (made, option.to_vec())).filter(|_| over.is_none());
    Ok((over, options.collect()))
}

/// The same for a whole line in columns.
/// Who has won at a position, and where its moves lead.
type Place = (Option<Outcome>, Vec<(usize, Vec<i64>)>);

fn looked_in_columns(line: &Line, rules: &Rules, about: &str) -> Fit<Vec<Place>> {
    let mut sight = NoSight;
    let mut columns = line.columns(rules, rules.slots, &mut sight);
    let mut found = vec![(None, Vec::new()); line.len];
    let ended = columns.ended(&line.when)?;
    let alive = line.when.and(&ended.not(line.len));
    let mut covered = Truth::NEVER;
    for number in 0..rules.moves.len() {
        columns.options(number, &alive, &mut Vec::new(), &mut |_, reached, when| {
            covered = covered.or(&when, line.len);
            reached.iter().for_each(|ints| check_bounds(ints, line.len, about));
            when.each(|place| {
                found[place].1.push((number, reached.iter().map(|ints| ints.at(place)).collect()));
                Ok(())
            })
        })?;
    }
    let over = ended.or(&alive.and(&covered.not(line.len)), line.len);
    if !over.is_empty() {
        for (when, outcome) in columns.winner(&rules.winner, &over)? {
            when.each(|place| {
                found[place].0 = Some(outcome);
                Ok::<(), Unfit>(())
            })?;
        }
    }
    Ok(found)
}

#[test]
fn rules_in_columns_are_those_of_the_reference() {
    let (mut told, mut unfit, mut faults) = (0_u64, 0_u64, 0_u64);
    for seed in seeds() {
        let text = dense_problem(seed);
        let problem = problem(seed, &text);
        let mut random = fastrand::Rng::with_seed(seed);
        let loops = loops_far(&text);
        for trial in 0..8 {
            let line = Line::new(&mut random, &problem, 0, trial % 2 == 1 && !loops);
            let about = format!("trial {trial}, replay with GAMEPROOF_SEED={seed}\n{text}");
            let found = looked_in_columns(&line, &problem.rules, &about);
            let mut faulty = false;
            for place in line.places() {
                let position = line.position(place);
                let right = looked(&mut Reference::new(&problem.rules), &position);
                assert_eq!(right, looked(&mut Compiled::new(&problem.rules), &position), "{position:?}, {about}");
                match (&found, &right) {
                    (Ok(found), Ok(right)) => assert_eq!(found[place], *right, "{position:?}, {about}"),
                    (Ok(_), Err(fault)) => panic!("columns miss {fault:?} at {position:?}, {about}"),
                    (Err(Unfit), right) => faulty |= right.is_err(),
                }
            }
            *(if found.is_ok() { &mut told } else { &mut unfit }) += 1;
            faults += u64::from(faulty);
        }
    }
    // an answer that is never given would be never wrong
    assert!(told > unfit, "{told} lines told, {unfit} unfit, of which {faults} with a fault");
}

/// Ranks from the memo; what is over is left to the columns now and then.
struct Ranks<'m, 'a>(&'m mut Memo<'a>);

impl ColumnSight for Ranks<'_, '_> {
    fn ranked(
        &mut self,
        ranking: Ranking,
        _: Option<u32>,
        positions: &[Ints],
        when: &Truth,
        len: usize,
    ) -> Fit<(Vec<u32>, Truth)> {
        // elsewhere any number
        let (mut codes, mut off) = (vec![7; len], vec![false; len]);
        when.each(|place| {
            let position: Vec<i64> = positions.iter().map(|ints| ints.at(place)).collect();
            let over = self.0.options(&position, &mut Options::default()).map_err(|_| Unfit)?;
            if over && place % 2 == 0 {
                off[place] = true;
                return Ok(());
            }
            codes[place] = rank(self.0, ranking, &position).map_err(|_| Unfit)?.0;
            Ok(())
        })?;
        Ok((codes, Truth::mask(off)))
    }
}

fn rank(memo: &mut Memo<'_>, ranking: Ranking, position: &[i64]) -> Result<Ranked, Halt> {
    use gameproof::engine::Engine;
    let outcome = memo.outcome(position)?;
    let rank = match ranking {
        Ranking::Remoteness => {
            memo.quantity(position, Quantity::Remoteness)?.map_or(0, |plies| u32::try_from(plies).expect("few plies"))
        }
        Ranking::OwnMoves => memo.class(position)?.map_or(0, Class::moves),
    };
    Ok(Ranked::new(outcome, rank))
}

/// A value, a missing one, or nothing where a limit was reached; a fault is an error.
fn known<T>(result: Result<T, Halt>) -> Option<Result<T, Halt>> {
    match result {
        Err(Halt::Stop(stop)) if matches!(*stop, Stop::Limit(_)) => None,
        other => Some(other),
    }
}

#[test]
fn questions_in_columns_are_those_of_the_reference() {
    let (mut told, mut unfit) = (0_u64, 0_u64);
    for seed in seeds() {
        let text = dense_problem(seed);
        let problem = problem(seed, &text);
        let rules = &problem.rules;
        let mut random = fastrand::Rng::with_seed(seed);
        let loops = loops_far(&text);
        for (number, question) in problem.questions.iter().enumerate() {
            let Topic::Over(picks, condition) = question.ask.topic() else { continue };
            let budget = Budget::new(1 << 20);
            let mut memo = Memo::new(Box::new(Compiled::new(rules)), &budget);
            let mut scratch = Scratch::new(question.slots);
            for trial in 0..3 {
                let line = Line::new(&mut random, &problem, question.given.len(), trial == 2 && !loops);
                let about = format!("question {number}, trial {trial}, replay with GAMEPROOF_SEED={seed}\n{text}");
                if let Some(condition) = condition {
                    let mut sight = Ranks(&mut memo);
                    let found = line.columns(rules, question.slots, &mut sight).bool(condition, &line.when);
                    let counted = line.columns(rules, question.slots, &mut sight).count(condition, &line.when);
                    let program = BoolProgram::new(condition);
                    let mut count = 0;
                    for place in line.places() {
                        let (position, parameters) = (line.position(place), line.parameters(place));
                        let reference =
                            Evaluator::new(&position, &parameters, question.slots, &mut memo).bool(condition);
                        let compiled = program.run(&position, &parameters, &mut scratch, &mut memo);
                        let Ok(found) = &found else { continue };
                        for right in [known(reference), known(compiled)].into_iter().flatten() {
                            assert_eq!(right, Ok(found.at(place)), "{position:?}, {parameters:?}, {about}");
                        }
                        count += usize::from(found.at(place));
                    }
                    assert!(counted.is_err() == found.is_err(), "{about}");
                    assert!(counted.is_err() || counted == Ok(count), "{counted:?} counted, not {count}, {about}");
                    *(if found.is_ok() { &mut told } else { &mut unfit }) += 1;
                }
                for value in picks.iter().filter_map(Pick::value) {
                    let mut sight = Ranks(&mut memo);
                    let found = line.columns(rules, question.slots, &mut sight).int(value, &line.when);
                    let extremes = line.columns(rules, question.slots, &mut sight).extremes(value, &line.when);
                    let program = IntProgram::new(value);
                    let mut values = Vec::new();
                    for place in line.places() {
                        let (position, parameters) = (line.position(place), line.parameters(place));
                        let reference = Evaluator::new(&position, &parameters, question.slots, &mut memo).int(value);
                        let compiled = program.run(&position, &parameters, &mut scratch, &mut memo);
                        let compiled = compiled.and_then(|value| value.ok_or(Halt::Missing));
                        let Ok(found) = &found else { continue };
                        check_bounds(found, line.len, &about);
                        for right in [known(reference), known(compiled)].into_iter().flatten() {
                            assert_eq!(right, Ok(found.at(place)), "{position:?}, {parameters:?}, {about}");
                        }
                        values.push(found.at(place));
                    }
                    if let (Ok(_), Ok(extremes), Some(least)) = (&found, extremes, values.iter().min()) {
                        assert_eq!((*least, *values.iter().max().expect("there is one")), extremes, "{about}");
                    }
                }
            }
        }
    }
    assert!(told * 2 > unfit, "{told} lines told, {unfit} unfit");
}

/// Larger games are left out.
const MOST: usize = 20_000;

#[test]
fn bounds_hold_every_position_that_is_reached() {
    let (mut bounded, mut reached) = (0_u64, 0_u64);
    for seed in seeds() {
        let text = dense_problem(seed);
        let problem = problem(seed, &text);
        let rules = &problem.rules;
        for (number, question) in problem.questions.iter().enumerate() {
            let about = format!("question {number}, replay with GAMEPROOF_SEED={seed}\n{text}");
            let Some(starts) = question.starts(rules) else { continue };
            let budget = Budget::new(1 << 20);
            let mut memo = Memo::new(Box::new(Compiled::new(rules)), &budget);
            let mut rows = Vec::new();
            let all = Fast::new(question, rules, &mut memo).each(&mut |_, row| {
                rows.push(row.start.to_vec());
                Ok(())
            });
            if all.is_err() {
                continue;
            }
            let within = |position: &[i64], bounds: &[gameproof::lang::Interval]| {
                position.iter().zip(bounds).all(|(value, bounds)| bounds.contains(*value))
            };
            for row in &rows {
                assert!(within(row, &starts.bounds), "{row:?} is outside {:?}, {about}", starts.bounds);
            }
            assert!(u64::try_from(rows.len()).is_ok_and(|rows| rows <= starts.count), "{} starts, {about}", rows.len());
            let Some(bounds) = closed(rules, &starts.bounds) else { continue };
            bounded += 1;
            for position in not_over(rules, rows) {
                reached += 1;
                assert!(within(&position, &bounds), "{position:?} is outside {bounds:?}, {about}");
            }
        }
    }
    assert!(bounded > 300 && reached > 30_000, "{reached} positions within {bounded} bounds");
}

/// Positions that are reached and not over, as far as rules have a value.
fn not_over(rules: &Rules, starts: Vec<Vec<i64>>) -> HashSet<Vec<i64>> {
    let mut game = Compiled::new(rules);
    let (mut met, mut open, mut not_over) = (HashSet::new(), starts, HashSet::new());
    while let Some(position) = open.pop() {
        if met.len() > MOST || !met.insert(position.clone()) {
            continue;
        }
        if let Ok((None, options)) = looked(&mut game, &position) {
            open.extend(options.into_iter().map(|(_, option)| option));
            not_over.insert(position);
        }
    }
    not_over
}
