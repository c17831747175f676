"""What is deployed in containers keeps tables as safely as what runs on one machine."""

import re

from services.embedded.server import DURABLE
from tests.architecture.source import ROOT


def settings_in(name: str) -> dict[str, str]:
    lines = (ROOT / "deploy" / name).read_text().splitlines()
    said = (line.split(maxsplit=1) for line in lines if line.strip() and not line.startswith("#"))
    return {key: value.strip('"') for key, value in said}


def test_the_store_in_a_container_is_as_durable_as_the_private_one():
    options = {
        option.removeprefix("--"): value
        for option, value in zip(DURABLE[::2], DURABLE[1::2], strict=True)
    }
    assert options.items() <= settings_in("redis.conf").items()


def test_a_node_of_a_cluster_takes_over_the_settings_of_a_single_store():
    node = settings_in("cluster.conf")
    assert node["include"] == "redis.conf"
    assert not node.keys() & settings_in("redis.conf").keys()


def test_the_image_runs_a_python_that_the_project_supports():
    image = (ROOT / "deploy" / "Containerfile").read_text()
    least = re.search(r'requires-python = ">=3\.(\d+)"', (ROOT / "pyproject.toml").read_text())
    assert least
    for minor in re.findall(r"python:3\.(\d+)-", image):
        assert int(minor) >= int(least[1])
