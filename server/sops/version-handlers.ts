import { AppError } from "#core/errors.ts";
import { diffFacts } from "#core/diff/facts.ts";
import type { SopDocument } from "../database/documents.ts";
import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { loadVisible } from "./change.ts";
import { presentPeriods } from "./past.ts";
import { versionSeen, type View } from "./present.ts";
import { presentVersion, presentVersions } from "./versions.ts";

type VersionRows = "versions" | "version" | "diff" | "inForce";

/** Everything that is read about versions; each row first asks what the actor sees of the SOP. */
export function versionHandlers(services: Services): Pick<Handlers<"sops">, VersionRows> {
  async function textOf(sop: SopDocument, view: View, version: number) {
    if (view === "effective" && version !== versionSeen(sop, view)) throw new AppError("not_found");
    const versions = services.db.forCompany(sop.companyId).collection("sop_versions");
    const found = await versions.findOne({ sopId: sop._id, version });
    if (!found) throw new AppError("not_found");
    return found;
  }

  return {
    async versions({ identity, params }) {
      const { sop, view } = await loadVisible(services, identity.actor, params.id);
      return presentVersions(services, sop, view);
    },

    async version({ identity, params }) {
      const { sop, view } = await loadVisible(services, identity.actor, params.id);
      return presentVersion(services, sop, view, params.version);
    },

    async diff({ identity, params, query }) {
      const { sop, view } = await loadVisible(services, identity.actor, params.id);
      const to = query.to ?? versionSeen(sop, view);
      const from = query.from ?? baseOf(sop, view, to);
      const [before, after] = [await textOf(sop, view, from), await textOf(sop, view, to)];
      const facts = diffFacts(before.frontMatter, after.frontMatter);
      return { from, to, facts, ...(await services.render.diff(before.markdown, after.markdown)) };
    },

    async inForce({ identity, params }) {
      const { sop, view } = await loadVisible(services, identity.actor, params.id);
      return presentPeriods(services, sop, view);
    },
  };
}

/** What a version is compared with when nothing else is asked for. */
function baseOf(sop: SopDocument, view: View, version: number): number {
  if (view === "effective") return versionSeen(sop, view);
  const { publishedVersion } = sop;
  return publishedVersion !== null && publishedVersion < version ? publishedVersion : Math.max(1, version - 1);
}
