/** The description of the OpenFeature Remote Evaluation Protocol 0.3 as the schema of its answers. */
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { expect } from 'vitest'
import { parse } from 'yaml'
import type { Answer } from '../../lab/client.ts'

const text = readFileSync(new URL('ofrep-0.3.yaml', import.meta.url), 'utf8')

/**
 * Mends two faults of the description. Its `codeDefaultFlag` fits every value, so that no value fits one member of `oneOf`
 * alone. Its reasons lack DEFAULT, which the types of OpenFeature have (decision 0291).
 */
const mended = text
  .replaceAll('- oneOf:', '- anyOf:')
  .replace(
    'oneOf:\n              - $ref: "#/components/schemas/evaluationSuccess"',
    'anyOf:\n              - $ref: "#/components/schemas/evaluationSuccess"',
  )
  .replace('[STATIC, TARGETING_MATCH, SPLIT,', '[STATIC, DEFAULT, TARGETING_MATCH, SPLIT,')

interface Description {
  paths: Record<string, { post: { responses: Record<string, { content?: Record<string, object> }> } }>
}

const description = parse(mended) as Description

const ajv = new Ajv2020({ strict: false, formats: { ...fullFormats, float: true } })
ajv.addSchema(description, 'ofrep')

const bulk = '/ofrep/v1/evaluate/flags'
const pathsOf = { one: `${bulk}/{key}`, all: bulk }

const pointer = (...parts: string[]): string =>
  parts.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')

/** Fails the test unless the description has the status of the answer, and its body fits. */
export const expectOfrep = (kind: keyof typeof pathsOf, { status, body }: Answer): void => {
  const path = pathsOf[kind]
  const { responses } = description.paths[path]?.post ?? { responses: {} }
  expect(Object.keys(responses)).toContain(String(status))
  if (responses[status]?.content === undefined) return
  const at = pointer(
    'paths',
    path,
    'post',
    'responses',
    String(status),
    'content',
    'application/json',
    'schema',
  )
  const validate = ajv.getSchema(`ofrep#${at}`)
  expect([validate?.(body), validate?.errors]).toEqual([true, null])
}
