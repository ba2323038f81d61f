/**
 * The kinds of git hosts. They differ in the API for the status of a commit. Browsers load this file, so it has no zod.
 */
export const providers = ["github", "gitlab", "gitea", "other"] as const;
export type MirrorProvider = (typeof providers)[number];

/** The status of a commit on the remote: `pending` until its proposals are decided. */
export type CommitStatus = "pending" | "success" | "failure";
