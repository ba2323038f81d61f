declare module "commonmark" {
  export class Parser {
    parse(text: string): unknown;
  }
  export class HtmlRenderer {
    constructor(options?: { softbreak?: string });
    render(tree: unknown): string;
  }
}
