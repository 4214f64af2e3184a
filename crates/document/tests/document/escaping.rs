//! Whatever the words, the markup around them stays what it is.

use proptest::prelude::*;
use spielbaum_document::{
    Axis, Bars, Cell, Chart, Column, Curve, Document, Forest, ForestRow, HeatMap, List, Section,
    Series, Table, Text, html, latex, markdown, spec, table_latex, table_markdown, table_text,
    text,
};

/// Words made of what some writer must escape.
fn words() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[ -~]{1,6}",
        Just("</script>".to_string()),
        Just("<!--".into()),
        Just("]]>".into()),
        Just("\\end{document}".into()),
        Just("^^M".into()),
        Just("| --- |".into()),
        Just("\u{1b}[31m".into()),
        Just("\u{0}\n\t\r".into()),
        Just("\u{2028}帥\u{301}∞−".into()),
        any::<char>().prop_map(String::from),
    ];
    proptest::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat())
}

fn document(w: &str) -> Document {
    let table = Table::new(w)
        .column(Column::label(w))
        .column(Column::number(w).unit(w))
        .row([Cell::text(w), Cell::real(1.0, 1).between(0.0, 2.0).note(w)])
        .row([Cell::code(w).strong(), Cell::empty()]);
    let curve =
        Curve::new(Axis::new(w, 0), Axis::percent(w)).series(Series::new(w).point(1.0, 0.5));
    let labelled =
        Curve::new(Axis::new(w, 0), Axis::percent(w)).series(Series::new(w).point(w, 0.5));
    let bars = Bars::new(w, [w, w], Axis::new(w, 0)).series(w, [1.0, 2.0]).series(w, [2.0, 1.0]);
    let matrix = HeatMap::new(Axis::percent(w)).columns([w]).row(w, [Some(0.3.into())]);
    let forest =
        Forest::new(w, Axis::percent(w)).row(ForestRow::new(w).measured(0.4).published(0.5));
    Document::new(w).subtitle(w).meta(w, w).section(
        Section::new(w, w)
            .paragraph(w)
            .paragraph(Text::markup(w).emphasis(w).code(w).link(w, w))
            .block(List::bullets([w]))
            .block(table)
            .block(Chart::new(w, curve))
            .block(Chart::new(w, labelled))
            .block(Chart::new(w, bars))
            .block(Chart::new(w, matrix))
            .block(Chart::new(w, forest)),
    )
}

/// The names of all elements of a page, and whether every attribute is closed.
fn elements(page: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let name: String =
            rest.chars().take_while(|c| c.is_ascii_alphanumeric() || "/!".contains(*c)).collect();
        let mut quoted = false;
        let end = rest.find(|c| {
            quoted ^= c == '"';
            c == '>' && !quoted
        });
        rest = &rest[end.expect("every tag is closed")..];
        if name == "script" {
            rest = &rest[rest.find("</script>").expect("every script is closed")..];
        }
        names.push(name);
    }
    names
}

/// Commands and braces of LaTeX: every brace that is not escaped has its partner.
fn balanced(source: &str) -> bool {
    let mut depth = 0i64;
    let mut chars = source.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn html_keeps_its_elements(w in words()) {
        // Markup in the words is no markup here, so the page has the elements of a plain one.
        let count = |w: &str| {
            // Never empty: what is empty is left out.
            let w = &format!("{w}.");
            let mut page = document(w);
            page.sections[0].blocks[1] = Text::from(w.as_str()).emphasis(w).code(w).link("elsewhere", w).into();
            elements(&html(&page))
        };
        prop_assert_eq!(count(&w), count("plain"));
    }

    #[test]
    fn html_has_no_control_characters(w in words()) {
        let page = html(&document(&w));
        let body = page.split_once("<body>").unwrap().1.split_once("</main>").unwrap().0;
        prop_assert!(!body.chars().any(|c| c.is_control() && c != '\n' && c != '\t'));
    }

    #[test]
    fn specifications_keep_their_words(w in words()) {
        let chart = Chart::new(w.clone(), Curve::new(Axis::new("x", 0), Axis::new("y", 0))
            .series(Series::new(w.clone()).point(1.0, 1.0)));
        let read: serde_json::Value = serde_json::from_str(&spec(&chart).to_string()).unwrap();
        prop_assert_eq!(read["title"]["text"].as_str(), Some(w.as_str()));
        prop_assert_eq!(read["data"]["values"][0]["name"].as_str(), Some(w.as_str()));
    }

    #[test]
    fn latex_is_balanced_and_knows_its_characters(w in words()) {
        let source = latex(&document(&w));
        prop_assert!(balanced(&source), "{source}");
        prop_assert!(source.chars().all(|c| c == '\n' || (' '..='~').contains(&c) || ('À'..='ÿ').contains(&c)));
        // No comment and no end but our own.
        prop_assert_eq!(source.matches("\\end{document}").count(), 1);
        for line in source.lines() {
            for (at, _) in line.match_indices('%') {
                prop_assert!(line[..at].ends_with('\\') || line[at..] == *"%", "{line}");
            }
        }
    }

    #[test]
    fn tables_keep_their_shape(w in words()) {
        let table = Table::new("t")
            .column(Column::label("a"))
            .column(Column::text(w.clone()))
            .row([Cell::text(w.clone()), Cell::code(w)]);
        let markdown = table_markdown(&table);
        for line in markdown.lines().skip(2) {
            // A bar after a backslash is none, whatever stands before (GitHub's tables).
            let bars = line.matches('|').count() - line.matches("\\|").count();
            prop_assert_eq!(bars, 3, "{}", markdown);
        }
        prop_assert_eq!(markdown.lines().count(), 5);
        let latex = table_latex(&table);
        let rows = latex.lines().filter(|line| line.ends_with(" \\\\"));
        for row in rows {
            let cells = row.replace("\\&", "").matches('&').count();
            prop_assert_eq!(cells, 1, "{}", row);
        }
        let shown = table_text(&table, 40);
        prop_assert!(!shown.replace('\n', "").contains(char::is_control));
    }

    #[test]
    fn terminals_get_no_control_characters(w in words(), columns in 0usize..120) {
        let shown = text(&document(&w), columns);
        prop_assert!(!shown.chars().any(|c| c.is_control() && c != '\n'));
    }

    #[test]
    fn markdown_begins_no_block_of_its_own(w in words()) {
        let written = markdown(&Document::new("t").section(Section::new("s", "s").paragraph(w)));
        // Title, anchor, heading, paragraph: nothing the words could add.
        let lines: Vec<&str> = written.lines().filter(|line| !line.is_empty()).collect();
        prop_assert!(lines.len() <= 4, "{written}");
        if let Some(paragraph) = lines.get(3) {
            let first = paragraph.trim_start_matches(|c: char| c.is_ascii_digit());
            prop_assert!(!paragraph.starts_with(['#', '>', '-', '+', '*', '=', '|', '`', '<', '~', ' ']), "{written}");
            prop_assert!(first.len() == paragraph.len() || !(first == "." || first.starts_with(". ")), "{written}");
        }
    }
}
