/** Lines of checks that name a missing item by its fields, because no other document has the item's id. */
import type { Collections } from "../database/documents.ts";

interface LineOfItem {
  name: keyof Collections & string;
  /** The line, with a field of the item in each pair of braces. */
  text: string;
  /** Further conditions on the item, which the text says in words. */
  filter?: Readonly<Record<string, unknown>>;
  /** The only collection whose documents name the item, if a later change of them can remove the reference. */
  namedBy?: "sops" | "users";
}

const lines = {
  membership: {
    name: "team_members",
    text: "user {userId}: the membership of team {teamId} is missing",
    namedBy: "users",
  },
  begunPeriod: {
    name: "published_periods",
    text: "SOP {sopId}: the record that version {version} was published from {from} is missing",
  },
  openPeriod: {
    name: "published_periods",
    text: "SOP {sopId}: the record that version {version} was published until now is missing",
    filter: { until: null },
    namedBy: "sops",
  },
  /** The text says what ends the wrong status. */
  openRequest: {
    name: "approval_requests",
    text: "SOP {sopId} is under review until it is edited or submitted again: its approval request {_id} is missing",
    namedBy: "sops",
  },
  review: { name: "reviews", text: "SOP {sopId}: its review of {createdAt} is missing" },
  confirmation: {
    name: "acknowledgements",
    text: "SOP {sopId}: the read confirmation of user {userId} for version {version} is missing",
  },
  ask: { name: "acknowledgement_asks", text: "SOP {sopId}: its request for read confirmations is missing" },
  invitation: { name: "invitations", text: "company {companyId}: invitation {key} is missing" },
  token: { name: "tokens", text: "user {userId}: the API token {_id} named {name} is missing" },
  category: { name: "categories", text: "company {companyId}: its category {slug} is missing" },
  source: { name: "sop_sources", text: "company {companyId}: the record of the imported file {key} is missing" },
  unnamedSource: { name: "sop_sources", text: "SOP {sopId}: the record of its imported file is missing" },
} satisfies Record<string, LineOfItem>;

export type NamedItem = keyof typeof lines;
export const lineItems: Readonly<Record<NamedItem, LineOfItem>> = lines;

/** Returns the line about a missing item. @param fields has the fields that the line prints */
export function missingItemLine(item: NamedItem, fields: Readonly<Record<string, unknown>>): string {
  return lineItems[item].text.replace(/\{(\w+)\}/g, (_, field: string) => String(fields[field]));
}

const numbers = new Set(["version"]);
const patterns = Object.values(lineItems).map((one) => ({
  ...one,
  pattern: new RegExp(`^${one.text.replace(/\{(\w+)\}/g, "(?<$1>.+)")}$`),
}));

/**
 * Parses a line by `missingItemLine`.
 * @returns the item that the line names, without its company; null for any other line
 */
export function itemInLine(line: string): Pick<LineOfItem, "name" | "filter" | "namedBy"> | null {
  for (const { name, filter, namedBy, pattern } of patterns) {
    const { groups } = pattern.exec(line) ?? {};
    if (groups === undefined) continue;
    const fields = Object.entries(groups).map(([field, text]) => [field, numbers.has(field) ? Number(text) : text]);
    return { name, filter: { ...Object.fromEntries(fields), ...filter }, ...(namedBy && { namedBy }) };
  }
  return null;
}
