"""docs/recipes: what watches and starts a service. The service exports every number that rules and dashboard use."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import urllib.error
import urllib.parse
import urllib.request

import pytest
from recipes import PAGES, Place, block, free_port, needs, rows, wait

MONITORING = PAGES / "monitoring"
NAME = re.compile(r"online_forests_\w+")
TOKEN = "0123456789abcdef"


@pytest.fixture
def place(tmp_path):
    place = Place(tmp_path)
    yield place
    place.close()


def dashboard_expressions():
    dashboard = json.loads((MONITORING / "dashboard.json").read_text(encoding="utf-8"))
    return [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]


def rule_expressions():
    """The expressions of the rules, of which some have several lines."""
    text = (MONITORING / "alerts.yml").read_text(encoding="utf-8")
    return [
        " ".join(part.split()) for part in re.findall(r"expr: (?:>\n)?(.*?)\n +(?:for|annotations):", text, re.DOTALL)
    ]


def ask(port, query):
    """Asks Prometheus for an expression now."""
    url = f"http://localhost:{port}/api/v1/query?" + urllib.parse.urlencode({"query": query})
    try:
        with urllib.request.urlopen(url) as reply:
            return json.load(reply)["data"]["result"]
    except urllib.error.HTTPError as error:
        # It is starting.
        assert error.code == 503, f"{query}: {error.read().decode()}"
    except OSError:
        pass
    return []


def serve(place):
    """A service with a token, which has predicted and learned."""
    lines = rows()[1]
    place.train(lines[:100], "houses.model")
    place.write("token", TOKEN)
    command = (
        f"exec online-forests serve --model houses.model --token-file token --listen 127.0.0.1:{place.service_port}"
    )
    place.start(command)
    wait("the service is ready", lambda: place.ask("/readyz") is not None)
    use(place, lines[100:])


def use(place, lines):
    body = "\n".join([rows()[0], *lines]).encode()
    for route in ("predict", "learn"):
        headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "text/csv"}
        urllib.request.urlopen(
            urllib.request.Request(f"http://localhost:{place.service_port}/{route}", body, headers)
        ).close()


def test_prometheus_reads_the_service_and_knows_all_that_rules_and_dashboard_ask_for(place):
    needs("prometheus", "promtool")
    serve(place)
    (place.folder / "alerts.yml").write_bytes((MONITORING / "alerts.yml").read_bytes())
    text = block("monitoring.md", "yaml")
    for usual, here in (("/etc/forest/token", "token"), ("15s", "1s")):
        assert usual in text
        text = text.replace(usual, here)
    place.write("prometheus.yml", place.here(text))
    place.run("promtool check config prometheus.yml")
    port = free_port()
    place.start(
        f"exec prometheus --config.file=prometheus.yml --storage.tsdb.path=data --web.listen-address=127.0.0.1:{port}"
    )
    # Twice, for what is counted per second.
    wait("two scrapes", lambda: any(int(found["value"][1]) >= 2 for found in ask(port, "count_over_time(up[1m])")))
    use(place, rows()[1])
    wait("the service is read", lambda: ask(port, "online_forests_rows_learned_total > 200"))
    exported = {found["metric"]["__name__"] for found in ask(port, '{__name__=~"online_forests_.+"}')}
    # A regression has no classes: a service without them exports the name alone.
    exported |= {"online_forests_class_rows"}
    used = {name for expression in rule_expressions() + dashboard_expressions() for name in NAME.findall(expression)}
    assert used and used <= exported
    for expression in rule_expressions():
        # How long predictions take is up to the machine.
        assert ask(port, expression) == [] or "request_seconds" in expression, "no alert"
    for expression in dashboard_expressions():
        shown = ask(port, expression.replace("$instance", ".*").replace("$__rate_interval", "1m"))
        assert shown or "class_rows" in expression, expression


def test_every_alert_is_raised_by_its_series():
    needs("promtool")
    rules = (MONITORING / "alerts.yml").read_text(encoding="utf-8")
    tests = (MONITORING / "alerts_test.yml").read_text(encoding="utf-8")
    names = re.findall(r"alert: (\w+)", rules)
    assert len(names) == len(rule_expressions())
    page = (PAGES / "monitoring.md").read_text(encoding="utf-8")
    assert names == re.findall(r"^\| \*\*(\w+)\*\* \|", page, re.MULTILINE)
    assert set(names) == set(re.findall(r"alertname: (\w+)\n", tests))
    subprocess.run(["promtool", "test", "rules", "alerts_test.yml"], cwd=MONITORING, check=True)


def instructions():
    """The instructions of the Dockerfile."""
    text = (PAGES / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    return [line.split(maxsplit=1) for line in text.splitlines() if line and not line.startswith("#")]


def test_the_container_file_builds_what_it_copies_and_its_command_serves(place):
    needs()
    known = {"FROM", "WORKDIR", "COPY", "RUN", "USER", "VOLUME", "EXPOSE", "ENTRYPOINT", "CMD"}
    assert {name for name, _ in instructions()} <= known
    of = {name: rest for name, rest in instructions()}
    [build] = [rest for name, rest in instructions() if name == "RUN" and "cargo" in rest]
    assert "--release --locked --package online-forests-cli --features serve" in build
    assert of["COPY"].split() == ["--from=build", "/source/target/release/online-forests", "/usr/local/bin/"]
    # As in the container, but for the places of files.
    place.train(rows()[1][:100], "served.model")
    place.write("token", TOKEN)
    command = shlex.join(json.loads(of["ENTRYPOINT"]) + json.loads(of["CMD"]))
    for usual, here in (
        ("/models/", ""),
        ("/run/secrets/", ""),
        (f"0.0.0.0:{of['EXPOSE']}", f"0.0.0.0:{place.service_port}"),
    ):
        assert usual in command
        command = command.replace(usual, here)
    place.start(f"exec {command}")
    wait("the service is ready", lambda: place.ask("/readyz") is not None)
    assert place.ask("/model") is None, "it needs the token"
