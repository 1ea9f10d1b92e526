import type { Page } from "@playwright/test";
import { strToU8, zipSync } from "fflate";
import { discardDraft, editor, landingBranch, openFile, readDraft, replaceText, typeAtEnd, waitForSaved } from "../fixtures/editor";
import { at, call, expect, NAMES, test, WORKSPACE } from "../fixtures/studio";

const propose = (page: Page) => page.getByRole("button", { name: "Propose…" });

test.describe("bad input in the editor", () => {
	for (const bad of [
		{ what: "broken YAML", file: "tools/check_stock.yaml", text: "name: check_stock\ndescription: [not closed\n", rule: "yaml" },
		{
			what: "Liquid that loops",
			file: "prompts/role.md",
			text: "---\ntitle: Role\n---\n{% for i in (1..90000000) %}{{ i }}{% endfor %}\n",
			rule: "liquid-limit",
		},
		{ what: "a hook that does not parse", file: "hooks/40-reply-length.js", text: "export default { on: 'reply', run( {\n", rule: "hook-syntax" },
	])
		test(`${bad.what} is marked, blocks the proposal, and survives a reload`, async ({ enter }) => {
			const page = await enter("operator");
			await discardDraft(page);
			await openFile(page, bad.file);
			await replaceText(page, bad.text);
			await waitForSaved(page, 1);
			const refused = async () => {
				await expect(editor(page).locator(".squiggly-error").first()).toBeAttached();
				await expect(page.getByRole("region", { name: "Problems" }).getByText(bad.rule, { exact: true }).first()).toBeVisible();
				await expect(propose(page)).toHaveAttribute("aria-disabled", "true");
				await expect(page.getByText(/Fix the (error|\d+ errors) first; the draft is safe\./)).toBeVisible();
			};
			await refused();
			await page.reload();
			await refused();
			expect((await readDraft(page, await landingBranch(page))).draft?.changes[bad.file]).toBe(bad.text);
			await discardDraft(page);
		});
});

test("two windows on one draft: the second is told, and neither text is lost", async ({ enter }) => {
	const one = await enter("operator");
	await discardDraft(one);
	const two = await one.context().newPage();
	await openFile(one, "skills/small-talk/SKILL.md");
	await openFile(two, "hooks/40-reply-length.js");
	await typeAtEnd(one, "\n- 不要 念错观众的名字\n");
	await waitForSaved(one, 1);
	await typeAtEnd(two, "\n// from the second window\n");
	const notice = two.getByText("This draft was saved in another window meanwhile. What you typed here is kept.");
	await expect(notice).toBeVisible();
	await expect(editor(two).getByText("// from the second window")).toBeVisible();
	await expect(propose(two)).toHaveAttribute("aria-disabled", "true");
	await two.getByRole("button", { name: "Put mine on top" }).click();
	await expect(notice).toBeHidden();
	await waitForSaved(two, 2);
	const { draft } = await readDraft(two, await landingBranch(two));
	expect(draft?.changes["skills/small-talk/SKILL.md"]).toContain("不要 念错观众的名字");
	expect(draft?.changes["hooks/40-reply-length.js"]).toContain("// from the second window");
	await discardDraft(one);
});

test.describe("imports", () => {
	test("a CSV without a message column names its columns and stores nothing", async ({ enter }) => {
		const page = await enter("operator", at("cases"));
		await page.getByRole("button", { name: "Import", exact: true }).click();
		const buffer = Buffer.from("when,who\n2026-01-01,Ada\n");
		await page.getByRole("dialog").locator("input[type=file]").setInputFiles({ name: "cases.csv", mimeType: "text/csv", buffer });
		await expect(page.getByRole("dialog").getByRole("alert")).toContainText("message");
		await expect(page.getByRole("dialog").getByRole("button", { name: /^Import / })).toBeDisabled();
		// The columns that were found can be mapped at once, and what was chosen outlives the dialog.
		const message = page.getByRole("dialog").getByRole("combobox", { name: /^Message/ });
		await message.click();
		await page.getByRole("option", { name: "who" }).click();
		await page.keyboard.press("Escape");
		await expect(page.getByRole("dialog")).toHaveCount(0);
		await page.getByRole("button", { name: "Import", exact: true }).click();
		await expect(page.getByRole("dialog").getByText(/^cases\.csv, /)).toBeVisible();
		await expect(message).toContainText("who");
	});

	test("a zip that climbs out of its folder is refused with its reason", async ({ enter }) => {
		const page = await enter("operator", at("harness"));
		await page.getByRole("button", { name: "New, import, export, discard" }).click();
		await page.getByRole("menuitem", { name: "Import…" }).click();
		const skill = strToU8("---\nname: evil\ndescription: Climbs.\n---\n# Evil\n");
		const zip = zipSync({ "../evil/SKILL.md": skill, "good/SKILL.md": strToU8("---\nname: good\ndescription: Stays.\n---\n# Good\n") });
		await page.getByLabel("Zip with skills").setInputFiles({ name: "skills.zip", mimeType: "application/zip", buffer: Buffer.from(zip) });
		await expect(page.getByText(/\.\.\/evil/).first()).toBeVisible();
		await expect(page.getByText("evil", { exact: true })).toBeHidden();
	});

	test("a file that is no zip says so, and the dialog stays", async ({ enter }) => {
		const page = await enter("operator", at("harness"));
		await page.getByRole("button", { name: "New, import, export, discard" }).click();
		await page.getByRole("menuitem", { name: "Import…" }).click();
		await page.getByLabel("Zip with skills").setInputFiles({ name: "skills.zip", mimeType: "application/zip", buffer: Buffer.from("PK, or so it says") });
		await expect(page.getByText("This is not a zip archive that can be read.").first()).toBeVisible();
		await expect(page.getByRole("dialog")).toBeVisible();
	});
});

test.describe("who may not", () => {
	test("a wrong token is refused, and what was typed stays", async ({ page }) => {
		await page.goto("/sign-in");
		const token = page.getByLabel("Token of this start");
		await token.fill("a-token-of-yesterday");
		await page.getByRole("button", { name: new RegExp(NAMES.operator) }).click();
		await expect(page.getByText("This token is not valid. It changes with every start: copy it from the terminal again.")).toBeVisible();
		await expect(token).toHaveValue("a-token-of-yesterday");
		await page.goto(at("runs"));
		await expect(page).toHaveURL(/\/sign-in\?next=/);
	});

	test("the server refuses what a viewer's screen does not offer", async ({ enter }) => {
		const page = await enter("viewer", at("runs"));
		await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
		const start = { workspace: WORKSPACE, suite: "t1", split: "dev", harness: "main", trials: 1, seed: 1 };
		expect((await call(page, "evaluation.runStart", start)).status()).toBe(403);
		const save = { workspace: WORKSPACE, kind: "agent", branch: "main", version: 0, patch: { "prompts/role.md": "mine" } };
		expect((await call(page, "harness.draftSave", save)).status()).toBe(403);
	});

	test("another site's page cannot act with somebody's session", async ({ enter }) => {
		const page = await enter("operator", at("runs"));
		const estimate = { workspace: WORKSPACE, suite: "t1", split: "dev", harness: "main", trials: 1, seed: 1 };
		const response = await call(page, "evaluation.runStart", estimate, { origin: "https://elsewhere.example" });
		expect(response.status()).toBe(403);
		expect(await response.text()).toContain("origin-refused");
	});
});
