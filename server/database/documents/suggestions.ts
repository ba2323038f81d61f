/** Suggestions for users, and their evidence. */
import type { SuggestionStatus } from "#core/suggestions/schema.ts";
import type { GapRule } from "#core/assistant/gap-titles.ts";
import type { Tenant, StoredCollections } from "./parts.ts";

/** A version of an SOP that was read for a suggestion. */
export interface ReadVersion {
  sopId: string;
  version: number;
}

/** References and the words that were found, but never an SOP's title. The text is built when it is read. */
export interface StoredEvidence {
  rule: GapRule | "ai";
  sopId: string | null;
  version: number | null;
  detail: string;
  count?: number;
}

/** A gap suggested to a user. A dismissed gap isn't suggested to that user again. */
export interface SuggestionDocument extends Tenant {
  userId: string;
  /** Names the gap, so that it is suggested once. */
  key: string;
  title: string;
  description: string;
  content: string | null;
  categoryId: string | null;
  /** The author's own reasoning; null if it is built from the evidence. */
  reasoning: string | null;
  evidence: StoredEvidence[];
  similarTo: (ReadVersion & { score: number })[];
  /** The versions whose titles are in the suggestion's text. */
  named: ReadVersion[];
  source: "rules" | "ai" | "user";
  template: string | null;
  status: SuggestionStatus;
  sopId: string | null;
  createdAt: string;
}

/**
 * A search without results. Users are stored as a hash, only to count them. Users who asked for the SOP are stored by
 * id.
 */
export interface MissedSearchDocument extends Tenant {
  words: string;
  people: string[];
  /** The ids of users who asked for the SOP. Absent until a user asks. */
  asked?: string[];
  lastAt: string;
}

export interface SuggestionCollections {
  ai_suggestions: SuggestionDocument;
  missed_searches: MissedSearchDocument;
}

export const suggestionCollections: StoredCollections<SuggestionCollections> = {
  ai_suggestions: {
    tenant: true,
    indexes: [
      { name: "user", keys: { companyId: 1, userId: 1, createdAt: -1, _id: -1 } },
      { name: "status", keys: { companyId: 1, userId: 1, status: 1, createdAt: -1, _id: -1 } },
      { name: "key", keys: { companyId: 1, userId: 1, key: 1 }, unique: true },
    ],
  },
  missed_searches: {
    tenant: true,
    indexes: [
      { name: "last", keys: { companyId: 1, lastAt: 1 } },
      { name: "age", keys: { lastAt: 1 } },
    ],
    swept: { by: "lastAt", afterMs: 90 * 24 * 3_600_000 },
    ifLost: "a hint for suggestions, kept for 90 days",
  },
};
