//! A section: everything that is swept over becomes parts.
//!
//! The order is that of the axes, the first changing slowest: variables of `[vary]`, the game,
//! the budget, then the players as the format has them.

use super::axes::Axes;
use super::exams::Exams;
use super::fields;
use super::keys::{self, Settings};
use super::lineup::Cast;
use super::matches::Matches;
use super::mistake::Log;
use super::resolved::{Board, World};
use super::slot::{Choice, Setting, Slot};
use super::sweep::{self, Template};
use super::text::Text;
use super::{Format, MAX_PARTS, Part, Section, Work};
use spielbaum_core::param::Args;
use spielbaum_core::spec::Span;
use spielbaum_core::text::nearest;
use std::rc::Rc;
use toml::de::{DeTable, DeValue};

/// What the variables are set to.
pub(super) type Lookup<'v> = dyn Fn(&str) -> Option<&'v Text> + 'v;

/// What the parts of a section do.
enum Task<'t, 'a> {
    Match(Matches),
    Exam(Exams<'t, 'a>),
}

/// A variable with its values.
struct Variable {
    name: String,
    values: Vec<Text>,
}

/// Reads a section. `own` is the table whose keys are its own.
pub(super) fn section(
    world: &World<'_>,
    settings: &Settings<'_, '_>,
    own: &DeTable<'_>,
    id: &str,
) -> Option<Section> {
    let log = world.log;
    let about = |key: &str| {
        let value = own.get(key)?;
        fields::string(key, value, "a text", log).map(str::to_string)
    };
    let (title, basis) = (about("title"), about("basis"));
    let format = format(settings, log)?;
    keys::check_format(own, format, log);
    let extended = settings.get("extended").map_or(Some(false), |value| {
        // A quick run has a number of its own.
        Some(fields::boolean("extended", value, log)? && !settings.options.quick)
    });
    let game = game(settings, log);
    let given = settings.get(settings.budget_key());
    let budget = given.and_then(|v| Slot::read("budget", settings.budget_key(), v, log));
    let cast = Cast::read(format, settings, log);
    let task = match format.is_match() {
        true => Matches::read(world, settings, format).map(Task::Match),
        false => Exams::read(world, settings, format).map(Task::Exam),
    };
    let slots: Vec<&Slot> = game.iter().chain(&budget).chain(&cast.slots).collect();
    let mut templates: Vec<&Template> = slots.iter().flat_map(|slot| &slot.templates).collect();
    if let Some(Task::Match(matches)) = &task {
        templates.extend(matches.templates());
    }
    let (variables, good) = variables(settings, log);
    let (variables, known) = used(variables, &templates, world);
    let good = good && given.is_some() == budget.is_some();
    let whole = good && known && !cast.broken && !slots.iter().any(|slot| slot.broken);
    let (Some(game), Some(task), true) = (&game, &task, whole) else {
        glance(world, game.as_ref(), budget.as_ref(), &cast, &variables);
        return None;
    };

    // Nothing is expanded before it is known to be of a size that can be.
    let counts = variables.iter().map(|v| v.values.len());
    let counts = counts.chain([game.count(), budget.as_ref().map_or(1, Slot::count)]);
    let outer = counts.fold(1, usize::saturating_mul);
    let too_many = |parts: usize, place: Span| {
        let parts =
            if parts == usize::MAX { "far too many".to_string() } else { parts.to_string() };
        let problem = format!("the sweeps of `{id}` make {parts} parts");
        log.help(place, problem, format!("at most {MAX_PARTS}; sweep over less at once"));
    };
    if outer.max(cast.largest()) > MAX_PARTS {
        too_many(outer.saturating_mul(cast.largest()), settings.place.clone());
        return None;
    }
    let games = game.choices();
    let budgets = budget.as_ref().map(Slot::choices);
    let choices: Vec<Vec<Choice>> = cast.slots.iter().map(Slot::choices).collect();
    if format != Format::Match {
        cast.slots.iter().zip(&choices).for_each(|(slot, choices)| tell_twice(slot, choices, log));
    }

    // The games are looked up first: their seats decide how many lineups there are.
    let assignments = assignments(&variables);
    let mut frames = Vec::new();
    let mut parts = 0usize;
    let mut fits = true;
    for assignment in &assignments {
        let lookup = lookup(&variables, assignment);
        for game in &games {
            let Some(board) = world.game(&game.expansion.text(&lookup)) else {
                fits = false;
                continue;
            };
            if let Err((problem, help)) = cast.fits(board.seats) {
                log.help(settings.place_of("players"), problem, help);
                fits = false;
                continue;
            }
            if let Task::Match(matches) = task {
                fits &= matches.check(world, settings, &board, &lookup).is_some();
            }
            parts = parts.saturating_add(cast.count(board.seats));
            frames.push((assignment, game, board));
        }
    }
    let parts = parts.saturating_mul(budgets.as_ref().map_or(1, Vec::len));
    if parts > MAX_PARTS {
        too_many(parts, settings.place.clone());
        return None;
    }

    let mut axes = Axes::default();
    for variable in &variables {
        let values = variable.values.iter().map(|v| v.as_str().to_string()).collect();
        axes.add(vec![variable.name.clone()], values);
    }
    for (path, values) in [game].into_iter().chain(&budget).flat_map(Slot::axes) {
        axes.add(path, values);
    }
    let mut tables: Vec<usize> = frames.iter().map(|frame| frame.2.seats).collect();
    tables.dedup();
    cast.add_axes(&choices, &tables, &mut axes);

    let mut built: Vec<Option<Part>> = Vec::new();
    for (assignment, game, board) in &frames {
        let lookup = lookup(&variables, assignment);
        let lineups = cast.lineups(&choices, board.seats);
        let mut ways = vec![(Setting::new(), Some(String::new()))];
        if let Some(budgets) = &budgets {
            let way = |b: &Choice| (b.setting.clone(), world.budget(&b.expansion.text(&lookup)));
            ways = budgets.iter().map(way).collect();
        }
        for (budget_setting, budget) in &ways {
            for lineup in &lineups {
                let text = |choice: &&Choice| choice.expansion.text(&lookup);
                let texts: Vec<Text> = lineup.players.iter().map(text).collect();
                let mut setting = outer_setting(&variables, assignment);
                setting.extend(game.setting.iter().chain(budget_setting).cloned());
                setting.extend(lineup.setting.iter().cloned());
                let work = budget
                    .as_ref()
                    .and_then(|budget| work(world, settings, task, board, &texts, budget, &lookup));
                built.push(work.map(|(work, traps)| Part {
                    name: String::new(),
                    setting: axes.values(&setting),
                    players: lineup.own.iter().map(|own| axes.values(own)).collect(),
                    traps,
                    work,
                }));
            }
        }
    }
    let mut parts = built.into_iter().collect::<Option<Vec<Part>>>().filter(|_| fits)?;
    let digits = parts.len().to_string().len().max(3);
    for (i, part) in parts.iter_mut().enumerate() {
        part.name = format!("{id}-{:0digits$}", i + 1);
    }
    let title = title.unwrap_or_else(|| id.to_string());
    let (axes, published) = (axes.named(), Vec::new());
    let (id, extended) = (id.to_string(), extended?);
    Some(Section { id, title, basis, format, extended, axes, parts, published })
}

