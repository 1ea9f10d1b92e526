/** The time, passed in so that decisions can be tested as tables. */
export interface Clock {
	now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
