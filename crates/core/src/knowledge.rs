//! What a search may know about a game beyond its rules.

use crate::param::{Args, Preset, Schema};
use crate::spec::SpecError;
use crate::{Game, Turn, math};

/// A static evaluation of positions, with hints for move ordering. A game may have several,
/// chosen by name.
pub trait Eval<G: Game>: Send + Sync {
    /// Value for the player to act, in hundredths of the game's unit (a pawn, a point); where
    /// chance acts, for the first player. Smaller in size than any proven result: below 100 000.
    fn eval(&self, pos: &G) -> i32;

    /// Larger is searched earlier.
    fn order(&self, _pos: &G, _m: G::Move) -> i32 {
        0
    }

    /// Whether the move changes the evaluation so much that the horizon must not fall behind it.
    fn noisy(&self, _pos: &G, _m: G::Move) -> bool {
        false
    }

    /// [`order`](Eval::order) and [`noisy`](Eval::noisy) of many moves by one call: compiled for
    /// each evaluation, so that a search pays for the unknown type once a position.
    fn hints(&self, pos: &G, moves: &[G::Move], out: &mut Vec<Hint>) {
        let hint = |&m| Hint { order: self.order(pos, m), noisy: self.noisy(pos, m) };
        out.extend(moves.iter().map(hint));
    }

    /// Appends the legal moves by [`order`](Eval::order), equal ones as the game lists them, in
    /// portions: the search asks for the next one (0, 1, …) when it has searched the last, and
    /// most often it need not. Whether there are more to come; `None`, and nothing appended, where
    /// moves cannot be listed like that faster than by sorting.
    fn ordered(&self, _pos: &G, _portion: u32, _out: &mut Vec<G::Move>) -> Option<bool> {
        None
    }

    /// What [`eval`](Eval::eval) says after a move, but for the player who makes it, if that can be
    /// told without playing the move and the game goes on after it; `None`: play and see. A search
    /// asks at its horizon.
    fn after(&self, _pos: &G, _m: G::Move) -> Option<i32> {
        None
    }

    /// Whether a search does better to look at some lines deeper than at others with this
    /// evaluation: quiescence, reductions and the like are on unless a player switches them off.
    fn is_selective(&self) -> bool {
        false
    }

    /// Appends the legal moves that are [`noisy`](Eval::noisy), in any order; overridden where they
    /// can be listed without the others.
    fn noisy_moves(&self, pos: &G, out: &mut Vec<G::Move>) {
        let first = out.len();
        pos.moves(out);
        let mut kept = first;
        for i in first..out.len() {
            if self.noisy(pos, out[i]) {
                out.swap(kept, i);
                kept += 1;
            }
        }
        out.truncate(kept);
    }

    /// Whether the exchange that a move begins on its square gains at least so much, in the units
    /// of the evaluation, if both sides go on as long as it pays.
    fn gains(&self, _pos: &G, _m: G::Move, _least: i32) -> bool {
        true
    }

    /// Whether the player to move must answer a threat at once, so that standing still means
    /// nothing here: check.
    fn in_check(&self, _pos: &G) -> bool {
        false
    }

    /// Whether the opponent is [`in_check`](Eval::in_check) after a move; `false` where that is
    /// not known without playing it.
    fn gives_check(&self, _pos: &G, _m: G::Move) -> bool {
        false
    }

    /// What a move does, more coarsely than its code and below [`motifs`](Eval::motifs): which
    /// piece goes where. A search learns which motif answers which.
    fn motif(&self, _pos: &G, _m: G::Move) -> usize {
        0
    }

    /// Motifs are `0..motifs()`; a table of their pairs is kept. 0: none.
    fn motifs(&self) -> usize {
        0
    }

    /// Whether having the move is surely worth something here, so that a player who could pass
    /// ([`Game::explore_pass`]) and still be well has something better: no zugzwang.
    fn may_pass(&self, _pos: &G) -> bool {
        false
    }

    /// Expected payoff of the player whose evaluation is `score`.
    fn payoff(&self, score: i32) -> f32 {
        math::logistic(score as f64 / 400.0) as f32
    }

    /// What `seat` may expect, on one scale for all positions, finished ones included: what a
    /// search averages over chance. The payoff unless the evaluation has a scale of its own.
    fn expected(&self, pos: &G, seat: usize) -> f32 {
        if pos.is_over() {
            return pos.payoffs()[seat];
        }
        let mover = match pos.turn() {
            Turn::Player(mover) => usize::from(mover),
            Turn::Chance => 0,
        };
        let score = self.eval(pos);
        self.payoff(if mover == seat { score } else { -score })
    }

    /// The largest [`expected`](Eval::expected) value one move on for `seat`, who is to move,
    /// and the number of moves; after the end the value of the end and no moves. `None`: the
    /// search looks for itself. Overridden where the positions come cheaper together.
    fn expected_next(&self, _pos: &G, _seat: usize) -> Option<(f32, u32)> {
        None
    }

    /// Where chance is to act: the mean of [`expected_next`](Eval::expected_next) over the outcomes by their
    /// weights, added up in `f64` in the order of the moves, divided by the sum of the weights and rounded once. `None`:
    /// the search looks for itself. That must be the answer unless `seat` is to move after every
    /// outcome; the search does not ask. Overridden where the outcomes come cheaper together.
    fn expected_after_chance(&self, _pos: &G, _seat: usize) -> Option<AfterChance> {
        None
    }

