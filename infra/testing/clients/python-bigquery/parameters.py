"""Named and positional parameters of every shape."""

import datetime

from connect import DATASET, connect
from google.api_core.exceptions import BadRequest
from google.cloud import bigquery
from google.cloud.bigquery import ArrayQueryParameter, ScalarQueryParameter, StructQueryParameter

client = connect()
UTC = datetime.timezone.utc
NOON = datetime.datetime(2026, 1, 2, 12, tzinfo=UTC)


def run(sql, *parameters):
    """Returns the only row, by jobs.insert and by jobs.query, which must agree."""
    config = bigquery.QueryJobConfig(query_parameters=parameters)
    job = client.query(sql, job_config=config)
    (row,) = list(job.result())
    assert list(client.query_and_wait(sql, job_config=config)) == [row]
    assert client.get_job(job.job_id).query_parameters == list(parameters)
    return tuple(row.values())


scalars = (
    ScalarQueryParameter("t", "TIMESTAMP", NOON),
    ScalarQueryParameter("n", "INT64", 7),
    ScalarQueryParameter("s", "STRING", "it's ?"),
    ScalarQueryParameter("d", "DATE", datetime.date(2026, 1, 2)),
    ScalarQueryParameter("yes", "BOOL", True),
    ScalarQueryParameter("nothing", "INT64", None),
)
assert run("SELECT @t, @n, @s, @d, @yes, @nothing", *scalars) == (NOON, 7, "it's ?", datetime.date(2026, 1, 2), True, None)
unnamed = [ScalarQueryParameter(None, scalar.type_, scalar.value) for scalar in scalars]
assert run("SELECT ?, ?, ?, ?, ?, ?", *unnamed) == (NOON, 7, "it's ?", datetime.date(2026, 1, 2), True, None)

lists = ArrayQueryParameter("a", "INT64", [3, 1, 2])
assert run("SELECT ARRAY(SELECT x FROM UNNEST(@a) AS x ORDER BY x), 2 IN UNNEST(@a)", lists) == ([1, 2, 3], True)
assert run("SELECT ?", ArrayQueryParameter(None, "TIMESTAMP", [NOON])) == ([NOON],)

struct = StructQueryParameter("p", ScalarQueryParameter("x", "INT64", 1), ArrayQueryParameter("y", "STRING", ["a", "b"]))
assert run("SELECT @p, @p.x, @p.y[OFFSET(1)]", struct) == ({"x": 1, "y": ["a", "b"]}, 1, "b")
points = [StructQueryParameter(None, ScalarQueryParameter("x", "INT64", x), ScalarQueryParameter("w", "FLOAT64", 0.5)) for x in (1, 3)]
assert run("SELECT SUM(p.x * p.w) FROM UNNEST(?) AS p", ArrayQueryParameter(None, "STRUCT", points)) == (2.0,)

since = ScalarQueryParameter("since", "TIMESTAMP", datetime.datetime.now(UTC) - datetime.timedelta(hours=1))
assert run(f"SELECT COUNT(*) FROM {DATASET}.realtime_data WHERE timestamp > @since", since) == (1,)

try:
    run("SELECT ? + ?", ScalarQueryParameter(None, "INT64", 1))
    raise AssertionError("a missing parameter is not noticed")
except BadRequest as refusal:
    assert "Query parameter number 2 is not defined" in str(refusal), refusal
