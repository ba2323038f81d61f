import { catalog } from "#core/language/catalog.ts";
import { dayAfterDays, daysUntil } from "#core/periodic-review/rules.ts";

export const controlTexts = catalog("sops.view.control", {
  heading: "Document control",
  changeClass: "Change class",
  owner: "Owner",
  noOwner: "No owner",
  team: "Team",
  category: "Category",
  uncategorized: "Uncategorized",
  author: "Author",
  updated: "Last updated",
  writtenBy: "Written by",
  approvedBy: "Approved by",
  notApproved: "No approval recorded",
  published: "Published",
  scheduled: "Takes effect",
  planned: "Effective date",
  nextReview: "Next review",
  lastReview: "Last review",
  lastInForce: "Last effective",
  classes: { minor: "Minor", major: "Major" },
  approvedByNames: "approved by {names}",
});

export const bannerTexts = catalog("sops.view.banner", {
  archived: "This SOP is archived.",
  archivedText: "It's not published and hidden from lists and search.",
  overdue: "Review overdue",
  due: "Review due soon",
  review: "Review",
  versionTakesEffectOn: "Version {version} takes effect on {effectiveAt}.",
  untilThenReadersSee: "Until then readers see version {version}.",
  untilThenReadersDont: "Until then readers don't see this SOP.",
  theReviewDateIs: "The review date is {reviewBy}, {due}.",
  lastPublished: "Version {version} was the last one published.",
  itsOwner: "Its owner is {name}.",
});

export const outcomes = catalog("sops.view.outcomes", {
  keep: { label: "Keep", hint: "The text is still correct.", done: "Kept" },
  revise: { label: "Revise", hint: "The text needs changes. It stays published for now.", done: "To revise" },
  archive: { label: "Archive", hint: "It's no longer needed. Readers can't see it.", done: "Archived" },
});

/** Returns the number of days from today until a day, in UTC as on the server. */
export function daysUntilDay(day: string, now: number = Date.now()): number {
  return daysUntil(day, new Date(now).toISOString());
}

export function tomorrowUtc(now: number = Date.now()): string {
  return dayAfterDays(new Date(now).toISOString(), 1);
}

const dueTexts = catalog("sops.view.due", {
  today: "due today",
  due: "due in {days, plural, one {# day} other {# days}}",
  overdue: "overdue by {days, plural, one {# day} other {# days}}",
});

/** Returns 'due in 12 days', 'due today' or 'overdue by 3 days'. */
export function daysUntilDueText(days: number): string {
  if (days === 0) return dueTexts.today;
  return days < 0 ? dueTexts.overdue({ days: -days }) : dueTexts.due({ days });
}
