/**
 * Prepares documents for sending: local images become stored ones, and links between documents become links to SOPs.
 */
import { sha256Of } from "../hashing.ts";
import { AppError } from "#core/errors.ts";
import { createConverter, type PreparedDocument } from "#core/import/converter.ts";
import { assertHeaderReadable } from "#core/import/markdown/markdown-file.ts";
import type { SourceDocument } from "#core/import/layouts.ts";
import { diskSourceFile, createDiskTree } from "../import/disk-source.ts";
import type { LocalDocument } from "./documents.ts";

export interface OutgoingDocument {
  document: LocalDocument;
  prepared: PreparedDocument;
}

export interface UnsendableDocument {
  document: LocalDocument;
  reason: string;
}

/** @param all every document of the workspace, as a possible target of a link */
export async function prepareOutgoing(
  root: string,
  all: readonly LocalDocument[],
  chosen: readonly LocalDocument[],
): Promise<(OutgoingDocument | UnsendableDocument)[]> {
  const sources = new Map(all.map((one): [string, SourceDocument] => [one.path, asSourceDocument(one)]));
  const converter = createConverter({
    documents: [...sources.values()],
    tree: createDiskTree(root, [root]),
    sha256: sha256Of,
  });
  const prepared: (OutgoingDocument | UnsendableDocument)[] = [];
  for (const document of chosen) {
    const source = sources.get(document.path) ?? asSourceDocument(document);
    try {
      await converter.examine(source);
      const made = await converter.convert(source);
      assertHeaderReadable(made.text);
      prepared.push({ document, prepared: made });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      prepared.push({ document, reason: error.message });
    }
  }
  return prepared;
}

function asSourceDocument({ file, path, text }: LocalDocument): SourceDocument {
  return {
    file: { ...diskSourceFile({ file, path }), read: () => Promise.resolve(Buffer.from(text)) },
    path,
    kind: "markdown",
  };
}
