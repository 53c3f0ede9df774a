//! Playing: whole games by script, in which the machine must do what it promises, and transcripts of the program.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::collections::{BTreeSet, HashMap};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use gameproof::bank;
use gameproof::game::{Game, Reference, shown};
use gameproof::lang::{Options, Source};
use gameproof::picture::Picture;
use gameproof::play::{Choice, Ending, Machine, Player, Setup, play};
use gameproof::{Budget, Changes, Loaded, Outcome, Problem, load};

const MEMORY: u64 = 1 << 30;

// ---- what the machine promises, held against values that come from a plain loop

/// What is known of each position that can be reached: its options, its outcome and how many plies it lasts.
struct Plain {
    options: HashMap<Vec<i64>, Vec<Vec<i64>>>,
    value: HashMap<Vec<i64>, (Outcome, u32)>,
}

impl Plain {
    /// Goes through all positions from the starts, then, ply by ply, through those that are not settled yet.
    fn of(problem: &Problem, starts: &[Vec<i64>]) -> Self {
        let mut plain = Self { options: HashMap::new(), value: HashMap::new() };
        let mut game = Reference::new(&problem.rules);
        let mut open = starts.to_vec();
        while let Some(position) = open.pop() {
            if plain.options.contains_key(&position) {
                continue;
            }
            let mut options = Options::default();
            if let Some(outcome) = game.look(&position, &mut options).unwrap() {
                plain.value.insert(position.clone(), (outcome, 0));
            }
            let options: Vec<Vec<i64>> = options.iter().map(|(_, position)| position.to_vec()).collect();
            open.extend(options.iter().cloned());
            plain.options.insert(position, options);
        }
        for ply in 1.. {
            let mut settled = Vec::new();
            for (position, options) in plain.options.iter().filter(|(position, _)| !plain.value.contains_key(*position))
            {
                let values: Vec<_> = options.iter().map(|option| plain.value.get(option)).collect();
                if values.iter().any(|value| matches!(value, Some((Outcome::Loss, _)))) {
                    settled.push((position.clone(), (Outcome::Win, ply)));
                } else if values.iter().all(|value| matches!(value, Some((Outcome::Win, _)))) {
                    settled.push((position.clone(), (Outcome::Loss, ply)));
                }
            }
            if settled.is_empty() {
                break;
            }
            plain.value.extend(settled);
        }
        plain
    }

    fn outcome(&self, position: &[i64]) -> Outcome {
        self.value.get(position).map_or(Outcome::Draw, |(outcome, _)| *outcome)
    }

    fn plies(&self, position: &[i64]) -> u32 {
        self.value.get(position).map_or(0, |(_, plies)| *plies)
    }

    /// How many moves lead from the position to one of this outcome.
    fn replies(&self, position: &[i64], outcome: Outcome) -> usize {
        self.options[position].iter().filter(|reply| self.outcome(reply) == outcome).count()
    }

    /// The places of the moves that the machine may make, by its promise; the first of them is the one it makes.
    fn promised(&self, position: &[i64]) -> Vec<usize> {
        let options = &self.options[position];
        let of = |fits: &dyn Fn(&[i64]) -> bool| -> Vec<usize> {
            (0..options.len()).filter(|at| fits(&options[*at])).collect()
        };
        match self.outcome(position) {
            Outcome::Win => {
                let soonest = options.iter().filter(|option| self.outcome(option) == Outcome::Loss);
                let soonest = soonest.map(|option| self.plies(option)).min().unwrap();
                assert_eq!(soonest + 1, self.plies(position));
                of(&|option| self.outcome(option) == Outcome::Loss && self.plies(option) == soonest)
            }
            Outcome::Loss => {
                let lasting = options.iter().filter(|option| self.plies(option) > 0);
                let Some(fewest) = lasting.map(|option| self.replies(option, Outcome::Loss)).min() else {
                    return of(&|_| true);
                };
                let fits = |option: &[i64]| self.plies(option) > 0 && self.replies(option, Outcome::Loss) == fewest;
                let longest = options.iter().filter(|option| fits(option)).map(|option| self.plies(option)).max();
                of(&|option| fits(option) && Some(self.plies(option)) == longest)
            }
            Outcome::Draw => {
                let drawn = options.iter().filter(|option| self.outcome(option) == Outcome::Draw);
                let most = drawn.map(|option| self.replies(option, Outcome::Win)).max().unwrap();
                of(&|option| self.outcome(option) == Outcome::Draw && self.replies(option, Outcome::Win) == most)
            }
        }
    }
}

