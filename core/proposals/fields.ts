/**
 * Compares the front matter of three texts key by key: the base of a proposal, the proposed text, and the SOP's current
 * text, which can have changed after the base.
 */
import { identityKinds, type ExtraValue, type FrontMatter } from "../markdown/front-matter.ts";
import { fileFields } from "../sop-fields.ts";

export interface ProposedFieldChange {
  key: string;
  /** The value in the base as text; null if it is not set, or if there is no base. */
  base: string | null;
  /** The value in the SOP's current text; null if it is not set. */
  current: string | null;
  /** The value in the proposed text; null if it is not set. */
  proposed: string | null;
  /** `both`: the SOP's current text also changed the field. */
  by: "proposed" | "both";
}

const notProposed = new Set<string>([
  ...Object.keys(identityKinds),
  ...fileFields.filter((row) => "proposed" in row).map(({ file }) => file),
]);

/** The fields that a proposal changes in the current text. @param base null: unknown */
export function fieldChangesOfProposal(
  base: FrontMatter | null,
  current: FrontMatter,
  proposed: FrontMatter,
): ProposedFieldChange[] {
  const keys = new Set([...Object.keys(current), ...Object.keys(proposed)]);
  return [...keys].flatMap((key): ProposedFieldChange[] => {
    if (notProposed.has(key)) return [];
    const [was, now, wanted] = [base ?? current, current, proposed].map((front) => proposedFieldText(front, key));
    if (was === undefined || now === undefined || wanted === undefined || wanted === now || wanted === was) return [];
    return [{ key, base: base && was, current: now, proposed: wanted, by: now === was ? "proposed" : "both" }];
  });
}

/** The current front matter with these fields taken from the proposal. */
export function withProposedFields(
  current: FrontMatter,
  proposed: FrontMatter,
  keys: ReadonlySet<string>,
): FrontMatter {
  const merged: FrontMatter = { ...current };
  for (const key of keys) {
    if (notProposed.has(key)) continue;
    const value = frontMatterValueOf(proposed, key);
    if (value === undefined) Reflect.deleteProperty(merged, key);
    else Object.assign(merged, { [key]: value });
  }
  return merged;
}

function proposedFieldText(front: FrontMatter, key: string): string | null {
  const value = frontMatterValueOf(front, key);
  if (value === undefined || value === "" || value === false) return null;
  if (value === true) return "yes";
  return Array.isArray(value) ? value.join(", ") || null : String(value);
}

function frontMatterValueOf(front: FrontMatter, key: string): ExtraValue | undefined {
  return Object.entries(front).find(([name]) => name === key)?.[1] as ExtraValue | undefined;
}
