import * as z from "zod";
import { FaultSchema, TurnSchema } from "@/server/agent/contract";
import type { Viewers } from "./viewers/contract";

/** How a case names its room: a named room of the workspace, with deep overrides. */
export const RoomReferenceSchema = z.object({ base: z.string(), set: z.record(z.string(), z.unknown()).default({}) });
export type RoomReference = z.infer<typeof RoomReferenceSchema>;

/** The input side of a case: all that the agent may see. Nothing of the rubric is here. */
export const CaseInputSchema = z.object({
	message: z.string().min(1).max(4000),
	history: z.array(TurnSchema).max(50).default([]),
	room: RoomReferenceSchema.optional(),
	faults: z.array(FaultSchema).default([]),
});
export type CaseInput = z.infer<typeof CaseInputSchema>;

export type World = Record<string, unknown>;

/** A workspace's world, rooms and tool handlers, parsed and frozen. */
export interface WorkspaceBundle {
	/** Hash of the files. */
	id: string;
	world: World;
	rooms: Record<string, unknown>;
	/** Handler id → source. */
	handlers: Record<string, string>;
	/** Who may be simulated; null where the workspace says nothing of it. */
	viewers: Viewers | null;
}
