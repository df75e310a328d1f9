"""Files as Spark writes them, unless it is told otherwise: folders of parts, instants as INT96, columns that are folders. Beside the rows as CSV."""

import os

from pyspark.sql import SparkSession

EXAMPLES = os.environ["EXAMPLES"]

builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
# Instants are the same in every zone.
spark = builder.config("spark.sql.session.timeZone", "America/New_York").getOrCreate()
for table, folders in (("activities_hourly", ["country_code", "geo_type"]), ("odm_daily", ["batch_date"])):
    with open(f"{EXAMPLES}/{table}.csv") as example, open(f"{table}.csv", "w") as copy:
        # A country without rules for devices.
        copy.write(example.read().replace("LTU,", "NOM,"))
    rows = spark.read.csv(f"{table}.csv", header=True, inferSchema=True)
    rows.repartition(3).write.parquet(f"{table}.parts.parquet")
    rows.write.partitionBy(*folders).parquet(f"{table}.folders.parquet")
