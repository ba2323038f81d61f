import { fold } from "#core/text/fold.ts";
import { browserSend, createAppClient } from "../api.ts";
import type { FindMentions, Mention } from "./mention-menu.ts";

const sopsAtMost = 6;
const peopleAtMost = 4;

/** Searches SOPs and people that the user can see. Without a query it returns the SOPs changed last. */
export const findMentions: FindMentions = async (query, signal) => {
  const client = createAppClient((request) => browserSend({ ...request, signal }));
  const [sops, people] = await Promise.all([
    query === ""
      ? client.sops.list({ query: { limit: sopsAtMost } }).then(({ data }) => data)
      : client.search.find({ query: { q: query, limit: sopsAtMost } }).then(({ data }) => data.map(({ sop }) => sop)),
    // Users who can't read the list of people still find SOPs.
    client.users.list({}).catch(() => []),
  ]);
  const words = fold(query);
  const named = people.filter(({ name }) => ` ${fold(name)}`.includes(` ${words}`));
  return [
    ...sops.map(({ number, title }): Mention => ({ kind: "sop", number, title })),
    ...named.slice(0, peopleAtMost).map(({ name }): Mention => ({ kind: "person", name })),
  ];
};
