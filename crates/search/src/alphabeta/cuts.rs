//! What cuts tell about moves elsewhere: killer moves (Akl and Newborn 1977) and the history
//! heuristic (Schaeffer 1983), for any game by the codes of its moves; and which motif answers
//! which, where the evaluation knows motifs.

/// Codes of moves that cut lately, by ply, and counters of cuts, by seat and code.
#[derive(Default)]
pub(super) struct Cuts {
    killers: Vec<[usize; 2]>,
    counters: Vec<i16>,
    codes: usize,
    /// Counters of cuts by a motif after another one.
    answers: Vec<i16>,
    motifs: usize,
    /// Who moves at ply 0.
    seat: usize,
}

const NONE: usize = usize::MAX;
/// The largest counter. Counters drift towards it and never pass.
const MOST: i32 = 1 << 12;
/// A killer ranks above every counter.
const KILLER: i32 = 2 * MOST;

impl Cuts {
    /// Makes room for the codes of a game and the plies of a search, and halves the counters:
    /// what another search found is worth less.
    pub(super) fn begin(&mut self, codes: usize, plies: usize, seat: usize) {
        self.seat = seat;
        if self.codes != codes {
            self.codes = codes;
            self.counters = vec![0; 2 * codes];
        }
        self.counters.iter_mut().for_each(|c| *c /= 2);
        self.killers.clear();
        self.killers.resize(plies, [NONE; 2]);
    }

    /// Makes room for motifs.
    pub(super) fn learn_answers(&mut self, motifs: usize) {
        if self.motifs != motifs {
            self.motifs = motifs;
            self.answers = vec![0; motifs * motifs];
        }
    }

    /// The counters of the motifs after this one, if there are any.
    #[inline]
    pub(super) fn answers_to(&self, motif: Option<u32>) -> &[i16] {
        let row = motif.map(|m| m as usize * self.motifs);
        row.and_then(|row| self.answers.get(row..row + self.motifs)).unwrap_or(&[])
    }

    /// A motif cut after another one, or was searched before one that did.
    #[inline]
    pub(super) fn answer(&mut self, to: Option<u32>, motif: usize, depth: u32, cut: bool) {
        let Some(to) = to else { return };
        if let Some(counter) = self.answers.get_mut(to as usize * self.motifs + motif) {
            push(counter, if cut { bonus(depth) } else { -bonus(depth) });
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.answers.fill(0);
        self.killers.clear();
        self.counters.fill(0);
    }

    /// The rank of a quiet move.
    #[inline]
    pub(super) fn rank(&self, ply: u32, code: usize) -> i32 {
        let [first, second] = self.killers[ply as usize];
        let counter = self.counters.get(self.place(ply, code)).map_or(0, |&c| i32::from(c));
        counter
            + if code == first {
                KILLER + 1
            } else if code == second {
                KILLER
            } else {
                0
            }
    }

    /// A quiet move cut at this ply.
    #[inline]
    pub(super) fn kill(&mut self, ply: u32, code: usize) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != code {
            *killers = [code, killers[0]];
        }
    }

    /// A quiet move cut at this ply, with so much depth below.
    #[inline]
    pub(super) fn cut(&mut self, ply: u32, code: usize, depth: u32) {
        self.push(ply, code, bonus(depth));
    }

    /// A quiet move was searched before one that cut.
    #[inline]
    pub(super) fn missed(&mut self, ply: u32, code: usize, depth: u32) {
        self.push(ply, code, -bonus(depth));
    }

    #[inline]
    fn place(&self, ply: u32, code: usize) -> usize {
        (self.seat + ply as usize) % 2 * self.codes + code
    }

    fn push(&mut self, ply: u32, code: usize, bonus: i32) {
        let place = self.place(ply, code);
        if let Some(counter) = self.counters.get_mut(place) {
            push(counter, bonus);
        }
    }
}

fn push(counter: &mut i16, bonus: i32) {
    let c = i32::from(*counter);
    *counter = (c + bonus - c * bonus.abs() / MOST) as i16;
}

fn bonus(depth: u32) -> i32 {
    (depth * depth).min(400) as i32
}
