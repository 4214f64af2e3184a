//! LaTeX for a thesis: booktabs tables, charts drawn by pgfplots. Compiles with pdfLaTeX.

use std::fmt::Write as _;

use super::latex_chart::chart_latex;
use super::latex_table::table_latex;
use crate::outline::Outline;
use crate::{Block, Document, Section, Span, Text};

/// What tables and charts need; a thesis has most of it already.
const PREAMBLE: &str = r"\documentclass[a4paper,11pt]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage[margin=25mm]{geometry}
\usepackage{amsmath,amssymb}
\usepackage{booktabs,longtable,array,float}
\usepackage[table]{xcolor}
\usepackage{graphicx}
\usepackage{pgfplots}
\usepgfplotslibrary{statistics}
\pgfplotsset{compat=1.16}
\usepackage[hidelinks]{hyperref}
";

/// The document as LaTeX. Tables need the packages `booktabs`, `longtable`, `array`, `graphicx`,
/// `amssymb`; charts `pgfplots` with its library `statistics`, and `xcolor` with its option `table`.
#[must_use]
pub fn latex(document: &Document) -> String {
    let mut writer = Writer { out: PREAMBLE.into(), outline: Outline::new(document), sections: 0 };
    let _ = write!(writer.out, "\\title{{{}", escape(&document.title));
    if !document.subtitle.is_empty() {
        let _ = write!(writer.out, "\\\\[0.5ex]\\large {}", escape(&document.subtitle));
    }
    writer.out.push_str("}\n\\author{}\n\\date{}\n\\begin{document}\n\\maketitle\n");
    if !document.meta.is_empty() {
        writer.out.push_str("\\begin{description}\n");
        for (key, value) in &document.meta {
            let _ = writeln!(writer.out, "\\item[{{{}}}] {}", escape(key), escape(value));
        }
        writer.out.push_str("\\end{description}\n");
    }
    for section in &document.sections {
        writer.section(section, 0);
    }
    writer.out.push_str("\\end{document}\n");
    writer.out
}

/// Text as LaTeX. Letters of the T1 encoding stay, known signs become commands, and what plain
/// LaTeX has no glyph for is named by its code point, so that everything compiles.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let command = match c {
            '\\' => "\\textbackslash{}",
            '{' => "\\{",
            '}' => "\\}",
            '$' => "\\$",
            '&' => "\\&",
            '#' => "\\#",
            '%' => "\\%",
            '_' => "\\_",
            '^' => "\\textasciicircum{}",
            '~' => "\\textasciitilde{}",
            '<' => "\\textless{}",
            '>' => "\\textgreater{}",
            '|' => "\\textbar{}",
            '"' => "\\textquotedbl{}",
            // Ligatures: `--`, `''`, `?'` are not what was written.
            '-' => "{-}",
            '\'' => "{\\textquotesingle}",
            '`' => "{\\textasciigrave}",
            // A bracket may begin an optional argument.
            '[' => "{[}",
            ']' => "{]}",
            '\u{202f}' => "\\,",
            '\u{a0}' => "~",
            '–' => "{--}",
            '—' => "{---}",
            '…' => "\\ldots{}",
            '•' | '·' => "\\textperiodcentered{}",
            '‘' => "{`}",
            '’' => "{'}",
            '“' => "{``}",
            '”' => "{''}",
            '°' => "\\ensuremath{{}^\\circ}",
            '−' => "\\ensuremath{-}",
            '±' => "\\ensuremath{\\pm}",
            '×' => "\\ensuremath{\\times}",
            '√' => "\\ensuremath{\\surd}",
            '∞' => "\\ensuremath{\\infty}",
            '≈' => "\\ensuremath{\\approx}",
            '≠' => "\\ensuremath{\\neq}",
            '≤' => "\\ensuremath{\\le}",
            '≥' => "\\ensuremath{\\ge}",
            '→' => "\\ensuremath{\\to}",
            '←' => "\\ensuremath{\\leftarrow}",
            '✓' => "\\ensuremath{\\checkmark}",
            '✗' => "\\ensuremath{\\times}",
            'α' => "\\ensuremath{\\alpha}",
            'β' => "\\ensuremath{\\beta}",
            'γ' => "\\ensuremath{\\gamma}",
            'δ' => "\\ensuremath{\\delta}",
            'Δ' => "\\ensuremath{\\Delta}",
            'ε' => "\\ensuremath{\\varepsilon}",
            'λ' => "\\ensuremath{\\lambda}",
            'μ' | 'µ' => "\\ensuremath{\\mu}",
            'π' => "\\ensuremath{\\pi}",
            'σ' => "\\ensuremath{\\sigma}",
            'χ' => "\\ensuremath{\\chi}",
            '²' => "\\ensuremath{{}^2}",
            '³' => "\\ensuremath{{}^3}",
            '½' => "\\ensuremath{\\tfrac12}",
            '\n' | '\t' | '\r' => " ",
            ' '..='~' | 'À'..='Ö' | 'Ø'..='ö' | 'ø'..='ÿ' => {
                out.push(c);
                continue;
            }
            c if c.is_control() => continue,
            c => {
                let _ = write!(out, "\\textsf{{[U+{:04X}]}}", c as u32);
                continue;
            }
        };
        out.push_str(command);
    }
    out
}

