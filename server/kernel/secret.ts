import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import { dataPath, env } from "./env";
import { AppError } from "./errors";

let cached: string | undefined;

/** The studio's secret: from STUDIO_SECRET, else generated at first start into a 0600 file of the data directory. */
export function studioSecret(): string {
	if (cached) return cached;
	const given = env().STUDIO_SECRET;
	if (given) {
		if (/^(.)\1*$/.test(given) || /change.?me|secret|password|example/i.test(given))
			throw new Error("STUDIO_SECRET is a known default: set a random value of at least 32 characters.");
		cached = given;
		return given;
	}
	const file = dataPath("secret");
	fs.mkdirSync(dataPath(), { recursive: true });
	try {
		fs.writeFileSync(file, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx" });
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
	}
	cached = fs.readFileSync(file, "utf8").trim();
	return cached;
}

const keyOf = () => createHash("sha256").update(`seal:${studioSecret()}`).digest();

/** Encrypts a text with the studio's secret (AES-256-GCM). */
export function seal(text: string): string {
	const iv = randomBytes(12);
	const cipher = createCipheriv("aes-256-gcm", keyOf(), iv);
	const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
	return `v1.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url")}`;
}

/** Opens what `seal` made. Throws `precondition` when the studio's secret is another one. */
export function unseal(sealed: string): string {
	const bytes = Buffer.from(sealed.replace(/^v1\./, ""), "base64url");
	try {
		const decipher = createDecipheriv("aes-256-gcm", keyOf(), bytes.subarray(0, 12));
		decipher.setAuthTag(bytes.subarray(12, 28));
		return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
	} catch (cause) {
		throw new AppError("precondition", "A stored secret cannot be opened with this studio's secret.", {
			reason: "secret-unreadable",
			fix: "Enter the key again in Settings, or start the studio with the secret that sealed it.",
			cause,
		});
	}
}
