/** For tests: reads RFC 4180 strictly, and shares no code with what writes it. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = "";
    if (text[at] === '"') {
      at += 1;
      for (; text[at] !== '"' || text[at + 1] === '"'; at += 1) {
        if (at >= text.length) throw new Error("A quoted cell does not end");
        if (text[at] === '"') at += 1;
        cell += text[at];
      }
      at += 1;
    } else {
      for (; at < text.length && text[at] !== "," && text[at] !== "\r"; at += 1) {
        if (text[at] === '"' || text[at] === "\n") throw new Error(`A bare cell holds ${JSON.stringify(text[at])}`);
        cell += text[at];
      }
    }
    row.push(cell);
    if (text[at] === ",") at += 1;
    else if (text.startsWith("\r\n", at)) {
      rows.push(row);
      row = [];
      at += 2;
    } else throw new Error(`A cell is followed by ${JSON.stringify(text[at])}`);
  }
  return rows;
}
