/** Finds fonts on this machine for characters that the product's fonts lack. Searches the folders in order. */
import { readdirSync, statSync } from "node:fs";
import { platform } from "node:os";
import path from "node:path";
import { homeFolder } from "../home.ts";
import { readFontFaces, type Face } from "./font-file.ts";

export interface FoundFonts {
  /** The families that have the characters, best first. */
  families: string[];
  files: string[];
  /** The characters that no font has. */
  lacking: string[];
}

type FontFace = Face & { file: string };

/**
 * The faces in each font file. A file is read again only if it changes, because a system can have thousands of fonts.
 */
const known = new Map<string, { changed: number; faces: FontFace[] }>();

/**
 * Finds fonts for the characters.
 * @param preferred names of families, best first. Other families are used after them
 */
export function findFonts(
  characters: readonly string[],
  preferred: readonly string[],
  folders: readonly string[],
): FoundFonts {
  const found: FoundFonts = { families: [], files: [], lacking: [...characters] };
  for (const folder of folders) {
    if (found.lacking.length === 0) break;
    addFontsForCharacters(listFontFiles(folder).flatMap(readCachedFontFaces), preferred, found);
  }
  return found;
}

function addFontsForCharacters(faces: readonly FontFace[], preferred: readonly string[], found: FoundFonts): void {
  const upright = faces.filter(({ italic, family }) => !italic && family !== "");
  const families = Map.groupBy(upright, ({ family }) => family);
  const rankOfFont = (name: string) => (preferred.includes(name) ? preferred.indexOf(name) : preferred.length);
  const counted = [...families].map(([name, all]) => ({
    name,
    all,
    count: charactersInFont(all, found.lacking).length,
  }));
  const useful = counted.filter(({ count }) => count > 0);
  // equally preferred families are sorted by the number of their characters
  useful.sort((one, other) => rankOfFont(one.name) - rankOfFont(other.name) || other.count - one.count);
  for (const { name, all } of useful) {
    const covered = new Set(charactersInFont(all, found.lacking));
    if (covered.size === 0) continue;
    found.families.push(name);
    for (const { file } of [faceNearestWeight(all, 400), faceNearestWeight(all, 700)]) {
      if (!found.files.includes(file)) found.files.push(file);
    }
    found.lacking = found.lacking.filter((one) => !covered.has(one));
  }
}

function charactersInFont(faces: readonly FontFace[], characters: readonly string[]): string[] {
  const face = faceNearestWeight(faces, 400);
  return characters.filter((one) => canShowCharacter(face, one));
}

/** Says whether the face can show a character. The typesetter can also compose it: é from e and an accent. */
export function canShowCharacter(face: Pick<Face, "has">, character: string): boolean {
  const hasCharacter = (one: string) => face.has(one.codePointAt(0) ?? 0);
  if (hasCharacter(character)) return true;
  const parts = [...character.normalize("NFD")];
  return parts.length > 1 && parts.every(hasCharacter);
}

function faceNearestWeight(faces: readonly FontFace[], weight: number): FontFace {
  return faces.reduce((best, one) => (Math.abs(one.weight - weight) < Math.abs(best.weight - weight) ? one : best));
}

function readCachedFontFaces(file: string): FontFace[] {
  try {
    const { mtimeMs: changed } = statSync(file);
    const before = known.get(file);
    if (before?.changed === changed) return before.faces;
    const faces = readFontFaces(file).map((face) => ({ ...face, file }));
    known.set(file, { changed, faces });
    return faces;
  } catch {
    // a file that can't be read counts as having no faces
    return [];
  }
}

function listFontFiles(folder: string): string[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const fonts = names.filter((name) => /\.(ttf|otf|ttc|otc)$/i.test(name)).sort();
    return fonts.map((name) => path.join(folder, name));
  } catch {
    return [];
  }
}

/** Returns the system's folders for fonts, with the user's folder first. */
export function systemFontFolders(): string[] {
  const home = homeFolder();
  if (platform() === "darwin") return [`${home}/Library/Fonts`, "/Library/Fonts", "/System/Library/Fonts"];
  if (platform() === "win32") {
    return [path.join(home, "AppData/Local/Microsoft/Windows/Fonts"), String.raw`C:\Windows\Fonts`];
  }
  return [`${home}/.local/share/fonts`, `${home}/.fonts`, "/usr/local/share/fonts", "/usr/share/fonts"];
}
