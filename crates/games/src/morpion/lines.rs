//! Points and lines of the grid in bits: four *tracks* through every point, one for each direction,
//! on which five points in a row are five bits.

/// Points of a side of the grid. The cross lies in its middle.
pub(super) const SIDE: i32 = 32;
/// Points of a line.
pub(super) const LENGTH: i32 = 5;
/// Rows, columns and both kinds of diagonals.
const TRACKS: usize = 192;
/// Bits below the first point of a track, so that a window never leaves the word.
const MARGIN: i32 = LENGTH - 1;

/// Step of each direction: along a row, a column, a rising and a falling diagonal.
pub(super) const STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// What a line may share with others of its direction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variant {
    /// 5D: no point.
    Disjoint,
    /// 5T: an end, but no segment.
    Touching,
}

impl Variant {
    /// `5D` or `5T`.
    pub fn name(self) -> &'static str {
        match self {
            Variant::Disjoint => "5D",
            Variant::Touching => "5T",
        }
    }

    /// What a line takes of its track: its points, or its segments by their first points.
    fn taken(self) -> u64 {
        match self {
            Variant::Disjoint => 0b11111,
            Variant::Touching => 0b1111,
        }
    }
}

/// A point of the grid, column and row from 0.
pub(super) type Point = (i32, i32);

/// A line of five points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Line {
    /// Its leftmost point, or its lowest if it is vertical.
    pub(super) start: Point,
    pub(super) direction: usize,
}

impl Line {
    pub(super) fn point(self, nth: i32) -> Point {
        let (dx, dy) = STEPS[self.direction];
        (self.start.0 + nth * dx, self.start.1 + nth * dy)
    }

    /// Where its bits begin: the track and the place on it.
    fn place(self) -> (usize, i32) {
        places(self.start)[self.direction]
    }
}

/// The tracks through a point, one for each direction, and its place on each.
#[inline]
fn places((x, y): Point) -> [(usize, i32); 4] {
    let (along_x, along_y) = (x + MARGIN, y + MARGIN);
    [
        (y as usize, along_x),
        ((32 + x) as usize, along_y),
        ((64 + 31 + x - y) as usize, along_x),
        ((128 + x + y) as usize, along_x),
    ]
}

/// A line that can be drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) code: u16,
    /// Its new point.
    point: u16,
    /// Track and place in one number: lines in each other's way are near.
    spot: u16,
}

fn spot(track: usize, place: i32) -> u16 {
    (track as u16) << 6 | place as u16
}

fn index((x, y): Point) -> u16 {
    (y * SIDE + x) as u16
}

/// The number of a line with its new point. A move is nothing else.
pub(super) fn encode(line: Line, nth: i32) -> u16 {
    (index(line.start) * 4 + line.direction as u16) * LENGTH as u16 + nth as u16
}

/// The line of a number, and which of its points is new.
pub(super) fn decode(code: u16) -> (Line, i32) {
    let (line, nth) = (code / LENGTH as u16, code % LENGTH as u16);
    let (start, direction) = (i32::from(line / 4), usize::from(line % 4));
    (Line { start: (start % SIDE, start / SIDE), direction }, nth.into())
}

/// How many numbers there are.
pub(super) const CODES: usize = (SIDE * SIDE * 4 * LENGTH) as usize;

/// For nine points of a track, of which the middle one is meant: from which of the five lines
/// through it exactly one point is missing.
static ONE_MISSING: [u8; 512] = {
    let mut table = [0; 512];
    let mut window = 0;
    while window < 512 {
        let mut first = 0;
        while first < 5 {
            if (window >> first & 31usize).count_ones() == 4 {
                table[window] |= 1 << first;
            }
            first += 1;
        }
        window += 1;
    }
    table
};

/// For each variant: which of the five lines take nothing that is taken.
static FREE: [[u8; 512]; 2] = [free(0b11111), free(0b1111)];

const fn free(taken: usize) -> [u8; 512] {
    let mut table = [0; 512];
    let mut window = 0;
    while window < 512 {
        let mut first = 0;
        while first < 5 {
            if window >> first & taken == 0 {
                table[window] |= 1 << first;
            }
            first += 1;
        }
        window += 1;
    }
    table
}

/// The points and what lines have taken, on every track.
#[derive(Clone, Copy)]
pub(super) struct Tracks {
    points: [u64; TRACKS],
    taken: [u64; TRACKS],
    variant: Variant,
}

impl Tracks {
    /// An empty grid. What is outside counts as taken.
    pub(super) fn new(variant: Variant) -> Self {
        let mut tracks = Tracks { points: [0; TRACKS], taken: [!0; TRACKS], variant };
        let inside = 0..SIDE;
        for (direction, (dx, dy)) in STEPS.into_iter().enumerate() {
            for (x, y) in (0..SIDE * SIDE).map(|i| (i % SIDE, i / SIDE)) {
                let goes_on = inside.contains(&(x + dx)) && inside.contains(&(y + dy));
                if variant == Variant::Disjoint || goes_on {
                    let (track, place) = places((x, y))[direction];
                    tracks.taken[track] &= !(1 << place);
                }
            }
        }
        tracks
    }

    pub(super) fn variant(&self) -> Variant {
        self.variant
    }

    pub(super) fn add_point(&mut self, point: Point) {
        for (track, place) in places(point) {
            self.points[track] |= 1 << place;
        }
    }

    /// Draws a line with a new point, and brings the list of candidates up to date: those that
    /// are in the way of each other go, those that the new point makes possible come.
    pub(super) fn draw(&mut self, line: Line, nth: i32, candidates: &mut Vec<Candidate>) {
        let point = line.point(nth);
        self.add_point(point);
        let (track, place) = line.place();
        let mask = self.variant.taken();
        self.taken[track] |= mask << place;
        let new = index(point);
        // Lines of a track are in the way if they begin nearer than that.
        let reach = mask.count_ones() as u16 - 1;
        let nearest = spot(track, place) - reach;
        candidates.retain(|c| (c.spot.wrapping_sub(nearest) > 2 * reach) & (c.point != new));
        self.add_candidates(point, candidates);
    }

    /// Appends the lines through a point from which one point is missing.
    pub(super) fn add_candidates(&self, point: Point, candidates: &mut Vec<Candidate>) {
        for (direction, (track, at)) in places(point).into_iter().enumerate() {
            let window = nine(self.points[track], at);
            let taken = nine(self.taken[track], at);
            let mut firsts = ONE_MISSING[window] & FREE[self.variant as usize][taken];
            while firsts != 0 {
                let first = firsts.trailing_zeros();
                firsts &= firsts - 1;
                let back = first as i32 - MARGIN;
                let (dx, dy) = STEPS[direction];
                let start = (point.0 + back * dx, point.1 + back * dy);
                let line = Line { start, direction };
                let missing = (!(window >> first) & 31).trailing_zeros() as i32;
                candidates.push(Candidate {
                    code: encode(line, missing),
                    point: index(line.point(missing)),
                    spot: spot(track, at + back),
                });
            }
        }
    }
}

/// Nine bits of a track around a place.
#[inline]
fn nine(track: u64, place: i32) -> usize {
    (track >> (place - MARGIN) & 0x1ff) as usize
}
