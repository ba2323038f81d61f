import { dateText } from "../ui/time.ts";

export const texts = {
  heading: "Read confirmation",
  own: "Your confirmation",
  confirm: "I have read this version",
  thanks: "Confirmed as read",
  failed: "Your confirmation could not be stored. Please try again.",
  error: "Error",
  compare: "See what differs",
  nobodyAsked: "Nobody is asked to confirm that they have read this SOP.",
  notInForce: "They are asked when a version is in force.",
  ask: "Ask for confirmation",
  change: "Change",
  everybody: "Who has confirmed",
};

export const askTexts = {
  title: "Ask for confirmation",
  description: "Readers confirm that they have read the version in force. A major change asks them again.",
  loading: "Loading people and teams…",
  loadFailed: "People and teams could not be loaded.",
  audience: "Who is asked",
  everyone: "Everyone",
  everyoneHint: "All who can see this SOP, and whoever joins later.",
  chosen: "People and teams",
  chosenHint: "Whoever joins one of the teams later is asked as well.",
  teams: "Teams",
  people: "People",
  search: "Search people and teams",
  nobodyFound: "Nobody of that name.",
  days: "Days to confirm",
  daysHint: "From when it is asked. Leave it empty for no due day.",
  daysWrong: "Enter a whole number of days, 1 to 365.",
  save: "Save",
  stop: "Stop asking",
  asked: "Confirmation asked for",
  saved: "Saved",
  stopped: "Nobody is asked any more",
  failed: "That could not be saved. Please try again.",
};

export const matrixTexts = {
  title: "Who has confirmed",
  state: "State",
  search: "Search people",
  all: "Everybody",
  label: "People and their confirmations",
  loading: "Loading the confirmations…",
  failed: "The confirmations could not be loaded.",
  empty: "Nobody is asked yet.",
  emptyFiltered: "Nobody matches.",
  more: "Load more",
  export: "Export CSV",
  close: "Close",
};

export const stateTexts = {
  overdue: "Overdue",
  open: "Not yet",
  confirmed: "Confirmed",
  past: "No longer asked",
};

/** `2026-06-08` as the same day wherever it is read. */
export function dayText(day: string): string {
  return dateText(`${day}T12:00:00`);
}
