/** Files of other tools → the server's converter → the plan → drafts: the pipeline that `sop import` goes through. */
import { ApiError } from "#core/contract/client.ts";
import { linkTo, sopAddress } from "#core/import/link-to.ts";
import type { ConvertedFile, ImportRequest, ImportResult } from "#core/sops/import-schema.ts";
import { browserSend, messageOf, type AppClient } from "../api.ts";
import { texts } from "./texts.ts";

export type Row = Pick<ImportResult, "path" | "outcome" | "number" | "title" | "reason" | "id"> & {
  /** What was mapped, kept or lost. */
  notes: string[];
};
type Document = ConvertedFile["documents"][number];

export interface Plan {
  importId: string;
  documents: Document[];
  ids: Map<string, string>;
  rows: Row[];
  /** Files whose pictures are stored when the plan is carried out. */
  withImages: File[];
}

export type OnConflict = NonNullable<ImportRequest["onConflict"]>;
export type Tell = (text: string) => void;

/** Few enough for the server's limit on a request, however long they are. */
const atOnce = 20;

export async function planImport(client: AppClient, files: readonly File[], tell: Tell): Promise<Plan> {
  const plan: Plan = { importId: "", documents: [], ids: new Map(), rows: [], withImages: [] };
  const taken = new Set<string>();
  for (const file of files) {
    tell(texts.reading(file.name));
    try {
      const { importId, documents, leftOut } = await convert(file, false);
      plan.importId ||= importId;
      if (documents.some(({ images }) => images > 0)) plan.withImages.push(file);
      plan.rows.push(
        ...leftOut.map(({ reason, hint, ...row }) => ({
          ...row,
          notes: [],
          reason: hint ? `${reason}; ${hint}` : reason,
        })),
      );
      for (const document of documents) {
        if (taken.has(document.path))
          plan.rows.push({ path: document.path, outcome: "refused", reason: texts.twice, notes: [] });
        else plan.documents.push(document);
        taken.add(document.path);
      }
    } catch (error) {
      plan.rows.push({ path: file.name, outcome: "refused", reason: messageOf(error, texts.unreachable), notes: [] });
    }
  }
  // links need the ids of what they lead to, which the first plan says
  const first = await send(client, plan, { dryRun: true }, tell);
  const hasLinks = plan.documents.some(({ links }) => links.length > 0);
  plan.rows.push(...(hasLinks ? await send(client, plan, { dryRun: true }, tell) : first));
  return plan;
}

/** @returns what became of every document of the plan */
export async function applyImport(client: AppClient, plan: Plan, onConflict: OnConflict, tell: Tell): Promise<Row[]> {
  for (const file of plan.withImages) {
    tell(texts.storing(file.name));
    await convert(file, true);
  }
  const done = await send(client, plan, { dryRun: false, onConflict }, tell);
  const paths = new Set(done.map(({ path }) => path));
  return [...plan.rows.filter(({ path }) => !paths.has(path)), ...done];
}

async function send(
  client: AppClient,
  plan: Plan,
  options: Pick<ImportRequest, "dryRun"> & { onConflict?: OnConflict },
  tell: Tell,
): Promise<Row[]> {
  const rows: Row[] = [];
  const addressOf = (path: string) => {
    const id = plan.ids.get(path);
    return id === undefined ? undefined : sopAddress(id);
  };
  for (let at = 0; at < plan.documents.length; at += atOnce) {
    const documents = plan.documents.slice(at, at + atOnce);
    tell((options.dryRun ? texts.planning : texts.importing)(at + documents.length, plan.documents.length));
    const { results } = await client.sops.import({
      body: {
        importId: plan.importId,
        ...options,
        documents: documents.map(({ path, sha256, text, links }) => ({
          path,
          sha256,
          text: linkTo(text, links, addressOf),
        })),
      },
    });
    for (const [index, { notes, ...result }] of results.entries()) {
      if (result.id !== undefined && result.outcome !== "refused") plan.ids.set(result.path, result.id);
      rows.push({ ...result, notes: [...(documents[index]?.notes ?? []), ...notes].map(({ message }) => message) });
    }
  }
  return rows;
}

/** The bytes go as they are, beside the typed client, which sends JSON. */
async function convert(file: File, store: boolean): Promise<ConvertedFile> {
  const answer = await browserSend({
    method: "POST",
    url: `/api/sops/import/convert?name=${encodeURIComponent(file.name)}&store=${store}`,
    headers: { accept: "application/json", "content-type": "application/octet-stream" },
    body: file as unknown as Uint8Array,
  });
  const text = await answer.text();
  if (answer.status > 299) throw new ApiError(answer.status, text, answer.statusText);
  return JSON.parse(text) as ConvertedFile;
}
