"""Queries as the client's documentation runs them: every type, pages, errors, dry runs."""

import datetime
import decimal

from connect import DATASET, OTHER_DATASET, connect
from google.api_core.exceptions import BadRequest, Forbidden
from google.cloud import bigquery

client = connect()
UTC = datetime.timezone.utc

# The customer's own data, whose timestamp is recent.
SQL = f"SELECT target_name, timestamp, people_count FROM {DATASET}.realtime_data ORDER BY timestamp DESC"
for rows in (client.query(SQL).result(), client.query_and_wait(SQL)):
    (row,) = list(rows)
    assert row.target_name == "Vanalinn", row
    age = datetime.datetime.now(UTC) - row.timestamp
    assert datetime.timedelta(0) <= age < datetime.timedelta(hours=1), row.timestamp
    assert isinstance(row.people_count, int), row

VALUES = """
SELECT
  TIMESTAMP '2026-01-02 03:04:05.678901+00' AS t, [TIMESTAMP '1969-12-31 23:59:59.5+00', TIMESTAMP '2026-01-02 00:00:00+00'] AS ts,
  STRUCT(TIMESTAMP '2026-01-02 03:04:05+00' AS t, 1 AS n) AS s, DATE '2026-01-02' AS d, DATETIME '2026-01-02 03:04:05' AS dt,
  TIME '03:04:05' AS tm, NUMERIC '1.5' AS num, b'ab' AS b, 0.1 AS f, 9223372036854775807 AS i, TRUE AS yes, 'ä' AS text,
  CAST(NULL AS TIMESTAMP) AS nothing
"""
EXPECTED = {
    "t": datetime.datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC),
    "ts": [datetime.datetime(1969, 12, 31, 23, 59, 59, 500000, tzinfo=UTC), datetime.datetime(2026, 1, 2, tzinfo=UTC)],
    "s": {"t": datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), "n": 1},
    "d": datetime.date(2026, 1, 2),
    "dt": datetime.datetime(2026, 1, 2, 3, 4, 5),
    "tm": datetime.time(3, 4, 5),
    "num": decimal.Decimal("1.5"),
    "b": b"ab",
    "f": 0.1,
    "i": 9223372036854775807,
    "yes": True,
    "text": "ä",
    "nothing": None,
}
for rows in (client.query(VALUES).result(), client.query_and_wait(VALUES)):
    (row,) = list(rows)
    assert dict(row.items()) == EXPECTED, dict(row.items())

# Pages: sizes that are asked for, a limit, a start, and one page after another.
MANY = "SELECT n, TIMESTAMP_SECONDS(n) AS t FROM UNNEST(GENERATE_ARRAY(0, 2499)) AS n ORDER BY n"
job = client.query(MANY)
rows = job.result(page_size=1000)
assert rows.total_rows == 2500, rows.total_rows
assert [page.num_items for page in rows.pages] == [1000, 1000, 500]
assert [row.n for row in job.result(page_size=700)] == list(range(2500))
assert [row.n for row in job.result(max_results=3)] == [0, 1, 2]
assert [row.n for row in client.query(MANY).result(start_index=2498)] == [2498, 2499]
assert [row.t.timestamp() for row in client.query_and_wait(MANY, page_size=1000)] == list(range(2500))

# Jobs: known by their id, listed, and not those of others.
again = client.get_job(job.job_id)
assert again.state == "DONE" and again.query == MANY, again.state
assert [row.n for row in again.result(max_results=1)] == [0]
assert job.job_id in [listed.job_id for listed in client.list_jobs(max_results=100)]

# A dry run tells the bytes and runs nothing.
dry = client.query(SQL, job_config=bigquery.QueryJobConfig(dry_run=True, use_query_cache=False))
assert dry.dry_run and dry.total_bytes_processed > 0, dry.total_bytes_processed
assert [field.name for field in dry.schema] == ["target_name", "timestamp", "people_count"], dry.schema

# A configuration as users write them.
config = bigquery.QueryJobConfig(
    default_dataset=client.dataset(DATASET),
    maximum_bytes_billed=10**9,
    labels={"team": "maps"},
    priority=bigquery.QueryPriority.INTERACTIVE,
)
labelled = client.query("SELECT COUNT(*) AS n FROM realtime_data", job_config=config)
assert [row.n for row in labelled.result()] == [1] and labelled.labels == {"team": "maps"}, labelled.labels

for sql, error, words in (
    ("SELECT x", BadRequest, "Unrecognized name: x"),
    (f"SELECT * FROM {OTHER_DATASET}.realtime_data", Forbidden, "does not have permission"),
    (f"DELETE FROM {DATASET}.realtime_data WHERE TRUE", Forbidden, "bigquery.tables.updateData"),
):
    for run in (lambda: client.query(sql).result(), lambda: client.query_and_wait(sql)):
        try:
            run()
            raise AssertionError(f"{sql} succeeded")
        except error as refusal:
            assert words in str(refusal), refusal
