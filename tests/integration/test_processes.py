"""More than one process, and more than one system: attach by name, outlive the creator, leave nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import ray
from ray._private import state as ray_state

from agentactors import AgentSystem
from agentactors.errors import ConfigInvalid, InputInvalid, NoReachableAgent, SystemNotFound
from agentactors.runtime import names
from tests.support.agents import Echo, Sleeper
from tests.support.scripts import run_script, written
from tests.support.systems import gone_since, living_actors, living_since, named_actors, quick, running

ATTACH = """
import asyncio, json, sys
from pathlib import Path
from agentactors import AgentSystem
from tests.support.systems import quick

async def main(name: str, folder: str, request_id: str) -> None:
    async with AgentSystem.attach(name, settings=quick(Path(folder))) as system:
        asked = await system.ask("echo.say", {"text": "from outside"})
        collected = await system.result(request_id, timeout_s=10)
        mine = await system.submit("echo.say", {"text": "for the first one"})
        print(json.dumps([asked.data["text"], collected.data, mine]))

asyncio.run(main(*sys.argv[1:]))
"""

CREATE = """
import asyncio, json, sys
from pathlib import Path
from agentactors import Agent, AgentSystem, capability
from tests.support.systems import quick

class Durable(Agent):
    '''Defined in a script.'''
    @capability("durable.work")
    async def work(self) -> str:
        '''Work.'''
        return "still here"

async def main(name: str, address: str, folder: str) -> None:
    system = await AgentSystem.start(name, address=address, detached=True, settings=quick(Path(folder)))
    await system.spawn(Durable)
    print(json.dumps((await system.ask("durable.work")).data), flush=True)
    await system.shutdown()

asyncio.run(main(*sys.argv[1:]))
"""

SCRIPT = """
from __future__ import annotations
import asyncio, json, sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from pydantic import BaseModel
from agentactors import Agent, AgentSystem, Context, capability, errors
from tests.support.systems import quick

class Order(BaseModel):
    item: str
    count: int = 1

@dataclass
class Receipt:
    text: str
    total: int

class Shop(Agent):
    '''Sells, and is defined in the script that runs.'''
    def __init__(self, price: int) -> None:
        self.price = price

    @capability("shop.buy")
    async def buy(self, ctx: Context, order: Order, note: str | None = None) -> Receipt:
        '''Buy something.'''
        return Receipt(f"{order.count} {order.item} {note}", self.price * order.count)

    @capability("shop.list")
    async def list(self) -> AsyncIterator[Order]:
        '''List what there is.'''
        for item in ("ink", "paper"):
            yield Order(item=item)

async def main(folder: str) -> None:
    async with AgentSystem.start(num_cpus=2, settings=quick(Path(folder))) as system:
        await system.spawn(Shop, price=3)
        receipt = (await system.ask("shop.buy", {"order": {"item": "ink", "count": 2}})).data
        async with system.stream("shop.list") as stream:
            items = [item async for item in stream]
        try:
            await system.ask("shop.buy", {"order": {"count": "x"}})
        except errors.InvalidParameters as fault:
            refused = fault.code
        try:
            await system.spawn(Shop, agent_id="big", price=1, num_cpus=64)
        except errors.StartTimeout as fault:
            big = fault.details["wanted"]
    left = [str(path) for path in Path(folder).rglob("*") if path.is_file()]
    print(json.dumps([receipt, items, refused, big, left]))

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.mark.spec("RAY-02", "RAY-07", "RAY-03")
async def test_a_users_script_runs_on_a_ray_of_its_own_and_leaves_nothing(tmp_path: Path) -> None:
    receipt, items, refused, big, left = await run_script(
        written(tmp_path / "shop.py", SCRIPT), str(tmp_path / "state")
    )
    assert receipt == {"text": "2 ink None", "total": 6}
    assert items == [{"item": "ink", "count": 1}, {"item": "paper", "count": 1}]
    assert refused == "INVALID_PARAMETERS"
    assert big == {"CPU": 64}, "a private Ray never grows: refused at once"
    assert left == []


