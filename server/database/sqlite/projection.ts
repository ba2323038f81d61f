/** Includes or excludes fields of documents by name or dotted path. */
import { isPlainObject } from "../check-operation.ts";
import type { Projection, Untyped } from "../port.ts";

type DocumentFields = Record<string, unknown>;

/** The included part of a field: true for the whole field, or the included paths inside it. */
type ProjectedField = true | { [field: string]: ProjectedField };

/**
 * Applies a projection.
 * @returns a new object that shares its values with the (frozen) document; without a projection, the document itself
 */
export function projectDocument(document: object, projection: Projection<Untyped> | undefined): DocumentFields {
  const source = document as DocumentFields;
  if (!projection) return source;
  const { _id, ...named } = projection;
  const names = Object.keys(named);
  const including = names.length > 0 ? named[names[0] as string] === 1 : _id === 1;
  if (!including) return withoutFields(source, projectionTree(_id === 0 ? ["_id", ...names] : names));
  return projectFields(source, projectionTree(_id === 0 ? names : ["_id", ...names]));
}

/**
 * The results of projections. Queries repeat the same projections of cached documents, so each result is kept as long
 * as its document.
 */
const shownBefore = new WeakMap<object, WeakMap<Projection<Untyped>, DocumentFields>>();

/**
 * Applies a projection to a frozen, shared document. Returns the same result for the same document and projection
 * objects.
 */
export function projectShared(document: object, projection: Projection<Untyped> | undefined): DocumentFields {
  if (!projection) return document as DocumentFields;
  let shown = shownBefore.get(document);
  if (!shown) shownBefore.set(document, (shown = new WeakMap()));
  let fields = shown.get(projection);
  if (!fields) shown.set(projection, (fields = Object.freeze(projectDocument(document, projection))));
  return fields;
}

function projectionTree(paths: readonly string[]): { [field: string]: ProjectedField } {
  const tree: { [field: string]: ProjectedField } = {};
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

function projectFields(source: DocumentFields, tree: { [field: string]: ProjectedField }): DocumentFields {
  const kept: DocumentFields = {};
  for (const name in source) {
    const branch = tree[name];
    if (branch === true) kept[name] = source[name];
    else if (branch !== undefined) {
      const inside = projectValue(source[name], branch);
      if (inside !== undefined) kept[name] = inside;
    }
  }
  return kept;
}

/** Leaves out scalars, which have no inner fields. */
function projectValue(value: unknown, tree: { [field: string]: ProjectedField }): unknown {
  if (Array.isArray(value))
    return value.map((element: unknown) => projectValue(element, tree)).filter((element) => element !== undefined);
  return isPlainObject(value) ? projectFields(value, tree) : undefined;
}

function withoutFields(source: DocumentFields, tree: { [field: string]: ProjectedField }): DocumentFields {
  const kept: DocumentFields = {};
  for (const name in source) {
    const branch = tree[name];
    if (branch === undefined) kept[name] = source[name];
    else if (branch !== true) kept[name] = withoutInside(source[name], branch);
  }
  return kept;
}

function withoutInside(value: unknown, tree: { [field: string]: ProjectedField }): unknown {
  if (Array.isArray(value)) return value.map((element: unknown) => withoutInside(element, tree));
  return isPlainObject(value) ? withoutFields(value, tree) : value;
}
