//! Ways to find what chariots and cannons see, compared:
//! `cargo run --release -p spielbaum-games --example xiangqi_sliders`.
//!
//! For each slider of many positions of random games: what a chariot there reaches, and what a
//! cannon reaches behind its screens. All ways must find the same.
//!
//! * **lines**: tables by the occupation of rank and file, which the board keeps as it moves;
//! * **gathered**: the same tables, the file's bits gathered by a multiplication;
//! * **obstruction**: differences of the set of all pieces, no tables but masks;
//! * **loops**: square by square on an array.
//!
//! The first has to keep 19 numbers up to date, four additions a move, and can count on them without
//! any set of the board. The game uses it.

use spielbaum_core::{Game, Rng};
use spielbaum_games::xiangqi::{Rules, Xiangqi};
use std::hint::black_box;
use std::time::Instant;

const FILE_A: u128 = 0x2_0100_8040_2010_0804_0201;

/// A position, and what is known of it before the question is asked.
struct Sample {
    occupied: u128,
    ranks: [u16; 10],
    files: [u16; 9],
    at: [bool; 90],
    sliders: Vec<u8>,
}

struct Tables {
    rank: Vec<[u32; 128]>,
    file: Vec<[u32; 256]>,
    spread: Vec<u128>,
    /// Squares below and above on the rank and on the file.
    rays: Vec<[(u128, u128); 2]>,
}

fn main() {
    let samples = samples();
    let tables = tables();
    type Way = fn(&Tables, &Sample, usize) -> (u128, u128);
    let ways: [(&str, Way); 4] =
        [("lines", lines), ("gathered", gathered), ("obstruction", obstruction), ("loops", loops)];
    for sample in &samples {
        for &square in &sample.sliders {
            let all = ways.map(|(_, way)| way(&tables, sample, usize::from(square)));
            assert!(all.iter().all(|found| *found == all[0]), "{square}: {all:?}");
        }
    }
    let sliders: usize = samples.iter().map(|s| s.sliders.len()).sum();
    println!("{} positions, {sliders} sliders; nanoseconds for each", samples.len());
    let mut best = [f64::INFINITY; 4];
    // Interleaved, so that a busy machine disturbs all alike.
    for _ in 0..200 {
        for (best, (_, way)) in best.iter_mut().zip(ways) {
            let begin = Instant::now();
            let mut sum = 0;
            for sample in &samples {
                for &square in &sample.sliders {
                    let (chariot, behind) = way(&tables, sample, usize::from(square));
                    sum ^= chariot.wrapping_add(behind);
                }
            }
            black_box(sum);
            *best = best.min(begin.elapsed().as_secs_f64());
        }
    }
    for ((name, _), best) in ways.iter().zip(best) {
        println!("{name:>12} {:6.2}", best * 1e9 / sliders as f64);
    }
}

fn samples() -> Vec<Sample> {
    let (mut rng, mut scratch) = (Rng::new(1), Vec::new());
    let start = Xiangqi::new(Rules::PAPER);
    let mut samples = Vec::new();
    while samples.len() < 400 {
        let mut pos = start.clone();
        pos.playout(rng.below(80) as u32, &mut rng, &mut scratch);
        samples.push(Sample::of(&pos.to_string()));
    }
    samples
}

impl Sample {
    fn of(line: &str) -> Sample {
        let mut s = Sample {
            occupied: 0,
            ranks: [0; 10],
            files: [0; 9],
            at: [false; 90],
            sliders: Vec::new(),
        };
        let (mut r, mut f) = (9, 0);
        for letter in line.chars().take_while(|&c| c != ' ') {
            match letter {
                '/' => (r, f) = (r - 1, 0),
                '1'..='9' => f += letter as usize - '0' as usize,
                _ => {
                    s.occupied |= 1 << (9 * r + f);
                    s.ranks[r] |= 1 << f;
                    s.files[f] |= 1 << r;
                    s.at[9 * r + f] = true;
                    if "rRcC".contains(letter) {
                        s.sliders.push((9 * r + f) as u8);
                    }
                    f += 1;
                }
            }
        }
        s
    }
}

