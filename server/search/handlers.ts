import type { z } from "zod";
import { AppError } from "#core/errors.ts";
import { chunksOf, type Chunk } from "#core/search/chunks.ts";
import { bestChunk, excerpt, foundIn, highlight, termFinder, type TermFinder } from "#core/search/highlight.ts";
import type { QueryTerm } from "#core/search/query.ts";
import { deepestHit, type SearchHit } from "#core/search/schema.ts";
import type { SopRow } from "#core/sops/schema.ts";
import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { presentRows, versionSeen } from "../sops/present.ts";
import { find, type Findings, type Hit } from "./find.ts";
import { glossaryOf } from "./glossary.ts";
import { shownWords } from "./shown-words.ts";

export function searchHandlers(services: Services): Handlers<"search"> {
  return {
    async find({ identity: { actor }, query }) {
      const from = readCursor(query.cursor);
      const wanted = query.total === "true" ? deepestHit : Math.min(deepestHit, from + query.limit + 1);
      const synonyms = await glossaryOf(services, actor.companyId);
      const found = await find(services, actor, query, { wanted, synonyms });
      if (from === 0) services.missed.asked(actor, query, found.hits.length);
      const shown = found.hits.slice(from, from + query.limit);
      const texts = await textsOf(services, actor.companyId, shown);
      const rows = await presentRows(services, actor, shown);
      const finder = termFinder({ terms: found.terms });
      const data = shown.map((_, index) =>
        presentHit(rows[index] as z.input<typeof SopRow>, texts[index] ?? [], found, finder),
      );
      const next = from + query.limit;
      const showingFor = from === 0 ? shownFor(found, data[0], texts[0]) : shownFor(found, undefined, undefined);
      return {
        data,
        ...(found.hits.length > next ? { nextCursor: writeCursor(next) } : {}),
        ...(query.total === "true" ? { total: found.hits.length } : {}),
        ...(showingFor === null ? {} : { showingFor }),
        ...(services.search.isBehind(actor.companyId) ? { behind: true as const } : {}),
      };
    },
  };
}

function presentHit(
  sop: z.input<typeof SopRow>,
  chunks: readonly Chunk[],
  { terms }: Findings,
  finder: TermFinder,
): z.input<typeof SearchHit> {
  const title = highlight(sop.title, finder);
  const description = highlight(sop.description, finder);
  const best = bestChunk(chunks, finder, terms.length);
  const isShown = (term: QueryTerm) => [title, description, best].some((one) => one?.terms.has(term) === true);
  const unseen = terms.filter((term) => !isShown(term) && !isNumberOf(sop.number, term));
  // the whole text is read only for what its shown parts don't have
  const elsewhere = unseen.length === 0 ? [] : [sop.tags, chunks.map(({ text }) => text)];
  const others = elsewhere.map((texts) => foundIn(texts.join("\n"), finder));
  const isBest = best !== null && best.terms.size >= description.terms.size;
  const snippet = excerpt(isBest ? best : description);
  return {
    sop,
    title: { text: title.text, ranges: title.ranges },
    snippet,
    step: best && {
      anchor: best.chunk.anchor,
      heading: best.chunk.heading,
      number: best.chunk.step,
      text: best.text,
    },
    missing: unseen.filter((term) => !others.some((found) => found.has(term))).map(({ raw }) => raw),
  };
}

/** What the number of an SOP answers is in none of its texts. */
function isNumberOf(number: string, { raw }: QueryTerm): boolean {
  return raw === number.toLowerCase().replace(/-0*/, "");
}

/** The question as it was answered, with the words as they stand in the first answer. */
function shownFor(
  { query, corrections, hits }: Findings,
  first: z.input<typeof SearchHit> | undefined,
  chunks: readonly Chunk[] | undefined,
): string | null {
  if (corrections.size === 0 || hits.length === 0) return null;
  const texts = [first?.title.text ?? "", first?.sop.description ?? "", ...(chunks ?? []).map(({ text }) => text)];
  return shownWords(query, corrections, texts);
}

/** The texts the hits were found in, in pieces. */
async function textsOf({ db }: Services, companyId: string, hits: readonly Hit[]): Promise<Chunk[][]> {
  if (hits.length === 0) return [];
  const asked = hits.map(({ sop, view }) => ({ sopId: sop._id, version: versionSeen(sop, view) }));
  const found = await db
    .forCompany(companyId)
    .collection("sop_versions")
    .find({ $or: asked }, { projection: { sopId: 1, markdown: 1 } });
  const texts = new Map(found.map(({ sopId, markdown }) => [sopId, markdown]));
  return asked.map(({ sopId }) => chunksOf(texts.get(sopId) ?? ""));
}

function writeCursor(from: number): string {
  return Buffer.from(`hit ${from}`).toString("base64url");
}

/** @throws AppError invalid_input for a cursor that nobody gave */
function readCursor(text: string | undefined): number {
  if (text === undefined) return 0;
  const from = Number(/^hit (\d{1,4})$/.exec(Buffer.from(text, "base64url").toString())?.[1] ?? Number.NaN);
  if (Number.isNaN(from)) {
    throw new AppError("invalid_input", "The cursor is not valid: start again without it", { cursor: "not valid" });
  }
  return from;
}
