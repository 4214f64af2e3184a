//! A document with every kind of block, cell and chart, and every character that some writer must
//! escape.

use spielbaum_document::{
    Align, Arrangement, Axis, Bars, Bin, Block, BoxPlot, Cell, Chart, Column, Curve, Density,
    Distribution, Document, Estimate, Forest, ForestRow, HeatMap, List, Notice, NoticeKind,
    Profile, Reference, Section, Series, Summary, Table, Text, Verdict,
};

/// What writers trip over.
pub(crate) const NASTY: &str =
    r##"a<b>&amp; "q" 'p' 100% _x_ $y$ |z| #1 ~t^ {c} \n `k` [l](#m) *n* </script><!-- 帥 é – −"##;

pub(crate) fn sample() -> Document {
    Document::new(format!("Sample {NASTY}"))
        .subtitle("All kinds of blocks")
        .meta("Version", "0.1.0")
        .meta("Key_with|pipe", NASTY)
        .section(words())
        .section(tables())
        .section(charts())
        .section(empty())
}

fn words() -> Section {
    Section::new("words", "Words")
        .paragraph(Text::markup(
            "Plain, *stressed*, **strong**, `code|x_y`, a link to [tables](#tables), and one to [nowhere](#x).",
        ))
        .paragraph(NASTY)
        .block(Notice::new(NoticeKind::Note, "Good to know."))
        .block(Notice::new(NoticeKind::Warning, Text::default().plain("Look at ").code("seed")))
        .block(Notice::new(NoticeKind::QuickRun, "A short run; it decides nothing."))
        .block(List::bullets(["one", "2. two"]))
        .block(List::numbered([Text::default().emphasis("first"), Text::from("second")]))
        .block(Block::Details {
            summary: "More <here>".into(),
            blocks: vec![Text::from("Folded away.").into()],
        })
}

fn tables() -> Section {
    let table = Table::new("All cells, 100 % of them")
        .column(Column::label("name|of"))
        .column(Column::number("score").unit("%"))
        .column(Column::number("time").unit("s"))
        .column(Column::number("n"))
        .column(Column::verdict("verdict"))
        .column(Column::text("spec").align(Align::Center))
        .row([
            Cell::text(NASTY),
            Cell::percent(0.755).between(0.727, 0.781).note("See the paper's table_1 & figure 2."),
            Cell::real(1.25, 2).plus_minus(0.05),
            Cell::integer(38_000),
            Cell::verdict(Verdict::Confirmed),
            Cell::code("mcts:c=[1|2]`"),
        ])
        .row([
            Cell::text("[bracket first"),
            Cell::percent(0.5).strong(),
            Cell::real(f64::NAN, 2),
            Cell::integer(-7),
            Cell::verdict(Verdict::Refuted),
            Cell::empty().note("Another note."),
        ])
        .row([
            Cell::text("short row"),
            Cell::percent(1.0).between(f64::NEG_INFINITY, f64::INFINITY).digits(0),
            Cell::real(12345.678, 1),
            Cell::count(u64::MAX),
            Cell::verdict(Verdict::Open),
        ])
        .row([
            Cell::text("so far"),
            Cell::percent(0.25),
            Cell::empty(),
            Cell::integer(1),
            Cell::verdict(Verdict::RefutedSoFar),
        ]);
    Section::new("tables", "Tables").block(table).section(
        Section::new("none", "None")
            .block(Table::new("No rows").column(Column::label("a")).column(Column::number("b")))
            .block(Table::new("No columns")),
    )
}

fn at(value: f64, half: f64) -> Estimate {
    Estimate::new(value).between(value - half, value + half)
}

