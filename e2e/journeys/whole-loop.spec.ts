import type { Locator, Page } from "@playwright/test";
import { landingBranch, openFile, readDraft, typeAtEnd, waitForSaved } from "../fixtures/editor";
import { ask, at, call, expect, NAMES, TOKEN, test, WORK, WORKSPACE } from "../fixtures/studio";

/** A score as the screen writes it: the value, then its 95 % interval. */
const SCORE = /^\d+\.\d+\s*\d+\.\d+ … \d+\.\d+$/;

/** Findings that are confirmed: for the very largest ones nothing general can be said. */
const LARGEST = 5;

const rail = (page: Page, name: string) => page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: new RegExp(`^${name}`) });
const button = (scope: Page | Locator, name: string | RegExp) => scope.getByRole("button", { name, exact: typeof name === "string" });
const dialog = (page: Page) => page.getByRole("dialog");

/** The title line of a page that says where it stands: "In review", live. */
const waitForState = (page: Page, state: string) => expect(page.locator("main").getByText(state, { exact: true }).first()).toBeVisible(WORK);

async function submit(page: Page): Promise<void> {
	await button(page, "Submit for review").click();
	await waitForState(page, "In review");
}

/** Approves and lands the proposal on the page, and waits until the page says that it landed. */
async function land(page: Page): Promise<void> {
	await waitForState(page, "In review");
	await button(page, "Approve and land").click();
	await button(dialog(page), "Approve and land").click();
	await waitForState(page, "Landed");
}

/** The version in the top bar. */
const released = (page: Page, tag: string) => page.getByRole("banner").getByRole("link", { name: new RegExp(`^${tag}\\b`) });

interface Overview {
	evolution: { id: string; branch: string };
	rounds: { id: string; name: string; status: string; commit: string | null }[];
}

