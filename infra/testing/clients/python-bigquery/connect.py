"""The client as a customer makes it: the customer's token, and the service's address."""

import os

from google.cloud import bigquery
from google.oauth2.credentials import Credentials

PROJECT = os.environ["PROJECT"]
DATASET = os.environ["DATASET"]
OTHER_DATASET = os.environ["OTHER_DATASET"]


def connect(credentials=None):
    """Returns a client of the service. Without credentials it has the customer's token."""
    return bigquery.Client(
        project=PROJECT,
        credentials=credentials or Credentials(os.environ["TOKEN"]),
        client_options={"api_endpoint": os.environ["BIGQUERY"]},
        location="europe-north1",
    )
