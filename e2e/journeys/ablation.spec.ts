import fs from "node:fs";
import type { Page } from "@playwright/test";
import { expectedOfAblation, measuredAblation } from "../fixtures/ablation";
import { seriousViolations } from "../fixtures/axe";
import { ask, at, expect, takeErrors, test } from "../fixtures/studio";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const dialog = (page: Page) => page.getByRole("dialog");
const file = (name: string, text: string) => ({ name, mimeType: "application/json", buffer: Buffer.from(text) });

test("an ablation is loaded from a file, read, moved by keyboard and taken along", async ({ enter }) => {
	const page = await enter("operator", at("training", "ablation"));
	if ((await ask<unknown[]>(page, "training.ablations")).length === 0)
		await expect(page.getByRole("heading", { name: "What does each part of the retraining bring?" })).toBeVisible();
	await button(page, "Load a file").click();
	await dialog(page)
		.getByLabel("File")
		.setInputFiles(file("other.json", measuredAblation().replace('"live-avatar"', '"elsewhere"')));
	await button(page, "Load").click();
	await expect(dialog(page).getByRole("alert")).toContainText("was measured in the workspace elsewhere");
	await dialog(page).getByLabel("File").setInputFiles(file("broken.json", '{"workspace":"live-avatar","table":[]}'));
	await button(page, "Load").click();
	await expect(dialog(page).getByRole("alert")).toContainText("This file is no ablation: ");
	takeErrors(page); // the two refusals
	await dialog(page).getByLabel("File").setInputFiles(file("ablation.json", measuredAblation()));
	await button(page, "Load").click();
	await expect(page.getByRole("heading", { level: 1, name: /^\d+ of 16 claims of the report appear here$/ })).toBeVisible();

	const expected = expectedOfAblation();
	const table = page.getByRole("region", { name: "Table" });
	await expect(table.getByRole("rowheader")).toHaveCount(expected.rows);
	await expect(table.getByRole("row", { name: /^HSA-SFT \+ OPD \+ HSA-RL/ })).toContainText(expected.t1OfHat);
	const claim = page.getByRole("row", { name: /^HSA-RL raises robustness \(T2\)/ });
	await expect(claim).toContainText(expected.robust.holds);
	await expect(claim).toContainText(expected.robust.points);

	await page.setViewportSize({ width: 390, height: 844 });
	const names = table.getByRole("rowheader", { name: "base", exact: true });
	const before = await names.boundingBox();
	await table.focus();
	await page.keyboard.press("End");
	for (let i = 0; i < 8; i++) await page.keyboard.press("ArrowRight");
	await expect.poll(() => table.evaluate((box) => box.scrollLeft)).toBeGreaterThan(0);
	// The names stay where they are.
	expect((await names.boundingBox())?.x).toBe(before?.x);
	expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0);

	const [download] = await Promise.all([page.waitForEvent("download"), button(page, "Export JSON").click()]);
	const saved = JSON.parse(fs.readFileSync(await download.path(), "utf8")) as { table: unknown[]; claims: { id?: string }[] };
	expect(saved.table).toEqual((JSON.parse(measuredAblation()) as typeof saved).table);
	expect(saved.claims.every(({ id }) => id)).toBe(true);
	expect(await seriousViolations(page)).toEqual([]);
	expect(takeErrors(page)).toEqual([]);
});

test("an ablation is started and stopped by who may, and a viewer reads why not", async ({ enter }) => {
	const viewer = await enter("viewer", at("training", "ablation"));
	await expect(viewer.getByText("An operator or a reviewer starts ablations.")).toBeVisible();
	await expect(button(viewer, "Load a file")).toHaveCount(0);

	const page = await enter("operator", at("training", "ablation"));
	await button(page, "Start an ablation").click();
	await dialog(page).getByLabel("Seeds").fill("99");
	await expect(dialog(page).getByText("A whole number from 1 to 10.")).toBeVisible();
	await dialog(page).getByLabel("Seeds").fill("1");
	await dialog(page).getByLabel("Cases at most").fill("1");
	await button(page, "Start").click();
	await expect(page.getByRole("progressbar", { name: "0 of 5 parts are done" })).toBeVisible();
	await expect(page.getByText(/A-\d+ is not over yet; one runs at a time\./)).toBeVisible();
	await button(page, "Cancel").click();
	await button(page, "Cancel the ablation").click();
	await expect(page.getByRole("progressbar")).toHaveCount(0);
	await expect(page.getByRole("heading", { level: 1, name: /^A-\d+ was cancelled$/ })).toBeVisible();
	expect(takeErrors(page)).toEqual([]);
});
