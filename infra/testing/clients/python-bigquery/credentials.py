"""The customer's token in each form, and a refusal without one."""

import os

import requests
from connect import DATASET, PROJECT, connect
from google.auth.credentials import AnonymousCredentials
from google.auth.exceptions import GoogleAuthError
from google.cloud import bigquery
from google.oauth2.credentials import Credentials

SQL = f"SELECT COUNT(*) AS n FROM {DATASET}.realtime_data"
TOKEN = os.environ["TOKEN"]

assert [row.n for row in connect(Credentials(TOKEN)).query_and_wait(SQL)] == [1]
# AnonymousCredentials send nothing: alone they are refused, as by Google; with a session that sends the token they work.
try:
    connect(AnonymousCredentials()).query(SQL, retry=None, job_retry=None)
    raise AssertionError("a request without a token is answered")
except GoogleAuthError:
    pass
with requests.Session() as session:
    session.headers["Authorization"] = f"Bearer {TOKEN}"
    client = bigquery.Client(
        project=PROJECT,
        credentials=AnonymousCredentials(),
        client_options={"api_endpoint": os.environ["BIGQUERY"]},
        _http=session,
    )
    assert [row.n for row in client.query_and_wait(SQL)] == [1]
