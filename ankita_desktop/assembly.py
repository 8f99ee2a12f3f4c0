"""Puts the parts together, the same way for the window and the terminal."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ankita_desktop import paths
from ankita_desktop.automation.automation import Automation
from ankita_desktop.catalog import open_catalogue
from ankita_desktop.core.engine import Engine
from ankita_desktop.errors import ConfigError, StoreError, ToolError
from ankita_desktop.logs import start_logging
from ankita_desktop.models.prices import Prices
from ankita_desktop.protocol import Abilities, Mode, Model, SessionInfo, Usage
from ankita_desktop.safety.checkpoints import CheckpointStore
from ankita_desktop.safety.redact import Redactor
from ankita_desktop.safety.rules import Rules
from ankita_desktop.safety.shell_risk import ShellRisk
from ankita_desktop.store.database import Store
from ankita_desktop.store.secrets import Secrets
from ankita_desktop.store.settings import Settings
from ankita_desktop.toolkit import leftovers
from ankita_desktop.toolkit.addresses import reach_of, read_address
from ankita_desktop.toolkit.placeholder import PLACEHOLDER
from ankita_desktop.toolkit.projects import Projects
from ankita_desktop.toolkit.scrub import scrub
from ankita_desktop.toolkit.services import Catalogue, Desktop, Services
from ankita_desktop.toolkit.skills import SkillShelf
from ankita_desktop.voice.service import VoiceService

if TYPE_CHECKING:
    from ankita_desktop.models.offline.model import OfflineModel

ENV_FILES = ".env*"
OPENAI = "https://api.openai.com/v1"
DEFAULT_MODEL = "gpt-5-mini"


@dataclass(frozen=True, slots=True)
class Options:
    """What a command line said; empty means: as the settings have it. ``front`` names the process to others;
    ``mode`` is that of new sessions, ``only`` that of every turn here."""

    cwd: str = ""
    model: str = ""
    provider: str = ""
    base_url: str = ""
    api_key: str = ""
    deferral: str = ""
    mode: Mode | None = None
    only: Mode | None = None
    max_rounds: int = 0
    attended: bool = True
    front: str = "terminal"


@dataclass(frozen=True, slots=True)
class ProcessSettings:
    """The settings with this process's options on top. Implements ``core.ports.EngineSettings``."""

    stored: Settings
    options: Options

    @property
    def max_rounds(self) -> int:
        return self.options.max_rounds or self.stored.max_rounds

    @property
    def deferral(self) -> str:
        return self.options.deferral or self.stored.deferral

    @property
    def schema_tokens(self) -> int:
        return self.stored.schema_tokens

    def as_dict(self) -> Mapping[str, object]:
        stored = self.stored.as_dict()
        if not self.options.base_url:
            return stored
        model = stored["model"]
        assert isinstance(model, Mapping)
        return {**stored, "model": {**model, "base_url": self.options.base_url}}


