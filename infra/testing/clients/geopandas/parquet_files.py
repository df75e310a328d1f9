"""Files as data pipelines write them, each beside the same rows as CSV: pandas, its categories and index, Spark's instants, GeoParquet."""

import os

import geopandas
import pandas
import pyarrow
import pyarrow.parquet

EXAMPLES = os.environ["EXAMPLES"]


def example(table):
    """Returns the rows of an example, of a country without rules for devices, and writes them as CSV."""
    rows = pandas.read_csv(f"{EXAMPLES}/{table}.csv").assign(country_code="NOM")
    rows.to_csv(f"{table}.csv", index=False)
    return rows


hours = example("activities_hourly")
hours["time_bucket"] = pandas.to_datetime(hours["time_bucket"])
hours.to_parquet("activities_hourly.pandas.parquet")
keys = ["country_code", "geo_type", "geo_id"]
hours.set_index(keys).to_parquet("activities_hourly.index.parquet")
hours.assign(country_code=hours["country_code"].astype("category")).to_parquet("activities_hourly.category.parquet", compression="brotli")
hours.assign(time_bucket=hours["time_bucket"].dt.tz_convert("Europe/Tallinn")).to_parquet("activities_hourly.zone.parquet")
hours.astype({column: "float64" for column in hours.columns if column not in (*keys, "time_bucket")}).to_parquet(
    "activities_hourly.float.parquet"
)
# As Spark writes them: without a zone in the type, and meant in UTC.
naive = hours.assign(time_bucket=hours["time_bucket"].dt.tz_localize(None))
table = pyarrow.Table.from_pandas(naive, preserve_index=False)
pyarrow.parquet.write_table(table, "activities_hourly.spark.parquet", use_deprecated_int96_timestamps=True)

trips = example("odm_daily")
trips["batch_date"] = pandas.to_datetime(trips["batch_date"])
trips.to_parquet("odm_daily.pandas.parquet")

areas = example("geographies")
outlines = geopandas.GeoSeries.from_wkt(areas["geometry"], crs="EPSG:4326")
areas.to_parquet("geographies.pandas.parquet")
geopandas.GeoDataFrame(areas.drop(columns="geometry"), geometry=outlines).to_parquet("geographies.geopandas.parquet")
