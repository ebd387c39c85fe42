# Run: python3 -m pytest test_pets.py
import json
import subprocess
from urllib.request import Request, urlopen

import pytest

COMMAND = "bin/petstore serve --ephemeral --port 0 --json --until-stdin-ends".split()


@pytest.fixture(scope="session")
def server():
    pipe = subprocess.PIPE
    with subprocess.Popen(COMMAND, stdin=pipe, stdout=pipe, text=True) as process:
        line = process.stdout.readline()
        assert line, "The store did not start."
        yield json.loads(line)


@pytest.fixture
def store(server):
    yield server
    url = server["baseUrl"].replace("/v1", "/test-bench/reset")
    urlopen(Request(url, method="POST", headers={"Authorization": f"Bearer {server['key']}"}), timeout=30).close()


def call(store, method, path, body=None):
    headers = {"Authorization": f"Bearer {store['key']}"}
    data = None
    if body is not None:
        headers["Content-Type"] = "application/json"
        data = json.dumps(body).encode()
    request = Request(store["baseUrl"] + path, method=method, headers=headers, data=data)
    with urlopen(request, timeout=30) as response:
        return json.load(response)


def test_a_created_pet_is_listed(store):
    cats = call(store, "POST", "/categories", {"name": "Cats"})
    created = call(store, "POST", "/pets", {"name": "Sunny, cream Maine Coon", "categoryId": cats["id"]})

    assert call(store, "GET", "/pets") == [created]


def test_another_test_begins_with_an_empty_store(store):
    cats = call(store, "POST", "/categories", {"name": "Cats"})
    created = call(store, "POST", "/pets", {"name": "Percy, brown Birman", "categoryId": cats["id"]})

    assert created["id"] == 1
