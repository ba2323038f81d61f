/** Creates PDFs with Typst, from fixed templates and the document as data. Only this file uses the compiler. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { AppError } from "#core/errors.ts";
import type { PdfData } from "#core/export/pdf-data.ts";
import type { PdfStandard, PrintedFile } from "#core/export/printing.ts";
import { paths } from "../paths.ts";
import { fontSets, fontSetsFor, charactersNeedingFont } from "#core/export/fonts.ts";
import { findFonts, type FoundFonts } from "./find-fonts.ts";
import { loadFonts, type OwnFonts } from "./fonts.ts";
import { refusals } from "./refusals.ts";

type Compiler = ReturnType<typeof import("@myriaddreamin/typst-ts-node-compiler").NodeCompiler.create>;

export interface PdfOptions {
  standard: PdfStandard | null;
  /** The document's time in seconds since 1970. The same data with the same time gives the same PDF. */
  timestamp: number;
  /** Files of further fonts. */
  fonts: readonly string[];
}

export interface Typesetter {
  /**
   * Finds the fonts of this machine that a text needs in addition to the product's fonts, and the characters that no
   * font has.
   */
  fontsFor(text: string, lang: string | null): FoundFonts;
  /**
   * Creates a PDF.
   * @param files the files by their paths in the data
   * @throws AppError unprocessable when Typst can't create the document
   */
  pdf(data: PdfData, files: ReadonlyMap<string, Uint8Array>, options: PdfOptions): PrintedFile;
  /** Says whether this image can be decoded. */
  canShow(name: string, bytes: Uint8Array): boolean;
}

const workspace = path.join(paths.root, "templates", "pdf");
/**
 * The number of compilations whose cached results are kept. The next document reuses layouts that it has in common with
 * these compilations.
 */
const keptCompilations = 3;

type Loader = () => Promise<typeof import("@myriaddreamin/typst-ts-node-compiler")>;

/**
 * Opens the typesetter.
 * @param folders the folders to search first for fonts of other scripts
 * @throws AppError unavailable if the compiler has no build for this machine
 */
export async function openTypesetter(
  folders: readonly string[] = [],
  load: Loader = () => import("@myriaddreamin/typst-ts-node-compiler"),
): Promise<Typesetter> {
  const { create, own } = await openCompilers(load);
  const ours = create(own.files);
  /** The compiler for the last document that needed other fonts. The next document often needs the same fonts. */
  let wider: { key: string; compiler: Compiler } | undefined;
  const pathInWorkspace = (name: string): string => path.join(workspace, name);

  function compilerWith(fonts: readonly string[]): Compiler {
    if (fonts.length === 0) return ours;
    const key = fonts.join("\n");
    if (wider?.key !== key) {
      wider = { key, compiler: create([...own.files, ...fonts.map((file) => readFileSync(file))]) };
    }
    return wider.compiler;
  }

  function compileTypst(
    compiler: Compiler,
    main: string,
    files: Iterable<[string, Uint8Array]>,
    options: { pdfStandard?: string; creationTimestamp: number },
  ) {
    compiler.resetShadow();
    for (const [name, bytes] of files) compiler.mapShadow(pathInWorkspace(name), Buffer.from(bytes));
    const compiled = compiler.compile({ mainFilePath: pathInWorkspace(main), resetRead: true });
    if (compiled.result === null) throw new Error(compileProblems(compiler, compiled));
    const diagnostics = compiled.takeWarnings();
    const warnings = diagnostics === null ? [] : diagnosticMessages(compiler, diagnostics);
    try {
      return { bytes: compiler.pdf(compiled.result, options), warnings };
    } finally {
      compiler.evictCache(keptCompilations);
    }
  }

  function failureMessageOf(make: () => unknown): string | null {
    try {
      make();
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  return {
    fontsFor(text, lang) {
      const unsure = charactersNeedingFont(text).filter((one) => !common.test(one) && !own.has(one));
      const families = fontSetsFor(unsure, lang, text).flatMap((name) => fontSets[name].families);
      return findFonts(unsure, families, unsure.length === 0 ? [] : folders);
    },
    pdf(data, files, { standard, timestamp, fonts }) {
      const all: [string, Uint8Array][] = [["data.json", Buffer.from(JSON.stringify(data))], ...files];
      try {
        return compileTypst(compilerWith(fonts), "sop.typ", all, {
          creationTimestamp: timestamp,
          ...(standard !== null && { pdfStandard: standard }),
        });
      } catch (error) {
        throw new AppError("unprocessable", refusals.cannotSet({ reason: shortTypstMessage(error) }));
      }
    },
    canShow(name, bytes) {
      const files: [string, Uint8Array][] = [
        ["data.json", Buffer.from(JSON.stringify(name))],
        [name, bytes],
      ];
      return failureMessageOf(() => compileTypst(ours, "picture.typ", files, { creationTimestamp: 0 })) === null;
    },
  };
}

/** Matches letters and signs in Noto Sans. Most documents need no others. */
const common =
  /[!-~\u00a0-\u024f\u0370-\u0373\u0386-\u03ff\u0400-\u052f\u2010-\u2015\u2018-\u201e\u2020-\u2022\u2026\u20ac\u2122]/u;

async function openCompilers(load: Loader): Promise<{ own: OwnFonts; create(fontBlobs: Buffer[]): Compiler }> {
  try {
    const { NodeCompiler } = await load();
    return { own: loadFonts(), create: (fontBlobs) => NodeCompiler.create({ workspace, fontArgs: [{ fontBlobs }] }) };
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new AppError("unavailable", refusals.noTypesetter({ platform: process.platform, arch: process.arch }), {
      reason: why,
    });
  }
}

type Diagnostics = Parameters<Compiler["fetchDiagnostics"]>[0];

function compileProblems(compiler: Compiler, compiled: { takeDiagnostics(): Diagnostics | null }): string {
  const diagnostics = compiled.takeDiagnostics();
  return diagnostics === null ? "no reason was given" : diagnosticMessages(compiler, diagnostics).join("; ");
}

function diagnosticMessages(compiler: Compiler, diagnostics: Diagnostics): string[] {
  const all = compiler.fetchDiagnostics(diagnostics) as { message: string }[];
  return [...new Set(all.map(({ message }) => message))];
}

function shortTypstMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const [, message] = /message: "((?:[^"\\]|\\.)*)"/.exec(text) ?? [];
  return (message ?? text).slice(0, 300);
}
