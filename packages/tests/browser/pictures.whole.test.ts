import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { takePictures } from "./pictures.ts";

const picturesIn = (folder: string): string[] => globSync("**/*.png", { cwd: folder }).toSorted();

test("`pnpm pictures` takes every picture of the documents", async ({ skip }) => {
  const found = inject("chromium");
  if ("missing" in found) return skip(found.missing);
  const folder = mkdtempSync(join(tmpdir(), "pictures-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await takePictures(found.executablePath, folder);
  expect(picturesIn(folder)).toEqual(picturesIn(join(import.meta.dirname, "../../../docs")));
});
