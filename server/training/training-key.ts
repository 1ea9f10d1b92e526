/** Wakes who follows a training. */
export const trainingKey = (id: string): string => `training:${id}`;
