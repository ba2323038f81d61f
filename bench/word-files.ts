/**
 * Twenty Word files, always the same ones, built from the standard (ISO/IEC 29500-1) as Word writes them: five scripts,
 * each as plain chapters, with 75 tables, with merged and nested cells, and with figures that have labels.
 */
import { strToU8, zipSync } from "fflate";

export interface WordFile {
  name: string;
  bytes: Uint8Array;
  /** Every text of the body in the file, as it was written. */
  texts: readonly string[];
}

const alphabets: Record<string, { letters: string; space: string; isRightToLeft: boolean }> = {
  arabic: { letters: "ابتثجحخدذرزسشصضطظعغفقكلمنهوي", space: " ", isRightToLeft: true },
  chinese: {
    letters: "操作人员应当检查设备运行情况并填写记录表格温度压力阀门清洁步骤安全负责批准",
    space: "",
    isRightToLeft: false,
  },
  hebrew: { letters: "אבגדהוזחטיכלמנסעפצקרשת", space: " ", isRightToLeft: true },
  russian: { letters: "абвгдежзиклмнопрстуфхцчшщыэюя", space: " ", isRightToLeft: false },
  english: { letters: "abcdefghiklmnoprstuvw", space: " ", isRightToLeft: false },
};

const kinds = ["chapters", "tables", "merged", "figures"] as const;

/** The files one after the other, because all together take room. */
export function* wordFiles(): Generator<WordFile> {
  let seed = 1;
  for (const script of Object.keys(alphabets)) for (const kind of kinds) yield wordFile(script, kind, (seed += 7));
}

const namespaces = [
  ["w", "http://schemas.openxmlformats.org/wordprocessingml/2006/main"],
  ["r", "http://schemas.openxmlformats.org/officeDocument/2006/relationships"],
  ["mc", "http://schemas.openxmlformats.org/markup-compatibility/2006"],
  ["wp", "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"],
  ["wps", "http://schemas.microsoft.com/office/word/2010/wordprocessingShape"],
  ["a", "http://schemas.openxmlformats.org/drawingml/2006/main"],
  ["c", "http://schemas.openxmlformats.org/drawingml/2006/chart"],
  ["dgm", "http://schemas.openxmlformats.org/drawingml/2006/diagram"],
  ["v", "urn:schemas-microsoft-com:vml"],
]
  .map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`)
  .join(" ");

const part = (name: string, inside: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><${name} ${namespaces}>${inside}</${name}>`;

function wordFile(script: string, kind: (typeof kinds)[number], seed: number): WordFile {
  const writer = createWriter(script, seed);
  const { paragraph, heading, table, mergedTable, figure, step } = writer;
  const body: string[] = [heading("Title", 4)];
  for (let chapter = 1; chapter <= 25; chapter += 1) {
    body.push(heading("Heading1", 3));
    for (let section = 0; section < 3; section += 1) {
      body.push(heading("Heading2", 5), paragraph(60), paragraph(25));
      for (let at = 0; at < 5; at += 1) body.push(step(12));
      if (kind === "tables") body.push(table(12, 5));
      if (kind === "merged" && section === 0) body.push(mergedTable(8));
      if (kind === "figures" && section < 2) body.push(figure());
      if (kind === "chapters") body.push(paragraph(120), paragraph(80));
    }
  }
  return { name: `${script}-${kind}.docx`, bytes: zipped(body.join(""), writer.parts), texts: writer.texts };
}

