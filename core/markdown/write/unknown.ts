/**
 * Called for a node that Markdown can't represent, before its words are written. Tests make this function throw.
 */
export const unknownNode = {
  found(_type: string): void {},
};
