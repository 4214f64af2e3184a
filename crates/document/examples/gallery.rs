//! All kinds of blocks and charts on made-up but plausible data.
//!
//! `cargo run -p spielbaum-document --example gallery [html|text|markdown|latex] > gallery.html`

use spielbaum_document::{
    Arrangement, Axis, Bars, Block, BoxPlot, Cell, Chart, Column, Curve, Density, Document,
    Estimate, Forest, ForestRow, HeatMap, List, Notice, NoticeKind, Profile, Reference, Section,
    Series, Summary, Table, Text, Verdict, html, latex, markdown, text,
};

fn main() {
    let document = gallery();
    let out = match std::env::args().nth(1).as_deref() {
        None | Some("html") => html(&document),
        Some("text") => text(&document, 100),
        Some("markdown") => markdown(&document),
        Some("latex") => latex(&document),
        Some(other) => {
            eprintln!("error: no writer `{other}`; there are html, text, markdown and latex");
            std::process::exit(2);
        }
    };
    print!("{out}");
}

/// A share of `games` with its Wilson interval.
fn share(p: f64, games: f64) -> Estimate {
    let z = 1.96;
    let center = (p + z * z / (2.0 * games)) / (1.0 + z * z / games);
    let half =
        z * (p * (1.0 - p) / games + z * z / (4.0 * games * games)).sqrt() / (1.0 + z * z / games);
    Estimate::new(p).between(center - half, center + half)
}

fn cell(estimate: Estimate) -> Cell {
    let (low, high) = estimate.interval.unwrap_or((estimate.value, estimate.value));
    Cell::percent(estimate.value).between(low, high)
}

fn gallery() -> Document {
    Document::new("How deep should minimax look in rollouts?")
        .subtitle("Catch the Lion, Gomoku and 2048: 24 experiments, 41 000 games")
        .meta("Version", "0.1.0")
        .meta("Seed", "1")
        .meta("Budget", "38 000 nodes a move, in place of 2 s on the authors' machine")
        .meta("Machine", "AMD EPYC 7763, 2 cores, 24 GiB")
        .section(summary())
        .section(scores())
        .section(tournament())
        .section(times())
        .section(distributions())
        .section(traps())
}

fn summary() -> Section {
    let claims = Table::new("Claims of the paper and what became of them")
        .column(Column::label("claim"))
        .column(Column::text("source"))
        .column(Column::number("measured").unit("%"))
        .column(Column::number("published").unit("%"))
        .column(Column::verdict("verdict"))
        .row([
            Cell::text("Minimax of depth 1 in rollouts beats plain MCTS"),
            Cell::text("figure 3.2"),
            cell(share(0.762, 1000.0)),
            cell(share(0.755, 1000.0)),
            Cell::verdict(Verdict::Confirmed),
        ])
        .row([
            Cell::text("Deeper than 3 does not pay at this budget"),
            Cell::text("figure 3.2"),
            cell(share(0.514, 1000.0)).note("Within the interval of an even score."),
            Cell::percent(0.48),
            Cell::verdict(Verdict::Open),
        ])
        .row([
            Cell::text("Informed selection helps on small boards"),
            Cell::text("table 4"),
            cell(share(0.431, 1000.0)),
            cell(share(0.61, 200.0)).note("Recomputed from 200 games; the paper gives none."),
            Cell::verdict(Verdict::Refuted),
        ]);
    let row = |label: &str, ours: f64, theirs: f64, verdict: Verdict| {
        ForestRow::new(label)
            .measured(share(ours, 1000.0))
            .published(share(theirs, 400.0))
            .verdict(verdict)
    };
    use Verdict::{Confirmed, Open, Refuted};
    let forest = Forest::new("", Axis::percent("score against plain MCTS"))
        .reference(Reference::new(0.5, "even"))
        .row(row("Lion, rollouts, depth 1", 0.762, 0.755, Confirmed))
        .row(row("Lion, rollouts, depth 2", 0.811, 0.802, Confirmed))
        .row(row("Lion, rollouts, depth 3", 0.738, 0.771, Confirmed))
        .row(row("Lion, rollouts, depth 4", 0.514, 0.482, Open))
        .row(row("Lion, selection, depth 2", 0.664, 0.643, Confirmed))
        .row(row("Lion, selection, depth 4", 0.701, 0.729, Confirmed))
        .row(row("Lion, backup, depth 2", 0.618, 0.631, Confirmed))
        .row(row("Gomoku, rollouts, depth 1", 0.583, 0.574, Confirmed))
        .row(row("Gomoku, rollouts, depth 2", 0.431, 0.612, Refuted))
        .row(row("Gomoku, backup, depth 2", 0.497, 0.521, Open))
        .row(row("Connect Four, selection, depth 2", 0.553, 0.541, Confirmed))
        .row(ForestRow::new("Connect Four, backup, depth 2").measured(share(0.534, 1000.0)));
    Section::new("summary", "Summary")
        .block(Notice::new(
            NoticeKind::QuickRun,
            "One twentieth of the games; nothing here decides a claim.",
        ))
        .paragraph(Text::markup(
            "Of twelve rows *eleven* have a published value. The anchor, `mcts-solver` against \
             itself, lands inside its interval; see [Scores](#scores) for the curves.",
        ))
        .block(claims)
        .block(
            Chart::new("Measured and published scores with 95 % intervals.", forest).description(
                "Twelve rows of two points each; most pairs overlap, Gomoku with depth 2 does not.",
            ),
        )
}

