import { createSpeaker } from "@/server/kernel/phrase";

/** Ids of the rules; `messages/<language>/harness.json` name them under `rules`. */
export const PROBLEM_RULES = [
	"yaml",
	"manifest-missing",
	"manifest-schema",
	"constraint-range",
	"constraint-unknown",
	"budget",
	"pipeline-unknown",
	"pipeline-duplicate",
	"pipeline-no-skills",
	"prompt-unused",
	"prompt-schema",
	"front-matter-missing",
	"liquid-syntax",
	"liquid-variable",
	"liquid-variable-sometimes",
	"liquid-limit",
	"liquid-render",
	"skill-missing",
	"skill-name-missing",
	"skill-name",
	"skill-name-folder",
	"skill-description-missing",
	"skill-description-long",
	"skill-compatibility-long",
	"skill-field",
	"skill-field-unknown",
	"skill-metadata",
	"skill-body-empty",
	"no-reply-skill",
	"field-unknown",
	"number-contradicts-constraint",
	"number-repeats-constraint",
	"tool-schema",
	"tool-name-reserved",
	"tool-name-file",
	"tool-name-duplicate",
	"tool-name-collides",
	"tool-input-object",
	"json-schema",
	"json-schema-keyword",
	"json-schema-endless",
	"binding-handler",
	"binding-connection",
	"hook-syntax",
	"hook-export",
	"hook-event",
	"hook-failure",
	"hook-run",
	"hook-import",
	"path",
	"path-collides",
	"file-size",
	"file-count",
	"file-unknown",
	"file-unstorable",
	"file-unreadable",
] as const;
export type ProblemRule = (typeof PROBLEM_RULES)[number];

/** What the validator says, by what it is about; `messages/<language>/problems.json` translate it by id. */
const FILES = {
	"manifest-missing": "There is no harness.yaml.",
	"path-length": "a path has 1 to {max} characters",
	"path-absolute": "absolute path",
	"path-backslash": "a path uses / and not \\",
	"path-control": "control character in the path",
	"path-unicode": "the path is not in Unicode normal form C",
	"path-depth": "too many folders within folders",
	"path-empty-part": "empty part in the path",
	"path-dots": "`.` or `..` in the path",
	"path-git": "`.git` files are not part of a harness",
	"path-trailing": "a part of the path ends with a space or a dot",
	"path-collides": "differs only in case from “{other}”",
	"file-size": "larger than {max} KiB",
	"file-unknown": "No component uses this file.",
	"file-unstorable": "A character that cannot be stored: NUL, or half of a surrogate pair.",
	"file-count": "More than {max} files.",
	"file-link": "a link",
	"file-not-plain": "not a plain file",
	"file-not-text": "not a UTF-8 text file",
	"file-encrypted": "encrypted",
	"file-twice": "twice in the archive",
} as const;

const YAML = {
	yaml: "YAML: {detail}",
	"yaml-aliases": "YAML: too many aliases.",
	"yaml-duplicate-key": "YAML: a key stands twice in one map.",
	"yaml-indent": "YAML: the indentation does not fit what stands around it.",
	"yaml-tab": "YAML: a tab cannot indent.",
	"yaml-key-lines": "YAML: a key stands on one line; a colon or quotes may be missing.",
	"yaml-nested": "YAML: two keys on one line; a text with a colon needs quotes.",
	"yaml-missing-sign": "YAML: a sign is missing: a bracket, a comma or a closing quote.",
	"yaml-start": "YAML: a plain text cannot begin with this sign; put it between quotes.",
	"yaml-escape": "YAML: no such escape between double quotes.",
	"yaml-documents": "YAML: one document a file.",
	"schema-missing": "`{name}` is missing.",
	"schema-unknown": "Unknown field `{name}`.",
	"schema-type": "`{name}` must be of the type `{expected}`.",
	"schema-min": "`{name}` is under the least that is allowed, {min}.",
	"schema-max": "`{name}` is over the most that is allowed, {max}.",
	"schema-values": "`{name}` is one of: {values}.",
	"schema-other": "`{name}`: {detail}",
	"schema-api-version": "`{name}` must be `harness/v1`.",
	"schema-name": "`{name}` has lower-case letters, digits and hyphens, at most 63.",
	"schema-constraint-name": "`{name}`: a constraint's name has letters, digits and `_`, and begins with a letter.",
	"schema-pipeline-item": "`{name}`: an item is a prompt id, `{ skills: index }` or `{ tools: notes }`.",
	"schema-pipeline-empty": "`{name}` names at least one prompt.",
	"schema-tool-name": "`{name}` has 1 to 128 of letters, digits, `_`, `.` and `-`.",
	"schema-tool-description": "`{name}` says what the tool does and when to call it.",
	"schema-http-path": "`{name}` is a path that begins with one /.",
	"schema-binding-kind": "`{name}`: `kind` is `simulator`, `http` or `mcp`.",
} as const;

