import { dayAfter, daysUntil } from "#core/periodic-review/rules.ts";

export const controlTexts = {
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
} as const;

export const bannerTexts = {
  archived: "This SOP is archived.",
  archivedText: "It's not published and hidden from lists and search.",
  overdue: "Review overdue",
  due: "Review due soon",
  review: "Review",
} as const;

export const outcomes = {
  keep: { label: "Keep", hint: "The text is still correct.", done: "Kept" },
  revise: { label: "Revise", hint: "The text needs changes. It stays published for now.", done: "To revise" },
  archive: { label: "Archive", hint: "It's no longer needed. Readers can't see it.", done: "Archived" },
} as const;

/** Whole days from today, in UTC as the server counts them. */
export function daysTo(day: string, now: number = Date.now()): number {
  return daysUntil(day, new Date(now).toISOString());
}

export function tomorrow(now: number = Date.now()): string {
  return dayAfter(new Date(now).toISOString(), 1);
}

/** 'due in 12 days', 'due today', 'overdue by 3 days' */
export function dueText(days: number): string {
  const count = Math.abs(days);
  const span = `${count} ${count === 1 ? "day" : "days"}`;
  if (days === 0) return "due today";
  return days < 0 ? `overdue by ${span}` : `due in ${span}`;
}
