import type { CreateUser } from '@tenantry/client'

/** More than that takes long, and a page that must stay open. */
export const rowsMax = 1000
export const bytesMax = 2 * 1024 * 1024

export const importFields = ['email', 'username', 'nickname', 'password', 'status'] as const
export type ImportField = (typeof importFields)[number]

/** In which column each field stands, from 0; those that are in none are left out. */
export type Mapping = Partial<Record<ImportField, number>>

const knownHeaders: Record<ImportField, string[]> = {
  email: ['email', 'mail', 'emailaddress', '邮箱', '电子邮件', '电子邮箱'],
  username: ['username', 'user', 'login', '用户名', '账号'],
  nickname: ['nickname', 'name', 'displayname', 'fullname', '昵称', '姓名'],
  password: ['password', '密码'],
  status: ['status', 'state', 'enabled', '状态'],
}

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{Letter}]/gu, '')

/** Finds the columns by how their headers are usually called. */
export const recognise = (header: string[]): Mapping => {
  const names = header.map(letters)
  const found = importFields.flatMap((field) => {
    const column = knownHeaders[field].map((name) => names.indexOf(name)).find((index) => index >= 0)
    return column === undefined ? [] : [[field, column] as const]
  })
  return Object.fromEntries(found)
}

const problemTexts = {
  emailInvalid: 'userImport.emailInvalid',
  emailTwice: 'userImport.emailTwice',
  usernameInvalid: 'userImport.usernameInvalid',
  usernameTwice: 'userImport.usernameTwice',
  nicknameLong: 'userImport.nicknameLong',
  passwordLength: 'userImport.passwordLength',
  statusUnknown: 'userImport.statusUnknown',
} as const

type Problem = (typeof problemTexts)[keyof typeof problemTexts]

/** One row of the file, as it would be sent. */
export interface Draft {
  /** Its number among the rows below the header, from 1. */
  id: number
  cells: string[]
  /** Without a password one is made when it is sent. */
  user: CreateUser
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

/** What the service would refuse as well; the e-mail only roughly, of which it has the last word. */
const checks: [Problem, (user: CreateUser) => boolean][] = [
  [problemTexts.emailInvalid, ({ email }) => /^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 254],
  [problemTexts.usernameInvalid, ({ username }) => /^[A-Za-z0-9._@+-]{3,64}$/.test(username)],
  [problemTexts.nicknameLong, ({ nickname = '' }) => [...nickname].length <= 64],
  [
    problemTexts.passwordLength,
    ({ password }) => password === '' || ([...password].length >= 8 && [...password].length <= 128),
  ],
]

const draftOf = (cells: string[], index: number, mapping: Mapping): Draft => {
  const textOf = (field: ImportField): string => cells[mapping[field] ?? -1] ?? ''
  const status = statusOf(textOf('status').trim())
  const user: CreateUser = {
    email: textOf('email').trim(),
    username: textOf('username').trim(),
    nickname: textOf('nickname').trim(),
    // Its spaces count.
    password: textOf('password'),
    status: status ?? 0,
  }
  const problems = checks.filter(([, isFine]) => !isFine(user)).map(([problem]) => problem)
  if (status === undefined) problems.push(problemTexts.statusUnknown)
  return { id: index + 1, cells, user, problems }
}

/** Notes whose e-mail or username stands in a row before: the service compares both without case. */
const noteRepeated = (drafts: Draft[], field: 'email' | 'username', problem: Problem): void => {
  const seen = new Set<string>()
  for (const { user, problems } of drafts) {
    const value = user[field].toLowerCase()
    if (value !== '' && seen.has(value)) problems.push(problem)
    seen.add(value)
  }
}

/** The rows below the header, each with what is wrong with it. */
export const draftsOf = (rows: string[][], mapping: Mapping): Draft[] => {
  const drafts = rows.map((cells, index) => draftOf(cells, index, mapping))
  noteRepeated(drafts, 'email', problemTexts.emailTwice)
  noteRepeated(drafts, 'username', problemTexts.usernameTwice)
  return drafts
}
