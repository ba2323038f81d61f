/** Live refresh: one tab holds the server's event stream and tells the others; only what changed is fetched again. */
import type { Resource } from "#core/contract/route.ts";

/** One event of `GET /api/events`: ids only, never content. */
export interface Change {
  id: string;
  resources: readonly Resource[];
  /** Absent or null if not every listener may know. */
  sopId?: string | null;
}

/** What travels between tabs. */
type TabMessage = ({ kind: "change" } & Omit<Change, "id">) | { kind: "reset" } | { kind: "live"; live: boolean };

export interface EventListeners {
  /** @param editedNow SOPs where editing began or ended, with no other change */
  onChange(resources: ReadonlySet<Resource>, editedNow: ReadonlySet<string>): void;
  /** Something was missed: everything may be stale. */
  onReset(): void;
  /** The stream was lost, or is back. */
  onLive(live: boolean): void;
  /** The server ended or refused the stream: perhaps the session ended. */
  onEnded(): void;
}

/** The part of `EventSource` that is used; tests bring their own. */
export interface Stream {
  addEventListener(type: "open" | "error" | "reset", listener: () => void): void;
  addEventListener(type: "message", listener: (event: MessageEvent<string>) => void): void;
  close(): void;
  readonly readyState: number;
}

export interface EventPorts {
  /** @param since the event after which to begin; from now on unless given */
  open(since: string | null): Stream;
  /** Absent where the page isn't a secure context: then every tab holds a stream. */
  locks: Pick<LockManager, "request"> | undefined;
}

const closed = 2;
/** One write makes a few events: they come together. */
const togetherMs = 15;
const batchMs = 100;
const retryMs = [1_000, 2_000, 5_000, 15_000, 30_000] as const;
const channelName = "sopwright-events";

const browserPorts: EventPorts = {
  open: (since) => new EventSource(`/api/events${since === null ? "" : `?since=${since}`}`, { withCredentials: true }),
  locks: navigator.locks as LockManager | undefined,
};

/**
 * Follows the company's events until the returned function is called.
 * @param since where the events were before anything was read: what happens until the stream is open is not missed
 */
export function followEvents(listeners: EventListeners, since: string, ports: EventPorts = browserPorts): () => void {
  const ending = new AbortController();
  const channel = new BroadcastChannel(channelName);
  const receive = batched(listeners);
  channel.addEventListener("message", (message: MessageEvent<TabMessage>) => receive(message.data));
  const broadcast = (news: TabMessage) => {
    receive(news);
    channel.postMessage(news);
  };
  const holdUntilEnd = (missedSome: boolean) =>
    holdStream(ports.open, broadcast, listeners.onEnded, missedSome ? null : since, ending.signal);

  if (ports.locks) void takeTurns(ports.locks, holdUntilEnd, ending.signal);
  else void holdUntilEnd(false);

  return () => {
    ending.abort();
    receive.stop();
    channel.close();
  };
}

/** The first tab holds the stream; when it goes, the next takes over and may have missed something in between. */
async function takeTurns(
  locks: Pick<LockManager, "request">,
  holdUntilEnd: (missedSome: boolean) => Promise<void>,
  signal: AbortSignal,
) {
  const isHeldElsewhere = await locks.request(channelName, { ifAvailable: true }, async (lock) => {
    if (!lock) return true;
    if (!signal.aborted) await holdUntilEnd(false);
    return false;
  });
  if (!isHeldElsewhere || signal.aborted) return;
  try {
    await locks.request(channelName, { signal }, () => holdUntilEnd(true));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Keeps one stream open until `signal`; the browser reconnects by itself unless the server refused. */
function holdStream(
  open: EventPorts["open"],
  broadcast: (news: TabMessage) => void,
  onEnded: () => void,
  since: string | null,
  signal: AbortSignal,
): Promise<void> {
  let stream: Stream;
  let refusals = 0;
  let isOpen = false;
  let timer: ReturnType<typeof setTimeout>;
  let hasGap = since === null;

  const connect = () => {
    // a stream after the first one closes its gap by a reset
    stream = open(hasGap ? null : since);
    stream.addEventListener("open", () => {
      refusals = 0;
      isOpen = true;
      broadcast({ kind: "live", live: true });
      if (hasGap) broadcast({ kind: "reset" });
      hasGap = false;
    });
    stream.addEventListener("message", (event) => {
      const { resources, sopId = null } = JSON.parse(event.data) as Change;
      broadcast({ kind: "change", resources, sopId });
    });
    stream.addEventListener("reset", () => broadcast({ kind: "reset" }));
    stream.addEventListener("error", () => {
      broadcast({ kind: "live", live: false });
      const isRefused = stream.readyState === closed;
      // the browser resumes after the last id it saw, else where it began; with a new stream the gap is ours to close
      hasGap ||= isRefused;
      if (isRefused || isOpen) onEnded();
      isOpen = false;
      if (!isRefused) return;
      timer = setTimeout(connect, retryMs[Math.min(refusals++, retryMs.length - 1)]);
    });
  };

  connect();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stream.close();
      resolve();
    };
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}

/** What comes after a pause is refreshed at once, a burst every 100 ms; a reset swallows what was waiting. */
function batched(listeners: EventListeners) {
  let waiting = new Set<Resource>();
  let editedNow = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let flushedAt = -batchMs;
  const flush = () => {
    timer = undefined;
    flushedAt = performance.now();
    const resources = waiting;
    const edited = editedNow;
    waiting = new Set();
    editedNow = new Set();
    if (resources.size + edited.size > 0) listeners.onChange(resources, edited);
  };
  const receive = (news: TabMessage) => {
    if (news.kind === "live") {
      listeners.onLive(news.live);
    } else if (news.kind === "reset") {
      waiting.clear();
      editedNow.clear();
      listeners.onReset();
    } else {
      // writing begins and ends all day: only the pages of that SOP ask who is there
      if (news.sopId && news.resources.every((resource) => resource === "presence")) editedNow.add(news.sopId);
      else for (const resource of news.resources) waiting.add(resource);
      timer ??= setTimeout(flush, Math.max(togetherMs, flushedAt + batchMs - performance.now()));
    }
  };
  receive.stop = () => clearTimeout(timer);
  return receive;
}