class Models:
    """The model of a session: what the command line says, else the session, else the settings, else offline."""

    def __init__(self, settings: Settings, options: Options, catalogue: Catalogue, secrets: Secrets) -> None:
        self._settings = settings
        self._options = options
        self._catalogue = catalogue
        self._secrets = secrets
        self._made: dict[tuple[str, ...], Model] = {}

    def provider(self) -> str:
        """ "offline" or "openai". Auto takes a service when one is configured."""
        named = self._options.provider or self._settings.values.model.provider
        if named != "auto":
            return named
        return "openai" if self._base_url() or self.key() else "offline"

    def model_name(self, info: SessionInfo | None = None) -> str:
        """What the person sees as the model of a session."""
        if self.provider() == "offline":
            return "offline"
        chosen = self._options.model or (info.model if info else "") or self._settings.values.model.model
        return chosen or DEFAULT_MODEL

    def choices(self) -> tuple[str, ...]:
        """The models a menu offers now."""
        return tuple(dict.fromkeys([self.model_name()]))

    def for_session(self, info: SessionInfo) -> Model:
        """The model to ask, made on first use and kept. Raises ``ModelError`` when it can't be."""
        name, base, key = self.model_name(info), self._base_url(), self.key()
        made = self._made.get((name, base, key))
        if made is None:
            made = self._made[name, base, key] = self._make(name, base, key)
        return made

    def warm(self) -> None:
        """Load ahead what the first conversation needs; takes about a second, so off the main thread."""
        import pydantic  # noqa: F401

        if self.provider() == "offline":
            _ = self._offline().families

    def problems(self) -> tuple[str, ...]:
        """The person's files for models that can't be used, one sentence each."""
        prices = open_prices()
        prices.cost("any", Usage(input=1))
        return (*self._offline().problems, *prices.problems)

    def _offline(self) -> OfflineModel:
        model = self._made.get(("offline", "", ""))
        if model is None:
            from ankita_desktop.models.offline.model import OfflineModel

            folders = [paths.bundled("assets") / "intents", paths.config() / "intents"]
            model = self._made["offline", "", ""] = OfflineModel(match=self._catalogue.match, intents_dirs=folders)
        return cast("OfflineModel", model)

    def _make(self, name: str, base: str, key: str) -> Model:
        if self.provider() == "offline":
            return self._offline()
        from ankita_desktop.models.openai_chat import OpenAIChat

        return OpenAIChat(name, base_url=base or OPENAI, api_key=key, abilities=abilities_at(base or OPENAI))

    def _base_url(self) -> str:
        stored = self._settings.values.model.base_url
        return self._options.base_url or stored or os.environ.get("OPENAI_BASE_URL", "")

    def key(self) -> str:
        """The key for the model's service, "" when there is none."""
        if PLACEHOLDER.search(self._options.api_key):
            raise ConfigError(f"{self._options.api_key} only stands for the key. Give the key itself.")
        if self._options.api_key:
            return self._options.api_key
        elsewhere = self._options.base_url and self._options.base_url != self._settings.values.model.base_url
        if elsewhere:  # a key stored for one service isn't sent to another; one set in this shell is meant
            return os.environ.get("OPENAI_API_KEY", "")
        return self._secrets.get("OPENAI_API_KEY") or ""


class Keys:
    """The person's keys as the tools of this process see them: one from the command line is that of the model's
    service. Implements ``toolkit.services.Secrets``."""

    def __init__(self, secrets: Secrets, models: Models) -> None:
        self._secrets = secrets
        self._models = models

    def get(self, name: str) -> str | None:
        return self._models.key() or None if name == "OPENAI_API_KEY" else self._secrets.get(name)


def abilities_at(base_url: str) -> Abilities:
    """What to expect of a service. One on this machine bills nothing and often runs a small model, which calls
    tools best when their schemas are attached; elsewhere what is cached of the conversation is worth keeping."""
    try:
        local = bool(reach_of(read_address(base_url).host))
    except ToolError:  # the request itself will say what is wrong with it
        local = False
    return Abilities(vision=True, deferral="attach" if local else "dispatch")


@dataclass(frozen=True)
class Assembly:
    """Everything a front end needs. Close it on the thread that made it."""

    engine: Engine
    store: Store
    settings: Settings
    secrets: Secrets
    redactor: Redactor
    catalogue: Catalogue
    checkpoints: CheckpointStore
    models: Models
    options: Options
    voice: VoiceService
    automation: Automation
    services: Services
    notices: tuple[str, ...] = ()

    def folder(self) -> str:
        """The working folder of a new session: the command line's, else the settings', else the current one in
        a terminal and ``~/Documents/Ankita`` in a window."""
        if self.options.cwd:
            return str(Path(self.options.cwd).expanduser().resolve())
        stored = self.settings.values.folders.default
        if self.options.front == "window":
            return str(Path(stored).expanduser()) if stored else str(paths.default_folder())
        return str(Path.cwd())

    @property
    def skills(self) -> SkillShelf:
        """The skills there are now."""
        return skill_shelf(self.settings)

    def mode(self) -> Mode:
        """The mode of a new session."""
        return self.options.mode or self.settings.values.approvals.mode

    def new_session(self, **fields: Any) -> SessionInfo:
        """A session in this process's folder and mode, its folder made if need be."""
        chosen = {"cwd": self.folder(), "mode": self.mode(), **fields}
        Path(chosen["cwd"]).mkdir(parents=True, exist_ok=True)
        return self.engine.new_session(**chosen)

    def close(self) -> None:
        """End what runs (at most about 3 s) and let go of the database."""
        self.voice.close()
        self.automation.close()
        self.engine.close()
        self.store.close()


