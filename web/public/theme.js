// Runs before the first paint, so that a dark screen never flashes white. A file of its own: no inline script.
(() => {
  let choice = "system";
  try {
    choice = localStorage.getItem("theme") ?? "system";
  } catch {
    // storage is off: follow the system
  }
  const dark = choice === "dark" || (choice !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.classList.toggle("dark", dark);
})();
