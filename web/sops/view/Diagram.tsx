/**
 * Draws a Mermaid block in a frame with its own security policy (docs/decisions/0050). The source stays in the page.
 */
import libraryAddress from "@mermaid-js/tiny/dist/mermaid.tiny.js?url";
import { clsx } from "clsx";
import { Code, Workflow } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { notOfTextAttribute } from "../../comments/not-of-text.ts";
import fontAddress from "../../fonts/inter-latin.woff2?url";
import { useTheme } from "../../shell/theme.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { diagramLooksOf } from "./diagram-look.ts";
import { catalog } from "#core/language/catalog.ts";

const texts = catalog("sops.view.diagram", {
  showDiagram: "Show diagram",
  showSource: "Show source",
  couldntDrawThisDiagram: "Couldn't draw this diagram. Its type isn't supported.",
  diagram: "Diagram",
  couldntDraw: "Couldn't draw this diagram. {reason}",
});

export interface DiagramProps {
  /** The element around the code block. */
  frame: HTMLElement;
  /** Renders the block's buttons with a further one. */
  tools(more?: ReactNode): ReactNode;
}

type DiagramAnswer = { height: number } | { error: string };

const isDiagramAnswer = (data: unknown): data is DiagramAnswer =>
  typeof data === "object" &&
  data !== null &&
  (("height" in data && typeof data.height === "number") || ("error" in data && typeof data.error === "string"));

export function Diagram({ frame, tools }: DiagramProps) {
  const [isSource, setSource] = useState(false);
  const [answer, setAnswer] = useState<DiagramAnswer | null>(null);
  const isNear = useIsNearScreen(frame);
  const source = frame.querySelector("pre")?.textContent ?? "";
  const isDrawn = answer !== null && "height" in answer;
  useLayoutEffect(() => {
    // Comments refer to the words of the source and their position, so the source stays in the page.
    frame.querySelector("pre")?.classList.toggle("diagram-away", isDrawn && !isSource);
  }, [frame, isDrawn, isSource]);
  return (
    <div {...{ [notOfTextAttribute]: "" }} className="contents">
      {isNear && (
        <DiagramDrawing
          source={source}
          height={isDrawn && !isSource ? answer.height : null}
          onAnswer={setAnswer}
          around={frame}
        />
      )}
      {answer !== null && "error" in answer && <p className="diagram-fault">{diagramErrorText(answer.error)}</p>}
      {tools(
        isDrawn && (
          <IconButton
            label={isSource ? texts.showDiagram : texts.showSource}
            size="sm"
            variant="outline"
            onClick={() => setSource(!isSource)}
          >
            {isSource ? <Workflow aria-hidden /> : <Code aria-hidden />}
          </IconButton>
        ),
      )}
    </div>
  );
}

interface DrawingProps {
  source: string;
  /** The height in px; null if the diagram isn't drawn or not shown. */
  height: number | null;
  around: HTMLElement;
  onAnswer(answer: DiagramAnswer): void;
}

function DiagramDrawing({ source, height, around, onAnswer }: DrawingProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isLoaded, setLoaded] = useState(false);
  const { isDark } = useTheme();
  useEffect(() => {
    const handleMessage = ({ source: from, data }: MessageEvent<unknown>) => {
      if (from === frame.current?.contentWindow && from !== null && isDiagramAnswer(data)) onAnswer(data);
    };
    window.addEventListener("message", handleMessage);
    return () => window.removeEventListener("message", handleMessage);
  }, [onAnswer]);
  useEffect(() => {
    if (!isLoaded) return undefined;
    let isOver = false;
    void loadFontBytes().then((font) => {
      const looks = diagramLooksOf(around, isDark);
      // The frame has an opaque origin, so the message can't name a target origin.
      if (!isOver) frame.current?.contentWindow?.postMessage({ library: libraryAddress, font, source, looks }, "*");
    });
    return () => {
      isOver = true;
    };
  }, [isLoaded, source, isDark, around]);
  return (
    <div className={clsx("diagram", height === null && "diagram-away")}>
      <iframe
        ref={frame}
        title={diagramTitleOf(source)}
        src="/diagram.html"
        sandbox="allow-scripts"
        onLoad={() => setLoaded(true)}
        style={{ height: height ?? 0 }}
      />
    </div>
  );
}

/** Returns the diagram's title for screen readers: the `accTitle` of its source. */
function diagramTitleOf(source: string): string {
  return /^\s*accTitle\s*:\s*(\S.*)$/m.exec(source)?.[1]?.trim() ?? texts.diagram;
}

/** @param error Mermaid's error of several lines, which quotes the source */
function diagramErrorText(error: string): string {
  if (error.startsWith("No diagram type")) return texts.couldntDrawThisDiagram;
  const [reason = ""] = error.split("\n", 1);
  return texts.couldntDraw({ reason: reason.replace(/[.:\s]*$/, ".") });
}

/** Loads the page's font for the frame, which can't load it itself. If null, the frame uses the system's font. */
async function loadFontBytes(): Promise<ArrayBuffer | null> {
  try {
    return await (await fetch(fontAddress)).arrayBuffer();
  } catch {
    return null;
  }
}

/** Says whether an element is or was on screen or near the screen. */
function useIsNearScreen(element: HTMLElement): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: "50%" },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return isNear;
}
