/** Presents the version that was published on a day, and the periods of all versions. */
import type { z } from "zod";
import type { Actor } from "#core/permissions/actor.ts";
import { mayReadVersion, canReadEveryVersion } from "#core/permissions/can.ts";
import type { PublishedPeriod } from "#core/diff/schema.ts";
import { AppError } from "#core/errors.ts";
import type { Sop } from "#core/sops/schema.ts";
import type {
  PublishedPeriodDocument,
  SopDocument,
  PublishedVersion,
  SopVersionDocument,
} from "../../database/documents.ts";
import type { Services } from "../../http/services.ts";
import { findPublishedPeriodAt } from "./periods.ts";
import { versionSummaryOf } from "#core/life-cycle/save.ts";
import { presentSop } from "../view/present.ts";
import { loadVersionText } from "../view/version-text.ts";
import type { View } from "../list/visible.ts";

type PublishedOnServices = Pick<Services, "db" | "companies" | "render" | "clock">;

/**
 * Presents the SOP as published at a moment. Readers only get the version published now, and only if it was published
 * at that moment. Users who can read every version also get earlier ones, and for a future moment the scheduled
 * version.
 * @throws AppError not_found when no version was published then
 */
export async function presentSopPublishedAt(
  services: PublishedOnServices,
  actor: Actor,
  sop: SopDocument,
  view: View,
  at: string,
): Promise<z.input<typeof Sop>> {
  const moment = endOfDayOrMoment(at);
  const planned = view === "latest" && canReadEveryVersion(actor, sop) ? sop.scheduled : null;
  const period: Pick<PublishedPeriodDocument, "version" | "from" | "effective"> | null =
    planned && moment > services.clock.now() && moment >= planned.effectiveAt
      ? { version: planned.version, from: planned.effectiveAt }
      : await findPublishedPeriodAt(services, sop, moment);
  if (!period || !mayReadVersion(actor, sop, period.version)) throw new AppError("not_found");
  const stored = await loadVersionText(services, sop, period.version);
  return presentSop(services, actor, sopInPeriod(sop, stored, period), "published", stored);
}

/** Returns the moment of a day or time: a day means its end in UTC. */
function endOfDayOrMoment(at: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(at) ? `${at}T23:59:59.999Z` : new Date(at).toISOString();
}

/**
 * Returns the SOP as it was when this version was published. Published and scheduled versions already have their own
 * facts.
 */
function sopInPeriod(
  sop: SopDocument,
  stored: SopVersionDocument,
  { from, effective }: Pick<PublishedPeriodDocument, "from" | "effective">,
): SopDocument {
  const shown = [sop.published, sop.scheduled].find((one) => one?.version === stored.version) ?? factsOf(sop, stored);
  return {
    ...sop,
    status: "published",
    published: { ...shown, effectiveAt: from, ...(effective !== undefined && { effective }) },
  };
}

/**
 * Returns the facts of the stored version. The owner and team are the present ones, because versions don't store their
 * ids.
 */
function factsOf(sop: SopDocument, stored: SopVersionDocument): Omit<PublishedVersion, "effectiveAt"> {
  const { version, contentHash, createdAt: updatedAt, frontMatter } = stored;
  const categoryId = sop.published?.categoryId ?? sop.categoryId;
  return { ...versionSummaryOf(frontMatter, sop), version, contentHash, updatedAt, assets: [], categoryId };
}

/** Lists the periods, newest first. Readers only get the period of the published version. */
export async function presentPublishedPeriods(
  { db }: Pick<Services, "db">,
  actor: Actor,
  sop: SopDocument,
): Promise<z.input<typeof PublishedPeriod>[]> {
  const only = canReadEveryVersion(actor, sop) ? {} : { until: null };
  const periods = await db
    .forCompany(sop.companyId)
    .collection("published_periods")
    .find({ sopId: sop._id, ...only }, { sort: { from: -1 } });
  return periods.map(({ _id: id, sopId, version, title, contentHash, from, until }) => {
    return { id, sopId, version, title, contentHash, from, until };
  });
}
