/** A text of the document: what stands between backticks is code, and a code of an error leads to what it means. */
export const Text = ({ text }: Readonly<{ text: string }>) => (
  <>
    {text.split(/(`[^`]+`)/).map((part, index) => {
      if (!part.startsWith("`")) return part;
      const code = <code key={index}>{part.slice(1, -1)}</code>;
      const anchor = anchorOf(part.slice(1, -1));
      return anchor === undefined ? (
        code
      ) : (
        <a key={index} href={`errors#${anchor}`}>
          {code}
        </a>
      );
    })}
  </>
);

/** The anchor of an error in its guide, by its code: `gen9002` for `[GEN9002]`. */
export const anchorOf = (code: string): string | undefined => /^\[([A-Z]{3}\d{4})\]$/.exec(code)?.[1]?.toLowerCase();
