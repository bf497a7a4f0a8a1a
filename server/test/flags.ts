/** Feature flags, and evaluation by the OpenFeature Remote Evaluation Protocol, for tests. */
import type { Answer } from '../../lab/client.ts'
import { newFlag } from './endpoints.ts'
import { ok, platformAdmin, unique } from './factories.ts'
import { call, type Call } from './harness.ts'

/** A new flag, boolean and off unless the fields say otherwise; returns its key. */
export const makeFlag = async (fields: object = {}): Promise<string> => {
  const key = unique('flag.')
  ok(await (await platformAdmin()).post('/flags', { ...newFlag(key), ...fields }))
  return key
}

/** Asks for one flag. */
export const evaluate = (key: string, context: unknown, options: Call = {}): Promise<Answer> =>
  call('POST', `//ofrep/v1/evaluate/flags/${key}`, { body: { context }, ...options })

/** Asks for all flags. */
export const evaluateAll = (context: unknown, options: Call = {}): Promise<Answer> =>
  call('POST', '//ofrep/v1/evaluate/flags', { body: { context }, ...options })
