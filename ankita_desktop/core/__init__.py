"""The agent: sessions, turns, calls, approvals. No Qt, no sockets."""
