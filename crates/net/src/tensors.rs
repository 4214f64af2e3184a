//! Named tensors of `f32` in a safetensors file: an eight-byte length, a JSON header, the numbers.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use serde_json::{Map, Value};

use crate::error::NetError;

/// Headers beyond this are refused, as by the format's own reader.
const MAX_HEADER: usize = 100_000_000;

/// A tensor: its numbers in row-major order.
#[derive(Debug, Clone, PartialEq)]
pub struct Tensor {
    /// Name, unique in its file.
    pub name: String,
    /// Extent of each dimension, slowest first.
    pub dims: Vec<usize>,
    /// The numbers.
    pub data: Vec<f32>,
}

/// Tensors in order, with free texts beside them: the content of a safetensors file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tensors {
    /// Texts of the header.
    pub metadata: BTreeMap<String, String>,
    /// The tensors.
    pub list: Vec<Tensor>,
}

impl Tensors {
    /// Returns the tensor of a name.
    ///
    /// # Errors
    ///
    /// There is none of this name, or its extents are others.
    pub fn get(&self, name: &str, dims: &[usize]) -> Result<&Tensor, NetError> {
        let tensor = self.list.iter().find(|tensor| tensor.name == name);
        let tensor = tensor.ok_or_else(|| NetError::tensor(name, "missing"))?;
        if tensor.dims != dims || tensor.data.len() != dims.iter().product::<usize>() {
            let problem = format!("is {:?}, should be {dims:?}", tensor.dims);
            return Err(NetError::tensor(name, problem));
        }
        Ok(tensor)
    }

