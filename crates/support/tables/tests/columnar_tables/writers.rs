//! Tables as files.

use arrow_array::RecordBatch;
use arrow_ipc::writer::{FileWriter, StreamWriter};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, GzipLevel, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterVersion};
use proptest::prelude::*;

use super::columns::Table;

/// How a Parquet file is written.
#[derive(Clone, Debug)]
pub(super) struct Parquet {
    pub group: usize,
    pub page: usize,
    pub compression: Compression,
    pub dictionary: bool,
    pub version: WriterVersion,
}

impl Default for Parquet {
    fn default() -> Self {
        Self {
            group: 1 << 20,
            page: 1 << 20,
            compression: Compression::SNAPPY,
            dictionary: false,
            version: WriterVersion::PARQUET_1_0,
        }
    }
}

pub(super) fn parquets() -> impl Strategy<Value = Parquet> {
    let compression = prop::sample::select(vec![
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::LZ4,
        Compression::LZ4_RAW,
        Compression::GZIP(GzipLevel::default()),
        Compression::ZSTD(ZstdLevel::default()),
    ]);
    let version =
        prop::sample::select(vec![WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0]);
    let all = (
        1_usize..80,
        1_usize..40,
        compression,
        any::<bool>(),
        version,
    );
    all.prop_map(|(group, page, compression, dictionary, version)| Parquet {
        group,
        page,
        compression,
        dictionary,
        version,
    })
}

impl Parquet {
    pub(super) fn write(&self, table: &Table) -> Vec<u8> {
        let properties = WriterProperties::builder()
            .set_max_row_group_row_count(Some(self.group))
            .set_data_page_row_count_limit(self.page)
            .set_write_batch_size(self.page)
            .set_compression(self.compression)
            .set_dictionary_enabled(self.dictionary)
            .set_writer_version(self.version)
            .build();
        let batch = batch(table);
        let writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties));
        let mut writer = writer.unwrap();
        writer.write(&batch).unwrap();
        writer.into_inner().unwrap()
    }
}

fn batch(table: &Table) -> RecordBatch {
    let columns = table.columns.iter().enumerate();
    let columns = columns.map(|(index, column)| (format!("c{index}"), column.array(), true));
    RecordBatch::try_from_iter_with_nullable(columns).unwrap()
}

/// Two batches, of which the second is longer.
fn batches(table: &Table) -> [RecordBatch; 2] {
    let batch = batch(table);
    let first = table.rows / 3;
    [
        batch.slice(0, first),
        batch.slice(first, table.rows - first),
    ]
}

pub(super) fn arrow_file(table: &Table) -> Vec<u8> {
    let mut writer = FileWriter::try_new(Vec::new(), &batch(table).schema()).unwrap();
    batches(table)
        .iter()
        .for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap();
    writer.into_inner().unwrap()
}

pub(super) fn arrow_stream(table: &Table) -> Vec<u8> {
    let mut writer = StreamWriter::try_new(Vec::new(), &batch(table).schema()).unwrap();
    batches(table)
        .iter()
        .for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap();
    writer.into_inner().unwrap()
}

pub(super) fn csv(table: &Table) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let names = (0..table.columns.len()).map(|index| format!("c{index}"));
    writer.write_record(names).unwrap();
    for row in 0..table.rows {
        writer
            .write_record(table.columns.iter().map(|column| column.text(row)))
            .unwrap();
    }
    writer.into_inner().unwrap()
}
