import type { Endpoint, groupsOf, OpenApi, Parameter, Response } from "./openapi.ts";
import { Fields, type Telling, typeOf } from "./schema.tsx";
import { Text } from "./text.tsx";

type Group = ReturnType<typeof groupsOf>[number];

/** All operations at a glance. */
export const ReferenceIndex = ({ document, groups }: Readonly<{ document: OpenApi; groups: readonly Group[] }>) => (
  <>
    <h1>Reference</h1>
    {document.info.description.split("\n\n").map((paragraph, index) => (
      <p key={index}>
        <Emphasized text={paragraph.replaceAll("\n", " ")} />
      </p>
    ))}
    {groups.map(({ name, description, page, endpoints }) => (
      <section key={name}>
        <h2>
          <a href={page}>{name}</a>
        </h2>
        <p class="hint">{description}</p>
        <ul class="operations">
          {endpoints.map(({ method, path, operation }) => (
            <li key={operation.operationId}>
              <a href={`${page}#${operation.operationId}`}>
                <code>
                  {method} {path}
                </code>
              </a>
            </li>
          ))}
        </ul>
      </section>
    ))}
  </>
);

/** Bold words of the document's description, beside what `Text` knows. */
const Emphasized = ({ text }: Readonly<{ text: string }>) => (
  <>
    {text
      .split(/\*\*([^*]+)\*\*/)
      .map((part, index) => (index % 2 === 1 ? <b key={index}>{part}</b> : <Text key={index} text={part} />))}
  </>
);

/** One group of operations, whole. */
export function ReferencePage({ document, group }: Readonly<{ document: OpenApi; group: Group }>) {
  const telling: Telling = { document, told: new Set() };
  return (
    <>
      <h1>{group.name}</h1>
      <p class="lead">{group.description}</p>
      {group.endpoints.map((endpoint) => (
        <OperationView key={endpoint.operation.operationId} telling={telling} endpoint={endpoint} />
      ))}
    </>
  );
}

function OperationView({ telling, endpoint }: Readonly<{ telling: Telling; endpoint: Endpoint }>) {
  const { method, path, operation } = endpoint;
  const { operationId, summary, description, security, parameters = [], requestBody, responses } = operation;
  const [body] = Object.entries(requestBody?.content ?? {});
  const answers = Object.entries(responses);
  const [status = "", success] = answers.find(([code]) => code.startsWith("2")) ?? [];
  return (
    <section id={operationId} class="card operation" aria-labelledby={`${operationId}-title`}>
      <h2 id={`${operationId}-title`}>
        <code>
          {method} {path}
        </code>
      </h2>
      <p>
        <b>
          <Text text={summary} />
        </b>
      </p>
      <p>
        <Text text={description} /> {security.length === 0 && "Needs no key."}
      </p>
      {parameters.length > 0 && <Parameters document={telling.document} parameters={parameters} />}
      {body?.[1].schema !== undefined && (
        <>
          <h3>Body, {body[0]}</h3>
          <Fields telling={telling} schema={body[1].schema} />
        </>
      )}
      {success !== undefined && <Answer telling={telling} status={status} response={success} />}
      <Refusals answers={answers.filter(([code]) => Number(code) >= 300)} />
      <Trying endpoint={endpoint} />
    </section>
  );
}

const Parameters = ({ document, parameters }: Readonly<{ document: OpenApi; parameters: readonly Parameter[] }>) => (
  <>
    <h3>Parameters</h3>
    <ul class="fields">
      {parameters.map(({ name, in: place, required, description, schema }) => (
        <li key={name}>
          <p>
            <code>{name}</code> <span class="type">{schema && typeOf(document, schema)}</span>
            <span class="optional">
              {" "}
              in the {place}
              {required ? "" : ", optional"}
            </span>
          </p>
          {description !== undefined && (
            <p class="hint">
              <Text text={description} />
            </p>
          )}
        </li>
      ))}
    </ul>
  </>
);

function Answer({ telling, status, response }: Readonly<{ telling: Telling; status: string; response: Response }>) {
  const [[type, content] = []] = Object.entries(response.content ?? {});
  return (
    <>
      <h3>
        Answer {status}
        {type === undefined ? "" : `, ${type}`}
      </h3>
      {type === "application/json" && content?.schema !== undefined && (
        <Fields telling={telling} schema={content.schema} />
      )}
      {content?.example !== undefined && (
        <details>
          <summary>An example</summary>
          <pre>{JSON.stringify(content.example, null, 2)}</pre>
        </details>
      )}
    </>
  );
}

const Refusals = ({ answers }: Readonly<{ answers: readonly (readonly [string, Response])[] }>) => (
  <details>
    <summary>Other answers: {answers.map(([status]) => status).join(", ")}</summary>
    <dl class="refusals">
      {answers.map(([status, { description }]) => (
        <div key={status}>
          <dt>{status}</dt>
          <dd>
            <Text text={description} />
          </dd>
        </div>
      ))}
    </dl>
  </details>
);

/** A form by which the request can be sent from the page; its script shows it where that can be done. */
function Trying({ endpoint: { method, path, operation } }: Readonly<{ endpoint: Endpoint }>) {
  const { operationId, parameters = [], requestBody } = operation;
  const [[type, body] = []] = Object.entries(requestBody?.content ?? {});
  const inPath = parameters.filter((parameter) => parameter.in === "path");
  const named = (name: string) => `${operationId}-${name}`;
  return (
    <form class="step trying" hidden data-method={method} data-path={path} data-type={type}>
      <h3>Try it</h3>
      {inPath.map(({ name }) => (
        <Field key={name} id={named(name)} label={name} name={`path:${name}`} required />
      ))}
      {parameters.some((parameter) => parameter.in === "query") && (
        <Field id={named("query")} label="Query, such as limit=1" name="query" />
      )}
      {parameters.some(({ name }) => name === "Idempotency-Key") && (
        <Field id={named("key")} label="Idempotency-Key" name="header:Idempotency-Key" required />
      )}
      {type === "application/json" && (
        <div class="field">
          <label for={named("body")}>Body</label>
          <textarea id={named("body")} name="body" rows={8} spellcheck={false}>
            {JSON.stringify(body?.example ?? {}, null, 2)}
          </textarea>
        </div>
      )}
      {type === "multipart/form-data" && (
        <div class="field">
          <label for={named("file")}>File</label>
          <input id={named("file")} type="file" name="file" />
        </div>
      )}
      <p class="actions">
        <button type="submit">Send</button>
      </p>
      <p class="notice" role="status" />
      <pre hidden />
    </form>
  );
}

const Field = ({
  id,
  label,
  name,
  required,
}: Readonly<{ id: string; label: string; name: string; required?: true }>) => (
  <div class="field">
    <label for={id}>{label}</label>
    <input id={id} name={name} autocomplete="off" spellcheck={false} {...(required && { required })} />
  </div>
);
