"""The address of a store is shown without the password that it may carry."""

import asyncio

import pytest

from services.bus.connection import connected, said_in_words
from services.bus.errors import StoreError
from services.embedded.errors import StoreUnfitError
from services.embedded.probe import probe_url


@pytest.mark.parametrize(
    "address",
    [
        "redis://ann:hush@127.0.0.1:1/0",
        "redis://:hush@127.0.0.1:1",
        "redis+cluster://:hush@127.0.0.1:1",
    ],
)
def test_a_store_that_does_not_answer_is_named_without_its_password(address: str) -> None:
    async def asked() -> None:
        with said_in_words(address):
            client = connected(address)
            try:
                await client.ping()
            finally:
                await client.aclose()

    with pytest.raises(StoreError) as raised:
        asyncio.run(asked())
    assert "127.0.0.1:1" in str(raised.value)
    assert "hush" not in str(raised.value)


def test_a_wrong_address_is_named_without_its_password() -> None:
    for look in (connected, probe_url):
        with pytest.raises((StoreError, StoreUnfitError)) as raised:
            look("https://ann:hush@store")
        assert "hush" not in str(raised.value)
