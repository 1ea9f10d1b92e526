import { createSpeaker } from "@/server/kernel/phrase";

/** Why a row of an import was not taken, or taken changed; `messages/<language>/importNotes.json` translate it by id. */
export const IMPORT_TEXTS = {
	"quote-open": "A quote is opened and never closed; everything after it was read as one cell.",
	"quote-inside": "A quote stands inside a cell that is not quoted properly.",
	"row-large": "The row is larger than {max} KB.",
	"row-endless": "The row is larger than {max} MB: neither it nor anything after it was read. Perhaps a quote is opened and never closed.",
	"row-cells": "The row has another number of cells than the head.",
	"row-unreadable": "The row cannot be read.",
	"row-unreadable-detail": "The row cannot be read: {detail}",
	"line-large": "The line is larger than {max} KB.",
	"line-no-object": "The line is not a JSON object.",
	"line-no-json": "The line is not valid JSON: {detail}",
	"line-deep": "More than {max} lists and objects stand in one another on this line.",
	"no-rows": "The file has no row below its head.",
	"encoding-guessed":
		"The file does not say its encoding and is not UTF-8: it was read as {encoding}, by a guess. Look at a few rows; where they are garbled, choose the encoding and read it again.",
	nul: "The row holds a NUL character.",
	"wrong-encoding": "The row holds bytes that are not valid in this encoding: choose the file's encoding.",
	"half-character": "The row holds half a character (a lone surrogate).",
	"no-category": "The row has no category: map a column to it, or give a category for all rows.",
	"no-message": "The message is empty.",
	"no-user-message": "The row has no user message.",
	"message-column": "It is not clear which column is the message: name it in the mapping.",
	"message-variable": "It is not clear which variable is the message: name it in the mapping.",
	"message-variables": "It is not clear which variable is the message ({names}): name it in the mapping.",
	"assertion-left-out": "the assertion “{type}” has no counterpart here and was left out",
	"field-invalid": "The field {field} is not valid: {detail}",
	"rubric-unmet": "No reply can meet its rubric: {problems}",
	"rubric-doubtful": "Its rubric is perhaps not what was meant: {problems}",
	"rubric-pattern": "point {item}: the pattern does not compile",
	"rubric-schema": "point {item}: the JSON Schema is not valid",
	"rubric-path": "point {item}: the world has nothing at this path",
	"rubric-fact-value": "point {item}: the fact is no text or number, so `accept` should say how a reply may state it",
	"rubric-fact-object": "point {item}: the fact is an object, so `accept` should say how a reply may state it",
	"reference-measures": "It has no rubric: it is measured by its reference reply (chrF of at least {min}).",
	"nothing-asked": "It has neither a rubric nor a reference reply: whatever the reply says counts as right, unless a model judges.",
	"category-new": "The workspace has no category “{category}” yet: it will be added.",
	"room-unresolved": "Its room cannot be made: {detail}",
	"sealed-id": "A sealed case has the id “{id}”: it stays where it is. Give the row another id, or the split holdout.",
	"id-twice": "The id “{id}” is already on line {line}.",
	"group-elsewhere": "Its group “{group}” is already in the split {split}: near-duplicates never cross splits.",
	"near-duplicate-elsewhere": "A near-duplicate of it is already in the split {split}: near-duplicates never cross splits.",
} as const;

export const reasonOf = createSpeaker(IMPORT_TEXTS, "reason");
/** A reason in English, and as a phrase where it is one of ours. */
export type Reason = { reason: string; phrase?: ReturnType<typeof reasonOf>["phrase"] };
