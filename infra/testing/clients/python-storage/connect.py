"""The job's files by each client, with the customer's token."""

import datetime
import os

# As the customer's guide says, before gcsfs is imported.
os.environ["GCSFS_EXPERIMENTAL_ZB_HNS_SUPPORT"] = "false"

import gcsfs
import pyarrow.fs
from google.cloud import storage
from google.oauth2.credentials import Credentials

STORAGE, BUCKET, TOKEN = (os.environ[name] for name in ("STORAGE", "BUCKET", "TOKEN"))
USER_FOLDER = f"results/{os.environ['USER_ID']}/"
OTHER_FOLDER = f"results/{os.environ['OTHER_USER_ID']}/"
CSV_FOLDER = f"{USER_FOLDER}{os.environ['ID']}/"
PARQUET_FOLDER = f"{USER_FOLDER}{os.environ['PARQUET_ID']}/"


def google():
    return storage.Client(project="any", credentials=Credentials(TOKEN), client_options={"api_endpoint": STORAGE})


def gcs_file_system():
    return gcsfs.GCSFileSystem(token=Credentials(TOKEN), endpoint_url=STORAGE, skip_instance_cache=True)


def arrow():
    scheme, _, host = STORAGE.partition("://")
    expires = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
    return pyarrow.fs.GcsFileSystem(
        access_token=TOKEN,
        credential_token_expiration=expires,
        scheme=scheme,
        endpoint_override=host,
        retry_time_limit=datetime.timedelta(seconds=10),
    )


def polars_options():
    """Returns the arguments of polars' scans. One retry, so that a refusal comes at once."""
    return {
        "credential_provider": lambda: ({"bearer_token": TOKEN}, None),
        "storage_options": {"base_url": STORAGE, "allow_http": "true", "max_retries": 1},
    }