/// The games, each with the starts from which it is played.
fn games() -> Vec<(String, Loaded, Vec<Vec<i64>>)> {
    let from =
        |name: &str, starts: Vec<Vec<i64>>| (name.to_owned(), file(&format!("problems/seeds/{name}.ron")), starts);
    let text = |name: &str, start: &str, rules: &str, starts: Vec<Vec<i64>>| {
        let text = format!(
            "(title: \"{name}\", game: Rules({rules}), start: \"{start}\", questions: {{\"q\": (ask: \"moves\")}})"
        );
        (name.to_owned(), parsed(name, text), starts)
    };
    vec![
        from("token-past-9", vec![vec![-2, -1]]),
        from("token-past-13", vec![vec![5, 2]]),
        from("token-to-13", vec![vec![5, 2]]),
        from("two-piles-to-17", vec![vec![1, 2]]),
        from("two-piles-to-65", (1..=58).map(|s| vec![6, s]).collect()),
        from("one-pile-to-301", (1..=300).map(|s| vec![s]).collect()),
        from("one-pile-down-to-30", (31..=200).map(|s| vec![s]).collect()),
        from("card-game", vec![vec![0, 0]]),
        from("card-game-play", (1..=12).flat_map(|m| (1..=30).map(move |n| vec![0, 0, m, n])).collect()),
        text(
            "three heaps",
            "3, 4, 5",
            r#"state: "a, b, c", moves: ["a - k, b, c for k in 1..=a", "a, b - k, c for k in 1..=b", "a, b, c - k for k in 1..=c"]"#,
            (0..=3).flat_map(|a| (a..=4).flat_map(move |b| (b..=5).map(move |c| vec![a, b, c]))).collect(),
        ),
        text(
            "the last match loses",
            "9",
            r#"state: "a", moves: ["a - k for k in 1..=min(a, 3)"], winner: "other""#,
            (0..=30).map(|a| vec![a]).collect(),
        ),
        text(
            "a ring with steps of one's own",
            "1",
            r#"state: "x", moves: ["(x + k) % 7 for k in [1, 2, 4] if turn == 1", "(x + k) % 7 for k in [2, 3, 5] if turn == 2"], end: "x == 0""#,
            (0..7).map(|x| vec![x, 1]).collect(),
        ),
        text(
            "a ring that may go on for ever",
            "1",
            r#"state: "x", moves: ["(x + 1) % 9", "(x + 2) % 9", "(x + 6) % 9 if x % 2 == 0"], end: "x == 0", winner: "other""#,
            (0..9).map(|x| vec![x]).collect(),
        ),
    ]
}

#[test]
fn every_move_of_the_machine_is_as_promised() {
    let mut drawn = 0;
    for (name, loaded, starts) in games() {
        let problem = &loaded.problems[0].0;
        let plain = Plain::of(problem, &starts);
        let (whole, near) = (Budget::new(MEMORY), Budget::new(MEMORY));
        let mut machine = Machine::new(&problem.rules, problem.rules.splits(), &whole, &near);
        for position in plain.options.keys().filter(|position| !plain.options[*position].is_empty()) {
            let choices = machine.look(position).unwrap().unwrap_err();
            let reached: Vec<&Vec<i64>> = choices.iter().map(|choice| &choice.position).collect();
            assert_eq!(reached, plain.options[position].iter().collect::<Vec<_>>(), "{name}, {position:?}");
            let chosen = machine.choose(position, &choices);
            let promised = plain.promised(position);
            assert_eq!(Some(&chosen), promised.first(), "{name}, at {position:?}: {promised:?} would do");
            drawn += usize::from(plain.outcome(position) == Outcome::Draw);
        }
        assert!(machine.blocked().is_none(), "{name}");
    }
    assert!(drawn > 3, "{drawn} drawn positions");
}

