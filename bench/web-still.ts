/** A screen as a page without scripts: the cost of the line and the machine alone. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";

export interface Still {
  url: string;
  close(): void;
}

/** The page's current HTML with its style sheets inlined, gzipped like the server's own files. */
export async function serveStill(page: Page): Promise<Still> {
  const html = await page.evaluate(async () => {
    const sheets = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
    const styles = await Promise.all(sheets.map(async ({ href }) => (await fetch(href)).text()));
    const still = document.documentElement.cloneNode(true) as HTMLElement;
    for (const element of still.querySelectorAll("script, link")) element.remove();
    const style = document.createElement("style");
    style.textContent = styles.join("\n");
    still.querySelector("head")?.append(style);
    return `<!doctype html>${still.outerHTML}`;
  });
  const body = gzipSync(html, { level: 9 });
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-encoding": "gzip" });
    response.end(body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
