import type { Page } from "@playwright/test";
import { seriousViolations } from "../fixtures/axe";
import { leftInEnglish, rawKeys } from "../fixtures/language";
import { ask, at, call, expect, takeErrors, test, WORK, WORKSPACE } from "../fixtures/studio";

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" });
const dialog = (page: Page) => page.getByRole("dialog");

/** The shortest training that still goes through data, SFT and RL: lengths that anybody may set in “Start a training”. */
const SHORT = { variants: 1, sftEpochs: 1, opdSteps: 0, rlIterations: 2 };

test("an envelope is tried on the harness before it is saved", async ({ enter }) => {
	const page = await enter("operator", at("training", "variants"));
	const changes = page.getByRole("region", { name: "What changed, and why the task is the same" });
	await expect(changes.getByRole("listitem").first()).toBeVisible();
	const first = (await changes.textContent()) ?? "";
	await page.getByLabel("Seed").fill("4127");
	await expect(changes).not.toHaveText(first);
	const other = (await changes.textContent()) ?? "";
	// The same seed shows the same variant again.
	await page.getByLabel("Seed").fill("1");
	await expect(changes).toHaveText(first);
	await page.getByLabel("Seed").fill("4127");
	await expect(changes).toHaveText(other);
	await expect(button(page, "Put in force")).toBeVisible();
	expect(takeErrors(page)).toEqual([]);
});

test("the checkpoint that came with the workspace is taken along and taken in again; a file that is none is refused", async ({ enter }) => {
	const page = await enter("operator", at("training"));
	await page.getByRole("link", { name: "hat", exact: true }).click();
	await expect(page.getByRole("heading", { level: 1, name: "Checkpoint hat" })).toBeVisible();
	await expect(page.getByText("hat is the policy in force.")).toBeVisible();
	const downloading = page.waitForEvent("download");
	await button(page, "Download").click();
	const file = await (await downloading).path();

	await page.goto(at("training"));
	await button(page, "Checkpoint").click();
	await page.getByRole("menuitem", { name: "Import a checkpoint…" }).click();
	await dialog(page)
		.getByLabel("File")
		.setInputFiles({ name: "notes.ckpt", mimeType: "application/octet-stream", buffer: Buffer.from("no checkpoint") });
	await dialog(page).getByRole("button", { name: "Import" }).click();
	await expect(dialog(page).getByRole("alert")).toContainText("no checkpoint that can act here");
	await dialog(page).getByLabel("File").setInputFiles(file);
	await dialog(page).getByRole("button", { name: "Import" }).click();
	// The same weights are the version that is there.
	await expect(page.getByText("hat is a policy version now.")).toBeVisible();
	expect(takeErrors(page).filter((error) => !error.includes("400"))).toEqual([]);
});

test("a checkpoint that is not measured is measured from the list, and its figures stand there with their intervals", async ({ enter }) => {
	const page = await enter("operator", at("training"));
	const row = page.getByRole("table", { name: "Checkpoints" }).getByRole("row", { name: /^hat / });
	await expect(row.getByText("not measured").first()).toBeVisible();
	await row.getByRole("button", { name: "Measure hat" }).click();
	await expect(row.getByRole("link", { name: /^\d+\.\d \d+\.\d … \d+\.\d$/ }).first()).toBeVisible(WORK);
	await expect(row.getByRole("link", { name: /^\u2212?\d+\.\d \u2212?\d+\.\d … \u2212?\d+\.\d$/ })).toHaveCount(2, WORK);
	await expect(row.getByRole("button")).toHaveCount(0, WORK);
	const viewer = await enter("viewer", at("training"));
	await expect(viewer.getByRole("table", { name: "Checkpoints" })).toBeVisible();
	await expect(viewer.getByRole("button", { name: /^Measure/ })).toHaveCount(0);
	expect(takeErrors(page)).toEqual([]);
});

