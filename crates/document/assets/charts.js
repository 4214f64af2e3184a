// Draws the charts of a report, anew when the reader turns to dark or light, and in light for print.
(() => {
  const { themes, charts } = JSON.parse(document.getElementById("charts").textContent);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const places = charts.map((_, n) => document.getElementById(`chart-${n}`));

  // What the width decides: how long labels may be, and legends in as many columns as fit.
  const config = (theme, spec, width) => {
    const config = structuredClone(theme);
    const narrow = width < 520;
    const limit = Math.max(90, Math.min(260, Math.round(width * (narrow ? 0.48 : 0.38))));
    config.axis.labelLimit = limit;
    const flat = spec.layer.some((layer) => layer.encoding?.y?.type === "ordinal");
    const margin = flat ? limit : 60;
    config.axisXQuantitative = { tickCount: Math.max(2, Math.min(10, Math.round((width - margin) / 65))) };
    const names = new Set((spec.data?.values ?? []).map((datum) => datum.name ?? datum.source ?? ""));
    const longest = Math.max(0, ...[...names].map((name) => name.length));
    const columns = Math.max(1, Math.floor((width - margin) / (longest * 7 + 40)));
    if (columns < names.size) config.legend.columns = columns;
    config.legend.layout = {
      top: { anchor: "start", direction: narrow ? "vertical" : "horizontal", margin: narrow ? 4 : 24 },
    };
    if (narrow) {
      config.axis.titleFontSize = 11;
      config.axis.labelFontSize = 10;
      config.style["cell-near"].fontSize = config.style["cell-far"].fontSize = 11;
    }
    return config;
  };

  const options = {
    mode: "vega-lite",
    renderer: "svg",
    logLevel: vega.Error,
    actions: { export: true, source: false, compiled: false, editor: false },
  };
  const draw = () =>
    Promise.allSettled(
      charts.map(async (spec, n) => {
        const place = places[n];
        const theme = themes[dark.matches ? "dark" : "light"];
        await vegaEmbed(place, spec, { ...options, config: config(theme, spec, place.clientWidth) });
        // The data were there for readers without scripts.
        const data = place.closest("figure").querySelector("details.data");
        if (data && !data.dataset.seen) {
          data.open = false;
          data.dataset.seen = "1";
        }
      }),
    ).then((drawn) => {
      for (const { reason } of drawn) if (reason) console.error(reason);
      document.documentElement.dataset.charts = "drawn";
    });

  // Printing does not wait, so this draws at once.
  const drawForPrint = () => {
    if (!dark.matches) return;
    charts.forEach((spec, n) => {
      const width = places[n].clientWidth;
      const sized = { ...spec, width, config: config(themes.light, spec, width) };
      const view = new vega.View(vega.parse(vegaLite.compile(sized, { logger: vega.logger(vega.Error) }).spec), { renderer: "svg" });
      view.initialize(places[n]).run();
    });
  };

  dark.addEventListener("change", draw);
  addEventListener("beforeprint", drawForPrint);
  addEventListener("afterprint", () => dark.matches && draw());
  draw();
})();