/// A report has little text between its figures: they stay where they are.
fn here(float: &str) -> String {
    float.replacen("[!htbp]", "[H]", 1)
}

struct Writer {
    out: String,
    outline: Outline,
    sections: usize,
}

impl Writer {
    fn section(&mut self, section: &Section, depth: usize) {
        let command = ["section", "subsection", "subsubsection", "paragraph"][depth.min(3)];
        let label = self.outline.nth(self.sections);
        self.sections += 1;
        let title = escape(&section.title);
        let _ = writeln!(self.out, "\n\\{command}{{{title}}}\\label{{{label}}}");
        self.blocks(&section.blocks);
        for inner in &section.sections {
            self.section(inner, depth + 1);
        }
    }

    fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            self.out.push('\n');
            match block {
                Block::Paragraph(text) => {
                    let text = self.inline(text);
                    let _ = writeln!(self.out, "{text}");
                }
                Block::Notice(notice) => {
                    let (word, text) = (notice.kind.word(), self.inline(&notice.text));
                    let _ = writeln!(
                        self.out,
                        "\\begin{{quote}}\n\\textbf{{{word}.}} {text}\n\\end{{quote}}"
                    );
                }
                Block::List(list) if list.items.is_empty() => {}
                Block::List(list) => {
                    let kind = if list.ordered { "enumerate" } else { "itemize" };
                    let _ = writeln!(self.out, "\\begin{{{kind}}}");
                    for item in &list.items {
                        let item = self.inline(item);
                        let _ = writeln!(self.out, "\\item {item}");
                    }
                    let _ = writeln!(self.out, "\\end{{{kind}}}");
                }
                Block::Table(table) => self.out.push_str(&here(&table_latex(table))),
                Block::Chart(chart) => self.out.push_str(&here(&chart_latex(chart))),
                Block::Details { summary, blocks } => {
                    let _ = writeln!(self.out, "\\paragraph{{{}}}", escape(summary));
                    self.blocks(blocks);
                }
            }
        }
    }

    fn inline(&self, text: &Text) -> String {
        let mut out = String::new();
        for span in &text.0 {
            let words = escape(span.words());
            let _ = match span {
                Span::Plain(_) => write!(out, "{words}"),
                Span::Emphasis(_) => write!(out, "\\emph{{{words}}}"),
                Span::Strong(_) => write!(out, "\\textbf{{{words}}}"),
                Span::Code(_) => write!(out, "\\texttt{{{words}}}"),
                Span::Link { section, .. } => match self.outline.find(section) {
                    Some(label) => write!(out, "\\hyperref[{label}]{{{words}}}"),
                    None => write!(out, "{words}"),
                },
            };
        }
        out
    }
}
