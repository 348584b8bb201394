"use strict";
// Moves between findings by keys: j and k from anywhere, the arrows inside the list.
(() => {
  const all = [...document.querySelectorAll("a.finding")];
  const shown = () => all.filter((link) => link.offsetParent !== null);
  let here = null;
  const go = (link) => {
    if (here) {
      here.removeAttribute("aria-current");
      document.querySelectorAll("tr.here").forEach((row) => row.classList.remove("here"));
    }
    here = link;
    link.setAttribute("aria-current", "true");
    const row = document.getElementById(link.hash.slice(1));
    if (row && row.matches("tr")) {
      row.classList.add("here");
      row.scrollIntoView({ block: "center" });
    }
  };
  const step = (by) => {
    const links = shown();
    const from = links.indexOf(links.includes(document.activeElement) ? document.activeElement : here);
    const link = links[from < 0 ? 0 : Math.min(Math.max(from + by, 0), links.length - 1)];
    if (!link) return;
    link.focus({ preventScroll: true });
    link.scrollIntoView({ block: "nearest" });
    go(link);
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const inside = document.activeElement.closest("a.finding");
    const by = { j: 1, k: -1 }[event.key] || (inside && { ArrowDown: 1, ArrowUp: -1 }[event.key]);
    if (!by) return;
    event.preventDefault();
    step(by);
  });
  all.forEach((link) => link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(link);
  }));
  // A link to a finding that is folded away unfolds it.
  const unfold = () => {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    const fold = target && target.closest("details");
    if (fold && !fold.open) {
      fold.open = true;
      target.scrollIntoView({ block: "center" });
    }
  };
  window.addEventListener("hashchange", unfold);
  unfold();
  document.querySelectorAll(".keys").forEach((keys) => { keys.hidden = all.length === 0; });
})();
