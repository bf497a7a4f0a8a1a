/** The permission that an application requires of its users. */
import { openBrowser } from '../../../lab/browser.ts'
import { ok, request, unique } from '../../../lab/client.ts'
import { refuteNothing } from '../../attack.ts'
import type { Prove } from '../../suite.ts'
import { newPerson, type Stage } from '../people/stage.ts'
import {
  authorize,
  newApplication,
  openSession,
  refresh,
  silentRequest,
  unlessError,
} from '../sign-in/stage.ts'

/** A permission of the product, and a role in the home tenant that gives it. */
const newPermission = async ({ root, home }: Stage) => {
  const code = `${unique('p')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')}:use`
  const { id } = ok(await root.call('POST', '/rbac/permissions', { code, name: code, description: '' }))
  const role = ok(await home.admin.call('POST', '/rbac/roles', { name: unique('user') }))
  const by = { tenant: home.id }
  ok(await root.call('PUT', `/rbac/roles/${role.id}/permissions`, { permission_ids: [id] }, by))
  return { code, roleId: role.id as number }
}

const permitted = async (stage: Stage): Promise<string> => {
  const [url = ''] = stage.urls
  const { code, roleId } = await newPermission(stage)
  const application = await newApplication(stage.root, { required_permission: code })
  const [holder, stranger] = [await newPerson(stage), await newPerson(stage)]
  const by = { tenant: stage.home.id }
  ok(await stage.root.call('POST', `/rbac/users/${holder.userId}/roles`, { role_id: roleId }, by))
  const session = await openSession(openBrowser(url), holder, application)
  const breaches: string[] = []
  const refused = await authorize(
    openBrowser(url),
    stranger,
    silentRequest(application, { prompt: undefined }),
  )
  if (!refused.includes('error=access_denied')) breaches.push(`who lacks it gets ${refused}`)
  ok(await stage.root.call('DELETE', `/rbac/users/${holder.userId}/roles/${roleId}`, undefined, by))
  for (const at of stage.urls) {
    breaches.push(...unlessError('a refresh', await refresh(at, application, session.refresh_token)))
    const path = '/api/v1/authz/permissions'
    const { status } = await request(at, 'GET', path, { token: session.access_token })
    if (status === 200) breaches.push(`an old session is answered at ${at}`)
  }
  refuteNothing(breaches)
  return `a stranger, and a session that begins to lack it, at ${stage.urls.length} replicas`
}

export const proveApplications = async (stage: Stage, record: Prove): Promise<void> => {
  await record('an application is used by those alone who hold its permission', () => permitted(stage))
}
