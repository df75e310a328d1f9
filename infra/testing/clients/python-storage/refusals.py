"""The token opens the customer's own folder, for reads alone: every client is refused elsewhere, and whatever would change a file."""

import polars
import pyarrow.fs
from connect import BUCKET, CSV_FOLDER, OTHER_FOLDER, arrow, gcs_file_system, google, polars_options

client, files, store = google(), gcs_file_system(), arrow()
[manifest, *_] = client.list_blobs(BUCKET, prefix=CSV_FOLDER)
mine = f"{BUCKET}/{manifest.name}"
foreign = f"{BUCKET}/{OTHER_FOLDER}"

# The parent of both folders, the bucket, and the names that only begin alike.
ABOVE = ["results/", "", OTHER_FOLDER.removesuffix("/"), "results"]
refused = {
    **{f"google: list {prefix!r}": lambda prefix=prefix: list(client.list_blobs(BUCKET, prefix=prefix)) for prefix in [*ABOVE, OTHER_FOLDER]},
    "google: read": lambda: client.bucket(BUCKET).blob(f"{OTHER_FOLDER}x").download_as_bytes(),
    "google: write": lambda: client.bucket(BUCKET).blob(f"{CSV_FOLDER}x").upload_from_string("x"),
    "google: overwrite": lambda: manifest.upload_from_string("x"),
    "google: copy": lambda: client.bucket(BUCKET).copy_blob(manifest, client.bucket(BUCKET), f"{CSV_FOLDER}x"),
    "google: change": lambda: setattr(manifest, "metadata", {"a": "b"}) or manifest.patch(),
    "google: delete": manifest.delete,
    "google: bucket": lambda: client.get_bucket(BUCKET),
    "gcsfs: list": lambda: files.ls(foreign),
    "gcsfs: read": lambda: files.cat_file(f"{foreign}x"),
    "gcsfs: write": lambda: files.pipe_file(f"{BUCKET}/{CSV_FOLDER}x", b"x"),
    "gcsfs: delete": lambda: files.rm_file(mine),
    "gcsfs: move": lambda: files.mv_file(mine, f"{mine}.x"),
    "arrow: list": lambda: store.get_file_info(pyarrow.fs.FileSelector(foreign)),
    "arrow: read": lambda: store.open_input_stream(f"{foreign}x").read(),
    "arrow: write": lambda: store.open_output_stream(f"{BUCKET}/{CSV_FOLDER}x").close(),
    "arrow: delete": lambda: store.delete_file(mine),
    "polars: list": lambda: polars.scan_parquet(f"gs://{foreign}*.parquet", **polars_options()).collect(),
    "polars: read": lambda: polars.scan_parquet(f"gs://{foreign}x.parquet", **polars_options()).collect(),
    "polars: write": lambda: polars.DataFrame({"a": [1]}).write_parquet(f"gs://{BUCKET}/{CSV_FOLDER}x", **polars_options()),
}
answered = []
for name, attempt in refused.items():
    try:
        attempt()
        answered.append(name)
    except Exception as error:
        said = str(error)
        assert any(word in said for word in ("orbidden", "PERMISSION_DENIED", "not authorized", "denied on resource")), f"{name}: {said}"
assert not answered, answered