/// Whether the machine, which moves next or has just moved, wins against every reply: all lines are played.
fn wins_always(
    machine: &mut Machine<'_>,
    position: &[i64],
    machine_moves: bool,
    seen: &mut BTreeSet<(Vec<i64>, bool)>,
) {
    if !seen.insert((position.to_vec(), machine_moves)) {
        return;
    }
    match machine.look(position).unwrap() {
        Ok(outcome) => assert_eq!(outcome == Outcome::Win, machine_moves, "lost at {position:?}"),
        Err(choices) if machine_moves => {
            let chosen = machine.choose(position, &choices);
            wins_always(machine, &choices[chosen].position, false, seen);
        }
        Err(choices) => choices.iter().for_each(|choice| wins_always(machine, &choice.position, true, seen)),
    }
}

#[test]
fn a_won_machine_wins_against_every_reply() {
    for (name, loaded, starts) in games() {
        let problem = &loaded.problems[0].0;
        let plain = Plain::of(problem, &starts);
        let (whole, near) = (Budget::new(MEMORY), Budget::new(MEMORY));
        let mut machine = Machine::new(&problem.rules, problem.rules.splits(), &whole, &near);
        let mut won = 0;
        for start in &starts {
            if plain.outcome(start) == Outcome::Win {
                wins_always(&mut machine, start, true, &mut BTreeSet::new());
                won += 1;
            }
            // the person's first moves after which the machine is won
            for option in plain.options[start].iter().filter(|option| plain.outcome(option) == Outcome::Win) {
                wins_always(&mut machine, option, true, &mut BTreeSet::new());
                won += 1;
            }
        }
        assert!(won > 0, "{name}: the machine is never won");
    }
}

/// A game played through [`play`], the person's lines given.
fn played(problem: &Problem, start: &[i64], first: Player, script: &str) -> (Ending, String) {
    let (whole, near) = (Budget::new(MEMORY), Budget::new(MEMORY));
    let mut machine = Machine::new(&problem.rules, problem.rules.splits(), &whole, &near);
    let setup = Setup { problem, start, first, echo: true, quiet: true };
    let mut output = Vec::new();
    let ending = play(&setup, &mut machine, &mut script.as_bytes(), &mut output).unwrap();
    (ending, String::from_utf8(output).unwrap())
}

/// Every line of play against the machine, as what the person types.
fn scripts(machine: &mut Machine<'_>, problem: &Problem, position: &[i64], person: bool) -> Vec<String> {
    let choices: Vec<Choice> = match machine.look(position).unwrap() {
        Ok(_) => return vec![String::new()],
        Err(choices) => choices,
    };
    if !person {
        let chosen = machine.choose(position, &choices);
        return scripts(machine, problem, &choices[chosen].position, true);
    }
    let mut all = Vec::new();
    for choice in &choices {
        let line = format!("= {}\n", shown(&problem.rules, &choice.position));
        all.extend(scripts(machine, problem, &choice.position, false).into_iter().map(|rest| format!("{line}{rest}")));
    }
    all
}

