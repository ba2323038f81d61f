/** Thrown if another write changed the SOP, or its policy, since it was read. The caller reads and decides again. */
export class ChangedMeanwhile extends Error {}
