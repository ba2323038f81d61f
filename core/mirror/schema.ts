/** The mirror of a company's repository, as its administrators see it. */
import { z } from "zod";
import { requiredText, Time } from "../contract/parts.ts";
import { providers } from "./providers.ts";

export const mirrorStates = ["off", "waiting", "current", "failing", "stopped", "paused"] as const;
/**
 * `off`: no mirror; `waiting`: not pushed yet; `current`: the last push or check succeeded;
 * `failing`: it is tried again; `stopped`: the remote has other commits, and an administrator decides;
 * `paused`: since a restore, until an administrator turns it on again.
 */
export type MirrorState = (typeof mirrorStates)[number];

/** A mirror that doesn't go on by itself, as the people who run the server see it. */
export const MirrorTrouble = z.object({
  /** The slug. */
  company: z.string(),
  state: z.enum(mirrorStates),
  problem: z.string().nullable(),
});
export type MirrorTrouble = z.output<typeof MirrorTrouble>;

export const TakenCommits = z.object({
  ref: z.string(),
  /** The latest of them. */
  commit: z.string(),
  at: Time,
  proposed: z.int(),
  /** Documents that can't be proposed. */
  refused: z.int(),
  /** What became of each document. */
  lines: z.array(z.string()),
});
export type TakenCommits = z.output<typeof TakenCommits>;

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
        /** Restricted SOPs may go along. Without it, such an SOP stops the mirror. */
        restricted: z.boolean(),
        /** A tag each day with the heads of the repository. */
        witness: z.boolean(),
        /** The branch whose changes come in as proposals. */
        incoming: z.string().nullable(),
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
    /** The commits of others there are being taken as proposals. */
    taking: z.boolean(),
    /** What became of them. */
    stoppedTaken: TakenCommits.nullable(),
    /** What came in from the branch last; null without such a branch. */
    incoming: z.object({ taken: TakenCommits.nullable(), open: z.int(), problem: z.string().nullable() }).nullable(),
    /** Where the remote can call after a push; it needs the secret. */
    webhook: z.object({ url: z.string(), hasSecret: z.boolean() }).nullable(),
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
    restricted: z.boolean().default(false),
    witness: z.boolean().default(false),
    /** Empty: nothing comes in. */
    incoming: z
      .string()
      .trim()
      .max(100)
      .regex(/^(?:[A-Za-z0-9][\w-]*(?:[./][\w-]+)*)?$/, "Enter the name of a branch")
      .refine((name) => !["main", "history"].includes(name), "This branch is the mirror's own. Choose another name")
      .nullish(),
  })
  .meta({ id: "MirrorUpdate" });
export type MirrorUpdate = z.output<typeof MirrorUpdate>;

/** Shown once. */
export const WebhookSecret = z.object({ secret: z.string(), url: z.string() }).meta({ id: "WebhookSecret" });
