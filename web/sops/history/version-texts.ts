/** Texts about versions for the dialog and the comparison. */
import { catalog } from "#core/language/catalog.ts";
import { effectiveText } from "#core/export/effective-text.ts";
import { dayOf } from "#core/days.ts";
import type { AiPart } from "#core/sops/ai-part.ts";
import type { PublishedPeriod } from "#core/diff/schema.ts";
import type { Sop } from "#core/sops/schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import { boundaryText, dateText } from "../../ui/time.ts";

const texts = catalog("sops.history.version", {
  since: "Published since {day}",
  on: "Published on {day}",
  period: "Published {start} – {end}",
  versionOn: "v{version}, {day}",
  approvedBy: "Approved by {names}",
  aiAssisted: "AI-assisted: {parts}",
});

export const changeClassLabels = catalog("sops.history.change-class-labels", { minor: "Minor", major: "Major" });

/** Returns 'Published Jan 5, 2026 – Mar 1, 2026' or 'Published since Mar 1, 2026'. Two days name their zone once. */
export function periodText({ from, until }: Pick<PublishedPeriod, "from" | "until">): string {
  if (until === null) return texts.since({ day: boundaryText(from) });
  const end = boundaryText(until);
  return dayOf(from) === dayOf(until) ? texts.on({ day: end }) : texts.period({ start: dateText(from), end });
}

/**
 * Returns the day on which readers got the published version: 'Mar 1, 2026'. If another version is shown, with its
 * number: 'v2, Mar 1, 2026'. null if none is published.
 */
export function publishedOn({ version, published }: Sop): string | null {
  if (!published?.effectiveAt) return null;
  const day = boundaryText(published.effectiveAt);
  return published.version === version ? day : texts.versionOn({ version: published.version, day });
}

/**
 * Returns the effective date that the author set, if it differs from the day of publication: a first publication can
 * have an earlier date. null if both are the same.
 */
export function effectiveDay({ version, published, control }: Sop): string | null {
  if (control.effective === null || published?.version !== version) return null;
  const publishedOnDay = published.effectiveAt && dayOf(published.effectiveAt);
  return publishedOnDay === control.effective ? null : effectiveText(control.effective, publishedOnDay, boundaryText);
}

/** Returns 'Approved by Ann Archer (ann), Ben Baker (ben)'. */
export function approvedText(signatures: Sop["control"]["approvedBy"]): string {
  return texts.approvedBy({ names: signatures.map(printedName).join(", ") });
}

/** Returns 'AI-assisted: small-model, improve-sop@1; small-model, clarify@1'. */
export function aiAssistedText(parts: readonly AiPart[]): string {
  const made = new Set(parts.map(({ model, prompt }) => `${model}, ${prompt}`));
  return texts.aiAssisted({ parts: [...made].join("; ") });
}

export function comparePath(sopId: string, from: number, to: number): string {
  return `/sop/${sopId}/compare?from=${from}&to=${to}`;
}

export const compareTexts = catalog("sops.history.compare", {
  allSops: "All SOPs",
  title: "Compare versions",
  print: "Print",
  from: "From version",
  to: "To version",
  swap: "Swap versions",
  onlyOne: "Nothing to compare yet",
  onlyOneHint: "You can see only one version.",
  version: "Version {version}",
});