/// What is seen from a place of a line: in the low half to the first piece, in the high half
/// from there to the second.
fn seen(place: usize, length: usize, occupied: usize) -> u32 {
    let mut seen = 0;
    for up in [false, true] {
        let (mut at, mut screens) = (place, 0);
        while screens < 2 && if up { at + 1 < length } else { at > 0 } {
            at = if up { at + 1 } else { at - 1 };
            seen |= 1 << (at + 16 * screens);
            screens += occupied >> at & 1;
        }
    }
    seen
}

fn tables() -> Tables {
    let spread = |bits: usize| (0..10).filter(|r| bits >> r & 1 != 0).map(|r| 1 << (9 * r)).sum();
    let rays = |s: usize| {
        let (below, above) = ((1u128 << s) - 1, !((2u128 << s) - 1) & ((1 << 90) - 1));
        let (rank, file) = (0x1ff << (9 * (s / 9)), FILE_A << (s % 9));
        [(rank & below, rank & above), (file & below, file & above)]
    };
    Tables {
        rank: (0..9).map(|f| std::array::from_fn(|i| seen(f, 9, i << 1))).collect(),
        file: (0..10).map(|r| std::array::from_fn(|i| seen(r, 10, i << 1))).collect(),
        spread: (0..1024).map(spread).collect(),
        rays: (0..90).map(rays).collect(),
    }
}

/// Both sets from what is seen on the rank and on the file.
fn sets(tables: &Tables, square: usize, across: u32, along: u32) -> (u128, u128) {
    let (r, f) = (square / 9, square % 9);
    let set = |across: u32, along: u32| {
        u128::from(across & 0x1ff) << (9 * r) | tables.spread[along as usize & 1023] << f
    };
    (set(across, along), set(across >> 16, along >> 16))
}

fn lines(tables: &Tables, sample: &Sample, square: usize) -> (u128, u128) {
    let (r, f) = (square / 9, square % 9);
    let across = tables.rank[f][usize::from(sample.ranks[r]) >> 1 & 127];
    let along = tables.file[r][usize::from(sample.files[f]) >> 1 & 255];
    sets(tables, square, across, along)
}

fn gathered(tables: &Tables, sample: &Sample, square: usize) -> (u128, u128) {
    // The inner squares of a file lie nine bits apart; each factor moves one to its place, and
    // without the two ends no other product falls there.
    const INNER: u128 = FILE_A & !(1 | 1 << 81);
    const FACTOR: u128 = 0x0101_0101_0101_0101;
    let (r, f) = (square / 9, square % 9);
    let inner = (sample.occupied >> (9 * r + 1)) as usize & 127;
    let outer = ((sample.occupied >> f & INNER).wrapping_mul(FACTOR) >> 65) as usize & 255;
    sets(tables, square, tables.rank[f][inner], tables.file[r][outer])
}

fn obstruction(tables: &Tables, sample: &Sample, square: usize) -> (u128, u128) {
    let mut chariot = 0;
    let mut behind = 0;
    for (below, above) in tables.rays[square] {
        let see = |occupied: u128| {
            let lower = occupied & below | 1;
            let upper = occupied & above;
            let highest = u128::MAX << (127 - lower.leading_zeros());
            let lowest = upper & upper.wrapping_neg();
            (below | above) & lowest.wrapping_mul(2).wrapping_add(highest)
        };
        let first = see(sample.occupied);
        chariot |= first;
        // Without the first pieces one sees as far as the second ones.
        behind |= see(sample.occupied & !first) & !first;
    }
    (chariot, behind)
}

fn loops(_: &Tables, sample: &Sample, square: usize) -> (u128, u128) {
    let (r, f) = (square / 9, square % 9);
    let mut sets = [0; 2];
    for (step, room) in [(-1, f), (1, 8 - f), (-9, r), (9, 9 - r)] {
        let mut at = square as isize;
        let mut screens = 0;
        for _ in 0..room {
            at += step;
            sets[screens] |= 1 << at;
            screens += usize::from(sample.at[at as usize]);
            if screens == 2 {
                break;
            }
        }
    }
    (sets[0], sets[1])
}
