import type { SopRow } from "#core/sops/schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import { texts } from "../texts.ts";

/** A name, on one line. Where two people share it, the username is beside it, and the name gives way first. */
export function PersonName({ person }: { person: SopRow["author"] }) {
  if (person === null) return <span className="truncate">{texts.unknownAuthor}</span>;
  const { name, username, hasNamesake } = person;
  return (
    <span title={printedName(person)} className="flex min-w-0 gap-x-1">
      <span className={hasNamesake ? "min-w-6 truncate" : "truncate"}>{name}</span>
      {hasNamesake && <span className="max-w-3/4 shrink-0 truncate">{`(${username})`}</span>}
    </span>
  );
}
