/** Reports to the server every 20 s that this tab has an edit screen open and in use. */
import { ApiError } from "#core/api/client.ts";
import { presenceIntervalMs, presenceIdleMs, type PresenceState } from "#core/presence/rules.ts";

/** Milliseconds in the background after which the tab counts as hidden. */
const hiddenAfterMs = 5_000;
const activityEvents = ["keydown", "pointerdown", "pointermove", "wheel", "touchstart"] as const;

export interface Announcement {
  /** @param stayed whether the same user is still signed in; otherwise no last report is sent */
  stop(stayed: boolean): void;
}

/** @param send sends a state to the server; its errors are handled here */
export function startAnnouncingTab(send: (state: PresenceState) => Promise<void>): Announcement {
  let sentState: PresenceState = "gone";
  let activeAt = Date.now();
  let isRefused = false;
  let waiting = 0;
  let last = Promise.resolve();
  let hideTimer: ReturnType<typeof setTimeout> | undefined;

  /** Sends states one after another, so that the last one is valid in the end. */
  const sendInOrder = (state: PresenceState): void => {
    if (isRefused) return;
    sentState = state;
    waiting += 1;
    const sendNow = async () => {
      if (!isRefused) await send(state);
    };
    const handleFailure = (error: unknown) => {
      // The user signed out, or the SOP was deleted or can't be edited anymore, so further reports are useless.
      isRefused ||= error instanceof ApiError && [401, 403, 404].includes(error.status);
    };
    last = last
      .then(sendNow)
      .catch(handleFailure)
      .finally(() => (waiting -= 1));
  };
  const tabState = () => (document.visibilityState === "hidden" ? "hidden" : "here");
  const sendAgain = (): void => {
    // A report is still waiting for the server, so no other one is sent.
    if (waiting > 0) return;
    if (Date.now() - activeAt < presenceIdleMs) sendInOrder(tabState());
    else if (sentState !== "gone") sendInOrder("gone");
  };
  const onActivity = (): void => {
    activeAt = Date.now();
    if (sentState === "gone") sendInOrder(tabState());
  };
  const onVisibility = (): void => {
    clearTimeout(hideTimer);
    if (tabState() === "hidden")
      hideTimer = setTimeout(() => sentState === "here" && sendInOrder("hidden"), hiddenAfterMs);
    else if (sentState === "hidden") sendInOrder("here");
    else onActivity();
  };
  const onHide = (): void => {
    // The page may be gone before an answer arrives, so this doesn't wait for earlier reports.
    if (sentState !== "gone" && !isRefused) void send("gone").catch(() => undefined);
    sentState = "gone";
  };
  const onShow = (event: PageTransitionEvent): void => {
    if (event.persisted) onActivity();
  };

  sendInOrder(tabState());
  const timer = setInterval(sendAgain, presenceIntervalMs);
  for (const sign of activityEvents) window.addEventListener(sign, onActivity, { passive: true, capture: true });
  document.addEventListener("visibilitychange", onVisibility);
  window.addEventListener("pagehide", onHide);
  window.addEventListener("pageshow", onShow);
  return {
    stop(stayed) {
      clearInterval(timer);
      clearTimeout(hideTimer);
      for (const sign of activityEvents) window.removeEventListener(sign, onActivity, { capture: true });
      document.removeEventListener("visibilitychange", onVisibility);
      window.removeEventListener("pagehide", onHide);
      window.removeEventListener("pageshow", onShow);
      if (stayed && sentState !== "gone") sendInOrder("gone");
      else isRefused = true;
    },
  };
}
