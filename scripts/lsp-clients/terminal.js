// A terminal's screen, as `tmux capture-pane -e` writes it, as a picture (SVG). Standard input to standard output; the argument is what
// the picture shows, in words.
const colours = ['#1e1e1e', '#d16969', '#6a9955', '#d7ba7d', '#569cd6', '#c586c0', '#4ec9b0', '#d4d4d4',
  '#808080', '#f44747', '#b5cea8', '#dcdcaa', '#9cdcfe', '#d7a6d1', '#7fe0cc', '#ffffff'];
const cube = (n) => (n ? 55 + 40 * n : 0);
const colour = (n) => {
  if (n < 16) return colours[n];
  if (n > 231) return `rgb(${Array(3).fill(8 + 10 * (n - 232))})`;
  return `rgb(${[Math.floor((n - 16) / 36), Math.floor((n - 16) / 6) % 6, (n - 16) % 6].map(cube)})`;
};
const escape = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const plain = () => ({ ink: colours[7], paper: null, bold: false, underline: false, reverse: false });

// What the codes of a sequence make of a style.
function styled(style, codes) {
  const next = { ...style };
  const list = codes.length ? codes : [0];
  for (let i = 0; i < list.length; i++) {
    const code = list[i];
    const wide = (from) => {
      if (list[from] === 5) { i = from + 1; return colour(list[from + 1]); }
      i = from + 3;
      return `rgb(${list.slice(from + 1, from + 4)})`;
    };
    if (code === 0) Object.assign(next, plain());
    else if (code === 1) next.bold = true;
    else if (code === 4) next.underline = true;
    else if (code === 7) next.reverse = true;
    else if (code === 22) next.bold = false;
    else if (code === 24) next.underline = false;
    else if (code === 27) next.reverse = false;
    else if (code >= 30 && code <= 37) next.ink = colours[code - 30];
    else if (code === 38) next.ink = wide(i + 1);
    else if (code === 39) next.ink = colours[7];
    else if (code >= 40 && code <= 47) next.paper = colours[code - 40];
    else if (code === 48) next.paper = wide(i + 1);
    else if (code === 49) next.paper = null;
    else if (code >= 90 && code <= 97) next.ink = colours[code - 82];
    else if (code >= 100 && code <= 107) next.paper = colours[code - 92];
  }
  return next;
}

const [WIDTH, HEIGHT] = [7.8, 17];
const rows = require('fs').readFileSync(0, 'utf8').replace(/\n$/, '').split('\n');
let [style, widest, out] = [plain(), 0, ''];
rows.forEach((row, y) => {
  let x = 0;
  for (const part of row.split(/(\x1b\[[0-9;:]*m|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x0e|\x0f)/)) {
    const codes = /^\x1b\[([0-9;:]*)m$/.exec(part);
    if (codes) style = styled(style, codes[1].split(/[;:]/).filter(Boolean).map(Number));
    if (codes || !part || /^[\x1b\x0e\x0f]/.test(part)) continue;
    const length = [...part].length;
    const [ink, paper] = style.reverse ? [style.paper || colours[0], style.ink] : [style.ink, style.paper];
    if (paper) out += `<rect x="${(x * WIDTH).toFixed(1)}" y="${y * HEIGHT}" width="${(length * WIDTH).toFixed(1)}" height="${HEIGHT}" fill="${paper}"/>`;
    if (part.trim()) {
      const more = `${style.bold ? ' font-weight="bold"' : ''}${style.underline ? ' text-decoration="underline"' : ''}`;
      out += `<text x="${(x * WIDTH).toFixed(1)}" y="${y * HEIGHT + 13}" textLength="${(length * WIDTH).toFixed(1)}" fill="${ink}"${more}>${escape(part)}</text>`;
    }
    x += length;
  }
  out += '\n';
  widest = Math.max(widest, x);
});
const [width, height] = [Math.ceil(widest * WIDTH), rows.length * HEIGHT];
console.log(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 ${width + 16} ${height + 16}" role="img" aria-label="${escape(process.argv[2] || '')}" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="13" xml:space="preserve">
<rect x="-8" y="-8" width="${width + 16}" height="${height + 16}" fill="${colours[0]}"/>
${out.replace(/\n+/g, '\n')}</svg>`);
