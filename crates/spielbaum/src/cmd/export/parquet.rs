//! Parquet: columns with their types, in groups of rows.

use crate::failure::{Failure, Outcome};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use spielbaum_lab::{Cell, Column, ColumnKind, Results};
use std::fs::File;
use std::sync::Arc;

/// Rows of a group: what is held in memory at a time.
const GROUP: usize = 10_000;

pub(super) fn write(results: &Results, file: File) -> Outcome {
    let columns = results.columns();
    let fields: String = columns.iter().map(field).collect();
    let schema =
        parse_message_type(&format!("message games {{ {fields} }}")).map_err(|e| failed(&e))?;
    let mut writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::default())
        .map_err(|e| failed(&e))?;
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    results.rows(|row| {
        rows.push(row);
        if rows.len() == GROUP { group(&mut writer, &columns, &mut rows) } else { Ok(()) }
    })?;
    if !rows.is_empty() {
        group(&mut writer, &columns, &mut rows)?;
    }
    writer.close().map_err(|e| failed(&e))?;
    Ok(())
}

fn failed(e: &ParquetError) -> Failure {
    Failure::Task(format!("the Parquet file cannot be written: {e}"))
}

fn field(column: &Column) -> String {
    let name = &column.name;
    match column.kind {
        ColumnKind::Int => format!("OPTIONAL INT64 {name}; "),
        ColumnKind::Real => format!("OPTIONAL DOUBLE {name}; "),
        ColumnKind::Text => format!("OPTIONAL BYTE_ARRAY {name} (STRING); "),
        ColumnKind::Flag => format!("OPTIONAL BOOLEAN {name}; "),
    }
}

fn group(
    writer: &mut SerializedFileWriter<File>,
    columns: &[Column],
    rows: &mut Vec<Vec<Cell>>,
) -> Outcome {
    let mut group = writer.next_row_group().map_err(|e| failed(&e))?;
    for (i, column) in columns.iter().enumerate() {
        let cells = || rows.iter().map(|row| &row[i]);
        match column.kind {
            ColumnKind::Int => write_column::<Int64Type>(&mut group, cells().map(int)),
            ColumnKind::Real => write_column::<DoubleType>(&mut group, cells().map(real)),
            ColumnKind::Text => write_column::<ByteArrayType>(&mut group, cells().map(text)),
            ColumnKind::Flag => write_column::<BoolType>(&mut group, cells().map(flag)),
        }
        .map_err(|e| failed(&e))?;
    }
    group.close().map_err(|e| failed(&e))?;
    rows.clear();
    Ok(())
}

fn write_column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, File>,
    cells: impl Iterator<Item = Option<T::T>>,
) -> Result<(), ParquetError> {
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    for cell in cells {
        levels.push(i16::from(cell.is_some()));
        values.extend(cell);
    }
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General("a column is missing".to_string()));
    };
    column.typed::<T>().write_batch(&values, Some(&levels), None)?;
    column.close()
}

fn int(cell: &Cell) -> Option<i64> {
    match cell {
        Cell::Int(n) => Some(*n),
        // Beyond what the type holds.
        Cell::Real(_) => Some(i64::MAX),
        _ => None,
    }
}

fn real(cell: &Cell) -> Option<f64> {
    match cell {
        Cell::Real(x) => Some(*x),
        Cell::Int(n) => Some(*n as f64),
        _ => None,
    }
}

fn text(cell: &Cell) -> Option<ByteArray> {
    match cell {
        Cell::Text(text) => Some(ByteArray::from(text.as_str())),
        _ => None,
    }
}

fn flag(cell: &Cell) -> Option<bool> {
    match cell {
        Cell::Flag(flag) => Some(*flag),
        _ => None,
    }
}
