import type { ComponentChildren } from "preact";
import type { Field, Shape } from "./shapes.ts";
import { Text } from "./text.tsx";

/** The fields of a schema as a list, each with its type, its bounds and what it means; nested ones open by a click. */
export function Fields({ shape }: Readonly<{ shape: Shape }>) {
  if (shape.kind === "told")
    return (
      <p class="hint">
        As <a href={`#${shape.id}`}>{shape.id}</a>.
      </p>
    );
  if (shape.kind === "forms")
    return (
      <div class="fields" id={shape.id}>
        {shape.forms.map((form) => (
          <Nested key={form.title} title={`one of: ${form.title}`}>
            <Fields shape={form.shape} />
          </Nested>
        ))}
      </div>
    );
  return (
    <ul class="fields" id={shape.id}>
      {shape.fields.map((field) => (
        <FieldView key={field.id} field={field} />
      ))}
    </ul>
  );
}

const FieldView = ({ field: { id, name, type, isOptional, inside, ...meaning } }: Readonly<{ field: Field }>) => (
  <li id={id}>
    <p>
      <code>{name}</code> <span class="type">{type}</span>
      {isOptional && <span class="optional"> optional</span>}
    </p>
    <Meaning {...meaning} />
    {inside !== undefined && (
      <Nested title={`fields of ${name}`}>
        <Fields shape={inside} />
      </Nested>
    )}
  </li>
);

const Nested = ({ title, children }: Readonly<{ title: string; children: ComponentChildren }>) => (
  <details>
    <summary>{title}</summary>
    {children}
  </details>
);

const Meaning = ({ description, bounds, values }: Pick<Field, "description" | "bounds" | "values">) => (
  <>
    {description !== undefined && (
      <p class="hint">
        <Text text={description} />
      </p>
    )}
    {bounds.length > 0 && <p class="hint">{bounds.join(", ")}</p>}
    {values.length > 1 && (
      <p class="hint">
        {values.map((value) => (
          <>
            <code>{value}</code>{" "}
          </>
        ))}
      </p>
    )}
  </>
);