test("an admin changes a threshold of the advice with a reason; others read it, and the page says what is not the default", async ({ enter }) => {
	const admin = await enter("admin", at("training"));
	const gap = (page: Page) => dialog(page).getByLabel("T1−T2 gap that counts, AVG points");
	const submit = dialog(admin).getByRole("button", { name: "Put in force" });
	await button(admin, "Thresholds…").click();
	await expect(dialog(admin).getByText("default 0.5", { exact: true })).toBeVisible();
	await gap(admin).fill("0");
	await expect(dialog(admin).getByRole("alert")).toHaveText("0.1 to 50.");
	await gap(admin).fill("2.5");
	await expect(submit).toBeDisabled();
	await dialog(admin)
		.getByLabel(/^Reason/)
		.fill("Two and a half points are much here.");
	await submit.click();
	await expect(admin.getByText("T1−T2 gap that counts, AVG points: 2.5 (default 3)")).toBeVisible();

	const viewer = await enter("viewer", at("training"));
	await button(viewer, "Thresholds…").click();
	await expect(dialog(viewer).getByText("Two and a half points are much here.")).toBeVisible();
	await expect(gap(viewer)).toBeDisabled();
	const { version, content } = await ask<{ version: number; content: object }>(viewer, "training.adviceRule");
	const refused = await call(viewer, "training.updateAdviceRule", { workspace: WORKSPACE, content, reason: "mine", expectedVersion: version });
	expect(refused.status()).toBe(403);
	expect(takeErrors(viewer)).toEqual([]);
	expect(takeErrors(admin)).toEqual([]);
});

interface Proposal {
	id: string;
	status: string;
	trainingId: string | null;
	trigger: { name: string };
}