#[test]
fn every_line_of_play_is_played_to_its_end() {
    for name in ["token-past-9", "token-past-13", "token-to-13", "two-piles-to-17", "card-game"] {
        let (_, loaded, starts) = games().into_iter().find(|(known, ..)| known == name).unwrap();
        let problem = &loaded.problems[0].0;
        let plain = Plain::of(problem, &starts);
        let (whole, near) = (Budget::new(MEMORY), Budget::new(MEMORY));
        let mut machine = Machine::new(&problem.rules, problem.rules.splits(), &whole, &near);
        let start = &starts[0];
        for first in [Player::Person, Player::Machine] {
            let lines = scripts(&mut machine, problem, start, first == Player::Person);
            let mut person_wins = 0;
            for script in &lines {
                let (ending, transcript) = played(problem, start, first, script);
                assert!(matches!(ending, Ending::Won(_)), "{name}: {ending:?}\n{transcript}");
                assert!(!transcript.contains("Sorry"), "{transcript}");
                let told = if ending == Ending::Won(Player::Person) { "You win!\n" } else { "I win.\n" };
                assert!(transcript.ends_with(told), "{name}\n{transcript}");
                person_wins += usize::from(ending == Ending::Won(Player::Person));
            }
            let won = (plain.outcome(start) == Outcome::Win) == (first == Player::Machine);
            assert_eq!(person_wins == 0, won, "{name}, {first:?} first: {person_wins} of {}", lines.len());
        }
    }
}

/// Numbers at random, of which those that are no move are refused.
#[test]
fn random_persons_do_not_beat_a_won_machine() {
    let seed: u64 = std::env::var("GAMEPROOF_SEED").map_or(20, |seed| seed.parse().unwrap());
    for (name, loaded, starts) in games() {
        let problem = &loaded.problems[0].0;
        let plain = Plain::of(problem, &starts);
        let mut rng = fastrand::Rng::with_seed(seed);
        for _ in 0..20 {
            let start = &starts[rng.usize(0..starts.len())];
            for first in [Player::Person, Player::Machine] {
                let script: String = (0..4_000).map(|_| format!("{}\n", rng.u32(1..=12))).collect();
                let (ending, transcript) = played(problem, start, first, &script);
                let replay = format!("GAMEPROOF_SEED={seed}: {name} from {start:?}, {first:?} first\n{transcript}");
                assert_ne!(ending, Ending::Left, "{replay}");
                if first == Player::Machine && plain.outcome(start) == Outcome::Win {
                    assert_eq!(ending, Ending::Won(Player::Machine), "{replay}");
                }
                if first == Player::Machine && plain.outcome(start) == Outcome::Draw
                    || first == Player::Person && plain.outcome(start) != Outcome::Win
                {
                    assert_ne!(ending, Ending::Won(Player::Person), "{replay}");
                }
            }
        }
    }
}

#[test]
fn hints_solve_puzzles_in_the_fewest_moves() {
    let cases = [
        ("tests/play/three-discs.ron", 7),
        ("problems/classics/hanoi/three-pegs-form.ron", 31),
        ("problems/classics/pegs/six-peg-cross-drawn.ron", 5),
        ("tests/play/dead-end.ron", 2),
    ];
    for (path, fewest) in cases {
        let loaded = file(path);
        let problem = &loaded.problems[0].0;
        let start = start(problem);
        let mut script = String::new();
        for moves in 0.. {
            let (ending, transcript) = played(problem, &start, Player::Person, &format!("{script}/hint\n"));
            if let Ending::Solved(solved) = ending {
                assert_eq!((solved, moves), (fewest, fewest), "{path}\n{transcript}");
                assert!(
                    transcript.ends_with(&format!(" in {fewest} moves. Fewer are not possible.\n")),
                    "{transcript}"
                );
                break;
            }
            let left = fewest - moves;
            let needed = format!("{left} move{} still needed.", if left == 1 { " is" } else { "s are" });
            assert!(transcript.contains(&needed), "{path}\n{transcript}");
            let hinted = transcript.rsplit_once("\nTry move ").unwrap().1.split_once(':').unwrap().0;
            script.push_str(&format!("{hinted}\n"));
        }
    }
}

