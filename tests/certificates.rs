//! Certificates: what is right is accepted, and any one value changed is refused.

use std::io::BufReader;
use std::sync::Arc;

use gameproof::budget::Budget;
use gameproof::certificate::{self, Certificate, OwnedLines, OwnedParts, OwnedRings, Refusal, Witness};
use gameproof::check::{Checking, Crosscheck, check};
use gameproof::claims::{Claims, Keys, NONE, Reach, Region};
use gameproof::engine::{self, Engine, Memo, Table};
use gameproof::game::{Compiled, Game, Reference};
use gameproof::lang::tree::{Heaps, Quantity, Rules};
use gameproof::lang::{Halt, Sight, Source, Stop};
use gameproof::position::{Axis, Lines, Positions, Width};
use gameproof::problem::{Changes, Loaded, Problem, load};
use gameproof::question::{Fast, Naive, agree};
use gameproof::random::{dense_problem, game_problem, sum_problem};
use gameproof::value::{Class, Outcome, Ranked};

const GAMES: u64 = 300;

/// Games with more positions are left out of the tests that change every value in turn.
const SMALL: usize = 120;

fn loaded(name: &str, text: &str) -> Loaded {
    let source = Arc::new(Source { name: name.to_owned(), text: text.to_owned() });
    load(&source, &Changes::default()).unwrap_or_else(|mistakes| panic!("{name}: {:?}\n{text}", mistakes[0].one_line()))
}

/// A certificate with every kind of value for all starts of the first question, or nothing where a rule error or a
/// limit spoils it.
fn certificate(problem: &Problem, budget: &Budget, near: bool) -> Option<Certificate> {
    let question = &problem.questions[0];
    let mut memo = Memo::new(Box::new(Compiled::new(&problem.rules)), budget);
    let filled = Fast::new(question, &problem.rules, &mut memo).each(&mut |rows, row| {
        let engine = rows.engine();
        if near {
            engine.class_within(row.start, Class::Win(2))?;
            engine.class_within(row.start, Class::Loss(1))?;
            return Ok(());
        }
        engine.outcome(row.start)?;
        engine.class(row.start)?;
        engine.quantity(row.start, Quantity::Grundy)?;
        engine.plays(row.start)?;
        engine.shortest_play(row.start)?;
        engine.longest_play(row.start)?;
        Ok(())
    });
    match filled {
        Ok(()) => {}
        Err(Halt::Stop(_)) => return None,
        Err(Halt::Missing) => panic!("a value is missing outside a formula"),
    }
    let claims = memo.claims().expect("the claims fit the budget").expect("the memo makes claims");
    Some(Certificate::of(&claims, "problem", None))
}

fn refused(certificate: &Certificate, problem: &Problem, budget: &Budget) -> bool {
    match certificate::check(&certificate.claims(), &problem.rules, budget) {
        Ok(()) => false,
        Err(Refusal::At { .. } | Refusal::Whole(_)) => true,
        Err(Refusal::Limit(limit)) => panic!("{limit}"),
    }
}

/// Other values that might stand in the place of a rank.
fn other_ranks(ranked: Ranked) -> Vec<Ranked> {
    [0, ranked.0.saturating_sub(2), ranked.0.saturating_sub(1), ranked.0 + 1, ranked.0 + 2, 1, 2]
        .into_iter()
        .map(Ranked)
        .filter(|other| *other != ranked)
        .collect()
}

fn other_numbers(number: u32) -> Vec<u32> {
    [0, 1, NONE, number.wrapping_add(1), number.saturating_sub(1)]
        .into_iter()
        .filter(|other| *other != number)
        .collect()
}

#[test]
fn any_value_changed_is_refused() {
    let budget = Budget::new(16 << 20);
    let (mut games, mut changes) = (0, 0_u64);
    for seed in 0..GAMES {
        let text = game_problem(seed);
        let loaded = loaded(&format!("seed {seed}"), &text);
        let (problem, _) = &loaded.problems[0];
        let Some(right) = certificate(problem, &budget, false) else { continue };
        if right.positions.len() > SMALL {
            continue;
        }
        games += 1;
        assert!(!refused(&right, problem, &budget), "a right certificate is refused, seed {seed}\n{text}");
        let mut must_refuse = |what: &str, number: usize, change: &dyn Fn(&mut Certificate)| {
            let mut wrong = right.clone();
            change(&mut wrong);
            changes += 1;
            assert!(
                refused(&wrong, problem, &budget),
                "{what} of position {number} changed and passed, seed {seed}\n{text}"
            );
        };
        for number in 0..right.positions.len() {
            for other in other_ranks(right.remoteness[number]) {
                must_refuse("remoteness", number, &|wrong| wrong.remoteness[number] = other);
            }
            for other in other_ranks(right.own_moves[number]) {
                must_refuse("own moves", number, &|wrong| wrong.own_moves[number] = other);
            }
            for other in other_numbers(right.nimbers[number]) {
                must_refuse("grundy", number, &|wrong| wrong.nimbers[number] = other);
            }
            for other in other_numbers(right.shortest[number]) {
                must_refuse("shortest", number, &|wrong| wrong.shortest[number] = other);
            }
            for other in other_numbers(right.longest[number]) {
                must_refuse("longest", number, &|wrong| wrong.longest[number] = other);
            }
            must_refuse("plays", number, &|wrong| {
                let plays = &mut wrong.plays[number];
                *plays = match plays.take() {
                    Some(mut plays) => {
                        plays.won += 1_u8;
                        Some(plays)
                    }
                    None => right.plays.iter().flatten().next().cloned().or_else(|| {
                        let none = || 0_u8.into();
                        Some(gameproof::value::Plays { total: none(), won: none(), lost: none() })
                    }),
                };
            });
            // a position left out is missed where a move leads to it; a start is then not covered
            let mut wrong = right.clone();
            wrong.positions = without(&right.positions, number);
            let mut left_out = Vec::new();
            right.positions.read(u32::try_from(number).expect("few positions"), &mut left_out);
            let claims = wrong.claims();
            let missed = Witness::new(&claims, &problem.rules).outcome(&left_out).is_err();
            assert!(missed || refused(&wrong, problem, &budget), "position {number} left out, seed {seed}\n{text}");
        }
    }
    assert!(games > 60, "only {games} games were small enough");
    assert!(changes > 20_000, "only {changes} changes were tried");
}

/// The same positions, one of them replaced by another that is not there.
fn without(positions: &Positions, left_out: usize) -> Positions {
    let mut others = Positions::new(positions.width());
    let mut position = Vec::new();
    for number in 0..positions.len() {
        positions.read(u32::try_from(number).expect("few positions"), &mut position);
        if number == left_out {
            position[0] += 1_000_003;
        }
        others.insert(&position);
    }
    others
}

