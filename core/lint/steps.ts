import type { List, ListItem, Nodes, Paragraph } from "mdast";
import { stepOpeningOf } from "./english/opening.ts";
import type { Outline, OutlineSection } from "./outline.ts";
import type { SectionKind } from "../markdown/section-names.ts";
import { readProse, type Prose } from "./prose.ts";

export interface ProcedureStep {
  item: ListItem;
  list: List;
  /** The step's position in the list, from 1. */
  number: number;
  /** The depth of the step: 1 for a step, 2 for a step inside a step. */
  depth: number;
  section: OutlineSection | undefined;
  prose: Prose;
  /** The role of the step, if a label names it: `**Operator:** Open the valve.` */
  actor: string | undefined;
  /** The instruction without the label. */
  said: string;
  /** The offset of `said` in `prose.text`. */
  saidAt: number;
}

/** Kinds of sections whose numbered lists describe facts, not actions. */
const kindsWithoutSteps: readonly (SectionKind | undefined)[] = [
  "purpose",
  "scope",
  "responsibilities",
  "definitions",
  "equipment",
  "prerequisites",
  "records",
  "references",
];

/** Matches `**Role:** Do it` and `Role: Do it`: a short label with a colon, then a sentence. */
const label = /^([\p{L}][\p{L}\p{N} /&'’()-]{0,39}):\s+(?=\S)/u;

/**
 * Finds the steps of a file: items of numbered lists and checklists in the procedure. In a file without a procedure
 * section, the steps are the items of lists in which at least half of the items begin with a verb.
 */
export function findProcedureSteps({ opening, sections }: Outline, source: string): ProcedureStep[] {
  const named = sections.some(({ within }) => within === "procedure");
  const steps: ProcedureStep[] = [];
  const canHoldSteps = (section: OutlineSection): boolean =>
    named ? section.within === "procedure" : !kindsWithoutSteps.includes(section.within);
  if (!named) for (const node of opening) collectSteps(node, 1, undefined, source, steps);
  for (const section of sections) {
    if (canHoldSteps(section)) for (const node of section.body) collectSteps(node, 1, section, source, steps);
  }
  return withoutEnumerations(steps, named);
}

/**
 * Removes lists that only enumerate: legal texts, agendas and criteria are numbered but give no instructions. A list
 * counts as steps if at least half of its items, or of its section's, begin with a verb. In a text that mostly
 * instructs, items that name an actor are enough.
 */
function withoutEnumerations(steps: readonly ProcedureStep[], inProcedure: boolean): ProcedureStep[] {
  const verbs = new ShareCounter();
  const acts = new ShareCounter();
  for (const { section, list, said } of steps) {
    const isVerb = stepOpeningOf(said) === "verb";
    for (const group of [list, section, steps]) verbs.count(group, isVerb);
    acts.count(list, isVerb || says.test(said));
  }
  const isSteps = ({ list, section, depth }: ProcedureStep): boolean => {
    if (verbs.isHalf(list)) return true;
    // In a procedure, top-level numbered lists are always steps; checklists and lists within a step may only enumerate.
    if (inProcedure) return list.ordered === true && depth === 1;
    return verbs.isHalf(section) || (verbs.isHalf(steps) && acts.isHalf(list));
  };
  return steps.filter(isSteps);
}

const says = /^[^.!?]*\b(?:will|shall|should|must|can|may|needs? to|ha(?:s|ve) to)\b/;

/** Counts for each group of steps, such as a list, the share for which something is true. */
class ShareCounter {
  private readonly counts = new Map<unknown, { yes: number; all: number }>();

  count(group: unknown, yes: boolean): void {
    const before = this.counts.get(group) ?? { yes: 0, all: 0 };
    this.counts.set(group, { yes: before.yes + (yes ? 1 : 0), all: before.all + 1 });
  }

  isHalf(group: unknown): boolean {
    const { yes, all } = this.counts.get(group) ?? { yes: 0, all: 1 };
    return all <= 2 ? yes === all : yes * 2 >= all;
  }
}

export function isStepList(list: List): boolean {
  return list.ordered === true || list.children.some(({ checked }) => typeof checked === "boolean");
}

function collectSteps(
  node: Nodes,
  depth: number,
  section: OutlineSection | undefined,
  source: string,
  steps: ProcedureStep[],
): void {
  if (node.type !== "list") return;
  const counted = isStepList(node);
  node.children.forEach((item, index) => {
    if (counted) {
      const step = readStep(item, node, index + 1, depth, section, source);
      if (step !== undefined) steps.push(step);
    }
    for (const child of item.children) collectSteps(child, counted ? depth + 1 : depth, section, source, steps);
  });
}

function readStep(
  item: ListItem,
  list: List,
  number: number,
  depth: number,
  section: OutlineSection | undefined,
  source: string,
): ProcedureStep | undefined {
  const paragraph = item.children.find((child): child is Paragraph => child.type === "paragraph");
  if (paragraph === undefined || paragraph !== item.children[0]) return undefined;
  const prose = readProse(paragraph, source);
  const found = label.exec(prose.text);
  const isLabel = found !== null && isRoleLabel(found[1] ?? "", paragraph);
  const saidAt = isLabel ? (found[0].length ?? 0) : 0;
  return {
    item,
    list,
    number,
    depth,
    section,
    prose,
    actor: isLabel ? (found[1] ?? "").trim() : undefined,
    said: prose.text.slice(saidAt),
    saidAt,
  };
}

/**
 * Tells whether the words before a colon name a role. Only bold words do; other words are part of the sentence.
 */
function isRoleLabel(words: string, { children }: Paragraph): boolean {
  const [first, second] = children;
  if (first?.type !== "strong") return false;
  const [inner] = first.children;
  if (inner?.type !== "text") return false;
  if (inner.value.trim() === `${words}:`) return true;
  return inner.value.trim() === words && second?.type === "text" && second.value.startsWith(":");
}
