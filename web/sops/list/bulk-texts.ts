import type { BulkAction, BulkRefusal } from "#core/sops/bulk.ts";

const sops = (count: number) => (count === 1 ? "1 SOP" : `${count} SOPs`);

export const bulkTexts = {
  select: "Select SOPs",
  one: (title: string) => `Select ${title}`,
  bar: "Selected SOPs",
  count: (count: number) => (count === 0 ? "Select SOPs" : `${count} selected`),
  clear: "Clear selection",
  tags: "Tags",
  owner: "Owner",
  archive: "Archive",
  tagsToAdd: "Add tags",
  tagsHint: "Separate tags with commas.",
  tagsToRemove: "Remove tags",
  noOwner: "No owner",
  chooseOwner: "Choose an owner",
  becomesDraft: "Published SOPs get a draft with the change. Readers see it once you publish it.",
  archiveText: "Readers can't see them anymore. You can unarchive them later.",
  linked: "Other SOPs link to these:",
  leftOut: (count: number) => `${sops(count)} left out`,
  failed: (count: number) => `Couldn't change ${sops(count)}`,
  nothing: "Choose a tag to add or remove",
  tryAgain: "Try again.",
  close: "Close",
} as const;

export const bulkTitles: Record<BulkAction, (count: number) => string> = {
  tags: (count) => `Change tags of ${sops(count)}`,
  owner: (count) => `Change owner of ${sops(count)}`,
  archive: (count) => `Archive ${sops(count)}?`,
};

export const bulkSubmits: Record<BulkAction, (count: number) => string> = {
  tags: (count) => `Change ${sops(count)}`,
  owner: (count) => `Change ${sops(count)}`,
  archive: (count) => `Archive ${sops(count)}`,
};

export const bulkDone: Record<BulkAction, (count: number) => string> = {
  tags: (count) => `Tags of ${sops(count)} changed`,
  owner: (count) => `Owner of ${sops(count)} changed`,
  archive: (count) => `${sops(count)} archived`,
};

export const refusals: Record<BulkRefusal, string> = {
  not_allowed: "no permission",
  archived: "archived",
  under_review: "under review",
};
