import { catalog } from "#core/language/catalog.ts";
import { comparisonLabels, fieldLabels, fileFields } from "#core/sop-fields.ts";

export const diffTexts = catalog("sops.diff", {
  loading: "Comparing the versions…",
  failed: "Couldn't compare the versions.",
  notFound: "One version doesn't exist, or you can't read it.",
  sameVersion: "You chose the same version twice.",
  noChanges: "The text is the same in both versions.",
  nothingSeen: "no visible change in the text",
  tabs: "How to show the differences",
  text: "Text",
  markdown: "Markdown",
  facts: "Changed details",
  field: "Fact",
  nothing: "none",
  yes: "yes",
  no: "no",
  previous: "Previous change",
  next: "Next change",
  region: "Differences in the text",
  added: "Added",
  removed: "Removed",
  changed: "Changed",
  movedFrom: "Moved from here",
  movedTo: "Moved here",
  startAdded: "[added: ",
  startRemoved: "[removed: ",
  end: "] ",
  showUnchangedBlocks: "Show {size, number} unchanged blocks",
  showUnchangedLines: "Show {count, number} unchanged lines",
  factChanged: "{field} changed",
  summary: "From version {from} to version {to}: {changes}.",
  factsChanged: "{count, plural, one {# fact} other {# facts}} changed",
  firstCounts: {
    changed: "{count, plural, one {# block} other {# blocks}} changed",
    added: "{count, plural, one {# block} other {# blocks}} added",
    removed: "{count, plural, one {# block} other {# blocks}} removed",
    moved: "{count, plural, one {# block} other {# blocks}} moved",
  },
  counts: {
    changed: "{count, number} changed",
    added: "{count, number} added",
    removed: "{count, number} removed",
    moved: "{count, number} moved",
  },
});

/** Returns the label of a field. Unknown keys of a file have the prefix `x-`, which is left out. */
export function factLabel(field: string): string {
  const name = fileFields.find(({ file }) => file === field)?.name;
  return name === undefined ? field.replace(/^x-/, "") : (comparisonLabels[name] ?? fieldLabels[name]);
}

export function factText(value: string | null): string {
  if (value === null) return diffTexts.nothing;
  return value === "true" ? diffTexts.yes : value === "false" ? diffTexts.no : value;
}
