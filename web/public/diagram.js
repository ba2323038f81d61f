// Draws one Mermaid diagram in a frame without network and without access to the page around it (docs/decisions/0050).
(() => {
  const drawing = document.getElementById("drawing");
  const postToPage = (message) => window.parent.postMessage(message, "*");
  const callOnce = (make) => {
    let made;
    return (from) => (made ??= make(from));
  };
  const load = callOnce(
    (address) =>
      new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.addEventListener("load", resolve);
        script.addEventListener("error", () => reject(new Error("The connection failed.")));
        script.src = address;
        document.head.append(script);
      }),
  );
  const addFont = callOnce(async (bytes) => {
    try {
      document.fonts.add(await new FontFace("Inter", bytes, { weight: "400 700" }).load());
    } catch {
      // The browser may refuse fonts of pages, so the diagram uses the system's font.
    }
  });

  /**
   * The diagram uses the page's colors. A text can't choose others, because a diagram must be readable in light and
   * dark.
   */
  const settings = ({ colors, isDark }) => ({
    startOnLoad: false,
    suppressErrorRendering: true,
    securityLevel: "strict",
    logLevel: "fatal",
    layout: "dagre",
    look: "classic",
    theme: "base",
    darkMode: isDark,
    fontFamily: "Inter, system-ui, sans-serif",
    themeVariables: colors,
    secure:
      "secure securityLevel startOnLoad suppressErrorRendering maxTextSize maxEdges logLevel layout look theme themeCSS themeVariables darkMode fontFamily dompurifyConfig".split(
        " ",
      ),
  });

  async function draw({ library, font, source, looks }) {
    await Promise.all([load(library), font && addFont(font)]);
    const drawn = [];
    for (const [at, look] of looks.entries()) {
      window.mermaid.initialize(settings(look));
      const { svg } = await window.mermaid.render(`diagram-${at}`, source);
      const box = document.createElement("div");
      box.className = at === 0 ? "screen" : "paper";
      box.innerHTML = svg;
      // Links are removed, because the frame isn't allowed to leave its page.
      for (const link of box.querySelectorAll("a")) link.replaceWith(...link.childNodes);
      const width = box.querySelector("svg")?.viewBox.baseVal?.width ?? 0;
      // A wide diagram scrolls instead of shrinking, so that its text stays readable.
      if (width > 0) box.firstElementChild.style.minWidth = `${Math.floor(width * 0.6)}px`;
      drawn.push(box);
    }
    document.documentElement.style.colorScheme = looks[0].isDark ? "dark" : "light";
    drawing.replaceChildren(...drawn);
    reportHeight();
  }

  function reportHeight() {
    if (!drawing.firstElementChild) return;
    drawing.toggleAttribute("tabindex", drawing.scrollWidth > drawing.clientWidth);
    if (drawing.hasAttribute("tabindex")) drawing.tabIndex = 0;
    postToPage({ height: Math.ceil(drawing.getBoundingClientRect().height) });
  }
  new ResizeObserver(reportHeight).observe(drawing);

  let last = Promise.resolve();
  window.addEventListener("message", ({ source, data }) => {
    if (source !== window.parent) return;
    last = last.then(() => draw(data)).catch((error) => postToPage({ error: String(error?.message ?? error) }));
  });
})();
