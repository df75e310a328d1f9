"""Lists and describes the customer's dataset, table and jobs; nothing else is visible."""

from connect import DATASET, OTHER_DATASET, PROJECT, connect
from google.api_core.exceptions import Forbidden

client = connect()

assert [dataset.dataset_id for dataset in client.list_datasets()] == [DATASET]
dataset = client.get_dataset(DATASET)
assert dataset.location == "europe-north1", dataset.location
assert [table.table_id for table in client.list_tables(DATASET)] == ["realtime_data"]
table = client.get_table(f"{PROJECT}.{DATASET}.realtime_data")
assert table.table_type == "VIEW", table.table_type
assert {"timestamp", "target_name", "people_count"} <= {field.name for field in table.schema}, table.schema

try:
    client.get_dataset(OTHER_DATASET)
    raise AssertionError("another customer's dataset is visible")
except Forbidden:
    pass
