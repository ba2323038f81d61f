import { catalog } from "#core/language/catalog.ts";
import type { BulkAction, BulkRefusal } from "#core/sops/bulk.ts";

export const bulkTexts = catalog("sops.list.bulk", {
  select: "Select SOPs",
  one: "Select {title}",
  bar: "Selected SOPs",
  count: "{count, plural, =0 {Select SOPs} other {# selected}}",
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
  leftOut: "{count, plural, one {# SOP} other {# SOPs}} left out",
  failed: "Couldn't change {count, plural, one {# SOP} other {# SOPs}}",
  nothing: "Choose a tag to add or remove",
  tryAgain: "Try again.",
  close: "Close",
});

export const bulkTitles = catalog("sops.list.bulk-titles", {
  tags: "Change tags of {count, plural, one {# SOP} other {# SOPs}}",
  owner: "Change owner of {count, plural, one {# SOP} other {# SOPs}}",
  archive: "Archive {count, plural, one {# SOP} other {# SOPs}}?",
}) satisfies Record<BulkAction, unknown>;

export const bulkSubmits = catalog("sops.list.bulk-submits", {
  tags: "Change {count, plural, one {# SOP} other {# SOPs}}",
  owner: "Change {count, plural, one {# SOP} other {# SOPs}}",
  archive: "Archive {count, plural, one {# SOP} other {# SOPs}}",
}) satisfies Record<BulkAction, unknown>;

export const bulkDone = catalog("sops.list.bulk-done", {
  tags: "Tags of {count, plural, one {# SOP} other {# SOPs}} changed",
  owner: "Owner of {count, plural, one {# SOP} other {# SOPs}} changed",
  archive: "{count, plural, one {# SOP} other {# SOPs}} archived",
}) satisfies Record<BulkAction, unknown>;

export const refusals = catalog("sops.list.refusals", {
  not_allowed: "no permission",
  archived: "archived",
  under_review: "under review",
}) satisfies Record<BulkRefusal, string>;
