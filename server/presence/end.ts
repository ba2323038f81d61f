/**
 * Removes tabs that expired and tabs of ended sessions. Otherwise a lost connection would leave an editor listed for
 * good.
 */
import { isPeriodRunning } from "#core/clock.ts";
import { presenceLifetimeMs } from "#core/presence/rules.ts";
import { forEachDue, type DeadlineJob } from "../jobs/deadlines.ts";
import { findValidSessionIds } from "./present.ts";
import { removeTab } from "./tabs.ts";

const atOnce = 1_000;

export const removeEndedTabs: DeadlineJob = {
  name: "presence",
  async run(services, now) {
    const open = await services.db
      .collection("presences")
      .find({ expiresAt: { $gt: "" } }, { sort: { expiresAt: 1 }, limit: atOnce });
    const valid = await findValidSessionIds(services, open, now);
    const isPresent = (expiresAt: string) =>
      isPeriodRunning(Date.parse(expiresAt), 2 * presenceLifetimeMs.hidden, Date.parse(now));
    const over = open.filter(({ expiresAt, sessionId }) => !isPresent(expiresAt) || !valid.has(sessionId));
    await forEachDue(services, this.name, over, ({ expiresAt, ...tab }) => removeTab(services, tab, { expiresAt }));
  },
};