#[test]
fn input_that_is_no_text_is_refused() {
    let loaded = file("problems/seeds/token-to-13.ron");
    let problem = &loaded.problems[0].0;
    let (whole, near) = (Budget::new(MEMORY), Budget::new(MEMORY));
    let mut machine = Machine::new(&problem.rules, problem.rules.splits(), &whole, &near);
    let setup = Setup { problem, start: &[5, 2], first: Player::Person, echo: false, quiet: true };
    let mut input = vec![0xff, 0xfe, b'\n', 0, b'\n'];
    input.extend("9".repeat(100_000).into_bytes());
    input.extend(b"\n((((\n--\n=\n/\n''\n,\n1");
    let mut output = Vec::new();
    let ending = play(&setup, &mut machine, &mut input.as_slice(), &mut output).unwrap();
    assert_eq!(ending, Ending::Left);
    let text = String::from_utf8(output).unwrap();
    assert_eq!(text.matches("Sorry, ").count(), 9, "{text}");
    assert_eq!(text.matches("You play right").count(), 1, "{text}");
}

#[test]
fn card_games_are_recognized_by_their_move() {
    let cases = [
        ("total, prev", "total + c, c for c in 1..=12 if c != prev and total + c <= 200", "0, 0", true),
        ("rest, prev", "rest - c, c for c in 1..=min(7, rest) if c != prev", "20, 0", true),
        ("rest, prev, m", "rest - c, c, m for c in 1..=min(m, rest) if c != prev", "20, 0, 5", true),
        ("prev, total", "total += c, prev = c for c in 1..=6 if prev != c", "0, 0", true),
        // twice the last take, no card; a card that may be played again; one that goes down by two
        ("x, q", "x - k, 2 * k for k in 1..=min(x, q)", "9, 8", false),
        ("total, prev", "total + c, c for c in 1..=12 if total + c <= 200", "0, 0", false),
        ("total, prev", "total + 2 * c, c for c in 1..=12 if c != prev", "0, 0", false),
        ("total, prev", "total + c, c for c in [1, 5] if c != prev", "0, 0", false),
        ("a[2]", "a[0] += c, a[1] = c for c in 1..=3 if c != a[1]", "[0, 0]", false),
    ];
    for (state, made, start, cards) in cases {
        let text = format!(
            r#"(title: "t", game: Rules(state: "{state}", moves: ["{made}"]), start: "{start}", questions: {{"q": (ask: "moves")}})"#
        );
        let picture = parsed("t", text).problems[0].0.picture.clone();
        assert_eq!(matches!(picture, Picture::Cards(_)), cards, "{state}: {made}: {picture:?}");
    }
}

// ---- transcripts

