import "./no-eval.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router-dom";
import { browserSend } from "./api.ts";
import { App } from "./App.tsx";
import { preloadOnIntent } from "./intent.ts";
import { preloadFor } from "./routes.tsx";
import "./styles.css";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

preloadOnIntent(preloadFor);

const shown = createRoot(root);
// its code is on its way since `early.ts`: the screen itself is the first thing that is drawn
void preloadFor(window.location.pathname).then(() =>
  shown.render(
    <StrictMode>
      <BrowserRouter>
        <App send={browserSend} />
      </BrowserRouter>
    </StrictMode>,
  ),
);
