import type { EventType } from "./contract";
import type { FiringRow } from "./firing.repository";
import type { TriggerRow } from "./trigger.repository";

/** A trigger that decided to act, and on what. */
export interface Fired {
	trigger: TriggerRow;
	firing: FiringRow;
	event: EventType;
}
