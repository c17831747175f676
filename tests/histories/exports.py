"""Small exports, made up: a game as 18xx.games would write it, with few actions in it."""

import json
from typing import Any

from services.histories.export import Export, parsed

Json = dict[str, Any]


def document(*actions: Json, seats: int = 3, **keys: Any) -> Json:
    numbered = [{"id": place, **action} for place, action in enumerate(actions, 1)]
    return {
        "id": 77,
        "title": "1830",
        "description": "a key that we do not know",
        "players": [{"id": 10 + seat, "name": f"Player {seat}"} for seat in range(1, seats + 1)],
        "settings": {"seed": 5, "optional_rules": []},
        "actions": numbered,
        "status": "active",
        "result": {},
        **keys,
    }


def export(*actions: Json, **keys: Any) -> Export:
    return parsed(json.dumps(document(*actions, **keys)).encode())


def passing(player: int = 11, *auto: Json, **keys: Any) -> Json:
    action = {"type": "pass", "entity": player, "entity_type": "player", **keys}
    return {**action, "auto_actions": list(auto)} if auto else action


def bidding(player: int, company: str, price: int) -> Json:
    return {
        "type": "bid",
        "entity": player,
        "entity_type": "player",
        "company": company,
        "price": price,
    }


def undo(to: int | None = None) -> Json:
    action: Json = {"type": "undo", "entity": 11, "entity_type": "player"}
    return action if to is None else {**action, "action_id": to}


def redo() -> Json:
    return {"type": "redo", "entity": 11, "entity_type": "player"}


def chat() -> Json:
    return {"type": "message", "entity": 11, "entity_type": "player", "message": "hello"}