#[test]
fn any_class_changed_in_a_region_is_refused() {
    let budget = Budget::new(16 << 20);
    let mut regions = 0;
    for seed in 0..GAMES {
        // without an end the game is too large to be closed, and regions are made
        let text = game_problem(seed);
        let endless: String =
            text.lines().filter(|line| !line.trim_start().starts_with("end:")).collect::<Vec<_>>().join("\n");
        let loaded = loaded(&format!("seed {seed} without its end"), &endless);
        let (problem, _) = &loaded.problems[0];
        let Some(right) = certificate(problem, &budget, true) else { continue };
        assert!(!refused(&right, problem, &budget), "a right certificate is refused, seed {seed}\n{endless}");
        for (region, _) in right.regions.iter().enumerate().take(3) {
            regions += 1;
            for layer in 0..right.regions[region].layers.len() {
                for number in 0..right.regions[region].layers[layer].classes.len().min(40) {
                    for other in other_ranks(right.regions[region].layers[layer].classes[number]) {
                        let mut wrong = right.clone();
                        wrong.regions[region].layers[layer].classes[number] = other;
                        assert!(
                            refused(&wrong, problem, &budget),
                            "layer {layer}, position {number}, seed {seed}\n{endless}"
                        );
                    }
                }
            }
        }
    }
    assert!(regions > 30, "only {regions} regions were made");
}

const SERIES: &str = r#"(
    title: "Two piles",
    constants: {"n": 20},
    game: Rules(
        state: "x, y",
        moves: ["x + 1, y", "x * 2, y", "x, y + 1", "x, y * 2"],
        end: "x + y >= n",
    ),
    start: "3, s",
    given: {"s": "1..=16"},
    questions: {
        "classes": (ask: "class"),
        "plays": (ask: "plays"),
        "values": (ask: "grundy"),
        "lengths": (ask: "shortest play"),
        "positions": (ask: "positions"),
        "won": (ask: "all s where W2 and can(W1)"),
        "longest": (ask: "max remoteness where loss"),
    },
    variants: {"one more": (constants: {"n": 21})},
)"#;

/// A game that a table answers.
const DENSE: &str = r#"(
    title: "Two piles",
    constants: {"n": 12},
    game: Rules(
        state: "x, y",
        moves: ["x + 1, y", "x * 2, y", "x, y + 1", "x, y * 2"],
        end: "x + y >= n or x == y and x % 4 == 0",
        winner: "draw if x == n else last",
    ),
    start: "3, s",
    given: {"s": "1..=8"},
    questions: {
        "classes": (ask: "class"),
        "won": (ask: "all s where W2 and can(W1)"),
        "longest": (ask: "max remoteness where loss"),
        "drawn": (ask: "count where draw"),
    },
    variants: {"one more": (constants: {"n": 13})},
)"#;

/// Files, and the engine that answers their questions.
const FILES: [(&str, &str); 2] = [(SERIES, "memo"), (DENSE, "table")];

/// The file of a certificate with what its questions rest on.
fn file(loaded: &Loaded, engine: &'static str) -> Vec<Vec<u8>> {
    let files = std::sync::Mutex::new(Vec::new());
    let hand_out = |id: &str, variant: Option<&str>, claims: &Claims<'_>| {
        let mut bytes = Vec::new();
        certificate::write(claims, id, variant, &mut bytes).expect("writing to memory does not fail");
        files.lock().expect("no panic before").push(bytes);
    };
    let budget = Budget::new(1 << 28);
    let checking = Checking {
        engines: vec![engine, "certificate"],
        walk_limit: 0,
        budget: &budget,
        keys: true,
        hints: false,
        certificates: Some(&hand_out),
    };
    let findings = check("series", loaded, &checking, &|_, _| true);
    assert!(findings.iter().all(|finding| finding.by == [engine, "certificate"]), "{findings:?}");
    files.into_inner().expect("no panic before")
}

#[test]
fn a_file_gives_the_same_answers() {
    let budget = Budget::new(1 << 28);
    let loaded = FILES.map(|(text, engine)| (loaded("series", text), engine));
    let files = loaded.iter().flat_map(|(loaded, engine)| file(loaded, engine).into_iter().zip(&loaded.problems));
    for (bytes, (problem, _)) in files {
        let certificate = certificate::read(&mut BufReader::new(&bytes[..])).expect("it was just written");
        assert_eq!(certificate.variant, problem.variant);
        certificate::check(&certificate.claims(), &problem.rules, &budget).expect("it holds");
        let claims = certificate.claims();
        for question in &problem.questions {
            let rules = &problem.rules;
            let mut memo = Memo::new(Box::new(Compiled::new(rules)), &budget);
            let fast = question.ask.solve(&mut Fast::new(question, rules, &mut memo)).expect("a small game");
            let mut witness = Witness::new(&claims, rules);
            let answer = question
                .ask
                .walk(&mut Naive { question, rules, walker: &mut witness, thorough: true })
                .expect("it is covered");
            assert!(agree(&fast, &answer), "{}: {fast} and {answer}", question.label);
        }
    }
}

#[test]
fn a_damaged_file_is_refused() {
    FILES.iter().for_each(|(text, engine)| refuse_damage(text, engine));
}

