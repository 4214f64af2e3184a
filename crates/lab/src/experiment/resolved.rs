//! What the texts of a file mean: games, players, budgets and files, each looked up once.

use super::mistake::Log;
use super::source::file_name;
use super::text::Text;
use crate::{AnyGame, budget};
use spielbaum_core::Limits;
use spielbaum_core::param::{Args, Schema, resolve};
use spielbaum_core::spec::{Span, Spec, SpecError};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Finds the contents of a file by the name the experiment gives it.
pub(super) type Find<'a> = &'a dyn Fn(&str) -> Result<String, String>;

/// What was looked up, and found or not.
type Known<K, V> = RefCell<BTreeMap<K, Option<V>>>;

/// What a file is read by, and what was looked up so far.
pub(super) struct World<'a> {
    pub(super) log: &'a Log<'a>,
    pub(super) catalog: &'a [&'a dyn AnyGame],
    find: Find<'a>,
    /// Every player of the catalog.
    schemas: Vec<&'static Schema>,
    games: Known<(String, usize), Rc<Board<'a>>>,
    players: Known<(String, String, usize, String), Args>,
    /// The files that were found: by name, with the name as it was written.
    files: RefCell<BTreeMap<String, (String, String)>>,
    /// The variables that are used somewhere.
    pub(super) used: RefCell<BTreeSet<String>>,
}

/// A game with its parameters.
pub(super) struct Board<'a> {
    pub(super) game: &'a dyn AnyGame,
    pub(super) args: Args,
    pub(super) seats: usize,
    /// All of it as text, to tell it from others.
    pub(super) full: String,
}

impl<'a> World<'a> {
    pub(super) fn new(log: &'a Log<'a>, catalog: &'a [&'a dyn AnyGame], find: Find<'a>) -> Self {
        let mut schemas: Vec<&'static Schema> = Vec::new();
        for player in catalog.iter().flat_map(|game| game.players()) {
            if !schemas.iter().any(|known| known.name == player.name) {
                schemas.push(player);
            }
        }
        World {
            log,
            catalog,
            find,
            schemas,
            games: RefCell::default(),
            players: RefCell::default(),
            files: RefCell::default(),
            used: RefCell::default(),
        }
    }

    /// The files that were named, by name.
    pub(super) fn into_files(self) -> BTreeMap<String, String> {
        self.files.into_inner().into_iter().map(|(name, (_, text))| (name, text)).collect()
    }

    /// Tells what is wrong with a text, at its place.
    pub(super) fn wrong_spec(&self, text: &Text, error: SpecError) {
        let place = if error.text == text.as_str() { text.place(&error.span) } else { text.span() };
        match error.help {
            Some(help) => self.log.help(place, error.problem, help),
            None => self.log.wrong(place, error.problem),
        }
    }

    fn told<T>(&self, text: &Text, result: Result<T, SpecError>) -> Option<T> {
        result.map_err(|error| self.wrong_spec(text, error)).ok()
    }

    /// The game of a text.
    pub(super) fn game(&self, text: &Text) -> Option<Rc<Board<'a>>> {
        let key = (text.as_str().to_string(), text.span().start);
        if let Some(known) = self.games.borrow().get(&key) {
            return known.clone();
        }
        let found = self.find_game(text).map(Rc::new);
        self.games.borrow_mut().insert(key, found.clone());
        found
    }

    fn find_game(&self, text: &Text) -> Option<Board<'a>> {
        let schemas: Vec<_> = self.catalog.iter().map(|g| g.schema()).collect();
        let args = self.told(text, resolve(text.as_str(), "game", &schemas))?;
        let game = *self.catalog.iter().find(|g| g.schema().name == args.schema().name)?;
        let seats = self.told(text, game.open(&args))?.seats();
        let full = args.full();
        Some(Board { game, args, seats, full })
    }

    /// The player of a text at a board, with a budget if it has none of its own.
    pub(super) fn player(&self, board: &Board<'_>, text: &Text, budget: &str) -> Option<Args> {
        let (place, words) = (text.span().start, text.as_str().to_string());
        let key = (board.full.clone(), words, place, budget.to_string());
        if let Some(known) = self.players.borrow().get(&key) {
            return known.clone();
        }
        let found = self.find_player(board, text, budget);
        self.players.borrow_mut().insert(key, found.clone());
        found
    }

    fn find_player(&self, board: &Board<'_>, text: &Text, budget: &str) -> Option<Args> {
        let args = self.told(text, resolve(text.as_str(), "player", &self.schemas))?;
        let (able, game) = (board.game.players(), board.game.schema().name);
        if !able.iter().any(|player| player.name == args.schema().name) {
            let names: Vec<&str> = able.iter().flat_map(|player| player.names()).collect();
            let error = args
                .name_error(format!("player `{}` cannot play {game}", args.name()))
                .help(format!("players of {game}: {}", names.join(", ")));
            self.wrong_spec(text, error);
            return None;
        }
        // Its own if that ends its searches: the depth of a tree, as of `flat-ucb`, does not.
        let completed = self.told(text, board.game.budget(&args, Limits::default()))?;
        if budget.is_empty() || completed == args.limits() {
            return Some(args);
        }
        let short = args.canonical();
        let bare = Spec::parse(&short).is_ok_and(|spec| spec.args.is_empty());
        let separator = if bare { ":" } else { "," };
        let with = format!("{short}{separator}{budget}");
        self.told(text, resolve(&with, "player", &self.schemas))
    }

    /// A budget in canonical text: `nodes=38000`.
    pub(super) fn budget(&self, text: &Text) -> Option<String> {
        let mut whole = Text::at("budget:", &text.span());
        whole.push(text);
        let args = resolve(whole.as_str(), "budget", &[&budget::SCHEMA]).map_err(|error| {
            let problem = error.problem.replace(" of budget `budget`", " of a budget");
            SpecError { problem, ..error }
        });
        let args = self.told(&whole, args)?;
        let canonical = args.canonical();
        Some(canonical.strip_prefix("budget:").unwrap_or_default().to_string())
    }

    /// The contents of a file named in the experiment.
    pub(super) fn file(&self, name: &str, place: Span) -> Option<String> {
        let short = file_name(name).to_string();
        if let Some((written, text)) = self.files.borrow().get(&short) {
            if written == name {
                return Some(text.clone());
            }
            let problem = format!("two files are called `{short}`: `{written}` and `{name}`");
            self.log.help(place, problem, "they are kept side by side; rename one of them");
            return None;
        }
        let plain = !short.is_empty() && short != "." && short != "..";
        let found = if plain { (self.find)(name) } else { Err("this names no file".to_string()) };
        match found {
            Ok(text) => {
                let entry = (name.to_string(), text.clone());
                self.files.borrow_mut().insert(short, entry);
                Some(text)
            }
            Err(problem) => {
                let help = "files are looked for beside the experiment";
                self.log.help(place, format!("file `{name}`: {problem}"), help);
                None
            }
        }
    }
}
