import { alertStylesheet } from "../../markdown/alert-grades.ts";

/**
 * The style of exported pages for screens, dark mode, phones and paper. It is one text, because the page's security
 * policy contains its hash.
 */
export const pageStyle = `:root{color-scheme:light dark;--bg:#fff;--ink:#1d2530;--deep:#152f56;--muted:#566071;--accent:#1f54a8;--line:#cfd6e0;--sunken:#f4f6f9;--mark:#7a4a00;--mark-bg:#fdecc8}
@media (prefers-color-scheme:dark){:root{--bg:#14181f;--ink:#e4e8ee;--deep:#c6d8f5;--muted:#a3adbb;--accent:#8db8ff;--line:#3a4350;--sunken:#1d232c;--mark:#ffd995;--mark-bg:#4a3511}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:break-word}
main,.bar,footer{max-width:52rem;margin:0 auto;padding:0 1.25rem}
main{padding-top:2rem;padding-bottom:3rem}
.bar{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:baseline;padding-top:.75rem;padding-bottom:.75rem;border-bottom:1px solid var(--line);font-size:.875rem;color:var(--muted)}
.bar strong{color:var(--ink)}
.bar .end{margin-inline-start:auto}
.status{padding:.1rem .5rem;border-radius:.25rem;background:var(--sunken);color:var(--ink);font-weight:700;font-size:.75rem;letter-spacing:.03em;text-transform:uppercase}
.status.marked{background:var(--mark-bg);color:var(--mark)}
h1,h2,h3,h4,h5,h6{line-height:1.25;margin:1.8em 0 .5em;font-weight:650;scroll-margin-top:1rem}
.title{margin:.2rem 0 .5rem;font-size:2rem;color:var(--deep)}
h1{font-size:1.6rem}h2{font-size:1.35rem;color:var(--deep)}h3{font-size:1.125rem}h4,h5,h6{font-size:1rem}
.number{margin:0;color:var(--accent);font-weight:650}
.description{margin:0 0 1.5rem;color:var(--muted);font-size:1.1rem}
.control{display:grid;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));gap:.75rem 1.5rem;margin:0 0 2rem;padding:1rem;background:var(--sunken);border-top:2px solid var(--deep);border-bottom:1px solid var(--line);font-size:.9rem}
.control div{min-width:0}.control .wide{grid-column:1/-1}
dt{font-size:.75rem;color:var(--muted)}dd{margin:0;font-weight:600;white-space:pre-line}.hash dd{font:.75rem ui-monospace,Consolas,monospace;overflow-wrap:anywhere}
a{color:var(--accent);text-underline-offset:.18em}
ul,ol{padding-inline-start:1.6em}li+li{margin-top:.3em}li>p{margin:.4em 0}
li::marker{font-variant-numeric:tabular-nums;color:var(--muted)}
.task-list-item{list-style:none;margin-inline-start:-1.5em}
table{border-collapse:collapse;width:100%;margin:1.2em 0;font-size:.9375rem}
.table{overflow-x:auto}
th,td{padding:.45em .7em;border:1px solid var(--line);text-align:start;vertical-align:top}
th{background:var(--sunken);font-weight:650}
[align=right]{text-align:right}[align=center]{text-align:center}
code,kbd{font:.9em ui-monospace,Consolas,monospace}code{padding:.1em .3em;border-radius:.25rem;background:var(--sunken)}
kbd{padding:.1em .4em;border:1px solid var(--line);border-bottom-width:2px;border-radius:.25rem}
pre{padding:.9em 1.1em;border:1px solid var(--line);border-radius:.4rem;background:var(--sunken);overflow-x:auto;white-space:pre-wrap}pre code{padding:0;background:none}
blockquote{margin:1em 0;padding-inline-start:1em;border-inline-start:3px solid var(--line);color:var(--muted)}
img{max-width:100%;height:auto}
figure{margin:1em 0;break-inside:avoid}figcaption{margin-top:.25em;color:var(--muted);font-size:.875rem}
hr{border:0;border-top:1px solid var(--line);margin:2em 0}
${alertStylesheet()}.alert{margin:1.2em 0}.alert>p{margin:.3em 0}
.footnotes{margin-top:3em;border-top:1px solid var(--line);font-size:.9rem}
[dir=rtl] .from-left{unicode-bidi:plaintext;text-align:right}[dir=rtl] :is(pre,code,kbd){direction:ltr;unicode-bidi:isolate}[dir=rtl] pre{text-align:left}
.sr-only{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
footer{padding-top:.75rem;padding-bottom:2rem;border-top:1px solid var(--line);font-size:.875rem;color:var(--muted)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.search{display:flex;gap:.5rem;margin:1rem 0}
.search input{flex:1;min-width:0;font:inherit;padding:.5rem .75rem;color:inherit;background:var(--bg);border:1px solid #8490a3;border-radius:.375rem}
.search button{font:inherit;padding:.5rem 1rem;border:0;border-radius:.375rem;background:var(--accent);color:var(--bg);font-weight:600}
.list{list-style:none;padding:0}.list li{padding:.6rem 0;border-top:1px solid var(--line);margin:0}
.list p{margin:.1rem 0;color:var(--muted);font-size:.9375rem}.list .meta{font-size:.8125rem}
.list a{font-weight:600}
.categories{display:flex;flex-wrap:wrap;gap:.25rem 1rem;padding:0;list-style:none}.categories li{margin:0}
mark{background:var(--mark-bg);color:inherit}
@media print{:root{color-scheme:light;--bg:#fff;--ink:#000;--deep:#000;--muted:#333;--accent:#000;--line:#888;--sunken:#fff;--mark:#000;--mark-bg:#fff}
@page{margin:18mm 16mm 20mm;@bottom-right{content:"Page " counter(page) " of " counter(pages);font-size:9pt}}
body{font-size:10.5pt}main,.bar,footer{max-width:none;padding-left:0;padding-right:0}.search,.categories,.back{display:none}
h1,h2,h3,h4{break-after:avoid}tr,img,pre,blockquote{break-inside:avoid}thead{display:table-header-group}
.table{overflow:visible}th,td{min-width:6em;padding:.35em .5em;overflow-wrap:anywhere}table:has(tr>:nth-child(6)) :is(th,td){min-width:4.5em}pre{overflow-wrap:anywhere}
table:has(tr>:nth-child(9)){font-size:8pt}table:has(tr>:nth-child(9)) :is(th,td){min-width:3em;padding:.25em}
table:has(tr>:nth-child(17)){font-size:6pt}table:has(tr>:nth-child(17)) :is(th,td){min-width:0;padding:.15em}
.status{border:1px solid #000}details::details-content{content-visibility:visible;block-size:auto}}`;

/**
 * Returns the style of each printed page's footer. @param line the text of the footer; its special characters are
 * escaped, so that it can't end the style
 */
export function printedFooterStyle(line: string): string {
  const text = line.replace(/[^\w .,=-]/gu, (character) => `\\${character.codePointAt(0)?.toString(16) ?? ""} `);
  return `@page{@bottom-left{content:"${text}";font-size:9pt}}`;
}
