import { patiently, refuteNothing } from '../../attack.ts'
import { ok, unique, type Session } from '../../../lab/client.ts'
import type { Prove } from '../../suite.ts'
import { idsOf, userWith, type Stage } from './stage.ts'

const templates = '/rbac/role-templates'

/** Makes a template as a platform administrator, and deletes it after `work`. */
const withTemplate = async <T>(
  { root, permissions }: Stage,
  codes: string[],
  work: (path: string) => Promise<T>,
): Promise<T> => {
  const body = { name: unique('proof '), permission_ids: idsOf(permissions, codes) }
  const { id } = ok(await root.call('POST', templates, body))
  try {
    return await work(`${templates}/${id}`)
  } finally {
    await patiently(() => root.call('DELETE', `${templates}/${id}`))
  }
}

/** Deletes the template that a request was not refused. */
const removeMade = async (root: Session, data: unknown): Promise<void> => {
  const { id } = (data ?? {}) as { id?: number }
  if (id !== undefined) await root.call('DELETE', `${templates}/${id}`)
}

/** A manager of the catalogue neither makes nor touches a template with a permission that the manager lacks. */
const proveAuthors = async (stage: Stage): Promise<string> => {
  const { root, builtIn, permissions } = stage
  const { user, role } = await userWith(root, builtIn, idsOf(permissions, ['catalogue:manage']))
  const beyond = { permission_ids: idsOf(permissions, ['audit:read']) }
  const breaches: string[] = []
  const knock = async (method: string, path: string, body?: object) => {
    const { status, data } = await user.call(method, path, body)
    if (status !== 403) breaches.push(`${method} ${path} ${JSON.stringify(body)} answers ${status}`)
    if (method === 'POST') await removeMade(root, data)
  }
  try {
    await knock('POST', templates, { name: unique('proof '), ...beyond })
    await withTemplate(stage, [], (path) => knock('PUT', path, beyond))
    await withTemplate(stage, ['audit:read'], async (path) => {
      for (const body of [{ permission_ids: [] }, { name: unique('proof ') }, { given_to_new_users: true }]) {
        await knock('PUT', path, body)
      }
      await knock('DELETE', path)
    })
  } finally {
    await patiently(() => root.call('DELETE', `/users/${user.userId}`))
    await patiently(() => root.call('DELETE', `/rbac/roles/${role}`))
  }
  refuteNothing(breaches)
  return '6 attempts refused to a caller with only catalogue:manage'
}

/** A caller with user:create makes no user who holds more by the templates for new users. */
const proveNewUsers = async (stage: Stage): Promise<string> => {
  const { root, clerk } = stage
  // A running service would give the template to its real users meanwhile.
  if (stage.target.kind === 'given') return 'not tried on a running service'
  return withTemplate(stage, ['audit:read'], async (path) => {
    ok(await root.call('PUT', path, { given_to_new_users: true }))
    const name = unique('proof')
    const body = { email: `${name}@example.com`, username: name, password: 'correct horse battery' }
    const { status } = await clerk.call('POST', '/users', body)
    if (status !== 403) throw new Error(`POST /users answers ${status}, and the user would hold audit:read`)
    return 'a user manager is refused to create users while new users get a permission that the manager lacks'
  })
}

export const proveTemplates = async (stage: Stage, prove: Prove): Promise<void> => {
  await prove('no template carries a permission that its author lacks', () => proveAuthors(stage))
  await prove('creating users is no way to a permission that new users get', () => proveNewUsers(stage))
}