@pytest.mark.spec("RAY-01")
async def test_everything_is_a_ray_actor(system: AgentSystem) -> None:
    before = living_actors()
    await system.spawn(Echo, replicas=2)
    assert set(living_since(before).values()) == {"AgentHost"}
    assert len(living_since(before)) == 2
    expected = {names.REGISTRY, names.ROUTER, names.JOURNAL, names.host("echo", "0"), names.host("echo", "1")}
    assert named_actors(system.namespace) == expected
    classes = {a["ActorClassName"] for a in ray_state.actors().values() if a["State"] == "ALIVE"}
    assert {"RegistryActor", "RouterActor", "JournalActor", "AgentHost"} <= classes
    await system.stop("echo")


@pytest.mark.spec("RAY-02")
async def test_two_systems_on_one_cluster_are_kept_apart(system: AgentSystem, tmp_path: Path, cluster: str) -> None:
    async with AgentSystem.start("second", address=cluster, settings=quick(tmp_path)) as second:
        assert second.namespace != system.namespace
        await asyncio.gather(system.spawn(Echo), second.spawn(Sleeper))
        assert (await system.ask("echo.say", {"text": "x"})).data["text"] == "x"
        with pytest.raises(NoReachableAgent):
            await second.ask("echo.say", {"text": "x"})
        with pytest.raises(NoReachableAgent):
            await system.ask("sleep.notes")
        assert [row["agent_id"] for row in await second.agents()] == ["sleeper"]
        with pytest.raises(InputInvalid, match="runs already"):
            await AgentSystem.start("second", address=cluster, settings=quick(tmp_path))
        namespace = second.namespace
    assert not named_actors(namespace)
    assert (await system.ask("echo.say", {"text": "still"})).data["text"] == "still"
    assert ray.is_initialized(), "a system that did not open the connection does not close it"
    await system.stop("echo")
    with pytest.raises(InputInvalid, match="shut down"):
        await second.ask("sleep.notes")
    await second.shutdown()


@pytest.mark.spec("RAY-02", "OPS-03")
async def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigInvalid, match="connected to Ray at"):
        await AgentSystem.start("elsewhere", address="127.0.0.1:1", settings=quick(tmp_path))
    with pytest.raises(SystemNotFound, match="No system runs"):
        await AgentSystem.attach(settings=quick(tmp_path))
    async with running(tmp_path / "one") as system:
        with pytest.raises(SystemNotFound) as caught:
            await AgentSystem.attach(system.name[:-1] + "x", settings=system.settings)
        assert caught.value.details["nearest"] == [system.name]
        attached = await AgentSystem.attach(settings=system.settings)
        assert attached.name == system.name
        await attached.shutdown()
        assert await system.agents() == []


@pytest.mark.spec("RAY-03", "REACH-12")
async def test_a_second_process_attaches_by_name_and_asks(system: AgentSystem, tmp_path: Path) -> None:
    await system.spawn(Echo)
    request_id = await system.submit("echo.say", {"text": "for the second one"})
    state_dir = str(system.settings.state_dir)
    asked, collected, theirs = await run_script(
        written(tmp_path / "attach.py", ATTACH), system.name, state_dir, request_id
    )
    assert asked == "from outside"
    assert collected["text"] == "for the second one"
    assert (await system.result(theirs, timeout_s=10)).data["text"] == "for the first one"
    assert (await system.ask("echo.say", {"text": "x"})).data["text"] == "x", "its leaving ended nothing"
    await system.stop("echo")


@pytest.mark.spec("RAY-03")
async def test_a_detached_system_outlives_its_creator(tmp_path: Path, cluster: str) -> None:
    actors = living_actors()
    state_dir = tmp_path / "state"
    said = await run_script(written(tmp_path / "create.py", CREATE), "lasting", cluster, str(state_dir))
    assert said == "still here"
    system = await AgentSystem.attach("lasting", settings=quick(state_dir))
    assert (await system.ask("durable.work")).data == "still here"
    assert len(living_since(actors)) == 4
    await system.shutdown(everything=True)
    assert not named_actors(system.namespace)
    await gone_since(actors)
    with pytest.raises(SystemNotFound):
        await AgentSystem.attach("lasting", settings=quick(state_dir))