    /// The content as bytes of a safetensors file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut header = Map::new();
        if !self.metadata.is_empty() {
            let texts = self.metadata.iter();
            let texts = texts.map(|(key, text)| (key.clone(), Value::from(text.as_str())));
            header.insert("__metadata__".to_owned(), Value::Object(texts.collect()));
        }
        let mut offset = 0;
        for tensor in &self.list {
            let end = offset + 4 * tensor.data.len();
            header.insert(
                tensor.name.clone(),
                serde_json::json!({"dtype": "F32", "shape": tensor.dims, "data_offsets": [offset, end]}),
            );
            offset = end;
        }
        let mut header = Value::Object(header).to_string().into_bytes();
        // The numbers start at a multiple of eight.
        header.resize(header.len().next_multiple_of(8), b' ');
        let mut bytes = Vec::with_capacity(8 + header.len() + offset);
        bytes.extend((header.len() as u64).to_le_bytes());
        bytes.extend(header);
        for tensor in &self.list {
            bytes.extend(tensor.data.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes
    }

    /// Reads the bytes of a safetensors file.
    ///
    /// # Errors
    ///
    /// Says what is wrong with the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Tensors, String> {
        let (length, rest) = bytes
            .split_first_chunk::<8>()
            .ok_or("not a safetensors file: shorter than eight bytes")?;
        let length = u64::from_le_bytes(*length);
        let length = usize::try_from(length)
            .ok()
            .filter(|length| *length <= MAX_HEADER && *length <= rest.len())
            .ok_or("not a safetensors file, or cut off: the header does not fit")?;
        let (header, data) = rest.split_at(length);
        let header: Map<String, Value> = serde_json::from_slice(header)
            .map_err(|error| format!("not a safetensors file: the header is no JSON: {error}"))?;
        let mut tensors = Tensors::default();
        let mut places = Vec::new();
        for (name, entry) in header {
            if name == "__metadata__" {
                let texts = entry.as_object().ok_or("`__metadata__` is no object")?;
                for (key, text) in texts {
                    let text = text.as_str();
                    let text = text.ok_or_else(|| format!("metadata `{key}` is no text"))?;
                    tensors.metadata.insert(key.clone(), text.to_owned());
                }
                continue;
            }
            let numbers = |field: &str| -> Option<Vec<usize>> {
                let list = entry.get(field)?.as_array()?.iter();
                list.map(|number| usize::try_from(number.as_u64()?).ok()).collect()
            };
            let dtype = entry.get("dtype").and_then(Value::as_str).unwrap_or("none");
            if dtype != "F32" {
                return Err(format!("tensor `{name}` has numbers of type {dtype}; F32 is wanted"));
            }
            let dims = numbers("shape").ok_or_else(|| format!("tensor `{name}` has no shape"))?;
            let place = numbers("data_offsets").unwrap_or_default();
            let size = dims.iter().try_fold(4usize, |size, dim| size.checked_mul(*dim));
            match (place.as_slice(), size) {
                ([start, end], Some(size)) if end.checked_sub(*start) == Some(size) => {
                    let numbers = data.get(*start..*end);
                    let numbers = numbers.ok_or_else(|| {
                        format!("cut off: tensor `{name}` ends at byte {end} of {}", data.len())
                    })?;
                    let (numbers, _) = numbers.as_chunks::<4>();
                    let numbers = numbers.iter().map(|number| f32::from_le_bytes(*number));
                    places.push((*start, tensors.list.len()));
                    tensors.list.push(Tensor { name, dims, data: numbers.collect() });
                }
                _ => return Err(format!("tensor `{name}`: offsets and shape do not agree")),
            }
        }
        // In the order of the numbers: a JSON object has none.
        places.sort_unstable();
        let mut list: Vec<_> = tensors.list.into_iter().map(Some).collect();
        tensors.list = places.iter().filter_map(|(_, at)| list[*at].take()).collect();
        Ok(tensors)
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// Names the file and what is wrong with it.
    pub fn load(path: &Path) -> Result<Tensors, NetError> {
        let bytes = std::fs::read(path).map_err(|error| NetError::file(path, error))?;
        Tensors::from_bytes(&bytes).map_err(|problem| NetError::file(path, problem))
    }

    /// Writes a file; a reader sees the old one or the new one, never a part.
    ///
    /// # Errors
    ///
    /// Names the file and what is wrong.
    pub fn save(&self, path: &Path) -> Result<(), NetError> {
        let error = |error: std::io::Error| NetError::file(path, error);
        let name = path.file_name().ok_or_else(|| NetError::file(path, "names no file"))?;
        let mut part = name.to_owned();
        part.push(format!(".{}.part", std::process::id()));
        let part = path.with_file_name(part);
        let write = || {
            let mut file = BufWriter::new(File::create(&part)?);
            file.write_all(&self.to_bytes())?;
            file.into_inner()?.sync_all()?;
            std::fs::rename(&part, path)
        };
        write().map_err(|problem| {
            // Best effort: the error to tell is the first one.
            let _ = std::fs::remove_file(&part);
            error(problem)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Tensors {
        let tensor = |name: &str, dims: &[usize], data: &[f32]| Tensor {
            name: name.to_owned(),
            dims: dims.to_vec(),
            data: data.to_vec(),
        };
        Tensors {
            metadata: [("game".to_owned(), "gomoku \"6x6\"".to_owned())].into(),
            list: vec![
                tensor("z", &[2, 3], &[1.0, -2.0, 0.1, f32::MIN_POSITIVE, 5.0, f32::MAX]),
                tensor("a", &[], &[7.0]),
                tensor("empty", &[0, 4], &[]),
            ],
        }
    }

    #[test]
    fn bytes_read_back() {
        let tensors = example();
        let bytes = tensors.to_bytes();
        let mut back = Tensors::from_bytes(&bytes).unwrap();
        back.list.sort_by_key(|tensor| ["z", "a", "empty"].iter().position(|n| *n == tensor.name));
        assert_eq!(back, tensors);
        assert_eq!(back.get("z", &[2, 3]).unwrap().data[1], -2.0);
        assert!(back.get("z", &[3, 2]).is_err() && back.get("y", &[]).is_err());
    }

    #[test]
    fn bad_bytes_are_refused() {
        let bytes = example().to_bytes();
        for end in 0..bytes.len() {
            assert!(Tensors::from_bytes(&bytes[..end]).is_err(), "{end}");
        }
        let header = |json: &str| {
            let mut bytes = (json.len() as u64).to_le_bytes().to_vec();
            bytes.extend(json.bytes());
            bytes.extend([0; 8]);
            Tensors::from_bytes(&bytes).unwrap_err()
        };
        assert!(header("[]").contains("header"));
        assert!(
            header(r#"{"a":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}}"#).contains("F16")
        );
        assert!(
            header(r#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}"#).contains("agree")
        );
        assert!(
            header(r#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}}"#).contains("agree")
        );
        let huge = r#"{"a":{"dtype":"F32","shape":[9223372036854775807,9],"data_offsets":[0,4]}}"#;
        assert!(header(huge).contains("agree"));
        assert!(
            header(r#"{"a":{"dtype":"F32","shape":[3],"data_offsets":[0,12]}}"#)
                .contains("cut off")
        );
    }

    #[test]
    fn files_are_replaced_whole() {
        let folder = std::env::temp_dir().join(format!("spielbaum-net-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.safetensors");
        example().save(&path).unwrap();
        example().save(&path).unwrap();
        assert_eq!(Tensors::load(&path).unwrap().to_bytes(), example().to_bytes());
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        let missing = folder.join("none/b.safetensors");
        assert!(example().save(&missing).unwrap_err().to_string().contains("none"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
