"""A poet and a translator who know nothing of each other, and a caller who knows neither.

The second request refers to the first; the translator finds the poem in what the first one has concluded.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from agentactors import Agent, AgentSystem, Context, capability

# A toy: enough words for this poem, so that the example runs offline and always says the same.
DICTIONARY = {
    "《秋天》": "Autumn",
    "在自由的风里": "In the free wind",
    "在押韵的风里": "In the rhyming wind",
    "我写下关于秋天的句子。": "I write lines about autumn.",
}


class Poem(BaseModel):
    poem: str
    word_count: int | None = None


class Poet(Agent):
    """擅长围绕给定主题创作现代诗，支持自由诗和押韵诗。"""

    agent_id, agent_name, version = "agent.poet.v2", "现代诗写手", "2.0.0"
    tags = ("写作", "诗歌", "创作", "押韵")

    @capability("poetry.create", description="根据主题、风格和字数要求创作一首现代诗")
    async def create(
        self,
        ctx: Context,
        theme: Annotated[str, Field(description="诗歌主题")] = "秋天",
        style: Annotated[Literal["free", "rhyming"], Field(description="自由诗或押韵诗")] = "free",
        max_length: Annotated[int, Field(description="最多字数", ge=1)] = 50,
    ) -> Poem:
        wind = "自由的" if style == "free" else "押韵的"
        poem = f"《{theme}》\n在{wind}风里\n我写下关于{theme}的句子。"[:max_length]
        ctx.memory["poem"] = poem  # a conclusion: whoever refers to this request may read it
        return Poem(poem=poem, word_count=len(poem))


class Translator(Agent):
    """把文本翻译成另一种语言。"""

    agent_id, agent_name = "agent.translator", "翻译"
    tags = ("翻译", "语言")

    @capability("translation.text", description="把一段文本翻译成目标语言")
    async def translate(
        self,
        ctx: Context,
        source_text: Annotated[str | None, Field(description="原文；缺省时取所引用请求里的诗")] = None,
        target_language: Annotated[Literal["en"], Field(description="目标语言")] = "en",
    ) -> dict[str, str]:
        source = ctx.memory["poem"] if source_text is None else source_text
        lines = [DICTIONARY.get(line, line) for line in source.splitlines()]
        return {"translation": "\n".join(lines), "target_language": target_language}


async def main() -> None:
    async with AgentSystem.start() as system:
        await asyncio.gather(system.spawn(Poet), system.spawn(Translator))
        r1 = await system.submit_task({"query": "帮我写一首关于秋天的诗", "capability": "poetry.create"})
        print(f"{r1.agent_id}:\n{r1.data['poem']}\n")
        r2 = await system.submit_task(
            {"query": "把刚才那首诗翻译成英文", "capability": "translation.text", "context_refer": r1.request_id}
        )
        print(f"{r2.agent_id}:\n{r2.data['translation']}")


if __name__ == "__main__":
    asyncio.run(main())
