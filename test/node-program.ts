/** How tests start our programs: with the Node of this project, which keeps what it compiled for the next process. */
import path from "node:path";

export const project = path.join(import.meta.dirname, "..");
export const node = path.join(project, "node_modules/.bin/node");

/** What a program gets of this process's environment. A start of the server takes half of the work with compiled code. */
export const nodeEnv = {
  PATH: process.env["PATH"] ?? "",
  NODE_COMPILE_CACHE: path.join(project, "node_modules/.cache/sopwright/compiled"),
};
