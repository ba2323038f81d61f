import type { HazardKind } from "#core/markdown/alert-grades.ts";

export const texts = {
  loading: "Loading the steps…",
  failed: "Couldn't load the steps.",
  close: "Close steps",
  contents: "Contents",
  needs: "Before you start",
  start: "Start",
  notRecorded: "Nothing was recorded or sent.",
  notSeen: "Look at each step first.",
  back: "Back",
  done: "Done",
  next: "Next",
  doneBefore: "Done already",
  none: "No steps",
  warnings: (gravest: HazardKind, count: number) =>
    `${gravest[0]?.toUpperCase()}${gravest.slice(1)}${count === 1 ? "" : ` and ${count - 1} more`}`,
  noneHint: "This SOP has no numbered steps.",
  open: "Open the SOP",
  finish: "Finish",
  end: "Back to the SOP",
  offline: "You're offline. The steps stay here.",
  progress: "Steps done",
  restart: "Start again",
  notDone: "Not done yet",
  confirm: "I have read it",
} as const;
