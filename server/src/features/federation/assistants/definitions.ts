/** Tools from the declarations of the routes: their arguments, their requests, and the schemas of their answers. */
import { tools, type Action, type ToolName, type ToolPlan } from './tools.ts'
import { marked } from './untrusted.ts'

export type Schema = Record<string, unknown>
type Properties = Record<string, Schema>

/** The part of a route's declaration that tools are made from. */
export interface DeclaredRoute {
  method: string | string[]
  url: string
  schema?: {
    operationId?: string
    summary?: string
    params?: unknown
    querystring?: unknown
    body?: unknown
    response?: unknown
  }
  config?: { allow?: string; allowAlso?: string }
}

/** Where an argument goes in a request. */
type Place = 'path' | 'query' | 'body'

interface Argument {
  place: Place
  /** The name in the request. */
  name: string
  schema: Schema
  isRequired: boolean
}

/** An action of a tool with its route. */
export interface BoundAction {
  method: string
  /** The template of the path, below the base path of the API. */
  path: string
  summary: string
  /** The permissions that the route needs. */
  needs: string[]
  arguments: Readonly<Record<string, Argument>>
  /** Parameters that the tool sets itself. */
  query: Readonly<Record<string, string>>
  /** The name of the argument that is the whole body. */
  wholeBody: string | undefined
  /** The query parameter of the next page. */
  cursor: string | undefined
  isPaged: boolean
  answer: Schema
}

export interface BoundTool {
  name: ToolName
  plan: ToolPlan
  actions: ReadonlyMap<string, BoundAction>
}

const plain = (schema: unknown): Schema => JSON.parse(JSON.stringify(schema ?? {})) as Schema

const propertiesOf = ({ properties }: Schema): Properties => (properties ?? {}) as Properties
const requiredOf = ({ required }: Schema): string[] => (required ?? []) as string[]

const snake = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** `/users/:id` has the argument `user_id`, because an id means something else in each action of a tool. */
const argumentOf = (path: string, name: string): string => {
  if (name !== 'id') return snake(name)
  const before = path.split('/:id')[0]?.split('/').at(-1) ?? ''
  const singular = before.replace(/ies$/, 'y').replace(/s$/, '')
  return `${singular.replaceAll('-', '_')}_id`
}

const cursors = ['before_id', 'after_id', 'before_version', 'page'] as const
/** Parameters of pages and caches, which the tools set themselves. */
const unasked: ReadonlySet<string> = new Set([...cursors, 'page_size', 'if-match', 'if-none-match'])

/** Arguments of the tools themselves. */
export const ownArguments: ReadonlySet<string> = new Set(['action', 'tenant', 'plan', 'cursor'])

const beside = (name: string): string => (ownArguments.has(name) ? `${name}_filter` : name)

const inPlace = (place: Place, schema: Schema, nameOf = beside): [string, Argument][] =>
  Object.entries(propertiesOf(schema)).map(([name, field]) => [
    nameOf(name),
    {
      place,
      name,
      schema: field,
      isRequired: place === 'path' || (requiredOf(schema).includes(name) && !('default' in field)),
    },
  ])

const needsOf = ({ config }: DeclaredRoute): string[] =>
  [config?.allow, config?.allowAlso].filter((code) => code !== undefined).filter((code) => code.includes(':'))

const answerOf = (route: DeclaredRoute): Schema => {
  const { 200: envelope } = (route.schema?.response ?? {}) as Record<number, unknown>
  return withoutPage(propertiesOf(plain(envelope))['data'] ?? {})
}

/** The list without the number of its page, which is always 1 where the API continues by ids. */
const withoutPage = (answer: Schema): Schema => {
  const { page: _page, ...properties } = propertiesOf(answer)
  if (!('items' in properties)) return answer
  return { ...answer, properties, required: requiredOf(answer).filter((name) => name !== 'page') }
}

