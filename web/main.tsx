import "./no-eval.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router-dom";
import { browserSend } from "./api.ts";
import { App } from "./App.tsx";
import { preloadFor } from "./routes.tsx";
import "./styles.css";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

preloadFor(window.location.pathname);
createRoot(root).render(
  <StrictMode>
    <BrowserRouter>
      <App send={browserSend} />
    </BrowserRouter>
  </StrictMode>,
);
