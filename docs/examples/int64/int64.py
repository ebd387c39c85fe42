import json
import os
from urllib.request import Request, urlopen

URL, KEY = os.environ["BASE_URL"], os.environ["KEY"]


def call(path, body=None):
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(URL + path, headers=headers, data=data)) as response:
        return json.load(response)


first = call("/pets?limit=1")[0]
print(first["id"], call("/pets", {"name": "Sunny, cream Maine Coon", "categoryId": first["categoryId"]})["categoryId"])
