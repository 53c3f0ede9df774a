//! The store of positions against a plain map: numbers of every size, whatever packing it chooses.

use std::sync::Arc;

use std::collections::HashMap;

use gameproof::lang::Source;
use gameproof::position::{Positions, Width};
use gameproof::problem::{Changes, load};

/// Random rows: mostly of 0 and 1, later of larger numbers, so that the packing changes on the way.
fn row(random: &mut fastrand::Rng, width: usize, step: usize) -> Vec<i64> {
    let most = match step {
        0..=150 => 1,
        151..=200 => 100,
        201..=230 => 30_000,
        231..=260 => 2_000_000_000,
        _ => i64::MAX,
    };
    (0..width).map(|_| if random.u8(0..4) > 0 { random.i64(0..=1) } else { random.i64(-most / 2..=most) }).collect()
}

#[test]
fn positions_keep_their_numbers() {
    for (seed, width) in (0..).zip([0, 1, 2, 7, 8, 9, 16, 17, 33, 63, 64, 65, 130, 200]) {
        for varied in [false, true] {
            let random = &mut fastrand::Rng::with_seed(seed);
            let told = format!("width {width}, varied {varied}, seed {seed}");
            let mut store = Positions::new(if varied { Width::Varied } else { Width::Fixed(width) });
            let mut map: HashMap<Vec<i64>, u32> = HashMap::new();
            let mut rows: Vec<Vec<i64>> = Vec::new();
            for step in 0..300 {
                let width = if varied { width * random.usize(0..3) } else { width };
                // some steps in the beginning have nothing but 0 and 1
                let row =
                    if step < 100 { (0..width).map(|_| random.i64(0..=1)).collect() } else { row(random, width, step) };
                let (number, new) = store.insert(&row);
                assert_eq!(new, !map.contains_key(&row), "{told}, step {step}");
                let expected = *map.entry(row.clone()).or_insert(number);
                assert_eq!(number, expected, "{told}, step {step}");
                if new {
                    assert_eq!(usize::try_from(number), Ok(rows.len()), "{told}, step {step}");
                    rows.push(row);
                }
                // once in a while a part is forgotten, a small one or a large one
                if step % 70 == 69 {
                    let kept = if step % 140 == 69 { rows.len() - rows.len() / 8 } else { rows.len() / 3 };
                    store.truncate(kept);
                    rows.truncate(kept);
                    map.retain(|_, number| usize::try_from(*number).is_ok_and(|number| number < kept));
                }
                assert_eq!(store.len(), rows.len(), "{told}, step {step}");
            }
            let mut read = Vec::new();
            for (number, row) in (0..).zip(&rows) {
                store.read(number, &mut read);
                assert_eq!(read, *row, "{told}");
                assert_eq!(store.find(row), Some(number), "{told}");
                assert!(store.holds(number, row), "{told}");
            }
            store.shrink();
            assert!(rows.iter().all(|row| store.find(row).is_some()), "{told}");
            let absent = vec![i64::MIN; width.max(1)];
            assert_eq!(store.find(&absent), None, "{told}");
        }
    }
}

/// Positions are shown as a file writes them: of one variable or several, of arrays, and of sums of each.
#[test]
fn positions_are_shown_as_files_write_them() {
    let shown = [
        ("x", 1, "5", &[5][..]),
        ("x, y", 1, "(1, -1)", &[1, -1]),
        ("x, h[2]", 1, "(8, [0, 1])", &[8, 0, 1]),
        ("h[2]", 1, "([0, 1])", &[0, 1]),
        ("x", 3, "(3, 6, 5)", &[3, 6, 5]),
        ("x, y", 2, "((1, 2), (3, 4))", &[1, 2, 3, 4]),
        ("h[2]", 2, "([1, 2], [3, 4])", &[1, 2, 3, 4]),
        ("x, h[2]", 2, "((1, [2, 3]), (4, [5, 6]))", &[1, 2, 3, 4, 5, 6]),
    ];
    for (state, components, text, position) in shown {
        let moved = state.replace("h[2]", "[0, 0]");
        let start = vec![format!("\"{moved}\"").replace(['x', 'y'], "0"); components].join(", ");
        let file = format!(
            "(title: \"t\", game: Rules(state: \"{state}\", moves: [\"{moved}\"]), start: [{start}], \
             questions: {{\"q\": (ask: \"winner\")}})"
        );
        let source = Arc::new(Source { name: state.to_owned(), text: file });
        let loaded = load(&source, &Changes::default()).unwrap_or_else(|found| panic!("{}", found[0].one_line()));
        assert_eq!(gameproof::game::shown(&loaded.problems[0].0.rules, position), text);
    }
}
