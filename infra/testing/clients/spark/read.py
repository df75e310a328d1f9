"""A job's CSV and Parquet files by gs://, by name: the rows of the manifest, and the same sums. Other folders and writes are refused."""

import os

from pyspark.sql import SparkSession

BUCKET = f"gs://{os.environ['BUCKET']}"
USER_FOLDER = f"{BUCKET}/results/{os.environ['USER_ID']}"
OTHER_FOLDER = f"{BUCKET}/results/{os.environ['OTHER_USER_ID']}"
CSV, PARQUET = (f"{USER_FOLDER}/{os.environ[name]}" for name in ("ID", "PARQUET_ID"))

# As the customer's guide says.
settings = {
    "fs.gs.impl": "com.google.cloud.hadoop.fs.gcs.GoogleHadoopFileSystem",
    "fs.gs.storage.root.url": os.environ["STORAGE"] + "/",
    "fs.gs.auth.type": "ACCESS_TOKEN_PROVIDER",
    "fs.gs.auth.access.token.provider.impl": "Token",
    "fs.gs.block.size": 64 << 20,
    "fs.gs.rewrite.max.chunk.size": 512 << 20,
    "fs.gs.outputstream.buffer.size": 8 << 20,
    "fs.gs.inputstream.inplace.seek.limit": 8 << 20,
    "fs.gs.inputstream.min.range.request.size": 2 << 20,
}
builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
builder = builder.config("spark.driver.extraClassPath", f"{os.environ['CONNECTOR']}:{os.environ['CLASSES']}")
for name, value in settings.items():
    builder = builder.config(f"spark.hadoop.{name}", value)
spark = builder.getOrCreate()

csv = spark.read.csv(f"{CSV}/*/*.csv.gz", header=True, inferSchema=True)
parquet = spark.read.parquet(f"{PARQUET}/*/*.parquet")
manifest = spark.read.json(f"{PARQUET}/*/manifest.json", multiLine=True).first()
by_glob = spark.read.csv(f"{CSV}/odm_daily_trips", header=True, pathGlobFilter="*.csv.gz")
assert csv.columns == parquet.columns == by_glob.columns, csv.columns
assert csv.count() == parquet.count() == by_glob.count() == manifest["total_rows"] > 0, csv.count()
sums = ["sum(trips)", "sum(origin_geo_id)", "sum(destination_geo_id)", "round(sum(General_Distance), 3)", "max(batch_date)"]
assert csv.selectExpr(*sums).first() == parquet.selectExpr(*sums).first(), csv.selectExpr(*sums).first()


def files():
    return sorted(file.path for file in spark.read.format("binaryFile").load(f"{CSV}/*/*").select("path").collect())


before = files()
attempts = {
    "read": lambda: spark.read.parquet(f"{OTHER_FOLDER}/x/*/*.parquet"),
    "list": lambda: spark.read.parquet(f"{OTHER_FOLDER}/*/*/*.parquet"),
    "bucket": lambda: spark.read.parquet(f"{BUCKET}/results/*/*/*/*.parquet"),
    "write": lambda: parquet.write.parquet(f"{CSV}/mine"),
    "append": lambda: parquet.write.mode("append").parquet(f"{CSV}/odm_daily_trips"),
    "overwrite": lambda: parquet.write.mode("overwrite").parquet(f"{CSV}/odm_daily_trips"),
}
for name, attempt in attempts.items():
    try:
        attempt()
    except Exception as error:
        # Before it writes, the connector looks for each folder above. It leaves the 403 out of that error, and of one about deletions.
        words = ("403 Forbidden", f"Error getting '{USER_FOLDER}' object", "Unable to clear output directory")
        assert any(word in str(error) for word in words), f"{name}: {error}"
        continue
    raise AssertionError(f"{name} was not refused")
assert files() == before and len(before) == 2, files()
