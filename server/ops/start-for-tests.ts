import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setEnvironment } from "@/server/kernel/env";

/** `npm start` on an empty data directory of its own, without durability: what the browser tests run against. */
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "studio-e2e-"));
fs.chmodSync(folder, 0o755);
setEnvironment({ STUDIO_DATA_DIR: folder, STUDIO_PG_FSYNC: "off" });
process.on("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
await import("./start");
