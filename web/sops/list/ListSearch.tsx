import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { SearchInput } from "../../ui/Input.tsx";

const pauseMs = 250;

interface ListSearchProps {
  label: string;
  value: string;
  /** Told after a pause in typing. */
  onSearch(text: string): void;
}

/** A search box that asks while one types; follows the address when that changes from elsewhere. */
export function ListSearch({ label, value, onSearch }: ListSearchProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (value !== known) {
    setKnown(value);
    setTyped(value);
  }
  useEffect(() => () => clearTimeout(timer.current), []);
  const change = (text: string) => {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setKnown(text);
      onSearch(text);
    }, pauseMs);
  };
  return (
    <SearchInput
      label={label}
      placeholder={label}
      icon={<Search />}
      value={typed}
      maxLength={200}
      onChange={(event) => change(event.target.value)}
    />
  );
}