const MANIFEST = {
	"constraint-min-max": "`{name}`: min {min} is above max {max}.",
	"constraint-range": "`{name}` is {value}, outside its range {min} to {max}.",
	"constraint-unknown": "There is no constraint `{name}` in harness.yaml.",
	"constraint-unknown-known": "There is no constraint `{name}` in harness.yaml. Known: {known}.",
	"budget-target": "The target of {target} ms is above the deadline of {deadline} ms.",
	"budget-tool": "{timeout} ms × {tries} tries leaves no time for the reply: the deadline is {deadline} ms.",
	"pipeline-duplicate": "“{id}” is in the pipeline twice.",
	"pipeline-unknown": "There is no prompts/{id}.md.",
	"pipeline-no-skills": "The pipeline has no `{ skills: index }`: the policy will not know of any skill.",
	"no-reply-skill": "A reply skill is required and there is none: no reply can pass.",
	"prompt-unused": "The pipeline of harness.yaml does not name “{id}”: the policy never sees it.",
	"number-repeats-constraint": "{value} is the constraint `{name}`, typed a second time.",
	"number-contradicts-constraint": "{value} contradicts the constraint `{name}`, which is {limit}.",
} as const;

const TEMPLATES = {
	"front-matter-prompt": "A prompt begins with front matter between two lines of `---`, with a `title`.",
	"front-matter-skill": "SKILL.md begins with front matter between two lines of `---`.",
	"front-matter-map": "The front matter is a map of `name`, `description` and so on.",
	liquid: "{where}: {detail}.",
	"liquid-not-closed": "{where}: `{what}` is not closed.",
	"liquid-filter": "{where}: there is no filter `{name}`.",
	"liquid-tag": "{where}: there is no tag `{name}`.",
	"liquid-when": "{where} is one condition, without braces, %, or line breaks.",
	"liquid-now": "{where}: `now` is not known here; write `room.now`.",
	"liquid-limit-length": "{where}: the template is too long.",
	"liquid-limit-render": "{where}: rendering takes too long (a loop, most often).",
	"liquid-limit-memory": "{where}: rendering needs too much memory (a loop, most often).",
	"liquid-variable": "Unknown variable `{name}`.",
	"liquid-variable-known": "Unknown variable `{name}`. Known here: {known}.",
	"liquid-variable-sometimes": "`{name}` is missing in the room “{room}”. Guard it with `{% if … %}` or `| default:`.",
} as const;

const SKILLS = {
	"skill-missing": "Missing required file: SKILL.md in skills/{folder}.",
	"skill-name-missing": "`name` is missing.",
	"skill-name-empty": "`name` is a text that is not empty.",
	"skill-name-long": "The name “{name}” exceeds the {max} character limit.",
	"skill-name-case": "The name “{name}” must be lowercase.",
	"skill-name-edges": "The name “{name}” cannot start or end with a hyphen.",
	"skill-name-hyphens": "The name “{name}” cannot have consecutive hyphens.",
	"skill-name-characters": "The name “{name}” has invalid characters: only letters, digits and hyphens.",
	"skill-name-folder": "The folder name “{folder}” must match the skill name “{name}”.",
	"skill-description-missing": "`description` says what the skill does and when to use it; it is missing.",
	"skill-description-long": "The description has {length} characters; it exceeds the limit of {max}.",
	"skill-field-unknown": "Unexpected fields in the front matter: `{name}`. Your own fields go under `metadata`.",
	"skill-license": "`license` is a text.",
	"skill-allowed-tools": "`allowed-tools` is a text of names.",
	"skill-compatibility-long": "`compatibility` is a text that exceeds no {max} characters.",
	"skill-metadata": "`{name}` is not valid.",
	"skill-metadata-type": "`metadata.type` is `reply` or `strategy`.",
	"skill-body-empty": "The skill has no text: nothing to load.",
	"field-unknown": "No tool returns a field `{name}`.",
	"field-unknown-near": "No tool returns a field `{name}`. Did you mean `{near}`?",
} as const;

