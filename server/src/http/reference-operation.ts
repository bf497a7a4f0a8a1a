/** One operation of the API reference. */
import { html, inline, type Markup } from './markup.ts'
import type { Components, Schema } from './openapi-schemas.ts'
import { fieldList, schemaFields, type Place } from './reference-schema.ts'

interface Media {
  schema: Schema
  example: unknown
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: Schema
  description?: string
  example: string | number | boolean
}

export interface Described {
  operationId: string
  tags: string[]
  summary: string
  description: string
  'x-errors': Record<string, number>
  security: unknown[]
  parameters: (Parameter | { $ref: string })[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { content?: Record<string, Media> }>
}

export interface ApiDescription {
  info: { version: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Described>>
  components: { schemas: Components; parameters: Record<string, Parameter> }
}

/** An operation with its place. */
export interface Endpoint extends Described {
  method: string
  path: string
}

const requestPlace = ({ schemas }: ApiDescription['components']): Place => ({
  schemas,
  names: [],
  isRequest: true,
})

const referTo = '#/components/parameters/'

const parametersOf = ({ parameters }: Endpoint, { components }: ApiDescription): Parameter[] =>
  parameters.flatMap((one) =>
    '$ref' in one ? (components.parameters[one.$ref.slice(referTo.length)] ?? []) : [one],
  )

const bodyOf = ({ requestBody }: Endpoint): (Media & { type: string }) | undefined => {
  const [first] = Object.entries(requestBody?.content ?? {})
  return first && { type: first[0], ...first[1] }
}

const asJson = (value: unknown): string => JSON.stringify(value, null, 2)

/** The example of a body as a request carries it. */
const sentBody = ({ type, example }: Media & { type: string }): string =>
  type === 'application/json'
    ? asJson(example)
    : new URLSearchParams(example as Record<string, string>).toString()

/** Quotes text for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

const curlOf = (endpoint: Endpoint, parameters: Parameter[]): string => {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parameters.find((one) => one.name === name)?.example ?? name)),
  )
  const query = parameters.filter((one) => one.in === 'query' && one.required)
  const search = query.map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`).join('&')
  const headers = parameters.filter((one) => one.in === 'header' && one.required)
  const body = bodyOf(endpoint)
  return [
    `curl -X ${endpoint.method} "$TENANTRY"${quoted(path + (search && `?${search}`))}`,
    ...(endpoint.security.length > 0 ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...headers.map(({ name, example }) => `-H ${quoted(`${name}: ${String(example)}`)}`),
    ...(body ? [`-H ${quoted(`Content-Type: ${body.type}`)}`, `-d ${quoted(sentBody(body))}`] : []),
  ].join(' \\\n  ')
}

/** Within the envelope only `data` differs. */
const dataOf = (schema: Schema): Schema => {
  const properties = (schema['properties'] ?? {}) as Components
  return 'trace_id' in properties ? (properties['data'] ?? {}) : schema
}

const answers = ({ responses }: Endpoint, { components }: ApiDescription): Markup[] =>
  Object.entries(responses)
    .filter(([status]) => status < '400')
    .flatMap(([status, { content = {} }]) =>
      Object.entries(content).map(([type, { schema, example }]) => {
        const text = typeof example === 'string' ? example : asJson(example)
        return html`<h3>Answer <small>${status}, ${type}</small></h3>
          ${schemaFields(dataOf(schema), { ...requestPlace(components), isRequest: false })}
          <details>
            <summary>Example of the answer</summary>
            <pre tabindex="0">${text}</pre>
          </details>`
      }),
    )

const errorItem = ([name, code]: [string, number]): Markup =>
  html`<li>
    <a href="/docs/errors#${name}"><code>${code}</code> ${name}</a>
  </li>`

const tryField = ({ name, in: where, required, example }: Parameter): Markup =>
  html`<label
    >${name} <input name="${where} ${name}" placeholder="${String(example)}" ${required && html` required`}
  /></label>`

/** A stream does not end, and the form shows an answer when it is whole. */
const isStream = ({ responses }: Endpoint): boolean =>
  'text/event-stream' in (responses['200']?.content ?? {})

/** The script of the console's build sends this form (console/src/reference/try-it.ts). */
const tryForm = (endpoint: Endpoint, parameters: Parameter[]): Markup => {
  const body = bodyOf(endpoint)
  return html`<details class="try">
    <summary>Try it</summary>
    <form data-method="${endpoint.method}" data-path="${endpoint.path}">
      <p>
        Sends a real request, as the user who is signed in to <a href="/console/">the console</a> in this
        browser.
      </p>
      ${parameters.map(tryField)}
      ${body && html`<label>Body <textarea name="body" data-type="${body.type}" rows="8" spellcheck="false">${sentBody(body)}</textarea></label>`}
      <button>Send</button>
      <pre tabindex="0" aria-label="Answer" aria-live="polite" hidden></pre>
    </form>
  </details>`
}

const bodySection = (endpoint: Endpoint, { components }: ApiDescription): Markup | undefined => {
  const body = bodyOf(endpoint)
  return (
    body &&
    html`<h3>Body <small>${body.type}</small></h3>
      ${schemaFields(body.schema, requestPlace(components))}`
  )
}

/** `canTry` is false where the console, whose script sends requests, is not built. */
export const operationArticle = (endpoint: Endpoint, api: ApiDescription, canTry: boolean): Markup => {
  const parameters = parametersOf(endpoint, api)
  const errors = Object.entries(endpoint['x-errors'])
  const fields = parameters.map(({ required, ...one }) => ({ ...one, isRequired: required }))
  return html`<article id="${endpoint.operationId}">
    <h2><a href="#${endpoint.operationId}">${endpoint.summary}</a></h2>
    <p class="place"><b class="${endpoint.method}">${endpoint.method}</b> <code>${endpoint.path}</code></p>
    <p>${inline(endpoint.description)}</p>
    ${
      fields.length > 0 &&
      html`<h3>Parameters</h3>
        ${fieldList(fields, requestPlace(api.components))}`
    }
    ${bodySection(endpoint, api)} ${answers(endpoint, api)}
    ${
      errors.length > 0 &&
      html`<h3>Errors of its own</h3>
        <ul class="errors">
          ${errors.map(errorItem)}
        </ul>`
    }
    <details>
      <summary>Request with curl</summary>
      <pre tabindex="0">${curlOf(endpoint, parameters)}</pre>
    </details>
    ${canTry && !isStream(endpoint) && tryForm(endpoint, parameters)}
  </article>`
}
