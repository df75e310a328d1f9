"""pandas-gbq: frames of queries, a dry run, and refusals."""

import pandas
import pandas_gbq
from connect import CREDENTIALS, DATASET, OTHER_DATASET, PROJECT

SQL = f"SELECT target_name, timestamp, people_count FROM {DATASET}.realtime_data"


def read(sql, **options):
    """Returns what pandas-gbq makes of a query."""
    return pandas_gbq.read_gbq(
        sql, project_id=PROJECT, credentials=CREDENTIALS, location="europe-north1", progress_bar_type=None, **options
    )


frame = read(SQL)
assert len(frame) == 1 and isinstance(frame["timestamp"].dtype, pandas.DatetimeTZDtype), frame.dtypes
assert frame["people_count"].dtype == pandas.Int64Dtype(), frame.dtypes
assert len(read(SQL, use_bqstorage_api=True)) == 1
assert read("SELECT n FROM UNNEST(GENERATE_ARRAY(1, 25000)) AS n")["n"].sum() == 25_000 * 25_001 // 2
assert read(SQL, dry_run=True)["statementType"] == "SELECT"
for sql, refusal in (
    (f"SELECT * FROM {OTHER_DATASET}.realtime_data", "does not have permission"),
    # As at Google: a table of this form is read without a query, which views do not allow.
    (f"{DATASET}.realtime_data", "Cannot list a table of type VIEW"),
):
    try:
        read(sql)
        raise AssertionError(f"{sql} succeeded")
    except pandas_gbq.exceptions.GenericGBQException as error:
        assert refusal in str(error), error
