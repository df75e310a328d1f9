"""Lists, parts of files and whole files: every client finds the same ones, and reads the same rows."""

import gzip

import pandas
import polars
import pyarrow.dataset
import pyarrow.fs
from connect import BUCKET, CSV_FOLDER, PARQUET_FOLDER, arrow, gcs_file_system, google, polars_options
from google.cloud.storage import transfer_manager

blobs = list(google().list_blobs(BUCKET, prefix=CSV_FOLDER, page_size=1))
names = [blob.name for blob in blobs]
assert [name.rsplit("/", 1)[1] for name in names] == ["manifest.json", "part-1-000000000000.csv.gz"], names
*_, packed = blobs
content = packed.download_as_bytes()
assert len(content) == packed.size
assert packed.download_as_bytes(start=10, end=19) == content[10:20]
with packed.open("rb", chunk_size=4096) as file:
    assert file.read() == content
transfer_manager.download_chunks_concurrently(packed, "chunks", chunk_size=4096, worker_type=transfer_manager.THREAD)
with open("chunks", "rb") as file:
    assert file.read() == content
header, *lines = gzip.decompress(content).decode().splitlines()

files = gcs_file_system()
folder = f"{BUCKET}/{CSV_FOLDER}"
assert files.find(folder) == [f"{BUCKET}/{name}" for name in names]
assert files.ls(folder) == [f"{BUCKET}/{names[0].rsplit('/', 1)[0]}"]
assert files.isdir(folder) and not files.exists(f"{folder}nothing")
assert files.cat_file(f"{BUCKET}/{packed.name}", start=10, end=20) == content[10:20]
rows = pandas.read_csv(files.open(f"{BUCKET}/{packed.name}"), compression="gzip")
assert [list(rows.columns), len(rows)] == [header.split(","), len(lines)]
parts = files.glob(f"{BUCKET}/{PARQUET_FOLDER}**/*.parquet")
assert len(pandas.read_parquet(parts, filesystem=files)) == len(lines)

store = arrow()
found = store.get_file_info(pyarrow.fs.FileSelector(folder, recursive=True))
assert [info.path for info in found] == [f"{BUCKET}/{name}" for name in names]
dataset = pyarrow.dataset.dataset(parts, filesystem=store)
assert dataset.count_rows() == len(lines)
with store.open_input_file(f"{BUCKET}/{packed.name}") as file:
    assert file.read_at(10, 10) == content[10:20]

scan = polars.scan_parquet(f"gs://{BUCKET}/{PARQUET_FOLDER}**/*.parquet", **polars_options())
assert scan.select(polars.len()).collect().item() == len(lines)
busiest = scan.sort("trips", descending=True).select("trips").head(1).collect().item()
assert busiest == rows["trips"].max() == dataset.to_table(columns=["trips"])["trips"].to_pandas().max()
packed_scan = polars.scan_csv(f"gs://{BUCKET}/{CSV_FOLDER}**/*.csv.gz", **polars_options())
assert packed_scan.select(polars.col("trips").sum()).collect().item() == rows["trips"].sum()
