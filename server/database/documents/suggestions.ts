/** Defines suggestions for users, and the evidence for them. */
import type { SuggestionStatus } from "#core/suggestions/schema.ts";
import type { GapRule } from "#core/assistant/gap-titles.ts";
import type { Tenant, StoredCollections } from "./parts.ts";

/** A version of an SOP that a suggestion is based on. */
export interface ReadVersion {
  sopId: string;
  version: number;
}

/**
 * Evidence for a suggestion: references and found words, but never an SOP's title. The text is created when it is read.
 */
export interface StoredEvidence {
  rule: GapRule | "ai";
  sopId: string | null;
  version: number | null;
  detail: string;
  count?: number;
}

/** A missing SOP that is suggested to a user. A dismissed suggestion isn't made again. */
export interface SuggestionDocument extends Tenant {
  userId: string;
  /** The key of the missing SOP, by which a repeated suggestion is recognized. */
  key: string;
  title: string;
  description: string;
  content: string | null;
  categoryId: string | null;
  /** The reasons that the model gave; null if the text is created from the evidence. */
  reasoning: string | null;
  evidence: StoredEvidence[];
  similarTo: (ReadVersion & { score: number })[];
  /** The versions whose titles the suggestion's text contains. */
  named: ReadVersion[];
  source: "rules" | "ai" | "user";
  template: string | null;
  status: SuggestionStatus;
  sopId: string | null;
  createdAt: string;
}

/**
 * A search without results. People are stored as hashes, only to count them. Ids of users are stored only if they
 * requested the SOP.
 */
export interface MissedSearchDocument extends Tenant {
  words: string;
  people: string[];
  /** Ids of the users who requested the SOP. Absent until a user does. */
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
