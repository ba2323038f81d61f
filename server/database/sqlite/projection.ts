/** Inclusion or exclusion of fields by name or dotted path. */
import { isPlainObject } from "../check-operation.ts";
import type { Projection, Untyped } from "../port.ts";

type Fields = Record<string, unknown>;

/** The selected part of a field: all of it, or paths inside it. */
type Branch = true | { [field: string]: Branch };

/**
 * @returns a new object whose values are shared with the (frozen) document; without a projection, the document itself
 */
export function project(document: object, projection: Projection<Untyped> | undefined): Fields {
  const source = document as Fields;
  if (!projection) return source;
  const { _id, ...named } = projection;
  const names = Object.keys(named);
  const including = names.length > 0 ? named[names[0] as string] === 1 : _id === 1;
  if (!including) return without(source, treeOf(_id === 0 ? ["_id", ...names] : names));
  return only(source, treeOf(_id === 0 ? names : ["_id", ...names]));
}

/** The same projections of cached documents repeat, so each result is kept as long as its document. */
const shownBefore = new WeakMap<object, WeakMap<Projection<Untyped>, Fields>>();

/** Like `project`, but remembers the result by document and projection object; for frozen, shared documents. */
export function projectShared(document: object, projection: Projection<Untyped> | undefined): Fields {
  if (!projection) return document as Fields;
  let shown = shownBefore.get(document);
  if (!shown) shownBefore.set(document, (shown = new WeakMap()));
  let fields = shown.get(projection);
  if (!fields) shown.set(projection, (fields = Object.freeze(project(document, projection))));
  return fields;
}

function treeOf(paths: readonly string[]): { [field: string]: Branch } {
  const tree: { [field: string]: Branch } = {};
  for (const path of paths) {
    const segments = path.split(".");
    let branch = tree;
    for (const segment of segments.slice(0, -1)) {
      const next = branch[segment];
      branch = branch[segment] = typeof next === "object" ? next : {};
    }
    branch[segments.at(-1) as string] = true;
  }
  return tree;
}

function only(source: Fields, tree: { [field: string]: Branch }): Fields {
  const kept: Fields = {};
  for (const name in source) {
    const branch = tree[name];
    if (branch === true) kept[name] = source[name];
    else if (branch !== undefined) {
      const inside = onlyInside(source[name], branch);
      if (inside !== undefined) kept[name] = inside;
    }
  }
  return kept;
}

/** Leaves out scalars, which have no inner fields. */
function onlyInside(value: unknown, tree: { [field: string]: Branch }): unknown {
  if (Array.isArray(value))
    return value.map((element: unknown) => onlyInside(element, tree)).filter((element) => element !== undefined);
  return isPlainObject(value) ? only(value, tree) : undefined;
}

function without(source: Fields, tree: { [field: string]: Branch }): Fields {
  const kept: Fields = {};
  for (const name in source) {
    const branch = tree[name];
    if (branch === undefined) kept[name] = source[name];
    else if (branch !== true) kept[name] = withoutInside(source[name], branch);
  }
  return kept;
}

function withoutInside(value: unknown, tree: { [field: string]: Branch }): unknown {
  if (Array.isArray(value)) return value.map((element: unknown) => withoutInside(element, tree));
  return isPlainObject(value) ? without(value, tree) : value;
}
