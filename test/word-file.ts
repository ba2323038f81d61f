/** Builds Word files part by part from the standard (ISO/IEC 29500-1), like Word. */
import { strToU8, zipSync } from "fflate";

export const ns =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
export const part = (name: string, inside: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><w:${name} ${ns}>${inside}</w:${name}>`;

export const level = (at: number, format: string, more = "") =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="%${at + 1}."/></w:lvl>`;
const numbering = part(
  "numbering",
  `<w:abstractNum w:abstractNumId="0">${level(0, "decimal")}${level(1, "lowerLetter")}</w:abstractNum>` +
    `<w:abstractNum w:abstractNumId="1">${level(0, "bullet")}</w:abstractNum>` +
    `<w:abstractNum w:abstractNumId="2">${level(0, "decimal", '<w:pStyle w:val="Step"/>')}</w:abstractNum>` +
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>' +
    '<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>' +
    '<w:num w:numId="4"><w:abstractNumId w:val="2"/></w:num>',
);
export const style = (id: string, name: string, more = "") =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`;
const styles = part(
  "styles",
  style("Title", "Title") +
    style("Heading1", "heading 1") +
    style("Heading2", "heading 2") +
    style("Step", "Step", '<w:pPr><w:numPr><w:numId w:val="4"/></w:numPr></w:pPr>') +
    style("TOC1", "toc 1"),
);
const types =
  '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
export const rel = (id: string, type: string, target: string, more = "") =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"${more}/>`;
export const rels = (inside: string) =>
  `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inside}</Relationships>`;

export function docx(body: string, parts: Record<string, string> = {}): Uint8Array {
  const files = {
    "[Content_Types].xml": types,
    "_rels/.rels": rels(rel("r1", "officeDocument", "word/document.xml")),
    "word/document.xml": part("document", `<w:body>${body}</w:body>`),
    "word/_rels/document.xml.rels": rels(
      rel("n", "numbering", "numbering.xml") +
        rel("s", "styles", "styles.xml") +
        rel("h", "hyperlink", "https://example.org/a", ' TargetMode="External"') +
        rel("f", "footnotes", "footnotes.xml"),
    ),
    "word/numbering.xml": numbering,
    "word/styles.xml": styles,
    "word/footnotes.xml": part("footnotes", '<w:footnote w:id="2"><w:p><w:r><w:t>Why.</w:t></w:r></w:p></w:footnote>'),
    ...parts,
  };
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
}

export const run = (text: string, look = "") =>
  `<w:r>${look && `<w:rPr>${look}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;
export const p = (text: string, properties = "") =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${text.startsWith("<") ? text : run(text)}</w:p>`;
export const item = (text: string, numId = 1, at = 0, more = "") =>
  p(text, `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${numId}"/></w:numPr>${more}`);
export const styled = (id: string, text: string) => p(text, `<w:pStyle w:val="${id}"/>`);
