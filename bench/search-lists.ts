/** The list's search on the library and the example company: the right SOP first, and the same as in the top bar. */
import { startServer } from "../test/server.ts";
import { collections } from "../test/search/quality.ts";
import { ownQueries } from "../test/search/queries.ts";
import { shortQueries } from "../test/search/short-queries.ts";
import type { Figure } from "./figure.ts";

const dropdownHits = 8;

export async function* listQuality(): AsyncGenerator<Figure> {
  const [library] = collections();
  if (!library) return;
  const server = await startServer("sqlite");
  try {
    const { client } = await (await server.company()).user("manager");
    const names = new Map<string, string>();
    for (const { sopId, title, description, markdown, tags } of library.texts) {
      const body = {
        title,
        description: description || title,
        markdown,
        tags: [...tags],
        status: "published" as const,
      };
      names.set((await client.sops.create({ body })).id, sopId);
    }
    const questions = [...ownQueries, ...shortQueries];
    let [first, agreed] = [0, 0];
    for (const [question, ...answers] of questions) {
      const list = await client.sops.list({ query: { search: question } });
      const found = await client.search.find({ query: { q: question, limit: dropdownHits } });
      const top = list.data[0];
      if (top && answers.includes(names.get(top.id) ?? "")) first += 1;
      else process.stderr.write(`not first: ${question} (${names.get(top?.id ?? "") ?? "nothing"})\n`);
      const rows = list.data.slice(0, dropdownHits).map(({ match, ...sop }) => ({ sop, ...match }));
      const isSame =
        JSON.stringify(rows.map(({ sop, step }) => [sop.id, step?.text])) ===
        JSON.stringify(found.data.map(({ sop, step }) => [sop.id, step?.text]));
      if (isSame && list.showingFor === found.showingFor && list.didYouMean === found.didYouMean) agreed += 1;
    }
    const about = `search, ${questions.length} questions through the list`;
    yield { name: `${about}: right SOP first (goal ≥ 0.95)`, value: first / questions.length, unit: "share" };
    yield { name: `${about}: as in the top bar (goal 1)`, value: agreed / questions.length, unit: "share" };
  } finally {
    await server.stop();
  }
}
