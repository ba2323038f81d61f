/**
 * The search field of the top bar. It finds SOPs and matching steps while the user types. Enter without a chosen hit
 * opens the full list.
 */
import { Search as SearchIcon } from "lucide-react";
import { useRef, useState, type FormEvent, type KeyboardEvent } from "react";
import { useNavigate } from "react-router-dom";
import { commands } from "../shortcuts/registry.ts";
import { useCommand } from "../shortcuts/use-command.ts";
import { SearchInput } from "../ui/Input.tsx";
import { Kbd } from "../ui/Kbd.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { useCombobox } from "../ui/use-combobox.ts";
import { hitAddressOf } from "./hit-address.ts";
import { texts } from "./texts.ts";
import { useSearch } from "./use-search.ts";

const SearchResults = lazyPart(() => import("./SearchResults.tsx").then((module) => module.SearchResults));

const hitsAtMost = 8;

export function SearchBox() {
  const navigate = useNavigate();
  const box = useRef<HTMLElement>(null);
  const [text, setText] = useState("");
  const [isAsking, setAsking] = useState(false);
  const search = useSearch(text, hitsAtMost);
  const open = isAsking && text.trim() !== "";
  const inputField = () => box.current?.querySelector("input");
  useCommand("search", () => {
    inputField()?.focus();
    inputField()?.select();
  });

  const openAddress = (address: string, apart = false) => {
    if (apart) {
      window.open(address, "_blank", "noopener");
      return;
    }
    setText("");
    setAsking(false);
    inputField()?.blur();
    void navigate(address);
  };
  const listAddress = () => (text.trim() ? `/sops?${new URLSearchParams({ search: text.trim() })}` : "/sops");
  const combobox = useCombobox({
    open,
    count: search.hits.length + 1,
    of: search.query,
    onPick: (at, apart) => {
      const hit = search.hits[at];
      openAddress(hit ? hitAddressOf(hit) : listAddress(), apart);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    openAddress(listAddress());
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Escape" && open) {
      // The first Escape closes the list, the next one clears the text.
      event.preventDefault();
      setAsking(false);
    } else if (event.key === "ArrowDown" && !open && text.trim() !== "") {
      event.preventDefault();
      setAsking(true);
    } else {
      combobox.field.onKeyDown(event);
    }
  };
  return (
    <search
      ref={box}
      className="min-w-0 flex-1 sm:relative sm:max-w-md"
      onBlur={({ relatedTarget, currentTarget }) => !currentTarget.contains(relatedTarget) && setAsking(false)}
    >
      <form onSubmit={submit}>
        <SearchInput
          {...combobox.field}
          name="search"
          label={texts.label}
          placeholder={texts.label}
          icon={<SearchIcon />}
          hint={text === "" && <Kbd keys={commands.palette.keys} />}
          maxLength={200}
          aria-keyshortcuts={commands.search.keys}
          value={text}
          onFocus={() => setAsking(true)}
          onChange={({ target }) => {
            setText(target.value);
            setAsking(true);
          }}
          onKeyDown={onKeyDown}
        />
      </form>
      {open && (
        <SearchResults typed={text.trim()} search={search} combobox={combobox} onClose={() => setAsking(false)} />
      )}
    </search>
  );
}