fn refuse_damage(text: &str, engine: &'static str) {
    let loaded = loaded("series", text);
    let budget = Budget::new(1 << 28);
    let bytes = &file(&loaded, engine)[0];
    let rules = &loaded.problems[0].0.rules;
    let passes = |bytes: &[u8]| {
        certificate::read(&mut BufReader::new(bytes))
            .is_ok_and(|certificate| certificate::check(&certificate.claims(), rules, &budget).is_ok())
    };
    assert!(passes(bytes));
    for end in 0..bytes.len() {
        assert!(!passes(&bytes[..end]), "cut off after {end} bytes and passed");
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(!passes(&longer), "a byte too many passed");
    // the two lines at the beginning hold names as well, whose change is no damage
    let numbers = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(1).map_or(0, |(at, _)| at + 1);
    for at in numbers..bytes.len() {
        for bit in 0..8 {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << bit;
            assert!(!passes(&changed), "bit {bit} of byte {at} changed and passed");
        }
    }
}

#[test]
fn a_foreign_certificate_is_refused_with_its_position() {
    let loaded = loaded("series", SERIES);
    let budget = Budget::new(1 << 28);
    let files = file(&loaded, "memo");
    let first = certificate::read(&mut BufReader::new(&files[0][..])).expect("it was just written");
    // the other constants of the variant
    let refusal =
        certificate::check(&first.claims(), &loaded.problems[1].0.rules, &budget).expect_err("other constants");
    assert!(matches!(refusal, Refusal::At { .. }), "{refusal}");
    // another game with positions of the same width
    let other = self::loaded("other", &SERIES.replace("x * 2, y", "x * 3, y"));
    let refusal = certificate::check(&first.claims(), &other.problems[0].0.rules, &budget).expect_err("another game");
    assert!(matches!(refusal, Refusal::At { .. }), "{refusal}");
    // positions of another width
    let wider = self::loaded(
        "wider",
        &SERIES
            .replace("\"x, y\"", "\"x, y, z\"")
            .replace(", y\"", ", y, z\"")
            .replace("y + 1\"", "y + 1, z\"")
            .replace("y * 2\"", "y * 2, z\"")
            .replace("3, s", "3, s, 0"),
    );
    let refusal = certificate::check(&first.claims(), &wider.problems[0].0.rules, &budget).expect_err("another width");
    assert!(matches!(refusal, Refusal::Whole(_)), "{refusal}");
}

#[test]
fn any_distance_changed_is_refused() {
    let budget = Budget::new(64 << 20);
    let mut changes = 0;
    for file in ["jugs/fill-and-pour", "rings/two-first-moves", "river/three-and-three", "pegs/six-peg-cross-drawn"] {
        let text = std::fs::read_to_string(format!("problems/classics/{file}.ron")).expect("it is in the bank");
        let loaded = loaded(file, &text);
        let (problem, _) = &loaded.problems[0];
        let mut memo = Memo::new(Box::new(Compiled::new(&problem.rules)), &budget);
        let filled = Fast::new(&problem.questions[0], &problem.rules, &mut memo)
            .each(&mut |rows, row| rows.engine().quantity(row.start, Quantity::Distance).map(|_| ()));
        assert!(filled.is_ok(), "{file}: {filled:?}");
        let claims = memo.claims().expect("the claims fit the budget").expect("the memo makes claims");
        let right = Certificate::of(&claims, file, None);
        assert!(!refused(&right, problem, &budget), "{file}: a right certificate is refused");
        for number in 0..right.positions.len() {
            for other in other_numbers(right.distances[number]) {
                let mut wrong = right.clone();
                wrong.distances[number] = other;
                assert!(refused(&wrong, problem, &budget), "{file}: the distance of position {number} changed");
                changes += 1;
            }
            let mut wrong = right.clone();
            wrong.solutions[number] += 1_u8;
            assert!(refused(&wrong, problem, &budget), "{file}: the solutions of position {number} changed");
        }
    }
    assert!(changes > 100, "only {changes} changes were tried");
}

#[test]
fn impossible_numbers_are_refused() {
    let budget = Budget::new(1 << 28);
    let partizan = loaded(
        "partizan",
        &SERIES.replace("\"x + 1, y\"", "\"x + turn, y\"").replace("(ask: \"grundy\")", "(ask: \"moves\")"),
    );
    let (problem, _) = &partizan.problems[0];
    let bytes = &file(&partizan, "memo")[0];
    let right = certificate::read(&mut BufReader::new(&bytes[..])).expect("it was just written");
    let turn = problem.rules.turn.expect("a rule reads it");
    for other in [0, 3, i64::MIN, i64::MAX] {
        let mut wrong = right.clone();
        let mut position = Vec::new();
        wrong.positions.read(0, &mut position);
        position[turn] = other;
        wrong.positions = Positions::new(Width::Fixed(position.len()));
        wrong.positions.insert(&position);
        for number in 1..right.positions.len() {
            right.positions.read(u32::try_from(number).expect("few positions"), &mut position);
            wrong.positions.insert(&position);
        }
        assert!(refused(&wrong, problem, &budget), "a position with turn {other} passed");
    }
    // a rank near the end of its range is no rank
    for rank in [u32::MAX / 2, u32::MAX] {
        let mut wrong = right.clone();
        wrong.remoteness[0] = Ranked(rank);
        let mut bytes = Vec::new();
        certificate::write(&wrong.claims(), "partizan", None, &mut bytes).expect("writing to memory does not fail");
        assert!(certificate::read(&mut BufReader::new(&bytes[..])).is_err());
    }
}

/// A rule error spoils a question though the answer could be had without it; a witness goes on to meet it.
#[test]
fn a_witness_reads_every_start() {
    let text = SERIES.replace("all s where W2 and can(W1)", "every where W0 or 1 // (s - 16) == 2");
    let loaded = loaded("spoilt", &text);
    let (problem, _) = &loaded.problems[0];
    let budget = Budget::new(1 << 28);
    let certificate = certificate(problem, &budget, false).expect("a small game");
    let claims = certificate.claims();
    let question = problem.questions.iter().find(|question| question.label == "won").expect("it is there");
    let answer = |thorough: bool| {
        let rules = &problem.rules;
        let mut witness = Witness::new(&claims, rules);
        question.ask.walk(&mut Naive { question, rules, walker: &mut witness, thorough })
    };
    assert!(answer(false).is_ok(), "the first start settles it");
    assert!(matches!(answer(true), Err(Halt::Stop(_))), "the last start has a rule error");
}

#[test]
fn any_component_changed_is_refused() {
    let budget = Budget::new(2 << 20);
    let mut changes = 0_u64;
    for seed in 0..GAMES {
        let text = sum_problem(seed);
        let loaded = loaded(&format!("seed {seed}"), &text);
        let (problem, _) = &loaded.problems[0];
        if !problem.rules.last_mover_wins() || matches!(problem.rules.heaps, Some(Heaps::Nim)) {
            continue;
        }
        let mut sum = engine::fast(&problem.rules, true, &budget, &budget);
        let question = &problem.questions[0];
        let filled = Fast::new(question, &problem.rules, sum.as_mut())
            .each(&mut |rows, row| rows.engine().outcome(row.start).map(|_| ()));
        // where a component can go on for ever the sum may grow without bound
        if matches!(&filled, Err(Halt::Stop(stop)) if matches!(**stop, Stop::Limit(_))) {
            continue;
        }
        assert!(filled.is_ok(), "{filled:?}, seed {seed}\n{text}");
        let claims = sum.claims().expect("the claims fit the budget").expect("the engine makes claims");
        let right = Certificate::of(&claims, "problem", None);
        // a component from which play need not end has no value
        let Some(parts) = &right.parts else { continue };
        assert!(!refused(&right, problem, &budget), "a right certificate is refused, seed {seed}\n{text}");
        let mut bytes = Vec::new();
        certificate::write(&claims, "problem", None, &mut bytes).expect("writing to memory does not fail");
        let read = certificate::read(&mut &bytes[..]).expect("what was written can be read");
        assert!(!refused(&read, problem, &budget), "a file of sums is refused, seed {seed}\n{text}");
        for number in 0..parts.positions.len() {
            let mut must_refuse = |what: &str, change: &dyn Fn(&mut OwnedParts)| {
                let mut wrong = right.clone();
                wrong.parts.iter_mut().for_each(change);
                changes += 1;
                assert!(
                    refused(&wrong, problem, &budget),
                    "{what} of {number} changed and passed, seed {seed}\n{text}"
                );
            };
            for other in other_numbers(parts.nimbers[number]) {
                must_refuse("the value", &|parts| parts.nimbers[number] = other);
            }
            for other in other_numbers(parts.depths[number]) {
                must_refuse("the depth", &|parts| parts.depths[number] = other);
            }
            let mut wrong = right.clone();
            wrong.parts.iter_mut().for_each(|wrong| wrong.positions = without(&parts.positions, number));
            let mut left_out = Vec::new();
            parts.positions.read(u32::try_from(number).expect("few positions"), &mut left_out);
            let missed = Witness::new(&wrong.claims(), &problem.rules).outcome(&left_out).is_err();
            assert!(missed || refused(&wrong, problem, &budget), "component {number} left out, seed {seed}\n{text}");
        }
    }
    assert!(changes > 3_000, "only {changes} changes were tried");
}

/// A puzzle without bound, whose answers rest on rings.
const WITHOUT_BOUND: &str = "(title: \"t\", game: Puzzle(state: \"x, y\", moves: [\"x * 2, y\", \"x + 1, y\", \"x, y + x\"], \
    goal: \"x == 9 and y == 4\"), start: \"1, 0\", questions: {\"q\": (ask: \"fewest moves\")})";

#[test]
fn any_change_of_rings_is_refused() {
    // so little room that the puzzle is not closed
    let budget = Budget::new(1 << 20);
    let loaded = loaded("rings", WITHOUT_BOUND);
    let (problem, _) = &loaded.problems[0];
    let mut memo = Memo::new(Box::new(Compiled::new(&problem.rules)), &budget);
    assert_eq!(memo.quantity(&[1, 0], Quantity::Distance), Ok(Some(5)));
    let claims = memo.claims().expect("the claims fit the budget").expect("the memo makes claims");
    let right = Certificate::of(&claims, "problem", None);
    assert!(!refused(&right, problem, &budget));
    let [rings] = &right.rings[..] else { panic!("{} rings", right.rings.len()) };
    let refuse = |what: &str, change: &dyn Fn(&mut OwnedRings)| {
        let mut wrong = right.clone();
        wrong.rings.iter_mut().for_each(change);
        assert!(refused(&wrong, problem, &budget), "{what} changed and passed");
    };
    for number in 1..rings.positions.len() {
        refuse("a position", &|wrong| wrong.positions = without(&rings.positions, number));
    }
    for ring in 0..rings.ends.len() {
        refuse("an end", &|wrong| wrong.ends[ring] += 1);
        refuse("an end", &|wrong| wrong.ends[ring] -= 1);
        refuse("a ring", &|wrong| wrong.ends.retain(|end| *end != rings.ends[ring]));
    }
    refuse("the reach", &|wrong| wrong.reach = Reach::NoGoal);
    refuse("the reach", &|wrong| wrong.reach = Reach::Everything);
}

/// Claims are refused as a whole, and never read past their end, where their columns do not fit together.
#[test]
fn any_change_of_shape_is_refused() {
    let budget = Budget::new(16 << 20);
    let refuse = |what: &str, right: &Certificate, problem: &Problem, change: &dyn Fn(&mut Certificate)| {
        let mut wrong = right.clone();
        change(&mut wrong);
        let refusal = certificate::check(&wrong.claims(), &problem.rules, &budget);
        assert!(matches!(refusal, Err(Refusal::Whole(_))), "{what}: {refusal:?}");
    };
    let plain = loaded("plain", SERIES);
    let (problem, _) = &plain.problems[0];
    let right = certificate(problem, &budget, false).expect("a small game");
    assert!(!refused(&right, problem, &budget));
    type Column = (&'static str, fn(&mut Certificate), fn(&mut Certificate));
    let columns: [Column; 6] = [
        ("remoteness", |c| c.remoteness.truncate(c.remoteness.len() - 1), |c| c.remoteness.push(Ranked::DRAW)),
        ("own moves", |c| c.own_moves.truncate(c.own_moves.len() - 1), |c| c.own_moves.push(Ranked::DRAW)),
        ("grundy", |c| c.nimbers.truncate(c.nimbers.len() - 1), |c| c.nimbers.push(0)),
        ("plays", |c| c.plays.truncate(c.plays.len() - 1), |c| c.plays.push(None)),
        ("shortest", |c| c.shortest.truncate(c.shortest.len() - 1), |c| c.shortest.push(0)),
        ("longest", |c| c.longest.truncate(c.longest.len() - 1), |c| c.longest.push(0)),
    ];
    for (name, shorter, longer) in columns {
        refuse(&format!("{name} too short"), &right, problem, &shorter);
        refuse(&format!("{name} too long"), &right, problem, &longer);
    }
    // either ranking tells the outcome
    let mut alone = right.clone();
    alone.remoteness.clear();
    let (alone, both) = (alone.claims(), right.claims());
    let mut start = Vec::new();
    right.positions.read(0, &mut start);
    assert!(certificate::check(&alone, &problem.rules, &budget).is_ok());
    let outcome = Witness::new(&alone, &problem.rules).outcome(&start);
    assert!(outcome.is_ok() && outcome == Witness::new(&both, &problem.rules).outcome(&start));
    refuse("distances without solutions", &right, problem, &|c| c.distances = vec![NONE; c.positions.len()]);
    refuse("no end of play is shown", &right, problem, &|c| c.longest.clear());
    refuse("nor for plays", &right, problem, &|c| (c.longest, c.nimbers) = (Vec::new(), Vec::new()));
    refuse("nor for values", &right, problem, &|c| (c.longest, c.plays) = (Vec::new(), Vec::new()));
    refuse("a sum", &right, problem, &|c| c.sum = true);
    let width = problem.rules.width();
    let none = |width: usize| OwnedParts {
        positions: Positions::new(Width::Fixed(width)),
        nimbers: Vec::new(),
        depths: Vec::new(),
    };
    refuse("components of no sum", &right, problem, &|c| c.parts = Some(none(width)));
    let endless = loaded("endless", &SERIES.replace("end: \"x + y >= n\",", ""));
    let (problem, _) = &endless.problems[0];
    let near = certificate(problem, &budget, true).expect("few plies");
    assert!(!refused(&near, problem, &budget) && !near.regions.is_empty());
    near_the_start(&near, problem, &budget);
    refuse("a class too few", &near, problem, &|c| c.regions[0].layers[0].classes.clear());
    refuse("a class too many", &near, problem, &|c| c.regions[0].layers[0].classes.push(Ranked::DRAW));
    refuse("a layer of another width", &near, problem, &|c| {
        let layer = &mut c.regions[0].layers[0];
        (layer.positions, layer.classes) = (Positions::new(Width::Fixed(width + 1)), Vec::new());
    });
    refuse("more layers than plies", &near, problem, &|c| c.regions[0].plies = 0);
    for region in &near.regions {
        let count = region.layers.iter().map(|layer| layer.positions.len()).sum::<usize>();
        assert_eq!((region.len(), region.is_empty()), (count, count == 0));
    }

    let sum = loaded(
        "sum",
        "(title: \"t\", game: Rules(state: \"x, y\", moves: [\"x - 1, y if x > 0\", \"x, y - 1 if y > 0\"]), \
         start: [\"1, 2\", \"2, 1\"], questions: {\"q\": (ask: \"winner\")})",
    );
    let (problem, _) = &sum.problems[0];
    let mut memo = Memo::new(Box::new(Compiled::sum(&problem.rules)), &budget);
    assert_eq!(memo.outcome(&[1, 2, 2, 1]), Ok(Outcome::Loss));
    let claims = memo.claims().expect("the claims fit the budget").expect("the memo makes claims");
    let right = Certificate::of(&claims, "sum", None);
    assert!(right.sum && !refused(&right, problem, &budget));
    refuse("components of another width", &right, problem, &|c| c.parts = Some(none(3)));
    refuse("a component without a value", &right, problem, &|c| {
        let mut parts = none(2);
        parts.positions.insert(&[0, 0]);
        parts.depths.push(0);
        c.parts = Some(parts);
    });
    refuse("a component without a depth", &right, problem, &|c| {
        let mut parts = none(2);
        parts.positions.insert(&[0, 0]);
        parts.nimbers.push(0);
        c.parts = Some(parts);
    });
    for odd in [&[][..], &[1], &[1, 2, 1], &[0, 0, 0, 0, 0]] {
        refuse(&format!("the position {odd:?} of a sum of pairs"), &right, problem, &|c| {
            c.positions = Positions::new(Width::Varied);
            c.positions.insert(odd);
            (c.remoteness, c.own_moves) = (vec![Ranked::new(Outcome::Loss, 0)], Vec::new());
            (c.nimbers, c.plays, c.shortest, c.longest) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        });
    }

    sums_by_their_components(&right, problem, &budget);

    let lines = "(title: \"t\", game: GAME(state: \"x\", moves: [\"x - 1 if x > 0\"]GOAL), start: \"2\", \
        questions: {\"q\": (ask: \"positions\")})";
    let game = loaded("game", &lines.replace("GAME", "Rules").replace("GOAL", ""));
    let puzzle = loaded("puzzle", &lines.replace("GAME", "Puzzle").replace("GOAL", ", goal: \"x == 0\""));
    let splits =
        loaded("splits", &lines.replace("GAME", "Rules").replace("GOAL", "").replace("x - 1 if", "x - 1 | 0 if"));
    let right = certificate_of_lines(&game.problems[0].0, &budget);
    for (what, other) in [("lines of a puzzle", &puzzle), ("lines where components split", &splits)] {
        let Some(right) = &right else { panic!("a small game") };
        refuse(what, right, &other.problems[0].0, &|_| {});
    }
}

/// A region answers for its own start, and for no more moves than it has plies for.
fn near_the_start(near: &Certificate, problem: &Problem, budget: &Budget) {
    let claims = near.claims();
    let mut witness = Witness::new(&claims, &problem.rules);
    let mut memo = Memo::new(Box::new(Compiled::new(&problem.rules)), budget);
    let (mut start, mut option) = (Vec::new(), Vec::new());
    for region in &near.regions {
        region.layers[0].positions.read(0, &mut start);
        assert!(region.starts_at(&start));
        for bound in [Class::Win(1), Class::Win(2), Class::Loss(1)] {
            assert_eq!(witness.class_within(&start, bound), memo.class_within(&start, bound), "{start:?}, {bound}");
        }
        for bound in [Class::Win(3), Class::Loss(2), Class::Loss(u32::MAX)] {
            assert!(witness.class_within(&start, bound).is_err(), "{bound} is farther than was looked");
        }
        let Some(next) = region.layers.get(1) else { continue };
        next.positions.read(u32::try_from(next.positions.len() - 1).expect("few positions"), &mut option);
        assert!(!region.starts_at(&option));
    }
    assert!(witness.class_within(&[1, 1], Class::Win(1)).is_err(), "nothing is claimed there");
    assert!(Region { plies: 0, layers: Vec::new() }.is_empty());
}

/// From the values of the components follow those of all sums; the file gives them back.
fn sums_by_their_components(right: &Certificate, problem: &Problem, budget: &Budget) {
    let mut by_parts = right.clone();
    let mut parts = OwnedParts { positions: Positions::new(Width::Fixed(2)), nimbers: Vec::new(), depths: Vec::new() };
    for x in 0..=4 {
        for y in 0..=4 {
            parts.positions.insert(&[x, y]);
            let depth = u32::try_from(x + y).expect("few");
            parts.nimbers.push(depth % 2);
            parts.depths.push(depth);
        }
    }
    by_parts.parts = Some(parts);
    let mut bytes = Vec::new();
    certificate::write(&by_parts.claims(), "sum", None, &mut bytes).expect("writing to memory does not fail");
    let read = certificate::read(&mut &bytes[..]).expect("it was just written");
    for certificate in [&by_parts, &read] {
        assert!(!refused(certificate, problem, budget));
        let claims = certificate.claims();
        let mut witness = Witness::new(&claims, &problem.rules);
        for position in [&[1, 2][..], &[1, 2, 2, 2], &[4, 3, 0, 1], &[1, 0, 0, 1, 3, 4], &[2, 2, 4, 4, 0, 0, 1, 1]] {
            let value = position.iter().sum::<i64>() % 2;
            assert_eq!(witness.quantity(position, Quantity::Grundy), Ok(Some(value)), "{position:?}");
            let outcome = if value == 0 { Outcome::Loss } else { Outcome::Win };
            assert_eq!(witness.outcome(position), Ok(outcome), "{position:?}");
        }
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for number in 0..right.positions.len() {
            let number = u32::try_from(number).expect("few positions");
            right.positions.read(number, &mut ours);
            certificate.positions.read(number, &mut theirs);
            assert_eq!(ours, theirs);
        }
    }
}

/// What a refusal says: the position, what is claimed there, and what is right.
#[test]
fn refusals_say_what_is_wrong() {
    let budget = Budget::new(16 << 20);
    let plain = loaded("plain", SERIES);
    let (problem, _) = &plain.problems[0];
    let right = certificate(problem, &budget, false).expect("a small game");
    let words = |ranked: Ranked| match ranked.get() {
        Some((Outcome::Win, rank)) => format!("a win of rank {rank}"),
        Some((_, rank)) => format!("a loss of rank {rank}"),
        None => "a draw".to_owned(),
    };
    let mut position = Vec::new();
    for number in [0, right.positions.len() / 2, right.positions.len() - 1] {
        right.positions.read(u32::try_from(number).expect("few positions"), &mut position);
        let place = gameproof::game::shown(&problem.rules, &position);
        let told = |change: &dyn Fn(&mut Certificate)| {
            let mut wrong = right.clone();
            change(&mut wrong);
            certificate::check(&wrong.claims(), &problem.rules, &budget).expect_err("it is wrong").to_string()
        };
        for other in other_ranks(right.remoteness[number]) {
            let text = told(&|wrong| wrong.remoteness[number] = other);
            let at = text.contains(&format!("the position {place}:"));
            assert!(!at || text.contains(&words(other)) && text.contains(&words(right.remoteness[number])), "{text}");
            assert!(text.contains("the position (") && text.contains("claimed"), "{text}");
        }
        for other in [NONE, right.longest[number].wrapping_add(7)] {
            let text = told(&|wrong| wrong.longest[number] = other);
            let word = if other == NONE { "none".to_owned() } else { other.to_string() };
            let at = text.contains(&format!("the position {place}:"));
            assert!(!at || text.contains(&word), "{text}");
        }
    }
    let whole = Refusal::Whole("its columns differ".to_owned()).to_string();
    assert_eq!(whole, "its columns differ");
}

/// Words of a file that stand for no number, and files that promise more than they hold.
#[test]
fn a_file_with_impossible_words_is_refused() {
    let text = "(title: \"t\", game: Rules(state: \"x\", moves: [\"x // 2 if x != 0 and x != -1\"]), \
        start: \"-9223372036854775807 - 1\", questions: {\"q\": (ask: \"class\")})";
    let loaded = loaded("large", text);
    let budget = Budget::new(1 << 24);
    let bytes = &file(&loaded, "memo")[0];
    let read = |bytes: &[u8]| certificate::read(&mut BufReader::new(bytes));
    let right = read(bytes).expect("it was just written");
    assert!(!refused(&right, &loaded.problems[0].0, &budget));
    assert_eq!(right.positions.find(&[i64::MIN]), Some(0));
    // the first number is the least one, a word of 64 ones: in the last byte there is room for one bit
    let numbers = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(1).map_or(0, |(at, _)| at + 1);
    assert_eq!(bytes[numbers..numbers + 10], [255, 255, 255, 255, 255, 255, 255, 255, 255, 1]);
    for last in 2..128 {
        let mut changed = bytes.clone();
        changed[numbers + 9] = last;
        let told = read(&changed).expect_err("it is no number of 64 bits");
        assert!(told.contains("damaged"), "{told}");
    }
    let told = read(&bytes[..bytes.len() - 1]).expect_err("the last byte is missing");
    assert!(told.contains("cut off"), "{told}");
    // a position has not so many numbers
    let header = String::from_utf8(bytes[..numbers].to_vec()).expect("the lines at the beginning are text");
    let wide = header.replace("\"width\":1,", "\"width\":4000000000000000,");
    assert_ne!(header, wide);
    let none = wide.replace(&format!("\"positions\":{}", right.positions.len()), "\"positions\":0");
    assert!(read(none.as_bytes()).is_err());
    // a position that is listed twice is told
    let mut twice = Vec::new();
    for at in numbers + 10..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] = 0;
        twice.extend(read(&changed).err());
    }
    assert!(twice.iter().any(|told| told.contains("the position (") && told.contains("listed twice")), "{twice:?}");
}

