// What changed on disk is shown without a reload, so that the place one reads at stays.
const bar = document.querySelector(".bar");
const live = bar.querySelector(".live");

async function show() {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [old, main] = [document.querySelector("main"), page.querySelector("main")];
  if (!main || main.isEqualNode(old)) return;
  old.replaceWith(main);
  document.title = page.title;
}

// One after the other: an older answer never replaces a newer one.
let last = Promise.resolve();
const refresh = () => (last = last.then(show).catch(() => {}));

const events = new EventSource("/events");
events.addEventListener("change", refresh);
events.addEventListener("open", () => {
  // What changed before this was open was not announced.
  void refresh();
  bar.classList.remove("stopped");
  live.textContent = "live";
});
events.addEventListener("error", () => {
  bar.classList.add("stopped");
  live.textContent = "stopped";
});
