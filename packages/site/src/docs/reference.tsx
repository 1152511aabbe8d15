import type { Call, Group } from "./calls.ts";
import { codeBlock, codeBox } from "./code.ts";
import { titleOfCall } from "./journey.ts";
import type { OpenApi, Parameter } from "./openapi.ts";
import { samplesOf } from "./samples.ts";
import { Fields } from "./schema.tsx";
import { typeOf } from "./shapes.ts";
import { Text } from "./text.tsx";
import { Trying } from "./trial.tsx";

/** All operations at a glance. */
export const ReferenceIndex = ({ document, groups }: Readonly<{ document: OpenApi; groups: readonly Group[] }>) => (
  <>
    <h1>Reference</h1>
    {document.info.description.split("\n\n").map((paragraph, index) => (
      <p key={index}>
        <Emphasized text={paragraph.replaceAll("\n", " ")} />
      </p>
    ))}
    {groups.map(({ name, description, page, calls }) => (
      <section key={name}>
        <h2>
          <a href={page}>{name}</a>
        </h2>
        <p class="hint">{description}</p>
        <ul class="operations">
          {calls.map(({ method, path, operation }) => (
            <li key={operation.operationId}>
              <a href={`${page}#${operation.operationId}`}>{titleOfCall(operation.operationId)}</a>{" "}
              <code>
                {method} {path}
              </code>
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
export const ReferencePage = ({ document, group }: Readonly<{ document: OpenApi; group: Group }>) => (
  <>
    <h1>{group.name}</h1>
    <p class="lead">{group.description}</p>
    {group.calls.map((call) => (
      <CallView key={call.operation.operationId} document={document} call={call} />
    ))}
  </>
);

function CallView({ document, call }: Readonly<{ document: OpenApi; call: Call }>) {
  const { method, path, body, success, refusals } = call;
  const { operationId, summary, description, security, parameters = [] } = call.operation;
  const title = titleOfCall(operationId);
  return (
    <section id={operationId} class="card operation" aria-labelledby={`${operationId}-title`}>
      <div class="told">
        <div class="heading">
          <h2 id={`${operationId}-title`}>{title}</h2>
          <a class="anchor" href={`#${operationId}`} aria-label={`Link to ${title}`}>
            #
          </a>
        </div>
        <p class="endpoint">
          <code>
            <b>{method}</b> {path}
          </code>
        </p>
        <p>
          <b>
            <Text text={summary} />
          </b>
        </p>
        <p>
          <Text text={description} /> {security.length === 0 && "Needs no key."}
        </p>
      </div>
      <div class="shown">
        <div>
          <Samples call={call} />
          {success !== undefined && <Example {...success} />}
        </div>
      </div>
      <div class="told">
        {parameters.length > 0 && <Parameters document={document} parameters={parameters} />}
        {body !== undefined && (
          <>
            <h3>Body, {body.type}</h3>
            <Fields shape={body.shape} />
          </>
        )}
        {success !== undefined && <Success {...success} />}
        <Refusals refusals={refusals} />
        <Trying call={call} />
      </div>
    </section>
  );
}

/** The request in each language. The page's script shows the one that its reader has chosen; without it, each opens. */
const Samples = ({ call }: Readonly<{ call: Call }>) => (
  <div class="samples code">
    {samplesOf(call).map(({ language, title, code }, index) => (
      <details
        key={title}
        data-language={title}
        open={index === 0}
        // The code is the project's own.
        dangerouslySetInnerHTML={{ __html: `<summary>${title}</summary>${codeBlock(code, language)}` }}
      />
    ))}
  </div>
);

const Example = ({ status, example }: NonNullable<Call["success"]>) =>
  example === undefined ? null : (
    <div
      class="example"
      dangerouslySetInnerHTML={{ __html: codeBox(JSON.stringify(example, null, 2), "json", `Answer ${status}`) }}
    />
  );

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

const Success = ({ status, type, shape }: NonNullable<Call["success"]>) => (
  <>
    <h3>
      Answer {status}
      {type === undefined ? "" : `, ${type}`}
    </h3>
    {shape !== undefined && <Fields shape={shape} />}
  </>
);

const Refusals = ({ refusals }: Pick<Call, "refusals">) => (
  <details>
    <summary>Other answers: {refusals.map(([status]) => status).join(", ")}</summary>
    <dl class="refusals">
      {refusals.map(([status, { description }]) => (
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
