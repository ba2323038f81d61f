/**
 * A server in memory for the real client. Each route replies with a value, a refusal, or the result of a function of
 * the request.
 */
import type { ApiRequest, Send } from "#core/api/client.ts";
import { AppError, type ErrorCode } from "#core/errors.ts";
import { untranslated, type MessageWithId } from "#core/language/catalog.ts";
import { signInRefusals } from "#core/sign-in/refusals.ts";
import type { Needs } from "#core/stats/schemas.ts";
import { aCategory, aUser } from "./records.ts";

export class FakeRefusal {
  readonly refused: AppError;

  constructor(code: ErrorCode, message?: string | MessageWithId, details?: unknown) {
    // The same message as that of the server after too many wrong passwords.
    const said = message ?? (code === "rate_limited" ? signInRefusals.attempts() : undefined);
    this.refused = new AppError(code, typeof said === "string" ? untranslated(said) : said, details);
  }
}

export interface RecordedRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
  headers: Record<string, string>;
  signal: AbortSignal | undefined;
}

type FakeReply = unknown | ((request: RecordedRequest) => unknown);
export type Replies = Record<`${ApiRequest["method"]} /${string}`, FakeReply>;

/**
 * The answer of `GET /api/auth/check` for a signed-in user. `fakeServer` replaces its `userId` by that of the reply to
 * `GET /api/auth/me`.
 */
export const signedInCheck = {
  authenticated: true,
  userId: aUser().id,
  registration: "open",
  passwordMinimum: 6,
  eventSeq: "v1.start",
  address: "",
  sendsEmail: true,
};

/** The answer about a user's tasks on the home page if there are none. */
export const noNeeds: Needs = {
  returned: [],
  toRead: [],
  reviews: [],
  replies: [],
  drafts: [],
  late: { readings: null, reviews: [] },
  gaps: { searches: [], ownerless: [] },
  firstSteps: null,
  mirrorStopped: false,
  unreadable: 0,
  settingsLost: false,
};

/** Returns replies for a signed-in manager in a company with two categories and no SOPs. */
export function signedInReplies(): Replies {
  return {
    "GET /api/auth/check": signedInCheck,
    "GET /api/auth/me": { user: aUser() },
    "POST /api/auth/logout": { ok: true },
    "GET /api/stats": { totalSOPs: 42, activeTeams: 2, pendingApproval: 1, aiSuggestions: 7 },
    "GET /api/categories": [aCategory(), aCategory({ id: "cat-fin", name: "Finance", color: "warning", count: 9 })],
    "GET /api/sops": { data: [] },
    "GET /api/approvals": [],
    "GET /api/stats/overview": {
      byStatus: { published: 30, under_review: 1, draft: 11 },
      weeks: [{ from: "2026-05-25", inForce: 2 }],
    },
    "GET /api/stats/needs": noNeeds,
  };
}

/**
 * The reply of a server without SMTP_URL. Spread it after `signedInReplies()`, because it replaces one of these
 * replies.
 */
export const noMailServer = { "GET /api/auth/check": { ...signedInCheck, sendsEmail: false } } satisfies Replies;

export function signedOutReplies(registration = "open"): Replies {
  return {
    "GET /api/auth/check": { authenticated: false, userId: null, registration, passwordMinimum: 6, eventSeq: null },
    "GET /api/auth/me": new FakeRefusal("unauthenticated"),
  };
}

export interface FakeServer {
  send: Send;
  /** All requests so far, the oldest first. */
  requests: RecordedRequest[];
  /** Replaces the replies of these routes for later requests. */
  reply(replies: Replies): void;
  /** Returns the requests to one route so far. */
  requestsFor(row: keyof Replies): RecordedRequest[];
}

export function fakeServer(initial: Replies): FakeServer {
  const replies = { ...initial };
  const requests: RecordedRequest[] = [];
  const send: Send = async (request) => {
    const url = new URL(request.url, "http://localhost");
    const one: RecordedRequest = {
      method: request.method,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      body: typeof request.body === "string" ? JSON.parse(request.body) : undefined,
      headers: request.headers,
      signal: request.signal,
    };
    requests.push(one);
    const reply = replies[`${request.method} ${url.pathname as `/${string}`}`] ?? new FakeRefusal("not_found");
    const { user } = (replies["GET /api/auth/me"] ?? {}) as { user?: { id: string } };
    if (reply === signedInCheck && user) return fakeAnswer({ ...signedInCheck, userId: user.id });
    return fakeAnswer(typeof reply === "function" ? await (reply as (asked: RecordedRequest) => unknown)(one) : reply);
  };
  return {
    send,
    requests,
    reply: (more) => void Object.assign(replies, more),
    requestsFor: (row) => requests.filter(({ method, path }) => `${method} ${path}` === row),
  };
}

function fakeAnswer(value: unknown) {
  const refused = value instanceof FakeRefusal ? value.refused : null;
  const status = refused?.status ?? 200;
  const body = refused?.toBody() ?? value;
  return { status, statusText: "", headers: { get: () => null }, text: async () => JSON.stringify(body) };
}
