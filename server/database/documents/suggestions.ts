/** What is suggested to people, and what it was found by. */
import type { SuggestionStatus } from "#core/suggestions/schema.ts";
import type { GapRule } from "#core/assistant/gap-titles.ts";
import type { Tenant } from "./parts.ts";

/** A version of an SOP that something was read in. */
export interface ReadVersion {
  sopId: string;
  version: number;
}

/** References and the words found, never the title of an SOP: what is told of it is put together when it is read. */
export interface StoredEvidence {
  rule: GapRule | "ai";
  sopId: string | null;
  version: number | null;
  detail: string;
  count?: number;
}

/** One for each gap of its asker: whoever dismissed it is not asked again. */
export interface SuggestionDocument extends Tenant {
  userId: string;
  /** Names the gap. */
  key: string;
  title: string;
  description: string;
  content: string | null;
  categoryId: string | null;
  /** As its author wrote it; null: it is told from the evidence. */
  reasoning: string | null;
  evidence: StoredEvidence[];
  similarTo: (ReadVersion & { score: number })[];
  /** Whose titles stand in its words. */
  named: ReadVersion[];
  source: "rules" | "ai" | "user";
  template: string | null;
  status: SuggestionStatus;
  sopId: string | null;
  createdAt: string;
}

/** Words that found nothing. Who asked is kept as a hash: it is counted, never told. */
export interface MissedSearchDocument extends Tenant {
  words: string;
  people: string[];
  lastAt: string;
}
