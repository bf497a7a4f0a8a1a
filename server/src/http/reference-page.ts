/** The pages of the API reference, from the API description. They need no script. */
import { stemmer } from 'stemmer'
import { permissions } from '../access/permissions.ts'
import { documentedErrors } from './error-meanings.ts'
import { html, inline, Markup } from './markup.ts'
import { introduction } from './openapi-components.ts'
import { operationArticle, type ApiDescription, type Endpoint } from './reference-operation.ts'
import { style } from './reference-style.ts'

/** Addresses of files that the console's build made; undefined without a build. */
export interface Files {
  script: string | undefined
  icon: string | undefined
}

interface Page {
  title: string
  content: Markup
  query?: string
  /** The group in the address. */
  group?: string
}

/** No space may come between the tags: the policy has the hash of the text. */
const styleElement = new Markup(`<style>${style}</style>`)

const slugOf = (group: string): string => group.replaceAll(' ', '-')

/** HEAD is GET without a body. */
const endpointsOf = ({ paths }: ApiDescription): Endpoint[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => method !== 'head')
      .map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )

const groupOf = ({ tags }: Endpoint): string => tags[0] ?? ''

/** Groups whose names are abbreviations. */
const titles: Record<string, string> = {
  auth: 'Authentication',
  sso: 'Single sign-on',
  providers: 'Sign-in providers',
  authz: 'Authorization',
  directories: 'Directories (SCIM)',
  flags: 'Feature flags',
}

const titleOf = (group: string): string => titles[group] ?? group.charAt(0).toUpperCase() + group.slice(1)

const endpointLink = (endpoint: Endpoint): Markup =>
  html`<li>
    <a href="/docs/${slugOf(groupOf(endpoint))}#${endpoint.operationId}"
      ><b class="${endpoint.method}">${endpoint.method}</b> <code>${endpoint.path}</code>
      <span>${endpoint.summary}</span></a
    >
  </li>`

const endpointList = (endpoints: Endpoint[]): Markup =>
  html`<ul class="endpoints">
    ${endpoints.map(endpointLink)}
  </ul>`

const navigation = ({ tags }: ApiDescription, current: string | undefined): Markup => {
  const groups = tags.map(({ name }) => [slugOf(name), titleOf(name)] as const)
  const pages = [...groups, ['errors', 'Error codes'], ['permissions', 'Permissions']] as const
  return html`<nav aria-label="Groups">
    <ul>
      ${pages.map(
        ([slug, name]) =>
          html`<li>
            <a href="/docs/${slug}" ${slug === current && html`aria-current="page"`}>${name}</a>
          </li>`,
      )}
    </ul>
  </nav>`
}

