/** Says to the server that this tab has an edit screen open: again every 20 s, while somebody is at it. */
import { ApiError } from "#core/contract/client.ts";
import { presenceEveryMs, presenceIdleMs, type PresenceState } from "#core/presence/rules.ts";

/** A look at another window that is this short is nobody's concern. */
const hiddenAfterMs = 5_000;
const signsOfLife = ["keydown", "pointerdown", "pointermove", "wheel", "touchstart"] as const;

export interface Announcing {
  /** @param stayed false when the session above is another one by now: nobody is left to say it to */
  stop(stayed: boolean): void;
}

/** @param say sends a state; what it throws is dealt with here */
export function announceTab(say: (state: PresenceState) => Promise<void>): Announcing {
  let told: PresenceState = "gone";
  let aliveAt = Date.now();
  let isRefused = false;
  let waiting = 0;
  let last = Promise.resolve();
  let hiding: ReturnType<typeof setTimeout> | undefined;

  /** One after the other: what is said last is what holds. */
  const tell = (state: PresenceState): void => {
    if (isRefused) return;
    told = state;
    waiting += 1;
    const send = async () => {
      if (!isRefused) await say(state);
    };
    const failed = (error: unknown) => {
      // signed out, gone, or not to be edited any more: asking on would change nothing
      isRefused ||= error instanceof ApiError && [401, 403, 404].includes(error.status);
    };
    last = last
      .then(send)
      .catch(failed)
      .finally(() => (waiting -= 1));
  };
  const state = () => (document.visibilityState === "hidden" ? "hidden" : "here");
  const renew = (): void => {
    // a server that does not answer is not asked once more
    if (waiting > 0) return;
    if (Date.now() - aliveAt < presenceIdleMs) tell(state());
    else if (told !== "gone") tell("gone");
  };
  const onLife = (): void => {
    aliveAt = Date.now();
    if (told === "gone") tell(state());
  };
  const onVisibility = (): void => {
    clearTimeout(hiding);
    if (state() === "hidden") hiding = setTimeout(() => told === "here" && tell("hidden"), hiddenAfterMs);
    else if (told === "hidden") tell("here");
    else onLife();
  };
  const onHide = (): void => {
    // no time to wait for an answer: the page may be gone before it comes
    if (told !== "gone" && !isRefused) void say("gone").catch(() => undefined);
    told = "gone";
  };
  const onShow = (event: PageTransitionEvent): void => {
    if (event.persisted) onLife();
  };

  tell(state());
  const timer = setInterval(renew, presenceEveryMs);
  for (const sign of signsOfLife) window.addEventListener(sign, onLife, { passive: true, capture: true });
  document.addEventListener("visibilitychange", onVisibility);
  window.addEventListener("pagehide", onHide);
  window.addEventListener("pageshow", onShow);
  return {
    stop(stayed) {
      clearInterval(timer);
      clearTimeout(hiding);
      for (const sign of signsOfLife) window.removeEventListener(sign, onLife, { capture: true });
      document.removeEventListener("visibilitychange", onVisibility);
      window.removeEventListener("pagehide", onHide);
      window.removeEventListener("pageshow", onShow);
      if (stayed && told !== "gone") tell("gone");
      else isRefused = true;
    },
  };
}
