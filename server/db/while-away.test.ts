import { describe, expect, it } from "vitest";
import { AppError } from "@/server/kernel/errors";
import { patientWithDatabase } from "./while-away";

const away = () => Object.assign(new Error("Transaction API error: Unable to start a transaction in the given time."), { code: "P2028" });
const failing = (errors: Error[]) => {
	let tries = 0;
	return {
		tries: () => tries,
		work: async () => {
			const error = errors[tries++];
			if (error) throw error;
			return "done";
		},
	};
};

describe("work that is patient with the database", () => {
	const never = new AbortController().signal;

	it("is done again while the database does not answer", async () => {
		const { work, tries } = failing([away(), away()]);
		expect(await patientWithDatabase(work, never, [0, 0, 0])).toBe("done");
		expect(tries()).toBe(3);
	});

	it("is given up after the last pause, with what the last try said", async () => {
		const { work, tries } = failing([away(), away(), away()]);
		await expect(patientWithDatabase(work, never, [0, 0])).rejects.toMatchObject({ code: "P2028" });
		expect(tries()).toBe(3);
	});

	it.each([new TypeError("a bug"), new AppError("conflict", "no")])("is not repeated for anything else: %s", async (error) => {
		const { work, tries } = failing([error]);
		await expect(patientWithDatabase(work, never, [0, 0])).rejects.toBe(error);
		expect(tries()).toBe(1);
	});

	it("is not repeated once it is stopped", async () => {
		const { work, tries } = failing([away(), away()]);
		await expect(patientWithDatabase(work, AbortSignal.abort(), [0, 0])).rejects.toMatchObject({ code: "P2028" });
		expect(tries()).toBe(1);
	});
});