test("a trigger proposes a retraining, a person confirms it, and its checkpoint is watched, evaluated, gated and released", async ({ enter }) => {
	test.setTimeout(WORK.timeout * 4);
	const name = `Nightly drift ${Date.now()}`;
	const admin = await enter("admin", at("settings", "triggers"));
	const made = await call(admin, "triggers.save", {
		workspace: WORKSPACE,
		name,
		content: {
			event: "run-finished",
			conditions: [{ fact: "split", operator: "is", value: "dev" }],
			action: { type: "propose-retraining", recipe: "hat", seed: 1, options: SHORT },
		},
	});
	expect(made.status(), await made.text()).toBe(200);

	const operator = await enter("operator", at("training"));
	await test.step("the page says whether to edit or to retrain, and from what", async () => {
		await expect(operator.getByRole("heading", { level: 1, name: /^(Keep editing|Retraining is (advised|due)): / })).toBeVisible();
		await expect(operator.getByRole("heading", { name: "T1−T2 gap, AVG" })).toBeVisible();
	});

	await test.step("a run ends, the trigger proposes, the operator confirms", async () => {
		const run = await call(operator, "evaluation.runStart", { workspace: WORKSPACE, split: "dev", seed: Date.now() % 1_000_000 });
		expect(run.status(), await run.text()).toBe(200);
		const proposal = operator.getByRole("listitem").filter({ hasText: name });
		await expect(proposal).toBeVisible(WORK);
		const waiting = operator.getByRole("link", { name: "Training 1 waiting for you" });
		await expect(waiting).toBeVisible();
		expect((await ask<unknown[]>(operator, "training.list")).length).toBe(0);
		await proposal.getByRole("button", { name: "Confirm and start" }).click();
		await dialog(operator).getByRole("button", { name: "Confirm and start" }).click();
		const confirmed = async () => (await ask<Proposal[]>(operator, "triggers.retrainings")).find((one) => one.trigger.name === name)?.trainingId ?? "";
		await expect.poll(confirmed, WORK).not.toBe("");
		await expect(waiting).toBeHidden();
		await operator.goto(at("training", await confirmed()));
	});

	await test.step("its stages and curves are watched until it is done", async () => {
		await expect(operator.getByRole("list", { name: "Stages" }).getByText("HSA-SFT")).toBeVisible();
		await expect(operator.getByRole("figure").filter({ hasText: "T1 / T2, dev" }).first()).toBeVisible(WORK);
		await expect(operator.getByRole("img", { name: /^Loss: \d+ points, newest / }).first()).toBeVisible(WORK);
		await expect(operator.getByRole("heading", { level: 1, name: /made the policy version/ })).toBeVisible(WORK);
		await expect(operator.getByText("oracle over case expectations")).toBeVisible();
		expect(takeErrors(operator)).toEqual([]);
	});

	await test.step("its checkpoint is evaluated beside the policy in force", async () => {
		await expect(operator.getByText(/scored by the reward judge \(version [0-9a-f]{7}\), not by the evaluation judge \(judge-\d+\)/)).toBeVisible();
		await button(operator, "Evaluate and compare").click();
		await expect(operator.getByRole("row", { name: /^T1 test (?!\d).*compare$/ })).toBeVisible(WORK);
		await expect(button(operator, /^Release as v\d+$/)).toHaveAttribute("aria-disabled", "true");
		await expect(operator.getByText("A reviewer releases.")).toBeVisible();
	});

	const address = operator.url();
	const reviewer = await enter("reviewer", address);
	await test.step("the gate decides like for a round; an admin's leave and a reviewer's word are kept", async () => {
		const release = button(reviewer, /^Release as v\d+$/);
		await expect(release).toBeVisible();
		const alarms = button(reviewer, "Acknowledge…");
		for (let left = await alarms.count(); left > 0; left = await alarms.count()) {
			await alarms.first().click();
			await dialog(reviewer).getByRole("textbox").fill("Known: the training was cut short for a test.");
			await dialog(reviewer).getByRole("button", { name: "Acknowledge" }).click();
			await expect(dialog(reviewer)).toHaveCount(0, WORK);
			// One word answers a category in both dimensions.
			await expect.poll(() => alarms.count(), WORK).toBeLessThan(left);
		}
		if ((await release.getAttribute("aria-disabled")) === "true") {
			await admin.goto(address);
			await admin.getByLabel("Why this may be released against a failing gate").fill("A short training, released to see that it can be.");
			await button(admin, "Give leave").click();
			await expect(admin.getByText("Leave given; a reviewer can release now")).toBeVisible(WORK);
			await reviewer.reload();
		}
		await release.click();
		const reason = reviewer.getByLabel("Why release on an inconclusive gate");
		const live = reviewer.getByText("is the policy in force.");
		await expect(reason.or(live)).toBeVisible(WORK);
		if (await reason.isVisible()) {
			await reason.fill("A short training, released to see that it can be.");
			await release.click();
		}
		await expect(live).toBeVisible(WORK);
	});

	await test.step("the release binds the same files and the new policy, and runs take it from now on", async () => {
		const releases = await ask<{ kind: string; current: boolean; policy: { kind: string; name: string }; commit: string }[]>(reviewer, "release.list");
		expect(releases[0]).toMatchObject({ kind: "policy", current: true, policy: { kind: "checkpoint" } });
		await reviewer.goto(at("releases"));
		await expect(
			reviewer
				.getByRole("row")
				.filter({ hasText: `policy ${releases[0]?.policy.name}` })
				.first(),
		).toBeVisible();
		const { policies } = await ask<{ policies: { name: string }[] }>(reviewer, "evaluation.startOptions");
		expect(policies[0]?.name).toBe(releases[0]?.policy.name);
	});
});

test("a training's page reads in Chinese, in the dark, at 390 px", async ({ enter }) => {
	const page = await enter("operator", at("training"), { width: 390, height: 844, locale: "zh", theme: "dark" });
	const [training] = await ask<{ id: string }[]>(page, "training.list");
	await page.goto(at("training", training?.id ?? "none"));
	await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
	await expect(page.getByRole("figure").first()).toBeVisible();
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
	expect(await rawKeys(page)).toEqual([]);
	expect(await leftInEnglish(page)).toEqual([]);
	expect(await seriousViolations(page)).toEqual([]);
	expect(takeErrors(page)).toEqual([]);
});
