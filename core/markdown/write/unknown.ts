/** What happens where a tree holds a node that Markdown has no form for. Its words are written in any case. Tests make it throw. */
export const unknownNode = {
  found(_type: string): void {},
};
