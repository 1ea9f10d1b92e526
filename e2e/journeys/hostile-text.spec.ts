import type { Page } from "@playwright/test";
import { ask, at, call, expect, takeErrors, test } from "../fixtures/studio";

/* Text that would run, put where people, models and importers put theirs. The pages show it; nothing of it runs. */

const HOSTILE = '<img src=x onerror="window.ran=1"><script>window.ran=1</script> [go](javascript:window.ran=1) ![dot](https://evil.example/dot.png) **bold**';
const SKILL = "skills/small-talk/SKILL.md";

async function expectNothingRan(page: Page): Promise<void> {
	expect(await page.evaluate(() => (window as { ran?: number }).ran)).toBeUndefined();
	await expect(page.locator('img[src="x"], img[src*="evil.example"], a[href^="javascript:" i], [onerror]')).toHaveCount(0);
	// A handler or a script that a page's policy had to stop is reported as an error: none had to be.
	expect(takeErrors(page)).toEqual([]);
}

test("hostile text in a proposal, its skill and its comments is shown, and runs nowhere", async ({ enter }) => {
	const page = await enter("operator");
	const { evolution } = await ask<{ evolution: { id: string; branch: string } }>(page, "evolution.overview");
	const { text } = await ask<{ text: string }>(page, "harness.file", { revision: evolution.branch, path: SKILL });
	const made = await call(page, "evolution.proposalCreate", {
		workspace: "live-avatar",
		evolutionId: evolution.id,
		title: `Hostile ${HOSTILE}`.slice(0, 200),
		changes: { [SKILL]: `${text}\n- 不要 念出 ${HOSTILE}\n` },
		manifest: { summary: HOSTILE, failurePattern: HOSTILE },
	});
	expect(made.status(), await made.text()).toBe(200);
	const { id, number } = ((await made.json()) as { result: { data: { json: { id: string; number: number } } } }).result.data.json;
	const commented = await call(page, "evolution.comment", { workspace: "live-avatar", proposalId: id, body: HOSTILE });
	expect(commented.status(), await commented.text()).toBe(200);

	await page.goto(at("reviews"));
	await expect(page.getByText("Hostile <img").first()).toBeVisible();
	await expectNothingRan(page);
	const response = await page.goto(at("reviews", String(number)));
	expect(response?.headers()["content-security-policy"]).toMatch(/script-src 'self' 'nonce-[^']+' 'strict-dynamic'/);
	await expect(page.getByText("Hostile <img").first()).toBeVisible();
	await expectNothingRan(page);
	await page.getByRole("tab", { name: /^Conversation/ }).click();
	// Markdown is read as such, and what is HTML in it is gone.
	await expect(page.locator("strong", { hasText: "bold" })).toBeVisible();
	await expectNothingRan(page);
	const withdrawn = await call(page, "evolution.proposalWithdraw", { workspace: "live-avatar", proposalId: id });
	expect(withdrawn.status(), await withdrawn.text()).toBe(200);
});
