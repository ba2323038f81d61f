/** Another write changed the SOP, or the policy it obeys, since it was read: the caller reads and decides again. */
export class ChangedMeanwhile extends Error {}
