/** Makes a node that the Markdown writer doesn't know a fault in tests. In the product its words stay, with a note. */
import { unknownNode } from "../core/markdown/write/unknown.ts";

unknownNode.found = (type) => {
  throw new Error(`The Markdown writer doesn't know nodes of the type "${type}"`);
};
