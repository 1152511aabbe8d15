import type { Call } from "./calls.ts";
import { type Field, fieldsIn } from "./shapes.ts";

/** A form by which the request can be sent from the page; its script shows it where that can be done. */
export function Trying({ call: { method, path, operation, body } }: Readonly<{ call: Call }>) {
  const { operationId, parameters = [] } = operation;
  const inPath = parameters.filter((parameter) => parameter.in === "path");
  const named = (name: string) => `${operationId}-${name}`;
  return (
    <form class="step trying" hidden data-method={method} data-path={path} data-type={body?.type}>
      <h3>Try it</h3>
      {inPath.map(({ name }) => (
        <Line key={name} id={named(name)} label={name} name={`path:${name}`} required />
      ))}
      {parameters.some((parameter) => parameter.in === "query") && (
        <Line id={named("query")} label="Query, such as limit=1" name="query" />
      )}
      {parameters
        .filter((parameter) => parameter.in === "header")
        .map(({ name, required = false, example }) => {
          // Every sample sends headers with examples.
          const isWanted = required || example !== undefined;
          const label = isWanted ? name : `${name}, optional`;
          return <Line key={name} id={named(name)} label={label} name={`header:${name}`} required={isWanted} />;
        })}
      {body?.type === "application/json" && (
        <div class="field">
          <label for={named("body")}>Body</label>
          <textarea id={named("body")} name="body" rows={8} spellcheck={false}>
            {JSON.stringify(body.example ?? {}, null, 2)}
          </textarea>
        </div>
      )}
      {body?.type === "multipart/form-data" &&
        fieldsIn(body.shape).map((part) => (
          <Part key={part.id} id={named(part.name)} part={part} accept={body.files[part.name]} />
        ))}
      <p class="actions">
        <button type="submit">Send</button>
      </p>
      <p class="notice" role="status" />
      <pre hidden />
    </form>
  );
}

type LineProps = Readonly<{ id: string; label: string; name: string; required?: boolean; value?: string | undefined }>;

const Line = ({ id, label, name, required = false, value }: LineProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    <input {...{ id, name, required, value }} autocomplete="off" spellcheck={false} />
  </div>
);

type PartProps = Readonly<{ id: string; part: Field; accept: string | undefined }>;

/** One part of a form: a file, or a line of text that stands there already where there is but one. */
function Part({ id, part: { name: part, isOptional, values }, accept }: PartProps) {
  const name = `part:${part}`;
  const label = isOptional ? `${part}, optional` : part;
  if (accept === undefined)
    return <Line {...{ id, label, name }} required={!isOptional} value={values.length === 1 ? values[0] : undefined} />;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input {...{ id, name, accept }} type="file" required={!isOptional} />
    </div>
  );
}
