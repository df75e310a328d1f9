"""SQLAlchemy as tools for dashboards use it: what is there, its columns, statements made of expressions, pandas, and refusals."""

import datetime

import pandas
from connect import CLIENT, DATASET, OTHER_DATASET, PROJECT
from sqlalchemy import MetaData, Table, create_engine, func, inspect, select, text
from sqlalchemy.exc import DatabaseError

engine = create_engine(f"bigquery://{PROJECT}/{DATASET}?user_supplied_client=True", connect_args={"client": CLIENT})

inspector = inspect(engine)
assert inspector.get_schema_names() == [DATASET], inspector.get_schema_names()
assert inspector.get_table_names() == [], inspector.get_table_names()
assert inspector.get_view_names() == ["realtime_data"], inspector.get_view_names()
columns = {column["name"]: str(column["type"]) for column in inspector.get_columns("realtime_data")}
assert columns["timestamp"] == "TIMESTAMP" and columns["people_count"] == "INTEGER", columns

headcounts = Table("realtime_data", MetaData(), autoload_with=engine)
hour = func.timestamp_trunc(headcounts.c.timestamp, text("HOUR")).label("hour")
hourly = (
    select(headcounts.c.target_name, hour, func.max(headcounts.c.people_count).label("most"))
    .where(headcounts.c.target_name.in_(["Vanalinn", "Kesklinn"]))
    .group_by(headcounts.c.target_name, hour)
    .order_by(hour.desc())
    .limit(5)
)
with engine.connect() as connection:
    rows = connection.execute(hourly).all()
    assert [row.target_name for row in rows] == ["Vanalinn"] and rows[0].most > 0, rows
    now = datetime.datetime.now(datetime.timezone.utc)
    query = text("SELECT COUNT(*) FROM realtime_data WHERE timestamp < :now AND people_count > :least")
    assert connection.execute(query, {"now": now, "least": 0}).scalar_one() == 1
    many = connection.execute(text("SELECT n FROM UNNEST(GENERATE_ARRAY(0, 24999)) AS n ORDER BY n"))
    assert [row.n for row in many] == list(range(25_000))
    for statement, refusal in (
        (f"SELECT * FROM {OTHER_DATASET}.realtime_data", "does not have permission"),
        ("DELETE FROM realtime_data WHERE TRUE", "bigquery.tables.updateData"),
        ("SELECT x", "Unrecognized name: x"),
    ):
        try:
            connection.execute(text(statement))
            raise AssertionError(f"{statement} succeeded")
        except DatabaseError as error:
            assert refusal in str(error), error

frame = pandas.read_sql_table("realtime_data", engine)
assert isinstance(frame["timestamp"].dtype, pandas.DatetimeTZDtype) and len(frame) == 1, frame.dtypes