function createWriter(script: string, seed: number) {
  const { letters = "", space = " ", isRightToLeft = false } = alphabets[script] ?? {};
  const texts: string[] = [];
  const parts = { footnotes: [] as string[], diagrams: [] as string[], charts: [] as string[] };
  let state = seed;
  const below = (most: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % most;
  };
  const word = () => Array.from({ length: 2 + below(8) }, () => letters[below(letters.length)] ?? "").join("");
  const words = (count: number) => {
    const text = Array.from({ length: count }, word).join(space);
    texts.push(text);
    return text;
  };
  const run = (count: number, look = "") =>
    `<w:r><w:rPr>${look}${isRightToLeft ? "<w:rtl/>" : ""}</w:rPr><w:t xml:space="preserve">${words(count)}</w:t></w:r>`;
  const gap = '<w:r><w:t xml:space="preserve"> </w:t></w:r>';
  const direction = isRightToLeft ? "<w:bidi/>" : "";
  const paragraph = (count: number, more = "") => {
    const runs = Array.from({ length: Math.max(1, Math.round(count / 6)) }, (_, at) =>
      run(6, at % 5 === 1 ? "<w:b/>" : ""),
    );
    return `<w:p><w:pPr>${direction}</w:pPr>${runs.join(gap)}${more}</w:p>`;
  };
  const heading = (style: string, count: number) =>
    `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr>${run(count)}</w:p>`;
  const step = (count: number) =>
    `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>${run(count)}</w:p>`;
  const cell = (inside: string, properties = "") => `<w:tc><w:tcPr>${properties}</w:tcPr>${inside}</w:tc>`;
  const row = (cells: readonly string[]) => `<w:tr>${cells.join("")}</w:tr>`;
  const wrap = (rows: readonly string[]) => `<w:tbl><w:tblPr/>${rows.join("")}</w:tbl>`;
  const table = (rows: number, columns: number) =>
    wrap(Array.from({ length: rows }, () => row(Array.from({ length: columns }, () => cell(paragraph(6))))));
  const mergedTable = (rows: number) =>
    wrap([
      row([cell(paragraph(6), '<w:gridSpan w:val="2"/>'), cell(paragraph(6))]),
      ...Array.from({ length: rows }, (_, at) =>
        row([
          cell(at % 2 === 0 ? paragraph(6) : "<w:p/>", `<w:vMerge${at % 2 === 0 ? ' w:val="restart"' : ""}/>`),
          cell(at === 3 ? `${table(2, 2)}<w:p/>` : paragraph(6)),
          cell(paragraph(12)),
        ]),
      ),
    ]);
  const drawing = (inside: string) =>
    `<w:r><w:drawing><wp:inline><wp:docPr id="1" name="x"/><a:graphic><a:graphicData>${inside}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
  const box = () => {
    const label = `<w:txbxContent><w:p>${run(3)}</w:p></w:txbxContent>`;
    return `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:inline><a:graphic><a:graphicData><wps:wsp><wps:txbx>${label}</wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox>${label}</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>`;
  };
  const oldBox = () =>
    `<w:r><w:pict><v:shape><v:textbox><w:txbxContent><w:p>${run(3)}</w:p></w:txbxContent></v:textbox></v:shape></w:pict></w:r>`;
  const diagram = () => {
    parts.diagrams.push(
      `<dgm:ptLst>${Array.from({ length: 4 }, () => `<dgm:pt><dgm:t><a:p><a:r><a:t>${words(2)}</a:t></a:r></a:p></dgm:t></dgm:pt>`).join("")}</dgm:ptLst>`,
    );
    return drawing(`<dgm:relIds r:dm="dgm${parts.diagrams.length}"/>`);
  };
  const chart = () => {
    const points = Array.from({ length: 3 }, (_, at) => `<c:pt idx="${at}"><c:v>${words(1)}</c:v></c:pt>`).join("");
    parts.charts.push(
      `<c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>${words(3)}</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:cat><c:strRef><c:strCache>${points}</c:strCache></c:strRef></c:cat></c:ser></c:barChart></c:plotArea></c:chart>`,
    );
    return drawing(`<c:chart r:id="chart${parts.charts.length}"/>`);
  };
  const note = () => {
    parts.footnotes.push(words(8));
    return `<w:r><w:footnoteReference w:id="${parts.footnotes.length + 1}"/></w:r>`;
  };
  const figure = () => {
    const shape = [box, oldBox, diagram, chart][below(4)] ?? box;
    return paragraph(12, `${shape()}${note()}`);
  };
  return { texts, parts, paragraph, heading, step, table, mergedTable, figure };
}

type Parts = ReturnType<typeof createWriter>["parts"];

const style = (id: string, name: string) =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`;
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const relationship = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`;
const relationships = (inside: string) =>
  `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inside}</Relationships>`;
const contentTypes =
  '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';

function zipped(body: string, { footnotes, diagrams, charts }: Parts): Uint8Array {
  const notes = footnotes.map(
    (text, at) => `<w:footnote w:id="${at + 2}"><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:footnote>`,
  );
  const files: Record<string, string> = {
    "[Content_Types].xml": contentTypes,
    "_rels/.rels": relationships(relationship("r1", "officeDocument", "word/document.xml")),
    "word/document.xml": part("w:document", `<w:body>${body}</w:body>`),
    "word/styles.xml": part(
      "w:styles",
      style("Title", "Title") + style("Heading1", "heading 1") + style("Heading2", "heading 2"),
    ),
    "word/numbering.xml": part(
      "w:numbering",
      '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>',
    ),
    "word/footnotes.xml": part("w:footnotes", notes.join("")),
    "word/_rels/document.xml.rels": relationships(
      relationship("s", "styles", "styles.xml") +
        relationship("n", "numbering", "numbering.xml") +
        relationship("f", "footnotes", "footnotes.xml") +
        diagrams.map((_, at) => relationship(`dgm${at + 1}`, "diagramData", `diagrams/data${at + 1}.xml`)).join("") +
        charts.map((_, at) => relationship(`chart${at + 1}`, "chart", `charts/chart${at + 1}.xml`)).join(""),
    ),
  };
  for (const [at, inside] of diagrams.entries())
    files[`word/diagrams/data${at + 1}.xml`] = part("dgm:dataModel", inside);
  for (const [at, inside] of charts.entries()) files[`word/charts/chart${at + 1}.xml`] = part("c:chartSpace", inside);
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
}
