import type { Needs } from "#core/stats/schemas.ts";

const many = (count: number, one: string, more = `${one}s`) => `${count} ${count === 1 ? one : more}`;

export const texts = {
  recent: "Recently Updated",
  recentFiltered: "Matching SOPs",
} as const;

export const companyTexts = {
  heading: "Company",
  totalSops: "Total SOPs",
  activeTeams: "Active Teams",
  pendingApproval: "Pending Approval",
  aiSuggestions: "AI Suggestions",
  failed: "Failed to load the numbers",
  tryAgain: "Try Again",
  weeks: (weeks: number, count: number) => `Published, last ${weeks} weeks: ${count}`,
  perWeek: (counts: readonly number[]) => `Published per week: ${counts.join(", ")}`,
} as const;

export const mirrorTexts = {
  stopped: "The repository's mirror stopped",
  decide: "See what the remote has, and decide",
} as const;

export const damageTexts = {
  unreadable: (count: number) => `${many(count, "SOP")} can't be read`,
  ask: "Ask the person who runs the server.",
  settingsLost: "Company settings were lost",
  check: "Check the company settings",
} as const;

export const needsTexts = {
  page: "Dashboard",
  failed: "Couldn't load what waits for you.",
  tryAgain: "Try Again",
  nothing: "Nothing waits for you",
  things: (count: number) => (count === 1 ? "1 thing waits for you" : `${count} things wait for you`),
  toRead: (count: number) => `${many(count, "SOP")} to read`,
  asksForApproval: (who: string) => `${who} asks for approval`,
  outcomes: {
    changes_requested: (by) => `${by} requested changes`,
    rejected: (by) => `${by} rejected it`,
  } satisfies Record<Needs["returned"][number]["outcome"], (by: string) => string>,
  version: (version: number) => `Version ${version}`,
  periodicReview: "Periodic review",
  due: (day: string) => `due ${day}`,
  wasDue: (day: string) => `was due ${day}`,
  review: "Review",
  open: "Open",
  reply: "Reply",
  read: "Read",
  confirm: "Confirm",
  more: (count: number) => `${count} more`,
} as const;

export const lateTexts = {
  late: "Late",
  readings: (count: number) =>
    count === 1 ? "1 read confirmation is overdue" : `${count} read confirmations are overdue`,
  readers: (people: number, most: string) => `${many(people, "person", "people")}. Most: ${most}`,
  review: (day: string, owner: string | null) => `Review was due ${day}${owner === null ? "" : ` · ${owner}`}`,
  remind: "Remind",
  gaps: "Gaps",
  searched: (people: number) => `${many(people, "person", "people")} searched, nothing found`,
  askedBy: ([name, ...others]: readonly string[]) =>
    others.length === 0 ? `${name} asks for it` : `${name} and ${many(others.length, "other")} ask for it`,
  write: "Write it",
  ownerless: (was: string) => `No owner since ${was} left`,
  assign: "Assign",
} as const;

export const shelfTexts = {
  drafts: "Your drafts",
  favorites: "Favorites",
  recent: "Recent",
  run: "Where you were",
  step: (next: number, total: number, ago: string) => `Step ${next} of ${total}, ${ago}`,
  continue: "Continue",
} as const;

export const firstStepsTexts = {
  title: "Publish your first SOP",
  titlePublished: "Bring your first SOP to readers",
  progress: (done: number) => `${done} of 4 done`,
  done: "Done",
  drafts: "Start with a draft",
  draftsText: "Write a standard operating procedure (SOP), or take templates that fit.",
  hasDrafts: (count: number) => `${many(count, "SOP")} started`,
  choose: "Choose templates",
  invite: "Invite the people you work with",
  inviteText: "Each gets a link.",
  invited: (count: number, joined: number) =>
    `${many(count, "person", "people")} invited${joined === 0 ? "" : `, ${joined} ${joined === 1 ? "has" : "have"} joined`}`,
  inviteAction: "Invite",
  publish: "Make a draft yours, and publish it",
  publishText: "Change the names, places and times. 5 to 10 minutes.",
  waits: "Your first SOP waits for approval",
  waitsText: "It is published once the approvers agree.",
  scheduled: "Your first SOP takes effect later",
  scheduledText: (day: string) => `Readers see it on ${day}.`,
  published: "First SOP published",
  openDraft: (title: string) => `Open “${title}”`,
  write: "Write an SOP",
  ask: "Ask your team to read it",
  askText: "You see who has read it.",
  asked: "Team asked to read",
  askAction: "Ask to read",
  hide: "Hide this list",
  bring: "Bring documents you have",
  bringText: "Drop a folder, Word files, or a Confluence or Notion export. You see a plan before anything is added.",
  import: "Import",
} as const;
