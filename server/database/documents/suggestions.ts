/** Suggestions for users, and their evidence. */
import type { SuggestionStatus } from "#core/suggestions/schema.ts";
import type { GapRule } from "#core/assistant/gap-titles.ts";
import type { Tenant } from "./parts.ts";

/** A version of an SOP that something was read in. */
export interface ReadVersion {
  sopId: string;
  version: number;
}

/** References and the words found, never an SOP's title. The text is built when it is read. */
export interface StoredEvidence {
  rule: GapRule | "ai";
  sopId: string | null;
  version: number | null;
  detail: string;
  count?: number;
}

/** One for each gap of a user. A dismissed gap isn't suggested to that user again. */
export interface SuggestionDocument extends Tenant {
  userId: string;
  /** Names the gap. */
  key: string;
  title: string;
  description: string;
  content: string | null;
  categoryId: string | null;
  /** The author's own reasoning; null: built from the evidence. */
  reasoning: string | null;
  evidence: StoredEvidence[];
  similarTo: (ReadVersion & { score: number })[];
  /** The versions whose titles are in its text. */
  named: ReadVersion[];
  source: "rules" | "ai" | "user";
  template: string | null;
  status: SuggestionStatus;
  sopId: string | null;
  createdAt: string;
}

/** A search without results. Users are stored as a hash, only to count them; those who asked for the SOP by id. */
export interface MissedSearchDocument extends Tenant {
  words: string;
  people: string[];
  /** Left out until someone asks. */
  asked?: string[];
  lastAt: string;
}
