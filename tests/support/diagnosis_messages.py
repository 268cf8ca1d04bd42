"""Genuine messages of build tools on invented packages, with what they mean."""

from __future__ import annotations

from typing import Final

from tests.support import (
    diagnosis_build_messages,
    diagnosis_distribution_messages,
    diagnosis_further_messages,
    diagnosis_outcome_messages,
    diagnosis_service_messages,
    diagnosis_setup_messages,
    diagnosis_toolchain_messages,
)
from tests.support.diagnosis_message import Message

MESSAGES: Final[tuple[Message, ...]] = (
    *diagnosis_setup_messages.MESSAGES,
    *diagnosis_build_messages.MESSAGES,
    *diagnosis_outcome_messages.MESSAGES,
    *diagnosis_further_messages.MESSAGES,
    *diagnosis_distribution_messages.MESSAGES,
    *diagnosis_toolchain_messages.MESSAGES,
    *diagnosis_service_messages.MESSAGES,
)
