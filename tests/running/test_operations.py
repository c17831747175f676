"""What docs/operations.md, README.md and deploy/ say of services is what services do."""

import ast
import re

import services.clock.noting
import services.engine.noting
import services.engine.projector
import services.notifier.noting
from services.clock.settings import Settings as ClockSettings
from services.running.metrics import REGISTRY
from services.running.settings import PROGRAMS, variable
from tests.architecture.source import ROOT

OPERATIONS = (ROOT / "docs" / "operations.md").read_text()
NOTING = (
    services.clock.noting,
    services.engine.noting,
    services.engine.projector,
    services.notifier.noting,
)
LEVELS = {"debug", "info", "warning", "error"}
FIGURE = re.compile(r"\bminutebook_[a-z_]+")


def figures() -> set[str]:
    """The names under which Prometheus finds our figures."""
    found = set()
    for family in REGISTRY.collect():
        if family.name.startswith("minutebook_"):
            found.add(
                f"{family.name}_total"
                if family.type == "counter"
                else f"{family.name}_info"
                if family.type == "info"
                else family.name
            )
    return found


def events() -> set[str]:
    """What is said in the logs of services, wherever it is said in so many words."""
    found = set()
    folders = (ROOT / "services" / name for name in ("engine", "clock", "notifier", "running"))
    for path in (path for folder in folders for path in folder.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in LEVELS
                and ast.unparse(node.func.value) in {"_log", "self._log", "log"}
                and isinstance(node.args[0], ast.Constant)
            ):
                found.add(str(node.args[0].value))
    return found


def test_every_line_of_the_logs_is_explained():
    said = events()
    assert {"decision recorded", "timer done", "notice made", "ready"} <= said
    missing = [event for event in sorted(said) if f"`{event}`" not in OPERATIONS]
    assert missing == []


def test_every_figure_is_explained_and_no_other():
    assert all(module.__doc__ for module in NOTING)
    named = set(FIGURE.findall(OPERATIONS))
    assert figures() == named


def test_alerts_ask_for_figures_that_there_are():
    alerts = (ROOT / "deploy" / "prometheus-alerts.yaml").read_text()
    asked = {name.removesuffix("_bucket") for name in FIGURE.findall(alerts)}
    assert asked
    assert asked <= figures()


def test_every_service_of_the_compose_file_is_asked_where_it_answers_and_prometheus_too():
    compose = (ROOT / "deploy" / "compose.yaml").read_text()
    scraped = (ROOT / "deploy" / "prometheus.yaml").read_text()
    ports = set()
    for service, program in PROGRAMS.items():
        found = re.search(rf"{variable(service, 'http')}: 0\.0\.0\.0:(\d+)\n", compose)
        assert found, service
        port = found[1]
        command = program.replace("python -m ", "[python, -m, ")
        part = compose.partition(f"    command: {command}]\n")[2].partition("\n\n")[0]
        assert f"services.running, '127.0.0.1:{port}']" in part, service
        name = (
            compose.partition(f"    command: {command}]\n")[0].rstrip().splitlines()[-2].strip(" :")
        )
        assert f"{name}:{port}" in scraped, service
        ports.add(port)
    assert len(ports) == len(PROGRAMS)


def test_settings_that_every_service_has_are_in_the_readme():
    readme = (ROOT / "README.md").read_text()
    for service in PROGRAMS:
        assert f"`{variable(service, 'http')}`" in readme
    assert f"`{variable('clock', 'log_level')}`" in readme
    assert ClockSettings().log_level == "info"
