// Runs before the first paint, so that a dark screen never flashes white. It is a separate file, because inline scripts
// aren't allowed.
(() => {
  let choice = "system";
  try {
    choice = localStorage.getItem("theme") ?? "system";
  } catch {
    // Without storage, the theme follows the system.
  }
  const dark = choice === "dark" || (choice !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.classList.toggle("dark", dark);
})();
