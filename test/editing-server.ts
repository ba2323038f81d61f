/** A server with a single SOP, from the view of the edit screen. */
import type { EditingEffect, SaveFailure } from "#core/sops/editing.ts";
import { valuesByFieldName, listedFields, emptyValues } from "#core/sop-fields.ts";
import { saveBodyOf, sopFormValuesOf } from "#core/sops/form-values.ts";
import type { Sop, SopForm } from "#core/sops/schema.ts";

export const empty: Sop = {
  ...valuesByFieldName(listedFields, emptyValues),
  id: "sop",
  companyId: "company",
  number: "SOP-0001",
  slug: "sop-1",
  title: "start",
  description: "What to do.",
  content: "",
  markdown: "start",
  categoryId: "cat",
  publishedCategoryId: null,
  category: null,
  authorId: "ann",
  author: null,
  owner: null,
  status: "draft",
  readTime: 5,
  views: 0,
  version: 1,
  published: null,
  scheduled: null,
  effectiveAt: null,
  grants: [],
  approvers: [],
  waitsForMe: false,
  restricted: false,
  favorite: false,
  contentHash: "0",
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  control: {
    owner: null,
    changedBy: { name: "Ann", at: "2026-01-01T00:00:00.000Z" },
    changeClass: "major",
    effective: null,
    approvedBy: [],
    lastReview: null,
    lastInForce: null,
  },
};

export const wordsOf = ({ title, markdown }: { title: string; markdown: string }) =>
  `${title} ${markdown}`.split(" ").filter(Boolean);
/** Merges two texts like a user who wants to keep everything. */
export const union = (a: string, b: string) =>
  [...new Set([...a.split(" "), ...b.split(" ")])].filter(Boolean).join(" ");

export function must(holds: boolean, rule: string): void {
  if (!holds) throw new Error(rule);
}

export const sameText = (a: SopForm, b: SopForm): boolean => a.title === b.title && a.markdown === b.markdown;

export class ServerOfOne {
  /** The versions. Version n is at index n - 1. */
  readonly versions: Sop[] = [];
  isDeleted = false;

  constructor(isNew: boolean) {
    if (!isNew) this.versions.push(empty);
  }
  get latest(): Sop | null {
    return this.versions.at(-1) ?? null;
  }

  /** @param ownerId the owner in the request; without it, the SOP keeps its owner, and a new one gets its author */
  write({ status, title, markdown }: SopForm, ownerId = this.latest ? this.latest.ownerId : "me"): Sop {
    // counted from the text, as the server does
    const readTime = title.length + markdown.length;
    const sop: Sop = { ...empty, title, markdown, status, ownerId, readTime, version: this.versions.length + 1 };
    this.versions.push(sop);
    return sop;
  }

  /** Creates once per attempt. Refuses an update of a version that isn't the latest. */
  save({ base, version, values }: Extract<EditingEffect, { do: "send" }>): { sop: Sop } | SaveFailure {
    const [first] = this.versions;
    const { latest } = this;
    const { ownerId } = saveBodyOf(values, base);
    if (!base) {
      if (!first) return { sop: this.write(values, ownerId) };
      return sameText(sopFormValuesOf(first), values)
        ? { sop: first }
        : { why: "created", id: "sop", error: "used before" };
    }
    if (this.isDeleted || !latest) return { why: "gone", error: "gone" };
    if (latest.version !== version) return { why: "stale", error: "stale" };
    const isSame = sameText(sopFormValuesOf(latest), values) && latest.status === values.status;
    return { sop: isSame ? latest : this.write(values, ownerId) };
  }
}