/// Puzzles that are small enough to be seen whole: with goals in several rings, with goals in the last ring alone, with
/// one way and with many, with moves back, and without any goal.
const WHOLE_PUZZLES: [(&str, &str, &str); 5] = [
    (
        r#"["4, b", "a, 7", "0, b", "a, 0", "min(4, a + b), max(0, a + b - 4)", "max(0, a + b - 7), min(7, a + b)"]"#,
        "b == 5",
        "0, 0",
    ),
    (r#"["a + 1, b if a < 4", "a, b + 1 if b < 3"]"#, "a == 4 and b == 3", "0, 0"),
    (r#"["a + 1, b if a < 4", "a, b + 1 if b < 3", "a - 1, b if a > 0"]"#, "a + b >= 3", "0, 0"),
    (r#"["a + 1, b if a < 6", "a + 2, b if a < 5", "b, a if a == 2"]"#, "a == 6 or b == 2", "0, 0"),
    (r#"["a + 1, b if a < 4", "a, b + 1 if b < a"]"#, "a < b", "0, 0"),
];

/// Rings round a position as the definition has them: what is not yet listed and is one move from the last ring.
/// One position may be held back by a ring.
fn rings_round(rules: &Rules, start: &[i64], reach: Reach, mut late: Option<&[i64]>) -> OwnedRings {
    let mut game = Reference::new(rules);
    let mut positions = Positions::new(Width::Fixed(start.len()));
    positions.insert(start);
    let (mut ends, mut from) = (vec![1], 0);
    loop {
        let end = positions.len();
        let (mut position, mut options, mut goal) = (Vec::new(), gameproof::lang::Options::default(), false);
        let now = late;
        for number in from..end {
            positions.read(u32::try_from(number).expect("few positions"), &mut position);
            goal |= game.is_goal(&position).expect("no rule errs");
            game.look(&position, &mut options).expect("no rule errs");
            for (_, option) in options.iter() {
                if now == Some(option) {
                    late = None;
                } else {
                    positions.insert(option);
                }
            }
        }
        if goal && reach == Reach::Goal {
            positions.truncate(end);
            return OwnedRings { positions, ends, reach };
        }
        if positions.len() == end {
            return OwnedRings { positions, ends, reach };
        }
        from = end;
        ends.push(positions.len());
    }
}

/// Rings that are written down from the definition hold, and a witness reads from them what the engine finds.
#[test]
fn rings_answer_as_the_search_does() {
    let budget = Budget::new(16 << 20);
    for (moves, goal, start) in WHOLE_PUZZLES {
        let text = format!(
            "(title: \"t\", game: Puzzle(state: \"a, b\", moves: {moves}, goal: \"{goal}\"), start: \"{start}\", \
             questions: {{\"q\": (ask: \"fewest moves\")}})"
        );
        let loaded = loaded(goal, &text);
        let (problem, _) = &loaded.problems[0];
        let rules = &problem.rules;
        let start = [0, 0];
        let mut memo = Memo::new(Box::new(Compiled::new(rules)), &budget);
        let distance = memo.quantity(&start, Quantity::Distance).expect("a small puzzle");
        let far = memo.farthest(&start).expect("a small puzzle");
        let count = memo.positions(&start).expect("a small puzzle");
        let solutions = memo.shortest_solutions(&start).expect("a small puzzle");
        let claims = memo.claims().expect("the claims fit the budget").expect("the memo makes claims");
        let mut listed = Witness::new(&claims, rules);
        assert_eq!((listed.farthest(&start), listed.positions(&start)), (Ok(far), Ok(count)), "{goal}");
        let mut empty = Certificate::of(&claims, "problem", None);
        empty.positions = empty.positions.none_yet();
        (empty.remoteness, empty.own_moves, empty.nimbers) = (vec![], vec![], vec![]);
        (empty.plays, empty.shortest, empty.longest) = (vec![], vec![], vec![]);
        (empty.distances, empty.solutions, empty.regions, empty.rings) = (vec![], vec![], vec![], vec![]);
        let with = |rings: OwnedRings| Certificate { rings: vec![rings], ..empty.clone() };
        for reach in [Reach::Goal, Reach::NoGoal, Reach::Everything] {
            let rings = rings_round(rules, &start, reach, None);
            let certificate = with(rings.clone());
            let holds = match reach {
                Reach::Goal => distance.is_some(),
                Reach::NoGoal => distance.is_none(),
                Reach::Everything => true,
            };
            assert_eq!(refused(&certificate, problem, &budget), !holds, "{goal}, {reach:?}");
            if !holds {
                continue;
            }
            let claims = certificate.claims();
            let mut witness = Witness::new(&claims, rules).within(&budget);
            assert!(witness.budget().is_some());
            assert!(witness.visited() >= u64::try_from(rings.positions.len()).expect("few positions"));
            if reach != Reach::Everything {
                assert_eq!(witness.quantity(&start, Quantity::Distance), Ok(distance), "{goal}, {reach:?}");
                assert_eq!(witness.shortest_solutions(&start), Ok(solutions.clone()), "{goal}, {reach:?}");
            }
            if reach == Reach::NoGoal {
                assert!(rings.positions.len() == 1 || witness.farthest(&[1, 0]).is_err());
            }
            // the file says the same
            let mut bytes = Vec::new();
            certificate::write(&claims, "problem", None, &mut bytes).expect("writing to memory does not fail");
            let read = certificate::read(&mut &bytes[..]).expect("it was just written");
            assert_eq!((&read.rings[0].ends, read.rings[0].reach), (&rings.ends, reach));
            assert!(!refused(&read, problem, &budget));
            for end in 0..bytes.len() {
                assert!(certificate::read(&mut &bytes[..end]).is_err(), "cut off after {end} bytes and read");
            }
            if reach != Reach::Goal {
                assert_eq!(witness.farthest(&start), Ok(far), "{goal}, {reach:?}");
                assert_eq!(witness.positions(&start), Ok(count), "{goal}, {reach:?}");
            }
            // a ring too many, an empty ring, a ring too few, and two rings that are one
            let refuse = |what: &str, change: &dyn Fn(&mut OwnedRings)| {
                let mut wrong = rings.clone();
                change(&mut wrong);
                assert!(refused(&with(wrong), problem, &budget), "{what} in {goal}, {reach:?}");
            };
            for ring in 0..rings.ends.len() {
                refuse("an empty ring", &|wrong| wrong.ends.insert(ring, rings.ends[ring]));
                if ring + 1 < rings.ends.len() {
                    refuse("two rings in one", &|wrong| {
                        wrong.ends.remove(ring);
                    });
                }
            }
            let mut position = Vec::new();
            for number in 1..rings.positions.len() {
                rings.positions.read(u32::try_from(number).expect("few positions"), &mut position);
                refuse("a position in a later ring", &|wrong| {
                    *wrong = rings_round(rules, &start, reach, Some(&position));
                });
            }
            if rings.ends.len() > 1 {
                refuse("a ring too few", &|wrong| {
                    wrong.ends.pop();
                    wrong.positions.truncate(*wrong.ends.last().expect("there is one"));
                });
            }
            if let (Reach::Goal, Some(distance)) = (reach, distance) {
                near_the_way(&rings, &mut witness, &mut memo, distance);
                assert_eq!(witness.distance_within(&start, distance + 1), Ok(Some(distance)));
                assert!(witness.farthest(&start).is_err() && witness.positions(&start).is_err());
                // the last ring is not looked at, so a position that no move leads to is told by itself
                let mut wrong = rings.clone();
                wrong.positions.insert(&[9, 9]);
                *wrong.ends.last_mut().expect("there is one") += 1;
                let refusal = certificate::check(&with(wrong).claims(), rules, &budget);
                assert!(matches!(&refusal, Err(Refusal::At { position, .. }) if position == "(9, 9)"), "{refusal:?}");
                let whole = rings_round(rules, &start, Reach::Everything, None);
                if whole.ends.len() > rings.ends.len() {
                    refuse("a ring beyond the goal", &|wrong| {
                        wrong.ends = whole.ends[..=rings.ends.len()].to_vec();
                        wrong.positions = whole.positions.clone();
                        wrong.positions.truncate(*wrong.ends.last().expect("there is one"));
                    });
                }
            }
        }
    }
}

/// At each listed position: whether the goal is as near as on a shortest way from the start.
fn near_the_way(rings: &OwnedRings, witness: &mut Witness<'_>, memo: &mut Memo<'_>, distance: i64) {
    let mut position = Vec::new();
    for number in 0..rings.positions.len() {
        rings.positions.read(u32::try_from(number).expect("few positions"), &mut position);
        let ring = i64::try_from(rings.ends.partition_point(|end| *end <= number)).expect("few rings");
        let real = memo.quantity(&position, Quantity::Distance).expect("a small puzzle");
        for most in 0..=distance - ring {
            let told = witness.distance_within(&position, most).expect("it is listed");
            assert_eq!(told, real.filter(|moves| *moves <= most), "{position:?} within {most}");
        }
    }
}

/// A certificate of lines with both columns for all starts of all questions, where a table holds them.
fn certificate_of_lines(problem: &Problem, budget: &Budget) -> Option<Certificate> {
    let rules = &problem.rules;
    let starts = problem.questions.iter().map(|question| question.starts(rules));
    let starts = starts.collect::<Option<Vec<_>>>()?.into_iter().reduce(|all, more| all.and(more))?;
    let mut table = Table::new(rules, Some(starts), budget);
    for question in &problem.questions {
        let filled = Fast::new(question, rules, &mut table).each(&mut |rows, row| {
            rows.engine().outcome(row.start)?;
            rows.engine().class(row.start)?;
            Ok(())
        });
        filled.ok()?;
    }
    let claims = table.claims().expect("the claims fit the budget").expect("the table makes claims");
    Some(Certificate::of(&claims, "problem", None)).filter(|certificate| certificate.lines.is_some())
}

/// Lines laid open, to be changed in any way.
#[derive(Clone)]
struct Open {
    axes: Vec<Axis>,
    rows: Vec<(i64, u32)>,
    remoteness: Option<Vec<Ranked>>,
    own_moves: Option<Vec<Ranked>>,
}

impl Open {
    fn of(claim: &OwnedLines) -> Self {
        let ranks = |keys: &Keys| (0..keys.len()).map(|at| keys.ranked(at)).collect();
        Self {
            axes: claim.lines.outer().iter().copied().chain([claim.lines.inner()]).collect(),
            rows: claim.lines.rows().iter().map(|row| (row.low, row.len)).collect(),
            remoteness: claim.remoteness.as_ref().map(ranks),
            own_moves: claim.own_moves.as_ref().map(ranks),
        }
    }

    fn columns(&mut self) -> impl Iterator<Item = &mut Vec<Ranked>> {
        [&mut self.remoteness, &mut self.own_moves].into_iter().flatten()
    }

    /// Where the positions of a row begin.
    fn start(&self, row: usize) -> usize {
        self.rows[..row].iter().map(|(_, len)| usize::try_from(*len).expect("few positions")).sum()
    }

    fn closed(self) -> Option<OwnedLines> {
        let (inner, outer) = self.axes.split_last()?;
        let mut lines = Lines::new(outer.to_vec(), *inner);
        self.rows.iter().for_each(|(low, len)| lines.push(*low, *len));
        Some(OwnedLines {
            lines,
            remoteness: self.remoteness.map(Keys::Plain),
            own_moves: self.own_moves.map(Keys::Plain),
        })
    }
}

/// What a certificate says of every position that another lists: an answer, or that it has none.
fn answers(certificate: &Certificate, right: &Certificate, problem: &Problem) -> Vec<[Option<(Outcome, u32)>; 3]> {
    let claims = certificate.claims();
    let mut witness = Witness::new(&claims, &problem.rules);
    let lines = &right.lines.as_ref().expect("they are there").lines;
    let mut position = Vec::new();
    let answer = |at| {
        lines.read(at, &mut position);
        let outcome = witness.outcome(&position).ok();
        // a draw has no remoteness
        let plies = witness.quantity(&position, Quantity::Remoteness).ok();
        let plies = plies.map(|plies| plies.map_or(0, |plies| u32::try_from(plies).expect("few plies")));
        let class = witness.class(&position).ok().flatten();
        let class = class
            .map(|class| (if matches!(class, Class::Win(_)) { Outcome::Win } else { Outcome::Loss }, class.moves()));
        [outcome.map(|outcome| (outcome, 0)), outcome.zip(plies), class]
    };
    (0..lines.len()).map(answer).collect()
}

/// Changed lines are refused; or they say nothing that is not right.
fn must_be_harmless(what: &str, right: &Certificate, problem: &Problem, change: &dyn Fn(&mut Open)) -> bool {
    let budget = Budget::new(16 << 20);
    let mut open = Open::of(right.lines.as_ref().expect("they are there"));
    change(&mut open);
    let mut wrong = right.clone();
    wrong.lines = open.closed();
    if refused(&wrong, problem, &budget) {
        return true;
    }
    for (told, known) in answers(&wrong, right, problem).iter().zip(answers(right, right, problem)) {
        for (told, known) in told.iter().zip(known) {
            assert!(told.is_none() || *told == known, "{what}: {told:?} is told and not {known:?}");
        }
    }
    false
}

/// A change of a part, and what it is.
type Bend<'b, T> = (&'b str, &'b dyn Fn(&mut T));

#[test]
fn any_change_of_lines_is_refused() {
    let budget = Budget::new(16 << 20);
    let (mut games, mut changes, mut passed) = (0, 0_u64, 0_u64);
    for seed in 0..GAMES {
        let text = dense_problem(seed);
        let loaded = loaded(&format!("seed {seed}"), &text);
        let (problem, _) = &loaded.problems[0];
        let Some(right) = certificate_of_lines(problem, &budget) else { continue };
        let open = Open::of(right.lines.as_ref().expect("they are there"));
        let positions = open.start(open.rows.len());
        if positions > SMALL {
            continue;
        }
        games += 1;
        assert!(!refused(&right, problem, &budget), "a right certificate is refused, seed {seed}\n{text}");
        let mut try_out = |what: &str, strictly: bool, change: &dyn Fn(&mut Open)| {
            let what = format!("{what}, seed {seed}\n{text}");
            let refused = must_be_harmless(&what, &right, problem, change);
            assert!(refused || !strictly, "changed and passed: {what}");
            changes += 1;
            passed += u64::from(!refused);
        };
        for at in 0..positions {
            for (number, column) in open.clone().columns().enumerate() {
                for other in other_ranks(column[at]) {
                    try_out("a rank", true, &|open| {
                        open.columns().nth(number).iter_mut().for_each(|column| column[at] = other);
                    });
                }
            }
        }
        for (row, (_, len)) in open.rows.iter().enumerate() {
            let (start, end) = (open.start(row), open.start(row + 1));
            let shifts: [Bend<'_, (i64, u32)>; 4] = [
                ("a row up", &|row| row.0 += 1),
                ("a row down", &|row| row.0 -= 1),
                ("a row away", &|row| row.0 = i64::MIN),
                ("a row longer", &|row| row.1 += 1),
            ];
            for (what, shift) in shifts {
                try_out(what, false, &|open| shift(&mut open.rows[row]));
            }
            let Some(less) = len.checked_sub(1) else { continue };
            try_out("a row shorter, and not its ranks", true, &|open| open.rows[row].1 = less);
            try_out("a row without its last", false, &|open| {
                open.rows[row].1 = less;
                open.columns().for_each(|column| {
                    column.remove(end - 1);
                });
            });
            try_out("a row without its first", false, &|open| {
                open.rows[row] = (open.rows[row].0 + 1, less);
                open.columns().for_each(|column| {
                    column.remove(start);
                });
            });
            for more in [Ranked::DRAW, Ranked(1), Ranked(2)] {
                try_out("a row with one more", false, &|open| {
                    open.rows[row].1 += 1;
                    open.columns().for_each(|column| column.insert(end, more));
                });
                try_out("a row with one more before", false, &|open| {
                    open.rows[row] = (open.rows[row].0 - 1, open.rows[row].1 + 1);
                    open.columns().for_each(|column| column.insert(start, more));
                });
            }
        }
        try_out("a row fewer", true, &|open| {
            open.rows.pop();
        });
        try_out("a row more", true, &|open| open.rows.push((0, 0)));
        for axis in 0..open.axes.len() {
            let bends: [Bend<'_, Axis>; 7] = [
                ("the direction", &|axis| axis.down = !axis.down),
                ("the least value", &|axis| axis.low -= 1),
                ("the greatest value", &|axis| axis.high += 1),
                ("both values", &|axis| (axis.low, axis.high) = (axis.low + 1, axis.high + 1)),
                ("all values", &|axis| (axis.low, axis.high) = (i64::MIN, i64::MAX)),
                ("no values", &|axis| (axis.low, axis.high) = (axis.high, axis.low - 1)),
                ("the coordinate", &|axis| axis.coordinate += 1),
            ];
            for (what, bend) in bends {
                try_out(what, false, &|open| bend(&mut open.axes[axis]));
            }
            try_out("an axis left out", open.axes.len() > 1, &|open| {
                open.axes.remove(axis);
            });
            try_out("an axis twice", true, &|open| open.axes.push(open.axes[axis]));
            try_out("axes swapped", false, &|open| open.axes.swap(axis, 0));
            try_out("coordinates swapped", false, &|open| {
                let other = open.axes[axis].coordinate;
                open.axes[axis].coordinate = open.axes[0].coordinate;
                open.axes[0].coordinate = other;
            });
        }
        try_out("a column left out", false, &|open| open.remoteness = None);
        try_out("the other column left out", false, &|open| open.own_moves = None);
        try_out("columns swapped", false, &|open| std::mem::swap(&mut open.remoteness, &mut open.own_moves));
        try_out("a column shorter", true, &|open| {
            open.columns().next().map(Vec::pop);
        });
    }
    assert!(games > 40, "only {games} games were small enough");
    assert!(changes > 20_000 && passed * 10 < changes, "{passed} of {changes} changes passed");
}

/// Whatever is damaged, reading and checking end in words; and what passes says nothing that is not right.
#[test]
fn a_damaged_file_of_lines_never_panics() {
    let loaded = loaded("dense", DENSE);
    let (problem, _) = &loaded.problems[0];
    let budget = Budget::new(16 << 20);
    let bytes = &file(&loaded, "table")[0];
    let right = certificate::read(&mut BufReader::new(&bytes[..])).expect("it was just written");
    let known = answers(&right, &right, problem);
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..20_000 {
        let mut damaged = bytes.clone();
        for _ in 0..random.usize(1..4) {
            let at = random.usize(0..damaged.len());
            match random.u32(0..4) {
                0 => damaged[at] ^= 1 << random.u32(0..8),
                1 => damaged[at] = b"0123456789-,[]"[random.usize(0..14)],
                2 => drop(damaged.remove(at)),
                _ => damaged.insert(at, random.u8(..)),
            }
        }
        let Ok(certificate) = certificate::read(&mut BufReader::new(&damaged[..])) else { continue };
        if certificate.lines.is_none() || refused(&certificate, problem, &budget) {
            continue;
        }
        for (told, known) in answers(&certificate, &right, problem).iter().zip(&known) {
            assert!(told.iter().zip(known).all(|(told, known)| told.is_none() || told == known), "{damaged:?}");
        }
    }
}

/// Where a sum has no room to be closed, its positions are counted in rings, which are checked like those of a puzzle.
#[test]
fn positions_of_a_sum_are_counted_where_there_is_little_room() {
    let mut agreed = 0;
    for game in ["Nim()", "Rules(state: \"h\", moves: [\"k | h - 1 - k for k in 0..h\"])"] {
        let text = format!(
            "(title: \"t\", game: {game}, start: [\"5\", \"4\", \"3\"], questions: {{\"q\": (ask: \"positions\")}})"
        );
        let loaded = loaded("little room", &text);
        for memory in (12..22).map(|bits| 1 << bits) {
            let budget = Budget::new(memory);
            let checking = Checking {
                engines: vec!["sum", "memo", "certificate"],
                walk_limit: 0,
                budget: &budget,
                keys: true,
                hints: false,
                certificates: None,
            };
            for finding in check("sum", &loaded, &checking, &|_, _| true) {
                assert!(!matches!(finding.crosscheck, Crosscheck::Disagreed(_)), "{memory} bytes: {finding:?}\n{text}");
                agreed += u32::from(finding.crosscheck == Crosscheck::Agreed);
            }
        }
    }
    assert!(agreed > 4, "only {agreed} answers are confirmed");
}
