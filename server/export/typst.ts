/** PDFs by Typst: fixed templates, the document as data. The only file that knows the compiler. */
import path from "node:path";
import { AppError } from "#core/errors.ts";
import type { PdfData } from "#core/export/pdf-data.ts";
import type { PdfStandard, Printed } from "#core/export/printing.ts";
import { paths } from "../paths.ts";
import { loadFonts } from "./fonts.ts";

type Compiler = ReturnType<typeof import("@myriaddreamin/typst-ts-node-compiler").NodeCompiler.create>;

export interface PdfOptions {
  standard: PdfStandard | null;
  /** Seconds since 1970: the time of the document, so that it is made the same again. */
  timestamp: number;
}

export interface Typesetter {
  /** @param files by the path that the data has for them. @throws AppError unprocessable when it can't be set */
  pdf(data: PdfData, files: ReadonlyMap<string, Uint8Array>, options: PdfOptions): Printed;
  /** The characters of `text` that no face has. */
  missing(text: string): string[];
  /** Can this image be decoded? */
  canShow(name: string, bytes: Uint8Array): boolean;
}

const workspace = path.join(paths.root, "templates", "pdf");
/** Results of earlier documents that are kept: what they share is not laid out again. */
const oldest = 3;

type Loader = () => Promise<typeof import("@myriaddreamin/typst-ts-node-compiler")>;

/** @throws AppError unavailable where the compiler has no build for this machine */
export async function openTypesetter(
  load: Loader = () => import("@myriaddreamin/typst-ts-node-compiler"),
): Promise<Typesetter> {
  const compiler = await openCompiler(load);
  const inWorkspace = (name: string): string => path.join(workspace, name);

  function set(
    main: string,
    files: Iterable<[string, Uint8Array]>,
    options: { pdfStandard?: string; creationTimestamp: number },
  ) {
    compiler.resetShadow();
    for (const [name, bytes] of files) compiler.mapShadow(inWorkspace(name), Buffer.from(bytes));
    const compiled = compiler.compile({ mainFilePath: inWorkspace(main), resetRead: true });
    if (compiled.result === null) throw new Error(problemsOf(compiler, compiled));
    const diagnostics = compiled.takeWarnings();
    const warnings = diagnostics === null ? [] : messagesOf(compiler, diagnostics);
    try {
      return { bytes: compiler.pdf(compiled.result, options), warnings };
    } finally {
      compiler.evictCache(oldest);
    }
  }

  function attempt(make: () => unknown): string | null {
    try {
      make();
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  return {
    pdf(data, files, { standard, timestamp }) {
      const all: [string, Uint8Array][] = [["data.json", Buffer.from(JSON.stringify(data))], ...files];
      try {
        return set("sop.typ", all, {
          creationTimestamp: timestamp,
          ...(standard !== null && { pdfStandard: standard }),
        });
      } catch (error) {
        throw new AppError("unprocessable", `The document can't be set as a PDF: ${shortened(error)}`);
      }
    },
    missing(text) {
      const unsure = [...new Set(text)].filter((character) => !covered.test(character));
      if (unsure.length === 0) return [];
      // an archivable PDF has to show every character, so the compiler names those that it can't show
      const files: [string, Uint8Array][] = [["data.json", Buffer.from(JSON.stringify(unsure))]];
      const output = attempt(() => set("coverage.typ", files, { pdfStandard: "a-2b", creationTimestamp: 0 })) ?? "";
      const named = [...output.matchAll(/the text `\\?"(.+?)\\?"` could not be displayed/g)].map(
        ([, one]) => one ?? "",
      );
      const lacking = new Set(named.flatMap((one) => [...unescaped(one)]));
      return unsure.filter((character) => lacking.has(character));
    },
    canShow(name, bytes) {
      const files: [string, Uint8Array][] = [
        ["data.json", Buffer.from(JSON.stringify(name))],
        [name, bytes],
      ];
      return attempt(() => set("picture.typ", files, { creationTimestamp: 0 })) === null;
    },
  };
}

/** Letters and signs that Noto Sans is known to have: most documents hold no others. */
const covered =
  /[\s!-~\u00a0-\u024f\u0370-\u0373\u0386-\u03ff\u0400-\u052f\u2010-\u2015\u2018-\u201e\u2020-\u2022\u2026\u20ac\u2122]/u;

async function openCompiler(load: Loader): Promise<Compiler> {
  try {
    const { NodeCompiler } = await load();
    return NodeCompiler.create({ workspace, fontArgs: [{ fontBlobs: loadFonts() }] });
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new AppError(
      "unavailable",
      `PDFs can't be created on this machine (${process.platform} ${process.arch}): the typesetter is missing. Export as HTML (--format html) and print that`,
      { reason: why },
    );
  }
}

type Diagnostics = Parameters<Compiler["fetchDiagnostics"]>[0];

function problemsOf(compiler: Compiler, compiled: { takeDiagnostics(): Diagnostics | null }): string {
  const diagnostics = compiled.takeDiagnostics();
  return diagnostics === null ? "no reason was given" : messagesOf(compiler, diagnostics).join("; ");
}

function messagesOf(compiler: Compiler, diagnostics: Diagnostics): string[] {
  const all = compiler.fetchDiagnostics(diagnostics) as { message: string }[];
  return [...new Set(all.map(({ message }) => message))];
}

function shortened(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const [, message] = /message: "((?:[^"\\]|\\.)*)"/.exec(text) ?? [];
  return (message ?? text).slice(0, 300);
}

/** `\u{200d}` as Rust writes characters that have no shape. */
function unescaped(text: string): string {
  return text.replace(/\\+u\{([0-9a-f]{1,6})\}/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}
