"""Waking by name. One saying is one waking: after it, a detector is deaf until the word is over and some time."""

from __future__ import annotations

import importlib.util
import re
from typing import Any, Protocol

from ankita_desktop.errors import VoiceError
from ankita_desktop.voice.sound import FRAME_SECONDS, frames

KEY_PHRASE_THRESHOLD = 1e-40  # lower hears the phrase more easily, also where it wasn't said
DEAF = 2.0  # seconds after a waking in which the same word counts once
NAMES = ("ankita", "anquita", "anketa", "ankeeta", "ankitta", "ankyta", "onkita", "unkita", "anchita", "akita")
_CALL = r"\s*(?:(?:hey|hi|hello|ok|okay|a|hay)[\s,.!]+)?"
_NAMED = re.compile(_CALL + r"([^\W\d_]+)(?:[\s,.!?:–-]+|$)(.*)", re.I | re.S)
# The name as recognisers that don't know it hear it: in two words.
_SPLIT = re.compile(
    _CALL + r"(?:an|and|on|in)[\s-]+(?:a[\s-]+)?(?:kita|keita|keta|keeta|kida|quita|keyta)\b[\s,.!?:–-]*(.*)",
    re.I | re.S,
)
READY = ("hey_jarvis", "alexa", "hey_mycroft", "hey_rhasspy", "okay_nabu")


class WakeWord(Protocol):
    """Listens to frames for its word; not thread-safe."""

    def hear(self, frame: bytes) -> bool: ...


class Once:
    """Turns a detector's scores into wakings: a score above the threshold wakes once; the next one needs the
    score to have fallen and ``DEAF`` seconds to have passed."""

    def __init__(self, threshold: float) -> None:
        self._threshold = threshold
        self._armed, self._since = True, DEAF

    def score(self, score: float | None) -> bool:
        """One frame's score; None when the detector has none for this frame. True: woken now."""
        self._since += FRAME_SECONDS
        if score is None:
            return False
        if score < self._threshold / 2:
            self._armed = True
        if score < self._threshold or not self._armed or self._since < DEAF:
            if score >= self._threshold:
                self._armed = False
            return False
        self._armed, self._since = False, 0.0
        return True


class ReadyWord:
    """One of the words that come with ``pyopen-wakeword``, such as hey_jarvis."""

    def __init__(self, word: str) -> None:
        try:
            from pyopen_wakeword import Model, OpenWakeWord, OpenWakeWordFeatures
        except (ImportError, OSError):
            raise VoiceError(
                f"The wake word {word} needs pyopen-wakeword: pip install pyopen-wakeword. "
                "Or set voice.wake to name."
            ) from None
        self._features: Any = OpenWakeWordFeatures.from_builtin()
        self._word: Any = OpenWakeWord.from_builtin(Model(word))
        self._once = Once(0.5)

    def hear(self, frame: bytes) -> bool:
        scores = [
            float(score)
            for features in self._features.process_streaming(frame)
            for score in self._word.process_streaming(features)
        ]
        return self._once.score(max(scores) if scores else None)


class KeyPhrase:
    """Any English phrase by pocketsphinx ("hey ankita"): no recogniser has to run."""

    def __init__(self, phrase: str = "hey ankita") -> None:
        try:
            from pocketsphinx import Decoder
        except ImportError:
            raise VoiceError("A spoken key phrase needs pocketsphinx: pip install pocketsphinx.") from None
        self._decoder: Any = Decoder(lm=None, kws_threshold=KEY_PHRASE_THRESHOLD, loglevel="FATAL")
        if self._decoder.lookup_word("ankita") is None:
            self._decoder.add_word("ankita", "AE N K IY T AH", True)
        self._decoder.add_keyphrase("wake", phrase)
        self._decoder.activate_search("wake")
        self._once = Once(0.5)
        self._decoder.start_utt()

    def hear(self, frame: bytes) -> bool:
        for part in frames(frame):
            self._decoder.process_raw(part, False, False)
        found = self._decoder.hyp() is not None
        if found:
            self._decoder.end_utt()
            self._decoder.start_utt()
        return self._once.score(1.0 if found else 0.0)


def after_name(text: str) -> str | None:
    """What was said after the name at the beginning of an utterance ("hey Ankita, list the files" → "list the
    files", the name alone → ""); None when it doesn't begin with the name."""
    found = _NAMED.match(text)
    if found and _is_name(found[1].lower()):
        return found[2].strip()
    split = _SPLIT.match(text)
    return split[1].strip() if split else None


def _is_name(word: str) -> bool:
    from rapidfuzz.distance import Levenshtein

    return word in NAMES or Levenshtein.distance(word, "ankita", score_cutoff=1) <= 1


def make(kind: str) -> WakeWord | None:
    """The detector for a setting: one of ``READY``, or "phrase". None for "off" and "name" (by recognition)."""
    if kind in READY:
        return ReadyWord(kind)
    return KeyPhrase() if kind == "phrase" else None


def available() -> list[str]:
    """The settings that work here."""
    found = ["off", "name"]
    if importlib.util.find_spec("pocketsphinx"):
        found.append("phrase")
    if importlib.util.find_spec("pyopen_wakeword"):
        found.extend(READY)
    return found
