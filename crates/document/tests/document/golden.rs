//! What each writer makes of the sample. `UPDATE_GOLDEN=1 cargo test` writes the files anew.

use std::fs;

use spielbaum_document::{Block, Chart, Document, Section, html, latex, markdown, spec, text};

use crate::sample::sample;

fn compare(name: &str, written: &str) {
    let path = format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(path, written).unwrap();
        return;
    }
    let golden = fs::read_to_string(path).unwrap();
    for (at, (written, golden)) in written.lines().zip(golden.lines()).enumerate() {
        assert_eq!(written, golden, "{name}, line {}; UPDATE_GOLDEN=1 accepts the change", at + 1);
    }
    assert_eq!(written.len(), golden.len(), "{name}; UPDATE_GOLDEN=1 accepts the change");
}

/// The page without the programs and styles that every page has.
fn own(page: &str) -> String {
    let mut out = String::new();
    let mut rest = page;
    for (open, close) in [
        ("<style>", "</style>"),
        ("<script type=\"text/plain\" id=\"licences\">", "</script>"),
        ("<script>", "</script>"),
        ("<script>", "</script>"),
        ("<script>", "</script>"),
        // The data of the charts are compared as specifications.
        ("<script type=\"application/json\" id=\"charts\">", "</script>"),
        ("<script>", "</script>"),
    ] {
        let (before, after) = rest.split_once(open).unwrap();
        let (inside, after) = after.split_once(close).unwrap();
        assert!(inside.len() > 1000, "{open} is empty");
        out += before;
        out += open;
        out += "…";
        out += close;
        rest = after;
    }
    out + rest
}

fn charts(document: &Document) -> Vec<&Chart> {
    fn inside<'a>(section: &'a Section, found: &mut Vec<&'a Chart>) {
        for block in &section.blocks {
            if let Block::Chart(chart) = block {
                found.push(chart);
            }
        }
        section.sections.iter().for_each(|section| inside(section, found));
    }
    let mut found = Vec::new();
    document.sections.iter().for_each(|section| inside(section, &mut found));
    found
}

#[test]
fn html_is_golden() {
    compare("sample.html", &own(&html(&sample())));
}

#[test]
fn text_is_golden() {
    compare("sample-100.txt", &text(&sample(), 100));
    compare("sample-60.txt", &text(&sample(), 60));
}

#[test]
fn markdown_is_golden() {
    compare("sample.md", &markdown(&sample()));
}

#[test]
fn latex_is_golden() {
    compare("sample.tex", &latex(&sample()));
}

#[test]
fn specifications_are_golden() {
    let document = sample();
    let specs = charts(&document).into_iter().map(|chart| {
        let mut spec = spec(chart);
        // The same in all of them.
        assert!(spec.as_object_mut().unwrap().remove("config").is_some());
        spec.to_string() + "\n"
    });
    compare("sample-charts.json", &specs.collect::<String>());
}

#[test]
fn the_theme_names_every_style() {
    let document = sample();
    for chart in charts(&document) {
        let spec = spec(chart);
        for layer in spec["layer"].as_array().unwrap() {
            if let Some(style) = layer["mark"]["style"].as_str() {
                assert!(spec["config"]["style"].get(style).is_some(), "no style `{style}`");
            }
        }
    }
}

#[test]
fn a_page_is_small_and_loads_nothing() {
    let page = html(&sample());
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
    let own = own(&page);
    for loads in ["src=", "http://", "https://", "@import", "url("] {
        assert!(!own.contains(loads), "{loads}");
    }
    assert!(page.contains("Content-Security-Policy"));
}

#[test]
fn a_page_without_charts_has_no_programs() {
    let page = html(&Document::new("words").section(Section::new("a", "A").paragraph("b")));
    assert!(!page.contains("<script"));
    assert!(page.len() < 10_000, "{} bytes", page.len());
}

#[test]
fn an_empty_document_is_written() {
    let empty = Document::default();
    assert!(html(&empty).contains("<h1></h1>"));
    assert!(latex(&empty).contains("\\begin{document}"));
    assert_eq!(markdown(&empty), "# \n");
    assert_eq!(text(&empty, 0), "\n\n");
}

/// Two writings are the same bytes; there is no order of a hash table in them.
#[test]
fn writing_again_gives_the_same() {
    assert_eq!(html(&sample()), html(&sample()));
    assert_eq!(latex(&sample()), latex(&sample()));
}
