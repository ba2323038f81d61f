/**
 * Reads the files attached to a PDF of the server. They are found as in a PDF reader: from the table of objects at the
 * end. PDFs of other programs have other structures and are refused.
 */
import { open, readFile, stat } from "node:fs/promises";
import { inflateSync } from "node:zlib";
import { CannotProve, Difference } from "#core/repository/difference.ts";
import type { AttachedFile } from "#core/repository/prove-file.ts";

/** The size limit in bytes. The server's PDFs hold at most the images of one SOP. */
const largestPdf = 256 * 1024 * 1024;
/** The size limit of a dictionary in bytes. Catalogs and descriptions of files are short. */
const longestDictionary = 64 * 1024;
/** The size limit of all attached files together, in bytes: a text, and the commits and folders that prove it. */
const largestAttached = 16 * 1024 * 1024;

/** @throws CannotProve for a file that is larger than any PDF of a server */
export async function readPdf(path: string): Promise<Buffer> {
  if ((await stat(path)).size > largestPdf) throw new CannotProve("it is larger than any PDF of a server");
  return await readFile(path);
}

export async function isPdf(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(5), 0, 5, 0);
    return buffer.toString("latin1") === "%PDF-";
  } finally {
    await file.close();
  }
}

/** @throws CannotProve if another program saved the PDF, Difference if the PDF is damaged */
export function pdfAttachments(pdf: Buffer): AttachedFile[] {
  const text = pdf.toString("latin1");
  const [, start = "-1"] = /startxref\n(\d+)\n%%EOF\n?$/.exec(text.slice(-64)) ?? [];
  const table = /^xref\n0 (\d+)\n((?:\d{10} \d{5} [fn][ \r]\n?)*)trailer\n([^]*)$/.exec(text.slice(Number(start)));
  const trailer = table?.[3] ?? "";
  if (table === null || /\/(?:Prev|Encrypt|XRefStm)\b/.test(trailer)) {
    throw new CannotProve("it isn't a PDF as this server writes it, or another program saved it again");
  }
  const places = [...(table[2] ?? "").matchAll(/^(\d{10}) \d{5} n/gm)].map(([, place]) => Number(place));
  const dictionaryAt = (at: number) => text.slice(at, at + longestDictionary);
  const pdfObject = (number: string | undefined): { dictionary: string; at: number } => {
    const at = places[Number(number) - 1] ?? -1;
    const head = `${number} 0 obj\n`;
    if (!text.startsWith(head, at)) throw new Difference(`object ${number} of the PDF isn't where its table says`);
    const [dictionary = ""] = /^[^]*?(?=\nendobj|\nstream\n)/.exec(dictionaryAt(at + head.length)) ?? [];
    return { dictionary, at: at + head.length + dictionary.length + "\nstream\n".length };
  };
  const catalog = pdfObject(/\/Root (\d+) 0 R/.exec(trailer)?.[1]).dictionary;
  const [, names = ""] = /\/EmbeddedFiles <<\s*\/Names \[([^\]]*)\]/.exec(catalog) ?? [];
  let left = largestAttached;
  return [...names.matchAll(/\((.*?)\) (\d+) 0 R/g)].map(([, name = "", number]) => {
    const [, file] = /\/EF <<\s*\/F (\d+) 0 R/.exec(pdfObject(number).dictionary) ?? [];
    const { dictionary, at } = pdfObject(file);
    const [, length] = /\/Length (\d+)/.exec(dictionary) ?? [];
    const bytes = pdf.subarray(at, at + Number(length));
    if (!text.startsWith("\nendstream", at + bytes.length)) throw new Difference(`${name} is damaged`);
    const content = /\/Filter/.test(dictionary) ? inflateAttachment(name, bytes, left) : bytes;
    left -= content.length;
    if (left < 1) throw attachmentsTooLarge();
    return { name, content };
  });
}

const attachmentsTooLarge = () => new Difference("its attached files are larger than those of a server");

function inflateAttachment(name: string, bytes: Buffer, most: number): Buffer {
  try {
    return inflateSync(bytes, { maxOutputLength: most });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw attachmentsTooLarge();
    throw new Difference(`${name} is damaged`);
  }
}
