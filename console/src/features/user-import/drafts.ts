import type { CreateUser, Role } from '@tenantry/client'
import { withoutApostrophe } from '../../components/csv.ts'
import { faultOf } from '../../components/field-checks.ts'
import type { ImportFile } from './read-file.ts'

export const importFields = ['email', 'username', 'nickname', 'password', 'status', 'roles'] as const
export type ImportField = (typeof importFields)[number]

/** Whether the rows become users with passwords, or invitations. */
export type ImportKind = 'create' | 'invite'

/** The fields that an import takes from its file. */
export const fieldsOf = (kind: ImportKind): readonly ImportField[] =>
  kind === 'create' ? importFields : ['email', 'nickname', 'roles']

/** The column of each field, counted from 0; absent fields have none. */
export type Mapping = Partial<Record<ImportField, number>>

/** How the rows of a file are read. */
export interface Reading {
  mapping: Mapping
  kind: ImportKind
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

type Problem =
  | NonNullable<ReturnType<typeof faultOf<'email' | 'username' | 'nickname' | 'password'>>>
  | 'userImport.cellCount'
  | 'userImport.emailTwice'
  | 'userImport.roleUnknown'
  | 'userImport.statusUnknown'
  | 'userImport.usernameTwice'

type NamedRole = Pick<Role, 'id' | 'name'>

/** One row of the file, as the request would send it. An invitation has only e-mail and nickname. */
export interface Draft {
  /** The row's number below the header, from 1. */
  id: number
  /** The cells without the apostrophes that guard against formulas. */
  cells: string[]
  /** A missing password is generated when the row is sent. */
  user: CreateUser
  /** Given besides the role of every new user. */
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

/** The faults that the service would refuse. */
const faultsOf = ({ email, username, nickname = '', password }: CreateUser, kind: ImportKind): Problem[] =>
  [
    faultOf('email', email),
    kind === 'invite' ? undefined : faultOf('username', username),
    faultOf('nickname', nickname),
    password === '' ? undefined : faultOf('password', password),
  ].filter((fault) => fault !== undefined)

/** A password from a foreign file is kept exactly: it may begin with an apostrophe. */
const cellsOf = (row: string[], { isOwn }: ImportFile, { password }: Mapping): string[] =>
  row.map((cell, column) => (isOwn || column !== password ? withoutApostrophe(cell) : cell))

/** The roles of a cell, whose names stand between semicolons. */
const rolesOf = (text: string, known: NamedRole[]) => {
  const names = text
    .split(/[;；]/)
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const roles = known.filter(({ name }) => names.includes(name))
  return { roles, isWhole: names.every((name) => roles.some((role) => role.name === name)) }
}

/** A row before it is compared with others. */
interface Row {
  id: number
  cells: string[]
}

const draftOf = ({ cells, id }: Row, { mapping, kind }: Reading, known: NamedRole[]): Draft => {
  const taken = fieldsOf(kind)
  const textOf = (field: ImportField): string =>
    taken.includes(field) ? (cells[mapping[field] ?? -1] ?? '') : ''
  const status = statusOf(textOf('status').trim())
  const user: CreateUser = {
    email: textOf('email').trim(),
    username: textOf('username').trim(),
    nickname: textOf('nickname').trim(),
    // Spaces belong to a password.
    password: textOf('password'),
    status: status ?? 0,
  }
  const problems = faultsOf(user, kind)
  if (status === undefined) problems.push('userImport.statusUnknown')
  const { roles, isWhole } = rolesOf(textOf('roles'), known)
  if (!isWhole) problems.push('userImport.roleUnknown')
  return { id, cells, user, roles, problems }
}

/** Marks rows that repeat the e-mail or username of an earlier row; the service compares both without case. */
const noteRepeated = (drafts: Draft[], field: 'email' | 'username', problem: Problem): void => {
  const seen = new Set<string>()
  for (const { user, problems } of drafts) {
    const value = user[field].toLowerCase()
    if (value !== '' && seen.has(value)) problems.push(problem)
    seen.add(value)
  }
}

/** The rows below the header, each with its faults; `known` are the roles of the tenant. */
export const draftsOf = (file: ImportFile, reading: Reading, known: NamedRole[]): Draft[] => {
  const drafts = file.rows.map((row, index) =>
    draftOf({ cells: cellsOf(row, file, reading.mapping), id: index + 1 }, reading, known),
  )
  for (const { cells, problems } of drafts) {
    // A missing or extra cell, such as a comma without quotes, has shifted the cells after it.
    if (cells.length !== file.header.length) problems.unshift('userImport.cellCount')
  }
  noteRepeated(drafts, 'email', 'userImport.emailTwice')
  noteRepeated(drafts, 'username', 'userImport.usernameTwice')
  return drafts
}
