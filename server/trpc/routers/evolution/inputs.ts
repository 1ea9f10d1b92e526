import { z } from "zod";
import { ChangeManifestSchema } from "@/server/evolution/contract";

/** What several procedures take. */
export const Id = z.string().min(1).max(80);
export const Reason = z.string().trim().min(3, "Say why in a few words.").max(2000);
/** Text writes, null deletes; the harness checks paths and sizes once more when it commits. */
export const Changes = z.record(z.string().min(1).max(240), z.string().max(262_144).nullable());
/** What a person says of a change. Phrases are the studio's own: a person's text shows as it was written. */
export const Manifest = ChangeManifestSchema.omit({ files: true, phrases: true }).partial();
