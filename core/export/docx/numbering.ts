import { AlignmentType, LevelFormat, LevelSuffix, type INumberingOptions } from "docx";

/** Word's indent for one level, in twips, with room for the number. */
export const listIndentStep = 454;
const levels = 9;

export interface NumberingWriter {
  /** Starts a new list with the number `start`. @returns the name of its definition and its level */
  list(ordered: boolean, start: number, level: number): { reference: string; level: number };
  /** Returns the definition for task items, which begin with a checkbox instead of a bullet. */
  tasks(level: number): { reference: string; level: number };
  config(): INumberingOptions;
}

/**
 * Creates the list definitions of a Word file. Each list gets its own definition, because lists of one definition
 * continue each other's numbers.
 */
export function createNumberingWriter(): NumberingWriter {
  const numbered: { start: number; level: number }[] = [];
  return {
    list(ordered, start, deep) {
      const level = Math.min(deep, levels - 1);
      if (!ordered) return { reference: "bullets", level };
      numbered.push({ start, level });
      return { reference: `steps-${numbered.length}`, level };
    },
    tasks: (deep) => ({ reference: "tasks", level: Math.min(deep, levels - 1) }),
    config() {
      const tasks = { reference: "tasks", levels: forEachListLevel((level) => taskLevel(level)) };
      const bullets = { reference: "bullets", levels: forEachListLevel((level) => bulletLevel(level)) };
      const steps = numbered.map(({ start, level: own }, index) => ({
        reference: `steps-${index + 1}`,
        levels: forEachListLevel((level) => numberLevel(level, level === own ? start : 1)),
      }));
      return { config: [bullets, tasks, ...steps] };
    },
  };
}

function forEachListLevel<T>(make: (level: number) => T): T[] {
  return Array.from({ length: levels }, (_, level) => make(level));
}

function bulletLevel(level: number) {
  const text = level % 2 === 0 ? "•" : "–";
  return { level, format: LevelFormat.BULLET, text, alignment: AlignmentType.LEFT, style: listIndentAt(level) };
}

function taskLevel(level: number) {
  const none = { format: LevelFormat.NONE, text: "", suffix: LevelSuffix.NOTHING };
  return { level, ...none, alignment: AlignmentType.LEFT, style: listIndentAt(level) };
}

/** Returns a numbered level. Each level is counted separately, as on the screen. */
function numberLevel(level: number, start: number) {
  const style = { ...listIndentAt(level), run: { bold: true, color: "152F56" } };
  return { level, format: LevelFormat.DECIMAL, text: `%${level + 1}.`, start, alignment: AlignmentType.LEFT, style };
}

function listIndentAt(level: number) {
  return { paragraph: { indent: { left: listIndentStep * (level + 1), hanging: listIndentStep } } };
}
