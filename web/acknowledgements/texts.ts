import { dateText } from "../ui/time.ts";

export const texts = {
  heading: "Read confirmation",
  own: "Your confirmation",
  confirm: "I have read this version",
  thanks: "Confirmed as read",
  failed: "Couldn't save your confirmation. Try again.",
  error: "Error",
  compare: "See what differs",
  nobodyAsked: "No one has to confirm reading this SOP.",
  notPublished: "They're asked once it's published.",
  change: "Change",
  everybody: "Who has confirmed",
};

export const requestTexts = {
  title: "Ask to read",
  description: "Readers confirm they've read the published version. Major changes ask them again.",
  loading: "Loading people and teams…",
  loadFailed: "Couldn't load people and teams.",
  audience: "Who has to confirm",
  everyone: "Everyone",
  everyoneHint: "Everyone who can see this SOP, now or later.",
  chosen: "People and teams",
  teams: "Teams",
  people: "People",
  search: "Search people and teams",
  nobodyFound: "No one found.",
  days: "Days to confirm",
  daysHint: "After the request. Leave empty for no due date.",
  daysWrong: "Enter a whole number of days, 1 to 365.",
  save: "Save",
  stop: "Stop asking",
  asked: "Confirmation requested",
  saved: "Saved",
  stopped: "Stopped asking",
  failed: "Couldn't save. Try again.",
};

export const confirmationsTexts = {
  title: "Who has confirmed",
  state: "State",
  search: "Search people",
  all: "Everyone",
  label: "People and their confirmations",
  loading: "Loading the confirmations…",
  failed: "Couldn't load the confirmations.",
  empty: "No one has to confirm yet.",
  emptyFiltered: "No matches.",
  more: "Load more",
  export: "Export CSV",
  close: "Close",
};

export const stateTexts = {
  overdue: "Overdue",
  open: "Not yet",
  confirmed: "Confirmed",
  past: "No longer required",
};

export const overviewTexts = {
  title: "Read confirmations",
  overdue: (count: number) => (count === 1 ? "1 confirmation is overdue" : `${count} confirmations are overdue`),
  waiting: (count: number) => (count === 1 ? "1 confirmation is due" : `${count} confirmations are due`),
  done: "All confirmed",
  moreDue: (count: number, day: string | null) => `${count} more due${day === null ? "" : ` by ${shortDay(day)}`}`,
  csv: "CSV",
  csvLabel: "Export CSV",
  ask: "Ask to read",
  remindAll: (count: number) => (count === 1 ? "Remind 1 person" : `Remind ${count} people`),
  show: "Show",
  everyone: "Everyone",
  late: "Overdue",
  due: "Due",
  team: "Team",
  allTeams: "All teams",
  category: "Category",
  allCategories: "All categories",
  table: "People and the SOPs they must confirm",
  person: "Person",
  open: "Open",
  noTeam: "No team",
  lateCount: (count: number) => `${count} overdue`,
  dueCount: (count: number) => `${count} due`,
  allRead: "All read",
  stillToRead: "Still to read",
  peopleCount: (count: number) => (count === 1 ? "1 person" : `${count} people`),
  moreSops: (count: number) => `${count} more SOPs. Choose a category to see them.`,
  remind: "Remind",
  remindPerson: (name: string) => `Remind ${name}`,
  reminded: "Reminded today",
  remindedPeople: (count: number) => (count === 1 ? "1 person reminded" : `${count} people reminded`),
  remindFailed: "Couldn't send the reminder. Try again.",
  loading: "Loading read confirmations…",
  failed: "Couldn't load read confirmations.",
  empty: "No one has to confirm an SOP yet",
  emptyHint: "Ask people to confirm they've read an SOP.",
  emptyFiltered: "No matches",
  emptyFilteredHint: "Try other filters.",
  more: "Load more",
  error: "Error",
  read: "read",
  notAsked: "Not asked",
  overdueSince: (day: string) => `Overdue. It was due ${dayText(day)}.`,
  dueBy: (day: string) => `Due ${dayText(day)}.`,
  noDueDay: "Not confirmed yet. No due date.",
  confirmed: (version: number, at: string) => `Confirmed version ${version} on ${dateText(at)}.`,
  earlier: (version: number, at: string) => `Confirmed an earlier version (${version}) on ${dateText(at)}.`,
  published: (version: number) => `Published: version ${version}`,
  change: "Change who confirms",
  openSop: "Open SOP",
  chooseSop: "Which SOP?",
  searchSops: "Search published SOPs",
  noSops: "No published SOPs found.",
  close: "Close",
};

const monthDay = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric" });

/** `2026-12-06` as 'Dec 6', in every time zone. */
export function shortDay(day: string): string {
  return monthDay.format(Date.parse(`${day}T12:00:00`));
}

/** `2026-06-08` as the same day in every time zone. */
export function dayText(day: string): string {
  return dateText(`${day}T12:00:00`);
}
