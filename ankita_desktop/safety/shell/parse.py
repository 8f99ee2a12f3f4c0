"""A command line taken apart: every program it would start, whatever starts it. Runs nothing.

The parser is imported on first use. What it can't read, or what the shell might read differently, leaves
``unclear`` behind: such a text is asked, however harmless its parts look.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from ankita_desktop.safety.shell.script import LETTERS, Redirect, Script, Simple, restored, stand_ins
from ankita_desktop.safety.shell.tables import names
from ankita_desktop.safety.shell.words import UNKNOWN, Word, word_of

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Parser

MAX_SIZE = 20_000
PLAIN_VALUE = re.compile(r"[\w./:@%+,=-]+")
# Categories of characters that can't be seen or are taken for a space.
INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs")

# Parts of the grammar that only hold others; their own children say what happens.
HOLDERS = names("""
    program list pipeline subshell compound_statement if_statement elif_clause else_clause while_statement
    do_group case_statement case_item negated_command for_statement c_style_for_statement string
    concatenation command_substitution process_substitution expansion simple_expansion arithmetic_expansion
    array subscript file_redirect test_command unary_expression binary_expression parenthesized_expression
    ternary_expression postfix_expression command_name heredoc_body herestring_redirect
""")
# Parts that do nothing by themselves.
LEAVES = names("""
    word number raw_string ansi_c_string string_content variable_name special_variable_name comment
    file_descriptor test_operator heredoc_start heredoc_end heredoc_content regex brace_expression
    extglob_pattern translated_string
""")
# Between [[ and ]], these take a name for what its value says, and calculate that: it may hold a command.
COMPARES = re.compile(r"\s-(?:eq|ne|lt|le|gt|ge)\s")
CALCULATES = "The shell calculates with a name in it, whose value may hold a command."
# Reading these leaves too much open for "it only reads".
OPEN = names("c_style_for_statement brace_expression extglob_pattern translated_string")


def parse(text: str) -> Script:
    """Take a command line apart. Never raises for bad text."""
    if len(text) > MAX_SIZE:
        return Script(unclear="It is too long to be looked through.")
    joined = _joined(text)
    plain, back = stand_ins(joined)
    root = _parser().parse(plain.encode("utf-8")).root_node
    walk = _Walk(plain)
    walk.statement(root, None, False)
    script = restored(walk.script, back)
    if root.has_error or "\\\n" in joined:
        script.unclear = "The shell might read this in another way than it looks: quotes or brackets don't match."
    elif len(back) > LETTERS:
        script.unclear = "It holds too many different characters to be looked through."
    elif any(unicodedata.category(char) in INVISIBLE and char not in "\n\t " for char in text):
        script.unclear = "It holds characters that can't be seen, or that only look like a space."
    return script


def _joined(text: str) -> str:
    """Lines put together that a backslash continues, as the shell does; left alone where that isn't certain."""
    return text if re.search(r"'|#|<<|\\\\", text) else text.replace("\\\n", "")


def _parser() -> Parser:
    """A parser of its own for each text: it is no matter of two threads."""
    from tree_sitter import Parser

    return Parser(_language())


@cache
def _language() -> Language:
    import tree_sitter_bash
    from tree_sitter import Language

    return Language(tree_sitter_bash.language())


