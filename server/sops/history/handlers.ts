import type { Actor } from "#core/permissions/actor.ts";
import { mayReadVersion, canReadEveryVersion } from "#core/permissions/can.ts";
import { AppError } from "#core/errors.ts";
import { changedFrontMatterFields } from "#core/diff/facts.ts";
import type { SopDocument } from "../../database/documents.ts";
import type { Handlers } from "../../http/call.ts";
import type { Services } from "../../http/services.ts";
import { blocksWithVisibleTitles } from "../links/titles.ts";
import { loadVisibleSop } from "../view/load.ts";
import { presentPublishedPeriods } from "./published-on.ts";
import { versionNumberInView } from "../view/present.ts";
import { loadVersionText } from "../view/version-text.ts";
import { presentVersion, presentVersions } from "./versions.ts";

type VersionRows = "versions" | "version" | "diff" | "publishedPeriods";

/** Handles the routes that read versions. Each handler first checks which versions of the SOP the actor can see. */
export function versionHandlers(services: Services): Pick<Handlers<"sops">, VersionRows> {
  async function textOf(actor: Actor, sop: SopDocument, version: number) {
    if (!mayReadVersion(actor, sop, version)) throw new AppError("not_found");
    return loadVersionText(services, sop, version);
  }

  return {
    async versions({ identity, params }) {
      const { sop, view } = await loadVisibleSop(services, identity.actor, params.id);
      return presentVersions(services, identity.actor, sop, view);
    },

    async version({ identity, params }) {
      const { sop, view } = await loadVisibleSop(services, identity.actor, params.id);
      return presentVersion(services, identity.actor, sop, view, params.version);
    },

    async diff({ identity, params, query }) {
      const { actor } = identity;
      const { sop, view } = await loadVisibleSop(services, actor, params.id);
      const to = query.to ?? versionNumberInView(sop, view);
      const from = query.from ?? defaultCompareBase(actor, sop, to);
      const [before, after] = [await textOf(actor, sop, from), await textOf(actor, sop, to)];
      const facts = changedFrontMatterFields(before.frontMatter, after.frontMatter);
      const { blocks, markdown } = await services.render.diff(before.markdown, after.markdown);
      const links = [...(before.sopLinks ?? []), ...(after.sopLinks ?? [])];
      return { from, to, facts, blocks: await blocksWithVisibleTitles(services, actor, blocks, links), markdown };
    },

    async publishedPeriods({ identity, params }) {
      const { sop } = await loadVisibleSop(services, identity.actor, params.id);
      return presentPublishedPeriods(services, identity.actor, sop);
    },
  };
}

/**
 * Returns the version with which this one is compared by default: an earlier published version, or else the version
 * before, if the actor can read it.
 */
function defaultCompareBase(actor: Actor, sop: SopDocument, version: number): number {
  if (sop.published !== null && sop.published.version < version) return sop.published.version;
  return canReadEveryVersion(actor, sop) ? Math.max(1, version - 1) : version;
}