/// The work of one part: the players are looked up, and the match or exam is checked.
fn work(
    world: &World<'_>,
    settings: &Settings<'_, '_>,
    task: &Task<'_, '_>,
    board: &Rc<Board<'_>>,
    texts: &[Text],
    budget: &str,
    lookup: &Lookup<'_>,
) -> Option<(Work, Option<u32>)> {
    // A depth is a budget: the exam sets it.
    let budget = if matches!(task, Task::Exam(e) if e.is_depths()) { "" } else { budget };
    let players: Vec<Option<Args>> =
        texts.iter().map(|text| world.player(board, text, budget)).collect();
    let players = players.into_iter().collect::<Option<Vec<_>>>()?;
    match task {
        Task::Match(matches) => {
            let (plan, traps) = matches.plan(world, settings, board, players, lookup)?;
            Some((Work::Match(plan), traps))
        }
        Task::Exam(exams) => {
            let player = players.into_iter().next()?;
            let exam = exams.exam(world, board, player, texts.first()?)?;
            Some((Work::Exam(exam), None))
        }
    }
}

fn format(settings: &Settings<'_, '_>, log: &Log<'_>) -> Option<Format> {
    let names = Format::ALL.map(|format| (format.name(), format));
    match settings.get("format") {
        Some(value) => fields::choice("format", value, &names, log),
        None => {
            let help = format!("`format` is one of: {}", names.map(|n| n.0).join(", "));
            fields::missing("format", settings.place.clone(), &help, log);
            None
        }
    }
}

fn game(settings: &Settings<'_, '_>, log: &Log<'_>) -> Option<Slot> {
    match settings.get("game") {
        Some(value) => Slot::read("game", "game", value, log),
        None => {
            let help = "name the game: game = \"NAME\"";
            fields::missing("game", settings.place.clone(), help, log);
            None
        }
    }
}