fn scores() -> Section {
    let mut rollouts = Series::new("MCTS-MR (rollouts)");
    let mut selection = Series::new("MCTS-MS (selection)");
    let mut backup = Series::new("MCTS-MB (backup)");
    for (depth, mr, ms, mb) in [
        (1, 0.762, 0.5, 0.55),
        (2, 0.811, 0.664, 0.618),
        (3, 0.738, 0.69, 0.64),
        (4, 0.514, 0.701, 0.652),
        (5, 0.27, 0.66, 0.633),
        (6, 0.09, 0.58, 0.6),
    ] {
        let x = f64::from(depth);
        rollouts = rollouts.point(x, share(mr, 400.0));
        selection = selection.point(x, share(ms, 400.0));
        backup = backup.point(x, share(mb, 400.0));
    }
    for (depth, mr) in [(1.0, 0.755), (2.0, 0.802), (3.0, 0.771), (4.0, 0.482)] {
        rollouts = rollouts.published(depth, share(mr, 200.0));
    }
    let depths = Curve::new(
        Axis::new("depth of the minimax search", 0),
        Axis::percent("score").domain(0.0, 1.0),
    )
    .reference(Reference::new(0.5, "even score"))
    .series(rollouts)
    .series(selection)
    .series(backup);
    let mut by_nodes = Series::new("score");
    for (nodes, p) in
        [(1e3, 0.61), (3e3, 0.66), (1e4, 0.72), (3e4, 0.755), (1e5, 0.78), (3e5, 0.79)]
    {
        by_nodes = by_nodes.point(nodes, share(p, 500.0));
    }
    let nodes = Curve::new(Axis::new("budget", 0).unit("nodes").log(), Axis::percent("score"))
        .reference(Reference::new(0.5, "even score"))
        .series(by_nodes);
    let mut categorical = Vec::new();
    for (name, shift) in [("depth 1", 0.0), ("depth 2", 0.05)] {
        let mut series = Series::new(name);
        for (variant, p) in [("plain", 0.52), ("killer", 0.58), ("history", 0.61), ("both", 0.64)] {
            series = series.point(variant, share(p + shift, 300.0));
        }
        categorical.push(series.published("both", share(0.66 + shift, 150.0)));
    }
    let mut orders = Curve::new(Axis::new("move order", 0), Axis::percent("score"))
        .reference(Reference::new(0.5, "even score"));
    orders.series = categorical;
    Section::new("scores", "Scores")
        .section(
            Section::new("depth", "Over the depth")
                .block(Chart::new("Score against plain MCTS over the depth, 95 % bands.", depths)),
        )
        .section(
            Section::new("budget", "Over the budget")
                .block(Chart::new("MCTS-MR-1 against plain MCTS over the budget.", nodes)),
        )
        .section(
            Section::new("orders", "Over the move order")
                .block(Chart::new("Scores by move order, 95 % intervals.", orders)),
        )
}

fn tournament() -> Section {
    let names = [
        "mcts-solver",
        "mcts-mr-1",
        "mcts-mr-2",
        "mcts-ms-2",
        "mcts-mb-2",
        "alphabeta",
        "mcts",
        "random",
    ];
    let strength = [60.0, 200.0, 240.0, 130.0, 100.0, 20.0, 0.0, -600.0];
    let mut matrix = HeatMap::new(Axis::percent("score of the row").domain(0.0, 1.0))
        .titles("player", "opponent")
        .columns(names);
    let mut ratings = Table::new("Ratings, Bradley–Terry, the mean at nought")
        .column(Column::label("player"))
        .column(Column::number("rating").unit("Elo"))
        .column(Column::number("games"))
        .column(Column::number("nodes a second"));
    for (row, name) in names.iter().enumerate() {
        let values = (0..names.len()).map(|column| {
            let elo: f64 = strength[row] - strength[column];
            (row != column).then(|| share(1.0 / (1.0 + 10f64.powf(-elo / 400.0)), 500.0))
        });
        matrix = matrix.row(*name, values);
        let rating = Cell::real(strength[row] - 18.75, 0).plus_minus(14.0);
        ratings.push([
            Cell::code(*name),
            if row == 2 { rating.strong() } else { rating },
            Cell::integer(3500),
            Cell::integer(412_345 * (row as i64 + 1)),
        ]);
    }
    Section::new("tournament", "Tournament")
        .block(Chart::new("Every player against every other, 500 games each.", matrix))
        .block(ratings)
}

