import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Resource } from "#core/api/routes.ts";
import { followEvents, type EventPorts, type EventStream } from "./events.ts";
import { FakeStream } from "./testing/render-app.tsx";

/** `navigator.locks` of one browser: one holder; the others wait in order. */
class FakeLocks {
  private held = false;
  private waiting: (() => void)[] = [];

  async request(_name: string, options: { ifAvailable?: boolean; signal?: AbortSignal }, hold?: unknown) {
    const use = hold as (lock: object | null) => Promise<unknown>;
    if (this.held) {
      if (options.ifAvailable) return use(null);
      await new Promise<void>((resolve, reject) => {
        this.waiting.push(resolve);
        options.signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
      });
    }
    this.held = true;
    try {
      return await use({});
    } finally {
      this.held = false;
      this.waiting.shift()?.();
    }
  }
}

interface Heard {
  changes: Resource[][];
  editedNow: string[][];
  resets: number;
  live: boolean[];
  ended: number;
}

const ends: (() => void)[] = [];
/** The event after which each stream began. */
const begins: (string | null)[] = [];

/** One tab. */
function open(locks?: FakeLocks): Heard & { close(): void } {
  const heard: Heard = { changes: [], editedNow: [], resets: 0, live: [], ended: 0 };
  const stop = followEvents(
    {
      onChange: (resources, editedNow) => {
        heard.changes.push([...resources].toSorted());
        heard.editedNow.push([...editedNow].toSorted());
      },
      onReset: () => (heard.resets += 1),
      onLive: (live) => heard.live.push(live),
      onEnded: () => (heard.ended += 1),
    },
    "v1.start",
    {
      open: (since) => {
        begins.push(since);
        return new FakeStream() as unknown as EventStream;
      },
      locks: locks as EventPorts["locks"],
    },
  );
  ends.push(stop);
  return Object.assign(heard, { close: stop });
}

const latest = () => FakeStream.opened.at(-1) as FakeStream;
/** Lets promises and messages between tabs arrive, which no fake timer moves. */
const settle = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

beforeEach(() => {
  FakeStream.opened = [];
  begins.length = 0;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});

afterEach(() => {
  for (const end of ends.splice(0)) end();
  vi.useRealTimers();
});

describe("one tab", () => {
  it("makes one refresh of a burst of changes", () => {
    const tab = open();
    latest().connect();
    latest().emit({ id: "1", resources: ["sops", "stats"] });
    latest().emit({ id: "2", resources: ["sops", "categories"] });
    expect(tab.changes).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(tab.changes).toEqual([["categories", "sops", "stats"]]);
    vi.advanceTimersByTime(1000);
    expect(tab.changes).toHaveLength(1);
  });

  it("says of which SOPs nothing changed but who edits them; where that is not to be known, it is all", () => {
    const tab = open();
    latest().connect();
    latest().emit({ id: "1", resources: ["presence"], sopId: "a" });
    latest().emit({ id: "2", resources: ["presence"], sopId: "b" });
    latest().emit({ id: "3", resources: ["presence", "sops"], sopId: "c" });
    vi.advanceTimersByTime(100);
    latest().emit({ id: "4", resources: ["presence"], sopId: null });
    vi.advanceTimersByTime(100);
    expect(tab.changes).toEqual([["presence", "sops"], ["presence"]]);
    expect(tab.editedNow).toEqual([["a", "b"], []]);
  });

  it("is quick after a pause, and slow in a storm", () => {
    const tab = open();
    latest().connect();
    for (let ms = 0; ms < 1000; ms += 5) {
      latest().emit({ id: String(ms), resources: ["sops"] });
      vi.advanceTimersByTime(5);
      if (ms === 15) expect(tab.changes).toHaveLength(1);
    }
    expect(tab.changes).toHaveLength(10);
    vi.advanceTimersByTime(500);
    const before = tab.changes.length;
    latest().emit({ id: "2000", resources: ["sops"] });
    vi.advanceTimersByTime(15);
    expect(tab.changes).toHaveLength(before + 1);
  });

  it("forgets what was waiting when everything is refreshed", () => {
    const tab = open();
    latest().emit({ id: "1", resources: ["sops"] });
    latest().reset();
    vi.advanceTimersByTime(1000);
    expect([tab.resets, tab.changes]).toEqual([1, []]);
  });

  it("leaves the gap of a lost connection to the browser when it has seen an id", () => {
    const tab = open();
    latest().connect();
    latest().emit({ id: "1", resources: ["sops"] });
    latest().lose(false);
    latest().connect();
    expect([tab.resets, tab.live]).toEqual([0, [true, false, true]]);
    expect(FakeStream.opened).toHaveLength(1);
  });

  it("begins where the page began to read, and leaves a loss before the first event to the browser too", () => {
    const tab = open();
    latest().connect();
    latest().lose(false);
    latest().connect();
    expect([tab.resets, begins]).toEqual([0, ["v1.start"]]);
  });

  it("opens another stream when the server refused one, waiting longer each time", () => {
    const tab = open();
    for (const wait of [1_000, 2_000, 5_000]) {
      const before = FakeStream.opened.length;
      latest().lose(true);
      vi.advanceTimersByTime(wait - 1);
      expect(FakeStream.opened).toHaveLength(before);
      vi.advanceTimersByTime(1);
      expect(FakeStream.opened).toHaveLength(before + 1);
    }
    latest().connect();
    expect([tab.ended, tab.resets, tab.live.at(-1)]).toEqual([3, 1, true]);
    expect(begins).toEqual(["v1.start", null, null, null]);
  });

  it("says and opens nothing more once it is closed", () => {
    const tab = open();
    latest().emit({ id: "1", resources: ["sops"] });
    latest().lose(true);
    tab.close();
    vi.advanceTimersByTime(60_000);
    expect([tab.changes, FakeStream.opened.length, latest().readyState]).toEqual([[], 1, 2]);
  });
});

describe("several tabs", () => {
  it("share one stream", async () => {
    const locks = new FakeLocks();
    const [first, second] = [open(locks), open(locks)];
    await settle();
    expect(FakeStream.opened).toHaveLength(1);
    latest().connect();
    latest().emit({ id: "1", resources: ["sops"] });
    await settle();
    vi.advanceTimersByTime(100);
    expect([first.changes, second.changes]).toEqual([[["sops"]], [["sops"]]]);
    expect([first.resets, second.resets]).toEqual([0, 0]);
  });

  it("hand it over: the next one refreshes everything, since it may have missed something", async () => {
    const locks = new FakeLocks();
    const [first, second] = [open(locks), open(locks)];
    await settle();
    first.close();
    await settle();
    expect(FakeStream.opened.map((stream) => stream.readyState)).toEqual([2, 0]);
    latest().connect();
    expect(second.resets).toBe(1);
    latest().emit({ id: "9", resources: ["stats"] });
    vi.advanceTimersByTime(100);
    expect([first.changes, second.changes]).toEqual([[], [["stats"]]]);
  });

  it("don't take over what they left", async () => {
    const locks = new FakeLocks();
    const [first, second] = [open(locks), open(locks)];
    await settle();
    second.close();
    first.close();
    await settle();
    expect(FakeStream.opened).toHaveLength(1);
  });
});