    /// Between which values [`expected`](Eval::expected) lies in all positions, if that can be told:
    /// what pruning at chance nodes rests on.
    fn range(&self) -> Option<(f32, f32)> {
        None
    }

    /// Hash of what the values of a search with this evaluation rest on: positions with the
    /// same key are worth the same at every depth. The key of the position, unless part of it
    /// does not matter here, such as points already made.
    fn key(&self, pos: &G) -> u64 {
        pos.key()
    }

    /// Appends the [`key`](Eval::key)s of the positions after the moves from here, or of some of them, where
    /// they come cheaply: a search that is about to look them up in a large table lets the memory work on
    /// all at once. It is asked for nothing else.
    fn keys_next(&self, _pos: &G, _out: &mut Vec<u64>) {}

    /// How many plies are worth searching from here, the first move included, if the evaluation
    /// can tell.
    fn depth_hint(&self, _pos: &G) -> Option<u32> {
        None
    }

    /// Its parameters, if it has any: what may stand in parentheses behind its name. With their
    /// defaults they make what [`NamedEval::make`] makes.
    fn parameters(&self) -> Option<Parameters<G>> {
        None
    }
}

/// What [`Eval::expected_after_chance`] tells.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AfterChance {
    /// The mean over all outcomes.
    pub value: f32,
    /// The number of outcomes.
    pub outcomes: u32,
    /// The number of moves after them, added up.
    pub moves: u32,
}

/// The parameters of an evaluation, and how it is made with others than the defaults.
pub struct Parameters<G: Game> {
    /// Name, help and parameters; its presets are names of evaluations as well.
    pub schema: &'static Schema,
    /// Makes it. What values may not be together is an error.
    pub make: MakeEval<G>,
}

/// Makes an evaluation with arguments that are complete and each within its range.
pub type MakeEval<G> = fn(&Args) -> Result<Box<dyn Eval<G>>, SpecError>;

/// What an evaluation says about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hint {
    /// [`Eval::order`].
    pub order: i32,
    /// [`Eval::noisy`].
    pub noisy: bool,
}

/// Nothing but the rules: 0 for every position that is not over. Every game has it, as `zero`.
#[derive(Clone, Copy, Debug, Default)]
pub struct ZeroEval;

impl<G: Game> Eval<G> for ZeroEval {
    fn eval(&self, _pos: &G) -> i32 {
        0
    }

    /// As if play stopped here.
    fn expected(&self, pos: &G, seat: usize) -> f32 {
        pos.payoffs()[seat]
    }
}

/// An entry in a game's list of evaluations.
pub struct NamedEval<G: Game> {
    /// The name in a specification: `eval=NAME`.
    pub name: &'static str,
    /// One line for people.
    pub help: &'static str,
    /// Makes it, with the defaults of its [parameters](Eval::parameters) if it has any.
    pub make: fn() -> Box<dyn Eval<G>>,
}

/// An evaluation that was chosen by name.
pub struct ChosenEval<G: Game> {
    /// The evaluation.
    pub eval: Box<dyn Eval<G>>,
    /// Its arguments, if it has parameters and was named.
    pub args: Option<Args>,
}

impl<G: Game> ChosenEval<G> {
    /// The evaluation that an [open](crate::param::Kind::Open) parameter names, or the first. Of
    /// several names with strokes between them the first that the game knows counts, and `default`
    /// is one that every game knows.
    pub fn new(args: &Args, param: &str, evals: &[NamedEval<G>]) -> Result<Self, SpecError> {
        let open = args.opt_open(param);
        let mut names: Vec<&str> = open.map_or(Vec::new(), |open| open.names().collect());
        if names.is_empty() {
            names.push("default");
        }
        let Some((name, eval)) = names.iter().find_map(|name| known(name, evals)) else {
            let mut all: Vec<&str> = Vec::new();
            for named in evals {
                all.push(named.name);
                all.extend(presets(&*(named.make)()).map(|preset| preset.name));
            }
            let problem = format!("this game has no evaluation `{}`", names.join("/"));
            let help = format!("evaluations: {}", all.join(", "));
            return Err(args.error(param, problem).help(help));
        };
        let parameters = eval.parameters();
        let found = match open {
            Some(open) => open.arguments(name, parameters.as_ref().map(|p| p.schema))?,
            None => None,
        };
        let eval = match (&found, parameters) {
            (Some(args), Some(parameters)) => (parameters.make)(args)?,
            _ => eval,
        };
        Ok(ChosenEval { eval, args: found })
    }
}

/// The evaluation of a name, with its own name: those of presets are asked for last, because only
/// an evaluation that is made knows them.
fn known<G: Game>(name: &str, evals: &[NamedEval<G>]) -> Option<(&'static str, Box<dyn Eval<G>>)> {
    let found = match name {
        "default" => evals.first(),
        _ => evals.iter().find(|e| e.name == name),
    };
    if let Some(named) = found {
        return Some((named.name, (named.make)()));
    }
    evals.iter().find_map(|named| {
        let eval = (named.make)();
        let preset = presets(&*eval).find(|preset| preset.name == name)?;
        Some((preset.name, eval))
    })
}

fn presets<G: Game>(eval: &dyn Eval<G>) -> impl Iterator<Item = &'static Preset> + use<G> {
    eval.parameters().map_or(&[][..], |p| p.schema.presets).iter()
}
