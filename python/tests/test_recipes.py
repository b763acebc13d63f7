"""docs/recipes: rows from a database or a broker are learned as from a file, also when both sides are killed.

``KILLS=20 pytest python/tests/test_recipes.py`` kills more often.
"""

from __future__ import annotations

import csv
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import pytest
from recipes import HOUSES, Place, as_json, block, free_port, kill_consumer, kills, needs, rows, wait

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the servers are those of a Linux distribution")
# Rows that the model has before anything arrives.
FIRST = 100


@pytest.fixture
def place(tmp_path):
    place = Place(tmp_path)
    yield place
    place.close()


def serve_first_rows(place, lines):
    place.train(lines[:FIRST], "houses.model")
    place.serve()


def expect_model_of(place, lines):
    """The model is bit for bit that of the rows in a file, but for its cursors."""
    place.stop_service()
    place.train(lines, "whole.model")
    shown = [
        json.loads(place.run(f"online-forests inspect --model {name}.model --json")) for name in ("houses", "whole")
    ]
    assert [model | {"cursors": {}} for model in shown] == [shown[1]] * 2
    predictions = [
        place.run(f"online-forests predict --data {HOUSES} --model {name}.model") for name in ("houses", "whole")
    ]
    assert predictions[0] == predictions[1]


def kill_both_sides(place, loop, produce, lines, count):
    """Produces rows in parts. While one is learned, consumer and service are killed in turn, and started again."""
    moments, most = random.Random(7), -(-len(lines) // count)
    for begin in range(0, len(lines), most):
        produce(lines[begin : begin + most])
        wait("the first rows of a part", lambda begun=begin: place.learned() > FIRST + begun)
        time.sleep(moments.uniform(0, 0.2))
        kill_consumer(loop)
        time.sleep(moments.uniform(0, 0.2))
        place.service.kill()
        place.service.wait()
        place.serve()


@pytest.fixture
def postgresql(place):
    """A database for the place's `psql`, with an empty table."""
    needs("psql", "jq")
    servers = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
    if not servers:
        pytest.skip("PostgreSQL: not installed")
    # It does not run as root, and pytest's folders are for their user alone.
    user = "runuser -u postgres -- " if os.geteuid() == 0 else ""
    data, port = tempfile.mkdtemp(), free_port()
    if user:
        shutil.chown(data, "postgres")
    place.run(f"cd / && {user}{servers[-1]}/initdb --auth trust --username forest --no-sync -D {data}/data")
    server = place.start(
        f"cd / && exec {user}{servers[-1]}/postgres -D {data}/data -p {port} -k {data} -c listen_addresses=''"
    )
    place.environment |= {"PGHOST": data, "PGPORT": str(port), "PGUSER": "forest", "PGDATABASE": "postgres"}
    wait(
        "PostgreSQL",
        lambda: subprocess.run(["psql", "-c", ""], env=place.environment, capture_output=True).returncode == 0,
    )
    columns = "area numeric, rooms integer, heating text, place text, sold date, price numeric"
    place.run(f'psql --command "CREATE TABLE houses (id bigserial PRIMARY KEY, {columns})"')
    yield
    os.killpg(server.pid, signal.SIGINT)
    server.wait()
    shutil.rmtree(data)


def rows_of_numbers(times=1):
    """In a column of numbers, a missing value has one spelling."""
    return [line.replace("NA,", ",") for line in rows(times)[1]]


def insert(place, lines):
    place.write("new.csv", "\n".join(lines) + "\n")
    place.run('psql --command "\\copy houses (area, rooms, heating, place, sold, price) FROM new.csv CSV"')


@pytest.mark.usefixtures("postgresql")
def test_postgresql_into_a_model(place):
    lines = rows_of_numbers()
    insert(place, lines[:150])
    place.run(block("postgresql.md", number=0))
    for begin, end in ((150, 200), (200, 240), (240, 240)):
        if begin < end:
            insert(place, lines[begin:end])
        place.run(block("postgresql.md", number=1))
        learned = json.loads(place.run("online-forests inspect --model houses.model --json"))["samples_seen"]
        assert learned == end
    place.write("first.csv", "\n".join([rows()[0], *lines[:150]]) + "\n")
    place.write("others.csv", "\n".join([rows()[0], *lines[150:]]) + "\n")
    place.run("online-forests train --data first.csv --target price --missing median --strict --model same.model")
    place.run("online-forests train --data others.csv --update --strict --model same.model")
    predictions = [
        place.run(f"online-forests predict --data {HOUSES} --model {model}") for model in ("houses.model", "same.model")
    ]
    assert predictions[0] == predictions[1]


@pytest.mark.usefixtures("postgresql")
def test_postgresql_into_the_service_through_kills(place):
    needs("curl")
    count = kills(5)
    lines = rows_of_numbers(5 * count)
    serve_first_rows(place, lines)
    place.write("follow.sh", place.here(block("postgresql.md", number=2)))
    loop = place.start("until sh follow.sh; do sleep 1; done")
    kill_both_sides(place, loop, lambda part: insert(place, part), lines[FIRST:], count)
    wait("all rows", lambda: place.learned() == len(lines))
    expect_model_of(place, lines)


def start_kafka(place):
    """The broker that librdkafka has for tests, in a producer that produces nothing."""
    kcat = place.start("exec kcat -P -b none -t none -X test.mock.num.brokers=1", stdin=subprocess.PIPE)
    log = place.folder / "stderr"
    address = re.compile(r"replaced with 127\.0\.0\.1:(\d+)\n")
    wait("the broker", lambda: address.search(log.read_text()))
    assert kcat.poll() is None
    return address.search(log.read_text())[1]


def test_kafka_exactly_once_through_kills(place):
    needs("kcat", "curl", "jq")
    count = kills(10)
    header, lines = rows(2 * count)
    port = start_kafka(place)

    def produce(part):
        messages = "".join(as_json(header, line) + "\n" for line in part)
        place.run(f"kcat -P -b localhost:{port} -t houses -p 0", input=messages)

    serve_first_rows(place, lines)
    place.write(
        "consume.sh", place.here(block("brokers.md#Kafka", number=0)).replace("localhost:9092", f"localhost:{port}")
    )
    loop = place.start(block("brokers.md#Kafka", number=1))
    kill_both_sides(place, loop, produce, lines[FIRST:], count)
    wait("all messages", lambda: place.learned() == len(lines))
    expect_model_of(place, lines)


def test_redis_exactly_once_through_kills(place):
    needs("redis-server", "redis-cli", "jq", "curl")
    count = kills(10)
    header, lines = rows(2 * count)
    port = free_port()
    place.start(f"exec redis-server --port {port} --save ''", stdout=subprocess.DEVNULL)
    redis = f"redis-cli -p {port} "
    wait("Redis", lambda: subprocess.run([*redis.split(), "PING"], capture_output=True).returncode == 0)

    def produce(part):
        fields = [zip(header.split(","), cells, strict=True) for cells in csv.reader(part)]
        entries = ["XADD houses * " + " ".join(json.dumps(word) for pair in entry for word in pair) for entry in fields]
        place.run(redis, input="\n".join(entries) + "\n")

    serve_first_rows(place, lines)
    place.write("consume.sh", place.here(block("brokers.md#Redis Streams")).replace("redis-cli ", redis))
    loop = place.start("until sh consume.sh; do sleep 1; done")
    kill_both_sides(place, loop, produce, lines[FIRST:], count)
    wait("all entries", lambda: place.learned() == len(lines))
    expect_model_of(place, lines)


def test_nats_exactly_once_through_kills(place):
    needs("nats-server")
    pytest.importorskip("nats", reason="nats-py is not installed: pip install './python[test]'")
    count = kills(5)
    header, lines = rows(-(-2 * count // 5))
    port = free_port()
    place.start(f"exec nats-server --jetstream --store_dir store --addr 127.0.0.1 --port {port}")
    for number, name in enumerate(("publish.py", "consume.py")):
        place.write(
            name, place.here(block("brokers.md#NATS", "python", number)).replace("localhost:4222", f"localhost:{port}")
        )

    def produce(part):
        messages = "".join(as_json(header, line) + "\n" for line in part)
        place.run(f"{sys.executable} publish.py", input=messages)

    place.run(f"{sys.executable} publish.py", input="")
    serve_first_rows(place, lines)
    loop = place.start(f"until {sys.executable} consume.py; do sleep 1; done")
    kill_both_sides(place, loop, produce, lines[FIRST:], count)
    wait("all messages", lambda: place.learned() == len(lines))
    expect_model_of(place, lines)


def start_mosquitto(place):
    port = free_port()
    place.environment["PATH"] += ":/usr/sbin"
    place.write("mosquitto.conf", f"listener {port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\n")
    place.start("exec mosquitto -c mosquitto.conf")
    client = f"-h localhost -p {port} "
    # A session whose messages are kept.
    begun = f"mosquitto_sub {client} -t houses -q 1 -c -i forest -E"
    wait(
        "Mosquitto",
        lambda: subprocess.run(["sh", "-c", begun], env=place.environment, capture_output=True).returncode == 0,
    )
    return client


def publish(place, client, lines):
    place.run(f"mosquitto_pub {client} -t houses -q 1 -l", input="\n".join(lines) + "\n")


def test_mqtt_into_a_model(place):
    needs("mosquitto_sub", "mosquitto_pub")
    client = start_mosquitto(place)
    _, lines = rows()
    training = place.start(block("brokers.md#MQTT", number=0).replace("-h localhost ", client))
    publish(place, client, lines)
    inspect = "online-forests inspect --model houses.model --json 2>&1 || true"
    wait("all rows are saved", lambda: '"samples_seen": 240' in place.run(inspect))
    os.killpg(training.pid, signal.SIGINT)
    training.wait()
    place.write("whole.csv", "\n".join([rows()[0], *lines]) + "\n")
    place.run(
        "online-forests train --data whole.csv --target price --task regress --missing median --fit-rows 100 "
        "--model whole.model"
    )
    assert (place.folder / "houses.model").read_bytes() == (place.folder / "whole.model").read_bytes()


def test_mqtt_into_the_service(place):
    needs("mosquitto_sub", "mosquitto_pub", "curl")
    client = start_mosquitto(place)
    _, lines = rows()
    serve_first_rows(place, lines)
    publish(place, client, lines[FIRST:])
    place.start(
        place.here(block("brokers.md#MQTT", number=1)).replace("-h localhost ", client), stdout=subprocess.DEVNULL
    )
    wait("all rows", lambda: place.learned() == len(lines))
    expect_model_of(place, lines)
