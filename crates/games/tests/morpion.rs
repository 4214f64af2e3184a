//! Morpion Solitaire against a slow generator that knows nothing of tracks, and its texts.
#![allow(clippy::unwrap_used)]

use spielbaum_core::check::{self, Options};
use spielbaum_core::text::play_moves;
use spielbaum_core::{Game, Rng};
use spielbaum_games::morpion::{Morpion, Variant};
use std::collections::{BTreeSet, HashSet};

type Point = (i32, i32);

const DIRECTIONS: [(char, Point); 4] =
    [('h', (1, 0)), ('v', (0, 1)), ('r', (1, 1)), ('f', (1, -1))];

/// The drawing as people see it: points, and lines as sets of points with their direction.
struct Drawing {
    points: HashSet<Point>,
    lines: Vec<(char, Vec<Point>)>,
    touching: bool,
}

impl Drawing {
    fn new(variant: Variant) -> Self {
        // The cross by its outline: twelve edges of three steps, corner to corner.
        let corners = [
            (3, 0),
            (6, 0),
            (6, 3),
            (9, 3),
            (9, 6),
            (6, 6),
            (6, 9),
            (3, 9),
            (3, 6),
            (0, 6),
            (0, 3),
            (3, 3),
        ];
        let mut points = HashSet::new();
        for i in 0..corners.len() {
            let ((x, y), (to_x, to_y)) = (corners[i], corners[(i + 1) % corners.len()]);
            for n in 0..3i32 {
                let step = |from: i32, to: i32| from + n * (to - from).signum() + 11;
                points.insert((step(x, to_x), step(y, to_y)));
            }
        }
        assert_eq!(points.len(), 36);
        Drawing { points, lines: Vec::new(), touching: variant == Variant::Touching }
    }

    fn line(start: Point, (dx, dy): Point) -> Vec<Point> {
        (0..5).map(|n| (start.0 + n * dx, start.1 + n * dy)).collect()
    }

    /// Whether a line gets along with those of its direction: no point in common, or one end.
    fn is_free(&self, direction: char, line: &[Point]) -> bool {
        self.lines.iter().filter(|l| l.0 == direction).all(|(_, other)| {
            let common: Vec<&Point> = line.iter().filter(|p| other.contains(p)).collect();
            common.is_empty() || self.touching && common.len() == 1
        })
    }

    /// Names of the legal moves with what they draw.
    fn moves(&self) -> Vec<(String, Point, char, Vec<Point>)> {
        let mut moves = Vec::new();
        for (letter, step) in DIRECTIONS {
            for start in (0..32 * 32).map(|i| (i % 32, i / 32)) {
                let line = Self::line(start, step);
                let missing: Vec<usize> =
                    (0..5).filter(|&n| !self.points.contains(&line[n])).collect();
                let inside =
                    line.iter().all(|&(x, y)| (0..32).contains(&x) && (0..32).contains(&y));
                if let [nth] = missing[..]
                    && inside
                    && self.is_free(letter, &line)
                {
                    let (x, y) = line[nth];
                    let column =
                        "abcdefghijklmnopqrstuvwxyzABCDEF".chars().nth(x as usize).unwrap();
                    moves.push((
                        format!("{column}{}{letter}{nth}", y + 1),
                        line[nth],
                        letter,
                        line,
                    ));
                }
            }
        }
        moves
    }

