/** Shows two versions of a text as one, word by word, with bold text, links and code. */
import type { Image, PhrasingContent } from "mdast";
import { createElement, Fragment, type ReactNode } from "react";
import { groupChanges, groupRuns, mergeRuns, type Marked } from "#core/diff/marked.ts";
import { isWord, wordPattern } from "#core/diff/parts.ts";
import { texts } from "./texts.ts";

interface Token {
  key: string;
  shown: ReactNode;
  /** True if the token is more than a space or a punctuation mark. */
  isText: boolean;
  within: readonly Around[];
}

interface Around {
  tag: "strong" | "em" | "s" | "a" | "code";
  title?: string;
}

interface InlineDiffProps {
  before: readonly PhrasingContent[];
  after: readonly PhrasingContent[];
}

export function InlineDiff({ before, after }: InlineDiffProps) {
  const [old, now] = [tokensOf(before), tokensOf(after)];
  return <Words marked={groupChanges(mergeRuns(old, now, keyOf), ({ isText }) => isText)} />;
}

/** Shows two versions of a plain text, without marks, as one. */
export function CodeDiff({ before, after }: { before: string | null; after: string | null }) {
  const [old, now] = [wordsOf(before ?? "", []), wordsOf(after ?? "", [])];
  return <Words marked={mergeRuns(old, now, keyOf)} />;
}

const keyOf = ({ key }: Token): string => key;

function Words({ marked }: { marked: readonly Marked<Token>[] }) {
  return groupRuns(marked, ({ mark }) => mark ?? "").map((group, index) => {
    const mark = group[0]?.mark ?? null;
    const shown = <Runs tokens={group.map(({ token }) => token)} depth={0} />;
    if (mark === null) return <Fragment key={index}>{shown}</Fragment>;
    return createElement(
      mark,
      { key: index },
      <span className="sr-only">{mark === "ins" ? texts.startAdded : texts.startRemoved}</span>,
      shown,
      <span className="sr-only">{texts.end}</span>,
    );
  });
}

function Runs({ tokens, depth }: { tokens: readonly Token[]; depth: number }): ReactNode {
  return groupRuns(tokens, ({ within }) => nameOf(within[depth])).map((group, index) => {
    const around = group[0]?.within[depth];
    if (!around)
      return (
        <Fragment key={index}>
          {group.map(({ shown }, at) => (
            <Fragment key={at}>{shown}</Fragment>
          ))}
        </Fragment>
      );
    const inner = <Runs tokens={group} depth={depth + 1} />;
    // A link in a proposed text can't be followed, but its target is shown as a tooltip.
    if (around.tag === "a") {
      return (
        <span key={index} title={around.title} className="text-primary underline">
          {inner}
        </span>
      );
    }
    return createElement(around.tag, { key: index }, inner);
  });
}

function tokensOf(nodes: readonly PhrasingContent[], within: readonly Around[] = []): Token[] {
  return nodes.flatMap((node): Token[] => {
    switch (node.type) {
      case "text":
        return wordsOf(node.value, within);
      case "strong":
        return tokensOf(node.children, [...within, { tag: "strong" }]);
      case "emphasis":
        return tokensOf(node.children, [...within, { tag: "em" }]);
      case "delete":
        return tokensOf(node.children, [...within, { tag: "s" }]);
      case "link":
        return tokensOf(node.children, [...within, { tag: "a", title: node.url }]);
      case "linkReference":
        return tokensOf(node.children, [...within, { tag: "a", title: node.identifier }]);
      case "inlineCode":
        return [token(node.value, [...within, { tag: "code" }])];
      case "break":
        return [{ key: "break", shown: <br />, isText: true, within }];
      case "image":
        return [pictureOf(node, within)];
      case "footnoteReference":
        return [token(`[^${node.identifier}]`, within)];
      case "imageReference":
        return [token(`![${node.alt ?? node.identifier}]`, within)];
      default:
        return [token(node.value, within)];
    }
  });
}

/** Shows only images of this server, so that a review loads nothing from other hosts. */
function pictureOf({ url, alt }: Image, within: readonly Around[]): Token {
  if (!url.startsWith("/api/assets/")) return token(`![${alt ?? ""}](${url})`, within);
  return { key: `image ${url} ${alt ?? ""}`, shown: <img src={url} alt={alt ?? ""} />, isText: true, within };
}

function wordsOf(text: string, within: readonly Around[]): Token[] {
  return (text.match(wordPattern) ?? []).map((word) => token(word, within));
}

function token(shown: string, within: readonly Around[]): Token {
  return { key: `${within.map(nameOf).join(" ")}\u0000${shown}`, shown, isText: isWord(shown), within };
}

function nameOf(around: Around | undefined): string {
  return around ? `${around.tag} ${around.title ?? ""}` : "";
}
