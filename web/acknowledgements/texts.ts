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
  ask: "Ask for confirmation",
  change: "Change",
  everybody: "Who has confirmed",
};

export const requestTexts = {
  title: "Ask for confirmation",
  description: "Readers confirm they've read the published version. Major changes ask them again.",
  loading: "Loading people and teams…",
  loadFailed: "Couldn't load people and teams.",
  audience: "Who has to confirm",
  everyone: "Everyone",
  everyoneHint: "Everyone who can see this SOP, now or later.",
  chosen: "People and teams",
  chosenHint: "New members of these teams are asked too.",
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

/** `2026-06-08` as the same day in every time zone. */
export function dayText(day: string): string {
  return dateText(`${day}T12:00:00`);
}
