# Handles each order that is placed after its first start. Run: STORE=http://127.0.0.1:8080/v1 API_KEY=… python3 sales.py
import http.client, json, os, time, urllib.error, urllib.request

POSITION = "sales.position"


def handle(order):
    print("Pack pet", order["petId"], "for order", order["id"], flush=True)


def keep(position):
    with open(POSITION + ".new", "w") as file:
        file.write(position)
    os.replace(POSITION + ".new", POSITION)


def follow(after):
    """Each position, and the event that is there, or None."""
    wait = 1
    while True:
        query = "?type=order.placed" + (f"&after={after}" if after is not None else "")
        request = urllib.request.Request(os.environ["STORE"] + "/events" + query)
        request.add_header("Authorization", "Bearer " + os.environ["API_KEY"])
        request.add_header("Accept", "text/event-stream")
        try:
            # The service sends something every 15 seconds.
            with urllib.request.urlopen(request, timeout=45) as stream:
                block = {}
                for line in stream:
                    name, _, value = line.decode().rstrip("\n").partition(": ")
                    if name:
                        block[name] = value
                        continue
                    wait = int(block.get("retry", wait * 1000)) / 1000
                    if "id" in block:
                        after = block["id"]
                        yield after, json.loads(block.get("data", "null"))
                    block = {}
        except urllib.error.HTTPError as error:
            if error.code not in (429, 502, 503, 504):
                raise
            wait = int(error.headers.get("Retry-After", 1))
        except (OSError, http.client.HTTPException):
            pass
        time.sleep(wait)


kept = open(POSITION).read() if os.path.exists(POSITION) else None
for position, event in follow(kept):
    if event:
        handle(event["data"])
    keep(position)