fn times() -> Section {
    let boxes = BoxPlot::new("player", Axis::new("time of a move", 2).unit("ms").log())
        .summary(
            Summary::new("mcts-solver", [3.1, 10.2, 14.8, 21.0, 60.5]).mean(17.2).count(41_230),
        )
        .summary(
            Summary::new("mcts-mr:playout=minimax(depth=1)", [5.0, 18.0, 31.5, 47.0, 210.0])
                .mean(39.0)
                .count(39_800),
        )
        .summary(
            Summary::new("mcts-mr:playout=minimax(depth=2)", [9.0, 60.0, 110.0, 180.0, 900.0])
                .mean(150.0)
                .count(38_512),
        )
        .summary(Summary::new("alphabeta", [0.02, 0.4, 2.1, 8.8, 140.0]).mean(9.4).count(40_007))
        .summary(
            Summary::new("random", [0.001, 0.002, 0.002, 0.003, 0.02]).mean(0.0024).count(52_118),
        );
    // Sums of pseudo-random numbers: bell-shaped, and the same every time.
    let mut state = 1u64;
    let mut uniform = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / (1u64 << 31) as f64
    };
    let mut density = Density::new("player", Axis::new("points", 0));
    for (name, center, width) in [
        ("expectimax", 62_000.0, 40_000.0),
        ("mcts", 38_000.0, 30_000.0),
        ("greedy", 9_000.0, 9_000.0),
    ] {
        let samples: Vec<f64> = (0..1500)
            .map(|n| {
                let bell = (0..4).map(|_| uniform()).sum::<f64>() / 4.0 - 0.5;
                let second = if n % 3 == 0 { 0.45 * width } else { 0.0 };
                f64::max(center + 2.0 * width * bell + second, 200.0)
            })
            .collect();
        density = density.samples(name, &samples);
    }
    Section::new("times", "Times and points")
        .block(Chart::new(
            "Time of a move; the box spans the quartiles, the diamond is the mean.",
            boxes,
        ))
        .block(Chart::new("Points reached in 2048.", density))
}

fn distributions() -> Section {
    let tiles = ["256", "512", "1024", "2048", "4096", "8192"];
    let reached = Bars::new("highest tile", tiles, Axis::percent("share of games"))
        .series("expectimax", [0.0, 0.01, 0.06, 0.31, 0.46, 0.16].map(|p| share(p, 1000.0)))
        .series("mcts", [0.01, 0.08, 0.34, 0.44, 0.13, 0.0].map(|p| share(p, 1000.0)))
        .series("greedy", [0.32, 0.46, 0.21, 0.01, 0.0, 0.0].map(|p| share(p, 1000.0)));
    let places = Bars::new(
        "player",
        [
            "mcts:c=1.4,iterations=2000",
            "mcts:c=0.7,iterations=2000",
            "maxn:depth=3",
            "paranoid:depth=4",
            "random",
        ],
        Axis::new("places", 0),
    )
    .arrangement(Arrangement::Shares)
    .series("first", [412.0, 350.0, 141.0, 95.0, 2.0])
    .series("second", [300.0, 310.0, 230.0, 150.0, 10.0])
    .series("third", [188.0, 220.0, 340.0, 240.0, 12.0])
    .series("last", [100.0, 120.0, 289.0, 515.0, 976.0]);
    Section::new("distributions", "Distributions")
        .block(Chart::new("Highest tile of a game of 2048.", reached))
        .block(Chart::new("Places in games of four.", places))
}

fn traps() -> Section {
    let course = |top: f64, late: f64| {
        (0..=20).map(move |n| {
            let x = f64::from(n) / 20.0;
            (x, top * x * (1.6 - x) * (1.0 + late * x * x))
        })
    };
    let profile =
        Profile::new(Axis::percent("share of the game"), Axis::percent("positions with a trap"))
            .layer("level 1", course(0.10, 0.6))
            .layer("level 3", course(0.17, 0.9))
            .layer("level 5", course(0.24, 0.7));
    let levels = Bars::new(
        "ply of the game",
        ["1–10", "11–20", "21–30", "31–40", "41–50"],
        Axis::new("traps", 0),
    )
    .arrangement(Arrangement::Stacked)
    .series("level 1", [12.0, 60.0, 140.0, 180.0, 90.0])
    .series("level 3", [20.0, 90.0, 210.0, 260.0, 150.0])
    .series("level 5", [31.0, 120.0, 260.0, 300.0, 160.0]);
    Section::new("traps", "Traps")
        .block(Chart::new("Density of traps over the course of games of Catch the Lion.", profile))
        .block(Chart::new("Traps by level and ply.", levels))
        .block(Block::Details {
            summary: "How traps are counted".into(),
            blocks: vec![
                List::bullets([
                    Text::markup("A position has a trap of *level k* if a move loses by force within k plies."),
                    Text::markup("Only positions with a move that does **not** lose count as fallen into."),
                ])
                .into(),
            ],
        })
}
