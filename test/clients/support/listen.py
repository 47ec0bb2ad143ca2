"""Says every message that the Python package's own loop hears, one JSON object a line."""

import json
import sys

import zulip

client = zulip.Client(config_file=sys.argv[1])
registered = client.register(event_types=["message"])
print(json.dumps({"registered": registered["result"]}), flush=True)


def heard(event):
    print(json.dumps({"content": event["message"]["content"]}), flush=True)


client.call_on_each_event(heard, event_types=["message"])
