/** The tables of tools account for every operation of the API. */
import { expect, test } from 'vitest'
import { service } from '../../../../test/harness.ts'
import { assistantScopes, readScope } from '../../../access/assistant-scopes.ts'
import { describeTool, bindTools } from './definitions.ts'
import { reasons } from './operations.ts'
import { tools, type ToolPlan } from './tools.ts'
import { permissions } from '../../../access/permissions.ts'

const declared = service.routes.filter(({ schema, config }) => schema?.hide !== true && config?.allow)
const bound = bindTools(declared, '/api/v1')
const plans = Object.values<ToolPlan>(tools)
const all = new Set<string>(permissions.map(({ code }) => code))

test('every operation of a signed-in caller has a tool or a reason, and only one', () => {
  const named = [
    ...plans.flatMap(({ actions }) => Object.values(actions).map(({ operation }) => operation)),
    ...Object.values(reasons).flat(),
  ]
  const operations = declared.map(({ schema }) => schema?.operationId ?? '')
  expect(named.toSorted()).toEqual([...new Set(operations)].toSorted())
})

test('there are at most 24 tools, and none both reads and writes', () => {
  expect(plans.length).toBeLessThanOrEqual(24)
  for (const { plan, actions, name } of bound.values()) {
    for (const [action, { method, path }] of actions) {
      const isReading = method === 'GET' || /\/(?:explain)$/.test(path)
      expect([name, action, isReading]).toEqual([name, action, !plan.isWriting])
    }
  }
})

test('the scopes are the permissions that the tools need, to read, and tenant:enter', () => {
  const needed = [...bound.values()].flatMap(({ actions }) =>
    [...actions.values()].flatMap(({ needs }) => needs),
  )
  expect([...new Set([readScope, 'tenant:enter', ...needed])].toSorted()).toEqual(
    [...assistantScopes].toSorted(),
  )
})

test('no two arguments of an action have one name, and every path has its arguments', () => {
  for (const { name, actions } of bound.values()) {
    for (const [action, { path, arguments: args }] of actions) {
      const inPath = Object.values(args).filter(({ place }) => place === 'path')
      const wanted = [...path.matchAll(/:(\w+)/g)].map(([, one]) => one)
      expect([name, action, inPath.map((one) => one.name)]).toEqual([name, action, wanted])
      for (const own of ['action', 'tenant', 'plan', 'cursor']) expect(args).not.toHaveProperty(own)
    }
  }
})

test('annotations say whether a tool changes or replaces something', () => {
  for (const tool of bound.values()) {
    const { annotations, outputSchema, inputSchema } =
      describeTool(tool, all, { mayEnter: true, asksPerson: false }) ?? {}
    const methods = [...tool.actions.values()].map(({ method }) => method)
    expect(annotations).toMatchObject({
      readOnlyHint: !tool.plan.isWriting,
      destructiveHint: tool.plan.isWriting && methods.some((method) => method !== 'POST'),
      idempotentHint: !tool.plan.isWriting,
    })
    expect(outputSchema).toMatchObject({ type: 'object' })
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
  }
})

test('every text of an answer that somebody may have typed is marked as untrusted', () => {
  const unmarked: string[] = []
  const walk = (schema: any, where: string): void => {
    if (typeof schema !== 'object' || schema === null) return
    const isFree = schema.type === 'string' && !schema.enum && schema.const === undefined
    if (isFree && !schema.untrusted) unmarked.push(where)
    for (const [key, value] of Object.entries(schema)) walk(value, `${where}.${key}`)
  }
  for (const tool of bound.values()) {
    const described: any = describeTool(tool, all, { mayEnter: true, asksPerson: false })
    walk(described.outputSchema.properties.result, tool.name)
  }
  // Moments and ids of uuids.
  expect(
    unmarked.filter((where) => !/(?:person|_at|_on|_seen|_until|id|at|day|date|_ids\.items)$/.test(where)),
  ).toEqual([])
})

test('the whole list of tools is small enough for a model', () => {
  const listed = [...bound.values()].map((tool) => {
    const { outputSchema: _output, ...shown } =
      describeTool(tool, all, { mayEnter: true, asksPerson: false }) ?? {}
    return shown
  })
  expect(JSON.stringify(listed).length).toBeLessThan(40_000)
})