const bind = (
  route: DeclaredRoute,
  { omit = [], body: bodyName, needs = [], query: own = {} }: Action,
  basePath: string,
): BoundAction => {
  const { params, querystring, body, summary = '' } = route.schema ?? {}
  const path = route.url.slice(basePath.length)
  const query = plain(querystring)
  const named = [
    ...inPlace('path', plain(params), (name) => argumentOf(path, name)),
    ...inPlace('query', query).filter(([name]) => !unasked.has(name)),
    ...(bodyName === undefined ? inPlace('body', plain(body)) : []),
  ].filter(([name]) => !omit.includes(name))
  const whole = bodyName === undefined ? {} : wholeBodyOf(bodyName, plain(body))
  const asked = propertiesOf(query)
  return {
    method: String(route.method),
    path,
    summary,
    needs: [...needsOf(route), ...needs],
    arguments: { ...Object.fromEntries(named), ...whole },
    query: own,
    wholeBody: bodyName,
    cursor: cursors.find((name) => name in asked && !omit.includes(name)),
    isPaged: 'page_size' in asked,
    answer: answerOf(route),
  }
}

const wholeBodyOf = (name: string, schema: Schema): Record<string, Argument> => ({
  [name]: { place: 'body', name, schema, isRequired: true },
})

/** Binds every tool to its routes. Throws for an operation that no route has. */
export const bindTools = (
  routes: readonly DeclaredRoute[],
  basePath: string,
): ReadonlyMap<string, BoundTool> => {
  const byId = new Map(routes.map((route) => [route.schema?.operationId, route]))
  const bindAction = (action: Action): BoundAction => {
    const route = byId.get(action.operation)
    if (!route) throw new Error(`no route has the operation ${action.operation}`)
    return bind(route, action, basePath)
  }
  return new Map(
    (Object.keys(tools) as ToolName[]).map((name) => {
      const plan: ToolPlan = tools[name]
      const actions = Object.entries(plan.actions).map(([key, action]) => [key, bindAction(action)] as const)
      return [name, { name, plan, actions: new Map(actions) }]
    }),
  )
}

/** The actions of a tool that a caller with these permissions may use. */
const actionsFor = ({ actions }: BoundTool, held: ReadonlySet<string>): [string, BoundAction][] =>
  [...actions].filter(([, { needs }]) => needs.every((code) => held.has(code)))

/** The actions that take an argument. */
interface Takers {
  schemas: Map<string, Schema>
  needing: string[]
  others: string[]
}

const ended = (text: unknown): string[] =>
  typeof text !== 'string' || text === '' ? [] : [text.endsWith('.') ? text : `${text}.`]

const argumentSchema = ({ schemas, needing, others }: Takers, all: number): Schema => {
  const [first = {}, ...more] = schemas.values()
  const schema = more.length === 0 ? first : { anyOf: [first, ...more] }
  const { examples: _examples, title: _title, 'x-trim': _trim, ...rest } = schema
  const isNeeded = needing.length > 0 && needing.length < all
  const isPartial = others.length > 0 && others.length + needing.length < all
  const texts = [
    ...ended(rest['description']),
    ...(isNeeded ? [`Needed for ${needing.join(', ')}.`] : []),
    ...(isPartial ? [`For ${others.join(', ')}.`] : []),
  ]
  return { ...rest, ...(texts.length > 0 && { description: texts.join(' ') }) }
}

const argumentsOf = (actions: [string, BoundAction][]): Map<string, Takers> => {
  const found = new Map<string, Takers>()
  for (const [action, bound] of actions) {
    for (const [name, { schema, isRequired }] of Object.entries(bound.arguments)) {
      const takers = found.get(name) ?? { schemas: new Map(), needing: [], others: [] }
      takers.schemas.set(JSON.stringify(schema), schema)
      ;(isRequired ? takers.needing : takers.others).push(action)
      found.set(name, takers)
    }
  }
  return found
}

const text = (description: string): Schema => ({ type: 'string', description })

/** The root of every schema of a tool. */
type ObjectSchema = Schema & { type: 'object' }

/** The client of a list of tools. */
export interface Listing {
  mayEnter: boolean
  /** True for a client that asks its person itself: its model has no plan to send. */
  asksPerson: boolean
}

/** The arguments that continue a list, and that confirm a change. */
const steps = (isWriting: boolean, { asksPerson }: Listing): Properties => {
  if (!isWriting) return { cursor: text('`next_cursor` of the page before.') }
  if (asksPerson) return {}
  return { plan: text('The plan of the first call, after the person has agreed. Leave it out at first.') }
}

