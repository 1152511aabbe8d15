import { expect, test } from "vitest";
import { layers } from "./layers.ts";
import { files } from "./tidy-fixture.ts";

const picture = files.find(({ path }) => path === "docs/architecture.md")?.text ?? "";

/** A line of the picture: a name, an arrow, and the names that it stands on. */
const drawn = [...picture.matchAll(/^ {2}(\S+) +(?:─▶ (.+)|·)$/gm)].map(([, name = "", on = "·"]) => ({ name, on }));
/** A line below the picture: a folder or a loose file, and its content. */
const inside = new Map(
  picture
    .split(/^ {2}(?=\S)/m)
    .map((part) => [
      part.split(/\s/)[0] ?? "",
      [...part.matchAll(/^ {6}(\S+) {2,}\S/gm)].map(([, floor = ""]) => floor),
    ]),
);

const rows = Object.entries(layers).map(([place, layer]) => ({ name: place.replace("packages/", ""), ...layer }));

test("the picture shows every package and whom it stands on, as the table has it", () => {
  const told = rows.map(({ name, on }) => ({ name, on: on === "*" ? "everything" : on === "" ? "·" : on }));
  expect(drawn).toEqual(told);
});

test("the picture is drawn from top to bottom: every arrow leads down", () => {
  const names = drawn.map(({ name }) => name);
  const up = drawn.flatMap(({ name, on }, at) =>
    on
      .split(" ")
      .filter((below) => names.includes(below) && names.indexOf(below) <= at)
      .map((below) => `${name} ─▶ ${below}`),
  );
  expect(up).toEqual([]);
});

test("the picture shows the folders of a package in the order in which they stand on each other", () => {
  for (const { name, floors } of rows) expect([name, inside.get(name) ?? []]).toEqual([name, floors?.split(" ") ?? []]);
});
