/** Refuses pushed files that were files of SOPs and lost their number and id: each would become a second SOP. */
import { firstItemsText } from "#core/language/formats.ts";
import type { MessageWithId } from "#core/language/catalog.ts";
import type { Actor } from "#core/permissions/actor.ts";
import type { SopDocument, SopSourceDocument } from "../../database/documents.ts";
import type { Services } from "../../http/services.ts";
import { findVisibleSops } from "../links/titles.ts";
import type { PushFacts } from "./identity-keys.ts";
import { findNearTexts, type DocumentWithoutIdentity } from "./near-texts.ts";
import type { ReadDocument } from "./read.ts";
import { refusals } from "./refusals.ts";

interface FileWithoutIdentity {
  was: SopDocument;
  reason: MessageWithId;
}

/**
 * Finds the pushed documents that were files of SOPs and have no id now, with the reason to refuse them. If a file has
 * the path of one SOP and the text of another SOP, the reason names both.
 *
 * @returns the SOP that each file belonged to, and the reason, by the document
 */
export async function findFilesWithoutIdentity(
  services: Pick<Services, "db">,
  actor: Actor,
  documents: readonly ReadDocument[],
  sources: readonly SopSourceDocument[],
  push: PushFacts | undefined,
): Promise<ReadonlyMap<ReadDocument, FileWithoutIdentity>> {
  const lost = documents.filter((document): document is DocumentWithoutIdentity => {
    const hasId = document.content?.frontMatter.id !== undefined && document.by !== "number";
    return document.content !== null && !hasId && push?.idsBefore.has(document.path) === true;
  });
  const seen = await findVisibleSops(
    services,
    actor,
    lost.flatMap(({ path }) => push?.idsBefore.get(path)?.id ?? []),
  );
  const files = lost.flatMap((document) => {
    const before = push?.idsBefore.get(document.path);
    const was = seen.get(before?.id ?? "")?.sop;
    return before === undefined || was === undefined || was.deletedAt !== null ? [] : [{ document, before, was }];
  });
  const remembered = new Map(files.map(({ document, was }) => [document, was]));
  const loaded = [...new Set(remembered.values())];
  const company = services.db.forCompany(actor.companyId);
  // an empty `importId` excludes no version, so SOPs that this push changes count too
  const known = { remembered, loaded, sources, importId: "" };
  const near = await findNearTexts(company, actor, [...remembered.keys()], known);
  return new Map(
    files.map(({ document, before: { id, path }, was }) => {
      const others = (near.get(document)?.sops ?? []).map(({ label }) => label);
      const isAtPath = path === document.path;
      const numbers = firstItemsText(others);
      const number = was.label;
      const reason =
        others.length > 0
          ? (isAtPath ? refusals.lostNearToOther : refusals.resemblesOther)({ path, number, numbers })
          : (isAtPath ? refusals.lostId : refusals.resembles)({ path, number, id });
      return [document, { was, reason }];
    }),
  );
}