const inputOf = (
  { plan: { isWriting }, actions: every }: BoundTool,
  actions: [string, BoundAction][],
  listing: Listing,
): ObjectSchema => {
  const names = actions.map(([name]) => name)
  const [usual = ''] = every.keys()
  const takers = [...argumentsOf(actions)]
  return {
    type: 'object',
    properties: {
      action: {
        type: 'string',
        enum: names,
        ...(!isWriting && names.includes(usual) && { default: usual }),
        description: actions.map(([name, { summary }]) => `${name}: ${summary}.`).join(' '),
      },
      ...Object.fromEntries(takers.map(([name, one]) => [name, argumentSchema(one, names.length)])),
      ...(listing.mayEnter && {
        tenant: text('The id of another organization. Without it, that of the sign-in.'),
      }),
      ...steps(isWriting, listing),
    },
    required: [
      ...(isWriting ? ['action'] : []),
      ...takers.flatMap(([name, { needing }]) => (needing.length === names.length ? [name] : [])),
    ],
    additionalProperties: false,
  }
}

const resultOf = (actions: [string, BoundAction][]): Schema => {
  const shapes = new Map(actions.map(([, { answer }]) => [JSON.stringify(answer), marked(answer) as Schema]))
  const all = [...shapes.values()]
  return all.length === 1 ? (all[0] ?? {}) : { anyOf: all }
}

const strings = { type: 'array', items: { type: 'string' } }

const usersWith = (description: string): Schema => ({
  type: 'array',
  items: {
    type: 'object',
    properties: {
      user_id: { type: 'integer' },
      username: { type: 'string', untrusted: true },
      permissions: strings,
    },
  },
  description,
})

const plannedFields: Properties = {
  status: { type: 'string', enum: ['planned', 'done'] },
  plan: text('Send the same call again with it. It works once, for 10 minutes.'),
  sentence: text('What the change does, by ids.'),
  gives: { ...strings, description: 'Permissions that somebody gains.' },
  takes: { ...strings, description: 'Permissions that somebody loses.' },
  gains: usersWith('The first 20 users who gain permissions.'),
  losses: usersWith('The first 20 users who lose permissions.'),
  affected_users: { type: 'integer', description: 'Users who gain or lose something.' },
  refused: {
    type: 'array',
    items: { type: 'integer' },
    description: 'Users whom the change would not reach: the service refuses them.',
  },
  changes: {
    type: 'array',
    items: { type: 'object', untrusted: true },
    description: 'The records that the change would leave, with values before and after.',
  },
  count: { type: 'integer', description: 'The number of records; `changes` has at most 20.' },
  needs_approval: { type: 'boolean', description: 'Others must approve it first, in the console.' },
}

const outputOf = ({ plan }: BoundTool, actions: [string, BoundAction][]): ObjectSchema =>
  plan.isWriting
    ? {
        type: 'object',
        properties: { ...plannedFields, result: resultOf(actions) },
        required: ['status'],
      }
    : {
        type: 'object',
        properties: {
          result: resultOf(actions),
          next_cursor: {
            anyOf: [{ type: 'string' }, { type: 'null' }],
            description: 'Null at the end of a list.',
          },
        },
        required: ['result', 'next_cursor'],
      }

const annotationsOf = ({ plan, actions }: BoundTool) => ({
  readOnlyHint: !plan.isWriting,
  destructiveHint: [...actions.values()].some(({ method }) => plan.isWriting && method !== 'POST'),
  idempotentHint: !plan.isWriting,
  openWorldHint: false,
})

/** The tool as assistants see it, or undefined if the caller may use none of its actions. */
export const describeTool = (tool: BoundTool, held: ReadonlySet<string>, listing: Listing) => {
  const actions = actionsFor(tool, held)
  if (actions.length === 0) return undefined
  const { title, description } = tool.plan
  return {
    name: tool.name,
    title,
    description,
    inputSchema: inputOf(tool, actions, listing),
    outputSchema: outputOf(tool, actions),
    annotations: { title, ...annotationsOf(tool) },
  }
}