class _Walk:
    """Goes through the tree and gathers the parts."""

    def __init__(self, text: str) -> None:
        self.script = Script()
        self._text = text
        self._bytes = text.encode("utf-8", "surrogatepass")
        self._values: dict[str, str] = {}

    def statement(self, node: Node, feeder: Simple | None, fed: bool) -> Simple | None:
        """Gather what a node starts. Returns the one program that it is, if it is one."""
        kind = node.type
        if kind == "command":
            return self._command(node, (), feeder, fed)
        if kind == "redirected_statement":
            return self._redirected(node, feeder, fed)
        if kind == "pipeline":
            return self._pipeline(node, feeder, fed)
        if kind in ("variable_assignment", "variable_assignments"):
            self._assignment(node)
        elif kind in ("declaration_command", "unset_command"):
            return self._declaration(node, feeder, fed)
        elif kind == "function_definition":
            self._function(node)
        else:
            self._other(node, feeder, fed)
        return None

    def _other(self, node: Node, feeder: Simple | None, fed: bool) -> None:
        if node.type in OPEN or not (node.type in HOLDERS or node.type in LEAVES):
            self.script.unclear = "A part of it isn't understood."
        if node.type == "subshell":
            self.script.unclear = "It opens a shell inside the shell."
        if node.type == "for_statement":
            self.script.variables.append(_text(node.child_by_field_name("variable")))
        if node.type == "heredoc_body":
            self._hidden(node)
        elif node.type in ("arithmetic_expansion", "test_command", "binary_expression", "subscript"):
            self._evaluated(node)
        elif node.type == "compound_statement" and re.match(r"\(\(.*[A-Za-z_$`]", _text(node), re.DOTALL):
            self.script.unclear = CALCULATES
        elif node.type in ("command_substitution", "process_substitution"):
            self._opened(node)
        for child in node.named_children:
            self.statement(child, feeder, fed)

    def _hidden(self, node: Node) -> None:
        """The parser overlooks backticks here, the shell doesn't."""
        if "`" in _text(node) and not self._is_quoted_heredoc(node):
            self.script.unclear = "It starts a command inside a text."

    def _evaluated(self, node: Node) -> None:
        """Where the shell calculates, the value of a variable can hold another command."""
        text = _text(node)
        calculates = node.type != "test_command" and not text.startswith("[")
        names = any(child.type in ("variable_name", "simple_expansion", "expansion") for child in _below(node))
        compares = text.startswith("[[") and COMPARES.search(text)
        if compares and re.search(r"[A-Za-z_$]", COMPARES.sub(" ", text)):
            self.script.unclear = CALCULATES
        elif re.search(r"`|\\\$|'[^']*\$|\s-[vR]\s", text) or (names and calculates and _counts(node)):
            self.script.unclear = "A part of it isn't understood."

    def _opened(self, node: Node) -> None:
        """``$(<file)`` shows a file without any program."""
        for child in node.named_children:
            if child.type == "file_redirect":
                redirect, _ = self._redirect(child)
                self.script.parts.append(Simple((), _text(node), redirects=(redirect,)))

    def _is_quoted_heredoc(self, node: Node) -> bool:
        start = next(
            (n for n in (node.parent.named_children if node.parent else ()) if n.type == "heredoc_start"), None
        )
        return start is not None and any(mark in _text(start) for mark in "'\"\\")

    def _command(self, node: Node, extra: tuple[Node, ...], feeder: Simple | None, fed: bool) -> Simple:
        words: list[Node] = []
        assigned: list[tuple[str, Word]] = []
        redirects: list[Redirect] = []
        given: Word | None = None
        for child in node.children:
            if child.type == "variable_assignment":
                assigned.append(self._assigned(child))
            elif child.type == "file_redirect":
                redirect, more = self._redirect(child)
                redirects.append(redirect)
                words.extend(more)
            elif child.type == "herestring_redirect":
                given = self._word(child.named_children[-1]) if child.named_children else None
            elif child.is_named or child.type not in ("&", ";", "\n"):
                words.append(child)
        self._spaced(node)
        simple = Simple(
            tuple(self._word(word) for word in (*words, *extra)),
            _text(node),
            tuple(assigned),
            tuple(redirects),
            fed,
            feeder,
            given,
        )
        self.script.parts.append(simple)
        self._inner(node, simple)
        return simple

    def _inner(self, node: Node, outer: Simple) -> None:
        """Commands inside the words: their output is used, or they read what the outer one writes."""
        for child in node.named_children:
            if child.type == "process_substitution" and _text(child).startswith(">("):
                for inner in child.named_children:
                    self.statement(inner, outer, True)
            else:
                self.statement(child, None, False)

    def _redirected(self, node: Node, feeder: Simple | None, fed: bool) -> Simple | None:
        body = node.child_by_field_name("body")
        redirects: list[Redirect] = []
        more: list[Node] = []
        given: Word | None = None
        following: list[Node] = []
        for child in node.named_children:
            if child.type == "file_redirect":
                redirect, words = self._redirect(child)
                redirects.append(redirect)
                more.extend(words)
            elif child.type == "heredoc_redirect":
                given = self._heredoc(child, following, more, redirects)
            elif child.type == "herestring_redirect":
                given = self._word(child.named_children[-1]) if child.named_children else None
        before = len(self.script.parts)
        single = self._body(body, tuple(more), feeder, fed or given is not None)
        simple = self._attach(before, single, tuple(redirects), given)
        for child in node.named_children:
            if child.type in ("file_redirect", "herestring_redirect"):
                self._inner(child, simple)
        for child in following:
            self.statement(child, simple, True)
        return simple if single else None

    def _body(self, body: Node | None, extra: tuple[Node, ...], feeder: Simple | None, fed: bool) -> Simple | None:
        if body is None:
            return None
        if body.type == "command":
            return self._command(body, extra, feeder, fed)
        if extra:
            self.script.unclear = "A part of it isn't understood."
        return self.statement(body, feeder, fed)

    def _attach(
        self, before: int, single: Simple | None, redirects: tuple[Redirect, ...], given: Word | None
    ) -> Simple:
        """Give the redirects to the one program of the body, or keep them as a part of their own."""
        parts = self.script.parts
        if single is None or single not in parts[before:]:
            simple = Simple((), "", redirects=redirects, input=given)
            parts.append(simple)
            return simple
        at = parts.index(single, before)
        changed = replace(single, redirects=single.redirects + redirects, input=given or single.input)
        parts[at] = changed
        return changed

    def _heredoc(
        self, node: Node, following: list[Node], more: list[Node], redirects: list[Redirect]
    ) -> Word | None:
        given = None
        for child in node.named_children:
            if child.type == "heredoc_body":
                self._other(child, None, False)
                text = _text(child)
                expands = not self._is_quoted_heredoc(child) and re.search(r"[$`\\]", text)
                given = Word(UNKNOWN, variables=tuple(_shown_in(child))) if expands else Word(text)
            elif child.type == "file_redirect":
                redirect, words = self._redirect(child)
                redirects.append(redirect)
                more.extend(words)
                self._inner(child, Simple((), ""))
            elif child.type in ("word", "string", "raw_string", "concatenation", "number", "simple_expansion"):
                more.append(child)
            elif child.type not in ("heredoc_start", "heredoc_end", "file_descriptor"):
                following.append(child)
        return given

    def _redirect(self, node: Node) -> tuple[Redirect, list[Node]]:
        """The redirect, and words behind its target that belong to the command."""
        descriptor = next((child for child in node.children if child.type == "file_descriptor"), None)
        if descriptor is not None and not self._stands_alone(descriptor):
            self.script.unclear = "A part of it isn't understood."
        operator = next((child.type for child in node.children if not child.is_named), ">")
        self._spaced(node)
        targets = node.children_by_field_name("destination")
        target = self._word(targets[0]) if targets else Word("-")
        return Redirect(operator, target), targets[1:]

    def _spaced(self, node: Node) -> None:
        """Words that no blank divides, or a line end does, are not the words that the shell sees."""
        for one, other in pairwise(node.children):
            gap = self._bytes[one.end_byte : other.start_byte]
            joined = one.is_named and other.is_named and "redirect" not in one.type + other.type
            if gap.strip(b" \t") or (not gap and joined and one.type != "file_descriptor"):
                self.script.unclear = "A part of it isn't understood."

    def _stands_alone(self, descriptor: Node) -> bool:
        """Whether the shell too sees a number in front of ``>``, and not the end of a word."""
        before = self._bytes[max(descriptor.start_byte - 1, 0) : descriptor.start_byte]
        return before in b" \t\n;|&()<>" and _text(descriptor).isdecimal()

    def _pipeline(self, node: Node, feeder: Simple | None, fed: bool) -> Simple | None:
        for child in node.named_children:
            feeder = self.statement(child, feeder, fed)
            fed = True
        return None

    def _assignment(self, node: Node) -> None:
        name, word = self._assigned(node)
        self.script.variables.append(name)
        alone = node.parent is not None and node.parent.type == "program"
        uses = len(re.findall(rf"(?<![\w$])(?<!\$\{{){re.escape(name)}(?!\w)", self._text)) if name else 0
        if alone and uses == 1 and word.literal and PLAIN_VALUE.fullmatch(word.text):
            self._values[name] = word.text
        for child in node.named_children:
            self.statement(child, None, False)

    def _assigned(self, node: Node) -> tuple[str, Word]:
        value = node.child_by_field_name("value")
        return _text(node.child_by_field_name("name")), self._word(value) if value else Word("")

    def _declaration(self, node: Node, feeder: Simple | None, fed: bool) -> Simple:
        words = tuple(Word(_text(child)) if not child.is_named else self._word(child) for child in node.children)
        simple = Simple(words, _text(node), fed=fed, feeder=feeder)
        self.script.parts.append(simple)
        self._inner(node, simple)
        return simple

    def _function(self, node: Node) -> None:
        name = node.child_by_field_name("name")
        self.script.functions[_text(name)] = _text(node)
        for child in node.named_children:
            if child != name:
                self.statement(child, None, False)

    def _word(self, node: Node) -> Word:
        return word_of(node, self._values)


def _text(node: Node | None) -> str:
    return (node.text or b"").decode("utf-8", "replace") if node is not None else ""


def _below(node: Node) -> Iterator[Node]:
    for child in node.named_children:
        yield child
        yield from _below(child)


def _shown_in(node: Node) -> Iterator[str]:
    """Names of the variables that a text shows; "" for what is more than a name."""
    for child in _below(node):
        if child.type in ("simple_expansion", "expansion"):
            names = [_text(name) for name in child.named_children]
            yield names[0] if len(names) == 1 and _text(child).strip("${}") == names[0] else ""


def _counts(node: Node) -> bool:
    """Whether the node is calculated, and not merely compared inside brackets."""
    above = node
    while above.parent is not None and above.type in ("binary_expression", "unary_expression", "subscript"):
        above = above.parent
    return above.type != "test_command"
