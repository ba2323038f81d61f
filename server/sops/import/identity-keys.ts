/**
 * Checks `sop`, `id` and `version` in imported files. Refuses keys that contradict each other, and names keys without
 * effect.
 */
import { spells } from "#core/numbers/numbers.ts";
import type { Actor } from "#core/permissions/actor.ts";
import type { ImportNote, ImportOutcome } from "#core/sops/import-schema.ts";
import type { SopDocument } from "../../database/documents.ts";
import type { Services } from "../../http/services.ts";
import type { SopText } from "../edit/version-of.ts";
import { seenSops } from "../links/titles.ts";
import type { ReadDocument } from "./read.ts";

/** The facts that a push knows beside its files. */
export interface PushedFrom {
  /** The ids that changed files had, by path. Files that were moved, with their ids, are left out. */
  idsBefore: ReadonlyMap<string, string>;
}

/**
 * The reason why a file can't be its SOP: its number belongs to another one.
 *
 * @param versions the versions that the file can be based on: a draft can have had another number then
 */
export function otherNumber(
  { content, by }: ReadDocument,
  sop: SopDocument,
  versions: readonly (SopText | null)[],
): string | null {
  const written = content?.frontMatter.sop;
  if (written === undefined || by !== undefined) return null;
  const labels = [sop.label, ...versions.flatMap((version) => version?.frontMatter.sop ?? [])];
  return labels.some((label) => spells(written, label))
    ? null
    : `sop: "${written}" and the id of ${sop.label} contradict each other. Put back sop: "${sop.label}"`;
}

/** The reason why a pushed file can't become another SOP: it was the file of an SOP and lost its keys. */
export async function lostKeys(
  services: Pick<Services, "db">,
  actor: Actor,
  { path, content, by }: ReadDocument,
  sop: SopDocument | null,
  push: PushedFrom | undefined,
): Promise<string | null> {
  const before = push?.idsBefore.get(path);
  if (before === undefined || !content || (content.frontMatter.id !== undefined && by !== "number")) return null;
  if (sop?._id === before) return null;
  const was = (await seenSops(services, actor, [before])).get(before)?.sop;
  if (was === undefined || was.deletedAt !== null) return null;
  return `It was the file of ${was.label} and lost its id. Put back sop: "${was.label}" and id: "${before}", or give a new SOP another path`;
}

/**
 * Notes on `id` and `version` without effect. Files of other servers have such keys, so for new SOPs only a push gets
 * the notes.
 */
export function ignoredKeys(
  { content, by }: ReadDocument,
  { outcome, sop }: { outcome: ImportOutcome; sop: SopDocument | null },
  isPush: boolean,
): ImportNote[] {
  const { id, version } = content?.frontMatter ?? {};
  const note = (message: string) => ({ code: "ignored-key", message });
  if (sop && by === undefined && id === sop._id && version !== undefined && version > sop.version)
    return [note(`version: ${version} is ignored, because ${sop.label} is at version ${sop.version}`)];
  if (outcome !== "create" || !isPush) return [];
  return [
    ...(id === undefined
      ? []
      : [note(`id: ${id} is ignored, because you see no SOP with it. The new SOP gets its own`)]),
    ...(version === undefined ? [] : [note(`version: ${version} is ignored, because a new SOP begins at version 1`)]),
  ];
}
