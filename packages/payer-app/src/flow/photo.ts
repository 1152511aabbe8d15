/** The longest edges to try, in pixels: the small print of a passport can still be read at the last. */
const edges = [3000, 2000];

/**
 * A photo of more than `bytesMax`, as phones take them, made smaller. Undefined where it stays too large; throws what is
 * no photo, or larger than this device can draw.
 */
export async function shrink(file: File, bytesMax: number): Promise<File | undefined> {
  const image = await createImageBitmap(file);
  for (const edge of edges) {
    const photo = await draw(image, Math.min(1, edge / Math.max(image.width, image.height)));
    if (photo && photo.size <= bytesMax) return new File([photo], `${file.name}.jpg`);
  }
  return undefined;
}

function draw(image: ImageBitmap, scale: number): Promise<Blob | null> {
  const canvas = document.createElement("canvas");
  canvas.width = image.width * scale;
  canvas.height = image.height * scale;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg"));
}
