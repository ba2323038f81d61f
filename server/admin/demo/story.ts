/** Describes the history of each SOP of the example company as dated actions of users. */
import type { DemoAcknowledgement, DemoCompany, DemoSop } from "./company.ts";

export type StoryAction =
  | { verb: "create"; by: string; reviewBy: string | null }
  | { verb: "save"; by: string; body: string; note: string }
  | { verb: "publish"; by: string; note: string | null }
  | { verb: "archive"; by: string; note: string }
  | { verb: "submit"; by: string; approvers: string[]; note: string | null }
  | { verb: "approve" | "request_changes"; by: string; comment: string | null }
  /** `thread` numbers the threads of an SOP. A reply names the number of its thread. */
  | { verb: "comment"; by: string; thread: number; body: string; quote: string | null }
  | { verb: "reply"; by: string; thread: number; body: string }
  | { verb: "resolve"; by: string; thread: number }
  | { verb: "ask_readers"; by: string; ask: DemoAcknowledgement }
  | { verb: "confirm"; by: string }
  | { verb: "read"; by: string }
  | { verb: "star"; by: string };

interface DatedStoryAction<Time> {
  at: Time;
  sop: DemoSop;
  deed: StoryAction;
}

export type StoryEvent = DatedStoryAction<string>;

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** Milliseconds from writing to publication, which are on the same day. */
const untilPublication = 200 * minuteMs;

/** Returns all events up to `now` (milliseconds), oldest first. */
export function storyEvents(company: DemoCompany, now: number): StoryEvent[] {
  return company.sops
    .flatMap((sop, index) => {
      const deeds = historyEventsOf(sop, index, now);
      return [
        ...deeds,
        ...commentAndConfirmationEventsOf(sop, index, now),
        ...readingEventsOf(company, sop, deeds, now),
      ];
    })
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, ...rest }) => ({ at: new Date(at).toISOString(), ...rest }));
}

/** Returns the ISO time when the company was created, before its first SOP. */
export function companyCreatedAt(company: DemoCompany, now: number): string {
  const oldest = Math.max(...company.sops.map(({ daysAgo }) => daysAgo));
  return new Date(startOfWorkday(now, oldest + 7)).toISOString();
}

function historyEventsOf(sop: DemoSop, index: number, now: number): DatedStoryAction<number>[] {
  const momentBefore = (daysAgo: number) => demoMorningTime(index, now, daysAgo);
  const events: DatedStoryAction<number>[] = [];
  const addEvent = (at: number, deed: StoryAction) => events.push({ at: Math.min(at, now), sop, deed });
  const addPublication = (at: number, note: string | null) => {
    if (sop.publishedBy !== undefined) addEvent(at + untilPublication, { verb: "publish", by: sop.publishedBy, note });
  };

  const { reviewInDays } = sop;
  const reviewBy = reviewInDays === undefined ? null : new Date(now + reviewInDays * dayMs).toISOString().slice(0, 10);
  addEvent(momentBefore(sop.daysAgo), { verb: "create", by: sop.author, reviewBy });
  const last = sop.edits.at(-1);
  if (last || !sop.approvers) addPublication(momentBefore(sop.daysAgo), null);
  let { body } = sop;
  for (const edit of sop.edits) {
    const [from, to] = edit.replace;
    body = body.replace(from, () => to);
    addEvent(momentBefore(edit.daysAgo), { verb: "save", by: edit.author, body, note: edit.note });
    if (!edit.afterPublication && !(sop.approvers && edit === last))
      addPublication(momentBefore(edit.daysAgo), edit.note);
  }
  if (sop.approvers) {
    const [by, at] = [last?.author ?? sop.author, momentBefore(last?.daysAgo ?? sop.daysAgo) + untilPublication];
    addEvent(at, { verb: "submit", by, approvers: sop.approvers, note: sop.requestNote ?? null });
  }
  for (const { by, daysAgo, verb, comment = null } of sop.decisions ?? [])
    addEvent(momentBefore(daysAgo), { verb, by, comment });
  if (sop.status === "archived" && sop.publishedBy !== undefined) {
    addEvent(momentBefore(Math.floor((last?.daysAgo ?? sop.daysAgo) / 2)), {
      verb: "archive",
      by: sop.publishedBy,
      note: "No longer needed.",
    });
  }
  return events;
}

/** Returns the comments and read confirmations of an SOP, in the afternoon. */
function commentAndConfirmationEventsOf(sop: DemoSop, index: number, now: number): DatedStoryAction<number>[] {
  const events: DatedStoryAction<number>[] = [];
  const addComment = (daysAgo: number, deed: StoryAction) => {
    const at = demoMorningTime(index, now, daysAgo) + untilPublication + (events.length + 1) * minuteMs;
    events.push({ at: Math.min(at, now), sop, deed });
  };
  for (const [thread, { by, daysAgo, body, quote = null, replies = [], resolved }] of (sop.comments ?? []).entries()) {
    addComment(daysAgo, { verb: "comment", by, thread, body, quote });
    for (const reply of replies) addComment(reply.daysAgo, { verb: "reply", by: reply.by, thread, body: reply.body });
    if (resolved) addComment(resolved.daysAgo, { verb: "resolve", by: resolved.by, thread });
  }
  const { acknowledgement: ask } = sop;
  if (ask) addComment(ask.daysAgo, { verb: "ask_readers", by: ask.by, ask });
  for (const { by, daysAgo } of ask?.confirmed ?? []) addComment(daysAgo, { verb: "confirm", by });
  return events;
}

/**
 * Returns a time in the morning in milliseconds. The time is later for each SOP, so that few events have the same time.
 */
function demoMorningTime(index: number, now: number, daysAgo: number): number {
  return startOfWorkday(now, daysAgo) + ((index * 7) % 240) * minuteMs;
}

/**
 * Returns the visits of readers, and the actions that mark the SOP as a favorite. The team opens each publication a day
 * later, and users with the SOP as a favorite open it every two weeks.
 */
function readingEventsOf(
  company: DemoCompany,
  sop: DemoSop,
  deeds: readonly DatedStoryAction<number>[],
  now: number,
): DatedStoryAction<number>[] {
  const published = deeds.filter(({ deed }) => deed.verb === "publish").map(({ at }) => at);
  const [first] = published;
  if (first === undefined) return [];
  const end = deeds.find(({ deed }) => deed.verb === "archive")?.at ?? now;
  const team = company.teams.find(({ slug }) => slug === sop.frontMatter.team)?.members ?? [];
  const visits = Math.floor((end - first) / (14 * dayMs));
  const fortnightly = Array.from({ length: visits }, (_, visit) => first + (visit + 1) * 14 * dayMs);
  const readingEvents = (by: string, times: readonly number[]) =>
    times.filter((at) => at < end).map((at) => ({ at, sop, deed: { verb: "read" as const, by } }));
  return [
    ...team.flatMap((by) =>
      readingEvents(
        by,
        published.map((at) => at + dayMs),
      ),
    ),
    ...sop.favoriteOf.flatMap((by) => readingEvents(by, fortnightly)),
    ...sop.favoriteOf.map((by) => ({ at: first + minuteMs, sop, deed: { verb: "star" as const, by } })),
  ];
}

/** Returns eight in the morning (UTC) of a day, in milliseconds. */
function startOfWorkday(now: number, daysAgo: number): number {
  return Math.floor((now - daysAgo * dayMs) / dayMs) * dayMs + 8 * 60 * minuteMs;
}
