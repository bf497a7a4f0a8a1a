import { systemRoleIds } from '../../session/built-in.ts'
import type { CreateUser, Role } from '@tenantry/client'
import { withoutApostrophe } from '../../components/csv.ts'
import { faultOf } from '../../components/field-checks.ts'
import type { CsvRow } from '../../components/csv.ts'
import type { ImportFile } from './read-file.ts'

export const importFields = ['email', 'username', 'nickname', 'password', 'status', 'roles'] as const
export type ImportField = (typeof importFields)[number]

/** `create` makes users with passwords, `import` users without passwords, `invite` invitations. */
export type ImportKind = 'create' | 'import' | 'invite'

const fields: Record<ImportKind, readonly ImportField[]> = {
  create: importFields,
  import: importFields.filter((field) => field !== 'password'),
  invite: ['email', 'nickname', 'roles'],
}

export const fieldsOf = (kind: ImportKind): readonly ImportField[] => fields[kind]

/** The fields that each row must have. A user without a password gets a username from the e-mail address. */
export const isRequired = (field: ImportField, kind: ImportKind): boolean =>
  field === 'email' || (field === 'username' && kind === 'create')

/** The column of each field, counted from 0. A field without a column is absent. */
export type Mapping = Partial<Record<ImportField, number>>

export interface ImportSettings {
  mapping: Mapping
  kind: ImportKind
  /** The role for each unknown name; null ignores the name. */
  roles: Readonly<Record<string, number | null>>
}

/** The users of the tenant, in lower case. */
export interface Existing {
  emails: ReadonlySet<string>
  usernames: ReadonlySet<string>
}

const knownHeaders: Record<ImportField, string[]> = {
  email: ['email', 'mail', 'emailaddress', '邮箱', '电子邮件', '电子邮箱'],
  username: ['username', 'user', 'login', '用户名', '账号'],
  nickname: ['nickname', 'name', 'displayname', 'fullname', '昵称', '姓名'],
  password: ['password', '密码'],
  status: ['status', 'state', 'enabled', '状态'],
  roles: ['roles', 'role', '角色'],
}

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{Letter}]/gu, '')

/** Finds the columns by common names of their headers. */
export const recognise = (header: string[]): Mapping => {
  const names = header.map(letters)
  const found = importFields.flatMap((field) => {
    const column = knownHeaders[field].map((name) => names.indexOf(name)).find((index) => index >= 0)
    return column === undefined ? [] : [[field, column] as const]
  })
  return Object.fromEntries(found)
}

/** Only invitations need neither usernames nor passwords. */
export const kindFor = ({ username, password }: Mapping): ImportKind =>
  username === undefined && password === undefined ? 'invite' : 'create'

/** A fault of a row, and the field that fixes it. */
export interface Problem {
  text:
    | NonNullable<ReturnType<typeof faultOf<'email' | 'username' | 'nickname' | 'password'>>>
    | 'fieldFaults.missing'
    | 'userImport.cellCount'
    | 'userImport.duplicateOf'
    | 'userImport.emailExists'
    | 'userImport.roleUnknown'
    | 'userImport.statusUnknown'
    | 'userImport.usernameExists'
  field?: ImportField
  /** The earlier line of a duplicate. */
  line?: number
  names?: string[]
}

export type NamedRole = Pick<Role, 'id' | 'name'>

/** One row of the file, as the request would send it. An invitation has only e-mail and nickname. */
export interface Draft {
  /** The line of the file in which the row begins. */
  id: number
  /** The cells without the apostrophes that guard against formulas. */
  cells: string[]
  /** The password is generated when the row is sent, if the row has none. */
  user: CreateUser
  /** Assigned in addition to the role of every new user. */
  roles: NamedRole[]
  problems: Problem[]
}

const statuses: Record<string, 0 | 1> = {
  '': 1,
  '1': 1,
  '0': 0,
  true: 1,
  false: 0,
  yes: 1,
  no: 0,
  enabled: 1,
  disabled: 0,
  启用: 1,
  已启用: 1,
  停用: 0,
  已停用: 0,
}

const statusOf = (text: string): 0 | 1 | undefined =>
  Object.hasOwn(statuses, text.toLowerCase()) ? statuses[text.toLowerCase()] : undefined

const emptyOr = (field: 'email' | 'username' | 'password', text: string, kind: ImportKind) => {
  if (text !== '') return faultOf(field, text)
  return isRequired(field, kind) ? 'fieldFaults.missing' : undefined
}

