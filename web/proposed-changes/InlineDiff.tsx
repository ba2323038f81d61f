/** Shows two versions of a text as one, word by word, with bold text, links and code. */
import type { Image, PhrasingContent } from "mdast";
import { createElement, Fragment, type ReactNode } from "react";
import { withJoinedNeighborChanges, groupNeighbors, mergedTokens, type MarkedToken } from "#core/diff/marked.ts";
import { hasLetterOrDigit, wordPattern } from "#core/diff/parts.ts";
import { texts } from "./texts.ts";

interface InlineDiffToken {
  key: string;
  shown: ReactNode;
  /** True if the token is more than a space or a punctuation mark. */
  isText: boolean;
  within: readonly SurroundingTag[];
}

interface SurroundingTag {
  tag: "strong" | "em" | "s" | "a" | "code";
  title?: string;
}

interface InlineDiffProps {
  before: readonly PhrasingContent[];
  after: readonly PhrasingContent[];
}

export function InlineDiff({ before, after }: InlineDiffProps) {
  const [old, now] = [inlineTokensOf(before), inlineTokensOf(after)];
  return <MarkedWords marked={withJoinedNeighborChanges(mergedTokens(old, now, tokenKeyOf), ({ isText }) => isText)} />;
}

/** Shows two versions of plain text, such as code, as one text with changed words marked. */
export function CodeDiff({ before, after }: { before: string | null; after: string | null }) {
  const [old, now] = [wordTokensOf(before ?? "", []), wordTokensOf(after ?? "", [])];
  return <MarkedWords marked={mergedTokens(old, now, tokenKeyOf)} />;
}

const tokenKeyOf = ({ key }: InlineDiffToken): string => key;

function MarkedWords({ marked }: { marked: readonly MarkedToken<InlineDiffToken>[] }) {
  return groupNeighbors(marked, ({ mark }) => mark ?? "").map((group, index) => {
    const mark = group[0]?.mark ?? null;
    const shown = <TokenRuns tokens={group.map(({ token }) => token)} depth={0} />;
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

function TokenRuns({ tokens, depth }: { tokens: readonly InlineDiffToken[]; depth: number }): ReactNode {
  return groupNeighbors(tokens, ({ within }) => surroundingTagKey(within[depth])).map((group, index) => {
    const around = group[0]?.within[depth];
    if (!around)
      return (
        <Fragment key={index}>
          {group.map(({ shown }, at) => (
            <Fragment key={at}>{shown}</Fragment>
          ))}
        </Fragment>
      );
    const inner = <TokenRuns tokens={group} depth={depth + 1} />;
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

function inlineTokensOf(nodes: readonly PhrasingContent[], within: readonly SurroundingTag[] = []): InlineDiffToken[] {
  return nodes.flatMap((node): InlineDiffToken[] => {
    switch (node.type) {
      case "text":
        return wordTokensOf(node.value, within);
      case "strong":
        return inlineTokensOf(node.children, [...within, { tag: "strong" }]);
      case "emphasis":
        return inlineTokensOf(node.children, [...within, { tag: "em" }]);
      case "delete":
        return inlineTokensOf(node.children, [...within, { tag: "s" }]);
      case "link":
        return inlineTokensOf(node.children, [...within, { tag: "a", title: node.url }]);
      case "linkReference":
        return inlineTokensOf(node.children, [...within, { tag: "a", title: node.identifier }]);
      case "inlineCode":
        return [wordToken(node.value, [...within, { tag: "code" }])];
      case "break":
        return [{ key: "break", shown: <br />, isText: true, within }];
      case "image":
        return [imageTokenOf(node, within)];
      case "footnoteReference":
        return [wordToken(`[^${node.identifier}]`, within)];
      case "imageReference":
        return [wordToken(`![${node.alt ?? node.identifier}]`, within)];
      default:
        return [wordToken(node.value, within)];
    }
  });
}

/** Shows only images of this server, so that a review loads nothing from other hosts. */
function imageTokenOf({ url, alt }: Image, within: readonly SurroundingTag[]): InlineDiffToken {
  if (!url.startsWith("/api/assets/")) return wordToken(`![${alt ?? ""}](${url})`, within);
  return { key: `image ${url} ${alt ?? ""}`, shown: <img src={url} alt={alt ?? ""} />, isText: true, within };
}

function wordTokensOf(text: string, within: readonly SurroundingTag[]): InlineDiffToken[] {
  return (text.match(wordPattern) ?? []).map((word) => wordToken(word, within));
}

function wordToken(shown: string, within: readonly SurroundingTag[]): InlineDiffToken {
  return {
    key: `${within.map(surroundingTagKey).join(" ")}\u0000${shown}`,
    shown,
    isText: hasLetterOrDigit(shown),
    within,
  };
}

function surroundingTagKey(around: SurroundingTag | undefined): string {
  return around ? `${around.tag} ${around.title ?? ""}` : "";
}
