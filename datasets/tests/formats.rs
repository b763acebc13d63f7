//! The formats as a user meets them: what is written is read again, and nothing makes a reader panic.

use std::fs;
use std::path::Path;

use datasets::{DataError, Dataset, OpenOptions, Target, TaskKind, open};
use ndarray::array;
use proptest::prelude::*;

fn open_bytes(name: &str, content: &[u8], options: &OpenOptions) -> Result<Dataset, DataError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    open(&path, options)
}

fn opened(name: &str, content: &str) -> Dataset {
    open_bytes(name, content.as_bytes(), &OpenOptions::default()).unwrap()
}

#[test]
fn any_column_can_be_the_target() {
    let text = "colour,size,y\nred,1.5,1\nblue,2,2\nred,3,3\n";
    let with = |target: &str| {
        let options = OpenOptions {
            target: Some(target.to_owned()),
            ..OpenOptions::default()
        };
        open_bytes("x.csv", text.as_bytes(), &options).unwrap()
    };
    assert_eq!(with("first").feature_names, ["size", "y"]);
    assert_eq!(with("size").task(), TaskKind::Regression);
    assert_eq!(with("2").target, with("size").target);
    assert_eq!(with("last").n_classes(), Some(3));
}

#[test]
fn a_file_without_extension_is_recognised() {
    assert_eq!(opened("plain", "1 1:0.5\n2 3:1\n").n_features(), 3);
    assert_eq!(opened("plain", "0.5 1 a\n2 3 b\n").n_features(), 2);
    assert_eq!(
        opened(
            "plain",
            "@attribute a real\n@attribute b {x,y}\n@data\n1,x\n2,y"
        )
        .n_features(),
        1
    );
}

#[test]
fn idx_images_find_their_labels() {
    let folder = tempfile::tempdir().unwrap();
    let images = folder.path().join("tiny-images-idx3-ubyte");
    fs::write(
        &images,
        [0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 9, 8, 7, 6],
    )
    .unwrap();
    fs::write(
        folder.path().join("tiny-labels-idx1-ubyte"),
        [0, 0, 8, 1, 0, 0, 0, 2, 3, 4],
    )
    .unwrap();
    let data = open(&images, &OpenOptions::default()).unwrap();
    assert_eq!(data.features, array![[9., 8.], [7., 6.]]);
    assert_eq!(data.n_classes(), Some(2));
}

/// Rows of finite numbers, all of one width, with a whole-number target that varies.
fn rows() -> impl Strategy<Value = Vec<(Vec<f32>, i32)>> {
    let cell = || prop_oneof![Just(0.0), -1e30_f32..1e30, -1.0_f32..1.0];
    (1_usize..6).prop_flat_map(move |width| {
        let row = (prop::collection::vec(cell(), width), -5..5);
        prop::collection::vec(row, 2..20)
    })
}

fn varies(rows: &[(Vec<f32>, i32)]) -> bool {
    rows.iter().any(|row| row.1 != rows[0].1)
}

fn assert_same(rows: &[(Vec<f32>, i32)], data: &Dataset) {
    let Target::Classes { labels, names } = &data.target else {
        panic!("classification")
    };
    for (i, (cells, class)) in rows.iter().enumerate() {
        let read = data.features.row(i).to_vec();
        // Columns that are zero in every row cannot be seen in a sparse file.
        assert_eq!(read, cells[..read.len()]);
        assert!(cells[read.len()..].iter().all(|cell| *cell == 0.0));
        assert_eq!(names[labels[i] as usize], class.to_string());
    }
}

proptest! {
    #[test]
    fn written_libsvm_is_read_again(rows in rows().prop_filter("target varies", |rows| varies(rows))) {
        let line = |(cells, class): &(Vec<f32>, i32)| {
            let cells = (1..).zip(cells).filter(|(_, x)| **x != 0.0).map(|(i, x)| format!(" {i}:{x}"));
            format!("{class}{}\n", cells.collect::<String>())
        };
        let text: String = rows.iter().map(line).collect();
        let any_cell = rows.iter().flat_map(|row| &row.0).any(|x| *x != 0.0);
        prop_assume!(any_cell);
        assert_same(&rows, &opened("x.svm", &text));
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), name in names()) {
        let _ = open_bytes(name, &bytes, &OpenOptions::default());
    }

    #[test]
    fn nearly_right_text_never_panics(text in "([-+0-9.e:,;?@'\"{}a%# \t\n\\\\]|nan|@data\n|@attribute a ){0,60}", name in names()) {
        let _ = open_bytes(name, text.as_bytes(), &OpenOptions::default());
    }

    #[test]
    fn damaged_headers_never_panic(head in prop::sample::select(HEADS), rest in prop::collection::vec(any::<u8>(), 0..60), name in names()) {
        let bytes = [head, &rest].concat();
        let _ = open_bytes(name, &bytes, &OpenOptions::default());
    }

    #[test]
    fn arbitrary_addresses_never_panic(address in "(friedman|letter|hypercube)?:?[a-z=,:]{0,20}") {
        // No digits: long numbers would be sizes, which take memory and do not panic.
        prop_assume!(!Path::new(&address).exists());
        let _ = open(&address, &OpenOptions::default());
    }
}

const HEADS: &[&[u8]] = &[
    b"\x1f\x8b\x08",
    b"BZh9",
    b"\0\0\x08\x03\0\0\0\x02",
    b"\0\0\x08\x01",
    b"@attribute a {",
    b"\xef\xbb\xbf1 1:",
];

fn names() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "x",
        "x.csv",
        "x.arff",
        "x.svm",
        "x.idx",
        "x-images-idx3-ubyte",
        "x.csv.gz",
    ])
}

/// On Unix a path is bytes, and need not be text.
#[cfg(unix)]
#[test]
fn a_path_that_is_not_text_is_opened() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(OsStr::from_bytes(b"x\xff.csv"));
    fs::write(&path, "a,y\n1,2\n3,4\n").unwrap();
    let data = open(&path, &OpenOptions::default()).unwrap();
    assert_eq!((data.rows(), data.name.as_str()), (2, "x\u{fffd}"));
}
