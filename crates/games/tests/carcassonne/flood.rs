//! Carcassonne without cleverness: features are found by flooding, from `tiles.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A tile as `tiles.toml` has it.
struct Kind {
    edges: Vec<char>,
    /// Name and sides of cities and roads.
    lines: Vec<(String, Vec<usize>)>,
    /// Name, half-edges and cities of fields.
    fields: Vec<(String, Vec<usize>, Vec<usize>)>,
    shield: bool,
    cloister: bool,
    rotations: usize,
}

/// A placed tile; the meeple and its owner while it stands there.
#[derive(Clone)]
struct Placed {
    tile: char,
    at: (i32, i32),
    r: usize,
    meeple: Option<(String, usize)>,
}

/// A segment: index of a placed tile and its name.
type Segment = (usize, String);

/// The game so far.
pub(crate) struct Flood {
    kinds: Rc<BTreeMap<char, Kind>>,
    board: Vec<Placed>,
    squares: BTreeMap<(i32, i32), usize>,
    paper: bool,
    turn: usize,
    pub(crate) scores: Vec<i32>,
    pub(crate) supply: Vec<usize>,
}

const STEPS: [(i32, i32); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

impl Flood {
    pub(crate) fn new(players: usize, paper: bool) -> Self {
        let start = Placed { tile: 'D', at: (0, 0), r: 0, meeple: None };
        Flood {
            kinds: Rc::new(read_kinds()),
            board: vec![start],
            squares: BTreeMap::from([((0, 0), 0)]),
            paper,
            turn: 0,
            scores: vec![0; players],
            supply: vec![7; players],
        }
    }

    fn at(&self, at: (i32, i32)) -> Option<usize> {
        self.squares.get(&at).copied()
    }

    fn push(&mut self, placed: Placed) -> usize {
        self.squares.insert(placed.at, self.board.len());
        self.board.push(placed);
        self.board.len() - 1
    }

    fn pop(&mut self) {
        if let Some(placed) = self.board.pop() {
            self.squares.remove(&placed.at);
        }
    }

    fn kind(&self, tile: usize) -> &Kind {
        &self.kinds[&self.board[tile].tile]
    }

    fn edge(&self, tile: usize, side: usize) -> char {
        self.kind(tile).edges[(side + 4 - self.board[tile].r) % 4]
    }

    /// The name of the segment of a city or road on a side of a placed tile.
    fn line_at(&self, tile: usize, side: usize) -> Option<String> {
        let own = (side + 4 - self.board[tile].r) % 4;
        self.kind(tile).lines.iter().find(|l| l.1.contains(&own)).map(|l| l.0.clone())
    }

    fn field_at(&self, tile: usize, half: usize) -> Option<String> {
        let own = (half + 8 - 2 * self.board[tile].r) % 8;
        self.kind(tile).fields.iter().find(|f| f.1.contains(&own)).map(|f| f.0.clone())
    }

    /// Segments of neighbours that touch a segment, and the number of sides that touch nothing.
    fn contacts(&self, (tile, name): &Segment) -> (Vec<Segment>, usize) {
        let placed = &self.board[*tile];
        let (mut found, mut open) = (Vec::new(), 0);
        for (side, (dx, dy)) in STEPS.into_iter().enumerate() {
            let next = self.at((placed.at.0 + dx, placed.at.1 + dy));
            let across = (side + 2) % 4;
            if self.line_at(*tile, side).as_ref() == Some(name) {
                match next {
                    Some(next) => found.push((next, self.line_at(next, across).unwrap())),
                    None => open += 1,
                }
            }
            for half in 0..2 {
                if self.field_at(*tile, 2 * side + half).as_ref() == Some(name)
                    && let Some(next) = next
                {
                    found.push((next, self.field_at(next, 2 * across + 1 - half).unwrap()));
                }
            }
        }
        (found, open)
    }

    /// All segments of the feature of a segment, and its open sides.
    fn feature(&self, start: &Segment) -> (BTreeSet<Segment>, usize) {
        let mut found = BTreeSet::from([start.clone()]);
        let (mut todo, mut open) = (vec![start.clone()], 0);
        while let Some(segment) = todo.pop() {
            let (contacts, more) = self.contacts(&segment);
            open += more;
            todo.extend(contacts.into_iter().filter(|c| found.insert(c.clone())));
        }
        (found, open)
    }

    fn around(&self, tile: usize) -> usize {
        let (x, y) = self.board[tile].at;
        let squares = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (x + dx, y + dy)));
        squares.filter(|&at| at != (x, y) && self.at(at).is_some()).count()
    }

    /// Owners of the meeples on a feature.
    fn meeples(&self, feature: &BTreeSet<Segment>) -> Vec<(usize, usize)> {
        let stands = |tile: usize| {
            let (name, owner) = self.board[tile].meeple.as_ref()?;
            feature.contains(&(tile, name.clone())).then_some((tile, *owner))
        };
        (0..self.board.len()).filter_map(stands).collect()
    }

    fn owners(&self, feature: &BTreeSet<Segment>) -> Vec<usize> {
        let mut counts = vec![0; self.scores.len()];
        self.meeples(feature).iter().for_each(|m| counts[m.1] += 1);
        let most = *counts.iter().max().unwrap();
        (0..counts.len()).filter(|&s| most > 0 && counts[s] == most).collect()
    }

    /// Points of a city, road or cloister: tiles and shields, tiles, or squares.
    fn worth(&self, feature: &BTreeSet<Segment>, name: &str) -> i32 {
        if name == "cloister" {
            let tile = feature.iter().next().unwrap().0;
            return 1 + self.around(tile) as i32;
        }
        let tiles: BTreeSet<usize> = feature.iter().map(|s| s.0).collect();
        let count = if self.paper { feature.len() } else { tiles.len() };
        let shields = feature.iter().filter(|s| s.1 == "city0" && self.kind(s.0).shield).count();
        (count + shields) as i32
    }

    fn spots(&self, tile: char) -> Vec<String> {
        let kind = &self.kinds[&tile];
        let names = kind.lines.iter().map(|l| l.0.clone());
        let fields = kind.fields.iter().map(|f| f.0.clone());
        names.chain(fields).chain(kind.cloister.then(|| "cloister".to_string())).collect()
    }

    /// The notations of all legal moves with a tile.
    pub(crate) fn moves(&mut self, tile: char, all: bool) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let squares: BTreeSet<(i32, i32)> = (self.board.iter())
            .flat_map(|p| STEPS.map(|(dx, dy)| (p.at.0 + dx, p.at.1 + dy)))
            .filter(|&at| self.at(at).is_none())
            .collect();
        let rotations = if all { 4 } else { self.kinds[&tile].rotations };
        for at in squares {
            for r in 0..rotations {
                let index = self.push(Placed { tile, at, r, meeple: None });
                let fits = (0..4).all(|side| {
                    let next = self.at((at.0 + STEPS[side].0, at.1 + STEPS[side].1));
                    next.is_none_or(|n| self.edge(index, side) == self.edge(n, (side + 2) % 4))
                });
                if fits {
                    let name = format!("{tile}@{}:{}r{r}", at.0, at.1);
                    if self.supply[self.turn] > 0 {
                        let spots = self.spots(tile);
                        let free = spots.iter().filter(|s| self.is_free(&(index, s.to_string())));
                        found.extend(free.map(|s| format!("{name}+{s}")));
                    }
                    found.insert(name);
                }
                self.pop();
            }
        }
        found
    }

    /// By the rules the whole feature is empty; in the paper's program what the segment touches is.
    fn is_free(&self, segment: &Segment) -> bool {
        if !self.paper {
            return self.meeples(&self.feature(segment).0).is_empty();
        }
        // Each neighbour's feature as it was before the tile came: without passing through it.
        let contacts = self.contacts(segment).0;
        let mut before = Flood {
            kinds: Rc::clone(&self.kinds),
            board: self.board.clone(),
            squares: self.squares.clone(),
            paper: true,
            turn: 0,
            scores: self.scores.clone(),
            supply: vec![],
        };
        before.pop();
        contacts.iter().all(|c| before.meeples(&before.feature(c).0).is_empty())
    }

    /// Plays a placement by its notation.
    pub(crate) fn play(&mut self, text: &str) {
        let (place, spot) = text.split_once('+').map_or((text, None), |(p, s)| (p, Some(s)));
        let (tile, rest) = place.split_once('@').unwrap();
        let (at, r) = rest.split_once('r').unwrap();
        let (x, y) = at.split_once(':').unwrap();
        let at = (x.parse().unwrap(), y.parse().unwrap());
        let meeple = spot.map(|s| (s.to_string(), self.turn));
        self.supply[self.turn] -= usize::from(meeple.is_some());
        let tile = tile.chars().next().unwrap();
        self.push(Placed { tile, at, r: r.parse().unwrap(), meeple });
        self.turn = (self.turn + 1) % self.scores.len();
        // Everything that is complete and has a meeple is scored, wherever it is.
        for tile in 0..self.board.len() {
            let Some((name, _)) = self.board[tile].meeple.clone() else { continue };
            let (feature, open) = self.feature(&(tile, name.clone()));
            let is_complete = match &name[..4] {
                "fiel" => false,
                "cloi" => self.around(tile) == 8,
                _ => open == 0,
            };
            if is_complete {
                let factor = if name.starts_with("city") { 2 } else { 1 };
                let points = factor * self.worth(&feature, &name);
                self.owners(&feature).into_iter().for_each(|s| self.scores[s] += points);
                for (tile, owner) in self.meeples(&feature) {
                    self.board[tile].meeple = None;
                    self.supply[owner] += 1;
                }
            }
        }
    }

    /// Points if the game ended now.
    pub(crate) fn settled(&self) -> Vec<i32> {
        let mut scores = self.scores.clone();
        let mut done: BTreeSet<Segment> = BTreeSet::new();
        for (tile, placed) in self.board.iter().enumerate() {
            let Some((name, _)) = placed.meeple.clone() else { continue };
            if done.contains(&(tile, name.clone())) {
                continue;
            }
            let (feature, _) = self.feature(&(tile, name.clone()));
            let points = if name.starts_with("field") {
                3 * self.cities(&feature).len() as i32
            } else {
                self.worth(&feature, &name)
            };
            self.owners(&feature).into_iter().for_each(|s| scores[s] += points);
            done.extend(feature);
        }
        scores
    }

    /// The completed cities that a field borders, each by all its segments.
    fn cities(&self, field: &BTreeSet<Segment>) -> BTreeSet<BTreeSet<Segment>> {
        let mut cities = BTreeSet::new();
        for (tile, name) in field {
            let segment = self.kind(*tile).fields.iter().find(|f| &f.0 == name).unwrap();
            for city in &segment.2 {
                let (feature, open) = self.feature(&(*tile, format!("city{city}")));
                if open == 0 {
                    cities.insert(feature);
                }
            }
        }
        cities
    }
}

