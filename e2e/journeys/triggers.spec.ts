import { createHmac } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { seriousViolations } from "../fixtures/axe";
import { leftInEnglish, rawKeys } from "../fixtures/language";
import { ask, at, call, expect, takeErrors, test, WORK, WORKSPACE } from "../fixtures/studio";

const PAGE = at("settings", "triggers");
const dialog = (page: Page) => page.getByRole("dialog");
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" });

interface Received {
	signature: string;
	body: string;
}

/** A receiver of webhooks on this machine. */
async function startReceiver() {
	const received: Received[] = [];
	const server = http.createServer(async (request, response) => {
		let body = "";
		for await (const chunk of request) body += chunk;
		received.push({ signature: String(request.headers["studio-signature"]), body });
		response.writeHead(204).end();
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/studio`, stop: () => server.close() };
}

async function choose(page: Page, label: string, option: string): Promise<void> {
	await dialog(page).getByRole("combobox", { name: label, exact: true }).last().click();
	await page.getByRole("option", { name: option, exact: true }).click();
}

/** A run that ends, and with it the event that triggers wait for. */
async function runOnce(page: Page, seed: number): Promise<{ id: string; number: number }> {
	const response = await call(page, "evaluation.runStart", { workspace: WORKSPACE, split: "dev", seed });
	expect(response.status(), await response.text()).toBe(200);
	const { rows } = await ask<{ rows: { id: string; number: number }[] }>(page, "evaluation.runs", { limit: 1 });
	const [run] = rows;
	if (!run) throw new Error("no run");
	return run;
}

test("an admin writes a trigger, reads what it would have done, and a run sets it off", async ({ enter }) => {
	test.setTimeout(300_000);
	const receiver = await startReceiver();
	const secret = "a secret that both sides know";
	const name = `Tell the team ${Date.now()}`;
	const admin = await enter("admin", PAGE);
	const operator = await enter("operator", at("runs"));
	await runOnce(operator, 11);
	await expect.poll(async () => (await ask<{ rows: { status: string }[] }>(operator, "evaluation.runs", { limit: 1 })).rows[0]?.status, WORK).toBe("done");

	await test.step("what cannot work is refused, and nothing that was entered is lost", async () => {
		await button(admin, "Add a trigger").click();
		await dialog(admin).getByLabel("Name", { exact: true }).fill(name);
		await choose(admin, "When", "the time comes");
		await dialog(admin).getByLabel("Cron line").fill("61 * * * *");
		await expect(dialog(admin).getByRole("alert").filter({ hasText: "“61” can’t be field 1" })).toBeVisible();
		await dialog(admin).getByLabel("Cron line").fill("0 9 * * 1");
		await expect(dialog(admin).getByText(/^Next: /)).toBeVisible();

		await choose(admin, "When", "a run finishes");
		await choose(admin, "Then", "run suites");
		await dialog(admin).getByLabel("Suites").fill("t1, t99");
		await button(admin, "Add the trigger").click();
		await expect(dialog(admin).getByRole("alert")).toContainText("There is no suite “t99”");
		await dialog(admin).getByLabel("Suites").fill("t1");
		await button(admin, "Add the trigger").click();
		await expect(dialog(admin).getByRole("alert")).toContainText("would set it off again");

		await admin.keyboard.press("Escape");
		await expect(dialog(admin)).toHaveCount(0);
		await button(admin, "Add a trigger").click();
		await expect(dialog(admin).getByLabel("Name", { exact: true })).toHaveValue(name);
		await expect(dialog(admin).getByLabel("Suites")).toHaveValue("t1");

		await choose(admin, "Then", "call a webhook");
		await dialog(admin).getByLabel("Address", { exact: true }).fill(receiver.url);
		await dialog(admin).getByLabel("Secret", { exact: true }).fill(secret);
		await button(admin, "Add the trigger").click();
		await expect(dialog(admin).getByRole("alert")).toContainText("is a private address");
		await expect(dialog(admin).getByLabel("Name", { exact: true })).toHaveValue(name);
		await expect(dialog(admin).getByLabel("Secret", { exact: true })).toHaveValue(secret);
		await dialog(admin).getByLabel("Allow a private address").click();
	});

	await test.step("the dry run says what it would have done over the last month", async () => {
		await button(admin, "Add a condition").click();
		await choose(admin, "Figure", "split");
		await choose(admin, "Value", "dev");
		await dialog(admin).getByLabel("Rest after firing (minutes)").fill("0");
		await dialog(admin).getByRole("button", { name: "Dry run", exact: true }).click();
		const result = dialog(admin).getByTestId("dry-run");
		await expect(result.getByRole("status")).toContainText(/It would have fired (once|\d+ times)/);
		await expect(result.getByRole("row").filter({ hasText: "split was test, not is dev" }).first()).toBeVisible();
		await expect(result.getByText("fired", { exact: true }).first()).toBeVisible();
		expect(receiver.received).toEqual([]);
		await button(admin, "Add the trigger").click();
		await expect(admin.getByText("Trigger added")).toBeVisible();
		const row = admin.getByRole("listitem").filter({ hasText: name });
		await expect(row).toContainText("When a run finishes, if split is dev: call 127.0.0.1:");
		await expect(row).toContainText("has not fired yet");
	});

	await test.step("a run ends: the receiver is called, signed, and the log shows what it stood on", async () => {
		const run = await runOnce(operator, 12);
		await expect.poll(() => receiver.received.length, WORK).toBe(1);
		const [{ signature, body }] = receiver.received as [Received];
		const seconds = /^t=(\d+),/.exec(signature)?.[1];
		expect(signature).toBe(`t=${seconds},v1=${createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex")}`);
		expect(JSON.parse(body)).toMatchObject({ event: "run-finished", facts: { split: "dev", status: "done" }, subject: { runId: run.id } });
		await admin.getByRole("tab", { name: "Log" }).click();
		await admin.getByRole("combobox", { name: "Trigger" }).click();
		await admin.getByRole("option", { name }).click();
		const row = admin.getByRole("row").filter({ hasText: `R-${run.number}` });
		await expect(row).toContainText("fired");
		await expect(row).toContainText("webhook: arrived (204)");
		await row.getByRole("button", { name }).click();
		await expect(dialog(admin)).toContainText("Accuracy (points)");
		await admin.keyboard.press("Escape");
	});

	await test.step("turned off it rests; viewers read and change nothing", async () => {
		await admin.getByRole("tab", { name: "Triggers" }).click();
		const row = admin.getByRole("listitem").filter({ hasText: name });
		await row.getByRole("switch").click();
		await dialog(admin).getByLabel("Why").fill("the team is told");
		await button(admin, "Turn off").click();
		await expect(admin.getByText("Trigger turned off")).toBeVisible();
		const viewer = await enter("viewer", PAGE);
		await expect(viewer.getByRole("listitem").filter({ hasText: name })).toContainText("last fired");
		await expect(viewer.getByRole("switch").first()).toBeDisabled();
		await expect(button(viewer, "Add a trigger")).toHaveCount(0);
		expect((await call(viewer, "triggers.save", { workspace: WORKSPACE, name: "x", content: {} })).status()).toBe(403);
		await row.getByRole("button", { name: `More: ${name}` }).click();
		await admin.getByRole("menuitem", { name: "Versions" }).click();
		await expect(dialog(admin)).toContainText("the team is told");
	});
	receiver.stop();
});