const TOOLS = {
	"tool-name-reserved": "`{name}` is the studio's own tool; choose another name.",
	"tool-name-file": "The file is called {file}.yaml and the tool {name}: one name is easier to find.",
	"tool-name-duplicate": "{other} has a tool of this name too.",
	"tool-name-collides": "Where dots are not allowed, this name and “{other}” ({file}) both become `{name}`; a suffix is added to tell them apart.",
	"tool-input-object": "inputSchema has `type: object`: a tool takes named arguments.",
	"json-schema": "{at}: {detail}",
	"json-schema-large": "{at}: the schema is larger than {max} kB.",
	"json-schema-allowed": "{at} must be one of: {allowed}.",
	"json-schema-type": "{at} must be of the type {expected}.",
	"json-schema-pattern": "{at}: the pattern cannot run on the linear-time engine ({detail}).",
	"json-schema-keyword": "{at}: unknown keyword: “{keyword}”.",
	"json-schema-endless": "{at}: the schema comes back to itself without going into the value; no check of it ends.",
	"binding-handler": "No handler “{name}” in this workspace.",
	"binding-handler-known": "No handler “{name}” in this workspace. There are: {known}.",
	"binding-connection": "No connection “{name}” is registered. An admin adds it in Settings.",
} as const;

const HOOKS = {
	"hook-syntax": "JavaScript: {detail}",
	"hook-syntax-unexpected": "JavaScript: this does not belong here; a bracket or an operator may be missing before it.",
	"hook-syntax-unterminated": "JavaScript: a text, a template or a comment is not closed.",
	"hook-syntax-declared": "JavaScript: “{name}” is declared twice.",
	"hook-export": "A hook has `export default { on, run }`.",
	"hook-event": "`on` is one of {events}, written as a text.",
	"hook-failure": "`failure` is `open` or `closed`: whether the episode goes on when the hook itself fails.",
	"hook-run": "`run` is a function that returns pass(), replace(…), retry(…) or block(…).",
	"hook-run-plain": "`run` is a plain function: there is nothing to wait for in the sandbox.",
	"hook-import": "A hook stands alone: {what} is not there in the sandbox.",
} as const;

const IMPORTS = {
	"import-no-skill": "No SKILL.md was found.",
	"import-skill-taken": "A skill of this name was already taken from {other}.",
	"import-skill-replaces": "Replaces the skill “{name}” that is there.",
	"import-not-yaml": "The front matter was not YAML (a text with a colon and no quotes, most often); it was read line by line.",
	"import-metadata-no-map": "`metadata` was no map; its value is now `metadata.note`.",
	"import-field-moved": "The field `{name}` is not one of Agent Skills; it moved under `metadata`.",
	"import-type-kept": "`metadata.type` is `reply` or `strategy` here; the old value is kept as `original-type`.",
	"import-name-folder": "The name “{name}” is unlike its folder; the skill is called “{folder}”.",
	"import-text-cut": "`{field}` has {length} characters; it was cut at {max}, and all of it is kept as `metadata.full-{field}`.",
	"import-list-goes-on": "The list says that it goes on: only this page was imported.",
	"import-tool-replaces": "Replaces the tool of this name that is there.",
	"import-tool-before": "A tool of this name came before.",
	"import-tool-name": "The name “{name}” is not one that MCP allows; the tool is called “{mended}”.",
	"import-tool-description": "The tool has no description; its title stands in for it. Say when to call it.",
	"import-tool-schema": "The tool has no inputSchema; it is taken to have no arguments.",
} as const;

const FIXES = {
	"fix-change": "Change to {to}",
	"fix-name": "Name it {to}",
	"fix-front-matter": "Add front matter",
	"fix-reply-skill": "Make it a reply skill",
	"fix-write": "Write {text}",
} as const;

/** All of them; a test holds the translations against it. */
export const PROBLEM_TEXTS = { ...FILES, ...YAML, ...MANIFEST, ...TEMPLATES, ...SKILLS, ...TOOLS, ...HOOKS, ...IMPORTS, ...FIXES } as const;

/** A problem's message, in English and as a phrase. */
export const messageOf = createSpeaker(PROBLEM_TEXTS, "message");
/** Why something was not taken, or was taken changed. */
export const reasonOf = createSpeaker(PROBLEM_TEXTS, "reason");
/** What a fix does. */
export const titleOf = createSpeaker(PROBLEM_TEXTS, "title");

/** A fix that puts a near name in the place of a wrong one; nothing where none is near. */
export function changeTo(near: string | null) {
	return near === null ? {} : { fix: { ...titleOf("fix-change", { to: near }), text: near } };
}
