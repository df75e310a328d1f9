"""Results as pandas and Arrow tables. The Storage Read API is not there, and the client says nothing about it."""

import datetime

import pandas
import pyarrow
from connect import DATASET, connect
from google.cloud import bigquery_storage

client = connect()
UTC = datetime.timezone.utc
SQL = f"SELECT target_name, timestamp, people_count FROM {DATASET}.realtime_data"

frame = client.query(SQL).to_dataframe()
assert list(frame.columns) == ["target_name", "timestamp", "people_count"] and len(frame) == 1, frame
assert isinstance(frame["timestamp"].dtype, pandas.DatetimeTZDtype), frame.dtypes
assert frame["people_count"].dtype == pandas.Int64Dtype(), frame.dtypes
assert len(client.query_and_wait(SQL).to_dataframe()) == 1

table = client.query(SQL).to_arrow()
assert table.schema.field("timestamp").type == pyarrow.timestamp("us", tz="UTC"), table.schema
assert table.schema.field("people_count").type == pyarrow.int64(), table.schema

# More rows than one page has, with every way of asking for the Storage Read API.
MANY = "SELECT n, TIMESTAMP_SECONDS(n) AS t, [n, n + 1] AS list FROM UNNEST(GENERATE_ARRAY(1, 3000)) AS n ORDER BY n"
job = client.query(MANY)
reader = bigquery_storage.BigQueryReadClient(credentials=client._credentials)
for rows in (job.result(), job.result(page_size=700), client.query_and_wait(MANY, page_size=700)):
    assert rows.to_dataframe()["n"].sum() == 3000 * 3001 // 2
assert job.to_dataframe(bqstorage_client=reader)["n"].sum() == 3000 * 3001 // 2
assert job.to_dataframe(create_bqstorage_client=False)["n"].sum() == 3000 * 3001 // 2
arrow = job.to_arrow(bqstorage_client=reader)
assert arrow.num_rows == 3000 and arrow["t"][0].as_py() == datetime.datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC), arrow["t"][0]
assert sum(batch.num_rows for batch in job.result(page_size=700).to_arrow_iterable()) == 3000
assert sum(len(part) for part in job.result(page_size=700).to_dataframe_iterable()) == 3000