    /// Pairs of lines of one direction with a common point.
    fn touches(&self) -> usize {
        let pairs = (0..self.lines.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let common = |(i, j): &(usize, usize)| {
            let ((a, line), (b, other)) = (&self.lines[*i], &self.lines[*j]);
            a == b && line.iter().any(|p| other.contains(p))
        };
        pairs.filter(common).count()
    }

    fn draw(&mut self, name: &str) {
        let (_, point, letter, line) = self.moves().into_iter().find(|m| m.0 == name).unwrap();
        self.points.insert(point);
        self.lines.push((letter, line));
    }
}

#[test]
fn the_moves_are_those_of_a_slow_generator() {
    for variant in [Variant::Disjoint, Variant::Touching] {
        let (mut longest, mut touching) = (0, 0);
        for seed in 0..12 {
            let (mut pos, mut drawing) = (Morpion::new(variant), Drawing::new(variant));
            let mut rng = Rng::new(seed);
            loop {
                let mut moves = Vec::new();
                pos.moves(&mut moves);
                let found: BTreeSet<String> = moves.iter().map(ToString::to_string).collect();
                let expected: BTreeSet<String> = drawing.moves().into_iter().map(|m| m.0).collect();
                assert_eq!(found, expected, "{pos}");
                assert_eq!(found.len(), moves.len());
                let Some(m) = pos.random_move(&mut rng, &mut Vec::new()) else { break };
                drawing.draw(&m.to_string());
                pos.play(m);
            }
            assert_eq!(pos.payoffs()[0] as usize, drawing.lines.len());
            longest = longest.max(drawing.lines.len());
            touching += drawing.touches();
        }
        assert_eq!(touching > 0, variant == Variant::Touching);
        assert!(longest > 45, "{longest}");
    }
}

#[test]
fn there_are_28_first_moves() {
    for variant in [Variant::Disjoint, Variant::Touching] {
        assert_eq!(Morpion::new(variant).count_moves(), 28);
    }
}

#[test]
fn the_suite_passes() {
    for variant in [Variant::Disjoint, Variant::Touching] {
        let start = Morpion::new(variant);
        check::game(&start, &Options::default()).unwrap();
        check::one_player(&start, &Options::default()).unwrap();
    }
}

/// A saved sequence is played again; the order of independent moves does not change the key.
#[test]
fn sequences_are_saved_and_replayed() {
    let mut rng = Rng::new(3);
    for variant in [Variant::Disjoint, Variant::Touching] {
        let start = Morpion::new(variant);
        let mut end = start.clone();
        end.playout(u32::MAX, &mut rng, &mut Vec::new());
        let again = start.parse(&end.to_string()).unwrap();
        assert_eq!(again.played(), end.played());
        assert_eq!(again.key(), end.key());
        assert_eq!(format!("{again:#}"), format!("{end:#}"));
    }
    let (mut one, mut other) = (Morpion::new(Variant::Disjoint), Morpion::new(Variant::Disjoint));
    play_moves(&mut one, "s12h4 o22v4").unwrap();
    play_moves(&mut other, "o22v4 s12h4").unwrap();
    assert_eq!(one.key(), other.key());
    assert_ne!(one.key(), Morpion::new(Variant::Disjoint).key());
}

#[test]
fn the_diagram_shows_points_and_lines() {
    let mut pos = Morpion::new(Variant::Disjoint);
    play_moves(&mut pos, "s12h4 o22v4").unwrap();
    assert_eq!(format!("{pos:#}\n"), DIAGRAM);
}

const DIAGRAM: &str = r"22       @
         |
21       o o o o
         |
20       o     o
         |
19       o     o
         |
18 o o o o     o o o o

17 o                 o

16 o                 o

15 o o o o     o o o o

14       o     o

13       o     o

12       o-o-o-o-*
   l m n o p q r s t u
5D, 2 lines
";

#[test]
fn what_is_wrong_is_pointed_at() {
    let start = Morpion::new(Variant::Disjoint);
    let error = start.parse("5T").err().unwrap();
    assert_eq!(
        (error.at, error.help.unwrap().as_str()),
        (Some(0..2), "`5D` and the moves from the start")
    );
    let error = start.parse("5D s12h4 s12h4").err().unwrap();
    assert_eq!(error.at, Some(9..14));
    assert!(error.problem.contains("not a legal move"), "{}", error.problem);
    assert!(start.parse("").is_err());
}
