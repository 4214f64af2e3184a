//! Results that cannot be rated, and why.

use super::Pair;

/// Why there are no ratings.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RatingError {
    /// Nothing to rate.
    #[error("there are no games to rate")]
    NoGames,
    /// Rounds of tables are too few to tell how much they vary.
    #[error("{0} rounds with different players tell no interval; at least 2 are needed")]
    FewRounds(usize),
    /// A pairing names a player that is not there.
    #[error("a pairing names player {index}, but there are {players} players, counted from 0")]
    NoSuchPlayer {
        /// The number in the pairing.
        index: usize,
        /// How many there are.
        players: usize,
    },
    /// The prior is not a number of games.
    #[error("a prior of {0} games is not a number of games, 0 or more")]
    Prior(String),
    /// Groups of players that did not meet.
    #[error("these groups never met and cannot be compared: {}", groups_text(.0))]
    Apart(Vec<Vec<String>>),
    /// Some never got a point against the others.
    #[error(
        "{} never lost nor drew a game against {}: how much better they are has no bound; \
         more games or a prior of 1 game would give one",
        .above.join(", "), .below.join(", ")
    )]
    OneSided {
        /// Those who won every game against the others.
        above: Vec<String>,
        /// The others.
        below: Vec<String>,
    },
    /// The likelihood has no maximum, or not a single one.
    #[error(
        "the results do not bound {}; games in both seats, more games or a prior of 1 game would",
        unbounded_text(.players, *.first_move, *.draws)
    )]
    Unbounded {
        /// Players whose ratings are without bound.
        players: Vec<String>,
        /// Whether the advantage of the first move is.
        first_move: bool,
        /// Whether the share of draws is.
        draws: bool,
    },
}

fn groups_text(groups: &[Vec<String>]) -> String {
    let texts: Vec<String> = groups.iter().map(|g| g.join(", ")).collect();
    texts.join(" | ")
}

fn unbounded_text(players: &[String], first_move: bool, draws: bool) -> String {
    let mut parts = Vec::new();
    if !players.is_empty() {
        parts.push(format!("the strength of {}", players.join(", ")));
    }
    if first_move {
        parts.push("the advantage of the first move".to_string());
    }
    if draws {
        parts.push("the share of draws".to_string());
    }
    parts.join(" and ")
}

/// Ford's condition (Solution of a ranking problem from binary comparisons, 1957): in every
/// division of the players in two, somebody of each side has got at least a draw of the other.
/// It is necessary; what else may be missing (first move, draws) the fit finds out.
pub(crate) fn comparable(players: &[String], pairs: &[Pair]) -> Result<(), RatingError> {
    let names = |of: Vec<usize>| of.into_iter().map(|i| players[i].clone()).collect();
    let reach = |from: usize, edge: &dyn Fn(&Pair, usize) -> Option<usize>| {
        let mut seen = vec![false; players.len()];
        let mut open = vec![from];
        seen[from] = true;
        while let Some(at) = open.pop() {
            for next in pairs.iter().filter_map(|p| edge(p, at)) {
                if !std::mem::replace(&mut seen[next], true) {
                    open.push(next);
                }
            }
        }
        seen
    };
    let other = |p: &Pair, at: usize| {
        let found = if p.first == at { p.second } else { p.first };
        (p.first == at || p.second == at).then_some(found)
    };
    let got = |p: &Pair, at: usize| {
        let points = if p.first == at { p.wins + p.draws } else { p.losses + p.draws };
        other(p, at).filter(|_| points > 0.0)
    };
    let gave = |p: &Pair, at: usize| {
        let points = if p.first == at { p.losses + p.draws } else { p.wins + p.draws };
        other(p, at).filter(|_| points > 0.0)
    };
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for player in 0..players.len() {
        if !groups.iter().flatten().any(|&p| p == player) {
            let seen = reach(player, &other);
            groups.push((0..players.len()).filter(|&i| seen[i]).collect());
        }
    }
    if groups.len() > 1 {
        return Err(RatingError::Apart(groups.into_iter().map(names).collect()));
    }
    // From anyone, both ways must lead to everyone.
    let parts = |seen: &[bool]| -> [Vec<usize>; 2] {
        [true, false].map(|side| (0..players.len()).filter(|&i| seen[i] == side).collect())
    };
    let [winners, rest] = parts(&reach(0, &gave));
    if !rest.is_empty() {
        // Nobody of the rest got anything of those who can be reached by what they gave.
        return Err(RatingError::OneSided { above: names(winners), below: names(rest) });
    }
    let [losers, rest] = parts(&reach(0, &got));
    if !rest.is_empty() {
        return Err(RatingError::OneSided { above: names(rest), below: names(losers) });
    }
    Ok(())
}
