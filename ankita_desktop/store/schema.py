"""Every setting: its type, its default and what it is for. Errors and the settings dialog are made from this."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from ankita_desktop.toolkit.keys import read_keys
from ankita_desktop.toolkit.rule_text import parse_rule


def _web_address(text: str) -> str:
    if text and not text.startswith(("http://", "https://")):
        raise ValueError("an address starts with http:// or https://")
    return text.rstrip("/")


def _rule(text: str) -> str:
    return parse_rule(text).text


def _keys(text: str) -> str:
    return str(read_keys(text))


Address = Annotated[str, AfterValidator(_web_address)]
RuleText = Annotated[str, AfterValidator(_rule)]
KeysText = Annotated[str, AfterValidator(_keys)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class ModelPart(_Part):
    """Which model answers."""

    provider: Literal["auto", "offline", "openai"] = Field(
        default="auto",
        description="Who answers: offline is the built-in assistant, openai any service that speaks OpenAI's "
        "chat protocol; auto takes a service when one is configured, else the built-in assistant.",
    )
    model: str = Field(default="", description="The model's name at the service. Empty: the service's usual one.")
    base_url: Address = Field(
        default="", description="The service's address, such as http://localhost:11434/v1. Empty: OpenAI's own."
    )


class ApprovalsPart(_Part):
    """What may happen without a question."""

    mode: Literal["never", "reads", "ask", "edits", "all"] = Field(
        default="ask",
        description="How new chats treat what needs a yes: ask; never (deny it); reads (reading outside the "
        "folder passes); edits (also changes inside it); all (everything but what must always be asked).",
    )
    rules: tuple[RuleText, ...] = Field(
        default=(),
        description="What is always allowed, asked or denied, one rule a line, such as: allow run_command(git "
        "status *), deny edit_file(secrets/**), ask http_request(GET https://api.example.com/**). Deny wins, then "
        "the rule that says most; what must always be asked stays so.",
    )
    sandbox: Literal["off", "ask", "always"] = Field(
        default="off",
        description="Commands in a closed box on Linux (needs bubblewrap): only the working folder can be "
        "changed, and there is no network. ask: what had to be asked runs boxed; always: every command does.",
    )
    sandbox_network: bool = Field(default=False, description="Let commands in the closed box reach the network.")


class AgentPart(_Part):
    """How the assistant works."""

    max_rounds: int = Field(
        default=60,
        ge=1,
        le=1000,
        description="Rounds of tool calls for one request, before it stops and asks to go on.",
    )
    deferral: Literal["auto", "attach", "dispatch", "native", "off"] = Field(
        default="auto",
        description="How tools that are seldom needed reach the model; off sends all of them every time.",
    )
    schema_tokens: int = Field(
        default=16_000, ge=2_000, le=200_000, description="Tokens of one request that tool descriptions may take."
    )
    daily_budget: float = Field(
        default=0,
        ge=0,
        description="USD a day that the Usage panel measures today's cost against. 0: none. Nothing is stopped.",
    )


class FoldersPart(_Part):
    """Where the assistant works."""

    default: str = Field(default="", description="The working folder of new chats. Empty: asked on first use.")
    trusted: tuple[str, ...] = Field(
        default=(), description="Folders whose own instructions and .env file are read, one path each."
    )
    shown: tuple[str, ...] = Field(
        default=(),
        description="Files such as /home/me/site/.env whose secrets the assistant may see, one path each. "
        "The secrets of any other .env of a trusted folder are replaced by their names.",
    )
    not_trusted: tuple[str, ...] = Field(
        default=(), description="Folders that you were asked about and don't trust; you aren't asked again."
    )


def _hours(text: str) -> str:
    if text and not re.fullmatch(r"(?:[01]?\d|2[0-3]):[0-5]\d-(?:[01]?\d|2[0-3]):[0-5]\d", text):
        raise ValueError("quiet hours are written like 22:00-07:00")
    return text


class AutomationPart(_Part):
    """What happens by itself."""

    quiet_hours: Annotated[str, AfterValidator(_hours)] = Field(
        default="", description="When nothing is told, such as 22:00-07:00; it is told afterwards. Empty: never."
    )
    late: Literal["once", "skip", "all"] = Field(
        default="once",
        description="What a new routine does about times that passed while nothing ran: once runs it late, if "
        "it is not too late; skip only tells; all runs them one after the other.",
    )
    grace_minutes: int = Field(default=30, ge=0, le=10_080, description="How late a missed run may still begin.")
    answer_minutes: int = Field(
        default=10, ge=1, le=1440, description="How long a question of a routine waits before it counts as no."
    )
    timezone: str = Field(default="", description="Your time zone, such as Europe/Berlin. Empty: this machine's.")


class WebPart(_Part):
    """Searching and reading the web."""

    search: Literal["auto", "free", "searxng", "brave", "tavily"] = Field(
        default="auto",
        description="Who searches: free asks public search engines without a key; auto takes a service that is "
        "set up (searxng, else the one a key is stored for), else free.",
    )
    searxng_url: Address = Field(default="", description="The address of your SearXNG server, to search with.")
    searches_per_turn: int = Field(default=12, ge=1, le=100, description="Web searches for one request.")
    allowed_hosts: tuple[str, ...] = Field(
        default=(),
        description="Your own servers that may be read without a question though they are on this machine or "
        "network, one each: localhost:3000, 192.168.1.7, *.test.",
    )
    cache_minutes: float = Field(
        default=15, ge=0, le=10_080, description="How long a page that was read is kept instead of fetched again."
    )


class GithubPart(_Part):
    """GitHub."""

    base_url: Address = Field(
        default="",
        description="The API of your own GitHub server, such as https://github.example.com/api/v3. Empty: the "
        "public one.",
    )


class ImagesPart(_Part):
    """Making pictures."""

    base_url: Address = Field(
        default="", description="A service that speaks OpenAI's images protocol. Empty: the one of the model."
    )
    model: str = Field(default="", description="The service's model for pictures. Empty: gpt-image-1.")


class VoicePart(_Part):
    """Hearing and speaking."""

    input: str = Field(
        default="", description="The microphone, as `ankita voice check` names it. Empty: the default."
    )
    output: str = Field(default="", description="The loudspeaker, named the same way. Empty: the default.")
    language: str = Field(default="en", description="The language that is spoken and heard, such as en or de.")
    recogniser: Literal["auto", "whisper", "vosk", "service"] = Field(
        default="auto",
        description="What turns speech into text: vosk (a model fetched by `ankita voice setup`), whisper (came "
        "along, English), service (sends what you say to service_url); auto takes the first that is there.",
    )
    vosk_model: str = Field(default="", description="A folder with a vosk model. Empty: the one that was set up.")
    service_url: Address = Field(
        default="",
        description="A service that speaks OpenAI's audio protocol, such as https://api.openai.com/v1. Its key is "
        "taken from VOICE_API_KEY; the key of the chat goes to the chat's own service alone.",
    )
    service_model: str = Field(default="", description="The service's model for recognition. Empty: whisper-1.")
    press: Literal["hold", "toggle"] = Field(
        default="hold", description="Whether the key to talk is held, or pressed once to begin and once to end."
    )
    talk_key: KeysText = Field(default="Ctrl+Shift+M", description="The key to talk.")
    talk_everywhere: bool = Field(
        default=False,
        description="The key to talk works while another program is in front, too, which then doesn't get it. On "
        "Wayland the desktop asks first.",
    )
    confirm_seconds: float = Field(
        default=1.2,
        ge=0,
        le=30,
        description="Seconds that recognised text can be seen and changed before it is sent.",
    )
    answers: Literal["voice", "always", "never"] = Field(
        default="voice", description="When answers are read aloud: voice, to what was spoken; always; never."
    )
    engine: Literal["auto", "espeak", "system", "command", "service"] = Field(
        default="auto",
        description="Who speaks: espeak (espeak-ng), system (the system's own voice), command (any program), "
        "service (service_url); auto takes a command if one is set, else the first that is there.",
    )
    voice: str = Field(default="", description="The voice's name, as the engine knows it. Empty: its usual one.")
    command: str = Field(
        default="",
        description="A program that reads text and writes a WAV file to its output, such as "
        "piper -m voice.onnx -f -.",
    )
    rate: int = Field(default=175, ge=80, le=400, description="How fast it speaks, in words a minute.")
    volume: int = Field(default=100, ge=0, le=100, description="How loud it speaks, in percent.")
    wake: Literal["off", "name", "phrase", "hey_jarvis", "alexa", "hey_mycroft", "hey_rhasspy", "okay_nabu"] = (
        Field(
            default="off",
            description="What hands-free talk waits for: off (any speech); name (a sentence that begins with "
            "Ankita); phrase (hey Ankita, by pocketsphinx); or one of the ready words of pyopen-wakeword.",
        )
    )
    echo_cancel: bool = Field(
        default=True, description="Use the sound server's echo cancellation in hands-free talk, where it has one."
    )


class UiPart(_Part):
    """The window."""

    theme: Literal["system", "light", "dark", "high-contrast"] = Field(
        default="system", description="Colours of the window."
    )
    font_size: float = Field(default=10.5, ge=7, le=32, description="Size of the text in the window, in points.")
    close_to_tray: bool = Field(
        default=True, description="Closing the window keeps the assistant in the tray, if there is one."
    )
    notifications: bool = Field(
        default=True, description="Tell me when an answer is ready or a question waits while the window is hidden."
    )


class Values(_Part):
    """All settings, checked."""

    model: ModelPart = ModelPart()
    approvals: ApprovalsPart = ApprovalsPart()
    agent: AgentPart = AgentPart()
    folders: FoldersPart = FoldersPart()
    automation: AutomationPart = AutomationPart()
    web: WebPart = WebPart()
    github: GithubPart = GithubPart()
    images: ImagesPart = ImagesPart()
    voice: VoicePart = VoicePart()
    ui: UiPart = UiPart()