const documentOf = (
  api: ApiDescription,
  { script, icon }: Files,
  { title, content, query = '', group }: Page,
): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${icon !== undefined && html`<link rel="icon" type="image/svg+xml" href="${icon}" />`} ${styleElement}
        ${script !== undefined && html`<script type="module" src="${script}"></script>`}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header>
          <a href="/docs">Tenantry API</a> <small>${api.info.version}</small>
          <search>
            <form action="/docs">
              <label
                ><span>Search</span>
                <input
                  type="search"
                  name="q"
                  value="${query}"
                  placeholder="Search endpoints and errors" /></label
              ><button>Search</button>
            </form>
          </search>
          <a href="/openapi.json">openapi.json</a>
          <a href="/console/">Console</a>
        </header>
        <div class="columns">
          ${navigation(api, group)}
          <main id="content">${content}</main>
        </div>
      </body>
    </html>`.text

const overview = (api: ApiDescription): Page => {
  const endpoints = endpointsOf(api)
  const sections = api.tags.map(
    ({ name, description }) =>
      html`<section>
        <h2><a href="/docs/${slugOf(name)}">${titleOf(name)}</a></h2>
        <p>${inline(description)}</p>
        ${endpointList(endpoints.filter((one) => groupOf(one) === name))}
      </section>`,
  )
  const paragraphs = introduction
    .split('\n\n')
    .map((one) => (one.startsWith('## ') ? html`<h2>${one.slice(3)}</h2>` : html`<p>${inline(one)}</p>`))
  return {
    title: 'Tenantry API',
    content: html`<h1>API reference</h1>
      ${paragraphs}${sections}`,
  }
}

const groupPage = (api: ApiDescription, slug: string, canTry: boolean): Page | undefined => {
  const tag = api.tags.find(({ name }) => slugOf(name) === slug)
  if (tag === undefined) return undefined
  const endpoints = endpointsOf(api).filter((one) => groupOf(one) === tag.name)
  const articles = endpoints.map((one) => operationArticle(one, api, canTry))
  return {
    title: `${titleOf(tag.name)} · Tenantry API`,
    content: html`<h1>${titleOf(tag.name)}</h1>
      <p>${inline(tag.description)}</p>
      ${endpointList(endpoints)}${articles}`,
  }
}

const table = (title: string, head: Markup, rows: Markup[]): Page => ({
  title: `${title} · Tenantry API`,
  content: html`<h1>${title}</h1>
    <div class="scroll" tabindex="0" role="region" aria-label="${title}">
      <table>
        <thead>
          <tr>
            ${head}
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>`,
})

const errorsPage = (): Page =>
  table(
    'Error codes',
    html`<th>Code</th>
      <th>Name</th>
      <th>Meaning</th>`,
    documentedErrors.map(
      ({ code, name, meaning }) =>
        html`<tr id="${name}">
          <td>${code}</td>
          <td><code>${name}</code></td>
          <td>${inline(meaning)}</td>
        </tr>`,
    ),
  )

const permissionsPage = (): Page =>
  table(
    'Permissions',
    html`<th>Permission</th>
      <th>Allows to</th>`,
    permissions.map(
      ({ code, description }) =>
        html`<tr>
          <td><code>${code}</code></td>
          <td>${inline(description)}</td>
        </tr>`,
    ),
  )

/** All texts of an endpoint in which the search looks; those of its name come first. */
const textsOf = (endpoint: Endpoint): { name: string; all: string } => {
  const name = [endpoint.operationId, endpoint.summary, endpoint.method, endpoint.path]
    .join(' ')
    .toLowerCase()
  const more = [endpoint.description, groupOf(endpoint), ...Object.entries(endpoint['x-errors']).flat()]
  return { name, all: `${name} ${more.join(' ').toLowerCase()}` }
}

/** "invite" and "invitations" share a stem. */
const stemsOf = (text: string): Set<string> => new Set(text.split(/\W+/).map((word) => stemmer(word)))

const searchPage = (api: ApiDescription, query: string): Page => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const has = (text: string) => words.every((word) => text.includes(word))
  const names = (text: string) => {
    const stems = stemsOf(text)
    return words.every((word) => text.includes(word) || stems.has(stemmer(word)))
  }
  const [near, far]: [Endpoint[], Endpoint[]] = [[], []]
  for (const one of endpointsOf(api)) {
    const { name, all } = textsOf(one)
    if (names(name)) near.push(one)
    else if (has(all)) far.push(one)
  }
  const found = [...near, ...far]
  return {
    title: `${query} · Tenantry API`,
    query,
    content: html`<h1>${found.length === 1 ? '1 endpoint' : `${found.length} endpoints`} for “${query}”</h1>
      ${found.length === 0 && html`<p>Search for a part of a path, a summary, a permission or an error.</p>`}
      ${endpointList(found)}`,
  }
}

const pageOf = (api: ApiDescription, group: string, canTry: boolean): Page | undefined => {
  if (group === 'errors') return errorsPage()
  if (group === 'permissions') return permissionsPage()
  return groupPage(api, group, canTry)
}

/** The page of all endpoints, or of those that have all words of the query. */
export const referenceStart = (api: ApiDescription, files: Files, query: string): string =>
  documentOf(api, files, query === '' ? overview(api) : searchPage(api, query))

/** The page of a group of endpoints, of errors or of permissions; undefined if there is none of that name. */
export const referenceGroup = (api: ApiDescription, files: Files, group: string): string | undefined => {
  const page = pageOf(api, group, files.script !== undefined)
  return page && documentOf(api, files, { ...page, group })
}
