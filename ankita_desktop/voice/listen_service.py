"""Recognition by a service that speaks OpenAI's transcription protocol, on this machine or elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

from ankita_desktop.errors import VoiceError
from ankita_desktop.voice.listen import Heard, Part
from ankita_desktop.voice.sound import as_wav
from ankita_desktop.voice.vad import voiced_seconds

DEFAULT_MODEL = "whisper-1"
SHORTEST = 0.15  # seconds of speech below which nothing is sent
PATIENCE = 60.0


class ServiceRecogniser:
    """Sends a whole utterance when it is over. The key is asked for at each request and kept nowhere."""

    def __init__(self, url: str, *, key: Callable[[], str] = str, model: str = "", language: str = "") -> None:
        self._url, self._key = url.rstrip("/"), key
        self._model, self._language = model or DEFAULT_MODEL, language

    @property
    def about(self) -> str:
        return f"{self._model} at {self.sends_to}"

    @property
    def sends_to(self) -> str:
        return urlsplit(self._url).hostname or self._url

    def begin(self, hints: Sequence[str] = ()) -> ServiceListening:
        return ServiceListening(self, hints)

    def warm(self) -> None:
        """Nothing to load."""

    def transcribe(self, sound: bytes, hints: Sequence[str] = ()) -> Heard:
        if voiced_seconds(sound) < SHORTEST:
            return Heard()
        fields = {"model": self._model, "response_format": "verbose_json"}
        if self._language:
            fields["language"] = self._language
        if hints:
            fields["prompt"] = ", ".join(hints)
        answer = self._post(fields, as_wav(sound))
        parts = [
            Part(float(one.get("start", 0)), float(one.get("end", 0)), str(one.get("text", "")).strip())
            for one in answer.get("segments") or ()
        ]
        return Heard(str(answer.get("text", "")).strip(), tuple(parts))

    def _post(self, fields: dict[str, str], wav: bytes) -> dict[str, Any]:
        from ankita_desktop.toolkit import loop

        return loop.run(self._request(fields, wav))

    async def _request(self, fields: dict[str, str], wav: bytes) -> dict[str, Any]:
        import httpx

        from ankita_desktop.toolkit import net

        key = self._key()
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        try:
            response = await net.client().post(
                f"{self._url}/audio/transcriptions",
                data=fields,
                files={"file": ("speech.wav", wav, "audio/wav")},
                headers=headers,
                timeout=PATIENCE,
            )
        except httpx.HTTPError as error:
            raise VoiceError(
                f"The recogniser at {self.sends_to} can't be reached ({net.why(error)}). Correct "
                "voice.service_url, or set voice.recogniser to whisper.",
                "recogniser",
            ) from error
        return _understood(response, self.sends_to)


def _understood(response: Any, host: str) -> dict[str, Any]:
    if response.status_code in (401, 403):
        raise VoiceError(
            f"{host} refused the key. Set OPENAI_API_KEY, or choose another recogniser.", "recogniser"
        )
    if response.status_code >= 400:
        raise VoiceError(f"The recogniser at {host} answered {response.status_code}.", "recogniser")
    try:
        answer = response.json()
    except ValueError:
        return {"text": response.text}
    if not isinstance(answer, dict):
        raise VoiceError(f"The recogniser at {host} answered something else than a transcription.", "recogniser")
    return answer


class ServiceListening:
    """Collects; there is no text before the end."""

    def __init__(self, recogniser: ServiceRecogniser, hints: Sequence[str]) -> None:
        self._recogniser, self._hints = recogniser, hints
        self._sound = bytearray()

    def feed(self, sound: bytes) -> str:
        self._sound += sound
        return ""

    def finish(self) -> Heard:
        return self._recogniser.transcribe(bytes(self._sound), self._hints)

    def drop(self) -> None:
        self._sound.clear()
