/** The mirror of a company's repository, as its administrators see it. */
import { z } from "zod";
import { requiredCleanTextSchema, Time, sentenceError } from "../contract/parts.ts";
import { providers } from "./providers.ts";
import { sentences } from "../language/catalog.ts";

const refusals = sentences("core.mirror.schema", {
  url: "Enter the address of the repository",
  username: "Enter a username",
  usernameCharacters: "A username has no spaces and no colon",
  tokenCharacters: "A token has no spaces and only ASCII",
  branch: "Enter the name of a branch",
  ownBranch: "This branch is the mirror's own. Choose another name",
});

const mirrorStates = ["off", "waiting", "current", "failing", "stopped", "paused"] as const;
/**
 * `off`: no mirror; `waiting`: not pushed yet; `current`: the last push or check succeeded; `failing`: the server tries
 * again; `stopped`: the remote has other commits, and an administrator decides; `paused`: after a restore, until an
 * administrator turns it on again.
 */
export type MirrorState = (typeof mirrorStates)[number];

/** A mirror that needs an administrator, as operators of the server see it. */
export const MirrorTrouble = z.object({
  /** The slug of the company. */
  company: z.string(),
  state: z.enum(mirrorStates),
  problem: z.string().nullable(),
});
export type MirrorTrouble = z.output<typeof MirrorTrouble>;

/** The result of turning commits of the remote into proposals. */
export const TakenCommits = z.object({
  ref: z.string(),
  /** The id of the latest commit. */
  commit: z.string(),
  at: Time,
  proposed: z.int(),
  /** The number of documents that can't become proposals. */
  refused: z.int(),
  /** The outcomes of the first documents, one line each. */
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
        /** True if the mirror includes the branch `history` with all drafts. */
        history: z.boolean(),
        /** True if the mirror may include restricted SOPs. Otherwise such an SOP stops the mirror. */
        restricted: z.boolean(),
        /** True if the mirror gets a tag each day with the latest commits of the repository. */
        witness: z.boolean(),
        /** The branch whose changes become proposals; null for none. */
        incoming: z.string().nullable(),
        updatedAt: Time,
        /** The user who entered the token. */
        updatedBy: z.string(),
      })
      .nullable(),
    /** The number of changes that the remote doesn't have yet. */
    lag: z.int(),
    pushedAt: Time.nullable(),
    /** The commit of `main` on the remote. */
    pushedMain: z.string().nullable(),
    checkedAt: Time.nullable(),
    problem: z.string().nullable(),
    retryAt: Time.nullable(),
    /** Refs of the remote with commits that the server didn't make, and the command that resets each. */
    diverged: z.array(z.object({ ref: z.string(), theirs: z.string(), ours: z.string(), command: z.string() })),
    /** True while commits from the remote are being turned into proposals. */
    taking: z.boolean(),
    /** The result of turning commits on a stopped mirror into proposals. */
    stoppedTaken: TakenCommits.nullable(),
    /** The latest result for the incoming branch; null without such a branch. */
    incoming: z.object({ taken: TakenCommits.nullable(), open: z.int(), problem: z.string().nullable() }).nullable(),
    /** The address that the remote can call after a push, with the secret. */
    webhook: z.object({ url: z.string(), hasSecret: z.boolean() }).nullable(),
  })
  .meta({ id: "Mirror" });
export type Mirror = z.output<typeof Mirror>;

const printable = /^[\x21-\x7e]+$/;

export const MirrorUpdate = z
  .strictObject({
    url: requiredCleanTextSchema(refusals.url).max(500),
    /** GitHub and GitLab accept any username together with a token. */
    username: requiredCleanTextSchema(refusals.username)
      .max(100)
      .regex(/^[\x21-\x39\x3b-\x7e]+$/, sentenceError(refusals.usernameCharacters)),
    /** The token; the stored one stays if it is absent or empty. */
    token: z
      .string()
      .trim()
      .max(1_000)
      .regex(printable, sentenceError(refusals.tokenCharacters))
      .or(z.literal(""))
      .nullish(),
    provider: z.enum(providers).default("other"),
    history: z.boolean().default(false),
    restricted: z.boolean().default(false),
    witness: z.boolean().default(false),
    /** The incoming branch; empty for none. */
    incoming: z
      .string()
      .trim()
      .max(100)
      .regex(/^(?:[A-Za-z0-9][\w-]*(?:[./][\w-]+)*)?$/, sentenceError(refusals.branch))
      .refine((name) => !["main", "history"].includes(name), sentenceError(refusals.ownBranch))
      .nullish(),
  })
  .meta({ id: "MirrorUpdate" });
export type MirrorUpdate = z.output<typeof MirrorUpdate>;

/** A webhook's secret, which is shown only once. */
export const WebhookSecret = z.object({ secret: z.string(), url: z.string() }).meta({ id: "WebhookSecret" });
