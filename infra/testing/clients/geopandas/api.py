"""The two APIs with a key, and all features of a geography type."""

import os

import requests

DATA, USERS = os.environ["DATA"], os.environ["USERS"]
session = requests.Session()
session.headers["x-api-key"] = os.environ["KEY"]


def get(path, **query):
    """Returns the answer of the Data API."""
    answer = session.get(DATA + path, params=query)
    answer.raise_for_status()
    return answer.json()


def pages(**query):
    """Yields the answers of a list, page by page."""
    while True:
        page = get("/geographies", limit=1000, **query)
        yield page
        if page["next_cursor"] is None:
            return
        query["cursor"] = page["next_cursor"]
