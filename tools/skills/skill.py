"""Instructions for recurring kinds of work, read when they are needed."""

from itertools import islice
from pathlib import Path

from ankita_desktop.toolkit import ToolContext, ToolError, ToolResult, need
from ankita_desktop.toolkit.skill_text import Skill, split, text_of

name = "skill"
description = "Read the instructions for a kind of work; without name: list them."
parameters = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "file": {"type": "string", "description": "one that the skill refers to"},
        "page": {"type": "integer", "minimum": 1},
    },
    "additionalProperties": False,
}
approval = "never"
read_only = True

PAGE = 8_000
LISTED = 60
LOOKED_AT = 2_000
LINE = 200


def run(args: dict, ctx: ToolContext) -> ToolResult:
    skills = need(ctx.services.skills, "Skills")
    if not args.get("name", "").strip():
        return _all(skills.skills(ctx.cwd))
    skill = skills.skill(args["name"], ctx.cwd)
    if skill is None:
        raise ToolError(_unknown(args["name"], skills.skills(ctx.cwd)))
    if args.get("file"):
        return _file(skill, args["file"], args.get("page", 1))
    return _body(skill, args.get("page", 1))


def _all(skills: list[Skill]) -> ToolResult:
    lines = [f"- {skill.name}: {_short(skill.description)}" for skill in skills]
    return ToolResult("\n".join(lines) or "There are no skills.", {"skills": [skill.name for skill in skills]})


def _unknown(name: str, skills: list[Skill]) -> str:
    names = [skill.name for skill in skills]
    more = f", … ({len(names)} in all)" if len(names) > LISTED else ""
    return f"There is no skill {name!r}. There are: {', '.join(names[:LISTED]) or 'none'}{more}."


def _body(skill: Skill, page: int) -> ToolResult:
    try:
        _, body = split(text_of(skill.file))
    except OSError as error:
        raise ToolError(f"The skill {skill.name} can't be read: {error}.") from error
    pages = paged(body)
    head = _head(skill) if page == 1 else []
    text = "\n".join([*head, _page(pages, page, f"skill(name={skill.name!r}, page=…)")])
    foot = _files_line(skill) if page == len(pages) else ""
    details = {"skill": skill.name, "source": skill.source, "page": page, "pages": len(pages)}
    return ToolResult(f"{text}\n\n{foot}".strip(), details)


def _head(skill: Skill) -> list[str]:
    lines = [f"Skill {skill.name}, in {skill.folder}"]
    if skill.broken:
        lines.append(f"Its header is broken ({skill.problems[0]}): it is advice only and grants nothing.")
    if skill.compatibility:
        lines.append(f"Made for: {skill.compatibility}")
    if skill.allowed_tools:
        lines.append(f"Keep to these tools for it (they are asked for as ever): {', '.join(skill.allowed_tools)}")
    if skill.suggested_tools:
        lines.append(f"Tools that may help (find_tools brings those you lack): {', '.join(skill.suggested_tools)}")
    return [*lines, ""]


def paged(text: str) -> list[str]:
    """The text in pages of at most PAGE characters, cut between lines where it can be."""
    pages, rest = [], text
    while len(rest) > PAGE:
        cut = rest.rfind("\n", PAGE // 2, PAGE) + 1 or PAGE
        pages.append(rest[:cut].rstrip("\n"))
        rest = rest[cut:]
    return [*pages, rest]


def _page(pages: list[str], page: int, how: str) -> str:
    if page > len(pages):
        raise ToolError(f"There are only {len(pages)} pages.")
    more = f"\n[page {page} of {len(pages)}; {how} reads on]" if page < len(pages) else ""
    return pages[page - 1] + more


def _files_line(skill: Skill) -> str:
    names = [path.relative_to(skill.folder).as_posix() for path in _others(skill)]
    if not names:
        return ""
    more = ", …" if len(names) > LISTED else ""
    return f"Its files (file= reads one): {', '.join(names[:LISTED])}{more}"


def _others(skill: Skill) -> list[Path]:
    found = []
    for path in sorted(islice(skill.folder.rglob("*"), LOOKED_AT)):
        hidden = any(part[0] in "._" for part in path.relative_to(skill.folder).parts)
        if path != skill.file and not hidden and path.is_file():
            found.append(path)
        if len(found) > LISTED:
            break
    return found


def _file(skill: Skill, name: str, page: int) -> ToolResult:
    """A file of the skill's own folder. Whatever leads out of it, links included, is refused."""
    folder = skill.folder.resolve()
    path = (folder / name).resolve()
    if folder not in path.parents:
        raise ToolError(f"{name} is outside the folder of the skill {skill.name}; read_file reads other files.")
    if not path.is_file():
        raise ToolError(f"The skill {skill.name} has no file {name}. {_files_line(skill)}".strip())
    with path.open("rb") as opened:
        if b"\0" in opened.read(PAGE):
            raise ToolError(f"{name} is no text. It is at {path}.")
    pages = paged(text_of(path))
    text = _page(pages, page, f"skill(name={skill.name!r}, file={name!r}, page=…)")
    return ToolResult(text, {"skill": skill.name, "file": name, "page": page, "pages": len(pages)})


def _short(text: str) -> str:
    return text if len(text) <= LINE else text[: LINE - 1] + "…"
