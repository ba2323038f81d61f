/** A server in memory over the real client: rows answer with a value, a refusal, or what a function makes of the request. */
import type { ApiRequest, Send } from "#core/api/client.ts";
import { AppError, type ErrorCode } from "#core/errors.ts";
import { untranslated, type MessageWithId } from "#core/language/catalog.ts";
import { signInRefusals } from "#core/sign-in/refusals.ts";
import type { Needs } from "#core/stats/schemas.ts";
import { aCategory, aUser } from "./records.ts";

export class FakeRefusal {
  readonly refused: AppError;

  constructor(code: ErrorCode, message?: string | MessageWithId, details?: unknown) {
    // as the server says it of tries of a password
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

/** Names the user that `GET /api/auth/me` answers. */
export const signedInCheck = {
  authenticated: true,
  userId: aUser().id,
  registration: "open",
  passwordMinimum: 6,
  eventSeq: "v1.start",
  address: "",
  sendsEmail: true,
};

/** Nothing waits for this user. */
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

/** A signed-in manager, two categories, no SOPs. */
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

/** A server without SMTP_URL: add it after the others. */
export const noMailServer = { "GET /api/auth/check": { ...signedInCheck, sendsEmail: false } } satisfies Replies;

export function signedOutReplies(registration = "open"): Replies {
  return {
    "GET /api/auth/check": { authenticated: false, userId: null, registration, passwordMinimum: 6, eventSeq: null },
    "GET /api/auth/me": new FakeRefusal("unauthenticated"),
  };
}

export interface FakeServer {
  send: Send;
  /** Every request so far. */
  requests: RecordedRequest[];
  /** From now on. */
  reply(replies: Replies): void;
  /** The requests of one row. */
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