/// The innermost lists of a value.
fn lists(text: &str) -> Vec<Vec<&str>> {
    let inner = text.split('[').skip(1).filter_map(|p| p.split_once(']')).map(|p| p.0);
    inner
        .map(|l| l.split(", ").map(|w| w.trim_matches('"')).filter(|w| !w.is_empty()).collect())
        .collect()
}

fn read_kinds() -> BTreeMap<char, Kind> {
    let text = include_str!("../../../../data/carcassonne/tiles.toml");
    let numbers = |l: &[&str]| -> Vec<usize> { l.iter().map(|w| w.parse().unwrap()).collect() };
    let mut kinds = BTreeMap::new();
    for block in text.split("[[tile]]").skip(1) {
        let value = |key: &str| {
            let line = block.lines().find(|l| l.split(" = ").next() == Some(key));
            line.unwrap().split_once(" = ").unwrap().1
        };
        let mut lines = Vec::new();
        for (key, name) in [("cities", "city"), ("roads", "road")] {
            let all = if value(key) == "[]" { vec![] } else { lists(value(key)) };
            for (i, sides) in all.iter().enumerate() {
                let sides = sides.iter().map(|s| "NESW".find(s).unwrap()).collect();
                lines.push((format!("{name}{i}"), sides));
            }
        }
        let fields = value("fields").split('{').skip(1).map(lists).enumerate();
        let fields = fields.map(|(i, l)| (format!("field{i}"), numbers(&l[0]), numbers(&l[1])));
        let kind = Kind {
            edges: lists(value("edges"))[0].iter().map(|e| e.chars().next().unwrap()).collect(),
            lines,
            fields: fields.collect(),
            shield: value("shields") == "1",
            cloister: value("cloister") == "true",
            rotations: value("rotations").parse().unwrap(),
        };
        kinds.insert(value("id").trim_matches('"').chars().next().unwrap(), kind);
    }
    kinds
}