fn charts() -> Section {
    let curve = Curve::new(Axis::new("depth", 0), Axis::percent("score").domain(0.0, 1.0))
        .reference(Reference::new(0.5, "even"))
        .series(
            Series::new(format!("one {NASTY}"))
                .point(1.0, at(0.6, 0.05))
                .point(2.0, at(0.7, 0.05))
                .point(3.0, f64::NAN)
                .published(2.0, at(0.65, 0.1)),
        )
        .series(Series::new("two").point(1.0, 0.4).point(2.0, f64::INFINITY).point(3.0, 0.45));
    let log =
        Curve::new(Axis::new("budget", 0).unit("nodes").log(), Axis::new("rating", 0).unit("Elo"))
            .series(
                Series::new("a")
                    .point(0.0, 1.0)
                    .point(1e3, at(10.0, 4.0))
                    .point(1e6, at(120.0, 30.0)),
            );
    let categories = Curve::new(Axis::new("order", 0), Axis::percent("score"))
        .series(Series::new("a").point("plain", at(0.5, 0.02)).point(NASTY, at(0.6, 0.02)))
        .series(Series::new("b").point("plain", at(0.55, 0.02)).published(NASTY, at(0.6, 0.05)));
    let matrix = HeatMap::new(Axis::percent("score of the row"))
        .titles("player", "opponent")
        .columns(["a", "b & c"])
        .row("a", [None, Some(at(0.9, 0.02))])
        .row("b & c", [Some(Estimate::new(0.1))]);
    let boxes = BoxPlot::new("player", Axis::new("time", 1).unit("ms").log())
        .summary(Summary::new("a", [0.1, 1.0, 2.0, 4.0, 50.0]).mean(5.0).count(1000))
        .summary(Summary::new("a", [0.0, 1.0, 2.0, 4.0, 50.0]));
    let bins = [1.0, 4.0, 2.0, 0.0].into_iter().zip(0..);
    let bins = bins.map(|(weight, n)| Bin { low: f64::from(n), high: f64::from(n + 1), weight });
    let samples: Vec<f64> = (0..100).map(|n| f64::from(n * n % 31) / 8.0).collect();
    let density = Density::new("of", Axis::new("points", 1))
        .distribution(Distribution::new("histogram", bins.collect()).count(7))
        .samples("samples", &samples);
    let bars = Bars::new("tile", ["512", "1024"], Axis::percent("share"))
        .series("x", [at(0.25, 0.1), at(0.75, 0.1)])
        .series("y", [Estimate::new(0.5), Estimate::new(f64::NAN)]);
    let stacked = Bars::new("place", ["a player with a long name", "b"], Axis::new("games", 0))
        .arrangement(Arrangement::Stacked)
        .series("first", [3.0, 1.0])
        .series("second", [1.0, 3.0]);
    let shares = Bars { arrangement: Arrangement::Shares, ..stacked.clone() };
    let forest = Forest::new("experiment", Axis::percent("score"))
        .reference(Reference::new(0.5, "even"))
        .row(
            ForestRow::new(NASTY)
                .measured(at(0.7, 0.03))
                .published(at(0.68, 0.05))
                .verdict(Verdict::Confirmed),
        )
        .row(ForestRow::new("b").measured(at(0.45, 0.03)).verdict(Verdict::Open))
        .row(ForestRow::new("so far").measured(at(0.6, 0.1)).verdict(Verdict::ConfirmedSoFar))
        .row(ForestRow::new("c").published(0.9).measured(f64::NAN));
    let profile = Profile::new(Axis::percent("share of the game"), Axis::new("traps", 2))
        .layer("level 1", [(0.0, 0.1), (0.5, 0.4), (1.0, 0.2)])
        .layer("level 3", [(0.0, 0.2), (0.5, f64::NAN), (1.0, 0.5)]);
    let above = profile.clone().stacked();
    Section::new("charts", "Charts")
        .block(
            Chart::new(format!("Curve {NASTY}"), curve).description("Two curves, one with a gap."),
        )
        .block(Chart::new("Logarithmic curve", log))
        .block(Chart::new("Curve over categories", categories))
        .block(Chart::new("Matrix", matrix))
        .block(Chart::new("Boxes", boxes))
        .block(Chart::new("Densities", density))
        .block(Chart::new("Bars", bars))
        .block(Chart::new("Stacked bars", stacked))
        .block(Chart::new("Shares", shares))
        .block(Chart::new("Forest", forest))
        .block(Chart::new("Profile", profile))
        .block(Chart::new("Stacked profile", above))
}

fn empty() -> Section {
    let nothing = f64::NAN;
    Section::new("empty", "Empty charts")
        .block(Chart::new("No curve", Curve::new(Axis::new("x", 0), Axis::new("y", 0))))
        .block(Chart::new(
            "Nothing finite",
            Curve::new(Axis::new("x", 0), Axis::new("y", 0))
                .series(Series::new("a").point(1.0, nothing)),
        ))
        .block(Chart::new("No matrix", HeatMap::new(Axis::percent("x"))))
        .block(Chart::new("No boxes", BoxPlot::new("", Axis::new("x", 0))))
        .block(Chart::new(
            "No densities",
            Density::new("", Axis::new("x", 0)).samples("a", &[nothing]),
        ))
        .block(Chart::new(
            "No bars",
            Bars::new("", ["a"], Axis::new("x", 0)).series("a", [nothing]),
        ))
        .block(Chart::new("No forest", Forest::new("", Axis::new("x", 0)).row(ForestRow::new("a"))))
        .block(Chart::new("No profile", Profile::new(Axis::new("x", 0), Axis::new("y", 0))))
}
