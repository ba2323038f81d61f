import { catalog } from "#core/language/catalog.ts";

export const texts = catalog("dashboard", {
  recent: "Recently Updated",
  recentFiltered: "Matching SOPs",
});

export const companyTexts = catalog("dashboard.company", {
  heading: "Company",
  totalSops: "Total SOPs",
  activeTeams: "Active Teams",
  pendingApproval: "Pending Approval",
  aiSuggestions: "AI Suggestions",
  failed: "Failed to load the numbers",
  tryAgain: "Try Again",
  weeks: "Published, last {weeks, number} weeks: {count, number}",
  perWeek: "Published per week: {counts}",
});

export const mirrorTexts = catalog("dashboard.mirror", {
  stopped: "The repository's mirror stopped",
  decide: "See what the remote has, and decide",
});

export const needsTexts = catalog("dashboard.needs", {
  page: "Dashboard",
  failed: "Couldn't load what waits for you.",
  tryAgain: "Try Again",
  nothing: "Nothing waits for you",
  things: "{count, plural, one {# thing waits for you} other {# things wait for you}}",
  toRead: "{count, plural, one {# SOP} other {# SOPs}} to read",
  asksForApproval: "{who} asks for approval",
  outcomes: {
    changes_requested: "{by} requested changes",
    rejected: "{by} rejected it",
  },
  version: "Version {version}",
  periodicReview: "Periodic review",
  due: "due {day}",
  wasDue: "was due {day}",
  review: "Review",
  open: "Open",
  reply: "Reply",
  read: "Read",
  confirm: "Confirm",
  more: "{count, number} more",
});

export const lateTexts = catalog("dashboard.late", {
  late: "Late",
  readings: "{count, plural, one {# read confirmation is overdue} other {# read confirmations are overdue}}",
  readers: "{people, plural, one {# person} other {# people}}. Most: {most}",
  review: "Review was due {day}",
  reviewOf: "Review was due {day} · {owner}",
  remind: "Remind",
  gaps: "Gaps",
  searched: "{people, plural, one {# person} other {# people}} searched, nothing found",
  askedBy: "{name} asks for it",
  askedByMore: "{name} and {others, plural, one {# other} other {# others}} ask for it",
  write: "Write it",
  ownerless: "No owner since {was} left",
  assign: "Assign",
});

export const shelfTexts = catalog("dashboard.shelf", {
  drafts: "Your drafts",
  favorites: "Favorites",
  recent: "Recent",
  run: "Where you were",
  step: "Step {next, number} of {total, number}, {ago}",
  continue: "Continue",
});

export const firstStepsTexts = catalog("dashboard.first-steps", {
  title: "Publish your first SOP",
  titlePublished: "Bring your first SOP to readers",
  progress: "{done, number} of 4 done",
  done: "Done",
  drafts: "Start with a draft",
  draftsText: "Write a standard operating procedure (SOP), or take templates that fit.",
  hasDrafts: "{count, plural, one {# SOP} other {# SOPs}} started",
  choose: "Choose templates",
  invite: "Invite the people you work with",
  inviteText: "Each gets a link.",
  invited:
    "{count, plural, one {# person} other {# people}} invited{joined, plural, =0 {} one {, # has joined} other {, # have joined}}",
  inviteAction: "Invite",
  publish: "Make a draft yours, and publish it",
  publishText: "Change the names, places and times. 5 to 10 minutes.",
  waits: "Your first SOP waits for approval",
  waitsText: "It is published once the approvers agree.",
  scheduled: "Your first SOP takes effect later",
  scheduledText: "Readers see it on {day}.",
  published: "First SOP published",
  openDraft: "Open “{title}”",
  write: "Write an SOP",
  ask: "Ask your team to read it",
  askText: "You see who has read it.",
  asked: "Team asked to read",
  askAction: "Ask to read",
  hide: "Hide this list",
  bring: "Bring documents you have",
  bringText: "Drop a folder, Word files, or a Confluence or Notion export. You see a plan before anything is added.",
  import: "Import",
});