test("the whole loop, as three people", async ({ enter, page: operator }) => {
	test.setTimeout(WORK.timeout * 6);

	await test.step("the operator signs in and sees the baseline", async () => {
		await operator.goto(`/sign-in?token=${TOKEN}`);
		await button(operator, new RegExp(NAMES.operator)).click();
		await expect(operator.getByRole("heading", { name: /The baseline is measured/ })).toBeVisible(WORK);
		await expect(operator.getByRole("figure").getByText(SCORE).first()).toBeVisible();
	});

	await test.step("the operator evaluates the harness on dev", async () => {
		await rail(operator, "Runs").click();
		await button(operator, "Start a run").click();
		await dialog(operator).getByLabel("Seed").fill("7");
		await operator.keyboard.press("Escape");
		await button(operator, "Start a run").click();
		await expect(dialog(operator).getByLabel("Seed")).toHaveValue("7");
		await button(dialog(operator), "Start").click();
		await operator.waitForURL(/\/runs\/[^/?]+/);
		await waitForState(operator, "Done");
		await expect(operator.locator("main dl").getByText(SCORE).first()).toBeVisible();
	});

	await test.step("the operator diagnoses, accepts the largest findings and modifies one of them", async () => {
		await rail(operator, "Findings").click();
		await button(operator, "Diagnose").click();
		const cards = operator.locator("article[data-finding]");
		await expect(cards.nth(LARGEST - 1)).toBeVisible(WORK);
		const [modified, ...accepted] = await cards.evaluateAll((all, most) => all.slice(0, most).map(({ id }) => id), LARGEST);
		for (const id of accepted) {
			await button(operator.locator(`#${id}`), "Accept").click();
			await expect(operator.locator(`#${id}`).getByText("Accepted", { exact: true })).toBeVisible();
		}
		const card = operator.locator(`#${modified}`);
		await button(card, "Modify").click();
		await card.getByLabel("Why you changed it (goes into the proposal)").fill("原因相同，说得更准确。");
		await button(card, "Save and accept").click();
		await expect(card.getByText("Modified", { exact: true })).toBeVisible();
	});

	const byEngine = await test.step("the operator takes a proposal of the AI for them", async () => {
		await button(operator, `Propose edits for ${LARGEST}`).click();
		await operator.getByRole("link", { name: /^Open proposal #\d+ and submit it$/ }).click(WORK);
		await expect(operator.getByText(/Written by .+ for you\./)).toBeVisible();
		await submit(operator);
		return operator.url();
	});

	const byHand = await test.step("the operator edits a skill and a hook by hand and proposes that", async () => {
		await openFile(operator, "skills/small-talk/SKILL.md");
		await typeAtEnd(operator, "\n- 不要 和观众争论\n");
		await waitForSaved(operator, 1);
		await openFile(operator, "hooks/30-no-absolute-claims.js");
		await typeAtEnd(operator, "\n// 名单由法务每季度核对。\n");
		await waitForSaved(operator, 2);
		const { draft } = await readDraft(operator, await landingBranch(operator));
		expect(new Set(Object.keys(draft?.changes ?? {}))).toEqual(new Set(["hooks/30-no-absolute-claims.js", "skills/small-talk/SKILL.md"]));
		await button(operator, "Propose…").click();
		await dialog(operator).getByLabel("Title").fill("不和观众争论");
		await button(dialog(operator), "Propose").click();
		await operator.waitForURL(/\/reviews\/\d+/);
		await submit(operator);
		return operator.url();
	});

	await test.step("an author cannot approve: the screen says why, the server refuses", async () => {
		const approve = button(operator, "Approve and land");
		await expect(approve).toHaveAttribute("aria-disabled", "true");
		await expect(operator.getByText("You are an author of this proposal", { exact: false }).first()).toBeVisible();
		const proposal = await ask<{ id: string; revisions: { id: string }[] }>(operator, "evolution.proposal", { proposal: byHand.split("/").at(-1) });
		const input = { workspace: WORKSPACE, proposalId: proposal.id, revisionId: proposal.revisions.at(-1)?.id };
		expect((await call(operator, "evolution.land", input)).status()).toBe(403);
	});

	const reviewer = await enter("reviewer", byHand);

	await test.step("the reviewer comments on a line, approves and lands it", async () => {
		const modified = reviewer.getByTestId("monaco-diff").locator(".editor.modified");
		// Once is enough, however early: the button is where the pointer is.
		await modified.locator(".view-line").first().hover();
		await modified.locator(".studio-add-comment").click();
		await reviewer.getByPlaceholder("Comment, in Markdown").fill("Good. **Every quarter** it is.");
		await button(reviewer, "Comment").click();
		await expect(reviewer.getByRole("region", { name: "Thread" }).getByText("Every quarter")).toBeVisible();
		await land(reviewer);
	});

	await test.step("the other proposal is brought up to date by its author, evaluated again and landed", async () => {
		await operator.goto(byEngine);
		await button(operator, "Update from branch").click();
		await reviewer.goto(byEngine);
		// Evaluated against the new branch by itself; until then it cannot land.
		await expect(button(reviewer, "Approve and land")).not.toHaveAttribute("aria-disabled", "true", WORK);
		await land(reviewer);
	});

	await test.step("the reviewer closes the round, and it evaluates by itself", async () => {
		await rail(reviewer, "Evolution").click();
		await button(reviewer, "Close round…").click();
		await button(dialog(reviewer), "Close and evaluate").click();
		await expect(reviewer.getByRole("link", { name: /^Evo\.1, (?!Evaluating|Open).*Accuracy \d/ })).toBeVisible(WORK);
		await reviewer.goto(at("settings", "triggers"));
		await expect(reviewer.getByRole("switch").first()).toBeChecked();
	});

	const viewer = await enter("viewer");

	await test.step("the product manager sees Evo.1 with intervals, and can change nothing", async () => {
		await expect(viewer.getByRole("link", { name: /^Evo\.1, .*Accuracy \d/ })).toBeVisible();
		// Two dimensions, two rounds, each with its interval.
		await expect(viewer.getByRole("figure").getByText(SCORE)).toHaveCount(4);
		await expect(button(viewer, "Close round…")).toHaveCount(0);
		await expect(button(viewer, "Diagnose")).toHaveCount(0);
		await viewer.goto(at("harness"));
		await expect(viewer.getByText("Only operators and reviewers edit; you can read everything.")).toBeVisible();
		await expect(button(viewer, "Propose…")).toHaveCount(0);
		const { evolution } = await ask<Overview>(viewer, "evolution.overview");
		expect((await call(viewer, "evolution.diagnose", { workspace: WORKSPACE, evolutionId: evolution.id })).status()).toBe(403);
	});

	await test.step("the reviewer answers the alarms of the round in writing", async () => {
		await reviewer.goto(at("evolution", "rounds", "Evo.1"));
		await expect(reviewer.getByRole("heading", { name: "Category alarms" })).toBeVisible();
		const open = button(reviewer, "Acknowledge…");
		for (let left = await open.count(); left > 0; left = await open.count()) {
			await open.first().click();
			await dialog(reviewer).getByLabel("Why it is acceptable").fill("Looked at each case: the replies are shorter, not wrong.");
			await button(dialog(reviewer), "Acknowledge").click();
			await expect.poll(() => open.count()).toBeLessThan(left);
		}
	});

	await test.step("the reviewer releases it, in writing where the gate does not pass", async () => {
		await rail(reviewer, "Releases").click();
		await button(reviewer, "Release Evo.1…").click();
		const release = button(dialog(reviewer), "Release as v1");
		await expect(release).toBeVisible();
		if (await dialog(reviewer).getByText("an admin has to give written leave first").isVisible()) {
			const admin = await enter("admin", reviewer.url());
			await dialog(admin).getByLabel("Why this may be released against a failing gate").fill("A drill of the team: it is rolled back at once.");
			await button(dialog(admin), "Give leave").click();
			await expect(dialog(admin).getByText(/gave leave:/)).toBeVisible();
			await expect(dialog(reviewer).getByText(/gave leave:/)).toBeVisible();
		}
		const why = dialog(reviewer).getByLabel("Why release on an inconclusive gate");
		const live = released(reviewer, "v1");
		const say = () => why.fill("A drill of the team: it is rolled back at once.");
		// Known before where all runs are there; else the first attempt says so.
		const known = await why.isVisible();
		if (known) await say();
		await release.click();
		if (!known) {
			await expect(why.or(live)).toBeVisible(WORK);
			if (await why.isVisible()) {
				await say();
				await release.click();
			}
		}
		await expect(live).toBeVisible(WORK);
		await expect(reviewer.getByRole("article", { name: "v1" })).toBeVisible();
	});

	await test.step("the Evolution and Round pages say that the round is live, with the gate that decided it", async () => {
		const said = /Evo\.1 is live as v1: released on .* by /;
		await rail(reviewer, "Evolution").click();
		await expect(reviewer.getByText(said).first()).toBeVisible();
		await expect(reviewer.getByText("As it was decided then:")).toBeVisible();
		await expect(reviewer.getByRole("link", { name: "Diagnose for the next round" })).toBeVisible();
		await reviewer.goto(reviewer.url().replace(/evolution.*$/, "evolution/rounds/Evo.1"));
		await expect(reviewer.getByText(said).first()).toBeVisible();
		await reviewer.getByRole("link", { name: "Roll back to before it…" }).click();
		await expect(dialog(reviewer)).toBeVisible();
		await reviewer.keyboard.press("Escape");
	});

	await test.step("the reviewer rolls back: the exact diff first, then the typed word", async () => {
		await button(reviewer, "Back to before the first release…").click();
		const sheet = dialog(reviewer);
		for (const file of ["skills/small-talk/SKILL.md", "hooks/30-no-absolute-claims.js"]) await expect(sheet.getByText(file, { exact: true })).toBeVisible();
		await expect(sheet.getByText("// 名单由法务每季度核对。")).toBeVisible();
		const act = button(sheet, /^Roll back to/);
		await sheet.getByLabel("Why", { exact: true }).fill("The drill is over.");
		await expect(act).toBeDisabled();
		await sheet.getByLabel(/^Type .* to confirm$/).fill("base");
		await act.click();
		await expect(released(reviewer, "v2")).toBeVisible(WORK);
	});

	await test.step("everybody sees what is live", async () => {
		await expect(released(viewer, "v2")).toBeVisible();
	});
});
