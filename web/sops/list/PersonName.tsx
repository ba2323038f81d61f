import type { SopRow } from "#core/sops/schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import { texts } from "../texts.ts";

/** A name on one line. If two people share it, the username is shown below it. */
export function PersonName({ person }: { person: SopRow["author"] }) {
  if (person === null) return <span className="truncate">{texts.unknownAuthor}</span>;
  // Each row has as few elements as possible, because lists can be long.
  if (!person.hasNamesake)
    return (
      <span title={printedName(person)} className="truncate">
        {person.name}
      </span>
    );
  return (
    <span title={printedName(person)} className="min-w-0 leading-4">
      <span className="block truncate">{person.name}</span>
      <span className="block text-t1 wrap-anywhere">{`(${person.username})`}</span>
    </span>
  );
}