const faultsOf = ({ email, username, nickname = '', password }: CreateUser, kind: ImportKind): Problem[] => {
  const faults: [ImportField, Problem['text'] | undefined][] = [
    ['email', emptyOr('email', email, kind)],
    ['username', emptyOr('username', username, kind)],
    ['nickname', faultOf('nickname', nickname)],
    ['password', emptyOr('password', password, kind)],
  ]
  return faults.flatMap(([field, text]) => (text ? [{ text, field }] : []))
}

/** A password from another program's file stays unchanged, because it can begin with an apostrophe. */
const cellsOf = (row: string[], { isOwn }: ImportFile, { password }: Mapping): string[] =>
  row.map((cell, column) => (isOwn || column !== password ? withoutApostrophe(cell) : cell))

const systemIds = new Map(Object.entries(systemRoleIds))

/** The roles of a cell, separated by semicolons. */
const rolesOf = (text: string, known: NamedRole[], instead: ImportSettings['roles']) => {
  const names = text
    .split(/[;；]/)
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const found = names.map((name) => {
    const id = Object.hasOwn(instead, name) ? instead[name] : undefined
    // A file of the service names system roles as the API does.
    const systemId = systemIds.get(name)
    const isIt = (role: NamedRole): boolean => role.name === name || [id, systemId].includes(role.id)
    return { name, isLeftOut: id === null, role: known.find(isIt) }
  })
  return {
    roles: [...new Set(found.flatMap(({ role }) => role ?? []))],
    unknown: found.filter(({ role, isLeftOut }) => !role && !isLeftOut).map(({ name }) => name),
  }
}

const draftOf = (
  { line, cells }: CsvRow,
  { mapping, kind, roles: instead }: ImportSettings,
  known: NamedRole[],
): Draft => {
  const taken = fieldsOf(kind)
  const textOf = (field: ImportField): string =>
    taken.includes(field) ? (cells[mapping[field] ?? -1] ?? '') : ''
  const status = statusOf(textOf('status').trim())
  const user: CreateUser = {
    email: textOf('email').trim(),
    username: textOf('username').trim(),
    nickname: textOf('nickname').trim(),
    // Not trimmed, because a password can contain spaces at its ends.
    password: textOf('password'),
    status: status ?? 0,
  }
  const problems = faultsOf(user, kind)
  if (status === undefined) problems.push({ text: 'userImport.statusUnknown', field: 'status' })
  const { roles, unknown } = rolesOf(textOf('roles'), known, instead)
  if (unknown.length > 0) problems.push({ text: 'userImport.roleUnknown', field: 'roles', names: unknown })
  return { id: line, cells, user, roles, problems }
}

/** Marks rows that repeat the e-mail or username of an earlier row. The service ignores case in both. */
const noteRepeated = (drafts: Draft[], field: 'email' | 'username'): void => {
  const seen = new Map<string, number>()
  for (const { id, user, problems } of drafts) {
    const value = user[field].toLowerCase()
    const line = seen.get(value)
    if (line !== undefined) problems.push({ text: 'userImport.duplicateOf', field, line })
    else if (value !== '') seen.set(value, id)
  }
}

const noteExisting = (drafts: Draft[], { emails, usernames }: Existing): void => {
  for (const { user, problems } of drafts) {
    if (emails.has(user.email.toLowerCase())) {
      problems.push({ text: 'userImport.emailExists', field: 'email' })
    } else if (usernames.has(user.username.toLowerCase())) {
      problems.push({ text: 'userImport.usernameExists', field: 'username' })
    }
  }
}

export interface ImportContext {
  roles: NamedRole[]
  /** Absent until the users are known. */
  existing?: Existing | undefined
}

export const draftsOf = (
  file: ImportFile,
  settings: ImportSettings,
  { roles, existing }: ImportContext,
): Draft[] => {
  const drafts = file.rows.map(({ line, cells }) =>
    draftOf({ line, cells: cellsOf(cells, file, settings.mapping) }, settings, roles),
  )
  for (const { cells, problems } of drafts) {
    // A missing or extra cell has shifted the cells after it, for example because of a comma without quotes.
    if (cells.length !== file.header.length) problems.unshift({ text: 'userImport.cellCount' })
  }
  noteRepeated(drafts, 'email')
  noteRepeated(drafts, 'username')
  if (existing) noteExisting(drafts, existing)
  return drafts
}

/** Edited cells, by line and column. */
export type Edits = ReadonlyMap<number, Readonly<Record<number, string>>>

export const withEdits = (file: ImportFile, edits: Edits): ImportFile => ({
  ...file,
  rows: file.rows.map(({ line, cells }) => {
    const edit = edits.get(line)
    return { line, cells: edit ? cells.map((cell, column) => edit[column] ?? cell) : cells }
  }),
})
