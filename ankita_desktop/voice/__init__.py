"""Hearing and speaking: everything but the window.

    recorder    the microphone as 16 kHz mono frames        devices, pulse: which one, and what is wrong with it
    listen      sound → text, one protocol                  listen_whisper, listen_vosk, listen_service
    push_to_talk, hands_free                                the two ways to talk; vad, turns, wake, echo serve them
    hearing, attention, dialogue, inbox                     what hands-free talk is made of
    speaker     text → sound, sentence by sentence          sentences, speakable; child: the process that sounds
    service     all of it as the composition root hands it out

Nothing here knows the engine: what is heard goes to a ``submit(text)``, what is answered comes as events.
Sound is always signed 16 bit, mono, 16,000 samples a second, unless a name says otherwise.
"""
