import "./no-eval.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router-dom";
import { browserSend } from "./api.ts";
import { App } from "./App.tsx";
import { loadLanguage } from "./language.ts";
import { preloadOnHover } from "./preload-links.ts";
import { preloadScreen } from "./screens.ts";
import "./styles.css";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

preloadOnHover(preloadScreen);

const shown = createRoot(root);
// The screen's code loads first, because React would show a fallback for at least a third of a second.
void loadLanguage(navigator.languages)
  .then(() => preloadScreen(window.location.pathname))
  .then(() =>
    shown.render(
      <StrictMode>
        <BrowserRouter>
          <App send={browserSend} />
        </BrowserRouter>
      </StrictMode>,
    ),
  );
