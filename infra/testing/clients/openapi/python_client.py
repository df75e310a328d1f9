"""Generates clients with openapi-python-client, and uses them: login, a preview, a map, a job to its end."""

import os
import subprocess
import sys
import time
from datetime import datetime, timedelta, timezone

for api in ("users", "data"):
    url = os.environ[f"{api.upper()}_URL"] + "/openapi.json"
    config = f"{api}.yaml"
    with open(config, "w") as file:
        file.write(f"post_hooks: []\npackage_name_override: {api}_client\n")
    command = ["-m", "openapi_python_client", "generate", "--url", url, "--meta", "none", "--output-path", f"{api}_client", "--config", config]
    subprocess.run([sys.executable, *command, "--fail-on-warning"], check=True)
sys.path.insert(0, os.getcwd())

from data_client import AuthenticatedClient as DataClient
from data_client.api.aggregation import aggregation_preview, aggregation_results, aggregation_status, aggregation_submit
from data_client.api.geographies import geographies_find
from data_client.models import (
    ActivitiesMeasure,
    ActivitiesPreview,
    ActivitiesRequest,
    ActivitiesResults,
    ActivityType,
    AggregationPreviewAggType,
    GeographyList,
    GeoType,
    JobStatus,
    JobWithRequest,
    SubmittedJob,
)
from users_client import AuthenticatedClient as UsersClient
from users_client.api.login import auth_login
from users_client.api.maps import maps_create, maps_delete
from users_client.models import CreatePolygonMap, DeletedMap, Login, Problem, Profile, SavedMap, Token

key = {"prefix": "", "auth_header_name": "x-api-key", "token": os.environ["KEY"]}
users = UsersClient(base_url=os.environ["USERS_URL"], **key)
data = DataClient(base_url=os.environ["DATA_URL"], **key)

token = auth_login.sync(client=users, body=Login(service=Profile.STORAGE))
assert isinstance(token, Token) and token.user_id == os.environ["USER_ID"], token

ring = "POLYGON((24.74 59.43, 24.76 59.43, 24.76 59.44, 24.74 59.44, 24.74 59.43))"
made = maps_create.sync(client=users, body=CreatePolygonMap(name="Old town", type_="custom_polygon", geometry=ring))
assert isinstance(made, SavedMap) and made.geometry == ring, made
deleted = maps_delete.sync(client=users, id=made.id)
assert isinstance(deleted, DeletedMap), deleted
gone = maps_delete.sync(client=users, id=made.id)
assert isinstance(gone, Problem) and gone.status == 404, gone

found = geographies_find.sync(client=data, geo_type=GeoType.ADMIN_LEVEL_2, limit=100)
assert isinstance(found, GeographyList), found
areas = [geography.geo_id for geography in found.geographies]
assert areas and all(isinstance(area, int) for area in areas), areas

end = datetime.now(timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=2)
window = {"start_time": (end - timedelta(hours=6)).isoformat(), "end_time": end.isoformat()}
asked = {"measure": ActivitiesMeasure.SUM_UNIQUE_PEOPLE, "activity_type": ActivityType.HOURLY, "geo_type": GeoType.ADMIN_LEVEL_2}
preview = aggregation_preview.sync(client=data, agg_type=AggregationPreviewAggType.ACTIVITIES, geo_ids=areas, **asked, **window)
assert isinstance(preview, ActivitiesPreview) and len(preview.results) > 0, preview
assert isinstance(preview.results[0].sum_unique_people, int), preview

body = ActivitiesRequest(agg_type="activities", geo_ids=[areas[0], *map(str, areas)], **asked, **window)
submitted = aggregation_submit.sync(client=data, body=body, idempotency_key="python-client")
assert isinstance(submitted, SubmittedJob), submitted
job = None
for _ in range(300):
    job = aggregation_status.sync(client=data, job_id=submitted.job_id)
    assert isinstance(job, JobWithRequest), job
    if job.status not in (JobStatus.QUEUED, JobStatus.RUNNING):
        break
    time.sleep(0.1)
assert job is not None and job.status is JobStatus.COMPLETED and job.progress == 100, job
results = aggregation_results.sync(client=data, job_id=submitted.job_id)
assert isinstance(results, ActivitiesResults) and results.preview[0].geo_id in areas, results
