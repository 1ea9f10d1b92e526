import type { Page } from "@playwright/test";
import { startOpenAiServer, type TestServer } from "@/server/models/testing/start-openai-server";
import { seriousViolations } from "../fixtures/axe";
import { leftInEnglish } from "../fixtures/language";
import { at, expect, test } from "../fixtures/studio";

const SECTIONS = ["workspace", "gate", "triggers", "people", "endpoints", "connections", "tokens", "audit", "account"] as const;

const dialog = (page: Page) => page.getByRole("dialog");

test.describe("settings", () => {
	let server: TestServer;
	test.beforeAll(async () => {
		server = await startOpenAiServer();
	});
	test.afterAll(() => server.stop());

	test("an admin registers an endpoint, and its test says what works and what does not", async ({ enter }) => {
		const page = await enter("admin", at("settings", "endpoints"));
		const name = `local ${Date.now()}`;
		await page.getByRole("button", { name: "Add an endpoint" }).click();
		await page.getByLabel("Name", { exact: true }).fill(name);
		await page.getByLabel("Base URL").fill(server.baseUrl);
		await page.getByLabel("Model", { exact: true }).fill("tool");
		await page.getByRole("radio", { name: "None" }).click();
		await page.getByRole("button", { name: "Add and test" }).click();
		await expect(dialog(page).getByRole("alert")).toContainText("is a private address");
		await page.getByLabel("Allow a private address").click();
		await page.getByRole("button", { name: "Add and test" }).click();
		await expect(page.getByText(`${name} works.`)).toBeVisible();

		const row = page
			.getByRole("listitem")
			.filter({ hasText: name })
			.filter({ has: page.getByRole("button", { name: "Test" }) });
		await row.getByRole("button", { name: "Edit" }).click();
		await page.getByLabel("Model", { exact: true }).fill("halfjson");
		await dialog(page).getByRole("button", { name: "Save" }).click();
		await expect(page.getByText(`${name} does not work yet.`)).toBeVisible();
		await expect(page.getByText("not JSON, or only half of it.")).toBeVisible();

		await page.getByRole("combobox", { name: "Diagnosis" }).click();
		await page.getByRole("option", { name }).click();
		await expect(page.getByText("Role saved")).toBeVisible();
		await row.getByRole("button", { name: "Delete" }).click();
		await dialog(page).getByRole("button", { name: "Delete" }).click();
		await expect(page.getByText(`${name} still plays a role: diagnosis.`)).toBeVisible();
		await dialog(page).getByRole("button", { name: "Cancel" }).click();
		await page.getByRole("combobox", { name: "Diagnosis" }).click();
		await page.getByRole("option", { name: /Built-in/ }).click();
		await row.getByRole("button", { name: "Delete" }).click();
		await dialog(page).getByRole("button", { name: "Delete" }).click();
		await expect(row).toHaveCount(0);
	});

	test("a new person signs in with the initial password, changes it, and meets the doors that are not theirs", async ({ enter }) => {
		const page = await enter("admin", at("settings", "people"));
		const email = `ada-${Date.now()}@example.org`;
		await page.getByRole("button", { name: "Add a person" }).click();
		await page.getByLabel("Name", { exact: true }).fill("Ada Lovelace");
		await page.getByLabel("E-mail").fill("nonsense");
		await dialog(page).getByRole("button", { name: "Add a person" }).click();
		await expect(page.getByText("A valid e-mail address.")).toBeVisible();
		await page.getByLabel("E-mail").fill(email);
		await dialog(page).getByRole("button", { name: "Add a person" }).click();
		const password = (await page.getByTestId("secret").textContent()) ?? "";
		expect(password).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/);

		await page.context().clearCookies();
		await page.goto("/sign-in");
		await page.getByLabel("E-mail").fill(email);
		await page.getByLabel("Password").fill(password);
		await page.getByRole("button", { name: "Sign in" }).click();
		await page.waitForURL(/\/w\//);
		await page.goto(at("settings", "account"));
		await page.getByLabel("Current password").fill(password);
		await page.getByLabel("New password", { exact: true }).fill("a new long password");
		await page.getByLabel("New password, again").fill("a new long password");
		await page.getByRole("button", { name: "Change password" }).click();
		await expect(page.getByText(/Password changed/)).toBeVisible();

		for (const section of ["people", "endpoints", "connections", "tokens", "audit"]) {
			await page.goto(at("settings", section));
			await expect(page.getByRole("heading", { name: /is for admins/ })).toBeVisible();
		}
		await page.goto(at("settings", "triggers"));
		await expect(page.getByRole("switch").first()).toBeDisabled();
		expect((await page.request.get("/api/audit-log?workspace=live-avatar")).status()).toBe(403);
	});

	test("a trigger is switched with a reason that the audit log and its export keep", async ({ enter }) => {
		const page = await enter("admin", at("settings", "triggers"));
		await page.getByRole("switch").first().click();
		await page.getByLabel(/Why/).fill("=too slow this week");
		await page.getByRole("button", { name: "Turn off" }).click();
		await expect(page.getByText("Trigger turned off")).toBeVisible();
		await page.getByRole("switch").first().click();
		await expect(page.getByText("Trigger turned on")).toBeVisible();
		await page.goto(`${at("settings", "audit")}?action=trigger`);
		await expect(page.getByRole("cell", { name: "=too slow this week" }).first()).toBeVisible();
		const csv = await page.request.get("/api/audit-log?workspace=live-avatar&action=trigger");
		const text = await csv.text();
		expect(text).toContain(",'=too slow this week,");
		// Behind the stable columns, what the page shows.
		expect(text.split("\r\n")[0]).toContain("detail,actor_en,action_en,subject_en,reason_en");
	});

	test("a token is told once and revoked", async ({ enter }) => {
		const page = await enter("admin", at("settings", "tokens"));
		await page.getByRole("button", { name: "Make a token" }).first().click();
		await page.getByLabel("Name", { exact: true }).fill("production gateway");
		await dialog(page).getByRole("button", { name: "Make a token" }).click();
		await expect(page.getByTestId("secret")).toContainText("hes_");
		await dialog(page).getByRole("button", { name: "Close" }).last().click();
		await page.getByRole("button", { name: "Revoke" }).first().click();
		await dialog(page).getByRole("button", { name: "Revoke" }).click();
		await expect(page.getByText("Token revoked")).toBeVisible();
		await page.reload();
		await expect(page.getByTestId("secret")).toHaveCount(0);
	});

	for (const view of [
		{ width: 1280, height: 800, locale: "en", theme: "light" },
		{ width: 390, height: 844, locale: "zh", theme: "dark" },
	] as const) {
		test(`every section is readable at ${view.width} px, ${view.locale}, ${view.theme}`, async ({ enter }) => {
			const page = await enter("admin", at("settings", "account"), view);
			for (const section of SECTIONS) {
				await page.goto(at("settings", section));
				await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
				if (view.locale === "zh") expect(await leftInEnglish(page), section).toEqual([]);
				const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
				expect(overflow, `${section} scrolls sideways`).toBeLessThanOrEqual(0);
				expect(await seriousViolations(page), section).toEqual([]);
			}
		});
	}
});