test("a machine with a token for one trigger proposes a retraining, and a person decides", async ({ enter }) => {
	const name = `Nightly build ${Date.now()}`;
	const admin = await enter("admin", PAGE);
	await button(admin, "Add a trigger").click();
	await dialog(admin).getByLabel("Name", { exact: true }).fill(name);
	await choose(admin, "When", "a machine calls");
	await dialog(admin).getByLabel("Rest after firing (minutes)").fill("0");
	await button(admin, "Add the trigger").click();
	await expect(admin.getByText("Trigger added")).toBeVisible();
	const row = admin.getByRole("listitem").filter({ hasText: name });
	await row.getByRole("button", { name: `More: ${name}` }).click();
	await admin.getByRole("menuitem", { name: "How to call it" }).click();
	const address = /http:\/\/\S+\/api\/triggers\/\S+/.exec((await dialog(admin).locator("code").first().textContent()) ?? "")?.[0] ?? "";
	await button(admin, "Make a token").click();
	const token = (await admin.getByTestId("secret").textContent()) ?? "";
	const post = (headers: Record<string, string>, data?: object) => admin.request.post(address, { headers, ...(data ? { data } : {}) });
	expect((await post({ authorization: "Bearer hes_nothing" })).status()).toBe(401);
	expect((await admin.request.post(address.replace(/[^/]+$/, "trg_other"), { headers: { authorization: `Bearer ${token}` } })).status()).toBe(403);
	const first = await post({ authorization: `Bearer ${token}`, "idempotency-key": "build-7" }, { build: 7 });
	expect(first.status(), await first.text()).toBe(202);
	expect((await post({ authorization: `Bearer ${token}`, "idempotency-key": "build-7" }, { build: 7 })).status()).toBe(202);

	const reviewer = await enter("reviewer", `${PAGE}?view=retraining`);
	const proposal = reviewer.getByRole("listitem").filter({ hasText: `Proposed by “${name}”` });
	await expect(proposal).toContainText("waits for a decision");
	await proposal.getByRole("button", { name: "Reject" }).click();
	await dialog(reviewer).getByLabel("Note").fill("Not tonight.");
	await dialog(reviewer).getByRole("button", { name: "Reject" }).click();
	await expect(proposal).toContainText("Not tonight.");
	await reviewer.getByRole("tab", { name: "Log" }).click();
	await expect(reviewer.getByRole("row").filter({ hasText: name }).filter({ hasText: "duplicate" })).toBeVisible();
});

test("the page reads in Chinese, in the dark, at 390 px", async ({ enter }) => {
	const page = await enter("admin", PAGE, { width: 390, height: 844, locale: "zh", theme: "dark" });
	await expect(page.getByRole("switch").first()).toBeVisible();
	const look = async () => {
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
		expect(await rawKeys(page)).toEqual([]);
		expect(await leftInEnglish(page)).toEqual([]);
		expect(await seriousViolations(page)).toEqual([]);
		expect(takeErrors(page)).toEqual([]);
	};
	await look();
	await page.getByRole("tab", { name: "记录" }).click();
	await expect(page.getByRole("combobox", { name: "判断" })).toBeVisible();
	await look();
	await page.getByRole("tab", { name: "触发器" }).click();
	await page.getByRole("button", { name: "新建触发器" }).click();
	await expect(dialog(page).getByLabel("名称", { exact: true })).toBeVisible();
	await look();
});
