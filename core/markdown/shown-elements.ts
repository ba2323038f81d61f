/** HTML elements that a text can contain and views show; `docs/spec/markdown.md` lists them. */
export const shownElements: ReadonlySet<string> = new Set(
  [
    "h1 h2 h3 h4 h5 h6 p a em strong del code pre blockquote hr ul ol li img",
    "table thead tbody tfoot tr th td caption figure figcaption br sub sup kbd details summary div section",
  ].flatMap((names) => names.split(" ")),
);
