import { fold } from "#core/text/fold.ts";
import { browserSend, createAppClient } from "../api.ts";
import type { FindMentions, Mention } from "./mention-menu.ts";

const sopsAtMost = 6;
const peopleAtMost = 4;

/** Asks the search and the list of people, as the user may see them. Without words: the SOPs that changed last. */
export const findMentions: FindMentions = async (query, signal) => {
  const client = createAppClient((request) => browserSend({ ...request, signal }));
  const [sops, people] = await Promise.all([
    query === ""
      ? client.sops.list({ query: { limit: sopsAtMost } }).then(({ data }) => data)
      : client.search.find({ query: { q: query, limit: sopsAtMost } }).then(({ data }) => data.map(({ sop }) => sop)),
    // who may not see the list still finds SOPs
    client.users.list({}).catch(() => []),
  ]);
  const words = fold(query);
  const named = people.filter(({ name }) => ` ${fold(name)}`.includes(` ${words}`));
  return [
    ...sops.map(({ number, title }): Mention => ({ kind: "sop", number, title })),
    ...named.slice(0, peopleAtMost).map(({ name }): Mention => ({ kind: "person", name })),
  ];
};