def assemble(options: Options, desktop: Desktop | None = None) -> Assembly:
    """Open everything under the person's folders. Raises ``AnkitaError`` that says what is in the way."""
    settings = Settings()
    secrets = Secrets()
    redactor = open_redactor(settings, secrets, options)
    start_logging(lambda text: scrub(redactor.hide_loaded(text)))
    store = Store()
    checkpoints = CheckpointStore(paths.data() / "checkpoints")
    catalogue = open_catalogue()
    models = Models(settings, options, catalogue, secrets)
    voice = open_voice(settings, secrets, projects=store)
    automation = Automation(store, lambda: settings.values.automation)
    services = Services(
        catalogue=catalogue,
        checkpoints=checkpoints,
        risk=ShellRisk(),
        policy=Rules(lambda: settings.values.approvals.rules),
        secrets=Keys(secrets, models),
        reminders=automation.reminders,
        routines=automation.routines,
        watches=automation.watches,
        voice=voice,
        desktop=desktop,
        memory=store,
        projects=store,
        skills=skill_shelf(settings),
    )
    engine = Engine(
        store=store,
        catalogue=catalogue,
        services=services,
        settings=ProcessSettings(settings, options),
        model_for=models.for_session,
        owner=f"{os.getpid()} {options.front}",
        attended=options.attended,
        only=options.only,
        price=open_prices().cost,
        redactor=redactor,
    )
    notices = (*settings.notices, *store.notices, *leftovers.end())
    return Assembly(
        engine,
        store,
        settings,
        secrets,
        redactor,
        catalogue,
        checkpoints,
        models,
        options,
        voice,
        automation,
        services,
        notices,
    )


def open_redactor(settings: Settings, secrets: Secrets, options: Options) -> Redactor:
    """What is replaced in every conversation: stored keys, the one of the command line, and the .env files of
    trusted folders that the person didn't open to the assistant."""

    def known() -> list[tuple[str, str]]:
        return [*secrets.known().items(), ("OPENAI_API_KEY", options.api_key)]

    def opened() -> list[Path]:
        return [Path(name) for name in settings.values.folders.shown]

    def files() -> list[Path]:
        folders, shown = settings.values.folders.trusted, set(settings.values.folders.shown)
        found = [path for folder in folders for path in sorted(Path(folder).expanduser().glob(ENV_FILES))]
        return [path for path in found if str(path) not in shown]

    return Redactor(known, version=lambda: secrets.version, files=files, opened=opened)


def open_prices() -> Prices:
    """Ours, and the person's over them."""
    return Prices([paths.bundled("assets") / "prices.toml", paths.config() / "prices.toml"])


def skill_shelf(settings: Settings) -> SkillShelf:
    """The skills of this person; a project's count once its folder is trusted."""
    return SkillShelf(
        bundled=paths.bundled("skills"),
        own=paths.config() / "skills",
        trusted=lambda: settings.values.folders.trusted,
    )


def open_voice(settings: Settings, secrets: Secrets, projects: Projects | None = None) -> VoiceService:
    """Hearing and speaking as the settings have it; nothing is loaded or opened before it is used. The names of
    the projects are listened for, the last used ones first."""

    def key(url: str) -> str:
        """The key stored for speech; the one for the chat goes only to the service it was stored for."""
        own = secrets.get("VOICE_API_KEY") or ""
        chat = settings.values.model.base_url or OPENAI
        return own or (secrets.get("OPENAI_API_KEY") or "" if url == chat else "")

    def names() -> list[str]:
        try:
            return [project.name for project in projects.projects()] if projects else []
        except StoreError:  # without them, names are misheard and nothing else
            return []

    return VoiceService(lambda: settings.values.voice, models=paths.data() / "voice", key=key, hints=names)
