//! Xiangqi in random games: against a slow generator of its own, symmetric evaluations, winning
//! moves, and fair random moves.

#![allow(clippy::unwrap_used)]

use spielbaum_core::{Eval, Game, Rng};
use spielbaum_games::xiangqi::{EVALS, Move, Placed, Rules, Xiangqi};

fn position(rules: Rules, fen: &str) -> Xiangqi {
    Xiangqi::new(rules).parse(fen).unwrap()
}

fn moves(pos: &Xiangqi) -> Vec<Move> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    moves
}

fn names(pos: &Xiangqi) -> Vec<String> {
    let mut names: Vec<String> = moves(pos).iter().map(ToString::to_string).collect();
    names.sort();
    names
}

/// A generator from the words of the rules alone, on a plain array.
mod slow {
    pub(super) struct Slow {
        at: [[Option<char>; 9]; 10],
        red: bool,
    }

    type Place = (i32, i32);
    const SIDES: [Place; 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

    impl Slow {
        pub(super) fn new(fen: &str) -> Slow {
            let mut at = [[None; 9]; 10];
            let mut words = fen.split(' ');
            for (i, row) in words.next().unwrap().split('/').enumerate() {
                let mut file = 0;
                for letter in row.chars() {
                    match letter.to_digit(10) {
                        Some(gap) => file += gap as usize,
                        None => {
                            at[9 - i][file] = Some(letter);
                            file += 1;
                        }
                    }
                }
            }
            Slow { at, red: words.next() == Some("w") }
        }

        fn get(&self, (r, f): Place) -> Option<char> {
            self.at[r as usize][f as usize]
        }

        fn inside((r, f): Place) -> bool {
            (0..10).contains(&r) && (0..9).contains(&f)
        }

        fn own(&self, place: Place, red: bool) -> bool {
            self.get(place).is_some_and(|c| c.is_ascii_uppercase() == red)
        }

        /// Pseudo-legal moves of a side, without the general's capture along a file.
        fn pseudo(&self, red: bool) -> Vec<(Place, Place)> {
            let mut list = Vec::new();
            for r in 0..10 {
                for f in 0..9 {
                    if self.own((r, f), red) {
                        self.piece((r, f), red, &mut list);
                    }
                }
            }
            list
        }

        fn piece(&self, from: Place, red: bool, list: &mut Vec<(Place, Place)>) {
            let (r, f) = from;
            let ahead = if red { 1 } else { -1 };
            let mut go = |to: Place| {
                if Self::inside(to) && !self.own(to, red) {
                    list.push((from, to));
                }
            };
            let palace = |(r, f): Place| {
                (3..=5).contains(&f)
                    && if red { (0..=2).contains(&r) } else { (7..=9).contains(&r) }
            };
            let kind = self.get(from).unwrap().to_ascii_lowercase();
            for (i, (a, b)) in SIDES.into_iter().enumerate() {
                let beside = (r + a, f + b);
                let (c, d) = SIDES[(i + 1) % 4];
                let corner = (a + c, b + d);
                match kind {
                    'k' if palace(beside) => go(beside),
                    'a' if palace((r + corner.0, f + corner.1)) => {
                        go((r + corner.0, f + corner.1));
                    }
                    'b' => {
                        let eye = (r + corner.0, f + corner.1);
                        let to = (r + 2 * corner.0, f + 2 * corner.1);
                        let home = if red { to.0 <= 4 } else { to.0 >= 5 };
                        if Self::inside(to) && home && self.get(eye).is_none() {
                            go(to);
                        }
                    }
                    'n' if Self::inside(beside) && self.get(beside).is_none() => {
                        for turn in [-1, 1] {
                            go((r + 2 * a + turn * b, f + 2 * b + turn * a));
                        }
                    }
                    'p' => {
                        let over = if red { r >= 5 } else { r <= 4 };
                        if a == ahead || (a == 0 && over) {
                            go(beside);
                        }
                    }
                    'r' | 'c' => {
                        let mut screens = 0;
                        let mut to = beside;
                        while Self::inside(to) {
                            let taken = self.get(to).is_some();
                            match (kind, screens, taken) {
                                ('r', 0, _) | ('c', 0, false) | ('c', 1, true) => go(to),
                                _ => {}
                            }
                            screens += i32::from(taken);
                            to = (to.0 + a, to.1 + b);
                        }
                    }
                    _ => {}
                }
            }
        }

        fn general(&self, red: bool) -> Place {
            let letter = if red { 'K' } else { 'k' };
            (0..10)
                .flat_map(|r| (0..9).map(move |f| (r, f)))
                .find(|&p| self.get(p) == Some(letter))
                .unwrap()
        }

        fn facing(&self) -> bool {
            let (a, b) = (self.general(true), self.general(false));
            a.1 == b.1 && (a.0 + 1..b.0).all(|r| self.get((r, a.1)).is_none())
        }

        pub(super) fn check(&self, red: bool) -> bool {
            let general = self.general(red);
            self.facing() || self.pseudo(!red).iter().any(|m| m.1 == general)
        }

        fn name((r, f): Place) -> String {
            format!("{}{}", char::from(b'a' + f as u8), r + 1)
        }

        /// Sorted names of the moves.
        pub(super) fn moves(&self, legal: bool) -> Vec<String> {
            let mut list = self.pseudo(self.red);
            if legal {
                list.retain(|&(from, to)| {
                    let mut next = Slow { at: self.at, red: !self.red };
                    next.at[to.0 as usize][to.1 as usize] = self.get(from);
                    next.at[from.0 as usize][from.1 as usize] = None;
                    !next.check(self.red)
                });
            } else if self.facing() {
                list.push((self.general(self.red), self.general(!self.red)));
            }
            let mut names: Vec<String> =
                list.iter().map(|&(a, b)| Self::name(a) + &Self::name(b)).collect();
            names.sort();
            names
        }
    }
}

/// The same position with left and right exchanged, or with the colours.
fn mirror(pos: &Xiangqi) -> Xiangqi {
    let line = pos.to_string();
    let (board, rest) = line.split_once(' ').unwrap();
    let board: Vec<String> = board.split('/').map(|r| r.chars().rev().collect()).collect();
    pos.parse(&format!("{} {rest}", board.join("/"))).unwrap()
}

fn swap(pos: &Xiangqi) -> Xiangqi {
    let line = pos.to_string();
    let (board, rest) = line.split_once(' ').unwrap();
    let other = |c: char| {
        if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
    };
    let ranks: Vec<String> = board.split('/').map(|r| r.chars().map(other).collect()).collect();
    let board = ranks.into_iter().rev().collect::<Vec<_>>().join("/");
    let rest =
        if rest.starts_with('w') { rest.replacen('w', "b", 1) } else { rest.replacen('b', "w", 1) };
    pos.parse(&format!("{board} {rest}")).unwrap()
}

#[test]
fn random_games_keep_the_promises() {
    let mut rng = Rng::new(5);
    let mut scratch = Vec::new();
    for preset in Rules::PRESETS {
        let start = Xiangqi::new(Rules { plies: 400, ..preset.rules });
        for game in 0..40 {
            let mut pos = start.clone();
            while let Some(m) = pos.random_move(&mut rng, &mut scratch) {
                let slow = slow::Slow::new(&pos.to_string());
                assert_eq!(names(&pos), slow.moves(preset.rules.legal), "{pos}");
                let red = pos.turn().player() == Some(0);
                assert_eq!(pos.is_check(), slow.check(red), "{pos}");
                let read = pos.parse(&pos.to_string()).unwrap();
                assert_eq!(read.key(), pos.key(), "{pos}");
                for eval in EVALS {
                    let eval = (eval.make)();
                    let value = eval.eval(&pos);
                    assert_eq!(value, eval.eval(&read), "{pos}");
                    assert_eq!(value, eval.eval(&mirror(&pos)), "{pos}");
                    assert_eq!(value, eval.eval(&swap(&pos)), "{pos}");
                }
                if game < 8 {
                    winning_moves_win(&pos);
                }
                pos.play(m);
            }
        }
    }
}

/// The weights are fitted to the terms, so these must be what the evaluation adds up.
#[test]
fn the_default_evaluation_is_the_sum_of_its_terms() {
    let (mut rng, mut scratch) = (Rng::new(9), Vec::new());
    let weights: Vec<f64> = Placed::weights().into_iter().map(f64::from).collect();
    assert_eq!(weights.len(), Placed::TERMS);
    for _ in 0..40 {
        let mut pos = Xiangqi::new(Rules::OFFICIAL);
        while let Some(m) = pos.random_move(&mut rng, &mut scratch) {
            let mut sum = 0.0;
            Placed::terms(&pos, |term, share| sum += weights[term] * share);
            // Phases are rounded.
            assert!((sum - f64::from(Placed.eval(&pos))).abs() <= 1.0, "{sum} of {pos}");
            pos.play(m);
        }
    }
    // Without a general there is nothing to add up.
    let mut lost = position(Rules::PAPER, "4k4/9/9/9/9/9/9/9/4R4/3K5 w");
    let capture = moves(&lost).into_iter().find(|m| m.to_string() == "e2e10");
    lost.play(capture.unwrap());
    Placed::terms(&lost, |term, _| panic!("term {term} of {lost}"));
}

/// `winning_move` finds one if there is one, by trying all.
fn winning_moves_win(pos: &Xiangqi) {
    let seat = pos.turn().player();
    let wins = |&m: &Move| {
        let mut next = pos.clone();
        next.play(m);
        next.end().is_some_and(|end| end.winner() == seat)
    };
    let winning: Vec<Move> = moves(pos).into_iter().filter(wins).collect();
    match pos.winning_move(&mut Vec::new()) {
        Some(m) => assert!(winning.contains(&m), "{m} in {pos}"),
        None => assert!(winning.is_empty(), "{winning:?} in {pos}"),
    }
}

/// In endings mates and stalemates are frequent.
#[test]
fn winning_moves_are_found_in_endings() {
    let mut rng = Rng::new(6);
    let mut scratch = Vec::new();
    for fen in [
        "3k5/4P4/3P5/9/9/9/9/9/9/4K4 w",
        "4k4/9/5P3/2N6/9/9/9/9/9/3K5 w",
        "3ak4/4a4/2R6/9/9/9/9/9/9/4K4 w",
        "4ka3/4a4/9/9/9/2C6/9/4B4/9/3K1A3 w",
    ] {
        for _ in 0..20 {
            let mut pos = position(Rules { plies: 60, ..Rules::OFFICIAL }, fen);
            while let Some(m) = pos.random_move(&mut rng, &mut scratch) {
                winning_moves_win(&pos);
                pos.play(m);
            }
        }
    }
}

#[test]
fn random_moves_are_uniform() {
    let mut scratch = Vec::new();
    for (rules, fen) in [
        (Rules::PAPER, "r1bakabr1/9/1cn4c1/p1p1p3p/6p2/2P3P2/P3P3P/1C2C1N2/9/RNBAKABR1 b"),
        (Rules::PAPER, "4k4/9/9/9/9/9/9/9/9/4K4 w"),
        (Rules::OFFICIAL, "4k4/4a4/4b4/9/4r4/9/4P4/9/4A4/2C1K4 w"),
        (Rules::OFFICIAL, "3k5/9/9/9/9/9/9/9/3r5/3K5 w"),
    ] {
        let pos = position(rules, fen);
        let legal = moves(&pos);
        let mut counts = vec![0u32; legal.len()];
        let mut rng = Rng::new(8);
        let each = 2000;
        for _ in 0..each * legal.len() {
            let m = pos.random_move(&mut rng, &mut scratch).unwrap();
            counts[legal.iter().position(|&l| l == m).unwrap()] += 1;
        }
        let each = each as f64;
        let chi: f64 = counts.iter().map(|&c| (f64::from(c) - each).powi(2) / each).sum();
        let free = legal.len() as f64 - 1.0;
        assert!(chi < free + 4.5 * (2.0 * free).sqrt() + 8.0, "{fen}: {chi} with {free}");
    }
}