/// Each file is a command, and what the program prints with the typed lines repeated after `> `. The typed lines are
/// read from it. `GAMEPROOF_UPDATE=1` writes the files anew.
#[test]
fn transcripts() {
    let mut files: Vec<PathBuf> = std::fs::read_dir("tests/play").unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    files.sort();
    assert!(files.len() > 10);
    let mut wrong = Vec::new();
    for path in files {
        let expected = std::fs::read_to_string(&path).unwrap();
        let command = expected.lines().next().unwrap().strip_prefix("$ gameproof ").unwrap().to_owned();
        let typed = expected.lines().filter_map(|line| line.strip_prefix('>'));
        let mut typed: Vec<&str> = typed.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
        // the prompt that met the end of the input
        if typed.last() == Some(&"") {
            typed.pop();
        }
        let script: String = typed.iter().map(|line| format!("{line}\n")).collect();
        let (status, stdout, stderr) = run(&command.split(' ').collect::<Vec<_>>(), &script);
        let found = format!("$ gameproof {command}\n{stdout}");
        if std::env::var_os("GAMEPROOF_UPDATE").is_some() {
            std::fs::write(&path, &found).unwrap();
        } else if (status, &found, stderr.as_str()) != (Some(0), &expected, "") {
            wrong.push(format!("{}: status {status:?}\n{found}{stderr}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

// ---- the command line

#[test]
fn what_is_open_must_be_given() {
    let (status, stdout, stderr) = run(&["play", "problems/seeds/card-game-play.ron"], "5\n3\n1\n");
    assert_eq!((status, stdout.as_str()), (Some(2), ""));
    for part in ["--set n=VALUE", "1..=200", "--set m=VALUE", "1..=12"] {
        assert!(stderr.contains(part), "{stderr}");
    }
    let (status, _, stderr) = run(&["play", "tests/play/three-discs.ron", "--first", "machine"], "");
    assert_eq!(status, Some(2));
    assert!(stderr.contains("a puzzle is played alone"), "{stderr}");
    for arguments in [&["--first", "nobody"][..], &["--seed", "x"], &["--variant", "no"], &["--question", "no"]] {
        let (status, ..) = run(&[&["play", "problems/seeds/card-game.ron"], arguments].concat(), "");
        assert_eq!(status, Some(2), "{arguments:?}");
    }
    let (status, stdout, _) = run(&["play", "--help"], "");
    assert_eq!(status, Some(0));
    assert!(stdout.contains("Examples:") && stdout.contains("fewest winning replies"), "{stdout}");
}

#[test]
fn the_lot_is_replayable() {
    let lot = |seed: &str| {
        let arguments = ["play", "problems/seeds/card-game.ron", "--first", "lot", "--seed", seed];
        let (status, stdout, _) = run(&arguments, "");
        assert_eq!(status, Some(0));
        let begins = stdout.contains("\nYou begin.");
        assert!(begins != stdout.contains("\nI begin."), "{stdout}");
        let falls = if begins { "on you" } else { "on me" };
        assert!(stdout.starts_with(&format!("The lot, with --seed {seed}, falls {falls}.\n")), "{stdout}");
        begins
    };
    let drawn: Vec<bool> = (0..12).map(|seed| lot(&seed.to_string())).collect();
    assert!(drawn.contains(&true) && drawn.contains(&false), "{drawn:?}");
    assert_eq!(lot("3"), lot("3"));
    // without a seed one is drawn and told
    let (_, stdout, _) = run(&["play", "problems/seeds/card-game.ron", "--first", "lot"], "quit\n");
    let seed = stdout.split_once("--seed ").unwrap().1.split_once(',').unwrap().0;
    assert_eq!(lot(seed), stdout.contains("\nYou begin."));
}

#[test]
fn a_rule_error_ends_the_play() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("square.ron");
    let text = r#"(title: "Squares", game: Rules(state: "x", moves: ["x * x", "x + 1"]), start: "5000000000",
        questions: {"q": (ask: "moves")})"#;
    std::fs::write(&path, text).unwrap();
    let (status, _, stderr) = run(&["play", path.to_str().unwrap()], "1\n");
    assert_eq!(status, Some(2));
    assert!(stderr.contains("needs more than 64 bits, at the position 5000000000"), "{stderr}");
}

// ---- what the tests share

fn file(path: &str) -> Loaded {
    load(&bank::read(Path::new(path)).unwrap(), &Changes::default()).unwrap()
}

fn parsed(name: &str, text: String) -> Loaded {
    load(&Arc::new(Source { name: name.to_owned(), text }), &Changes::default()).unwrap()
}

/// The start of the first question, which has no parameters.
fn start(problem: &Problem) -> Vec<i64> {
    let mut start = Vec::new();
    let budget = Budget::new(MEMORY);
    let question = &problem.questions[0];
    let game = gameproof::game::Compiled::new(&problem.rules);
    let mut memo = gameproof::Memo::new(Box::new(game), &budget);
    gameproof::question::Fast::new(question, &problem.rules, &mut memo)
        .each(&mut |_, row| {
            start = row.start.to_vec();
            Ok(())
        })
        .unwrap();
    start
}

/// The real program: its status, standard output and standard error.
fn run(arguments: &[&str], script: &str) -> (Option<i32>, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gameproof"))
        .args(arguments)
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // the program may end before it has read everything
    let _ = child.stdin.take().unwrap().write_all(script.as_bytes());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(!stderr.contains("panicked"), "{stderr}");
    (output.status.code(), String::from_utf8(output.stdout).unwrap(), stderr)
}
