import type { Document } from './document.ts'
import type { Operation } from './operation.ts'
import type { Received } from './wire.ts'

/** The rules that an answer can break; each is a promise of its own. */
export const charges = ['answer', 'status', 'envelope', 'trace'] as const
export type Charge = (typeof charges)[number]

export type Verdict = [Charge, string][]

type Fields = Record<string, unknown>

const parse = (text: string): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Fields)
      : undefined
  } catch {
    return undefined
  }
}

const isFault = (fault: unknown): boolean => {
  const { field, message } = (fault ?? {}) as Fields
  return typeof field === 'string' && typeof message === 'string'
}

/** The `data` of an error is null or a list of invalid fields. */
const isErrorData = (data: unknown): boolean => {
  if (data === null) return true
  const { errors } = (data ?? {}) as Fields
  return Array.isArray(errors) && errors.length > 0 && errors.every(isFault)
}

const failure = ({ status }: Received, body: Fields, { codes }: Document): string[] => [
  ...(codes.get(Number(body['code'])) === status
    ? []
    : [`code ${String(body['code'])} is not one of status ${status}`]),
  ...(typeof body['message'] === 'string' && body['message'] !== '' ? [] : ['the message is missing']),
  ...(isErrorData(body['data']) ? [] : ['data is neither null nor a list of errors']),
  ...(Object.keys(body).length === 4 ? [] : [`it has the fields ${Object.keys(body).join()}`]),
]

/** An address that cannot be decoded, and headers that are too long, belong to no scope. */
const isUnread = (body: Fields): boolean => body['code'] === 40003

/** Endpoints of OAuth answer as RFC 6749 says; their interactions use the envelope. */
const isOfStandard = ({ path }: Operation, body: Fields): boolean =>
  !isUnread(body) && /^\/oauth2\/(?!interactions|links\/|verify-email|way-back|look|logout\/)/.test(path)

const standardFailure = (body: Fields): string[] => {
  const fields = Object.keys(body).toSorted().join()
  const isSaid = typeof body['error_description'] === 'string' && body['error_description'] !== ''
  return [
    ...(fields === 'error,error_description,trace_id' ? [] : [`it has the fields ${fields}`]),
    ...(isSaid ? [] : ['the description is missing']),
  ]
}

/** Evaluations of flags answer as OFREP says, and directories as SCIM: their failures have details, and no envelope. */
const isEvaluation = ({ path }: Operation): boolean => /^\/(?:ofrep|scim)\//.test(path)

const evaluationFailure = (body: Fields): string[] => {
  const details = body['errorDetails'] ?? body['detail']
  return typeof details === 'string' && details !== '' ? [] : ['the details are missing']
}

const success = (body: Fields): string[] => [
  ...(body['code'] === 0 && body['message'] === 'success' ? [] : ['it is not a success']),
  ...('data' in body ? [] : ['data is missing']),
]

const isWaitUnnamed = (answer: Received): boolean =>
  [429, 503].includes(answer.status) && !isMailOff(answer) && !Number(answer.headers['retry-after'])

const headersOf = (answer: Received): string[] => {
  const { status, headers } = answer
  const isJson = /^application\/(?:scim\+)?json\b/.test(headers['content-type'] ?? '')
  return [
    ...(isJson ? [] : ['it is not declared as JSON']),
    ...(status === 401 && !/^Bearer\b/.test(headers['www-authenticate'] ?? '')
      ? ['WWW-Authenticate is missing']
      : []),
    ...(isWaitUnnamed(answer) ? ['Retry-After is missing'] : []),
  ]
}

const said = (operation: Operation, answer: Received, body: Fields, document: Document): string[] => {
  if (answer.status === 200) return success(body)
  const isOfScope = isEvaluation(operation) && !isUnread(body)
  return isOfScope ? evaluationFailure(body) : failure(answer, body, document)
}

const envelope = (operation: Operation, answer: Received, document: Document): string[] => {
  if (operation.method === 'HEAD') return answer.text === '' ? [] : ['an answer to HEAD has a body']
  if (operation.isPage || (operation.isBare && answer.status < 300)) return []
  const body = parse(answer.text)
  if (!body) return ['it is not a JSON object']
  if (isOfStandard(operation, body)) return standardFailure(body)
  return [...headersOf(answer), ...said(operation, answer, body, document)]
}

const mayBeBare = (operation: Operation, { status }: Received): boolean =>
  isEvaluation(operation) || (operation.isBare && status === 200)

const trace = (operation: Operation, answer: Received): string[] => {
  const header = String(answer.headers['x-trace-id'])
  if (!/^[0-9a-f]{32}$/.test(header)) return [`X-Trace-Id is ${header}`]
  const told = parse(answer.text)?.['trace_id']
  const isTold =
    operation.method !== 'HEAD' && !operation.isPage && !(mayBeBare(operation, answer) && told === undefined)
  return isTold && told !== header ? [`X-Trace-Id is ${header}, trace_id is ${String(told)}`] : []
}

const overloadedCode = 50_301
const mailOffCode = 50_303

/** An installation without e-mail says so, for good: waiting would not help. */
const isMailOff = ({ status, text }: Received): boolean =>
  status === 503 && parse(text)?.['code'] === mailOffCode

/** The service may answer 503 under load; suite.ts counts these answers. */
export const isOverload = ({ status, text, headers }: Received): boolean =>
  status === 503 && parse(text)?.['code'] === overloadedCode && Number(headers['retry-after']) > 0

const statusOf = (operation: Operation, answer: Received): Verdict => {
  if (isOverload(answer) || isMailOff(answer)) return []
  if (answer.status >= 500) return [['answer', `answers ${answer.status}`]]
  return operation.statuses.has(answer.status)
    ? []
    : [['status', `answers ${answer.status}, which is not declared`]]
}

/** Returns all breaches of an answer. */
export const judge = (operation: Operation, answer: Received, document: Document): Verdict => [
  ...statusOf(operation, answer),
  ...envelope(operation, answer, document).map((what): [Charge, string] => ['envelope', what]),
  ...trace(operation, answer).map((what): [Charge, string] => ['trace', what]),
]
