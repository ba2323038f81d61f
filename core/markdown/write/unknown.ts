/**
 * Called for a node that Markdown has no form for. Its words are written in any case. Tests make this function throw.
 */
export const unknownNode = {
  found(_type: string): void {},
};
