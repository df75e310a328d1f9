"""The client as a customer makes it, with its dataset as the default, for libraries that are built on it."""

import os

from google.cloud import bigquery
from google.oauth2.credentials import Credentials

PROJECT = os.environ["PROJECT"]
DATASET = os.environ["DATASET"]
OTHER_DATASET = os.environ["OTHER_DATASET"]
CREDENTIALS = Credentials(os.environ["TOKEN"])
# pandas-gbq makes a client of its own, which looks for its address here.
os.environ["BIGQUERY_EMULATOR_HOST"] = os.environ["BIGQUERY"]

CLIENT = bigquery.Client(
    project=PROJECT,
    credentials=CREDENTIALS,
    location="europe-north1",
    default_query_job_config=bigquery.QueryJobConfig(default_dataset=f"{PROJECT}.{DATASET}"),
)
