/** The mirror of a company's repository, as its administrators see it. */
import { z } from "zod";
import { requiredText, Time } from "../contract/parts.ts";
import { providers } from "./providers.ts";

export const mirrorStates = ["off", "waiting", "current", "failing", "stopped"] as const;
/**
 * `off`: no mirror; `waiting`: not pushed yet; `current`: the last push or check succeeded;
 * `failing`: it is tried again; `stopped`: the remote has other commits, and an administrator decides.
 */
export type MirrorState = (typeof mirrorStates)[number];

export const Mirror = z
  .object({
    state: z.enum(mirrorStates),
    /** Hosts that this server may push to. */
    hosts: z.array(z.string()),
    settings: z
      .object({
        url: z.string(),
        username: z.string(),
        provider: z.enum(providers),
        /** The branch `history` with all drafts goes along. */
        history: z.boolean(),
        updatedAt: Time,
        /** Who entered the token. */
        updatedBy: z.string(),
      })
      .nullable(),
    /** Changes that the remote doesn't have yet. */
    lag: z.int(),
    pushedAt: Time.nullable(),
    /** The head of `main` that the remote has. */
    pushedMain: z.string().nullable(),
    checkedAt: Time.nullable(),
    problem: z.string().nullable(),
    retryAt: Time.nullable(),
    /** Refs of the remote with commits of others, and the command that resets each. */
    diverged: z.array(z.object({ ref: z.string(), theirs: z.string(), ours: z.string(), command: z.string() })),
  })
  .meta({ id: "Mirror" });
export type Mirror = z.output<typeof Mirror>;

const printable = /^[\x21-\x7e]+$/;

export const MirrorUpdate = z
  .strictObject({
    url: requiredText("Enter the address of the repository").max(500),
    /** GitHub and GitLab take any name beside a token. */
    username: requiredText("Enter a username")
      .max(100)
      .regex(/^[\x21-\x39\x3b-\x7e]+$/, "A username has no spaces and no colon"),
    /** Left out or empty: the stored one stays. */
    token: z
      .string()
      .trim()
      .max(1_000)
      .regex(printable, "A token has no spaces and only ASCII")
      .or(z.literal(""))
      .nullish(),
    provider: z.enum(providers).default("other"),
    history: z.boolean().default(false),
  })
  .meta({ id: "MirrorUpdate" });
export type MirrorUpdate = z.output<typeof MirrorUpdate>;
