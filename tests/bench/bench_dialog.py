"""The approval dialog: from the question to its first paint, beside an empty dialog of the same size."""

from __future__ import annotations

import os
import statistics
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

ROUNDS = 7


def main() -> None:
    from PySide6.QtWidgets import QApplication, QDialog

    from ankita_desktop.protocol import ApprovalRequest, FileChange, Preview, ToolCall
    from ankita_desktop.ui.approval import ApprovalDialog
    from ankita_desktop.ui.theme import theme

    app = QApplication.instance() or QApplication(["bench"])
    theme().apply()

    def empty() -> QDialog:
        dialog = QDialog()
        dialog.resize(1080, 640)
        return dialog

    def asked(lines: int) -> QDialog:
        before = "".join(f"line {number} of a file\n" for number in range(lines))
        after = before.replace("line 7 ", "line seven ").replace(f"line {lines - 9} ", "line near the end ")
        change = FileChange("/w/file.py", "modify", before, after, "0", facts="UTF-8, LF, mode 644")
        preview = Preview("diff", "Change file.py?", effect="edit", where="/w", changes=(change,))
        return ApprovalDialog(ApprovalRequest("q", "s", ToolCall("1", "edit_file"), "ask", preview))

    def median(make: object, *args: object) -> float:
        taken = []
        for _ in range(ROUNDS):
            began = time.perf_counter()
            dialog: QDialog = make(*args)  # type: ignore[operator]
            dialog.show()
            dialog.grab()
            taken.append(time.perf_counter() - began)
            until = time.monotonic() + 0.3
            while time.monotonic() < until:  # what compares in the background ends before the next
                app.processEvents()
            dialog.close()
            dialog.deleteLater()
            app.processEvents()
        return statistics.median(taken) * 1000

    median(asked, 100)
    print(f"ms to the first paint, median of {ROUNDS}")
    print(f"  {'an empty dialog (reference)':<34}{median(empty):8.1f}")
    for lines in (100, 2_000, 20_000):
        print(f"  {f'a changed file of {lines:,} lines':<34}{median(asked, lines):8.1f}")


if __name__ == "__main__":
    main()
