import type { AriaAttributes, ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useI18n } from "./i18n.ts";

// The parts that several views share.

/** A word with a digit, and what no space parts from it. Chinese is written without spaces. */
const FIGURE = /([^ \u3000-\uffff]*\p{Nd}[^ \u3000-\uffff]*)/u;

/**
 * A text of which no amount, and no number of a payment or an account, breaks into lines: in large text on a narrow screen
 * they become smaller, the longer the more (facts.css).
 */
export const Figures = ({ children }: Readonly<{ children: string }>) =>
  children && (
    <span>
      {children.split(FIGURE).map((part, at) =>
        at % 2 ? (
          <span key={at} class={`f${part.length >> 2}`}>
            {part}
          </span>
        ) : (
          part
        ),
      )}
    </span>
  );

type FieldProps = Readonly<{
  name: string;
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  optional?: boolean;
  children: (attributes: Readonly<{ id: string; name: string }> & AriaAttributes) => ComponentChildren;
}>;

/** A label, a control, its hint and its error, bound together for screen readers. */
export function Field({ name, label, hint, error, optional = false, children }: FieldProps) {
  const { t } = useI18n();
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={name}>
        {label}
        {optional && <span class="optional"> ({t("optional")})</span>}
      </label>
      {hint && (
        <p id={`${name}-hint`} class="hint">
          <Figures>{hint}</Figures>
        </p>
      )}
      {children({
        id: name,
        name,
        ...(described !== "" && { "aria-describedby": described }),
        ...(error !== undefined && { "aria-invalid": true }),
      })}
      {error && (
        <p id={`${name}-error`} class="error">
          <Figures>{error}</Figures>
        </p>
      )}
    </div>
  );
}

type HeadingProps = Readonly<{ focus: boolean; title?: string | false; children: string }>;

/**
 * The heading of a view, which takes the focus when the view is not the first: screen readers then begin there. The
 * window is called by it, and by an error that is shown below it, or by `title`.
 */
export function Heading({ focus, title, children }: HeadingProps) {
  const { t } = useI18n();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const ofPage = document.querySelector("title");
    const error = document.querySelector("main :is(.error, .alert)") && t("error");
    const words = [error, heading.current?.textContent].filter(Boolean).join(": ");
    if (ofPage) ofPage.text = title || `${words} – ${ofPage.dataset["page"]}`;
  });
  useEffect(() => {
    if (focus) heading.current?.focus();
  }, [focus]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      <Figures>{children}</Figures>
    </h1>
  );
}

/** A text about something that went wrong, which screen readers announce at once. */
export const Alert = ({ children }: Readonly<{ children: string }>) => (
  <div class="alert" role="alert">
    <Figures>{children}</Figures>
  </div>
);

type NoteKind = "good" | "bad" | "waiting" | "closed";

const marks: Readonly<Record<NoteKind, string>> = {
  good: "M5 12.5l4.5 4.5L19 7.5",
  bad: "M7 7l10 10M17 7L7 17",
  waiting: "M12 7v5l3.5 2",
  closed: "M6 12h12",
};

/** The sign above a final or waiting view; the heading says the same in words. */
export const Sign = ({ kind }: Readonly<{ kind: NoteKind }>) => (
  <svg class={`sign ${kind}`} viewBox="0 0 24 24" width="48" height="48" aria-hidden="true">
    <circle cx="12" cy="12" r="11" />
    <path d={marks[kind]} />
  </svg>
);

type NoticeProps = Readonly<{ sign: NoteKind; title: string; focus?: boolean; children: ComponentChildren }>;

/** A view of a few words that says how things stand. */
export const Notice = ({ sign, title, focus = false, children }: NoticeProps) => (
  <section class="card centered">
    <Sign kind={sign} />
    <Heading focus={focus}>{title}</Heading>
    {children}
  </section>
);

export type Fact = readonly [term: string, value: ComponentChildren, kind?: string];

type FactsProps = Readonly<{ facts: readonly Fact[]; kind?: "rows" | "large" }>;

/** A list of names and values, without the names that have no value. */
export const Facts = ({ facts, kind }: FactsProps) => (
  <dl class={kind === undefined ? "facts" : `facts ${kind}`}>
    {facts
      .filter(([, value]) => value)
      .map(([term, value, kindOfFact], index) => (
        <div key={index} class={kindOfFact}>
          <dt>{term}</dt>
          <dd>
            {typeof value === "string" ? (
              <bdi>
                <Figures>{value}</Figures>
              </bdi>
            ) : (
              value
            )}
          </dd>
        </div>
      ))}
  </dl>
);
