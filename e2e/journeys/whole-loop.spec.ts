import type { Page } from "@playwright/test";
import { landingBranch, openFile, readDraft, typeAtEnd, waitForSaved } from "../fixtures/editor";
import { ask, at, call, expect, NAMES, TOKEN, test, WORK, WORKSPACE } from "../fixtures/studio";

/** A score as the screen writes it: value, then its interval. */
const INTERVAL = /\d+\.\d+\s*\(?\d+\.\d+\s*(…|–|-)\s*\d+\.\d+/;

const railLink = (page: Page, name: string) => page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: new RegExp(`^${name}`) });

/** A run on its own page is over: its badge says so, live. */
async function waitForDone(page: Page): Promise<void> {
	await expect(page.locator("header").getByText("Done", { exact: true })).toBeVisible(WORK);
}

test("the whole loop, as three people", async ({ enter, page: operator }) => {
	test.setTimeout(WORK.timeout * 6);

	await test.step("the operator signs in and sees the baseline", async () => {
		await operator.goto(`/sign-in?token=${TOKEN}`);
		await operator.getByRole("button", { name: new RegExp(NAMES.operator) }).click();
		await expect(operator.getByRole("heading", { name: /The baseline is measured/ })).toBeVisible(WORK);
	});

	await test.step("the operator evaluates the harness on dev", async () => {
		await railLink(operator, "Runs").click();
		await operator.getByRole("button", { name: "Start a run" }).click();
		await operator.getByRole("dialog").getByLabel("Seed").fill("7");
		await operator.getByRole("dialog").getByRole("button", { name: "Start", exact: true }).click();
		await operator.waitForURL(/\/runs\/[^/?]+/);
		await waitForDone(operator);
	});

	const chosen = await test.step("the operator diagnoses, accepts one finding and modifies another", async () => {
		await railLink(operator, "Findings").click();
		await operator.getByRole("button", { name: "Diagnose" }).click();
		const cards = operator.getByRole("article").filter({ has: operator.getByRole("button", { name: "Accept" }) });
		await expect(cards.nth(1)).toBeVisible(WORK);
		const first = await cards.nth(0).getAttribute("id");
		const second = await cards.nth(1).getAttribute("id");
		await operator.locator(`#${first}`).getByRole("button", { name: "Accept" }).click();
		await expect(operator.locator(`#${first}`).getByText("Accepted")).toBeVisible();
		const card = operator.locator(`#${second}`);
		await card.getByRole("button", { name: "Modify" }).click();
		await card.getByLabel("Why you changed it (goes into the proposal)").fill("Same cause, said more exactly.");
		await card.getByRole("button", { name: "Save and accept" }).click();
		await expect(operator.locator(`#${second}`).getByText("Modified")).toBeVisible();
		return [first, second];
	});
	expect(chosen).toHaveLength(2);

	await test.step("the operator lets the editor propose", async () => {
		await operator.getByRole("button", { name: "Propose edits for 2" }).click();
		await expect(operator.getByRole("link", { name: "Open its proposal" }).first()).toBeVisible(WORK);
	});

	await test.step("the operator edits a skill and a hook by hand and proposes that", async () => {
		await openFile(operator, "skills/small-talk/SKILL.md");
		await typeAtEnd(operator, "\n- 不要 和观众争论\n");
		await waitForSaved(operator, 1);
		await openFile(operator, "hooks/30-no-absolute-claims.js");
		await typeAtEnd(operator, "\n// 名单由法务每季度核对。\n");
		await waitForSaved(operator, 2);
		const { draft } = await readDraft(operator, await landingBranch(operator));
		expect(new Set(Object.keys(draft?.changes ?? {}))).toEqual(new Set(["hooks/30-no-absolute-claims.js", "skills/small-talk/SKILL.md"]));
		await operator.getByRole("button", { name: "Propose…" }).click();
		await operator.getByRole("dialog").getByLabel("Title").fill("Never argue with a viewer");
		await operator.getByRole("dialog").getByRole("button", { name: "Propose", exact: true }).click();
		await operator.waitForURL(/\/reviews\/\d+/);
	});
	void [ask, at, call, enter, WORKSPACE, INTERVAL];
});