/// The variables a section can use, a section's own before those of the file.
/// Whether all is well with them is told as well.
fn variables(settings: &Settings<'_, '_>, log: &Log<'_>) -> (Vec<Variable>, bool) {
    let mut all: Vec<Variable> = Vec::new();
    let mut good = true;
    let tables: Vec<_> = settings.tables("vary");
    for table in tables.into_iter().filter_map(|value| fields::table("vary", value, log)) {
        for (key, value) in fields::entries(table) {
            let name = key.get_ref().to_string();
            if all.iter().any(|variable| variable.name == name) {
                continue;
            }
            let items = match value.get_ref() {
                DeValue::Array(list) => list.iter().collect(),
                _ => vec![value],
            };
            let mut values = Vec::new();
            for item in items {
                let Some(text) = fields::scalar(&name, item, log) else {
                    good = false;
                    continue;
                };
                match sweep::range(text.as_str()) {
                    Some(Ok(numbers)) => {
                        values.extend(numbers.into_iter().map(|n| Text::at(n, &item.span())));
                    }
                    Some(Err(problem)) => {
                        log.wrong(item.span(), problem);
                        good = false;
                    }
                    None => values.push(text),
                }
            }
            if values.is_empty() && good {
                log.wrong(value.span(), format!("`{name}` is an empty list"));
            }
            good = good && !values.is_empty() && sweep::unique(&values, log).is_some();
            all.push(Variable { name, values });
        }
    }
    (all, good)
}

/// The variables that are used, in their order; those used must be known.
fn used(all: Vec<Variable>, templates: &[&Template], world: &World<'_>) -> (Vec<Variable>, bool) {
    let mut good = true;
    let mut names: Vec<&str> = Vec::new();
    for (name, place) in templates.iter().flat_map(|template| template.variables()) {
        world.used.borrow_mut().insert(name.to_string());
        names.push(name);
        if !all.iter().any(|variable| variable.name == name) {
            let known: Vec<&str> = all.iter().map(|variable| variable.name.as_str()).collect();
            let help = match nearest(name, &known) {
                Some(near) => format!("did you mean `${near}`?"),
                None => format!("give it values in [vary]: {name} = [1, 2]"),
            };
            world.log.help(place, format!("unknown variable `${name}`"), help);
            good = false;
        }
    }
    let is_used = |variable: &Variable| names.contains(&variable.name.as_str());
    (all.into_iter().filter(is_used).collect(), good)
}

/// Every choice of a value for each variable, the last changing fastest.
fn assignments(variables: &[Variable]) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for variable in variables {
        all = (all.iter())
            .flat_map(|some| (0..variable.values.len()).map(|next| [&some[..], &[next]].concat()))
            .collect();
    }
    all
}

fn lookup<'v>(
    variables: &'v [Variable],
    assignment: &'v [usize],
) -> impl Fn(&str) -> Option<&'v Text> + 'v {
    move |name| {
        let i = variables.iter().position(|variable| variable.name == name)?;
        Some(&variables[i].values[assignment[i]])
    }
}

fn outer_setting(variables: &[Variable], assignment: &[usize]) -> Setting {
    let value = |(variable, &i): (&Variable, &usize)| {
        (vec![variable.name.clone()], variable.values[i].as_str().to_string())
    };
    variables.iter().zip(assignment).map(value).collect()
}

/// Looks at whatever could be read of a section that cannot be run: its mistakes are told as
/// well.
fn glance(
    world: &World<'_>,
    game: Option<&Slot>,
    budget: Option<&Slot>,
    cast: &Cast,
    variables: &[Variable],
) {
    let lookup = |name: &str| {
        variables.iter().find(|variable| variable.name == name).and_then(|v| v.values.first())
    };
    let texts = |slot: &Slot| -> Vec<Text> {
        let few = slot.count() <= MAX_PARTS;
        let choices = if few { slot.choices() } else { Vec::new() };
        let filled = |choice: &&Choice| choice.expansion.variables().all(|v| lookup(v).is_some());
        choices.iter().filter(filled).map(|choice| choice.expansion.text(&lookup)).collect()
    };
    budget.map(texts).unwrap_or_default().iter().for_each(|text| _ = world.budget(text));
    let games = game.map(texts).unwrap_or_default();
    let boards: Vec<_> = games.iter().filter_map(|text| world.game(text)).collect();
    if let Some(board) = boards.first() {
        for text in cast.slots.iter().flat_map(texts) {
            world.player(board, &text, "");
        }
    }
}

/// Who is listed twice would be counted twice.
fn tell_twice(slot: &Slot, choices: &[Choice], log: &Log<'_>) {
    let mut seen = std::collections::BTreeSet::new();
    for choice in choices {
        if !seen.insert(&choice.label) {
            let place = choice.expansion.text(&|_| None).span();
            let place = if place.is_empty() { slot.place.clone() } else { place };
            log.wrong(place, format!("`{}` is listed twice", choice.label));
        }
    }
}
