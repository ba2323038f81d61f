/** What the remote runs: it decides how the status of a commit is written. No zod in here: browsers load it. */
export const providers = ["github", "gitlab", "gitea", "other"] as const;
export type Provider = (typeof providers)[number];

/** Of a commit at the remote: `pending` until its proposals are decided. */
export type CommitStatus = "pending" | "success" | "failure";
