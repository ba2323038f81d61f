import { Search } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { SearchInput } from "../../ui/Input.tsx";
import { createDebounce } from "../../ui/debounce.ts";

const pauseMs = 250;

interface ListSearchProps {
  label: string;
  value: string;
  hint?: ReactNode;
  /** Called after a pause in typing. */
  onSearch(text: string): void;
}

/** A search field that searches while the user types. It follows changes of the address. */
export function ListSearch({ label, hint, value, onSearch }: ListSearchProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const [debounce] = useState(() => createDebounce(pauseMs));
  if (value !== known) {
    setKnown(value);
    setTyped(value);
  }
  useEffect(() => () => debounce.cancel(), [debounce]);
  const changeText = (text: string) => {
    setTyped(text);
    debounce.schedule(() => {
      setKnown(text);
      onSearch(text);
    });
  };
  return (
    <SearchInput
      label={label}
      placeholder={label}
      icon={<Search />}
      hint={hint}
      value={typed}
      maxLength={200}
      onChange={(event) => changeText(event.target.value)}
    />
  );
}
