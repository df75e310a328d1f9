"""The customer's dataset describes itself, and nothing describes those of others."""

from connect import DATASET, OTHER_DATASET, PROJECT, connect
from google.api_core.exceptions import Forbidden

client = connect()


def rows(sql):
    """Returns a query's rows as tuples."""
    return [tuple(row.values()) for row in client.query_and_wait(sql)]


assert rows(f"SELECT table_name, table_type FROM {DATASET}.INFORMATION_SCHEMA.TABLES") == [("realtime_data", "VIEW")]
columns = dict(rows(f"SELECT column_name, data_type FROM `{PROJECT}.{DATASET}.INFORMATION_SCHEMA.COLUMNS`"))
assert columns["timestamp"] == "TIMESTAMP" and columns["people_count"] == "INT64", columns
(view,) = client.query_and_wait(f"SELECT * FROM {DATASET}.INFORMATION_SCHEMA.VIEWS").to_dataframe().to_dict("records")
assert view["table_name"] == "realtime_data" and view["view_definition"].startswith("SELECT "), view

for name in (f"{OTHER_DATASET}.INFORMATION_SCHEMA.TABLES", "`region-europe-north1`.INFORMATION_SCHEMA.JOBS_BY_USER"):
    try:
        rows(f"SELECT * FROM {name}")
        raise AssertionError(f"{name} is visible")
    except Forbidden as refusal:
        assert "does not have permission to query table" in str(refusal), refusal
