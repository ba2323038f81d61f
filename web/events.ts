/**
 * Live updates. One tab has the server's event stream and passes events to the other tabs. Only changed data is read
 * again.
 */
import type { Resource } from "#core/api/routes.ts";

/** One event of `GET /api/events`: ids only, never content. */
export interface ServerChange {
  id: string;
  resources: readonly Resource[];
  /** Absent or null if some listeners may not know the SOP. */
  sopId?: string | null;
}

/** Messages between the tabs of a browser. */
type TabMessage = ({ kind: "change" } & Omit<ServerChange, "id">) | { kind: "reset" } | { kind: "live"; live: boolean };

export interface EventListeners {
  /** Called when data changed. @param editedNow SOPs where only an edit session began or ended */
  onChange(resources: ReadonlySet<Resource>, editedNow: ReadonlySet<string>): void;
  /** Called when events were missed, so all data may be stale. */
  onReset(): void;
  /** Called with false when the stream is lost and with true when it is open again. */
  onLive(live: boolean): void;
  /** Called when the server ended or refused the stream, for example because the session ended. */
  onEnded(): void;
}

/** The part of `EventSource` that is used, so that tests can replace it. */
export interface EventStream {
  addEventListener(type: "open" | "error" | "reset", listener: () => void): void;
  addEventListener(type: "message", listener: (event: MessageEvent<string>) => void): void;
  close(): void;
  readonly readyState: number;
}

/** The functions of the browser that tests replace. */
export interface EventPorts {
  /** Opens the server's event stream. @param since the id of the last known event; null to begin now */
  open(since: string | null): EventStream;
  /** Undefined if the page isn't a secure context. Then every tab opens its own stream. */
  locks: Pick<LockManager, "request"> | undefined;
}

/** The `readyState` of a stream that the browser doesn't reconnect. */
const closedState = 2;
/** Milliseconds to wait for further events, because one write sends several at once. */
const gatherMs = 15;
/** The minimum time in milliseconds between two reports of changes. */
const batchMs = 100;
/** Milliseconds to wait before each further attempt to open a refused stream. */
const retryMs = [1_000, 2_000, 5_000, 15_000, 30_000] as const;
const channelName = "sopwright-events";

const browserPorts: EventPorts = {
  open: (since) => new EventSource(`/api/events${since === null ? "" : `?since=${since}`}`, { withCredentials: true }),
  locks: navigator.locks as LockManager | undefined,
};

/**
 * Follows the company's events until the returned function is called.
 * @param since the last event before any data was read, so that nothing is missed until the stream is open
 */
export function followEvents(listeners: EventListeners, since: string, ports: EventPorts = browserPorts): () => void {
  const ending = new AbortController();
  const channel = new BroadcastChannel(channelName);
  const receive = createEventBatcher(listeners);
  channel.addEventListener("message", (message: MessageEvent<TabMessage>) => receive(message.data));
  const broadcastNews = (news: TabMessage) => {
    receive(news);
    channel.postMessage(news);
  };
  const holdStreamUntilEnd = (missedSome: boolean) =>
    keepStreamOpen(ports.open, broadcastNews, listeners.onEnded, missedSome ? null : since, ending.signal);

  if (ports.locks) void shareStreamBetweenTabs(ports.locks, holdStreamUntilEnd, ending.signal);
  else void holdStreamUntilEnd(false);

  return () => {
    ending.abort();
    receive.stop();
    channel.close();
  };
}

/** Lets only one tab open the stream. When that tab closes, another tab takes over, which may have missed events. */
async function shareStreamBetweenTabs(
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

/** Keeps one stream open until `signal` aborts. The browser reconnects by itself unless the server refused. */
function keepStreamOpen(
  open: EventPorts["open"],
  broadcast: (news: TabMessage) => void,
  onEnded: () => void,
  since: string | null,
  signal: AbortSignal,
): Promise<void> {
  let stream: EventStream;
  let refusals = 0;
  let isOpen = false;
  let timer: ReturnType<typeof setTimeout>;
  let hasGap = since === null;

  const connectStream = () => {
    // After missed events, the stream begins with new events, and all data is read again.
    stream = open(hasGap ? null : since);
    stream.addEventListener("open", () => {
      refusals = 0;
      isOpen = true;
      broadcast({ kind: "live", live: true });
      if (hasGap) broadcast({ kind: "reset" });
      hasGap = false;
    });
    stream.addEventListener("message", (event) => {
      const { resources, sopId = null } = JSON.parse(event.data) as ServerChange;
      broadcast({ kind: "change", resources, sopId });
    });
    stream.addEventListener("reset", () => broadcast({ kind: "reset" }));
    stream.addEventListener("error", () => {
      broadcast({ kind: "live", live: false });
      const isRefused = stream.readyState === closedState;
      // A stream that the browser reconnects resumes after the last event. A stream that is opened again doesn't, so
      // events are missing.
      hasGap ||= isRefused;
      if (isRefused || isOpen) onEnded();
      isOpen = false;
      if (!isRefused) return;
      timer = setTimeout(connectStream, retryMs[Math.min(refusals++, retryMs.length - 1)]);
    });
  };

  connectStream();
  return new Promise((resolve) => {
    const endStream = () => {
      clearTimeout(timer);
      stream.close();
      resolve();
    };
    if (signal.aborted) endStream();
    else signal.addEventListener("abort", endStream, { once: true });
  });
}

/**
 * Creates a receiver that gathers changes and reports them together: 15 ms after the first one, and at most every 100
 * ms. Other news is passed on at once. A reset drops changes that still wait.
 */
function createEventBatcher(listeners: EventListeners) {
  let waiting = new Set<Resource>();
  let editedNow = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let flushedAt = -batchMs;
  const flushBatch = () => {
    timer = undefined;
    flushedAt = performance.now();
    const resources = waiting;
    const edited = editedNow;
    waiting = new Set();
    editedNow = new Set();
    if (resources.size + edited.size > 0) listeners.onChange(resources, edited);
  };
  const receiveNews = (news: TabMessage) => {
    if (news.kind === "live") {
      listeners.onLive(news.live);
    } else if (news.kind === "reset") {
      waiting.clear();
      editedNow.clear();
      listeners.onReset();
    } else {
      // Edit sessions begin and end often, so pages of other SOPs don't read again who is editing.
      if (news.sopId && news.resources.every((resource) => resource === "presence")) editedNow.add(news.sopId);
      else for (const resource of news.resources) waiting.add(resource);
      timer ??= setTimeout(flushBatch, Math.max(gatherMs, flushedAt + batchMs - performance.now()));
    }
  };
  receiveNews.stop = () => clearTimeout(timer);
  return receiveNews;
}
